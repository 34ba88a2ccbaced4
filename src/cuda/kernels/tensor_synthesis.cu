/* Legendre synthesis of two or four sets with sums by FP64 tensor cores: legendre_synthesis.cu with
 * the same recurrence and the same blocks of threads. See legendre_tensor.h. */
#include "cuda/kernels/legendre_leg.h"
#include "cuda/kernels/legendre_tensor.h"

namespace
{

/* Blocks of a multiprocessor at once, for 2 and 4 sets, groups of 1, 2 and 4 vectors: as many as
 * need no spilled registers. */
constexpr int BLOCKS_WANTED[2][3] = {{5, 4, 2}, {4, 2, 2}};

enum { TOGETHER = 4 }; /* steps of a product */

/* f: at [group][step][place_of_column], so that lanes read from all banks of shared memory. */
template <int NSETS> struct tensor_chunk {
    scalar_chunk steps;
    double f[tensor_sets<NSETS>::GROUPS][CHUNK][COLUMNS];
};

/* sum[i][g][r]: two numbers of group g of sets, of the pair at place r of the lane's quad, among
 * those of vector i. */
template <int NSETS, int MOST> struct tensor_state : scalar_state<in_double, MOST> {
    double sum[MOST][tensor_sets<NSETS>::GROUPS][QUAD][2];
};

/* Half a warp reads half of the columns of four steps: of every second two steps the other half. */
__device__ __forceinline__ int place_of_column(int step, int column)
{
    return column ^ step % TOGETHER / 2 * (COLUMNS / 2);
}

template <int NSETS>
__device__ void stage_coefficients(const armilla_cuda_part &part, int64_t set, int64_t step,
                                   int count, tensor_chunk<NSETS> *chunk)
{
    const double2 *f = reinterpret_cast<const double2 *>(part.values);
    FOR_THREADS(i, 2 * count)
    ARMILLA_UNROLLED
    for (int j = 0; j < NSETS; j++) {
        const int place = place_of_column(i / 2, 4 * (j % 2) + 2 * (i % 2));
        double *to = &chunk->f[j / 2][i / 2][place];
        *reinterpret_cast<double2 *>(to) = f[2 * ((set + j) * part.nsteps + step) + i];
    }
}

/* Four steps of NVEC vectors. weight: of one vector, or NULL where all pairs matter. */
template <int NVEC, int NFINE, int NSETS>
__device__ __forceinline__ void add_four(const tensor_chunk<NSETS> *chunk, int k, const vec *weight,
                                         const vec *y, vec *current, vec *previous,
                                         double (*sum)[tensor_sets<NSETS>::GROUPS][QUAD][2])
{
    double p[NVEC][TOGETHER];
    take_values<NVEC, NFINE>(&chunk->steps, k, y, current, previous, p);
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++) {
        ARMILLA_UNROLLED
        for (int j = 0; j < TOGETHER && weight; j++) p[i][j] = v_mul(weight[i], p[i][j]);
        transpose_lanes<QUAD, 1>(p[i]);
    }
    const int place = place_of_column(place_in_quad(), quad_of_lane());
    ARMILLA_UNROLLED
    for (int g = 0; g < tensor_sets<NSETS>::GROUPS; g++) {
        const double f = chunk->f[g][k + place_in_quad()][place];
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) ARMILLA_UNROLLED
        for (int r = 0; r < QUAD; r++) ARMILLA_MULTIPLY_MATRICES(p[i][r], f, sum[i][g][r]);
    }
}

/* A block of steps in which some pairs matter: one vector. */
template <int FINE, int NSETS, int MOST>
__device__ __forceinline__ void masked_steps(const tensor_chunk<NSETS> *chunk, int k, const int i,
                                             tensor_state<NSETS, MOST> *s)
{
    vec *y = &s->y[i], *current = &s->current[i], *previous = &s->previous[i];
    const vec weight = weight_of(s->scale[i]);
    if (all_wait(s->scale[i])) {
        run_steps<1, FINE>(&chunk->steps, k, STEPS, y, current, previous);
        return;
    }
    ARMILLA_ROLLED
    for (int j = 0; j < STEPS; j += TOGETHER)
        add_four<1, FINE>(chunk, k + j, &weight, y, current, previous, &s->sum[i]);
}

