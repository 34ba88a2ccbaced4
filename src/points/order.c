/* See order.h. Sorting by counting: one pass counts the points of each tile, a second one puts them
 * there, in the caller's sequence within a tile. */
#include "points/order.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const long double PI = 3.14159265358979323846264338327950288L;

static armilla_points_scale make_scale(long double samples_per_radian)
{
    const double high = (double)samples_per_radian;
    return (armilla_points_scale){high, (double)(samples_per_radian - high)};
}

/* Points are placed by some at a time. */
enum { CHUNK = 512 };

typedef struct {
    const armilla_points_kernels *kernels;
    armilla_points_tiling tiling;
    const double *points;
    int64_t count; /* of all */
    double near[2 * CHUNK], u[CHUNK], v[CHUNK];
    int64_t tile[CHUNK];
} placing;

/* The points first .. first + CHUNK - 1, as far as there are. Returns how many. Angles of more
 * turns than doubles can count are reduced. */
static int64_t place_some(placing *p, int64_t first)
{
    const int64_t rest = p->count - first, count = rest < CHUNK ? rest : CHUNK;
    const double *points = p->points + 2 * first;
    int far = 0;
    for (int64_t i = 0; i < count; i++) far |= fabs(points[2 * i + 1]) > 1e5;
    if (far) {
        for (int64_t i = 0; i < count; i++) {
            p->near[2 * i] = points[2 * i];
            p->near[2 * i + 1] = (double)fmodl(points[2 * i + 1], 2 * PI);
        }
        points = p->near;
    }
    p->kernels->place(&p->tiling, count, points, p->u, p->v, p->tile);
    return count;
}

armilla_status armilla_points_check(int64_t count, const double *points)
{
    for (int64_t i = 0; i < count; i++) {
        const double theta = points[2 * i], phi = points[2 * i + 1];
        if (!(theta >= 0 && theta <= M_PI))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "points: theta of point %lld = %.17g: must be 0 to pi",
                                (long long)i, theta);
        if (!isfinite(phi))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "points: phi of point %lld = %.17g: must be finite", (long long)i,
                                phi);
    }
    return ARMILLA_OK;
}

armilla_points_extent armilla_points_extent_of(int64_t count, const double *points)
{
    armilla_points_extent extent = {M_PI, 0, M_PI_2};
    if (count == 0) return (armilla_points_extent){0, M_PI, 0};
    for (int64_t i = 0; i < count; i++) {
        const double theta = points[2 * i], distance = fabs(theta - M_PI_2);
        extent.north = theta < extent.north ? theta : extent.north;
        extent.south = theta > extent.south ? theta : extent.south;
        extent.from_equator = distance < extent.from_equator ? distance : extent.from_equator;
    }
    return extent;
}

/* start[tile + 1] = points of the tile, then where each tile begins; after fill, where it ends. */
static void count_tiles(placing *p, int64_t *start)
{
    const int64_t tiles = 2 * p->tiling.nbands * p->tiling.ntiles;
    memset(start, 0, (size_t)(tiles + 1) * sizeof *start);
    for (int64_t first = 0; first < p->count; first += CHUNK) {
        const int64_t count = place_some(p, first);
        for (int64_t i = 0; i < count; i++) start[p->tile[i] + 1]++;
    }
    for (int64_t i = 0; i < tiles; i++) start[i + 1] += start[i];
}

static void fill(placing *p, armilla_points_order *order)
{
    const int64_t tiles = 2 * order->nbands * order->ntiles;
    int64_t *start = order->start;
    for (int64_t first = 0; first < p->count; first += CHUNK) {
        const int64_t count = place_some(p, first);
        for (int64_t i = 0; i < count; i++) {
            const int64_t at = start[p->tile[i]]++;
            order->u[at] = p->u[i], order->v[at] = p->v[i];
            order->place[at] = (uint32_t)(first + i);
        }
    }
    memmove(start + 1, start, (size_t)tiles * sizeof *start);
    start[0] = 0;
}

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

armilla_status armilla_points_order_make(const armilla_points_kernels *kernels,
                                         const armilla_sampling *sampling, int64_t count,
                                         const double *points, armilla_points_order *order)
{
    const int64_t half = (sampling->nrings + 1) / 2;
    *order = (armilla_points_order){.count = count,
                                    .nrings = sampling->nrings,
                                    .nbands = (half + ARMILLA_TILE_RINGS - 1) / ARMILLA_TILE_RINGS,
                                    .ntiles = (sampling->nphi + ARMILLA_TILE_SAMPLES - 1) /
                                              ARMILLA_TILE_SAMPLES};
    placing *p;
    armilla_status status = armilla_allocate_zero(&p, 1, sizeof *p);
    if (status) return status;
    p->kernels = kernels, p->points = points, p->count = count;
    p->tiling = (armilla_points_tiling){sampling->first,
                                        order->nrings,
                                        sampling->nphi,
                                        order->nbands,
                                        order->ntiles,
                                        make_scale((long double)sampling->whole / PI),
                                        make_scale((long double)sampling->nphi / (2 * PI))};
    if (!(status = allocate_order(order))) {
        count_tiles(p, order->start);
        fill(p, order);
    }
    armilla_release(p);
    if (status) armilla_points_order_clear(order);
    return status;
}

void armilla_points_order_clear(armilla_points_order *order)
{
    armilla_release(order->u);
    armilla_release(order->v);
    armilla_release(order->place);
    armilla_release(order->start);
    *order = (armilla_points_order){.count = 0};
}

int64_t armilla_points_order_bytes(const armilla_points_order *order)
{
    return order->count * (int64_t)(2 * sizeof(double) + sizeof(uint32_t)) +
           (2 * order->nbands * order->ntiles + 1) * (int64_t)sizeof(int64_t);
}
