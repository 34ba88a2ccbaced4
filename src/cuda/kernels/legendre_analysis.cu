/* Legendre analysis, docs/mathematics.md (2.13), the transpose of legendre_synthesis.cu: sums of
 * each step over the pairs of a tile; legendre_degrees.cu adds those of the tiles. */
#include "cuda/kernels/legendre_chunks.h"
#include "cuda/kernels/legendre_single.h"

namespace
{

/* Blocks of four warps of a multiprocessor at once, for 1, 2 and 4 sets, groups of 1, 2 and 4
 * vectors: as many as need no spilled registers. */
constexpr int BLOCKS_WANTED[3][3][3] = {
    {{6, 4, 3}, {5, 4, 2}, {3, 2, 2}}, /* in double */
    {{7, 4, 4}, {7, 4, 3}, {3, 2, 2}}, /* in single */
    {{6, 4, 3}, {5, 3, 2}},            /* in two floats */
};

template <typename IN, int NSETS, typename SHAPE> constexpr int blocks_wanted()
{
    return blocks_of_shape(BLOCKS_WANTED[IN::PRECISION][NSETS / 2][SHAPE::VECTORS / 2],
                           SHAPE::WARPS);
}

template <typename IN, int NSETS, int WARPS> struct analysis_chunk {
    typename IN::chunk steps;
    chunk_sums<typename IN::state, NSETS, WARPS> sums;
};

template <typename IN, int NSETS, int MOST> struct analysis_state : scalar_state<IN, MOST> {
    typename IN::value value[MOST][4 * NSETS];
};

/* Two steps, an even one and an odd one, of NVEC vectors from number `first` on: adds to 8 NSETS
 * numbers. weight: NULL where all pairs matter. fresh: the numbers hold nothing yet. */
template <int NVEC, int NFINE, typename IN, int NSETS, int MOST, typename SUM>
__device__ __forceinline__ void
add_two(const typename IN::chunk *chunk, int k, const typename IN::number *weight,
        analysis_state<IN, NSETS, MOST> *s, const int first, SUM *number, const int fresh)
{
    typename IN::state *current = s->current + first, *previous = s->previous + first;
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            typename IN::state p = value_now(current, previous, i, j, NFINE);
            if (weight) p = v_mul(weight[i], p);
            ARMILLA_UNROLLED
            for (int q = 0; q < 4 * NSETS; q++)
                add_product(s->value[first + i][q], p, &number[4 * NSETS * j + q], fresh && i == 0);
        }
        take_step<NVEC, NFINE>(chunk, k + j, s->y + first, current, previous, j);
    }
}

/* Some steps of vector i, of which some pairs matter. */
template <int FINE, typename IN, int NSETS, int MOST, typename SUM>
__device__ __forceinline__ void masked_steps(const typename IN::chunk *chunk, int k,
                                             analysis_state<IN, NSETS, MOST> *s, const int i,
                                             SUM *number)
{
    enum { TOGETHER = steps_together<4 * NSETS>::COUNT };
    const typename IN::number weight = weight_of(s->scale[i]);
    if (v_lanes(v_negative(s->scale[i])) == LANES_ALL) {
        run_steps<1, FINE>(chunk, k, TOGETHER, &s->y[i], &s->current[i], &s->previous[i]);
        return;
    }
    ARMILLA_UNROLLED
    for (int j = 0; j < TOGETHER; j += 2)
        add_two<1, FINE>(chunk, k + j, &weight, s, i, number + 4 * NSETS * j, 0);
}

/* A block of steps, as many at once as make SUMS numbers. */
template <int NVEC, int NFINE, typename IN, int NSETS, int WARPS, int MOST>
__device__ __forceinline__ void add_block(analysis_chunk<IN, NSETS, WARPS> *chunk, int k,
                                          analysis_state<IN, NSETS, MOST> *s)
{
    typedef typename IN::template sum<NFINE> SUM;
    enum { TOGETHER = steps_together<4 * NSETS>::COUNT };
    const typename IN::chunk *steps = &chunk->steps;
    ARMILLA_ROLLED
    for (const int end = k + IN::BLOCK; k < end; k += TOGETHER) {
        SUM number[4 * NSETS * TOGETHER];
        if (s->phase == 2) {
            ARMILLA_UNROLLED
            for (int j = 0; j < TOGETHER; j += 2)
                add_two<NVEC, NFINE>(steps, k + j, (const typename IN::number *)NULL, s, 0,
                                     number + 4 * NSETS * j, 1);
        } else {
            ARMILLA_UNROLLED
            for (int j = 0; j < 4 * NSETS * TOGETHER; j++) number[j] = SUM();
            ARMILLA_UNROLLED
            for (int i = 0; i < NVEC; i++)
                if (i < NFINE)
                    masked_steps<1>(steps, k, s, i, number);
                else
                    masked_steps<0>(steps, k, s, i, number);
        }
        ARMILLA_UNROLLED
        for (int j = 0; j < 4 * NSETS * TOGETHER; j += SUMS)
            store_sums(number + j, 4 * NSETS * k + j, &chunk->sums);
    }
}

