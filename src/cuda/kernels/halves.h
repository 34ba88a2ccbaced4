/* What Legendre sums by products of halves share: numbers as two halves each, and the values of the
 * scalar functions, which a lane makes pair by pair and step by step, as rows of factors in shared
 * memory. Sums of HALVES_SETS sets take the same values. Included by .cu files only.
 *
 * A number is high + low, two halves of 11 bits each: 22 bits, or what is above 2^-25. A product of
 * two numbers is low high + high low + high high; sums of sixteen such products are the tensor
 * cores', those of blocks of steps are additions of floats, since tensor cores cut what they add.
 *
 * Functions are lambda_lm (even l - m) and lambda_lm / cos theta (odd), docs/mathematics.md (2.2),
 * not the p_k of the other kernels: next to the equator the even functions are small differences of
 * p_k, and 22 bits would not do. So coefficients are those of degrees, and the recurrence has the
 * plain form in double precision, which loses less than halves do on every ring.
 *
 *     synthesis   sums[16 numbers][8 pairs] += coefficients[16 numbers][16 steps]
 *                                              values[16 steps][8 pairs]
 *     analysis    sums[16 numbers][8 steps] += leg[16 numbers][16 pairs]  values[16 pairs][8 steps]
 *
 * 64 numbers: row 16 (2 parity + set / 8) + 2 (set % 8) + part, parity 0 for even functions, part 0
 * for real parts. */
#ifndef ARMILLA_CUDA_KERNELS_HALVES_H
#define ARMILLA_CUDA_KERNELS_HALVES_H

#include "cuda/kernels/legendre_unit.h"

enum {
    HALVES_WARPS = ARMILLA_CUDA_HALVES_WARPS,
    HALVES_THREADS = HALVES_WARPS * WARP,
    HALVES_SETS = ARMILLA_CUDA_HALVES_SETS, /* that share values */
    HALVES_ROWS = 16,                       /* of a left factor */
    HALVES_FACTORS = 4 * HALVES_SETS / HALVES_ROWS,
    HALVES_BLOCK = 16,  /* steps of a product */
    HALVES_CHUNK = 32,  /* steps in shared memory at once */
    HALVES_LARGEST = 10 /* coefficients and leg: below 2^11 */
};

/* high: of two numbers; low: what is left of them. */
struct two_parts {
    unsigned high, low;
};

static __device__ __forceinline__ two_parts split(float first, float second)
{
    two_parts parts;
    parts.high = ARMILLA_PACK_HALVES(first, second);
    parts.low = ARMILLA_PACK_HALVES(first - ARMILLA_LOW_HALF(parts.high),
                                    second - ARMILLA_HIGH_HALF(parts.high));
    return parts;
}

/* c += a b, where a and b are high and low. The small products first. */
static __device__ __forceinline__ void add_parts(const unsigned (*a)[4], const unsigned *b_high,
                                                 const unsigned *b_low, float sum[4])
{
    float c[4] = {0, 0, 0, 0};
    ARMILLA_MULTIPLY_HALVES(a[1], b_high, c);
    ARMILLA_MULTIPLY_HALVES(a[0], b_low, c);
    ARMILLA_MULTIPLY_HALVES(a[0], b_high, c);
    ARMILLA_UNROLLED
    for (int i = 0; i < 4; i++) sum[i] += c[i];
}

/* --- Values ----------------------------------------------------------------------------------- */

/* Steps, and what makes functions of p_k and p_{k-1}: even ones by x, y, odd ones by z. */
struct halves_steps {
    scalar_chunk steps;
    double x[HALVES_CHUNK], y[HALVES_CHUNK], z[HALVES_CHUNK];
    int exponent[HALVES_SETS]; /* of the units of sets */
    int of_warps[HALVES_WARPS][HALVES_SETS];
    int matters[HALVES_WARPS];
};

/* Rows of eight steps of a pair, of even and odd functions, high and low. */
struct halves_values {
    uint4 row[2][2][HALVES_BLOCK / STEPS][HALVES_THREADS];
};

/* By which powers of two functions are multiplied: as large as halves allow. Even ones are below
 * sqrt((2 lmax + 1) / (4 pi)) < 52 up to the largest lmax, odd ones below lmax / 2 + 16. */
static __device__ __forceinline__ int exponent_of_values(const armilla_cuda_view &view,
                                                         const int parity)
{
    int exponent = 9;
    if (parity)
        for (int64_t size = 64; size < view.top; size *= 2) exponent--;
    return exponent;
}

static __device__ __forceinline__ double power_of_two(int exponent)
{
    return __hiloint2double((1023 + exponent) << 20, 0);
}

