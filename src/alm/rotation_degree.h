/* The exchange of axes for one degree l: c_j = sum_m Delta_jm b_m, m = -l .. l, where
 * Delta = d^l(pi/2) is Wigner's matrix of a quarter turn about y, and b_{-m} = (-1)^m conj(b_m).
 *
 * Recurrence. Write Delta_{j,l-n} = (-1)^n v_n. With A_n = sqrt(n (2 l + 1 - n)) / 2
 *     j v_n = A_{n+1} v_{n+1} + A_n v_{n-1},
 * the same form as that of the Legendre functions in docs/mathematics.md 2, and in the same way two
 * orders become one step: v_{2k+1} = j q_k, v_{2k} = A_{2k+1} q_k + A_{2k} q_{k-1}, and with
 * q_k = (-1)^k alpha_k p_k, alpha_k = sqrt(a_k), a_k = f_k f_{l-1-k} (f: rotation_tables.h)
 *     p_{k+1} = (2 + g_k - a_k j^2) p_k - p_{k-1}.
 * A_{2k+1}^2 + A_{2k+2}^2 is a polynomial in k and l - 1 - k, and all of it but 1/8 cancels in
 *     g_k = -a_k (1/8 + 2 (y s_k + x s_{l-1-k} + s_k s_{l-1-k})),  x = k + 3/4,  y = l - 1 - k +
 * 3/4 (s: `deviation` of the tables), so that g_k, though tiny, has all its digits.
 *
 * Start and scale. Delta_jm is tiny where m^2 + j^2 > l^2. The recurrence begins with any small
 * value where |Delta| < e^-45 (from its WKB approximation): the wanted solution grows from there on
 * and the other one dies. The scale follows at the other end from
 *     |Delta_j0| = w_{(l-j)/2} w_{(l+j)/2}                                       (l + j even)
 *     |Delta_j1| = sqrt((l + j) (l - j + 1) / (l (l + 1))) |Delta_{j-1,0}|       (l + j odd).
 *
 * Sums. Delta_{j,-m} = (-1)^{l+j} Delta_jm, so Re b_m enters c_j where l - m + j is even and Im b_m
 * where it is odd: each entry of the matrix is used once. Orders j of equal parity are the lanes.
 *
 * References: the exchange as two steps of a rotation: Risbo 1996, J. Geodesy 70, 383; two orders
 * in one step: Ishioka 2018 (for Legendre functions). */
#ifndef ARMILLA_ALM_ROTATION_DEGREE_H
#define ARMILLA_ALM_ROTATION_DEGREE_H

#include "alm/rotation_dispatch.h"
#include "alm/rotation_tables.h"

/* Workspace of one thread; serves one degree after the other. */
typedef struct armilla_rotation_degree {
    const armilla_rotation_tables *tables;
    const armilla_rotation_kernels *kernels;
    int64_t l;
    int fields;
    double *value[ARMILLA_ROTATION_FIELDS]; /* complex, b_m or c_j, m = 0 .. l */

    /* Steps k = -1 .. l / 2 are at index k + 1; step -1 does nothing. */
    double *constant[ARMILLA_ROTATION_FORMS]; /* 2 + g_k, g_k, h_k */
    double *slope;                            /* -a_k */
    double *balance;                          /* B_k - 1 / B_k */
    double *terms[2], *low_terms[2];          /* of the kernel, for even and for odd j */
    double *ordered;                          /* re and im of one field in the order of n */
    double *norm;                             /* factor of c_j */
    int64_t *start;                           /* first step of the group that begins with order j */
    double *argument, *sums;
    double *storage;
} armilla_rotation_degree;

/* tables: for lmax or more. On success free with armilla_rotation_degree_free. Errors: MEMORY. */
armilla_status armilla_rotation_degree_new(int64_t lmax, const armilla_rotation_tables *tables,
                                           const armilla_rotation_kernels *kernels,
                                           armilla_rotation_degree *self);
void armilla_rotation_degree_free(armilla_rotation_degree *self);

/* Makes ready for degree l <= lmax and so many fields. */
void armilla_rotation_degree_start(armilla_rotation_degree *self, int64_t l, int fields);

/* value <- Delta value, for orders up to jmax <= l (others: undefined). The first call after
 * _start must have jmax = l: it finds the scales. */
void armilla_rotation_degree_exchange(armilla_rotation_degree *self, int64_t jmax, int first);

#endif
