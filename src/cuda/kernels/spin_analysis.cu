/* Analysis of a field of spin s by functions of that spin, docs/mathematics.md (3.11), the
 * transpose of spin_synthesis.cu; sums as in legendre_analysis.cu. */
#include "cuda/kernels/spin_device.h"

namespace
{

template <int NFIELDS, int WARPS> struct analysis_chunk {
    spin_chunk<4 * NFIELDS> steps;
    chunk_sums<double, NFIELDS, WARPS> sums;
};

template <int NFIELDS, int MOST> struct analysis_state : spin_state {
    vec value[MOST][8 * NFIELDS];
    int phase;
};

/* The values of a pair, in a sequence in which spin_add_values makes the four sums of a step in the
 * lane's sequence. With a- before a+ that is d- before d+, N- and S+ before N+ and S-. */
__device__ __forceinline__ void take_spin_sequence(double value[8], int sequence)
{
    double of_sums[2][4];
    ARMILLA_UNROLLED
    for (int i = 0; i < 8; i++) of_sums[i / 2 % 2][i / 4 * 2 + i % 2] = value[i];
    take_sequence(of_sums[0], sequence), take_sequence(of_sums[1], sequence);
    ARMILLA_UNROLLED
    for (int i = 0; i < 8; i++) value[i] = of_sums[i / 2 % 2][i / 4 * 2 + i % 2];
}

/* Two steps, an even one and an odd one: adds to 8 NFIELDS numbers. */
template <int NVEC, int FINE, int NFIELDS, int MOST>
__device__ __forceinline__ void add_two(const spin_chunk<4 * NFIELDS> *chunk, int k,
                                        const int masked, analysis_state<NFIELDS, MOST> *s,
                                        vec *number)
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            vec d[2];
            values_of(s, i, j && !FINE, masked, d);
            ARMILLA_UNROLLED
            for (int field = 0; field < NFIELDS; field++)
                spin_add_values(d[0], d[1], s->value[i] + 8 * field,
                                number + 4 * (NFIELDS * j + field), j);
        }
        double c[5];
        load_spin(chunk, k + j, c, FINE);
        spin_advance_all(c, 1, s, j && !FINE, NVEC, FINE);
    }
}

/* A block of steps, as many at once as make SUMS numbers. MASKED: some pairs do not matter. */
template <int NVEC, int FINE, int MASKED, int NFIELDS, int WARPS, int MOST>
__device__ __forceinline__ void add_block(analysis_chunk<NFIELDS, WARPS> *chunk, int k,
                                          analysis_state<NFIELDS, MOST> *s)
{
    enum { TOGETHER = SUMS / (4 * NFIELDS) };
    ARMILLA_ROLLED
    for (const int end = k + STEPS; k < end; k += TOGETHER) {
        vec number[SUMS];
        ARMILLA_UNROLLED
        for (int j = 0; j < SUMS; j++) number[j] = 0;
        ARMILLA_UNROLLED
        for (int j = 0; j < TOGETHER; j += 2)
            add_two<NVEC, FINE>(&chunk->steps, k + j, MASKED, s, number + 4 * NFIELDS * j);
        store_sums(number, 4 * NFIELDS * k, &chunk->sums);
    }
}

template <int NVEC, int FINE, int NFIELDS, int WARPS, int MOST>
__device__ __forceinline__ void run_chunk(analysis_chunk<NFIELDS, WARPS> *chunk, int first,
                                          int count, analysis_state<NFIELDS, MOST> *s)
{
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += STEPS) {
        const int before = s->phase;
        s->phase = find_phase<NVEC>(chunk->steps.ceiling[k / STEPS], s, before);
        if (s->phase == 0) {
            run_steps<NVEC, FINE>(&chunk->steps, k, STEPS, s);
            continue;
        }
        if (before == 0 && threadIdx.x % WARP == 0)
            chunk->sums.started[threadIdx.x / WARP] = first + k;
        if (s->phase == 1)
            add_block<NVEC, FINE, 1>(chunk, k, s);
        else
            add_block<NVEC, FINE, 0>(chunk, k, s);
    }
}

template <int NFIELDS, int WARPS, int MOST>
__device__ void run_group(analysis_chunk<NFIELDS, WARPS> *chunk, int first, int count, int which,
                          analysis_state<NFIELDS, MOST> *s)
{
    ARMILLA_SPIN_CASE(run_chunk, 1, chunk, first, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 2, chunk, first, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 3, chunk, first, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 4, chunk, first, count, s)
}

