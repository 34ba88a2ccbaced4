/* Legendre synthesis, docs/mathematics.md (2.12), (3.5): the inner loops of
 * legendre/kernels/synthesis.c. A block of threads works on one order and one tile; its warps share
 * the steps, which come in chunks, and each goes through the three phases for itself. Per step and
 * pair 2 FMA for the recurrence and 4 for each of one, two or four sets. */
#include "cuda/kernels/legendre_single.h"

namespace
{

/* Blocks of four warps of a multiprocessor at once, for 1, 2 and 4 sets, groups of 1, 2 and 4
 * vectors: as many as need no spilled registers. */
constexpr int BLOCKS_WANTED[3][3][3] = {
    {{7, 4, 4}, {6, 4, 2}, {4, 2, 2}}, /* in double */
    {{8, 6, 4}, {6, 4, 3}, {4, 3, 2}}, /* in single */
    {{6, 4, 2}, {5, 3, 2}},            /* in two floats */
};

template <typename IN, int NSETS, typename SHAPE> constexpr int blocks_wanted()
{
    return blocks_of_shape(BLOCKS_WANTED[IN::PRECISION][NSETS / 2][SHAPE::VECTORS / 2],
                           SHAPE::WARPS);
}

template <typename IN, int NSETS> struct synthesis_chunk {
    typename IN::chunk steps;
    typename IN::coefficients f[CHUNK][2 * NSETS]; /* of each set: even re, im; odd re, im */
};

template <typename IN, int NSETS, int MOST> struct synthesis_state : scalar_state<IN, MOST> {
    typename IN::total sum[MOST][4 * NSETS];
};

template <typename IN, int NSETS>
__device__ void stage_coefficients(const armilla_cuda_part &part, int64_t set, int64_t step,
                                   int count, const typename IN::unit *unit,
                                   synthesis_chunk<IN, NSETS> *chunk)
{
    const double2 *f = reinterpret_cast<const double2 *>(part.values);
    FOR_THREADS(i, 2 * count)
    ARMILLA_UNROLLED
    for (int j = 0; j < NSETS; j++) {
        const double2 of_step = f[2 * ((set + j) * part.nsteps + step) + i];
        put_coefficients(make_double2(unit[j].divide(of_step.x), unit[j].divide(of_step.y)),
                         &chunk->f[i / 2][2 * j + i % 2]);
    }
}

/* Adds step k to the sums of NVEC vectors. p: their values. */
template <int NVEC, typename IN, int NSETS, typename SUM>
__device__ __forceinline__ void add_step(const synthesis_chunk<IN, NSETS> *chunk, int k,
                                         const typename IN::state *p, SUM (*sum)[4 * NSETS])
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2 * NSETS; j++) {
        const typename IN::coefficients f = chunk->f[k][j];
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            add_product(f.x, p[i], &sum[i][2 * j], 0);
            add_product(f.y, p[i], &sum[i][2 * j + 1], 0);
        }
    }
}

/* Two steps, an even one and an odd one. weight: NULL where all pairs matter. */
template <int NVEC, int NFINE, typename IN, int NSETS, typename SUM>
__device__ __forceinline__ void add_two(const synthesis_chunk<IN, NSETS> *chunk, int k,
                                        const typename IN::number *weight,
                                        const typename IN::state *y, typename IN::state *current,
                                        typename IN::state *previous, SUM (*sum)[4 * NSETS])
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        typename IN::state p[NVEC];
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            p[i] = value_now(current, previous, i, j, NFINE);
            if (weight) p[i] = v_mul(weight[i], p[i]);
        }
        add_step<NVEC>(chunk, k + j, p, sum);
        take_step<NVEC, NFINE>(&chunk->steps, k + j, y, current, previous, j);
    }
}

/* A block of steps in which some pairs matter: one vector. */
template <int FINE, typename IN, int NSETS, typename SUM>
__device__ __forceinline__ void masked_steps(const synthesis_chunk<IN, NSETS> *chunk, int k,
                                             typename IN::number scale, const typename IN::state *y,
                                             typename IN::state *current,
                                             typename IN::state *previous, SUM (*sum)[4 * NSETS])
{
    const typename IN::number weight = weight_of(scale);
    if (v_lanes(v_negative(scale)) == LANES_ALL) {
        run_steps<1, FINE>(&chunk->steps, k, IN::BLOCK, y, current, previous);
        return;
    }
    ARMILLA_ROLLED
    for (int j = 0; j < IN::BLOCK; j += 2)
        add_two<1, FINE>(chunk, k + j, &weight, y, current, previous, sum);
}

