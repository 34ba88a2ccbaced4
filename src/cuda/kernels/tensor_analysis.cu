/* Legendre analysis of two or four sets with sums by FP64 tensor cores: legendre_analysis.cu with
 * the same recurrence, blocks of threads and sums over warps and tiles; sums over the pairs of a
 * warp are products of matrices, and no lane adds to another. See legendre_tensor.h. */
#include "cuda/kernels/legendre_chunks.h"
#include "cuda/kernels/legendre_leg.h"
#include "cuda/kernels/legendre_tensor.h"

namespace
{

/* Blocks of a multiprocessor at once, for 2 and 4 sets, groups of 1, 2 and 4 vectors: as many as
 * need no spilled registers. */
constexpr int BLOCKS_WANTED[2][3] = {{5, 4, 2}, {3, 2, 2}};

template <int NSETS, int WARPS> struct tensor_chunk {
    scalar_chunk steps;
    chunk_sums<double, NSETS, WARPS> sums;
};

/* value[i][g][n]: number `quad of the lane` of group g of sets, of the pair at the lane's place in
 * quad n, among those of vector i. */
template <int NSETS, int MOST> struct tensor_state : scalar_state<in_double, MOST> {
    double value[MOST][tensor_sets<NSETS>::GROUPS][QUADS];
};

/* of[i]: of two sets, two numbers of step `quad of the lane`; of four, whose matrices are
 * transposed, number `quad of the lane` of two steps, first of the one group, then of the other. */
template <int NSETS> struct block_sums {
    double of[tensor_sets<NSETS>::BESIDE][2 * tensor_sets<NSETS>::GROUPS];
};

/* Four pairs of the warp: those of which quad n has the values. */
template <int GROUPS>
__device__ __forceinline__ void add_pairs(double p, const double (*value)[QUADS], int n,
                                          double *sums)
{
    if constexpr (GROUPS == 1) {
        ARMILLA_MULTIPLY_MATRICES(p, value[0][n], sums);
    } else {
        const double values[2] = {value[0][n], value[1][n]};
        ARMILLA_MULTIPLY_TALL(values, p, sums);
    }
}

/* A block of steps of vector i. MASKED: some pairs do not matter. */
template <int FINE, int MASKED, int NSETS, int MOST>
__device__ __forceinline__ void add_vector(const scalar_chunk *chunk, int k, const int i,
                                           tensor_state<NSETS, MOST> *s, block_sums<NSETS> *sums)
{
    double p[1][STEPS];
    if (MASKED && all_wait(s->scale[i])) {
        run_steps<1, FINE>(chunk, k, STEPS, &s->y[i], &s->current[i], &s->previous[i]);
        return;
    }
    take_values<1, FINE>(chunk, k, &s->y[i], &s->current[i], &s->previous[i], p);
    const vec weight = weight_of(s->scale[i]);
    ARMILLA_UNROLLED
    for (int j = 0; j < STEPS && MASKED; j++) p[0][j] = v_mul(weight, p[0][j]);
    transpose_lanes<QUADS, QUAD>(p[0]);
    ARMILLA_UNROLLED
    for (int n = 0; n < QUADS; n++)
        add_pairs<tensor_sets<NSETS>::GROUPS>(p[0][n], s->value[i], n,
                                              sums->of[n % tensor_sets<NSETS>::BESIDE]);
}

/* Where the sums of a chunk lie. Four sets: lanes of a quad write those of every second step, whose
 * numbers are turned by fours, so that they do not meet in a bank. */
template <int NSETS> struct turned : in_sequence {
};
template <> struct turned<4> {
    __device__ __forceinline__ int operator()(int i) const
    {
        return i ^ i / 32 % QUAD * 4;
    }
};

/* The warp's sums of a block of steps. */
template <int NSETS, int WARPS>
__device__ __forceinline__ void put_sums(const block_sums<NSETS> &sums, int k,
                                         tensor_chunk<NSETS, WARPS> *chunk)
{
    enum { GROUPS = tensor_sets<NSETS>::GROUPS, OF_STEP = 4 * NSETS };
    double *to = &chunk->sums.sum[threadIdx.x / WARP][OF_STEP * k];
    double sum[2 * GROUPS] = {};
    ARMILLA_UNROLLED
    for (int i = 0; i < tensor_sets<NSETS>::BESIDE; i++) ARMILLA_UNROLLED
    for (int c = 0; c < 2 * GROUPS; c++) sum[c] += sums.of[i][c];
    const int quad = quad_of_lane(), two = 2 * place_in_quad();
    if constexpr (GROUPS == 1) {
        *reinterpret_cast<double2 *>(&to[OF_STEP * quad + two]) = make_double2(sum[0], sum[1]);
    } else {
        const int first = turned<NSETS>()(OF_STEP * two + quad); /* the others have its turn */
        ARMILLA_UNROLLED
        for (int c = 0; c < 2 * GROUPS; c++)
            to[(first ^ COLUMNS * (c / 2)) + OF_STEP * (c % 2)] = sum[c];
    }
}

template <int NVEC, int NFINE, int MASKED, int NSETS, int WARPS, int MOST>
__device__ __forceinline__ void add_block(tensor_chunk<NSETS, WARPS> *chunk, int k,
                                          tensor_state<NSETS, MOST> *s)
{
    block_sums<NSETS> sums;
    ARMILLA_UNROLLED
    for (int i = 0; i < 8; i++)
        sums.of[i / (2 * tensor_sets<NSETS>::GROUPS)][i % (2 * tensor_sets<NSETS>::GROUPS)] = 0;
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++)
        if (i < NFINE)
            add_vector<1, MASKED>(&chunk->steps, k, i, s, &sums);
        else
            add_vector<0, MASKED>(&chunk->steps, k, i, s, &sums);
    put_sums(sums, k, chunk);
}

