/* The inner loop of solid harmonics: one order at many points, a point in each lane of a vector.
 *
 * With s = R / r or r / R and scaled functions q_l = s^l lambda_lm(theta) / n_l
 * (docs/mathematics.md 13), a row of order m adds
 *
 *     sum over l of factor[l][f] q_l,    q_(l+1) = step_l (s cos theta) q_l - s^2 q_(l-1)
 *
 * times cos and sin of m phi to each field f. Where q_m would underflow, it is mantissa 2^(900
 * scale), scale < 0; a lane adds nothing until its scale is 0.
 *
 * Near the poles the rounding of cos theta would count. There q_l is continued as it is at the
 * pole, and d_l is what is missing; v = s, or -s in the south, and v y has all digits, y = 1 - |cos
 * theta|:
 *
 *     d_(l+1) = back_l v d_l - step_l (v y) q_l,    q_(l+1) = up_l v q_l + d_(l+1)
 *
 * Kernels do not allocate, fail, or keep state. */
#ifndef ARMILLA_SOLID_KERNELS_KERNELS_H
#define ARMILLA_SOLID_KERNELS_KERNELS_H

#include "base/isa_table.h"

#include <stdint.h>

enum {
    ARMILLA_SOLID_BLOCK = 16
}; /* points that share a limit; all numbers of lanes are multiples */

/* One order; arrays from l = m to lmax. */
typedef struct armilla_solid_row {
    int64_t m, lmax;
    int64_t nfields;      /* 1, 4 or 5 */
    const double *step;   /* of the recurrence */
    const double *pole;   /* [l - m][2]: up_l, back_l */
    const double *factor; /* [l - m][field][2]: of cos m phi, of sin m phi */
    const double *degree; /* l + 1 or l, of lanes->turning */
    double next;          /* q_(m+1) of order m + 1 = next s sin theta q_m of order m */
} armilla_solid_row;

/* Points, each array aligned to 64 bytes. */
typedef struct armilla_solid_lanes {
    int64_t count;
    const double *step;        /* s cos theta */
    const double *turn;        /* s sin theta */
    const double *decay;       /* -s^2 */
    const double *along, *off; /* v, v y */
    int near;                  /* all are near the poles */
    int turning;               /* four fields V, V_x, V_y, V_z leave sums of V; of degree times V,
                                  V_phi and V_z instead: for each degree V and V_z are enough;
                                  not near the poles, and not where collected */
    double *start, *scale;     /* q_m and its power of 2 */
    double *cosine, *sine;     /* of m phi */
    const double *cosine1, *sine1; /* of phi */
    const int64_t *limit;          /* of each block: the largest order that matters */
    const double *most;            /* the same of each lane: further ones are not added to it */
    double *sum;                   /* [field][pitch] */
    int64_t pitch;
} armilla_solid_lanes;

#define ARMILLA_SOLID_KERNEL_LIST(F, x)                                                            \
    /* Adds order m to the sums, and goes on to order m + 1: start, scale, cosine, sine. */        \
    F(x, add_order, (const armilla_solid_row *row, const armilla_solid_lanes *lanes))              \
    /* The transpose: what lanes->sum holds, times cos and sin of m phi and q_l, goes to gather,   \
     * [l - m][field][2][vector_length], aligned; and on to order m + 1. */                        \
    F(x, collect_order,                                                                            \
      (const armilla_solid_row *row, const armilla_solid_lanes *lanes, double *gather))            \
    /* Only goes on to order m + 1. */                                                             \
    F(x, skip_order, (const armilla_solid_row *row, const armilla_solid_lanes *lanes))

typedef struct armilla_solid_kernels {
    int vector_length;
    ARMILLA_SOLID_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_solid_kernels;

#ifdef ARMILLA_ISA_NAME
ARMILLA_SOLID_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_solid_kernel)
#endif

#endif
