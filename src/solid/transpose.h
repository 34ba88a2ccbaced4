/* From what fields of a potential collected to its coefficients. */
#ifndef ARMILLA_SOLID_TRANSPOSE_H
#define ARMILLA_SOLID_TRANSPOSE_H

#include "solid/table.h"

/* Given:    tables whose factors are sums over points times the norms of table.c.
 * Returned: alm, all coefficients, as of an adjoint synthesis (armilla/sht.h). */
void armilla_solid_transpose(const armilla_solid_table *table, int ntables, int interior,
                             const armilla_alm_layout *layout, double *alm, int nthreads);

#endif
