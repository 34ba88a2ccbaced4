/* Tables of spherical harmonic coefficients. */
#ifndef ARMILLA_IO_ALM_TABLE_H
#define ARMILLA_IO_ALM_TABLE_H

#include "io/fits_table.h"

enum { ARMILLA_ALM_MAX_TABLES = 998 };

/* Do its columns say that the table holds coefficients? */
int armilla_alm_table_fits(const armilla_table *table);

#endif
