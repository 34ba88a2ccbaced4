/* What the tests of spin transforms share: plans of a spin, mode and method; coefficients. */
#ifndef ARMILLA_TESTS_SPIN_CHECKS_H
#define ARMILLA_TESTS_SPIN_CHECKS_H

#include "armilla/armilla.h"

typedef struct {
    int64_t lmax, mmax, spin;
    armilla_sht_mode mode;
    armilla_sht_spin_method method;
    armilla_sht_method rings;
} spin_case;

/* A plan asked to resample does. */
armilla_sht *spin_plan(const armilla_grid *grid, const spin_case *c);

/* Components of alm: 1 or 2. */
int64_t spin_ncomp(const spin_case *c);

/* Length of all components in doubles. */
int64_t spin_size(const spin_case *c);

/* All components uniform in [-1, 1), imaginary parts of m = 0 zero; below: what degrees below
 * |spin| hold. Triangular. */
void spin_random_alm(uint64_t seed, const spin_case *c, double below, double *alm);

/* Sum of dot_alm over the components. */
double spin_dot_alm(const spin_case *c, const double *a, const double *b);

/* E and B of the STANDARD mode that mean the same; and the transpose. */
void spin_to_standard(const spin_case *c, const double *alm, double *standard);
void spin_from_standard(const spin_case *c, const double *standard, double *alm);

#endif
