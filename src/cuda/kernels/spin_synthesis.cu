/* Synthesis of a field of spin s by functions of that spin, docs/mathematics.md (3.10): the inner
 * loops of legendre/kernels/spin_synthesis.c, with blocks of threads as in legendre_synthesis.cu.
 * Per step and pair 4 FMA for the two recurrences and 8 for the sums. */
#include "cuda/kernels/spin_device.h"

namespace
{

struct synthesis_chunk {
    spin_chunk steps;
    double2 f[CHUNK][2]; /* a+ re, im; a- re, im */
};

template <int MOST> struct synthesis_state : spin_state {
    vec sum[MOST][8];
    int phase;
};

/* Two steps, an even one and an odd one. */
template <int NVEC, int FINE, int MOST>
__device__ __forceinline__ void add_two(const synthesis_chunk *chunk, int k, const int masked,
                                        synthesis_state<MOST> *s)
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        const double2 plus = chunk->f[k + j][0], minus = chunk->f[k + j][1];
        const vec a[4] = {plus.x, plus.y, minus.x, minus.y};
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            vec d[2];
            values_of(s, i, j && !FINE, masked, d);
            spin_add_sums(a, d[0], d[1], s->sum[i], j);
        }
        double c[5];
        load_spin(&chunk->steps, k + j, c, FINE);
        spin_advance_all(c, 1, s, j && !FINE, NVEC, FINE);
    }
}

template <int NVEC, int FINE, int MOST>
__device__ __forceinline__ void run_chunk(const synthesis_chunk *chunk, int count,
                                          synthesis_state<MOST> *s)
{
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += STEPS) {
        s->phase = find_phase<NVEC>(chunk->steps.ceiling[k / STEPS], s, s->phase);
        if (s->phase == 0) {
            run_steps<NVEC, FINE>(&chunk->steps, k, STEPS, s);
        } else if (s->phase == 1) {
            ARMILLA_ROLLED
            for (int j = 0; j < STEPS; j += 2) add_two<NVEC, FINE>(chunk, k + j, 1, s);
        } else {
            ARMILLA_UNROLLED
            for (int j = 0; j < STEPS; j += 2) add_two<NVEC, FINE>(chunk, k + j, 0, s);
        }
    }
}

template <int MOST>
__device__ void run_group(const synthesis_chunk *chunk, int count,
                          const armilla_kernel_group &group, synthesis_state<MOST> *s)
{
    ARMILLA_SPIN_CASE(run_chunk, 1, chunk, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 2, chunk, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 3, chunk, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 4, chunk, count, s)
}

/* Entries that exist. set: that of Q; U is the next one. */
template <int MOST>
__device__ void write_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                          const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                          const armilla_kernel_group &group, const synthesis_state<MOST> &s)
{
    const int64_t least = view.least_pair[task.m - view.mfirst];
    const double mirror = mirror_of(view, task.m);
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        if (i >= group.nvec) continue;
        const int64_t offset = lane_place(group, i) - group.first;
        if (offset >= group.npairs || group.pair + offset < least) continue;
        double q[4], u[4];
        spin_entries_of_sums(mirror, view.twist, s.sum[i], q, u);
        store_entry(leg_entry(part, block, task, set, group.pair + offset), q);
        store_entry(leg_entry(part, block, task, set + 1, group.pair + offset), u);
    }
}

template <typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, blocks_wanted<SHAPE>())
    spin_synthesis(const armilla_cuda_view view, const armilla_cuda_part part,
                   const armilla_cuda_leg_block block)
{
    enum { MOST = SHAPE::VECTORS };
    ARMILLA_SHARED(synthesis_chunk, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int nsteps = count_spin_steps(view, task.m);
    const int64_t step = view.function_start[task.m - view.mfirst] - part.function_step;
    const double2 *f = reinterpret_cast<const double2 *>(part.functions) +
                       2 * ((int64_t)blockIdx.y * part.function_steps + step);
    synthesis_state<MOST> s;
    start_state<MOST>(view, task.m, group, &s);
    s.phase = 0;
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) ARMILLA_UNROLLED
    for (int j = 0; j < 8; j++) s.sum[i][j] = 0;
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_spin(view, task.m, task.form, first, count, &chunk->steps);
        FOR_THREADS(i, 2 * count) chunk->f[i / 2][i % 2] = f[2 * first + i];
        __syncthreads();
        if (task.alive) run_group<MOST>(chunk, count, group, &s);
        __syncthreads();
    }
    if (task.alive) write_leg<MOST>(view, part, block, task, 2 * (int64_t)blockIdx.y, group, s);
}

} // namespace

void armilla_cuda_spin_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                 const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    launch_shape(*block, part->nsets / 2, work, [&](auto shape, dim3 blocks, unsigned threads) {
        typedef decltype(shape) S;
        ARMILLA_LAUNCH((spin_synthesis<S>), blocks, threads, sizeof(synthesis_chunk), work->stream,
                       *view, *part, *block);
    });
}
