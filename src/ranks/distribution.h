/* Inside of a distribution (armilla/distribution.h). Within a group, members have the orders and
 * the rings; groups are alike. */
#ifndef ARMILLA_RANKS_DISTRIBUTION_H
#define ARMILLA_RANKS_DISTRIBUTION_H

#include "armilla/distribution.h"
#include "armilla/transport.h"
#include "base/status.h"
#include "call/place.h"
#include "ranks/digest.h"

/* Numbers 0 .. count - 1 by owner: those of a member are list[start[member]] .. before
 * list[start[member + 1]], rising. */
typedef struct armilla_owned {
    int64_t count;
    int64_t *member; /* of each number */
    int64_t *list, *start;
    int64_t *place; /* of each number in the member's array: alm index of l = m, or first pixel */
    int64_t *size;  /* of each member's array */
    int64_t *cost;  /* of each member */
} armilla_owned;

/* A number that tells lists of members apart. */
static inline int64_t armilla_owned_digest(const armilla_owned *owned)
{
    return armilla_digest_list(owned->count, owned->member);
}

struct armilla_distribution {
    armilla_grid *grid;
    int64_t lmax, mmax, nranks, nmembers;
    armilla_owned orders, rings;
};

/* Have both the rings of the same grid, on the same ranks? */
int armilla_distribution_same_rings(const armilla_distribution *a, const armilla_distribution *b);

/* Where the samples of each ring begin in a member's map, [nrings]; -1: another member has them.
 * Free it with armilla_release. Errors: MEMORY. */
armilla_status armilla_distribution_places(const armilla_distribution *distribution, int64_t member,
                                           int64_t **places);

/* ARMILLA_ERROR_ARGUMENT for NULL, and unless the distribution is for so many ranks. */
armilla_status armilla_distribution_check(const armilla_distribution *distribution,
                                          const armilla_transport *transport);

/* UNSUPPORTED where ranks have groups, which the operation is not offered to; argument: that is the
 * distribution. */
armilla_status armilla_distribution_check_group(const char *argument,
                                                const armilla_distribution *distribution,
                                                armilla_operation operation);

static inline int64_t armilla_distribution_member(const armilla_distribution *d, int64_t rank)
{
    return rank % d->nmembers;
}

#endif
