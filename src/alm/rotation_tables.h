/* Tables for the exchange of axes, described in rotation_degree.h: functions of one index that
 * serve all degrees. */
#ifndef ARMILLA_ALM_ROTATION_TABLES_H
#define ARMILLA_ALM_ROTATION_TABLES_H

#include "base/status.h"

/* f_k f_{k+1} = 1 / ((k + 1) (k + 3/2)), smooth in k:
 *     f_k = Gamma((k + 1) / 2) Gamma((k + 3/2) / 2) / (2 Gamma((k + 2) / 2) Gamma((k + 5/2) / 2))
 *     w_i = sqrt(binomial(2 i, i)) / 2^i
 * Each array has lmax + 2 values, rounded from twice the precision. */
typedef struct armilla_rotation_tables {
    double *f;         /* f_k */
    double *deviation; /* (k + 3/4) (1 / ((k + 3/4) f_k) - 1) */
    double *root;      /* sqrt(f_k) */
    double *lower;     /* sqrt(f_k (k + 1/2)) */
    double *upper;     /* sqrt(f_k (k + 1)) */
    double *w;         /* w_i */
    double *w_lower;   /* w_i sqrt(2 i) */
    double *w_upper;   /* w_i sqrt(2 i + 1) */
    double *storage;
} armilla_rotation_tables;

/* On success free with armilla_rotation_tables_free. Errors: MEMORY. */
armilla_status armilla_rotation_tables_new(int64_t lmax, armilla_rotation_tables *tables);
void armilla_rotation_tables_free(armilla_rotation_tables *tables);

#endif
