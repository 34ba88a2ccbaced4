/* Coefficients of plane n, fields of spin n, from the triangles n and -n, and back. With s the
 * scale of the degree and sigma = (-1)^n,
 *
 *     E = -s/2 (sigma f_-n + f_n),    B = i s/2 (sigma f_-n - f_n)         to rows
 *     f_n = -s (E - i B),             f_-n = -sigma s (E + i B)            from rows
 *
 * and for n = 0 a scalar, s f_0. docs/mathematics.md (16.3), (16.5). */
#ifndef ARMILLA_SO3_MIX_H
#define ARMILLA_SO3_MIX_H

#include <stdint.h>

typedef struct armilla_so3_mix {
    int64_t lmax, mmax, n;
    const double *scale;  /* [lmax + 1] */
    double *plus, *minus; /* triangles n and -n */
    double *rows;         /* E and, for n > 0, B: triangles one behind the other */
    int nthreads;
} armilla_so3_mix;

void armilla_so3_mix_to_rows(const armilla_so3_mix *mix);
void armilla_so3_mix_from_rows(const armilla_so3_mix *mix);

#endif
