/* Sorts points by colatitude into rings, equal colatitudes making one ring, and joins rings that
 * mirror each other into pairs. Which rings are pairs does not depend on the band limit. */
#include "points/latitudes.h"

#include "base/memory.h"

#include <stdlib.h>

/* A point, by its colatitude. */
typedef struct {
    double theta;
    int64_t number;
} row;

static int by_theta(const void *left, const void *right)
{
    const row *a = left, *b = right;
    if (a->theta != b->theta) return a->theta < b->theta ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int by_entry(const void *left, const void *right)
{
    const armilla_latitude_point *a = left, *b = right;
    if (a->entry != b->entry) return a->entry < b->entry ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Rings of the points, each by its number in `entry` for now. */
static armilla_status make_rings(const double *points, armilla_latitudes *made)
{
    const int64_t count = made->npoints;
    row *rows;
    armilla_status status = armilla_allocate(&rows, count, sizeof *rows);
    if (status) return status;
    for (int64_t i = 0; i < count; i++) rows[i] = (row){points[2 * i], i};
    qsort(rows, (size_t)count, sizeof *rows, by_theta);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].theta != rows[i - 1].theta)
            made->theta[made->nrings++] = rows[i].theta;
        made->point[i] = (armilla_latitude_point){made->nrings - 1, rows[i].number,
                                                  points[2 * rows[i].number + 1]};
    }
    armilla_release(rows);
    return ARMILLA_OK;
}

static void sort_by_pairs(const int64_t *entry_of_ring, armilla_latitudes *made)
{
    for (int64_t i = 0; i < made->npoints; i++)
        made->point[i].entry = entry_of_ring[made->point[i].entry];
    qsort(made->point, (size_t)made->npoints, sizeof *made->point, by_entry);
    int64_t point = 0;
    for (int64_t pair = 0; pair <= made->npairs; pair++) {
        while (point < made->npoints && made->point[point].entry < 2 * pair) point++;
        made->first[pair] = point;
    }
}

static armilla_status join_rings(armilla_latitudes *made)
{
    armilla_ring_pairs pairs;
    int64_t *entry = NULL;
    armilla_status status = armilla_ring_pairs_make(made->nrings, made->theta, 0, 0, 0, &pairs);
    if (status) return status;
    made->npairs = pairs.count;
    if (!(status = armilla_allocate(&entry, made->nrings, sizeof *entry)) &&
        !(status = armilla_allocate(&made->first, pairs.count + 1, sizeof *made->first))) {
        for (int64_t i = 0; i < pairs.count; i++) {
            if (pairs.north[i] >= 0) entry[pairs.north[i]] = 2 * i;
            if (pairs.south[i] >= 0) entry[pairs.south[i]] = 2 * i + 1;
        }
        sort_by_pairs(entry, made);
    }
    armilla_release(entry);
    armilla_ring_pairs_clear(&pairs);
    return status;
}

armilla_status armilla_latitudes_make(int64_t npoints, const double *points,
                                      armilla_latitudes *latitudes)
{
    armilla_status status;
    *latitudes = (armilla_latitudes){.npoints = npoints};
    if ((status = armilla_allocate(&latitudes->theta, npoints, sizeof(double))) ||
        (status = armilla_allocate(&latitudes->point, npoints, sizeof *latitudes->point)) ||
        (status = make_rings(points, latitudes)) || (status = join_rings(latitudes)))
        armilla_latitudes_clear(latitudes);
    return status;
}

void armilla_latitudes_clear(armilla_latitudes *latitudes)
{
    armilla_release(latitudes->theta);
    armilla_release(latitudes->point);
    armilla_release(latitudes->first);
    *latitudes = (armilla_latitudes){.npoints = 0};
}

armilla_status armilla_latitudes_count(int64_t npoints, const double *points, int64_t *npairs)
{
    armilla_latitudes latitudes;
    armilla_status status = armilla_latitudes_make(npoints, points, &latitudes);
    if (status) return status;
    *npairs = latitudes.npairs;
    armilla_latitudes_clear(&latitudes);
    return ARMILLA_OK;
}