/* The steps first, first + 1, ..., `count` of them, of an order whose tables begin at `start`. */
static __device__ __forceinline__ void stage_steps(const armilla_cuda_view &view,
                                                   const block_task &task, int64_t start, int first,
                                                   int count, halves_steps *to)
{
    const double even = power_of_two(exponent_of_values(view, 0)),
                 odd = power_of_two(exponent_of_values(view, 1));
    stage_scalar(view, task.m, task.form, start, first, count, &to->steps);
    FOR_THREADS(i, count)
    {
        const int64_t step = start + first + i;
        const int has_both = first + i > 0 && task.m + 2 * (first + i) <= view.top;
        to->x[i] = even * view.pair[2 * step];
        to->y[i] = has_both ? even * view.v[step - 1] : 0; /* what is no function may be infinite */
        to->z[i] = odd * view.pair[2 * step + 1];
    }
}

/* The functions of eight steps from number k of the chunk on, as rows of the lane's pair. */
static __device__ __forceinline__ void
make_values(const halves_steps *steps, int k, scalar_state<in_double, 1> *s, uint4 (&rows)[2][2])
{
    unsigned parts[2][2][STEPS / 2];
    ARMILLA_UNROLLED
    for (int j = 0; j < STEPS; j += 2) {
        float value[2][2];
        ARMILLA_UNROLLED
        for (int i = 0; i < 2; i++) {
            const double now = i ? s->previous[0] : s->current[0],
                         before = i ? s->current[0] : s->previous[0];
            value[0][i] = (float)fma(steps->x[k + j + i], now, steps->y[k + j + i] * before);
            value[1][i] = (float)(steps->z[k + j + i] * now);
            take_step<1, 0>(&steps->steps, k + j + i, s->y, s->current, s->previous, i);
        }
        ARMILLA_UNROLLED
        for (int parity = 0; parity < 2; parity++) {
            const two_parts both = split(value[parity][0], value[parity][1]);
            parts[parity][0][j / 2] = both.high, parts[parity][1][j / 2] = both.low;
        }
    }
    ARMILLA_UNROLLED
    for (int i = 0; i < 4; i++) {
        const unsigned *of = parts[i / 2][i % 2];
        rows[i / 2][i % 2] = make_uint4(of[0], of[1], of[2], of[3]);
    }
}

/* Eight steps of a warp's pairs, number `half` of a block of steps. Returned: whether any pair
 * matters; where none does, and behind the last step, rows are 0. */
static __device__ __forceinline__ int put_values(const halves_steps *steps, int k, int count,
                                                 const int half, scalar_state<in_double, 1> *s,
                                                 halves_values *values)
{
    const uint4 none = make_uint4(0, 0, 0, 0);
    uint4 rows[2][2] = {{none, none}, {none, none}};
    int matters = 0;
    if (k < count) {
        matters = find_phase<1, in_double, 1>(steps->steps.ceiling[k / STEPS], s);
        if (matters)
            make_values(steps, k, s, rows);
        else
            run_steps<1, 0>(&steps->steps, k, STEPS, s->y, s->current, s->previous);
    }
    const int waits = v_negative(s->scale[0]);
    ARMILLA_UNROLLED
    for (int i = 0; i < 4; i++)
        values->row[i / 2][i % 2][half][threadIdx.x] = waits ? none : rows[i / 2][i % 2];
    return matters;
}

/* A block of steps of a warp's pairs. */
static __device__ __forceinline__ int put_block(const halves_steps *steps, int k, int count,
                                                scalar_state<in_double, 1> *s,
                                                halves_values *values)
{
    const int first = put_values(steps, k, count, 0, s, values);
    const int second = put_values(steps, k + STEPS, count, 1, s, values);
    return first | second;
}

/* --- Units ------------------------------------------------------------------------------------ */

/* Makes numbers of a size smaller than 2^(HALVES_LARGEST + 1), and sums of them what they are. */
static __device__ __forceinline__ int exponent_of_size(int size)
{
    return unit_of_size(size).exponent - HALVES_LARGEST;
}

/* A number in units of 2^exponent. */
static __device__ __forceinline__ float in_units(double number, int exponent)
{
    const unit_power unit = {exponent};
    return (float)unit.divide(number);
}

/* Sets of a lot that begins with this one. */
static __device__ __forceinline__ int count_sets(const armilla_cuda_part &part, int64_t set)
{
    return (int)min((int64_t)HALVES_SETS, part.nsets - set);
}

/* Calls launch(blocks, first lot of HALVES_SETS sets) for all tiles and orders of a block of leg.
 */
template <typename Launch>
void launch_halves(const armilla_cuda_part &part, const armilla_cuda_leg_block &block,
                   armilla_cuda_work *work, const Launch &launch)
{
    const int64_t lots = (part.nsets + HALVES_SETS - 1) / HALVES_SETS;
    armilla_cuda_launch_rows(lots, [&](int64_t first, unsigned rows) {
        const dim3 blocks((unsigned)(block.norders * block.ntiles), rows);
        armilla_cuda_note(work, launch(blocks, first));
    });
}

#endif
