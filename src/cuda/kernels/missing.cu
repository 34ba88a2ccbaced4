/* Is there a value in maps that may be missing? missing_kernels.h. A warp reads every so many
 * values and tells in one number whether one of them is not certainly there; which it is the host
 * finds out, in the rare case that there is one. */
#include "cuda/kernels/device.h"
#include "cuda/kernels/missing_kernels.h"

namespace
{

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP };
enum { BLOCKS = ARMILLA_CUDA_SUSPECT_WARPS / WARPS, ROWS = 16, COLUMNS = BLOCKS / ROWS };

/* grid/missing.c has this number, too: all that is smaller is there. */
constexpr double CERTAIN = 1.6e30;

template <typename T>
__global__ void __launch_bounds__(THREADS) find_suspects(const armilla_cuda_suspects s)
{
    const int64_t first = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int block = blockIdx.y * COLUMNS + blockIdx.x;
    int suspect = 0;
    for (int64_t c = blockIdx.y; c < s.ncomp; c += ROWS) {
        const T *values = static_cast<const T *>(s.values) + c * s.distance;
        for (int64_t i = first; i < s.size; i += COLUMNS * THREADS)
            suspect |= !(fabs((double)values[i]) < CERTAIN); /* NaN is one */
    }
    const unsigned votes = __ballot_sync(0xffffffffu, suspect);
    if (threadIdx.x % WARP == 0) s.found[block * WARPS + threadIdx.x / WARP] = votes != 0;
}

} // namespace

cudaError_t armilla_cuda_suspects_find(const armilla_cuda_suspects *suspects, int is_float,
                                       cudaStream_t stream)
{
    const dim3 blocks(COLUMNS, ROWS);
    if (is_float)
        return ARMILLA_LAUNCH(find_suspects<float>, blocks, THREADS, 0, stream, *suspects);
    return ARMILLA_LAUNCH(find_suspects<double>, blocks, THREADS, 0, stream, *suspects);
}
