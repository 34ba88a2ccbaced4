/* What the kernels of functions of spin s share: legendre_device.h for the recurrence of
 * legendre/kernels/spin.h, docs/mathematics.md (3.7) to (3.9). Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_SPIN_DEVICE_H
#define ARMILLA_CUDA_KERNELS_SPIN_DEVICE_H

#include "cuda/kernels/legendre_sums.h"
#include "legendre/kernels/spin.h"
#include "legendre/kernels/spin_sides.h"

/* As for scalars, for 1 and 2 fields: as many as need no spilled registers. */
constexpr int SPIN_BLOCKS_WANTED[2][3] = {{4, 3, 2}, {3, 2, 2}};

template <int NFIELDS, typename SHAPE> constexpr int blocks_wanted()
{
    return blocks_of_shape(SPIN_BLOCKS_WANTED[NFIELDS - 1][SHAPE::VECTORS / 2], SHAPE::WARPS);
}

/* Which of d+ and d- this lane has as its first function. NUMBERS: of a step, for analysis. There a
 * lane whose sequence of sums has a- before a+ exchanges the functions: (3.11) has the same form
 * for both, with d- in the place of d+. 0: d+ in every lane. */
template <int NUMBERS> static __device__ __forceinline__ int first_function()
{
    return NUMBERS > 0 ? lane_sequence<NUMBERS>() / 2 % 2 : 0;
}

/* CHUNK steps of an order in shared memory, in each sequence of the functions that lanes have.
 * plain: a; b of both functions. fine: a; c1; c2 */
template <int NUMBERS> struct spin_chunk {
    enum { SEQUENCES = NUMBERS > 0 ? 2 : 1 };
    double a[CHUNK], ceiling[CHUNK / STEPS];
    double2 one[CHUNK][SEQUENCES], two[CHUNK][SEQUENCES];
};

/* Synthesis has one sequence. plain: a, b+; b-. fine: a, c1+; c1-, c2+; c2-. With a by itself, as
 * above, kernels of two fields and four vectors spill 600 bytes below sm_90. */
template <> struct spin_chunk<0> {
    double2 step[3][CHUNK];
    double ceiling[CHUNK / STEPS];
};

template <int SEQUENCES>
static __device__ __forceinline__ void put_both(double plus, double minus, double2 (&to)[SEQUENCES])
{
    to[0] = make_double2(plus, minus);
    if (SEQUENCES > 1) to[SEQUENCES - 1] = make_double2(minus, plus);
}

/* Makes step i of a chunk from a_l of degree l. Returned: a bound of its growth. */
template <int NUMBERS>
static __device__ __forceinline__ double put_step(double large, double small, double l, double a_l,
                                                  int form, int i, spin_chunk<NUMBERS> *chunk)
{
    double plus, minus, next[4];
    const double growth = spin_plain(large * small, l, a_l, &chunk->a[i], &plus, &minus);
    if (form == ARMILLA_FORM_FINE_SPIN) {
        spin_fine(large, small, l, a_l, next);
        put_both(next[0], next[1], chunk->one[i]);
        put_both(next[2], next[3], chunk->two[i]);
    } else {
        put_both(plus, minus, chunk->one[i]);
    }
    return growth;
}

static __device__ __forceinline__ double put_step(double large, double small, double l, double a_l,
                                                  int form, int i, spin_chunk<0> *chunk)
{
    double a, plus, minus, next[4];
    const double growth = spin_plain(large * small, l, a_l, &a, &plus, &minus);
    if (form == ARMILLA_FORM_FINE_SPIN) {
        spin_fine(large, small, l, a_l, next);
        chunk->step[0][i] = make_double2(a, next[0]);
        chunk->step[1][i] = make_double2(next[1], next[2]);
        chunk->step[2][i] = make_double2(next[3], 0);
    } else {
        chunk->step[0][i] = make_double2(a, plus);
        chunk->step[1][i] = make_double2(minus, 0);
    }
    return growth;
}

/* Bounds of the growth of eight neighbouring lanes' steps, multiplied. */
static __device__ __forceinline__ double product_of_block(double growth)
{
    ARMILLA_UNROLLED
    for (int distance = 1; distance < STEPS; distance *= 2)
        growth *= __shfl_xor_sync(0xffffffffu, growth, distance);
    return growth;
}

/* Every lane of a warp makes a step, so that blocks of steps can be multiplied; those behind
 * `count` are not used. */
template <int NUMBERS>
static __device__ __forceinline__ void stage_spin(const armilla_cuda_view &view, int m, int form,
                                                  int first, int count, spin_chunk<NUMBERS> *chunk)
{
    const double large = (double)(m > view.spin ? m : view.spin);
    const double small = (double)(m > view.spin ? view.spin : m);
    const double *a_of = view.function_a + view.function_start[m - view.mfirst] + first;
    FOR_THREADS(i, CHUNK)
    {
        const double a_l = i < count ? a_of[i] : 0, l = large + (double)(first + i);
        const double growth = put_step(large, small, l, a_l, form, i, chunk);
        const double product = product_of_block(growth);
        if (i % STEPS == 0) chunk->ceiling[i / STEPS] = 0x1p456 / product;
    }
}

/* c: what spin_advance() takes, with a distance of 1 */
template <int NUMBERS>
static __device__ __forceinline__ void load_spin(const spin_chunk<NUMBERS> *chunk, int k,
                                                 double c[5], const int fine)
{
    const double2 one = chunk->one[k][first_function<NUMBERS>()];
    c[0] = chunk->a[k], c[1] = one.x, c[2] = one.y, c[3] = c[4] = 0;
    if (!fine) return;
    const double2 two = chunk->two[k][first_function<NUMBERS>()];
    c[3] = two.x, c[4] = two.y;
}

