/* Legendre synthesis, docs/mathematics.md (2.12), (3.5): the inner loops of
 * legendre/kernels/synthesis.c. A block of threads works on one order and one tile; its warps share
 * the steps, which come in chunks, and each goes through the three phases for itself. Per step and
 * pair 2 FMA for the recurrence and 4 for each of one or two sets. */
#include "cuda/kernels/legendre_device.h"
#include "legendre/kernels/sides.h"

namespace
{

/* Blocks of four warps of a multiprocessor at once, for 1 and 2 sets, groups of 1, 2 and 4 vectors:
 * as many as need no spilled registers. */
constexpr int BLOCKS_WANTED[2][3] = {{7, 4, 4}, {6, 4, 2}};

template <int NSETS, typename SHAPE> constexpr int blocks_wanted()
{
    return blocks_of_shape(BLOCKS_WANTED[NSETS - 1][SHAPE::VECTORS / 2], SHAPE::WARPS);
}

template <int NSETS> struct synthesis_chunk {
    scalar_chunk steps;
    double2 f[CHUNK][2 * NSETS]; /* of each set: even re, im; odd re, im */
};

template <int NSETS, int MOST> struct synthesis_state : scalar_state<MOST> {
    vec sum[MOST][4 * NSETS];
};

template <int NSETS>
__device__ void stage_coefficients(const armilla_cuda_part &part, int64_t set, int64_t step,
                                   int count, synthesis_chunk<NSETS> *chunk)
{
    const double2 *f = reinterpret_cast<const double2 *>(part.values);
    FOR_THREADS(i, 2 * count)
    ARMILLA_UNROLLED
    for (int j = 0; j < NSETS; j++)
        chunk->f[i / 2][2 * j + i % 2] = f[2 * ((set + j) * part.nsteps + step) + i];
}

/* Adds step k to the sums of NVEC vectors. p: their values. */
template <int NVEC, int NSETS>
__device__ __forceinline__ void add_step(const synthesis_chunk<NSETS> *chunk, int k, const vec *p,
                                         vec (*sum)[4 * NSETS])
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2 * NSETS; j++) {
        const double2 f = chunk->f[k][j];
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            sum[i][2 * j] = v_fma(f.x, p[i], sum[i][2 * j]);
            sum[i][2 * j + 1] = v_fma(f.y, p[i], sum[i][2 * j + 1]);
        }
    }
}

/* Two steps, an even one and an odd one. weight: NULL where all pairs matter. */
template <int NVEC, int NFINE, int NSETS>
__device__ __forceinline__ void add_two(const synthesis_chunk<NSETS> *chunk, int k,
                                        const vec *weight, const vec *y, vec *current,
                                        vec *previous, vec (*sum)[4 * NSETS])
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        vec p[NVEC];
        double c[4];
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            p[i] = value_now(current, previous, i, j, NFINE);
            if (weight) p[i] = v_mul(weight[i], p[i]);
        }
        add_step<NVEC, NSETS>(chunk, k + j, p, sum);
        load_step(&chunk->steps, k + j, c, NFINE > 0);
        advance(c, 1, y, current, previous, j, NVEC, NFINE);
    }
}

/* A block of steps in which some pairs matter: one vector. */
template <int FINE, int NSETS>
__device__ __forceinline__ void masked_steps(const synthesis_chunk<NSETS> *chunk, int k, vec scale,
                                             const vec *y, vec *current, vec *previous,
                                             vec (*sum)[4 * NSETS])
{
    const vec weight = weight_of(scale);
    if (v_lanes(v_negative(scale)) == LANES_ALL) {
        run_steps<1, FINE>(&chunk->steps, k, STEPS, y, current, previous);
        return;
    }
    ARMILLA_ROLLED
    for (int j = 0; j < STEPS; j += 2)
        add_two<1, FINE, NSETS>(chunk, k + j, &weight, y, current, previous, sum);
}

