/* Which tile a point belongs to, and where it lies there, for one thread. The arithmetic is that of
 * points/kernels/place.c: products in two doubles, so that what a window depends on is right to
 * 1e-14 of a sample. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_POINTS_PLACE_H
#define ARMILLA_CUDA_KERNELS_POINTS_PLACE_H

#include "base/colatitude.h"
#include "base/first_sample.h"
#include "cuda/kernels/device.h"
#include "cuda/kernels/points_kernels.h"

/* Point i of an array of the caller, whose address need not be a multiple of 16. */
static __device__ __forceinline__ double2 point_at(const double *points, int64_t i)
{
    return make_double2(points[2 * i], points[2 * i + 1]);
}

/* The rule of base/point.h. */
static __device__ __forceinline__ bool is_point(double theta, double phi)
{
    return armilla_colatitude_is_good(theta) && fabs(phi) <= 1.7976931348623157e308;
}

/* Rows, or columns, from the first sample that a point sees to the one it is counted by. */
static __device__ __forceinline__ int64_t middle_tap(int64_t taps)
{
    return (taps + 1) / 2;
}

/* A point's middle row or column, of any sign, and the argument of its taps. The whole part of x
 * samples - shift is counted from `first` on, the rest made of x and of the number that is near it,
 * so that no rounding of either counts. */
static __device__ __forceinline__ double middle_of(const armilla_cuda_point_scale &scale, double x,
                                                   double first, double shift, int64_t taps,
                                                   double *argument)
{
    const double whole = floor(fma(x, scale.high, -shift - first));
    const double beyond = fma(x, scale.high, -(whole + first));
    const double rest = fma(x, scale.low, beyond - shift);
    return whole +
           (double)(armilla_first_sample(0.5 * (double)taps, rest, argument) + middle_tap(taps));
}

struct point_in_tile {
    uint32_t tile; /* all tiles' number: there is none */
    int row, column;
    double s, t;
};

/* Longitudes of more turns than doubles can count become small ones. */
static __device__ __forceinline__ double near_longitude(double phi)
{
    return fabs(phi) > 1e5 ? atan2(sin(phi), cos(phi)) : phi;
}

static __device__ __forceinline__ point_in_tile place_point(const armilla_cuda_point_tiling &t,
                                                            double theta, double phi)
{
    enum { RINGS = ARMILLA_CUDA_TILE_RINGS, SAMPLES = ARMILLA_CUDA_TILE_SAMPLES };
    point_in_tile p = {(uint32_t)(2 * t.nbands * t.ncolumns), 0, 0, 0, 0};
    if (!is_point(theta, phi)) return p;
    const double turns = (double)t.nphi;
    const double row =
        middle_of(t.rows, armilla_colatitude_taken(theta), (double)t.first, 0.5, t.taps, &p.s);
    double column = middle_of(t.columns, near_longitude(phi), 0, 0, t.taps, &p.t);
    if (!(row >= 0 && row <= (double)t.nrings)) return p;
    column -= turns * floor((column + 0.5) / turns);
    const int k = (int)row, south = 2 * (int64_t)k >= t.nrings, last = (int)t.nbands - 1;
    const int band = min((south ? (int)t.nrings - k : k) / RINGS, last);
    const int begin = south ? (int)t.nrings - RINGS * (band + 1) : RINGS * band;
    p.tile = (uint32_t)((south * t.nbands + band) * t.ncolumns + (int)column / SAMPLES);
    p.row = k - begin, p.column = (int)column % SAMPLES;
    return p;
}

#endif
