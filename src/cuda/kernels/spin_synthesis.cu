/* Synthesis of a field of spin s by functions of that spin, docs/mathematics.md (3.10): the inner
 * loops of legendre/kernels/spin_synthesis.c, with blocks of threads as in legendre_synthesis.cu.
 * Per step and pair 4 FMA for the two recurrences and 8 for the sums of each of one or two
 * fields. */
#include "cuda/kernels/spin_device.h"

namespace
{

template <int NFIELDS> struct synthesis_chunk {
    spin_chunk<0> steps;
    double2 f[CHUNK][2 * NFIELDS]; /* of each field: a+ re, im; a- re, im */
};

template <int NFIELDS, int MOST> struct synthesis_state : spin_state {
    vec sum[MOST][8 * NFIELDS];
    int phase;
};

/* step: of the first field */
template <int NFIELDS>
__device__ void stage_coefficients(const armilla_cuda_part &part, int64_t field, int64_t step,
                                   int count, synthesis_chunk<NFIELDS> *chunk)
{
    const double2 *f = reinterpret_cast<const double2 *>(part.functions);
    FOR_THREADS(i, 2 * count)
    ARMILLA_UNROLLED
    for (int j = 0; j < NFIELDS; j++)
        chunk->f[i / 2][2 * j + i % 2] = f[2 * ((field + j) * part.function_steps + step) + i];
}

/* Two steps, an even one and an odd one. */
template <int NVEC, int FINE, int NFIELDS, int MOST>
__device__ __forceinline__ void add_two(const synthesis_chunk<NFIELDS> *chunk, int k,
                                        const int masked, synthesis_state<NFIELDS, MOST> *s)
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            vec d[2];
            values_of(s, i, j && !FINE, masked, d);
            ARMILLA_UNROLLED
            for (int field = 0; field < NFIELDS; field++) {
                const double2 plus = chunk->f[k + j][2 * field];
                const double2 minus = chunk->f[k + j][2 * field + 1];
                const vec a[4] = {plus.x, plus.y, minus.x, minus.y};
                spin_add_sums(a, d[0], d[1], s->sum[i] + 8 * field, j);
            }
        }
        double c[5];
        load_spin(&chunk->steps, k + j, c, FINE);
        spin_advance_all(c, 1, s, j && !FINE, NVEC, FINE);
    }
}

template <int NVEC, int FINE, int NFIELDS, int MOST>
__device__ __forceinline__ void run_chunk(const synthesis_chunk<NFIELDS> *chunk, int count,
                                          synthesis_state<NFIELDS, MOST> *s)
{
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += STEPS) {
        s->phase = find_phase<NVEC>(chunk->steps.ceiling[k / STEPS], s, s->phase);
        if (s->phase == 0) {
            run_steps<NVEC, FINE>(&chunk->steps, k, STEPS, s);
        } else if (s->phase == 1) {
            ARMILLA_ROLLED
            for (int j = 0; j < STEPS; j += 2) add_two<NVEC, FINE>(chunk, k + j, 1, s);
        } else if (NFIELDS > 1) { /* unrolled it would spill */
            ARMILLA_ROLLED
            for (int j = 0; j < STEPS; j += 2) add_two<NVEC, FINE>(chunk, k + j, 0, s);
        } else {
            ARMILLA_UNROLLED
            for (int j = 0; j < STEPS; j += 2) add_two<NVEC, FINE>(chunk, k + j, 0, s);
        }
    }
}

template <int NFIELDS, int MOST>
__device__ void run_group(const synthesis_chunk<NFIELDS> *chunk, int count, int which,
                          synthesis_state<NFIELDS, MOST> *s)
{
    ARMILLA_SPIN_CASE(run_chunk, 1, chunk, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 2, chunk, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 3, chunk, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 4, chunk, count, s)
}

/* Entries that exist. set: that of the first field's Q; U is the next one. */
template <int NFIELDS, int MOST>
__device__ void write_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                          const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                          const armilla_kernel_group &group,
                          const synthesis_state<NFIELDS, MOST> &s)
{
    const int64_t least = view.least_pair[task.m - view.mfirst];
    const double mirror = mirror_of(view, task.m);
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        if (i >= group.nvec) continue;
        const int64_t offset = lane_place(group, i) - group.first;
        if (offset >= group.npairs || group.pair + offset < least) continue;
        ARMILLA_UNROLLED
        for (int j = 0; j < NFIELDS; j++) {
            double q[4], u[4];
            spin_entries_of_sums(mirror, view.twist, s.sum[i] + 8 * j, q, u);
            store_entry(block, leg_entry(part, block, task, set + 2 * j, group.pair + offset), q);
            store_entry(block, leg_entry(part, block, task, set + 2 * j + 1, group.pair + offset),
                        u);
        }
    }
}

template <int NFIELDS, typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, blocks_wanted<NFIELDS, SHAPE>())
    spin_synthesis(const armilla_cuda_view view, const armilla_cuda_part part,
                   const armilla_cuda_leg_block block, int64_t first_field)
{
    enum { MOST = SHAPE::VECTORS };
    ARMILLA_SHARED(synthesis_chunk<NFIELDS>, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int nsteps = count_spin_steps(view, task.m);
    const int64_t step = view.function_start[task.m - view.mfirst] - part.function_step;
    const int64_t field = first_field + NFIELDS * (int64_t)blockIdx.y;
    synthesis_state<NFIELDS, MOST> s;
    const int which = find_spin_case(group, task.alive);
    start_state<MOST, 0>(view, task.m, group, &s);
    s.phase = 0;
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int j = 0; j < 8 * NFIELDS; j++) s.sum[i][j] = 0;
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_spin(view, task.m, task.form, first, count, &chunk->steps);
        stage_coefficients(part, field, step + first, count, chunk);
        __syncthreads();
        run_group(chunk, count, which, &s);
        __syncthreads();
    }
    if (task.alive) write_leg(view, part, block, task, 2 * field, group, s);
}

/* Fields first, first + 1, ..., in `times` lots of NFIELDS. */
template <int NFIELDS>
void launch(const armilla_cuda_view *view, const armilla_cuda_part *part,
            const armilla_cuda_leg_block *block, int64_t first, int64_t times,
            armilla_cuda_work *work)
{
    launch_shape(*block, times, work, [&](auto shape, dim3 blocks, unsigned threads, int64_t lot) {
        typedef decltype(shape) S;
        return ARMILLA_LAUNCH((spin_synthesis<NFIELDS, S>), blocks, threads,
                              sizeof(synthesis_chunk<NFIELDS>), work->stream, *view, *part, *block,
                              first + NFIELDS * lot);
    });
}

} // namespace

void armilla_cuda_spin_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                 const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    const int64_t fields = part->nsets / 2;
    launch<2>(view, part, block, 0, fields / 2, work);
    launch<1>(view, part, block, fields / 2 * 2, fields % 2, work);
}
