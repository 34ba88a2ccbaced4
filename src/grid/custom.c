/* Grids of the caller's rings, and parts of grids. */
#include "base/colatitude.h"
#include "base/memory.h"
#include "grid/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static armilla_status fail_ring(int64_t index, const char *field, const char *rule)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "rings[%lld].%s: %s", (long long)index, field,
                        rule);
}

static armilla_status check_ring(int64_t index, const armilla_ring *ring)
{
    if (!armilla_colatitude_is_good(ring->theta))
        return fail_ring(index, "theta", "must be 0 to pi");
    if (ring->nphi < 1 || ring->nphi > ARMILLA_GRID_COUNT_LIMIT)
        return fail_ring(index, "nphi", "must be 1 to 2^30");
    if (!isfinite(ring->phi0)) return fail_ring(index, "phi0", "must be finite");
    if (!isfinite(ring->weight)) return fail_ring(index, "weight", "must be finite");
    if (ring->offset < 0) return fail_ring(index, "offset", "must be at least 0");
    if (ring->offset == INT64_MAX)
        return fail_ring(index, "offset", "the map's size does not fit in 64 bits");
    if (ring->stride == 0) return fail_ring(index, "stride", "must not be 0");
    int64_t steps = ring->nphi - 1;
    if (steps == 0) return ARMILLA_OK;
    if (ring->stride > 0 && ring->stride > (INT64_MAX - 1 - ring->offset) / steps)
        return fail_ring(index, "stride", "the last pixel's index does not fit in 64 bits");
    if (ring->stride < 0 && ring->stride < -(ring->offset / steps))
        return fail_ring(index, "stride", "the last pixel's index is negative");
    return ARMILLA_OK;
}

/* Smallest and largest index of a ring. */
typedef struct span {
    int64_t first, last, ring;
} span;

static span span_of(const armilla_ring *ring, int64_t index)
{
    int64_t end = ring->offset + (ring->nphi - 1) * ring->stride;
    return ring->stride > 0 ? (span){ring->offset, end, index} : (span){end, ring->offset, index};
}

static int compare_spans(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->ring > y->ring) - (x->ring < y->ring);
}

static int compare_indices(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static armilla_status fail_shared(int64_t pixel)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "rings: two pixels share the index %lld",
                        (long long)pixel);
}

/* Rings that interleave densely: one bit per index. */
static armilla_status check_with_bits(const armilla_ring *rings, int64_t count, const span *spans,
                                      int64_t extent)
{
    uint64_t *bits;
    armilla_status status = armilla_allocate_zero(&bits, extent / 64 + 1, sizeof *bits);
    for (int64_t i = 0; i < count && !status; i++) {
        const armilla_ring *ring = &rings[spans[i].ring];
        for (int64_t j = 0; j < ring->nphi && !status; j++) {
            int64_t pixel = ring->offset + j * ring->stride, place = pixel - spans[0].first;
            uint64_t bit = (uint64_t)1 << (place % 64);
            if (bits[place / 64] & bit) status = fail_shared(pixel);
            bits[place / 64] |= bit;
        }
    }
    armilla_release(bits);
    return status;
}

/* Rings that interleave over a range much larger than their pixels: sorted indices. */
static armilla_status check_by_sorting(const armilla_ring *rings, int64_t count, const span *spans,
                                       int64_t npixels)
{
    int64_t *indices, filled = 0;
    armilla_status status = armilla_allocate(&indices, npixels, sizeof *indices);
    if (status) return status;
    for (int64_t i = 0; i < count; i++) {
        const armilla_ring *ring = &rings[spans[i].ring];
        for (int64_t j = 0; j < ring->nphi; j++)
            indices[filled++] = ring->offset + j * ring->stride;
    }
    qsort(indices, (size_t)npixels, sizeof *indices, compare_indices);
    for (int64_t i = 1; i < npixels && !status; i++)
        if (indices[i] == indices[i - 1]) status = fail_shared(indices[i]);
    armilla_release(indices);
    return status;
}

