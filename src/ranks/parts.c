/* Tells what each rank of a distribution has. See armilla/distribution.h. */
#include "ranks/distribution.h"

#include "base/integer.h"

static int has_rank(const armilla_distribution *d, int64_t rank)
{
    return d && rank >= 0 && rank < d->nranks;
}

static int64_t copy_list(const armilla_owned *owned, int64_t member, int64_t *list)
{
    const int64_t first = owned->start[member], count = owned->start[member + 1] - first;
    for (int64_t i = 0; i < count && list; i++) list[i] = owned->list[first + i];
    return count;
}

int64_t armilla_distribution_nranks(const armilla_distribution *distribution)
{
    return distribution ? distribution->nranks : -1;
}

int64_t armilla_distribution_orders(const armilla_distribution *distribution, int64_t rank,
                                    int64_t *orders)
{
    if (!has_rank(distribution, rank)) return -1;
    return copy_list(&distribution->orders, armilla_distribution_member(distribution, rank),
                     orders);
}

int64_t armilla_distribution_rings(const armilla_distribution *distribution, int64_t rank,
                                   int64_t *rings)
{
    if (!has_rank(distribution, rank)) return -1;
    return copy_list(&distribution->rings, armilla_distribution_member(distribution, rank), rings);
}

int64_t armilla_distribution_alm_size(const armilla_distribution *distribution, int64_t rank)
{
    if (!has_rank(distribution, rank)) return -1;
    return distribution->orders.size[armilla_distribution_member(distribution, rank)];
}

int64_t armilla_distribution_npix(const armilla_distribution *distribution, int64_t rank)
{
    if (!has_rank(distribution, rank)) return -1;
    return distribution->rings.size[armilla_distribution_member(distribution, rank)];
}

int64_t armilla_distribution_alm_index(const armilla_distribution *distribution, int64_t rank,
                                       int64_t l, int64_t m)
{
    const armilla_distribution *d = distribution;
    if (!has_rank(d, rank) || m < 0 || m > d->mmax || l < m || l > d->lmax) return -1;
    if (d->orders.member[m] != armilla_distribution_member(d, rank)) return -1;
    return d->orders.place[m] + l - m;
}

int64_t armilla_distribution_ring_offset(const armilla_distribution *distribution, int64_t rank,
                                         int64_t ring)
{
    const armilla_distribution *d = distribution;
    if (!has_rank(d, rank) || ring < 0 || ring >= d->rings.count) return -1;
    if (d->rings.member[ring] != armilla_distribution_member(d, rank)) return -1;
    return d->rings.place[ring];
}

int64_t armilla_distribution_fields(const armilla_distribution *distribution, int64_t rank,
                                    int64_t nfields, int64_t *first)
{
    if (!has_rank(distribution, rank) || nfields < 0) return -1;
    const int64_t groups = distribution->nranks / distribution->nmembers;
    const int64_t group = rank / distribution->nmembers;
    const int64_t each = nfields / groups, more = nfields % groups;
    if (first) *first = group * each + armilla_smaller(group, more);
    return each + (group < more);
}

int64_t armilla_distribution_order_cost(const armilla_distribution *distribution, int64_t rank)
{
    if (!has_rank(distribution, rank)) return -1;
    return distribution->orders.cost[armilla_distribution_member(distribution, rank)];
}

int64_t armilla_distribution_ring_cost(const armilla_distribution *distribution, int64_t rank)
{
    if (!has_rank(distribution, rank)) return -1;
    return distribution->rings.cost[armilla_distribution_member(distribution, rank)];
}
