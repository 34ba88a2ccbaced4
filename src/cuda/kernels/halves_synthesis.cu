/* Legendre synthesis of up to 16 sets at once, whose sums are products of halves by tensor cores:
 * legendre_synthesis.cu with blocks of threads of one vector a warp. See halves.h. */
#include "cuda/kernels/halves.h"

namespace
{

/* Coefficients: rows of eight steps of a number, high and low, for each block of steps. */
struct coefficient_rows {
    uint4 row[HALVES_CHUNK / HALVES_BLOCK][HALVES_FACTORS][2][HALVES_BLOCK / STEPS][HALVES_ROWS];
};

struct synthesis_chunk {
    halves_steps steps;
    halves_values values;
    coefficient_rows coefficients;
};

/* sum[f][n]: of left factor f and the pairs 8 n, 8 n + 1, ... of the warp, as a product has it. */
struct synthesis_state : scalar_state<in_double, 1> {
    float sum[HALVES_FACTORS][WARP / 8][4];
};

/* A warp finds the exponents of some sets. Sets that are not there have none. */
__device__ void find_exponents(const armilla_cuda_part &part, int64_t set, int nsets, int64_t first,
                               int nsteps, int *exponent)
{
    for (int j = threadIdx.x / WARP; j < nsets; j += HALVES_WARPS) {
        const float *from = part.degrees + 4 * ((set + j) * part.nsteps + first);
        int size = 0;
        for (int i = threadIdx.x % WARP; i < 4 * nsteps; i += WARP)
            size = max(size, size_of((double)from[i]));
        size = largest_of_warp(size);
        if (threadIdx.x % WARP == 0) exponent[j] = exponent_of_size(size);
    }
}

/* Steps k and k + 1 of the chunk, of a set; zeros for a step behind the last one. */
__device__ __forceinline__ void put_coefficients_of_two(const float4 *from, int k, int exists,
                                                        int set, int exponent, coefficient_rows *to)
{
    const float4 none = make_float4(0, 0, 0, 0);
    const float4 a = exists ? from[0] : none, b = exists > 1 ? from[1] : none;
    const float number[4][2] = {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}, {a.w, b.w}};
    ARMILLA_UNROLLED
    for (int i = 0; i < 4; i++) {
        const two_parts both =
            split(in_units(number[i][0], exponent), in_units(number[i][1], exponent));
        const int factor = 2 * (i / 2) + set / 8, row = 2 * (set % 8) + i % 2;
        ARMILLA_UNROLLED
        for (int part = 0; part < 2; part++) {
            uint4 *place =
                &to->row[k / HALVES_BLOCK][factor][part][k / STEPS % (HALVES_BLOCK / STEPS)][row];
            reinterpret_cast<unsigned *>(place)[k % STEPS / 2] = part ? both.low : both.high;
        }
    }
}

__device__ void stage_coefficients(const armilla_cuda_part &part, int64_t set, int nsets,
                                   int64_t step, int count, synthesis_chunk *chunk)
{
    enum { TWOS = HALVES_CHUNK / 2 };
    const float4 *degrees = reinterpret_cast<const float4 *>(part.degrees);
    FOR_THREADS(i, HALVES_SETS * TWOS)
    {
        const int of = i / TWOS, k = 2 * (i % TWOS), exists = of < nsets ? count - k : 0;
        put_coefficients_of_two(degrees + (set + of) * part.nsteps + step + k, k,
                                exists < 0 ? 0 : exists, of,
                                of < nsets ? chunk->steps.exponent[of] : 0, &chunk->coefficients);
    }
}

/* The warp's values of a block of steps, of one parity, as right factors: of eight pairs each. */
__device__ __forceinline__ void load_values(const halves_values *values, const int parity,
                                            const int part, unsigned (*to)[2])
{
    const int lane = threadIdx.x % WARP, first = threadIdx.x - lane;
    ARMILLA_UNROLLED
    for (int n = 0; n < WARP / 8; n += 2) {
        const int pair = 8 * (n + lane / 16) + lane % 8;
        unsigned of[4];
        ARMILLA_LOAD_ROWS(&values->row[parity][part][lane / 8 % 2][first + pair], of);
        to[n][0] = of[0], to[n][1] = of[1], to[n + 1][0] = of[2], to[n + 1][1] = of[3];
    }
}

__device__ __forceinline__ void add_products(const synthesis_chunk *chunk, int k,
                                             synthesis_state *s)
{
    const int lane = threadIdx.x % WARP;
    ARMILLA_UNROLLED
    for (int parity = 0; parity < 2; parity++) {
        unsigned high[WARP / 8][2], low[WARP / 8][2];
        load_values(&chunk->values, parity, 0, high);
        load_values(&chunk->values, parity, 1, low);
        ARMILLA_UNROLLED
        for (int i = 0; i < HALVES_FACTORS / 2; i++) {
            const int f = HALVES_FACTORS / 2 * parity + i;
            unsigned factor[2][4];
            ARMILLA_UNROLLED
            for (int part = 0; part < 2; part++)
                ARMILLA_LOAD_ROWS(
                    &chunk->coefficients.row[k / HALVES_BLOCK][f][part][lane / 16][lane % 16],
                    factor[part]);
            ARMILLA_UNROLLED
            for (int n = 0; n < WARP / 8; n++) add_parts(factor, high[n], low[n], s->sum[f][n]);
        }
    }
}

__device__ void run_chunk(synthesis_chunk *chunk, int count, synthesis_state *s)
{
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += HALVES_BLOCK) {
        const int matters = put_block(&chunk->steps, k, count, s, &chunk->values);
        if (!matters) continue;
        __syncwarp();
        add_products(chunk, k, s);
        __syncwarp();
    }
}

