/* p of all steps of an order, kept by plans for the largest orders, or for all where the band limit
 * is small: sums have two thirds of the operations of a recurrence, and no starts. Rows of large
 * orders are short, so that starts are much of what they take. kernels.h, armilla_kernel_matrix. */
#include "base/memory.h"
#include "legendre/plan.h"

/* Doubles of the matrices by step (those by place are as large, and a call reads one or the other):
 * 1.2 MB, to stay in a second-level cache of 1 or 2 MB. All orders have one up to lmax 100 or so.
 * With those of all orders at lmax 127, 2.2 MB, a call is faster still while the third level is
 * quiet, but slower than without any where other programs work in it. From lmax 191 on leg and map
 * push them out of the second level, too, between one call and the next: 2 to 8 % slower. */
enum { KEPT_DOUBLES = 160 * 1024, LARGEST_LMAX = 140 };

static int64_t size_by_step(const armilla_legendre *legendre, int64_t m)
{
    const int64_t ncount = ((legendre->top - m) / 2 + 2) / 2 * 2;
    return armilla_round_line(ncount * armilla_legendre_count_places(legendre, m));
}

static int64_t size_of(const armilla_legendre *legendre, int64_t m)
{
    return size_by_step(legendre, m) +
           armilla_legendre_steps(legendre, m) * armilla_legendre_count_places(legendre, m);
}

/* The order from which on matrices are kept, by the size of those of all orders up to lmax,
 * whatever part of them is listed: see plan.h. */
static int64_t find_first(const armilla_legendre *legendre)
{
    const int64_t count = legendre->pairs->count;
    int64_t m = legendre->lmax, pair = count, doubles = 0;
    for (; m >= 0; m--) {
        while (pair > 0 && armilla_legendre_largest_order(legendre, pair - 1) >= m) pair--;
        doubles += armilla_legendre_steps(legendre, m) * (count - pair);
        if (doubles > KEPT_DOUBLES) break;
    }
    return m + 1;
}

armilla_status armilla_legendre_allocate_matrices(armilla_legendre *legendre)
{
    const int64_t orders = legendre->mmax - legendre->mfirst + 1;
    armilla_legendre_matrices *matrices = &legendre->matrices;
    int64_t total = 0;
    matrices->first = legendre->lmax > LARGEST_LMAX ? legendre->lmax + 1 : find_first(legendre);
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++)
        if (m >= matrices->first) total += size_of(legendre, m);
    if (total == 0) return ARMILLA_OK;
    armilla_status status = armilla_allocate_zero(&matrices->values, total, sizeof(double));
    if (status) return status;
    legendre->bytes += 8 * total + orders * (int64_t)sizeof *matrices->orders;
    return armilla_allocate_zero(&matrices->orders, orders, sizeof *matrices->orders);
}

void armilla_legendre_fill_matrix(armilla_legendre *legendre, int64_t m,
                                  armilla_kernel_order *order)
{
    armilla_legendre_matrices *matrices = &legendre->matrices;
    if (!matrices->values || m < matrices->first || !order->starts.step) return;
    const int64_t index = m - legendre->mfirst, first = armilla_legendre_first_place(legendre, m);
    const int64_t places = armilla_legendre_count_places(legendre, m);
    double *by_step = matrices->values + matrices->used;
    double *by_place = by_step + size_by_step(legendre, m);
    matrices->used += size_of(legendre, m);
    order->matrix = (armilla_kernel_matrix){by_step, by_place, first, places};
    for (int64_t g = legendre->least_group[index]; g < legendre->ngroups; g++)
        legendre->kernels->matrix_fill(order, &legendre->groups[g],
                                       by_step + legendre->groups[g].first - first);
    for (int64_t k = 0; k < order->ncount; k++)
        for (int64_t i = 0; i < places; i++)
            by_place[(places - 1 - i) * order->nsteps + k] = by_step[k * places + i];
    matrices->orders[index] = order->matrix;
}

armilla_kernel_matrix armilla_legendre_kept_matrix(const armilla_legendre *legendre, int64_t m)
{
    const armilla_kernel_matrix none = {0};
    const armilla_kernel_matrix *orders = legendre->matrices.orders;
    return orders ? orders[m - legendre->mfirst] : none;
}

void armilla_legendre_free_matrices(armilla_legendre_matrices *matrices)
{
    armilla_release(matrices->values);
    armilla_release(matrices->orders);
}
