/* Pairs of rings, a northern and a southern one, and the orders that matter on them. They depend on
 * the colatitudes and the band limit only: every stage, instruction set and machine has the same
 * ones. The Legendre stage needs rings that mirror each other at the equator; the other stages take
 * any two. */
#ifndef ARMILLA_LEG_PAIRS_H
#define ARMILLA_LEG_PAIRS_H

#include "base/status.h"

typedef struct armilla_ring_pairs {
    int64_t count;
    int64_t *north, *south; /* ring numbers; -1: missing */
    double *theta;          /* of the northern ring, rising: from the poles to the equator */
    double *south_theta;    /* pi minus the colatitude of the southern ring: theta, if they mirror
                               each other, or if one is missing */
    int64_t *limit;         /* the largest order that matters, docs/mathematics.md (2.16); rising */
    int64_t
        step; /* legs of the pairs have the orders 0, step, 2 step, ...; 1 unless a plan sets it */
} armilla_ring_pairs;

/* Matches rings that mirror each other, and sorts them.
 * Given:    theta[nrings] in [0, pi], radians;  0 <= mmax <= lmax;  spin, of any sign.
 * Returned: *pairs  filled; clear with armilla_ring_pairs_clear.
 * Errors:   MEMORY; *pairs is empty then. */
armilla_status armilla_ring_pairs_make(int64_t nrings, const double *theta, int64_t lmax,
                                       int64_t mmax, int64_t spin, armilla_ring_pairs *pairs);

/* The same, and northern and southern rings that are alone then become pairs, in sequence: half of
 * leg on grids whose rings have no mirror images, such as MW. An order matters on a pair if it does
 * on one of its rings. */
armilla_status armilla_ring_pairs_make_any(int64_t nrings, const double *theta, int64_t lmax,
                                           int64_t mmax, int64_t spin, armilla_ring_pairs *pairs);

/* Room for pairs that the caller fills. Errors: MEMORY; *pairs is empty then. */
armilla_status armilla_ring_pairs_allocate(int64_t count, armilla_ring_pairs *pairs);

/* The pairs first, first + step, ... of others. Errors: MEMORY; *pairs is empty then. */
armilla_status armilla_ring_pairs_take(const armilla_ring_pairs *from, int64_t first, int64_t step,
                                       armilla_ring_pairs *pairs);

/* The pairs of a list. Errors: as above. */
armilla_status armilla_ring_pairs_take_listed(const armilla_ring_pairs *from, int64_t count,
                                              const int64_t *list, armilla_ring_pairs *pairs);

/* How many of a leg's orders matter on a pair, 0, step, ...; all but ORDERS_LISTED. */
static inline int64_t armilla_ring_pairs_orders(const armilla_ring_pairs *pairs, int64_t pair)
{
    return pairs->limit[pair] / pairs->step + 1;
}

/* Frees what the struct holds and empties it. */
void armilla_ring_pairs_clear(armilla_ring_pairs *pairs);

/* The first pair on which order m matters: it matters on all behind. count: on none. */
int64_t armilla_ring_pairs_first(const armilla_ring_pairs *pairs, int64_t m);

int64_t armilla_ring_pairs_bytes(const armilla_ring_pairs *pairs);

#endif
