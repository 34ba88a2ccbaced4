/* Legendre analysis of up to 16 sets at once, whose sums are products of halves by tensor cores:
 * legendre_analysis.cu with blocks of threads of one vector a warp. The leg of a block's pairs
 * stays in registers, as left factors; each warp has 16 of the 64 numbers and half of the pairs,
 * and adds up over them what all warps make of values. See halves.h. */
#include "cuda/kernels/halves.h"

namespace
{

enum {
    PAIRS = HALVES_THREADS,                  /* of a block */
    SHARES = HALVES_WARPS / HALVES_FACTORS,  /* parts of the pairs, each some warps' */
    SHARE_WARPS = HALVES_WARPS / SHARES,     /* whose pairs are a share */
    FACTORS = PAIRS / SHARES / HALVES_BLOCK, /* of the leg, of a warp */
    SPACE = PAIRS + 8                        /* of a row of leg: rows begin in other banks */
};

/* Sums of a block of steps, of each share. */
struct step_sums {
    enum { ROW = HALVES_BLOCK + 8 }; /* the same */
    float number[SHARES][4 * HALVES_SETS][ROW];
};

/* The leg of a left factor's rows on its way to registers takes the room of values. */
struct leg_rows {
    unsigned two[2][HALVES_ROWS][SPACE / 2]; /* high and low, of neighbouring pairs */
};

struct analysis_chunk {
    halves_steps steps;
    union {
        halves_values values;
        leg_rows leg;
    };
    step_sums sums;
};

/* factor[i]: high, low; of the pairs 16 i, 16 i + 1, ... of the warp's share. */
struct analysis_state : scalar_state<in_double, 1> {
    unsigned factor[FACTORS][2][4];
};

/* --- Leg to factors --------------------------------------------------------------------------- */

/* The numbers of a lane's pair, and the exponents of the sets over all pairs of the block. */
__device__ void read_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                         const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                         int nsets, float (&number)[HALVES_SETS][4], halves_steps *steps)
{
    const armilla_kernel_group group = view.groups[task.group];
    ARMILLA_UNROLLED
    for (int j = 0; j < HALVES_SETS; j++) {
        double value[4] = {0, 0, 0, 0};
        if (task.alive && j < nsets) read_entry(view, part, block, task, set + j, group, 0, value);
        int size = 0;
        ARMILLA_UNROLLED
        for (int i = 0; i < 4; i++)
            number[j][i] = (float)value[i], size = max(size, size_of((double)number[j][i]));
        size = largest_of_warp(size);
        if (threadIdx.x % WARP == 0) steps->of_warps[threadIdx.x / WARP][j] = size;
    }
    __syncthreads();
    FOR_THREADS(j, HALVES_SETS)
    {
        int size = 0;
        for (int warp = 0; warp < HALVES_WARPS; warp++) size = max(size, steps->of_warps[warp][j]);
        steps->exponent[j] = exponent_of_size(size);
    }
    __syncthreads();
}

/* The rows of a left factor: of a set two numbers, which two lanes deal between them, so that each
 * writes a row's word of both pairs. */
__device__ __forceinline__ void put_leg(const float (&number)[HALVES_SETS][4], const int factor,
                                        const halves_steps *steps, leg_rows *to)
{
    const int parity = factor / (HALVES_FACTORS / 2), odd = threadIdx.x % 2;
    ARMILLA_UNROLLED
    for (int j = 0; j < HALVES_ROWS / 2; j++) {
        const int set = HALVES_ROWS / 2 * (factor % (HALVES_FACTORS / 2)) + j;
        const float re = in_units(number[set][2 * parity], steps->exponent[set]),
                    im = in_units(number[set][2 * parity + 1], steps->exponent[set]);
        const float got = shuffle_xor(odd ? re : im, 1);
        const two_parts both = odd ? split(got, im) : split(re, got);
        to->two[0][2 * j + odd][threadIdx.x / 2] = both.high;
        to->two[1][2 * j + odd][threadIdx.x / 2] = both.low;
    }
}

