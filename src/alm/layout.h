/* Inside of an alm layout: a_lm is complex number mstart[m] + l * stride of the array. */
#ifndef ARMILLA_ALM_LAYOUT_H
#define ARMILLA_ALM_LAYOUT_H

#include "armilla/alm.h"

struct armilla_alm_layout {
    int64_t lmax, mmax; /* mmax: the largest order, mres times what callers say */
    int64_t mres;       /* orders are multiples of it */
    int64_t stride;     /* != 0, may be negative */
    int64_t size;       /* complex numbers an array needs */
    int64_t *mstart;    /* of each order; negative ones are fine where every index is >= 0 */
};

/* mstart of an order that the layout has not: it is no multiple of mres, or another rank has it
 * (src/sht/share.h). */
#define ARMILLA_ALM_ELSEWHERE INT64_MIN

static inline int armilla_alm_layout_has(const armilla_alm_layout *layout, int64_t m)
{
    return layout->mstart[m] != ARMILLA_ALM_ELSEWHERE;
}

/* Returned: *copy  new; free with armilla_alm_layout_free. Errors: MEMORY. */
armilla_status armilla_alm_layout_copy(const armilla_alm_layout *layout, armilla_alm_layout **copy);

/* Are the coefficients of each order neighbours, those of the next one behind them? Then the rows
 * may hold other things until they are written. */
int armilla_alm_layout_has_rows(const armilla_alm_layout *layout);

/* ARMILLA_ERROR_ARGUMENT unless there can be such orders; name: of mres. */
armilla_status armilla_alm_check_mres(const char *name, int64_t lmax, int64_t mmax, int64_t mres);

/* ARMILLA_ERROR_ARGUMENT by name if array is NULL. */
armilla_status armilla_alm_check_array(const char *name, const void *array);

/* Doubles in the real packing of an order. */
static inline int64_t armilla_alm_real_length(int64_t lmax, int64_t m)
{
    return (m > 0 ? 2 : 1) * (lmax - m + 1);
}

/* Doubles in the real packing: 2 armilla_alm_size(lmax, mmax) - (lmax + 1), where all orders are
 * there. */
int64_t armilla_alm_real_size(const armilla_alm_layout *layout);

/* The real packing of armilla/alm.h, from and to any layout; places of the array that hold no
 * (l, m) of the layout are neither read nor written. */
void armilla_alm_pack(const armilla_alm_layout *layout, const double *alm, double *real);
void armilla_alm_unpack(const armilla_alm_layout *layout, const double *real, double *alm);

#endif