template <int NVEC, int NFINE, int NSETS, int MOST>
__device__ __forceinline__ void run_chunk(const tensor_chunk<NSETS> *chunk, int count,
                                          tensor_state<NSETS, MOST> *s)
{
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += STEPS) {
        if (!find_phase<NVEC, in_double, MOST>(chunk->steps.ceiling[k / STEPS], s)) {
            run_steps<NVEC, NFINE>(&chunk->steps, k, STEPS, s->y, s->current, s->previous);
        } else if (s->phase == 1) {
            ARMILLA_UNROLLED
            for (int i = 0; i < NVEC; i++)
                if (i < NFINE)
                    masked_steps<1>(chunk, k, i, s);
                else
                    masked_steps<0>(chunk, k, i, s);
        } else {
            ARMILLA_ROLLED
            for (int j = 0; j < STEPS; j += TOGETHER)
                add_four<NVEC, NFINE>(chunk, k + j, (const vec *)NULL, s->y, s->current,
                                      s->previous, s->sum);
        }
    }
}

template <int NSETS, int MOST>
__device__ void run_group(const tensor_chunk<NSETS> *chunk, int count, int which,
                          tensor_state<NSETS, MOST> *s)
{
    ARMILLA_GROUP_CASE(run_chunk, 1, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 2, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 3, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 4, chunk, count, s)
}

/* The sums of each lane's own pair. */
template <int NSETS, int MOST>
__device__ __forceinline__ void gather_sums(tensor_state<NSETS, MOST> *s,
                                            double (&sums)[MOST][4 * NSETS])
{
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int g = 0; g < tensor_sets<NSETS>::GROUPS; g++) ARMILLA_UNROLLED
    for (int c = 0; c < 2; c++) {
        transpose_lanes<QUAD, 1, 2>(&s->sum[i][g][0][c]);
        ARMILLA_UNROLLED
        for (int r = 0; r < QUAD; r++) sums[i][COLUMNS * g + 2 * r + c] = s->sum[i][g][r][c];
    }
}

template <int NSETS, typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, BLOCKS_WANTED[NSETS / 4][SHAPE::VECTORS / 2])
    tensor_synthesis(const armilla_cuda_view view, const armilla_cuda_part part,
                     const armilla_cuda_leg_block block, int64_t first_set)
{
#if ARMILLA_TENSOR_CORES
    enum { MOST = SHAPE::VECTORS };
    ARMILLA_SHARED(tensor_chunk<NSETS>, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int which = find_case(group, task.alive);
    const int64_t set = first_set + NSETS * (int64_t)blockIdx.y;
    const int64_t start = view.table_start[task.m - view.mfirst];
    const int nsteps = count_scalar_steps(view, task.m);
    tensor_state<NSETS, MOST> s;
    start_state<in_double, MOST>(view, task.m, group, &s);
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST * 4 * NSETS; i++)
        s.sum[i / (4 * NSETS)][i / COLUMNS % tensor_sets<NSETS>::GROUPS][i / 2 % QUAD][i % 2] = 0;
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_scalar(view, task.m, task.form, start, first, count, &chunk->steps);
        stage_coefficients(part, set, start - part.step + first, count, chunk);
        __syncthreads();
        run_group(chunk, count, which, &s);
        __syncthreads();
    }
    double sums[MOST][4 * NSETS];
    gather_sums(&s, sums);
    if (task.alive) write_leg<NSETS>(view, part, block, task, set, group, sums);
#else
    __trap();
#endif
}

/* Sets first, first + 1, ..., in `times` lots of NSETS. */
template <int NSETS>
void launch_tensor(const armilla_cuda_view *view, const armilla_cuda_part *part,
                   const armilla_cuda_leg_block *block, int64_t first, int64_t times,
                   armilla_cuda_work *work)
{
    launch_shape(*block, times, work, [&](auto shape, dim3 blocks, unsigned threads, int64_t lot) {
        typedef decltype(shape) S;
        if constexpr (S::WARPS == 4)
            return ARMILLA_LAUNCH((tensor_synthesis<NSETS, S>), blocks, threads,
                                  sizeof(tensor_chunk<NSETS>), work->stream, *view, *part, *block,
                                  first + NSETS * lot);
        else
            return cudaErrorNotSupported;
    });
}

} // namespace

cudaError_t armilla_cuda_tensor_synthesis_target(int *target)
{
    return find_target(tensor_synthesis<4, kernel_shape<4, 4>>, target);
}

int64_t armilla_cuda_tensor_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                      const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    return launch_tensor_sets(part, block, [&](auto nsets, int64_t first, int64_t times) {
        launch_tensor<decltype(nsets)::value>(view, part, block, first, times, work);
    });
}
