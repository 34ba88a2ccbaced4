/* Tells a rank's rows and rings as spans of whole arrays, and checks spans of the caller's. */
#include "ranks/moves/spans.h"

#include "armilla/alm.h"
#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "ranks/distribution.h"

#include <stdlib.h>

/* --- Checks ---------------------------------------------------------------------------------- */

static armilla_status check_one(const char *name, int64_t i, const armilla_span *span)
{
    const char *wrong = NULL;
    if (span->begin < 0 || span->count < 0 || span->place < 0)
        wrong = "begin, count and place must be 0 or more";
    else if (span->begin > INT64_MAX - span->count || span->place > INT64_MAX - span->count)
        wrong = "numbers go beyond 2^63 - 1";
    if (!wrong) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s[%lld] = {begin %lld, count %lld, place %lld}: %s", name, (long long)i,
                        (long long)span->begin, (long long)span->count, (long long)span->place,
                        wrong);
}

armilla_status armilla_spans_check(const char *name, int64_t count, const armilla_span *spans,
                                   armilla_reach *reach)
{
    armilla_status status = ARMILLA_OK;
    *reach = (armilla_reach){0, 0};
    if (count < 0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "n%s = %lld: must be 0 or more", name,
                            (long long)count);
    if (count > 0) status = armilla_check_given(name, spans);
    for (int64_t i = 0; i < count && !status; i++) {
        status = check_one(name, i, &spans[i]);
        if (status || spans[i].count == 0) continue;
        reach->number = armilla_larger(reach->number, spans[i].begin + spans[i].count);
        reach->place = armilla_larger(reach->place, spans[i].place + spans[i].count);
    }
    return status;
}

static int compare_places(const void *a, const void *b)
{
    const armilla_span *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

armilla_status armilla_spans_check_places(int64_t count, const armilla_span *spans)
{
    armilla_span *sorted;
    int64_t n = 0, twice = -1;
    armilla_status status = armilla_allocate(&sorted, count, sizeof *sorted);
    if (status) return status;
    for (int64_t i = 0; i < count; i++)
        if (spans[i].count > 0) sorted[n++] = spans[i];
    qsort(sorted, (size_t)n, sizeof *sorted, compare_places);
    for (int64_t i = n - 1; i > 0; i--)
        if (sorted[i].place < sorted[i - 1].place + sorted[i - 1].count) twice = sorted[i].place;
    armilla_release(sorted);
    if (twice < 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "to: place %lld is in two spans", (long long)twice);
}

/* --- Lists ----------------------------------------------------------------------------------- */

/* Spans that are filled, or counted where spans = NULL. */
typedef struct {
    armilla_span *spans, last;
    int64_t count;
} list;

static void append(list *l, int64_t begin, int64_t count, int64_t place)
{
    armilla_span *last = &l->last;
    const int joins =
        l->count > 0 && begin == last->begin + last->count && place == last->place + last->count;
    if (joins)
        last->count += count;
    else
        *last = (armilla_span){begin, count, place}, l->count++;
    if (l->spans) l->spans[l->count - 1] = *last;
}

/* The pixels of a ring, which begin at `place` and are neighbours there. */
static void append_ring(list *l, const armilla_grid *grid, int64_t r, int64_t place)
{
    const armilla_ring *ring = &grid->rings[r];
    if (ring->stride == 1) {
        append(l, ring->offset, ring->nphi, place);
        return;
    }
    for (int64_t j = 0; j < ring->nphi; j++)
        append(l, armilla_grid_place(grid, r, j), 1, place + j);
}

int64_t armilla_whole_map_spans(const armilla_grid *grid, armilla_span *spans)
{
    list l = {.spans = spans};
    if (armilla_grid_samples(grid) == grid->npix) {
        append(&l, 0, grid->npix, 0);
        return l.count;
    }
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        const int joined = ring->stride == 1;
        for (int64_t j = 0; j < (joined ? 1 : ring->nphi); j++) {
            const int64_t number = armilla_grid_place(grid, r, j);
            append(&l, number, joined ? ring->nphi : 1, number);
        }
    }
    return l.count;
}

int64_t armilla_rings_map_spans(const armilla_grid *grid, const int64_t *places,
                                armilla_span *spans)
{
    list l = {.spans = spans};
    for (int64_t r = 0; r < grid->nrings; r++)
        if (places[r] >= 0) append_ring(&l, grid, r, places[r]);
    return l.count;
}

int64_t armilla_distribution_map_spans(const armilla_distribution *distribution, int64_t rank,
                                       armilla_span *spans)
{
    const armilla_distribution *d = distribution;
    if (armilla_distribution_npix(d, rank) < 0) return -1;
    const armilla_owned *rings = &d->rings;
    const int64_t member = armilla_distribution_member(d, rank);
    list l = {.spans = spans};
    for (int64_t i = rings->start[member]; i < rings->start[member + 1]; i++)
        append_ring(&l, d->grid, rings->list[i], rings->place[rings->list[i]]);
    return l.count;
}

int64_t armilla_distribution_alm_spans(const armilla_distribution *distribution, int64_t rank,
                                       armilla_span *spans)
{
    const armilla_distribution *d = distribution;
    if (armilla_distribution_alm_size(d, rank) < 0) return -1;
    const armilla_owned *orders = &d->orders;
    const int64_t member = armilla_distribution_member(d, rank);
    list l = {.spans = spans};
    for (int64_t i = orders->start[member]; i < orders->start[member + 1]; i++) {
        const int64_t m = orders->list[i];
        append(&l, armilla_alm_index(d->lmax, m, m), d->lmax + 1 - m, orders->place[m]);
    }
    return l.count;
}
