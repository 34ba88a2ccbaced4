/* Coupling matrices by sums of products of Wigner 3j symbols, each by Racah's formula: slow, for
 * small degrees. */
#ifndef ORACLE_COUPLING_ORACLE_H
#define ORACLE_COUPLING_ORACLE_H

#include <stdint.h>

/* l1 l2 l3 ; m1 m2 -(m1 + m2), degrees up to 30. */
long double coupling_oracle_3j(int l1, int l2, int l3, int m1, int m2);

/* M_ll' of EE -> EE (sign = 1) and BB -> EE (sign = -1); of a scalar and a field of any spin, or
 * two scalars, sign = 0. mask[lmask + 1]. */
double coupling_oracle_matrix(int l, int other, int lmask, const double *mask, int spin1, int spin2,
                              int sign);

typedef struct {
    int spin, is_pure;
} coupling_oracle_field;

/* The same of fields that may be pure, with all terms of each: slopes of the mask times harmonics
 * of smaller spins. */
double coupling_oracle_pure_matrix(int l, int other, int lmask, const double *mask,
                                   const coupling_oracle_field field[2], int sign);

#endif