/* For run_group of legendre_chunks.h. */
struct block_adder {
    template <int NVEC, int NFINE, typename CHUNK, typename STATE>
    __device__ __forceinline__ void block(CHUNK *chunk, int k, STATE *s) const
    {
        if (s->phase == 1)
            add_block<NVEC, NFINE, 1>(chunk, k, s);
        else
            add_block<NVEC, NFINE, 0>(chunk, k, s);
    }
};

/* Reads the values of each lane's own pairs and brings them to where products want them. */
template <int NSETS, int MOST>
__device__ void read_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                         const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                         const armilla_kernel_group &group, tensor_state<NSETS, MOST> *s)
{
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int g = 0; g < tensor_sets<NSETS>::GROUPS; g++) {
        double *value = s->value[i][g];
        ARMILLA_UNROLLED
        for (int n = 0; n < COLUMNS; n++) value[n] = 0;
        if (!task.alive || i >= group.nvec) continue;
        read_entry(view, part, block, task, set + 2 * g, group, i, value);
        read_entry(view, part, block, task, set + 2 * g + 1, group, i, value + 4);
        transpose_lanes<QUADS, QUAD>(value);
    }
}

template <int NSETS, typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, BLOCKS_WANTED[NSETS / 4][SHAPE::VECTORS / 2])
    tensor_analysis(const armilla_cuda_view view, const armilla_cuda_part part,
                    const armilla_cuda_leg_block block, int64_t first_set)
{
#if ARMILLA_TENSOR_CORES
    enum { MOST = SHAPE::VECTORS };
    typedef tensor_chunk<NSETS, SHAPE::WARPS> whole_chunk;
    ARMILLA_SHARED(whole_chunk, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int which = find_case(group, task.alive);
    const int set = (int)first_set + NSETS * (int)blockIdx.y;
    const int nsteps = count_scalar_steps(view, task.m);
    tensor_state<NSETS, MOST> s;
    const unit_one unit[NSETS] = {};
    start_state<in_double, MOST>(view, task.m, group, &s);
    read_leg(view, part, block, task, set, group, &s);
    clear_started(&chunk->sums);
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        const int64_t start = view.table_start[task.m - view.mfirst];
        stage_scalar(view, task.m, task.form, start, first, count, &chunk->steps);
        __syncthreads();
        run_group(chunk, first, count, which, &s, block_adder());
        __syncthreads();
        add_warps(&chunk->sums, first, count, sums_of(view, part, block, task, set),
                  4 * part.nsteps, unit, turned<NSETS>());
    }
    if (set == 0 && threadIdx.x == 0)
        part.first[(block.tile + task.tile - part.tile) * part.norders + task.order] =
            first_started(&chunk->sums);
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
            return ARMILLA_LAUNCH((tensor_analysis<NSETS, S>), blocks, threads,
                                  sizeof(tensor_chunk<NSETS, S::WARPS>), work->stream, *view, *part,
                                  *block, first + NSETS * lot);
        else
            return cudaErrorNotSupported;
    });
}

} // namespace

cudaError_t armilla_cuda_tensor_analysis_target(int *target)
{
    return find_target(tensor_analysis<4, kernel_shape<4, 4>>, target);
}

int64_t armilla_cuda_tensor_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                     const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    return launch_tensor_sets(part, block, [&](auto nsets, int64_t first, int64_t times) {
        launch_tensor<decltype(nsets)::value>(view, part, block, first, times, work);
    });
}