/* Lanes without an entry are 0. set: that of the first field's Q; U is the next one. */
template <int NFIELDS, int MOST>
__device__ void read_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                         const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                         const armilla_kernel_group &group, analysis_state<NFIELDS, MOST> *s)
{
    const int64_t least = view.least_pair[task.m - view.mfirst];
    const double mirror = mirror_of(view, task.m);
    const int sequence = lane_sequence<4 * NFIELDS>();
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        const int64_t offset = lane_place(group, i < group.nvec ? i : 0) - group.first;
        const int exists = i < group.nvec && offset < group.npairs && group.pair + offset >= least;
        ARMILLA_UNROLLED
        for (int j = 0; j < NFIELDS; j++) {
            const int64_t of_q = set + 2 * (j ^ sequence / 4);
            double q[4], u[4];
            load_entry(block, leg_entry(part, block, task, of_q, group.pair + offset), exists, q);
            load_entry(block, leg_entry(part, block, task, of_q + 1, group.pair + offset), exists,
                       u);
            spin_values_of_entries(mirror, view.twist, q, u, s->value[i] + 8 * j);
            take_spin_sequence(s->value[i] + 8 * j, sequence);
        }
    }
}

/* Where the sums of a task's steps go. */
__device__ __forceinline__ double *sums_of(const armilla_cuda_view &view,
                                           const armilla_cuda_part &part,
                                           const armilla_cuda_leg_block &block,
                                           const block_task &task, int64_t field)
{
    const int64_t tile = block.tile + task.tile - part.tile;
    const int64_t row = tile * (part.nsets / 2) + field;
    const int64_t start = view.function_start[task.m - view.mfirst] - part.function_step;
    return part.functions + 4 * (row * part.function_steps + start);
}

template <int NFIELDS, typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, blocks_wanted<NFIELDS, SHAPE>())
    spin_analysis(const armilla_cuda_view view, const armilla_cuda_part part,
                  const armilla_cuda_leg_block block, int64_t first_field)
{
    enum { MOST = SHAPE::VECTORS };
    typedef analysis_chunk<NFIELDS, SHAPE::WARPS> whole_chunk;
    ARMILLA_SHARED(whole_chunk, chunk);
    const block_task task = find_task(view, part, block);
    const int nsteps = count_spin_steps(view, task.m);
    if (nsteps == 0 || !tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int64_t field = first_field + NFIELDS * (int64_t)blockIdx.y;
    analysis_state<NFIELDS, MOST> s;
    const int which = find_spin_case(group, task.alive);
    const unit_one unit[NFIELDS] = {};
    start_state<MOST, 4 * NFIELDS>(view, task.m, group, &s);
    s.phase = 0;
    if (task.alive) read_leg(view, part, block, task, 2 * field, group, &s);
    clear_started(&chunk->sums);
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_spin(view, task.m, task.form, first, count, &chunk->steps);
        __syncthreads();
        run_group(chunk, first, count, which, &s);
        __syncthreads();
        add_warps(&chunk->sums, first, count, sums_of(view, part, block, task, field),
                  4 * part.function_steps, unit);
    }
    if (field == 0 && threadIdx.x == 0)
        part.first[(block.tile + task.tile - part.tile) * part.norders + task.order] =
            first_started(&chunk->sums);
}

/* Fields first, first + 1, ..., in `times` lots of NFIELDS. */
template <int NFIELDS>
void launch(const armilla_cuda_view *view, const armilla_cuda_part *part,
            const armilla_cuda_leg_block *block, int64_t first, int64_t times,
            armilla_cuda_work *work)
{
    launch_shape(*block, times, work, [&](auto shape, dim3 blocks, unsigned threads, int64_t lot) {
        typedef decltype(shape) S;
        return ARMILLA_LAUNCH((spin_analysis<NFIELDS, S>), blocks, threads,
                              sizeof(analysis_chunk<NFIELDS, S::WARPS>), work->stream, *view, *part,
                              *block, first + NFIELDS * lot);
    });
}

} // namespace

void armilla_cuda_spin_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    const int64_t fields = part->nsets / 2;
    launch<2>(view, part, block, 0, fields / 2, work);
    launch<1>(view, part, block, fields / 2 * 2, fields % 2, work);
}