/* Looks for shared indices among rings whose spans overlap. */
static armilla_status check_cluster(const armilla_ring *rings, int64_t count, const span *spans,
                                    int64_t last)
{
    if (count == 1) return ARMILLA_OK;
    int64_t npixels = 0, extent = last - spans[0].first + 1;
    for (int64_t i = 0; i < count; i++) npixels += rings[spans[i].ring].nphi;
    if (extent / 64 <= npixels) return check_with_bits(rings, count, spans, extent);
    return check_by_sorting(rings, count, spans, npixels);
}

/* Sorts the rings' spans, and examines each group of overlapping ones. */
static armilla_status check_pixels_distinct(int64_t nrings, const armilla_ring *rings)
{
    span *spans;
    armilla_status status = armilla_allocate(&spans, nrings, sizeof *spans);
    if (status) return status;
    for (int64_t r = 0; r < nrings; r++) spans[r] = span_of(&rings[r], r);
    qsort(spans, (size_t)nrings, sizeof *spans, compare_spans);
    int64_t begin = 0;
    while (begin < nrings && !status) {
        int64_t end = begin + 1, last = spans[begin].last;
        while (end < nrings && spans[end].first <= last) {
            if (spans[end].last > last) last = spans[end].last;
            end++;
        }
        status = check_cluster(rings, end - begin, spans + begin, last);
        begin = end;
    }
    armilla_release(spans);
    return status;
}

armilla_status armilla_grid_new_custom(int64_t nrings, const armilla_ring *rings,
                                       armilla_grid **grid)
{
    armilla_grid *made = NULL;
    armilla_status status = armilla_grid_check_count("nrings", nrings, 1);
    if (!status) status = armilla_check_given("rings", rings);
    if (!status) status = armilla_check_given("grid", grid);
    for (int64_t r = 0; r < nrings && !status; r++) status = check_ring(r, &rings[r]);
    if (!status) status = check_pixels_distinct(nrings, rings);
    if (!status) status = armilla_grid_allocate(ARMILLA_GRID_CUSTOM, nrings, &made);
    if (status) return status;
    memcpy(made->rings, rings, (size_t)nrings * sizeof *rings);
    for (int64_t r = 0; r < nrings; r++) {
        made->rings[r].theta = armilla_colatitude_taken(rings[r].theta);
        int64_t last = span_of(&rings[r], r).last;
        if (last >= made->npix) made->npix = last + 1;
    }
    *grid = made;
    return ARMILLA_OK;
}

/* A compact part numbers its pixels ring after ring. */
armilla_status armilla_grid_new_subset(const armilla_grid *grid, int64_t first, int64_t count,
                                       int compact, armilla_grid **subset)
{
    if (!grid) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid = NULL: must be a grid");
    if (first < 0 || first >= grid->nrings)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "first = %lld: must be 0 to %lld",
                            (long long)first, (long long)grid->nrings - 1);
    if (count < 1 || count > grid->nrings - first)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "count = %lld: must be 1 to %lld",
                            (long long)count, (long long)(grid->nrings - first));
    armilla_grid *made;
    armilla_status status = armilla_check_given("subset", subset);
    if (!status && !compact)
        status = armilla_grid_refuse_nested(grid, "a subset that keeps the places of the map");
    if (!status) status = armilla_grid_allocate(ARMILLA_GRID_CUSTOM, count, &made);
    if (status) return status;
    memcpy(made->rings, grid->rings + first, (size_t)count * sizeof *made->rings);
    made->npix = grid->npix;
    if (compact) status = armilla_grid_number_pixels(made);
    if (compact && grid->has_layout) made->layout.phi0 = grid->layout.phi0;
    if (status)
        armilla_grid_free(made);
    else
        *subset = made;
    return status;
}