template <int NVEC, int NFINE, typename IN, int NSETS, int MOST, typename SUM>
__device__ __forceinline__ void add_chunk(const synthesis_chunk<IN, NSETS> *chunk, int count,
                                          synthesis_state<IN, NSETS, MOST> *s,
                                          SUM (*sum)[4 * NSETS])
{
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += IN::BLOCK) {
        if (!find_phase<NVEC, IN, MOST>(chunk->steps.ceiling[k / IN::BLOCK], s)) {
            run_steps<NVEC, NFINE>(&chunk->steps, k, IN::BLOCK, s->y, s->current, s->previous);
        } else if (s->phase == 1) {
            ARMILLA_UNROLLED
            for (int i = 0; i < NVEC; i++)
                if (i < NFINE)
                    masked_steps<1>(chunk, k, s->scale[i], &s->y[i], &s->current[i],
                                    &s->previous[i], &sum[i]);
                else
                    masked_steps<0>(chunk, k, s->scale[i], &s->y[i], &s->current[i],
                                    &s->previous[i], &sum[i]);
        } else {
            ARMILLA_UNROLLED
            for (int j = 0; j < IN::BLOCK; j += 2)
                add_two<NVEC, NFINE>(chunk, k + j, (const typename IN::number *)NULL, s->y,
                                     s->current, s->previous, sum);
        }
    }
}

/* Sums of fine vectors may be of another type within a chunk. */
template <int NVEC, int NFINE, typename IN, int NSETS, int MOST>
__device__ __forceinline__ void run_chunk(const synthesis_chunk<IN, NSETS> *chunk, int count,
                                          synthesis_state<IN, NSETS, MOST> *s)
{
    typename IN::template sum<NFINE> sum[NVEC][4 * NSETS];
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++) ARMILLA_UNROLLED
    for (int j = 0; j < 4 * NSETS; j++) put_sum(s->sum[i][j], &sum[i][j]);
    add_chunk<NVEC, NFINE>(chunk, count, s, sum);
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++) ARMILLA_UNROLLED
    for (int j = 0; j < 4 * NSETS; j++) put_sum(sum[i][j], &s->sum[i][j]);
}

template <typename IN, int NSETS, int MOST>
__device__ void run_group(const synthesis_chunk<IN, NSETS> *chunk, int count, int which,
                          synthesis_state<IN, NSETS, MOST> *s)
{
    ARMILLA_GROUP_CASE(run_chunk, 1, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 2, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 3, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 4, chunk, count, s)
}

template <typename IN, int NSETS, typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, blocks_wanted<IN, NSETS, SHAPE>())
    legendre_synthesis(const armilla_cuda_view view, const armilla_cuda_part part,
                       const armilla_cuda_leg_block block, int64_t first_set)
{
    enum { MOST = SHAPE::VECTORS };
    typedef synthesis_chunk<IN, NSETS> whole_chunk;
    ARMILLA_SHARED(whole_chunk, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int which = find_case(group, task.alive);
    const int64_t set = first_set + NSETS * (int64_t)blockIdx.y;
    const int64_t start = view.table_start[task.m - view.mfirst];
    const int nsteps = count_scalar_steps(view, task.m);
    synthesis_state<IN, NSETS, MOST> s;
    start_state<IN, MOST>(view, task.m, group, &s);
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int j = 0; j < 4 * NSETS; j++) s.sum[i][j] = typename IN::total();
    typename IN::unit unit[NSETS];
    find_units<NSETS>(part, set, start - part.step, nsteps, &chunk->steps, unit);
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_scalar(view, task.m, task.form, start, first, count, &chunk->steps);
        stage_coefficients(part, set, start - part.step + first, count, unit, chunk);
        __syncthreads();
        run_group(chunk, count, which, &s);
        __syncthreads();
    }
    if (task.alive) write_leg<NSETS>(view, part, block, task, set, group, s.sum, unit);
}

/* Sets first, first + 1, ..., in `times` lots of NSETS. */
template <typename IN, int NSETS>
void launch(const armilla_cuda_view *view, const armilla_cuda_part *part,
            const armilla_cuda_leg_block *block, int64_t first, int64_t times,
            armilla_cuda_work *work)
{
    launch_shape(*block, times, work, [&](auto shape, dim3 blocks, unsigned threads, int64_t lot) {
        typedef decltype(shape) S;
        if constexpr (NSETS <= most_sets<IN>(S::WARPS))
            return ARMILLA_LAUNCH((legendre_synthesis<IN, NSETS, S>), blocks, threads,
                                  sizeof(synthesis_chunk<IN, NSETS>), work->stream, *view, *part,
                                  *block, first + NSETS * lot);
        else
            return cudaSuccess;
    });
}

/* Sets first, first + 1, ... */
template <typename IN>
void launch_all(const armilla_cuda_view *view, const armilla_cuda_part *part,
                const armilla_cuda_leg_block *block, int64_t first, armilla_cuda_work *work)
{
    const int64_t nsets = part->nsets - first;
    const int64_t fours = most_sets<IN>(block->warps) == 4 ? nsets / 4 : 0,
                  rest = nsets - 4 * fours;
    launch<IN, 4>(view, part, block, first, fours, work);
    launch<IN, 2>(view, part, block, first + 4 * fours, rest / 2, work);
    launch<IN, 1>(view, part, block, first + nsets - rest % 2, rest % 2, work);
}

} // namespace

void armilla_cuda_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                            const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    if (part->arithmetic == ARMILLA_CUDA_IN_SINGLE)
        launch_all<in_single>(view, part, block, 0, work);
    else if (part->arithmetic == ARMILLA_CUDA_IN_TWO_FLOATS)
        launch_all<in_two_floats>(view, part, block, 0, work);
    else
        launch_all<in_double>(view, part, block,
                              armilla_cuda_tensor_synthesis(view, part, block, work), work);
}
