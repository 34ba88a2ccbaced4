/* Truncation ring by ring: the limit of a pair, the largest order that matters on it, is lowered to
 * what options ask for. All stages write and read entries up to that limit alone, so that synthesis
 * has zeros above it, and analysis takes nothing from there. Limits of pairs rise from the poles to
 * the equator, and both rings of a pair have the same one. */
#include "sht/ring_orders.h"

#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "sht/choose.h"

static armilla_status check_list(const armilla_grid *grid, const armilla_sht_options *options)
{
    const int listed = options->ring_orders == ARMILLA_RING_ORDERS_LISTED;
    if (listed && !options->ring_limits)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->ring_limits = NULL: must be a list where ring_orders is "
                            "ARMILLA_RING_ORDERS_LISTED");
    if (!listed && options->ring_limits)
        return armilla_fail_argument("options->ring_orders", (int64_t)options->ring_orders,
                                     "must be ARMILLA_RING_ORDERS_LISTED with ring_limits");
    for (int64_t r = 0; listed && r < grid->nrings; r++)
        if (options->ring_limits[r] < 0)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "options->ring_limits[%lld] = %lld: must be at least 0",
                                (long long)r, (long long)options->ring_limits[r]);
    return ARMILLA_OK;
}

armilla_status armilla_ring_orders_check(const armilla_grid *grid, int64_t lmax,
                                         const armilla_sht_options *options)
{
    armilla_status status = check_list(grid, options);
    if (status || options->ring_orders == ARMILLA_RING_ORDERS_ALL) return status;
    if (options->device != ARMILLA_CPU)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->ring_orders: must be ARMILLA_RING_ORDERS_ALL on a GPU");
    if (options->mres != 1)
        return armilla_fail_argument("options->ring_orders", (int64_t)options->ring_orders,
                                     "must be ARMILLA_RING_ORDERS_ALL with mres");
    if (options->method == ARMILLA_SHT_RESAMPLE)
        return armilla_fail_argument("options->ring_orders", (int64_t)options->ring_orders,
                                     "must be ARMILLA_RING_ORDERS_ALL with ARMILLA_SHT_RESAMPLE");
    if (armilla_sht_mixes_rings(grid, lmax))
        return armilla_fail_argument("options->ring_orders", (int64_t)options->ring_orders,
                                     "must be ARMILLA_RING_ORDERS_ALL on this grid, whose analysis "
                                     "mixes rings");
    return ARMILLA_OK;
}

static armilla_status fail_list(int64_t ring, const int64_t *limits, const char *rule)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->ring_limits[%lld] = %lld: %s",
                        (long long)ring, (long long)limits[ring], rule);
}

/* The limit of one pair. Given: before  that of the pair nearer to the pole. */
static armilla_status limit_of_pair(const armilla_ring_pairs *pairs, int64_t i,
                                    const int64_t *limits, int64_t *before)
{
    const int64_t north = pairs->north[i], south = pairs->south[i];
    const int64_t ring = north >= 0 ? north : south;
    if (north >= 0 && south >= 0 && limits[north] != limits[south])
        return fail_list(south, limits, "must be that of the ring's mirror image");
    if (limits[ring] < *before)
        return fail_list(ring, limits, "must not fall from a pole to the equator");
    *before = limits[ring];
    return ARMILLA_OK;
}

static armilla_status cut(const int64_t *limits, armilla_ring_pairs *pairs)
{
    int64_t before = 0;
    for (int64_t i = 0; i < pairs->count; i++) {
        const armilla_status status = limit_of_pair(pairs, i, limits, &before);
        if (status) return status;
        pairs->limit[i] = armilla_smaller(pairs->limit[i], before);
    }
    return ARMILLA_OK;
}

armilla_status armilla_ring_orders_cut(const armilla_sht_options *options, armilla_sht *sht)
{
    const int64_t lmax = sht->layout->lmax, mmax = sht->layout->mmax;
    int64_t *limits = NULL;
    armilla_status status = ARMILLA_OK;
    if (options->ring_orders == ARMILLA_RING_ORDERS_ALL) return ARMILLA_OK;
    if ((status = armilla_allocate(&limits, sht->grid->nrings, sizeof *limits))) return status;
    if (options->ring_orders == ARMILLA_RING_ORDERS_ECTRANS)
        status = armilla_grid_ectrans_limits(sht->grid, lmax, limits);
    for (int64_t r = 0; options->ring_limits && r < sht->grid->nrings; r++)
        limits[r] = options->ring_limits[r];
    if (!status) status = cut(limits, &sht->pairs);
    sht->cuts_orders = armilla_grid_misses_orders(sht->grid, lmax, mmax, limits);
    armilla_release(limits);
    return status;
}