/* For run_group of legendre_chunks.h. */
struct block_adder {
    template <int NVEC, int NFINE, typename CHUNK, typename STATE>
    __device__ __forceinline__ void block(CHUNK *chunk, int k, STATE *s) const
    {
        add_block<NVEC, NFINE>(chunk, k, s);
    }
};

/* Lanes without an entry are 0. The values of a pair go into the lane's sequence, among sets by
 * reading them so. */
template <typename IN, int NSETS, int MOST>
__device__ void read_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                         const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                         const armilla_kernel_group &group, const typename IN::unit *unit,
                         analysis_state<IN, NSETS, MOST> *s)
{
    const int sequence = lane_sequence<4 * NSETS>();
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        ARMILLA_UNROLLED
        for (int q = 0; q < 4 * NSETS; q++) s->value[i][q] = typename IN::value();
        if (i >= group.nvec) continue;
        ARMILLA_UNROLLED
        for (int j = 0; j < NSETS; j++) {
            double value[4];
            const typename IN::unit unit_here = unit[j ^ sequence / 4];
            read_entry(view, part, block, task, set + (j ^ sequence / 4), group, i, value);
            take_sequence(value, sequence);
            ARMILLA_UNROLLED
            for (int q = 0; q < 4; q++)
                put_number(unit_here.divide(value[q]), &s->value[i][4 * j + q]);
        }
    }
}

template <typename IN, int NSETS, typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, blocks_wanted<IN, NSETS, SHAPE>())
    legendre_analysis(const armilla_cuda_view view, const armilla_cuda_part part,
                      const armilla_cuda_leg_block block, int64_t first_set)
{
    enum { MOST = SHAPE::VECTORS };
    typedef analysis_chunk<IN, NSETS, SHAPE::WARPS> whole_chunk;
    ARMILLA_SHARED(whole_chunk, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int which = find_case(group, task.alive);
    const int set = (int)first_set + NSETS * (int)blockIdx.y;
    const int nsteps = count_scalar_steps(view, task.m);
    analysis_state<IN, NSETS, MOST> s;
    start_state<IN, MOST>(view, task.m, group, &s);
    typename IN::unit unit[NSETS];
    find_leg_units<NSETS, MOST>(view, part, block, task, set, group, &chunk->steps, unit);
    if (task.alive) read_leg(view, part, block, task, set, group, unit, &s);
    clear_started(&chunk->sums);
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        const int64_t start = view.table_start[task.m - view.mfirst];
        stage_scalar(view, task.m, task.form, start, first, count, &chunk->steps);
        __syncthreads();
        run_group(chunk, first, count, which, &s, block_adder());
        __syncthreads();
        add_warps(&chunk->sums, first, count, sums_of(view, part, block, task, set),
                  4 * part.nsteps, unit);
    }
    if (set == 0 && threadIdx.x == 0)
        part.first[(block.tile + task.tile - part.tile) * part.norders + task.order] =
            first_started(&chunk->sums);
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
            return ARMILLA_LAUNCH((legendre_analysis<IN, NSETS, S>), blocks, threads,
                                  sizeof(analysis_chunk<IN, NSETS, S::WARPS>), work->stream, *view,
                                  *part, *block, first + NSETS * lot);
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

void armilla_cuda_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                           const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    if (part->arithmetic == ARMILLA_CUDA_IN_SINGLE)
        launch_all<in_single>(view, part, block, 0, work);
    else if (part->arithmetic == ARMILLA_CUDA_IN_TWO_FLOATS)
        launch_all<in_two_floats>(view, part, block, 0, work);
    else
        launch_all<in_double>(view, part, block,
                              armilla_cuda_tensor_analysis(view, part, block, work), work);
}
