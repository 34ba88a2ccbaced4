/* One order of alm between an array in any layout and the contiguous row the Legendre stage works
 * on. */
#ifndef ARMILLA_SHT_COEFFICIENTS_H
#define ARMILLA_SHT_COEFFICIENTS_H

#include "sht/execute.h"

/* row: complex, l = m .. lmax, then zeros up to nrow doubles. The imaginary part of order 0 counts
 * as 0. factor: of each degree from 0 on, or NULL. */
void armilla_coefficients_read(armilla_array alm, const armilla_alm_layout *layout, int64_t m,
                               const double *factor, double *row, int64_t nrow);

/* Adds factor times a row to alm, or stores it if store != 0; the imaginary part of order 0 becomes
 * 0. */
void armilla_coefficients_write(armilla_array alm, const armilla_alm_layout *layout, int64_t m,
                                const double *factor, double *row, int store);

#endif
