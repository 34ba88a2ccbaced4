/* Sorts points so that neighbours in the new sequence look at the same samples, which then stay in
 * the caches. The sort is by counting, twice: points go to their bands, whose ends fit into the
 * first-level cache, then those of a band, which fit into the second, to their tiles; in the
 * caller's sequence within a tile. Put to their tiles at once they took twice as long: there are
 * thousands of tiles.
 *
 * Several threads have a slice of the points each, whose places in each band are behind those of
 * the slices before it, then a band each. The sequence does not depend on the number of slices. */
#include "points/order.h"

#include "base/angle.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const long double PI = 3.14159265358979323846264338327950288L;

/* Points are looked at by some at a time: a whole number of vectors. */
enum { CHUNK = 512, SLICE = 1 << 16 };

/* --- Sorting ---------------------------------------------------------------------------------- */

static armilla_points_scale make_scale(long double samples_per_radian)
{
    const double high = (double)samples_per_radian;
    return (armilla_points_scale){high, (double)(samples_per_radian - high)};
}

/* What one thread works on. */
typedef struct {
    _Alignas(64) double near[2 * CHUNK], band[CHUNK], tile[CHUNK], u[CHUNK], v[CHUNK];
} chunk;

typedef struct {
    const armilla_points_locations *from;
    armilla_points_order *to;
    armilla_points_tiling tiling;
    int nthreads;
    int64_t nslices, nbands; /* of both hemispheres */
    int64_t *next;           /* [nslices][nbands]: points of the slice, then where they go */
    int64_t *begin;          /* of each band, and the end */
    uint32_t *tile;          /* of the points of bands */
    int64_t most;            /* points of a band */
    chunk *chunks;           /* [nthreads], as the rest: a band as it was, where tiles go */
    double *u, *v;
    uint32_t *place;
    int64_t *end;
} sorting;

static int64_t slice_begin(const sorting *s, int64_t slice)
{
    return (int64_t)((double)s->from->count / (double)s->nslices * (double)slice);
}

static int64_t slice_end(const sorting *s, int64_t slice)
{
    return slice + 1 < s->nslices ? slice_begin(s, slice + 1) : s->from->count;
}

static void count_bands(void *context, int64_t slice, int thread)
{
    const sorting *s = context;
    const int64_t end = slice_end(s, slice);
    double *band = s->chunks[thread].band;
    int64_t *count = s->next + slice * s->nbands;
    memset(count, 0, (size_t)s->nbands * sizeof *count);
    for (int64_t i = slice_begin(s, slice); i < end; i += CHUNK) {
        const int64_t some = end - i < CHUNK ? end - i : CHUNK;
        s->from->kernels->bands(&s->tiling, some, s->from->points + 2 * i, band);
        for (int64_t k = 0; k < some; k++) count[(int64_t)band[k]]++;
    }
}

/* Where bands begin, and those of each slice in them. */
static void number_bands(sorting *s)
{
    int64_t next = 0;
    for (int64_t b = 0; b < s->nbands; b++) {
        s->begin[b] = next;
        for (int64_t slice = 0; slice < s->nslices; slice++) {
            int64_t *of_slice = &s->next[slice * s->nbands + b], count = *of_slice;
            *of_slice = next, next += count;
        }
        s->most = next - s->begin[b] > s->most ? next - s->begin[b] : s->most;
    }
    s->begin[s->nbands] = next;
}

/* Angles of more turns than doubles can count are reduced. */
static const double *near_points(const sorting *s, int64_t count, const double *points,
                                 double *near)
{
    if (s->from->bounds.phi <= 1e5) return points;
    for (int64_t i = 0; i < count; i++) {
        const double phi = points[2 * i + 1];
        near[2 * i] = points[2 * i];
        near[2 * i + 1] = fabs(phi) > 1e5 ? armilla_angle_reduce(phi, NULL) : phi;
    }
    return near;
}

static void fill_bands(void *context, int64_t slice, int thread)
{
    const sorting *s = context;
    armilla_points_order *to = s->to;
    chunk *c = &s->chunks[thread];
    const armilla_points_placed placed = {c->band, c->tile, c->u, c->v};
    const int64_t end = slice_end(s, slice);
    int64_t *next = s->next + slice * s->nbands;
    for (int64_t i = slice_begin(s, slice); i < end; i += CHUNK) {
        const int64_t some = end - i < CHUNK ? end - i : CHUNK;
        const double *points = near_points(s, some, s->from->points + 2 * i, c->near);
        s->from->kernels->place(&s->tiling, some, points, &placed);
        for (int64_t k = 0; k < some; k++) {
            const int64_t at = next[(int64_t)c->band[k]]++;
            ARMILLA_PREFETCH_WRITE(to->u + at + 8);
            ARMILLA_PREFETCH_WRITE(to->v + at + 8);
            ARMILLA_PREFETCH_WRITE(to->place + at + 16);
            ARMILLA_PREFETCH_WRITE(s->tile + at + 16);
            to->u[at] = c->u[k], to->v[at] = c->v[k];
            to->place[at] = (uint32_t)(i + k), s->tile[at] = (uint32_t)c->tile[k];
        }
    }
}

