/* The coefficients of a potential and of its Cartesian derivatives, arranged for the inner loop:
 * derivatives of solid harmonics are solid harmonics of the next degree (docs/mathematics.md 13).
 */
#ifndef ARMILLA_SOLID_TABLE_H
#define ARMILLA_SOLID_TABLE_H

#include "alm/layout.h"
#include "solid/kernels/kernels.h"

/* Fields: V; its x, y, z; xx, xy, xz, yz, zz. The sixth second derivative is -xx - zz. */
enum { ARMILLA_SOLID_FIELDS = 9, ARMILLA_SOLID_FIRST_FIELDS = 4 };

/* Coefficients of some of the orders, without that of l = 0, whose derivatives are simple. */
typedef struct armilla_solid_source {
    const armilla_alm_layout *layout;
    const double *alm;
    int interior;
    int64_t first, last; /* orders */
} armilla_solid_source;

/* Fields first .. first + nfields - 1, of one degree of differentiation or less. */
typedef struct armilla_solid_table {
    int64_t lmax, mmax;
    int64_t first, nfields;
    double *step, *pole, *factor; /* rows, one behind the other */
    double *degree;               /* l + 1 outside, l inside */
} armilla_solid_table;

/* Given:    nfields 1, 4 or 5;  derivatives  the highest among them.
 * Errors:   MEMORY; *table is empty then. */
armilla_status armilla_solid_table_new(const armilla_solid_source *source, int64_t first,
                                       int64_t nfields, int64_t derivatives,
                                       armilla_solid_table *table);
void armilla_solid_table_clear(armilla_solid_table *table);

/* The table of V and, with derivatives, its gradient; with two, another one of second derivatives.
 * Errors: MEMORY; clear both tables all the same. */
armilla_status armilla_solid_tables_new(const armilla_solid_source *source, int64_t derivatives,
                                        armilla_solid_table table[2]);

/* Fills it from the coefficients. Without any, source->alm = NULL, factors are only multiplied by
 * what coefficients are, so that transposed sums become derivatives in coefficients. */
void armilla_solid_table_fill(const armilla_solid_table *table, const armilla_solid_source *source,
                              int nthreads);

void armilla_solid_table_clear_factors(const armilla_solid_table *table);

armilla_solid_row armilla_solid_table_row(const armilla_solid_table *table, int64_t m);

#endif
