/* Analysis of a field of spin s by functions of that spin, docs/mathematics.md (3.11), the
 * transpose of spin_synthesis.cu; sums as in legendre_analysis.cu. */
#include "cuda/kernels/legendre_sums.h"
#include "cuda/kernels/spin_device.h"

namespace
{

template <int WARPS> struct analysis_chunk {
    spin_chunk steps;
    chunk_sums<double, 1, WARPS> sums;
};

template <int MOST> struct analysis_state : spin_state {
    vec value[MOST][8];
    int phase;
};

/* Two steps, an even one and an odd one: adds to 8 numbers. */
template <int NVEC, int FINE, int MOST>
__device__ __forceinline__ void add_two(const spin_chunk *chunk, int k, const int masked,
                                        analysis_state<MOST> *s, vec *number)
{
    ARMILLA_UNROLLED
    for (int j = 0; j < 2; j++) {
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) {
            vec d[2];
            values_of(s, i, j && !FINE, masked, d);
            spin_add_values(d[0], d[1], s->value[i], number + 4 * j, j);
        }
        double c[5];
        load_spin(chunk, k + j, c, FINE);
        spin_advance_all(c, 1, s, j && !FINE, NVEC, FINE);
    }
}

template <int NVEC, int FINE, int WARPS, int MOST>
__device__ __forceinline__ void run_chunk(analysis_chunk<WARPS> *chunk, int first, int count,
                                          analysis_state<MOST> *s)
{
    enum { TOGETHER = SUMS / 4 };
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += TOGETHER) {
        if (k % STEPS == 0) {
            const int before = s->phase;
            s->phase = find_phase<NVEC>(chunk->steps.ceiling[k / STEPS], s, before);
            if (before == 0 && s->phase > 0 && threadIdx.x % WARP == 0)
                chunk->sums.started[threadIdx.x / WARP] = first + k;
        }
        if (s->phase == 0) {
            run_steps<NVEC, FINE>(&chunk->steps, k, TOGETHER, s);
            continue;
        }
        vec number[SUMS];
        ARMILLA_UNROLLED
        for (int j = 0; j < SUMS; j++) number[j] = 0;
        if (s->phase == 1) {
            ARMILLA_UNROLLED
            for (int j = 0; j < TOGETHER; j += 2)
                add_two<NVEC, FINE>(&chunk->steps, k + j, 1, s, number + 4 * j);
        } else {
            ARMILLA_UNROLLED
            for (int j = 0; j < TOGETHER; j += 2)
                add_two<NVEC, FINE>(&chunk->steps, k + j, 0, s, number + 4 * j);
        }
        store_sums(number, 4 * k, &chunk->sums);
    }
}

template <int WARPS, int MOST>
__device__ void run_group(analysis_chunk<WARPS> *chunk, int first, int count,
                          const armilla_kernel_group &group, analysis_state<MOST> *s)
{
    ARMILLA_SPIN_CASE(run_chunk, 1, chunk, first, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 2, chunk, first, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 3, chunk, first, count, s)
    ARMILLA_SPIN_CASE(run_chunk, 4, chunk, first, count, s)
}

/* Lanes without an entry are 0. set: that of Q; U is the next one. */
template <int MOST>
__device__ void read_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                         const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                         const armilla_kernel_group &group, analysis_state<MOST> *s)
{
    const int64_t least = view.least_pair[task.m - view.mfirst];
    const double mirror = mirror_of(view, task.m);
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        const int64_t offset = lane_place(group, i < group.nvec ? i : 0) - group.first;
        const int exists = i < group.nvec && offset < group.npairs && group.pair + offset >= least;
        double q[4], u[4];
        load_entry(leg_entry(part, block, task, set, group.pair + offset), exists, q);
        load_entry(leg_entry(part, block, task, set + 1, group.pair + offset), exists, u);
        spin_values_of_entries(mirror, view.twist, q, u, s->value[i]);
    }
}

/* Where the sums of a task's steps go. */
__device__ __forceinline__ double *sums_of(const armilla_cuda_view &view,
                                           const armilla_cuda_part &part,
                                           const armilla_cuda_leg_block &block,
                                           const block_task &task)
{
    const int64_t tile = block.tile + task.tile - part.tile;
    const int64_t row = tile * (part.nsets / 2) + blockIdx.y;
    const int64_t start = view.function_start[task.m - view.mfirst] - part.function_step;
    return part.functions + 4 * (row * part.function_steps + start);
}

template <typename SHAPE>
__global__ void __launch_bounds__(SHAPE::THREADS, blocks_wanted<SHAPE>())
    spin_analysis(const armilla_cuda_view view, const armilla_cuda_part part,
                  const armilla_cuda_leg_block block)
{
    enum { MOST = SHAPE::VECTORS };
    ARMILLA_SHARED(analysis_chunk<SHAPE::WARPS>, chunk);
    const block_task task = find_task(view, part, block);
    const int nsteps = count_spin_steps(view, task.m);
    if (nsteps == 0 || !tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    analysis_state<MOST> s;
    start_state<MOST>(view, task.m, group, &s);
    s.phase = 0;
    if (task.alive) read_leg<MOST>(view, part, block, task, 2 * (int64_t)blockIdx.y, group, &s);
    clear_started(&chunk->sums);
    for (int first = 0; first < nsteps; first += CHUNK) {
        const int count = min((int)CHUNK, nsteps - first);
        stage_spin(view, task.m, task.form, first, count, &chunk->steps);
        __syncthreads();
        if (task.alive) run_group<SHAPE::WARPS, MOST>(chunk, first, count, group, &s);
        __syncthreads();
        add_warps(&chunk->sums, first, count, sums_of(view, part, block, task), 0);
    }
    if (blockIdx.y == 0 && threadIdx.x == 0)
        part.first[(block.tile + task.tile - part.tile) * part.norders + task.order] =
            first_started(&chunk->sums);
}

} // namespace

void armilla_cuda_spin_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    launch_shape(*block, part->nsets / 2, work, [&](auto shape, dim3 blocks, unsigned threads) {
        typedef decltype(shape) S;
        ARMILLA_LAUNCH((spin_analysis<S>), blocks, threads, sizeof(analysis_chunk<S::WARPS>),
                       work->stream, *view, *part, *block);
    });
}
