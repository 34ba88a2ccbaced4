/* The inner loop of the rotation of coefficients, as its callers see it.
 *
 * For one degree and a few orders j of equal parity (the lanes), the sums over steps k
 *
 *     E_j = sum_k e_k p_k(j),  O_j = sum_k o_k p_k(j)      for each field
 *     p_{k+1} = (2 + g_k - a_k j^2) p_k - p_{k-1}
 *
 * Where the bracket is nearly 2 or -2 over most of the range, that is for low and for high orders,
 * a rounding error would grow like the number of steps. There differences or sums of neighbours are
 * carried along, and h_k = 4 + g_k - a_k l (l + 1) is known with all its digits as g_k is:
 *
 *     low:   d_{k+1} = (g_k - a_k j^2) p_k + d_k,                p_{k+1} = p_k + d_{k+1}
 *     high:  d_{k+1} = (h_k - a_k (j^2 - l (l + 1))) p_k - d_k,  p_{k+1} = d_{k+1} - p_k
 *
 * and for low orders E_j = sum_k (e_k p_k + e'_k d_k), since p_k alone is too coarse for it. */
#ifndef ARMILLA_ALM_KERNELS_ROTATION_H
#define ARMILLA_ALM_KERNELS_ROTATION_H

#include "base/isa_table.h"

#include <stdint.h>

enum { ARMILLA_ROTATION_FIELDS = 3 }; /* most fields of one call */

enum { /* forms of the recurrence */
       ARMILLA_ROTATION_PLAIN = 0,
       ARMILLA_ROTATION_LOW = 1,
       ARMILLA_ROTATION_HIGH = 2,
       ARMILLA_ROTATION_FORMS = 3
};

typedef struct armilla_rotation_sums {
    int32_t nvec;   /* vectors of lanes, 1 .. vectors */
    int32_t fields; /* 1 .. ARMILLA_ROTATION_FIELDS */
    int32_t form;
    int64_t nsteps;         /* even */
    const double *argument; /* j^2 of each lane, j^2 - l (l + 1) if high; 64-byte aligned */
    const double *constant; /* 2 + g_k, or g_k, or h_k; the last one must be 0 */
    const double *slope;    /* -a_k; the last one must be 0 */
    const double *terms;    /* e_k, o_k, and if low e'_k, field by field */
    double current;         /* p at the first step */
    double previous;        /* p one step before, or d at the first step */
} armilla_rotation_sums;

/* sums: out, 64-byte aligned, is a row of lanes for each of: E, O of every field, then p of the
 * last step, and its difference from the one before. */
#define ARMILLA_ROTATION_KERNEL_LIST(F, x)                                                         \
    F(x, sums, (const armilla_rotation_sums *work, double *out))

typedef struct armilla_rotation_kernels {
    int vector_length;
    int vectors; /* most vectors of a call */
    ARMILLA_ROTATION_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_rotation_kernels;

#endif
