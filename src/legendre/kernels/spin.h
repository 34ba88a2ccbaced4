/* The recurrence of functions of spin s on one or two vectors of ring pairs,
 * docs/mathematics.md (3.6) to (3.9): d+ (index 0) and d- (index 1) side by side, one degree per
 * step. Included by spin_synthesis.c and spin_analysis.c. */
#ifndef ARMILLA_LEGENDRE_KERNELS_SPIN_H
#define ARMILLA_LEGENDRE_KERNELS_SPIN_H

#include "legendre/kernels/start.h"

typedef struct {
    vec y[SPIN_VECTORS];
    vec p[2][SPIN_VECTORS], other[2][SPIN_VECTORS], scale[2][SPIN_VECTORS]; /* [function][vector] */
} spin_state;

/* Value and scale of one function at its first degree. */
ARMILLA_ALWAYS_INLINE void spin_start_value(const armilla_kernel_spin *order, int64_t pair,
                                            int function, vec *value, vec *scale)
{
    vec mantissa, exponent;
    sine_power(&order->power, pair, &mantissa, &exponent);
    mantissa = v_mul(mantissa, v_load(order->half_mantissa[function] + pair));
    exponent = v_add(exponent, v_load(order->half_exponent[function] + pair));
    split_range(v_mul(mantissa, v_all(order->start_mantissa[function])),
                v_add(exponent, v_all(order->start_exponent)), value, scale);
}

/* One step of vector i. Plain: *other holds the value before and becomes the next. Fine: *other
 * holds the difference. n: distance between the arrays of c. */
ARMILLA_ALWAYS_INLINE void spin_advance(const double *c, int64_t n, vec y, vec *p, vec *other,
                                        int function, const int fine)
{
    if (!fine) {
        *other = v_fma(v_fma(v_all(c[0]), y, v_all(c[(1 + function) * n])), *p, *other);
    } else {
        *other = v_fma(v_mul(v_all(c[0]), y), *p, v_mul(v_all(c[(1 + function) * n]), *other));
        *p = v_fma(v_all(c[(3 + function) * n]), *p, *other);
    }
}

ARMILLA_ALWAYS_INLINE void spin_advance_all(const double *c, int64_t n, spin_state *s, int swapped,
                                            const int nvec, const int fine)
{
    for (int function = 0; function < 2; function++)
        for (int i = 0; i < nvec; i++) {
            vec *p = &s->p[function][i], *other = &s->other[function][i];
            spin_advance(c, n, s->y[i], swapped ? other : p, swapped ? p : other, function, fine);
        }
}

/* Runs ARMILLA_KERNEL_STEPS steps without sums. */
ARMILLA_ALWAYS_INLINE void spin_skip(const double *c, int64_t n, spin_state *s, const int nvec,
                                     const int fine)
{
    for (int k = 0; k < ARMILLA_KERNEL_STEPS; k++)
        spin_advance_all(c + k, n, s, k % 2 && !fine, nvec, fine);
}

typedef vec spin_weights[2][SPIN_VECTORS]; /* 0 for lanes that do not matter yet, else 1 */

/* Brings both functions of all pairs into range before a block. Returned: 0 if all of them matter,
 * 2 if none does yet, else 1. */
ARMILLA_ALWAYS_INLINE int spin_range(double ceiling, spin_state *s, spin_weights weight,
                                     const int nvec)
{
    int any = 0, all = LANES_ALL;
    for (int function = 0; function < 2; function++)
        for (int i = 0; i < nvec; i++) {
            int waits = matter_weights(ceiling, &s->p[function][i], &s->other[function][i],
                                       &s->scale[function][i], &weight[function][i]);
            any |= waits, all &= waits;
        }
    return all == LANES_ALL ? 2 : any != 0;
}

/* d+ and d- of vector i at a step; weight: NULL where all lanes matter. */
ARMILLA_ALWAYS_INLINE void spin_values_of(const spin_state *s, int i, int swapped,
                                          const vec (*weight)[SPIN_VECTORS], vec value[2])
{
    for (int function = 0; function < 2; function++) {
        value[function] = swapped ? s->other[function][i] : s->p[function][i];
        if (weight) value[function] = v_mul(value[function], weight[function][i]);
    }
}

#define SPIN_PART(work, vector, nvec, form)                                                        \
    if ((form) == ARMILLA_FORM_FINE_SPIN)                                                          \
        work(vector, nvec, 1);                                                                     \
    else                                                                                           \
        work(vector, nvec, 0);

/* Runs work(first vector, number of vectors, fine) on SPIN_VECTORS vectors of a group after the
 * other, and on those that are left at the end one by one. */
#define FOR_SPIN_GROUP(group, work)                                                                \
    int vector = 0, count = (group)->nvec;                                                         \
    for (; vector + SPIN_VECTORS <= count; vector += SPIN_VECTORS)                                 \
        SPIN_PART(work, vector, SPIN_VECTORS, (group)->form)                                       \
    for (; vector < count; vector++) SPIN_PART(work, vector, 1, (group)->form)

#endif
