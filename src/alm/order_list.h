/* Coefficients of some orders: rows l = m .. lmax of a list, one behind the other. With all orders
 * that is the triangular layout. The functions are the public ones of alm.h, on such rows. */
#ifndef ARMILLA_ALM_ORDER_LIST_H
#define ARMILLA_ALM_ORDER_LIST_H

#include "armilla/alm.h"

typedef struct armilla_order_list {
    int64_t lmax, norders;
    const int64_t *orders; /* NULL: 0 .. norders - 1 */
} armilla_order_list;

static inline int64_t armilla_order_list_at(const armilla_order_list *list, int64_t i)
{
    return list->orders ? list->orders[i] : i;
}

/* Complex numbers of all rows. */
int64_t armilla_order_list_size(const armilla_order_list *list);

armilla_status armilla_order_list_multiply_window(const armilla_order_list *list, int64_t nwindow,
                                                  const double *window, double *alm);
armilla_status armilla_order_list_random(const armilla_order_list *list, int64_t ncl,
                                         const double *cl, uint64_t seed, uint64_t field,
                                         double *alm);
armilla_status armilla_order_list_random_correlated(const armilla_order_list *list, int64_t nfields,
                                                    int64_t ncl, const double *cl, uint64_t seed,
                                                    double *alm);

#endif
