/* Where points lie among the samples: see order.h. Rows and columns are made of products in two
 * doubles, so that those relative to a tile are right to 1e-14 of a sample. */
#include "points/order.h"
#include "points/kernels/weights.h"

/* The whole part of x samples, and the rest, -1e-12 < rest < 1 + 1e-12. */
ARMILLA_ALWAYS_INLINE double split(const armilla_points_scale *s, double x, double offset,
                                   double *rest)
{
    const double product = x * s->high, error = fma(x, s->high, -product) + x * s->low;
    const double whole = floor(product + offset);
    *rest = (product - whole) + offset + error;
    return whole;
}

ARMILLA_ALWAYS_INLINE double limited(double x, double most)
{
    return x < 0 ? 0 : x > most ? most : x;
}

/* The band of the ring north of the point, or of the first one; in the south that of the mirror
 * image of the ring south of it. Returned: its number, those of the south behind those of the
 * north.
 */
ARMILLA_ALWAYS_INLINE double place_row(const armilla_points_tiling *t, double theta, double *u)
{
    const double nrings = (double)t->nrings, size = ARMILLA_TILE_RINGS;
    double rest;
    const double row = split(&t->rows, theta, -0.5 - (double)t->first, &rest);
    const int south = 2 * row >= nrings;
    const double ring = limited(south ? nrings - 2 - row : row, nrings - 1);
    const double band = floor(ring * (1.0 / ARMILLA_TILE_RINGS));
    const double first = south ? nrings - (band + 1) * size : band * size;
    *u = (row - first) + rest;
    return south ? band + (double)t->nbands : band;
}

ARMILLA_ALWAYS_INLINE double place_column(const armilla_points_tiling *t, double phi, double *v)
{
    const double nphi = (double)t->nphi, size = ARMILLA_TILE_SAMPLES;
    double rest;
    double whole = split(&t->columns, phi, 0, &rest);
    /* a turn too few, from a product rounded down, is harmless: samples repeat behind the ring */
    whole -= nphi * floor(whole * (1 / nphi));
    const double column =
        limited(floor(whole * (1.0 / ARMILLA_TILE_SAMPLES)), (double)(t->ntiles - 1));
    *v = (whole - column * size) + rest;
    return column;
}

void ARMILLA_KERNEL(armilla_points_kernel_place)(const armilla_points_tiling *t, int64_t count,
                                                 const double *restrict points, double *restrict u,
                                                 double *restrict v, int64_t *restrict tile)
{
    const double ntiles = (double)t->ntiles;
    ARMILLA_INDEPENDENT
    for (int64_t i = 0; i < count; i++) {
        const double band = place_row(t, points[2 * i], &u[i]);
        const double column = place_column(t, points[2 * i + 1], &v[i]);
        tile[i] = (int64_t)(band * ntiles + column);
    }
}