/* Where the tiles of a band begin, and in *most the points of the fullest. */
static void number_tiles(const sorting *s, int64_t band, int64_t *start, int64_t *most)
{
    const int64_t ntiles = s->to->ntiles;
    memset(start, 0, (size_t)ntiles * sizeof *start);
    for (int64_t i = s->begin[band]; i < s->begin[band + 1]; i++) start[s->tile[i]]++;
    int64_t next = s->begin[band];
    *most = 0;
    for (int64_t t = 0; t < ntiles; t++) {
        const int64_t count = start[t];
        *most = count > *most ? count : *most;
        start[t] = next, next += count;
    }
}

static void sort_band(void *context, int64_t band, int thread)
{
    const sorting *s = context;
    const armilla_points_order *to = s->to;
    const int64_t begin = s->begin[band], count = s->begin[band + 1] - begin;
    int64_t *start = to->start + band * to->ntiles, *next = s->end + thread * to->ntiles, most;
    number_tiles(s, band, start, &most);
    if (most == count) return; /* in one tile */
    double *u = s->u + thread * s->most, *v = s->v + thread * s->most;
    uint32_t *place = s->place + thread * s->most;
    memcpy(u, to->u + begin, (size_t)count * sizeof *u);
    memcpy(v, to->v + begin, (size_t)count * sizeof *v);
    memcpy(place, to->place + begin, (size_t)count * sizeof *place);
    memcpy(next, start, (size_t)to->ntiles * sizeof *next);
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = next[s->tile[begin + i]]++;
        to->u[at] = u[i], to->v[at] = v[i], to->place[at] = place[i];
    }
}

static armilla_status allocate_before(sorting *s)
{
    armilla_status status;
    if ((status = armilla_allocate(&s->chunks, s->nthreads, sizeof *s->chunks)) ||
        (status = armilla_allocate(&s->next, s->nslices * s->nbands, sizeof *s->next)) ||
        (status = armilla_allocate(&s->begin, s->nbands + 1, sizeof *s->begin)))
        return status;
    return armilla_allocate(&s->tile, s->from->count, sizeof *s->tile);
}

static armilla_status allocate_for_bands(sorting *s)
{
    const int64_t count = s->nthreads * s->most;
    armilla_status status;
    if ((status = armilla_allocate(&s->u, count, sizeof *s->u)) ||
        (status = armilla_allocate(&s->v, count, sizeof *s->v)) ||
        (status = armilla_allocate(&s->place, count, sizeof *s->place)))
        return status;
    return armilla_allocate(&s->end, s->nthreads * s->to->ntiles, sizeof *s->end);
}

static void release(sorting *s)
{
    armilla_release(s->chunks);
    armilla_release(s->next);
    armilla_release(s->begin);
    armilla_release(s->tile);
    armilla_release(s->u);
    armilla_release(s->v);
    armilla_release(s->place);
    armilla_release(s->end);
}

static armilla_status sort(sorting *s)
{
    armilla_status status = allocate_before(s);
    if (status) return status;
    armilla_team_run(s->nthreads, s->nslices, count_bands, s);
    number_bands(s);
    if ((status = allocate_for_bands(s))) return status;
    armilla_team_run(s->nthreads, s->nslices, fill_bands, s);
    armilla_team_run(s->nthreads, s->nbands, sort_band, s);
    s->to->start[s->nbands * s->to->ntiles] = s->from->count;
    return ARMILLA_OK;
}

/* --- Turns ------------------------------------------------------------------------------------ */

/* Do most neighbours lie in other cache lines of the caller's arrays? By some of them. Few values
 * stay in the cache wherever they are. */
static int are_scattered(const armilla_points_order *order)
{
    enum { LEAST = 1 << 15, TRIALS = 1024, LINE = 8 };
    int64_t far = 0;
    if (order->count < LEAST) return 0;
    for (int64_t i = 0; i < TRIALS; i++) {
        const int64_t at = order->count / TRIALS * i;
        far += llabs((int64_t)order->place[at + 1] - (int64_t)order->place[at]) > LINE;
    }
    return 2 * far > TRIALS;
}

