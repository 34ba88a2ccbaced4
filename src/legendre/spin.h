/* Tables for fields of spin s and what a call makes of them; docs/mathematics.md 3. */
#ifndef ARMILLA_LEGENDRE_SPIN_H
#define ARMILLA_LEGENDRE_SPIN_H

#include "legendre/legendre.h"

enum { ARMILLA_SPIN_ORDER = 9 }; /* doubles of a step: plain, fine, ceilings */

struct armilla_legendre_spin {
    /* sums of scalar functions: the steps from spin s to 0, or 0 of them */
    int64_t nladders;
    armilla_kernel_ladder ladder[ARMILLA_SPIN_LADDERS];
    double *ladder_tables;
    double *links;        /* of all orders; NULL: made for each order of a call */
    int64_t *links_start; /* by order */

    /* functions by their own recurrence, for orders up to mmax */
    int64_t mmax;
    double *half[4]; /* mantissa of sin^2n (theta/2), cos^2n; exponents; [spin + 1][npadded] */
    double *start_mantissa; /* per order from mfirst */
    double *start_exponent;
    int64_t *table_start;
    double *a, *alpha;
    double *recurrences; /* of all orders as kernels read them, that of order m from
                            ARMILLA_SPIN_ORDER table_start[m - mfirst] on; NULL: made by calls */
    int lent;            /* what is per order belongs to the lender's functions */
};

/* Called when groups and scalar tables exist. Errors: MEMORY. */
armilla_status armilla_legendre_make_spin(armilla_legendre *legendre,
                                          const armilla_legendre_problem *problem);
void armilla_legendre_free_spin(armilla_legendre_spin *functions);

/* Steps of order m, a multiple of ARMILLA_KERNEL_STEPS; 0 if no group needs its recurrence. */
int64_t armilla_legendre_spin_steps(const armilla_legendre *legendre, int64_t m);

/* Sign and scale of the coefficients, (3.5) and (3.10). */
double armilla_legendre_spin_sign(const armilla_legendre *legendre);

/* Fills *order for m, with recurrences in the forms that the groups first .. end - 1 need. scratch:
 * armilla_legendre_spin_order_size doubles. */
int64_t armilla_legendre_spin_order_size(const armilla_legendre *legendre);
void armilla_legendre_spin_order(const armilla_legendre *legendre, int64_t m, int64_t first,
                                 int64_t end, double *scratch, armilla_kernel_spin *order);

/* up, down, across of `count` degrees of an order from m on: ladder number `ladder`, from 0. */
void armilla_legendre_fill_links(const armilla_legendre *legendre, int64_t m, int64_t ladder,
                                 int64_t count, double *up, double *down, double *across);

/* Keeps what ladders need of each order, if it is small. Errors: MEMORY. */
armilla_status armilla_legendre_keep_links(armilla_legendre *legendre,
                                           const armilla_legendre_problem *problem);

/* Coefficients of E and B -> two scalar sets, and the transpose. in: rows for l = m ..., up to
 * lmax; out: up to `top`. */
int64_t armilla_legendre_ladder_size(const armilla_legendre *legendre);
void armilla_legendre_lower(const armilla_legendre *legendre, int64_t m, double *const in[2],
                            double *scratch, double *const out[2]);

/* add: to the rows of out, which else are written up to lmax. */
void armilla_legendre_raise(const armilla_legendre *legendre, int64_t m, double *const in[2],
                            double *scratch, int add, double *const out[2]);

#endif
