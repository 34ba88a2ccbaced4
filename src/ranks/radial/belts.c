/* Deals belts: cuts the pairs of rings, from the poles to the equator, into as many runs as there
 * are ranks, which take about as long and have about as many pixels. */
#include "ranks/radial/radial.h"

#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "leg/pairs.h"
#include "radial/method.h"
#include "ranks/digest.h"

/* Rings whose colatitudes differ by less stay together: as images of each other they may be matched
 * one way or the other. Radians. */
static const double SAME = 1e-9;

/* What a pair takes of all work and of all pixels, so that neither of them is much more than 2 /
 * nranks of the whole. */
static void find_shares(const armilla_grid *grid, const double *seconds,
                        const armilla_ring_pairs *pairs, double *share)
{
    double all = 0, npix = 0;
    for (int64_t r = 0; r < grid->nrings; r++)
        all += seconds[r], npix += (double)grid->rings[r].nphi;
    for (int64_t p = 0; p < pairs->count; p++) {
        const int64_t ring[2] = {pairs->north[p], pairs->south[p]};
        share[p] = 0;
        for (int k = 0; k < 2; k++)
            if (ring[k] >= 0)
                share[p] += (seconds[ring[k]] / all + (double)grid->rings[ring[k]].nphi / npix) / 2;
    }
}

/* The first pair at or behind `pair` that may begin a belt. */
static int64_t find_cut(const armilla_ring_pairs *pairs, int64_t pair)
{
    while (pair > 0 && pair < pairs->count && pairs->theta[pair] - pairs->theta[pair - 1] < SAME)
        pair++;
    return pair;
}

/* A belt begins where the shares of the pairs before it, and half of the next one, are as much as
 * those of the ranks before. */
static void cut(const armilla_ring_pairs *pairs, const double *share, int64_t rank, int64_t nranks,
                armilla_belt *belt)
{
    uint64_t digest = armilla_digest_start;
    double before = 0;
    int64_t pair = 0;
    for (int64_t k = 0; k <= nranks; k++) {
        const double wanted = (double)k / (double)nranks;
        while (pair < pairs->count && (k == nranks || before + share[pair] / 2 < wanted))
            before += share[pair++];
        for (const int64_t end = find_cut(pairs, pair); pair < end; pair++) before += share[pair];
        if (k == rank) belt->begin = pair;
        if (k == rank + 1) belt->end = pair;
        digest = armilla_digest_add(digest, pair);
    }
    belt->digest = armilla_digest_end(digest);
}

static void mark(const armilla_grid *grid, const armilla_ring_pairs *pairs, armilla_belt *belt)
{
    for (int64_t p = belt->begin; p < belt->end; p++) {
        if (pairs->north[p] >= 0) belt->mine[pairs->north[p]] = 1;
        if (pairs->south[p] >= 0) belt->mine[pairs->south[p]] = 1;
    }
    armilla_radial_place_rings(grid, belt->mine, belt->places);
}

/* room: [2][rings] */
static armilla_status deal(const armilla_radial *radial, int64_t rank, int64_t nranks, double *room,
                           armilla_belt *belt)
{
    const armilla_grid *grid = radial->grid;
    double *theta;
    armilla_ring_pairs pairs;
    armilla_status status = armilla_grid_copy_theta(grid, &theta);
    if (status) return status;
    status = armilla_ring_pairs_make(grid->nrings, theta, 0, 0, 0, &pairs);
    armilla_release(theta);
    if (status) return status;
    armilla_radial_ring_seconds(armilla_radial_maker(radial), room);
    find_shares(grid, room, &pairs, room + grid->nrings);
    cut(&pairs, room + grid->nrings, rank, nranks, belt);
    mark(grid, &pairs, belt);
    armilla_ring_pairs_clear(&pairs);
    return ARMILLA_OK;
}

armilla_status armilla_belt_make(const armilla_radial *radial, int64_t rank, int64_t nranks,
                                 armilla_belt *belt)
{
    const int64_t nrings = radial->grid->nrings;
    double *room;
    armilla_status status = armilla_allocate(&room, 2 * nrings, sizeof *room);
    if (status) return status;
    *belt = (armilla_belt){.begin = 0};
    if (!(status = armilla_allocate_zero(&belt->mine, nrings, sizeof *belt->mine)) &&
        !(status = armilla_allocate(&belt->places, nrings, sizeof *belt->places)))
        status = deal(radial, rank, nranks, room, belt);
    armilla_release(room);
    return status;
}

void armilla_belt_clear(armilla_belt *belt)
{
    armilla_release(belt->mine), armilla_release(belt->places);
    *belt = (armilla_belt){.begin = 0};
}