static void number_slice(void *context, int64_t slice, int thread)
{
    (void)thread;
    enum { AHEAD = 24 };
    const armilla_points_order *order = context;
    const int64_t begin = slice * SLICE, rest = order->count - begin;
    const int64_t end = begin + (rest < SLICE ? rest : SLICE);
    for (int64_t i = begin; i < end; i++) {
        ARMILLA_PREFETCH_WRITE(order->turn + order->place[i + AHEAD < end ? i + AHEAD : i]);
        order->turn[order->place[i]] = (uint32_t)i;
    }
}

/* From places, which they take the place of. 8 ns a point. */
static armilla_status make_turns(armilla_points_order *order, int nthreads)
{
    armilla_status status = armilla_allocate(&order->turn, order->count, sizeof *order->turn);
    if (status) return status;
    armilla_team_run(nthreads, (order->count + SLICE - 1) / SLICE, number_slice, order);
    armilla_release(order->place);
    order->place = NULL;
    return ARMILLA_OK;
}

/* --- Making ----------------------------------------------------------------------------------- */

static armilla_status allocate_order(armilla_points_order *order)
{
    const int64_t count = order->count, tiles = 2 * order->nbands * order->ntiles;
    armilla_status status;
    if ((status = armilla_allocate(&order->u, count, sizeof *order->u)) ||
        (status = armilla_allocate(&order->v, count, sizeof *order->v)) ||
        (status = armilla_allocate(&order->place, count, sizeof *order->place)))
        return status;
    return armilla_allocate(&order->start, tiles + 1, sizeof *order->start);
}

/* No more threads than there are slices worth one. */
static int team_of(int nthreads, int64_t count)
{
    const int64_t slices = count / SLICE + 1;
    nthreads = armilla_team_size(nthreads);
    return nthreads < slices ? nthreads : (int)slices;
}

static int64_t count_tiles(const armilla_sampling *sampling)
{
    return (sampling->nphi + ARMILLA_TILE_SAMPLES - 1) / ARMILLA_TILE_SAMPLES;
}

static armilla_points_tiling make_tiling(const armilla_sampling *sampling)
{
    return (armilla_points_tiling){sampling->first,
                                   sampling->nrings,
                                   sampling->nphi,
                                   armilla_points_count_bands(sampling),
                                   count_tiles(sampling),
                                   make_scale((long double)sampling->whole / PI),
                                   make_scale((long double)sampling->nphi / (2 * PI))};
}

armilla_status armilla_points_find_bands(const armilla_points_locations *locations,
                                         const armilla_sampling *sampling, int64_t *band)
{
    const armilla_points_tiling tiling = make_tiling(sampling);
    chunk *c;
    armilla_status status = armilla_allocate(&c, 1, sizeof *c);
    for (int64_t i = 0; i < locations->count && !status; i += CHUNK) {
        const int64_t some = armilla_smaller(CHUNK, locations->count - i);
        locations->kernels->bands(&tiling, some, locations->points + 2 * i, c->band);
        for (int64_t k = 0; k < some; k++) band[i + k] = (int64_t)c->band[k] % tiling.nbands;
    }
    armilla_release(c);
    return status;
}

armilla_status armilla_points_order_make(const armilla_points_locations *locations,
                                         const armilla_sampling *sampling, int nthreads,
                                         int64_t ncomp, armilla_points_order *order)
{
    *order = (armilla_points_order){.count = locations->count,
                                    .nrings = sampling->nrings,
                                    .nbands = armilla_points_count_bands(sampling),
                                    .ntiles = count_tiles(sampling)};
    sorting s = {.from = locations, .to = order, .nbands = 2 * order->nbands};
    s.nslices = s.nthreads = team_of(nthreads, locations->count);
    s.tiling = make_tiling(sampling);
    armilla_status status = allocate_order(order);
    if (!status) status = sort(&s);
    release(&s);
    if (!status && ncomp == 2 && are_scattered(order)) status = make_turns(order, nthreads);
    if (status) armilla_points_order_clear(order);
    return status;
}

void armilla_points_order_clear(armilla_points_order *order)
{
    armilla_release(order->u);
    armilla_release(order->v);
    armilla_release(order->place);
    armilla_release(order->turn);
    armilla_release(order->start);
    *order = (armilla_points_order){.count = 0};
}

int64_t armilla_points_order_bytes(const armilla_points_order *order)
{
    return order->count * (int64_t)(2 * sizeof(double) + sizeof(uint32_t)) +
           (2 * order->nbands * order->ntiles + 1) * (int64_t)sizeof(int64_t);
}