static __device__ __forceinline__ void load_spin(const spin_chunk<0> *chunk, int k, double c[5],
                                                 const int fine)
{
    const double2 first = chunk->step[0][k], second = chunk->step[1][k];
    c[0] = first.x, c[1] = first.y, c[2] = second.x, c[3] = c[4] = 0;
    if (!fine) return;
    c[3] = second.y, c[4] = chunk->step[2][k].x;
}

/* Steps without sums, an even number of them. */
template <int NVEC, int FINE, int NUMBERS>
static __device__ __forceinline__ void run_steps(const spin_chunk<NUMBERS> *chunk, int k,
                                                 int nsteps, spin_state *s)
{
    ARMILLA_ROLLED
    for (const int end = k + nsteps; k < end; k += 2) {
        ARMILLA_UNROLLED
        for (int j = 0; j < 2; j++) {
            double c[5];
            load_spin(chunk, k + j, c, FINE);
            spin_advance_all(c, 1, s, j && !FINE, NVEC, FINE);
        }
    }
}

/* Steps of an order, with padding. */
static __device__ __forceinline__ int count_spin_steps(const armilla_cuda_view &view, int m)
{
    const int least = m > view.spin ? m : (int)view.spin;
    return ((int)view.lmax - least + STEPS) / STEPS * STEPS;
}

static __device__ __forceinline__ double mirror_of(const armilla_cuda_view &view, int m)
{
    const int64_t least = m > view.spin ? m : view.spin;
    return (least + m + view.spin) % 2 ? -1 : 1;
}

/* What spin_start_value() needs of an order: set_powers in legendre/spin.c; the functions in this
 * lane's sequence. */
template <int NUMBERS>
static __device__ __forceinline__ armilla_kernel_spin find_start(const armilla_cuda_view &view,
                                                                 int m)
{
    const int s = (int)view.spin, small = m < s ? m : s, large = m < s ? s : m;
    const double start = view.function_mantissa[m - view.mfirst];
    const double plus = (m + s) % 2 ? -start : start, minus = large % 2 ? -start : start;
    const int exchanged = first_function<NUMBERS>();
    armilla_kernel_spin order;
    order.power = power_of(view, large - small);
    for (int function = 0; function < 2; function++) {
        const int which = function ^ exchanged;
        order.half_mantissa[function] = view.half[which] + small * view.npadded;
        order.half_exponent[function] = view.half[2 + which] + small * view.npadded;
        order.start_mantissa[function] = which ? minus : plus;
    }
    order.start_exponent = view.function_exponent[m - view.mfirst];
    return order;
}

/* The state before the first step. Vectors behind the group's last one are 0. */
template <int MOST, int NUMBERS>
static __device__ __forceinline__ void start_state(const armilla_cuda_view &view, int m,
                                                   const armilla_kernel_group &group, spin_state *s)
{
    const armilla_kernel_spin order = find_start<NUMBERS>(view, m);
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        const int exists = i < group.nvec;
        const int64_t place = lane_place(group, exists ? i : 0);
        s->y[i] = view.argument[place];
        ARMILLA_UNROLLED
        for (int function = 0; function < 2; function++) {
            vec *p = &s->p[function][i], *other = &s->other[function][i];
            spin_start_value(&order, place, function, p, &s->scale[function][i]);
            if (!exists) *p = s->scale[function][i] = 0;
            *other = group.form == ARMILLA_FORM_FINE_SPIN ? *p : 0;
        }
    }
}

/* As find_phase of legendre_device.h: 0 where no function of any pair has mattered yet, 1 where
 * some have, 2 where all do. */
template <int NVEC>
static __device__ __forceinline__ int find_phase(double ceiling, spin_state *s, int phase)
{
    if (phase == 2) return 2;
    int any = 0, all = LANES_ALL;
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++) ARMILLA_UNROLLED
    for (int function = 0; function < 2; function++) {
        rescale(&s->p[function][i], &s->other[function][i], &s->scale[function][i], ceiling);
        const int small = v_lanes(v_negative(s->scale[function][i]));
        any |= small, all &= small;
    }
    return !any ? 2 : all == LANES_ALL ? 0 : 1;
}

/* d+ and d- of vector i; masked: those that wait count as 0. */
static __device__ __forceinline__ void values_of(const spin_state *s, int i, int swapped,
                                                 const int masked, vec d[2])
{
    spin_values_of(s, i, swapped, NULL, d);
    ARMILLA_UNROLLED
    for (int function = 0; function < 2 && masked; function++)
        d[function] = v_mul(d[function], weight_of(s->scale[function][i]));
}

/* As find_case of legendre_device.h: a group is in fine form or is not. */
static __device__ __forceinline__ int find_spin_case(const armilla_kernel_group &group, int alive)
{
    return of_first_lane(alive ? 2 * group.nvec + (group.form == ARMILLA_FORM_FINE_SPIN) : 0);
}

/* As ARMILLA_GROUP_CASE. which: what find_spin_case returned. */
#define ARMILLA_SPIN_CASE(work, count, ...)                                                        \
    if (MOST >= (count) && which / 2 == (count)) {                                                 \
        constexpr int vectors = MOST >= (count) ? (count) : 1;                                     \
        if (which % 2)                                                                             \
            work<vectors, 1>(__VA_ARGS__);                                                         \
        else                                                                                       \
            work<vectors, 0>(__VA_ARGS__);                                                         \
    }

#endif
