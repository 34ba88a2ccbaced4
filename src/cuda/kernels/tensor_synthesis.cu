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

/* f: at [step][place_of_number], so that lanes read from all banks of shared memory. */
template <int NSETS> struct tensor_chunk {
    scalar_chunk steps;
    double f[CHUNK][COLUMNS][tensor_sets<NSETS>::GROUPS];
};

/* sum[i][r]: of vector i. Of two sets, two numbers of the pair at place r of the lane's quad; of
 * four, number `quad of the lane` of the pairs at place r of two quads, first of the one group of
 * sets, then of the other. */
template <int NSETS, int MOST> struct tensor_state : scalar_state<in_double, MOST> {
    double sum[MOST][QUAD][2 * tensor_sets<NSETS>::GROUPS];
};

/* Lanes that read at once have neighbouring numbers of several steps, those that write have every
 * second one; neither may meet in a bank. One group: half a warp reads half of the numbers of four
 * steps. Two: a quarter has two numbers, of both groups, of four steps. */
template <int GROUPS> __device__ __forceinline__ int place_of_number(int step, int number)
{
    const int odd = step % 2, late = step % TOGETHER / 2;
    return GROUPS == 1 ? number ^ late * (COLUMNS / 2) : number ^ odd * 4 ^ late * 3;
}

/* Numbers of a set, of sets 0 and 1 of each group. */
template <int NSETS>
__device__ void stage_coefficients(const armilla_cuda_part &part, int64_t set, int64_t step,
                                   int count, tensor_chunk<NSETS> *chunk)
{
    enum { GROUPS = tensor_sets<NSETS>::GROUPS };
    const double2 *f = reinterpret_cast<const double2 *>(part.values) + 2 * step;
    FOR_THREADS(i, 2 * count)
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        const int number = 4 * j + 2 * (i % 2);
        const double2 a = f[2 * (set + j) * part.nsteps + i];
        double2 *to = reinterpret_cast<double2 *>(chunk->f[i / 2]);
        if constexpr (GROUPS == 1) {
            to[place_of_number<GROUPS>(i / 2, number) / 2] = a;
        } else {
            const double2 b = f[2 * (set + j + 2) * part.nsteps + i];
            to[place_of_number<GROUPS>(i / 2, number)] = make_double2(a.x, b.x);
            to[place_of_number<GROUPS>(i / 2, number + 1)] = make_double2(a.y, b.y);
        }
    }
}

/* Four steps of the pairs that a warp has of a vector; p: after its transposition. */
template <int NVEC, int NSETS>
__device__ __forceinline__ void add_products(const tensor_chunk<NSETS> *chunk, int k,
                                             const double (*p)[TOGETHER],
                                             double (*sum)[QUAD][2 * tensor_sets<NSETS>::GROUPS])
{
    enum { GROUPS = tensor_sets<NSETS>::GROUPS };
    const int place = place_of_number<GROUPS>(place_in_quad(), quad_of_lane());
    const double *f = chunk->f[k + place_in_quad()][place];
    if constexpr (GROUPS == 1) {
        const double number = *f;
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) ARMILLA_UNROLLED
        for (int r = 0; r < QUAD; r++) ARMILLA_MULTIPLY_MATRICES(p[i][r], number, sum[i][r]);
    } else {
        const double2 both = *reinterpret_cast<const double2 *>(f);
        const double numbers[2] = {both.x, both.y};
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) ARMILLA_UNROLLED
        for (int r = 0; r < QUAD; r++) ARMILLA_MULTIPLY_TALL(numbers, p[i][r], sum[i][r]);
    }
}

/* Four steps of NVEC vectors. weight: of one vector, or NULL where all pairs matter. */
template <int NVEC, int NFINE, int NSETS>
__device__ __forceinline__ void add_four(const tensor_chunk<NSETS> *chunk, int k, const vec *weight,
                                         const vec *y, vec *current, vec *previous,
                                         double (*sum)[QUAD][2 * tensor_sets<NSETS>::GROUPS])
{
    double p[NVEC][TOGETHER];
    take_values<NVEC, NFINE>(&chunk->steps, k, y, current, previous, p);
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++) {
        ARMILLA_UNROLLED
        for (int j = 0; j < TOGETHER && weight; j++) p[i][j] = v_mul(weight[i], p[i][j]);
        transpose_lanes<QUAD, 1>(p[i]);
    }
    add_products<NVEC, NSETS>(chunk, k, p, sum);
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

/* The sums of each lane's own pair; two sets: by exchanges within quads. */
template <int MOST>
__device__ __forceinline__ void gather_sums(double *memory, tensor_state<2, MOST> *s,
                                            double (&sums)[MOST][8])
{
    (void)memory;
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int c = 0; c < 2; c++) {
        transpose_lanes<QUAD, 1, 2>(&s->sum[i][0][c]);
        ARMILLA_UNROLLED
        for (int r = 0; r < QUAD; r++) sums[i][2 * r + c] = s->sum[i][r][c];
    }
}

/* The place of a pair in a row of a warp's pairs: those of two quads follow each other, and no two
 * lanes that read or write at once meet in a bank. */
__device__ __forceinline__ int place_of_pair(int quad, int place)
{
    return QUADS * place + (quad ^ place / 2 * QUAD);
}

/* Four sets: through the warp's part of the block's memory, where each number has a row. */
template <int MOST>
__device__ __forceinline__ void gather_sums(double *memory, tensor_state<4, MOST> *s,
                                            double (&sums)[MOST][16])
{
    enum { ROW = WARP + QUADS };
    static_assert(sizeof(tensor_chunk<4>) >= 4 * sizeof(double[COLUMNS][ROW]), "four warps");
    double *of_warp = memory + threadIdx.x / WARP * (COLUMNS * ROW);
    double *to = of_warp + quad_of_lane() * ROW;
    const int own = place_of_pair(quad_of_lane(), place_in_quad());
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int g = 0; g < 2; g++) {
        ARMILLA_UNROLLED
        for (int r = 0; r < QUAD; r++)
            *reinterpret_cast<double2 *>(&to[place_of_pair(2 * place_in_quad(), r)]) =
                make_double2(s->sum[i][r][2 * g], s->sum[i][r][2 * g + 1]);
        __syncwarp();
        ARMILLA_UNROLLED
        for (int n = 0; n < COLUMNS; n++) sums[i][COLUMNS * g + n] = of_warp[n * ROW + own];
        __syncwarp();
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
        s.sum[i / (4 * NSETS)][i / NSETS % QUAD][i % NSETS] = 0;
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_scalar(view, task.m, task.form, start, first, count, &chunk->steps);
        stage_coefficients(part, set, start - part.step + first, count, chunk);
        __syncthreads();
        run_group(chunk, count, which, &s);
        __syncthreads();
    }
    double sums[MOST][4 * NSETS];
    gather_sums(reinterpret_cast<double *>(chunk), &s, sums);
    const unit_one unit[NSETS] = {};
    if (task.alive) write_leg<NSETS>(view, part, block, task, set, group, sums, unit);
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
