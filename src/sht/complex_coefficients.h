/* Coefficients f_lm of complex fields, both signs of m, to and from those of the two real fields,
 * or the E and B, that they are made of. */
#ifndef ARMILLA_SHT_COMPLEX_COEFFICIENTS_H
#define ARMILLA_SHT_COMPLEX_COEFFICIENTS_H

#include "base/array.h"

typedef struct armilla_complex_coefficients {
    int64_t lmax, mmax;
    int64_t least;      /* lower degrees are 0 */
    double sign;        /* of f = sign (u + i v) */
    armilla_array both; /* f_lm is complex number l^2 + l + m */
    armilla_array half; /* u and v: two triangular layouts, one behind the other */
} armilla_complex_coefficients;

/* Complex numbers of f_lm. */
static inline int64_t armilla_complex_size(int64_t lmax)
{
    return (lmax + 1) * (lmax + 1);
}

/* f -> u, v, and the other way. */
void armilla_complex_split(const armilla_complex_coefficients *coefficients, int nthreads);
void armilla_complex_join(const armilla_complex_coefficients *coefficients, int nthreads);

#endif