__device__ void make_factors(const float (&number)[HALVES_SETS][4], analysis_chunk *chunk,
                             analysis_state *s)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    ARMILLA_UNROLLED
    for (int factor = 0; factor < HALVES_FACTORS; factor++) {
        put_leg(number, factor, &chunk->steps, &chunk->leg);
        __syncthreads();
        ARMILLA_UNROLLED
        for (int i = 0; i < 2 * FACTORS && warp % HALVES_FACTORS == factor; i++) {
            const int pair =
                PAIRS / SHARES * (warp / HALVES_FACTORS) + HALVES_BLOCK * (i / 2) + 8 * (lane / 16);
            ARMILLA_LOAD_ROWS(&chunk->leg.two[i % 2][lane % 16][pair / 2], s->factor[i / 2][i % 2]);
        }
        __syncthreads();
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Sixteen pairs, two blocks of eight steps. */
__device__ __forceinline__ void add_pairs(const halves_values *values, const int parity, int pair,
                                          const unsigned (*factor)[4], float (*sum)[4])
{
    const int lane = threadIdx.x % WARP;
    unsigned part[2][4];
    ARMILLA_UNROLLED
    for (int i = 0; i < 2; i++)
        ARMILLA_LOAD_COLUMNS(&values->row[parity][i][lane / 16][pair + lane % 16], part[i]);
    ARMILLA_UNROLLED
    for (int n = 0; n < 2; n++) add_parts(factor, part[0] + 2 * n, part[1] + 2 * n, sum[n]);
}

/* The sums of the warp's numbers over its share of the pairs. */
__device__ __forceinline__ void add_share(const analysis_chunk *chunk, const analysis_state &s,
                                          step_sums *to)
{
    const int warp = threadIdx.x / WARP, q = threadIdx.x % WARP / 4, r = threadIdx.x % 4;
    const int share = warp / HALVES_FACTORS, factor = warp % HALVES_FACTORS;
    float sum[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    ARMILLA_UNROLLED
    for (int i = 0; i < FACTORS; i++) {
        const int of_warp = SHARE_WARPS * share + i / (WARP / HALVES_BLOCK);
        if (!chunk->steps.matters[of_warp]) continue;
        add_pairs(&chunk->values, factor / (HALVES_FACTORS / 2),
                  PAIRS / SHARES * share + HALVES_BLOCK * i, s.factor[i], sum);
    }
    ARMILLA_UNROLLED
    for (int n = 0; n < 2; n++) ARMILLA_UNROLLED
    for (int half = 0; half < 2; half++) {
        float *place = &to->number[share][HALVES_ROWS * factor + 8 * half + q][8 * n + 2 * r];
        *reinterpret_cast<float2 *>(place) = make_float2(sum[n][2 * half], sum[n][2 * half + 1]);
    }
}

/* Sums of all shares to `out`: step 0 of the order, of the first set. */
__device__ __forceinline__ void write_sums(const armilla_cuda_view &view,
                                           const armilla_cuda_part &part,
                                           const analysis_chunk *chunk, int nsets, int first,
                                           int nsteps, float4 *out)
{
    const double scale[2] = {power_of_two(-exponent_of_values(view, 0)),
                             power_of_two(-exponent_of_values(view, 1))};
    FOR_THREADS(i, HALVES_SETS * HALVES_BLOCK)
    {
        const int step = i % HALVES_BLOCK, set = i / HALVES_BLOCK;
        if (set >= nsets || first + step >= nsteps) continue;
        const unit_power unit = {chunk->steps.exponent[set]};
        float sum[4];
        ARMILLA_UNROLLED
        for (int j = 0; j < 4; j++) {
            const int row = HALVES_ROWS * (HALVES_FACTORS / 2 * (j / 2) + set / 8) + 2 * (set % 8);
            float all = 0;
            ARMILLA_UNROLLED
            for (int k = 0; k < SHARES; k++) all += chunk->sums.number[k][row + j % 2][step];
            sum[j] = (float)unit.multiply(scale[j / 2] * (double)all);
        }
        out[set * part.nsteps + first + step] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    }
}

/* Returned: whether any pair of the block mattered. */
__device__ __forceinline__ int add_block(analysis_chunk *chunk, int k, int count, int alive,
                                         analysis_state *s)
{
    const int warp = threadIdx.x / WARP;
    const int mine = alive ? put_block(&chunk->steps, k, count, s, &chunk->values) : 0;
    if (threadIdx.x % WARP == 0) chunk->steps.matters[warp] = mine;
    __syncthreads();
    int any = 0;
    for (int i = 0; i < HALVES_WARPS; i++) any |= chunk->steps.matters[i];
    if (any) add_share(chunk, *s, &chunk->sums);
    __syncthreads();
    return any;
}

__global__ void __launch_bounds__(HALVES_THREADS, 2)
    halves_analysis(const armilla_cuda_view view, const armilla_cuda_part part,
                    const armilla_cuda_leg_block block, int64_t first_lot)
{
#if ARMILLA_TENSOR_CORES
    ARMILLA_SHARED(analysis_chunk, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int alive = of_first_lane(task.alive);
    const int64_t set = (first_lot + blockIdx.y) * HALVES_SETS;
    const int nsets = count_sets(part, set);
    const int64_t start = view.table_start[task.m - view.mfirst];
    const int64_t tile = block.tile + task.tile - part.halves_tile;
    const int nsteps = count_scalar_steps(view, task.m);
    float4 *out = reinterpret_cast<float4 *>(part.degrees) +
                  (tile * part.nsets + set) * part.nsteps + start - part.step;
    int started = nsteps;
    analysis_state s;
    float number[HALVES_SETS][4];
    read_leg(view, part, block, task, set, nsets, number, &chunk->steps);
    make_factors(number, chunk, &s);
    start_state<in_double, 1>(view, task.m, group, &s);
    for (int first = 0; first < nsteps; first += HALVES_CHUNK) {
        const int count = min((int)HALVES_CHUNK, nsteps - first);
        stage_steps(view, task, start, first, count, &chunk->steps);
        __syncthreads();
        ARMILLA_ROLLED
        for (int k = 0; k < count; k += HALVES_BLOCK) {
            if (!add_block(chunk, k, count, alive, &s)) continue;
            started = min(started, first + k);
            write_sums(view, part, chunk, nsets, first + k, nsteps, out);
        }
    }
    if (set == 0 && threadIdx.x == 0) part.halves_first[tile * part.norders + task.order] = started;
#else
    __trap();
#endif
}

} // namespace

cudaError_t armilla_cuda_halves_analysis_target(int *target)
{
    return find_target(halves_analysis, target);
}

void armilla_cuda_halves_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                  const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    launch_halves(*part, *block, work, [&](dim3 blocks, int64_t lot) {
        return ARMILLA_LAUNCH(halves_analysis, blocks, HALVES_THREADS, sizeof(analysis_chunk),
                              work->stream, *view, *part, *block, lot);
    });
}
