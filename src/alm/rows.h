/* Rows of alm, one order at a time, between a caller's array of any layout, in double or float, and
 * the contiguous rows that the Legendre stage works on. */
#ifndef ARMILLA_ALM_ROWS_H
#define ARMILLA_ALM_ROWS_H

#include "armilla/alm.h"
#include "base/array.h"

/* Component c of transform t is component number t ncomp + c of the array. A transform has nsets
 * rows, one for each component of its maps; rows behind the components of alm are zero and not
 * written (gradient only). */
typedef struct armilla_alm_rows {
    armilla_array values;       /* complex numbers */
    int64_t distance;           /* complex numbers between components */
    int64_t ncomp, nsets;       /* of one transform */
    int64_t lmax, stride;       /* a_lm is complex number mstart[m] + l stride of its component */
    const int64_t *mstart;      /* by order */
    int64_t spin;               /* >= 0; lower degrees are zero */
    const double *factor;       /* of each degree from 0 on, between array and rows; NULL: 1 */
    const double *order_factor; /* of each order, likewise */
    int real;                   /* of real maps: a_l0 has no imaginary part */
    int packed;    /* the array has the real packing of rows that would have stride 1 and
                      order 0 first; distance counts real numbers */
    int conjugate; /* the array has complex conjugates */

    /* writing, where each order's sum comes in several passes over rings */
    int later;         /* an earlier pass has left its sum */
    int last;          /* no pass follows */
    double *sums;      /* where it is left: armilla_alm_size complex numbers for each component of
                          alm; NULL: in the array, which then holds doubles */
    int64_t sums_size; /* doubles of one component in sums */
    int sums_as_array; /* rows of sums are where those of the array are; else in a triangle */

    int64_t step; /* on a GPU alone: components from one transform to the next; 0: ncomp */
} armilla_alm_rows;

/* Rows of real maps without factors and sums, last set as where one pass sees all rings.
 * Given:    mstart  of the layout, or a copy on a GPU;  spin  of any sign;  ncomp, nsets  of a
 *           transform;  values, distance. */
armilla_alm_rows armilla_alm_rows_of(const armilla_alm_layout *layout, const int64_t *mstart,
                                     int64_t spin, int64_t ncomp, int64_t nsets,
                                     armilla_array values, int64_t distance);

/* The row of a set: l = m .. lmax, then zeros up to nrow doubles. */
void armilla_alm_rows_read(const armilla_alm_rows *rows, int64_t set, int64_t m, double *row,
                           int64_t nrow);

/* The order from which on the array itself has rows as _read and _write would have them; INT64_MAX:
 * none. */
int64_t armilla_alm_rows_in_place(const armilla_alm_rows *rows);

/* Such a row of set 0; those of other sets are `distance` complex numbers apart. */
static inline double *armilla_alm_rows_place(const armilla_alm_rows *rows, int64_t m)
{
    return (double *)rows->values.values + 2 * (rows->mstart[m] + m * rows->stride);
}

/* The other way; the row is overwritten. */
void armilla_alm_rows_write(const armilla_alm_rows *rows, int64_t set, int64_t m, double *row);

#endif
