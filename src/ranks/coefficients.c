/* What ranks do with their own coefficients, without asking others: windows, random fields. */
#include "alm/order_list.h"
#include "armilla/distributed.h"
#include "ranks/distribution.h"

/* The orders of a rank. Errors: ARGUMENT. */
static armilla_status find_orders(const armilla_distribution *d, int64_t rank,
                                  armilla_order_list *list)
{
    const armilla_status status = armilla_check_given("distribution", d);
    if (status) return status;
    if (rank < 0 || rank >= d->nranks)
        return armilla_fail_argument("rank", rank, "must be a rank of the distribution");
    const int64_t member = armilla_distribution_member(d, rank);
    const int64_t first = d->orders.start[member];
    *list =
        (armilla_order_list){d->lmax, d->orders.start[member + 1] - first, d->orders.list + first};
    return ARMILLA_OK;
}

armilla_status armilla_distribution_multiply_window(const armilla_distribution *distribution,
                                                    int64_t rank, int64_t nwindow,
                                                    const double *window, double *alm)
{
    armilla_order_list list;
    const armilla_status status = find_orders(distribution, rank, &list);
    return status ? status : armilla_order_list_multiply_window(&list, nwindow, window, alm);
}

armilla_status armilla_distribution_random(const armilla_distribution *distribution, int64_t rank,
                                           int64_t ncl, const double *cl, uint64_t seed,
                                           uint64_t field, double *alm)
{
    armilla_order_list list;
    const armilla_status status = find_orders(distribution, rank, &list);
    return status ? status : armilla_order_list_random(&list, ncl, cl, seed, field, alm);
}

armilla_status armilla_distribution_random_correlated(const armilla_distribution *distribution,
                                                      int64_t rank, int64_t nfields, int64_t ncl,
                                                      const double *cl, uint64_t seed, double *alm)
{
    armilla_order_list list;
    const armilla_status status = find_orders(distribution, rank, &list);
    return status ? status
                  : armilla_order_list_random_correlated(&list, nfields, ncl, cl, seed, alm);
}