template <int NVEC, int NFINE, int NSETS, int MOST>
__device__ __forceinline__ void run_chunk(const synthesis_chunk<NSETS> *chunk, int count,
                                          synthesis_state<NSETS, MOST> *s)
{
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += STEPS) {
        if (!find_phase<NVEC, MOST>(chunk->steps.ceiling[k / STEPS], s)) {
            run_steps<NVEC, NFINE>(&chunk->steps, k, STEPS, s->y, s->current, s->previous);
        } else if (s->phase == 1) {
            ARMILLA_UNROLLED
            for (int i = 0; i < NVEC; i++)
                if (i < NFINE)
                    masked_steps<1, NSETS>(chunk, k, s->scale[i], &s->y[i], &s->current[i],
                                           &s->previous[i], &s->sum[i]);
                else
                    masked_steps<0, NSETS>(chunk, k, s->scale[i], &s->y[i], &s->current[i],
                                           &s->previous[i], &s->sum[i]);
        } else {
            ARMILLA_UNROLLED
            for (int j = 0; j < STEPS; j += 2)
                add_two<NVEC, NFINE, NSETS>(chunk, k + j, NULL, s->y, s->current, s->previous,
                                            s->sum);
        }
    }
}

template <int NSETS, int MOST>
__device__ void run_group(const synthesis_chunk<NSETS> *chunk, int count, int which,
                          synthesis_state<NSETS, MOST> *s)
{
    ARMILLA_GROUP_CASE(run_chunk, 1, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 2, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 3, chunk, count, s)
    ARMILLA_GROUP_CASE(run_chunk, 4, chunk, count, s)
}

/* Entries that exist; others of the row are left alone. */
template <int NSETS, int MOST>
__device__ void write_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                          const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                          const armilla_kernel_group &group, const synthesis_state<NSETS, MOST> &s)
{
    const int64_t least = view.least_pair[task.m - view.mfirst];
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        if (i >= group.nvec) continue;
        const int64_t place = lane_place(group, i), offset = place - group.first;
        if (offset >= group.npairs || group.pair + offset < least) continue;
        const double *factor = view.inverse_sine ? view.inverse_sine + place : NULL;
        ARMILLA_UNROLLED
        for (int j = 0; j < NSETS; j++) {
            double entry[4];
            entry_of_sums(view.cos_theta[place], factor, s.sum[i] + 4 * j, entry);
            store_entry(leg_entry(part, block, task, set + j, group.pair + offset), entry);
        }
    }
}

template <int NSETS, typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, blocks_wanted<NSETS, SHAPE>())
    legendre_synthesis(const armilla_cuda_view view, const armilla_cuda_part part,
                       const armilla_cuda_leg_block block, int64_t first_set)
{
    enum { MOST = SHAPE::VECTORS };
    ARMILLA_SHARED(synthesis_chunk<NSETS>, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int which = find_case(group, task.alive);
    const int64_t set = first_set + NSETS * (int64_t)blockIdx.y;
    const int64_t start = view.table_start[task.m - view.mfirst];
    const int nsteps = (int)(((view.top - task.m) / 2 + STEPS) / STEPS * STEPS);
    synthesis_state<NSETS, MOST> s;
    start_state<MOST>(view, task.m, group, &s);
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int j = 0; j < 4 * NSETS; j++) s.sum[i][j] = 0;
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_scalar(view, task.m, task.form, start, first, count, &chunk->steps);
        stage_coefficients<NSETS>(part, set, start - part.step + first, count, chunk);
        __syncthreads();
        run_group<NSETS, MOST>(chunk, count, which, &s);
        __syncthreads();
    }
    if (task.alive) write_leg<NSETS, MOST>(view, part, block, task, set, group, s);
}

/* Sets first, first + 1, ..., in `times` lots of NSETS. */
template <int NSETS>
void launch(const armilla_cuda_view *view, const armilla_cuda_part *part,
            const armilla_cuda_leg_block *block, int64_t first, int64_t times,
            armilla_cuda_work *work)
{
    launch_shape(*block, times, work, [&](auto shape, dim3 blocks, unsigned threads) {
        typedef decltype(shape) S;
        ARMILLA_LAUNCH((legendre_synthesis<NSETS, S>), blocks, threads,
                       sizeof(synthesis_chunk<NSETS>), work->stream, *view, *part, *block, first);
    });
}

} // namespace

void armilla_cuda_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                            const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    launch<2>(view, part, block, 0, part->nsets / 2, work);
    launch<1>(view, part, block, part->nsets / 2 * 2, part->nsets % 2, work);
}