/* --- Sums to leg ------------------------------------------------------------------------------ */

/* Numbers of eight sets, of the warp's pairs. */
struct gathered_sums {
    enum { ROW = WARP + 8 }; /* rows that lanes write at once begin in other banks */
    float number[2 * HALVES_ROWS][ROW];
};
static_assert(HALVES_WARPS * sizeof(gathered_sums) <= sizeof(synthesis_chunk), "fits");

/* The sums of sets 8 i, 8 i + 1, ... to where each lane finds those of its pair. */
__device__ __forceinline__ void gather_sums(const synthesis_state &s, const int i,
                                            gathered_sums *to)
{
    const int q = threadIdx.x % WARP / 4, r = threadIdx.x % 4;
    ARMILLA_UNROLLED
    for (int parity = 0; parity < 2; parity++) ARMILLA_UNROLLED
    for (int n = 0; n < WARP / 8; n++) ARMILLA_UNROLLED
    for (int half = 0; half < 2; half++) {
        const float *sum = &s.sum[HALVES_FACTORS / 2 * parity + i][n][2 * half];
        float *place = &to->number[HALVES_ROWS * parity + 8 * half + q][8 * n + 2 * r];
        *reinterpret_cast<float2 *>(place) = make_float2(sum[0], sum[1]);
    }
}

/* Sums of functions times powers of two to those of the functions. of: number of the set. */
__device__ __forceinline__ void write_set(const armilla_cuda_view &view,
                                          const armilla_cuda_part &part,
                                          const armilla_cuda_leg_block &block,
                                          const block_task &task, int64_t set,
                                          const gathered_sums &sums, int of, int exponent)
{
    const int lane = threadIdx.x % WARP;
    const unit_power unit = {exponent};
    double sum[1][4];
    ARMILLA_UNROLLED
    for (int i = 0; i < 4; i++)
        sum[0][i] = power_of_two(-exponent_of_values(view, i / 2)) *
                    (double)sums.number[HALVES_ROWS * (i / 2) + 2 * of + i % 2][lane];
    write_leg<1>(view, part, block, task, set, view.groups[task.group], sum, &unit);
}

/* exponent: that of a set in each lane. */
__device__ void write_sets(const armilla_cuda_view &view, const armilla_cuda_part &part,
                           const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                           int exponent, const synthesis_state &s, gathered_sums *sums)
{
    const int nsets = count_sets(part, set);
    ARMILLA_UNROLLED
    for (int i = 0; i < HALVES_SETS / 8; i++) {
        gather_sums(s, i, sums);
        __syncwarp();
        ARMILLA_ROLLED
        for (int j = 8 * i; j < 8 * i + 8 && j < nsets; j++)
            write_set(view, part, block, task, set + j, *sums, j % 8,
                      __shfl_sync(0xffffffffu, exponent, j));
        __syncwarp();
    }
}

__global__ void __launch_bounds__(HALVES_THREADS, 2)
    halves_synthesis(const armilla_cuda_view view, const armilla_cuda_part part,
                     const armilla_cuda_leg_block block, int64_t first_lot)
{
#if ARMILLA_TENSOR_CORES
    ARMILLA_SHARED(synthesis_chunk, chunk);
    const block_task task = find_task(view, part, block);
    if (!tile_matters(view, block.tile + task.tile, task.m)) return;
    const armilla_kernel_group group = view.groups[task.group];
    const int alive = of_first_lane(task.alive);
    const int64_t set = (first_lot + blockIdx.y) * HALVES_SETS;
    const int nsets = count_sets(part, set);
    const int64_t start = view.table_start[task.m - view.mfirst];
    const int nsteps = count_scalar_steps(view, task.m);
    synthesis_state s;
    start_state<in_double, 1>(view, task.m, group, &s);
    ARMILLA_UNROLLED
    for (int i = 0; i < HALVES_FACTORS * WARP / 2; i++)
        s.sum[i / (WARP / 2)][i / 4 % (WARP / 8)][i % 4] = 0;
    find_exponents(part, set, nsets, start - part.step, nsteps, chunk->steps.exponent);
    __syncthreads();
    for (int first = 0; first < nsteps; first += HALVES_CHUNK) {
        const int count = min((int)HALVES_CHUNK, nsteps - first);
        stage_steps(view, task, start, first, count, &chunk->steps);
        stage_coefficients(part, set, nsets, start - part.step + first, count, chunk);
        __syncthreads();
        if (alive) run_chunk(chunk, count, &s);
        __syncthreads();
    }
    const int lane = threadIdx.x % WARP;
    const int exponent = lane < nsets ? chunk->steps.exponent[lane] : 0;
    __syncthreads(); /* sums take the memory of exponents */
    if (alive)
        write_sets(view, part, block, task, set, exponent, s,
                   reinterpret_cast<gathered_sums *>(chunk) + threadIdx.x / WARP);
#else
    __trap();
#endif
}

} // namespace

cudaError_t armilla_cuda_halves_synthesis_target(int *target)
{
    return find_target(halves_synthesis, target);
}

void armilla_cuda_halves_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                   const armilla_cuda_leg_block *block, armilla_cuda_work *work)
{
    launch_halves(*part, *block, work, [&](dim3 blocks, int64_t lot) {
        return ARMILLA_LAUNCH(halves_synthesis, blocks, HALVES_THREADS, sizeof(synthesis_chunk),
                              work->stream, *view, *part, *block, lot);
    });
}
