/* Where points lie among the samples: see order.h. Rows and columns are made of products in two
 * doubles, so that those relative to a tile are right to 1e-14 of a sample. Without a branch on the
 * data, which for points in random sequence would be mispredicted every other time. */
#include "points/order.h"
#include "points/kernels/weights.h"

#include <string.h>

/* a b + c with one rounding, by the C library where the set has no such instruction. */
ARMILLA_ALWAYS_INLINE vec fused(vec a, vec b, vec c)
{
#if defined(__FMA__) || defined(__aarch64__)
    if (VLEN > 1) return v_fma(a, b, c);
#endif
    _Alignas(64) double x[VLEN], y[VLEN], z[VLEN];
    v_store(x, a), v_store(y, b), v_store(z, c);
    for (int i = 0; i < VLEN; i++) z[i] = fma(x[i], y[i], z[i]);
    return v_load(z);
}

/* The last point takes the place of those that a vector lacks. */
ARMILLA_ALWAYS_INLINE void load_points(const double *points, int64_t count, vec *theta, vec *phi)
{
    double few[2 * VLEN];
    if (count < VLEN) {
        for (int64_t i = 0; i < VLEN; i++)
            memcpy(few + 2 * i, points + 2 * (i < count ? i : count - 1), 2 * sizeof *few);
        points = few;
    }
    v_load2(points, theta, phi);
}

/* |x| < 2^51. */
ARMILLA_ALWAYS_INLINE vec v_floor(vec x)
{
    const vec near = v_sub(v_add(x, v_all(V_ROUND)), v_all(V_ROUND));
    return v_sub(near, v_select(v_negative(v_sub(x, near)), v_all(1), v_all(0)));
}

/* floor(whole / size): the half keeps whole multiples of the size away from rounding. */
ARMILLA_ALWAYS_INLINE vec parts_below(vec whole, double size)
{
    return v_floor(v_mul(v_add(whole, v_all(0.5)), v_all(1 / size)));
}

ARMILLA_ALWAYS_INLINE vec v_larger_of(vec a, vec b)
{
    return v_sub(v_all(0), v_min(v_sub(v_all(0), a), v_sub(v_all(0), b)));
}

ARMILLA_ALWAYS_INLINE vec limited(vec x, double most)
{
    return v_min(v_larger_of(x, v_all(0)), v_all(most));
}

/* The whole part of x samples - shift, counted from `first` on, and the rest, -1e-12 < rest <
 * 1 + 1e-12. The rest is made of x and of the number that is near it: no rounding of either counts.
 */
ARMILLA_ALWAYS_INLINE vec split(const armilla_points_scale *s, vec x, double first, double shift,
                                vec *rest)
{
    const vec whole = v_floor(v_fma(x, v_all(s->high), v_all(-shift - first)));
    const vec near = v_add(whole, v_all(first));
    const vec beyond = fused(x, v_all(s->high), v_sub(v_all(0), near));
    *rest = v_add(v_sub(beyond, v_all(shift)), v_mul(x, v_all(s->low)));
    return whole;
}

/* The band of the ring north of the point, or of the first one; in the south that of the mirror
 * image of the ring south of it. Returned: its number, those of the south behind those of the
 * north. */
ARMILLA_ALWAYS_INLINE vec place_row(const armilla_points_tiling *t, vec theta, vec *u)
{
    const double nrings = (double)t->nrings, size = ARMILLA_TILE_RINGS;
    vec rest;
    const vec row = split(&t->rows, theta, (double)t->first, 0.5, &rest);
    const vmask north = v_negative(v_sub(v_add(row, row), v_all(nrings)));
    const vec ring = limited(v_select(north, row, v_sub(v_all(nrings - 2), row)), nrings - 1);
    const vec band = parts_below(ring, ARMILLA_TILE_RINGS);
    const vec first = v_mul(band, v_all(size));
    *u = v_add(v_sub(row, v_select(north, first, v_sub(v_all(nrings - size), first))), rest);
    return v_select(north, band, v_add(band, v_all((double)t->nbands)));
}

ARMILLA_ALWAYS_INLINE vec place_column(const armilla_points_tiling *t, vec phi, vec *v)
{
    const double nphi = (double)t->nphi;
    vec rest;
    vec whole = split(&t->columns, phi, 0, 0, &rest);
    whole = v_sub(whole, v_mul(v_all(nphi), parts_below(whole, nphi)));
    const vec column = parts_below(whole, ARMILLA_TILE_SAMPLES);
    *v = v_add(v_sub(whole, v_mul(column, v_all(ARMILLA_TILE_SAMPLES))), rest);
    return column;
}

void ARMILLA_KERNEL(armilla_points_kernel_bands)(const armilla_points_tiling *t, int64_t count,
                                                 const double *restrict points,
                                                 double *restrict band)
{
    for (int64_t i = 0; i < count; i += VLEN) {
        vec theta, phi, u;
        load_points(points + 2 * i, count - i, &theta, &phi);
        v_store(band + i, place_row(t, theta, &u));
    }
}

void ARMILLA_KERNEL(armilla_points_kernel_place)(const armilla_points_tiling *t, int64_t count,
                                                 const double *restrict points,
                                                 const armilla_points_placed *placed)
{
    for (int64_t i = 0; i < count; i += VLEN) {
        vec theta, phi, u, v;
        load_points(points + 2 * i, count - i, &theta, &phi);
        v_store(placed->band + i, place_row(t, theta, &u));
        v_store(placed->tile + i, place_column(t, phi, &v));
        v_store(placed->u + i, u), v_store(placed->v + i, v);
    }
}

/* Sets have the less of two vectors only: the largest numbers are kept with the other sign. */
void ARMILLA_KERNEL(armilla_points_kernel_survey)(int64_t count, const double *restrict points,
                                                  armilla_points_bounds *bounds)
{
    const vec zero = v_all(0), middle = v_all(1.5707963267948966);
    vec least = v_all(bounds->theta[0]), minus_most = v_all(-bounds->theta[1]);
    vec apart = v_all(bounds->from_equator), minus_phi = v_all(-bounds->phi), wrong = zero;
    for (int64_t i = 0; i < count; i += VLEN) {
        vec theta, phi;
        load_points(points + 2 * i, count - i, &theta, &phi);
        const vec minus = v_sub(zero, theta), distance = v_sub(theta, middle);
        least = v_min(theta, least), minus_most = v_min(minus, minus_most);
        apart = v_min(v_larger_of(distance, v_sub(zero, distance)), apart);
        minus_phi = v_min(v_min(phi, v_sub(zero, phi)), minus_phi);
        wrong = v_fma(v_add(theta, phi), zero, wrong);
    }
    _Alignas(64) double lane[5][VLEN];
    v_store(lane[0], least), v_store(lane[1], minus_most), v_store(lane[2], apart);
    v_store(lane[3], minus_phi), v_store(lane[4], wrong);
    for (int i = 0; i < VLEN; i++) {
        bounds->theta[0] = fmin(bounds->theta[0], lane[0][i]);
        bounds->theta[1] = fmax(bounds->theta[1], -lane[1][i]);
        bounds->from_equator = fmin(bounds->from_equator, lane[2][i]);
        bounds->phi = fmax(bounds->phi, -lane[3][i]);
        bounds->wrong += lane[4][i];
    }
}
