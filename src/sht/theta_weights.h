/* The weights of analysis on equidistant rings: exact up to the grid's full resolution, where the
 * grid's ring weights alone are exact only up to about half of it. */
#ifndef ARMILLA_SHT_THETA_WEIGHTS_H
#define ARMILLA_SHT_THETA_WEIGHTS_H

#include "armilla/grid.h"

typedef struct armilla_theta_weights armilla_theta_weights;

/* Is analysis on grids of this kind exact only with these weights (CC, F1, MW, MWSS, MWFLIP)? */
int armilla_theta_weights_needed(armilla_grid_kind kind);

/* Given:    grid of a kind that needs them;  lmax >= 0 (exact for lmax <= armilla_grid_exact_lmax,
 *           symmetric always);  spin, which adds to the parity of a column.
 * Errors:   ARGUMENT, MEMORY. */
armilla_status armilla_theta_weights_new(const armilla_grid *grid, int64_t lmax, int64_t spin,
                                         armilla_theta_weights **weights);

/* NULL is allowed. */
void armilla_theta_weights_free(armilla_theta_weights *weights);

/* Doubles of scratch, 64-byte aligned, that an application needs. */
int64_t armilla_theta_weights_scratch_size(const armilla_theta_weights *weights);

/* Memory that the object holds. */
int64_t armilla_theta_weights_bytes(const armilla_theta_weights *weights);

/* Applies the weights to the column of order m.
 * Given:    column  nrings complex numbers, in the grid's order: sum_j map_j exp(-i m phi_j).
 * Returned: column  weighted, so that a_lm = sum_r lambda_lm(theta_r) column_r. */
void armilla_theta_weights_apply(const armilla_theta_weights *weights, int64_t m, double *column,
                                 double *scratch);

/* The same for the columns of orders m and m + 1 at once, at the cost of one. */
void armilla_theta_weights_apply_pair(const armilla_theta_weights *weights, int64_t m,
                                      double *column, double *next_column, double *scratch);

#endif
