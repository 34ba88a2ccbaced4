/* Interpolation between a patch of samples and points: the inner loops of src/points.
 *
 * A point lies at row u and column v of the samples, real numbers of any sign. With w taps it sees
 * the rows i = ceil(u - w/2) .. i + w - 1 and the columns j likewise:
 *
 *     value = sum over a, b < w of phi_a(i - u + w/2) phi_b(j - v + w/2) sample[i + a][j + b]
 *
 * phi_a(t), 0 <= t < 1, is a polynomial in 2 t - 1. A patch has all samples that its points see,
 * and in each row some numbers more behind the last column, finite ones, that are multiplied by
 * zeros.
 *
 * Kernels do not allocate, fail, or keep state. */
#ifndef ARMILLA_POINTS_KERNELS_KERNELS_H
#define ARMILLA_POINTS_KERNELS_KERNELS_H

#include "base/isa_table.h"
#include "points/window.h"

#include <stdint.h>

typedef struct armilla_points_patch {
    double *samples;          /* of row 0 and column 0, from which points are counted */
    int64_t pitch, component; /* doubles between rows, between components */
    int64_t ncomp;            /* 1 or 2 */
} armilla_points_patch;

/* Points, in sequence; values[component][place[i]] belongs to point i. Without places components
 * are in turns: values[component][ncomp i]. */
typedef struct armilla_points_list {
    int64_t count;
    const double *u, *v;
    const uint32_t *place; /* or NULL */
    double *values[2];     /* or floats */
    int is_float;
} armilla_points_list;

/* x times samples per radian, a product in two doubles: high + low. */
typedef struct armilla_points_scale {
    double high, low;
} armilla_points_scale;

/* What tiles are, see order.h. Rings are counted from `first` on. */
typedef struct armilla_points_tiling {
    int64_t first, nrings, nphi, nbands, ntiles;
    armilla_points_scale rows, columns;
} armilla_points_tiling;

/* What is known of points: the least and largest colatitude, the least distance from the equator,
 * the largest |phi|; wrong: 0, or not 0 or NaN if a number was not finite. */
typedef struct armilla_points_bounds {
    double theta[2], from_equator, phi, wrong;
} armilla_points_bounds;

/* Bands, tiles of a band (whole numbers), rows and columns of some points; aligned to a vector. */
typedef struct armilla_points_placed {
    double *band, *tile, *u, *v;
} armilla_points_placed;

/* Orders of one call of the kernels for waves. */
enum { ARMILLA_WAVE_ORDERS = 64 };

/* Each kernel: F(x, name, arguments), see base/isa_table.h.
 * survey       widens bounds by points (theta, phi).
 * bands        points -> their bands, those of the south behind those of the north.
 * place        points, |phi| < 2^40 -> bands and tiles, rows and columns relative to these. Results
 *              of both have room for whole vectors.
 * interpolate  writes values.
 * spread       its transpose: adds to the samples of the rows begin .. end - 1, and of no others.
 * waves        a vector of points: adds Re(base sum over r < count of leg_r phase_r) to values.
 *              Arrays of complex numbers hold the real parts of all lanes, then the imaginary ones;
 *              count even, at most ARMILLA_WAVE_ORDERS.
 * gather       its transpose, but for conjugates: adds conj(base phase_r) values to leg_r.
 */
#define ARMILLA_POINTS_KERNEL_LIST(F, x)                                                           \
    F(x, survey, (int64_t count, const double *points, armilla_points_bounds *))                   \
    F(x, bands, (const armilla_points_tiling *, int64_t count, const double *points, double *))    \
    F(x, place,                                                                                    \
      (const armilla_points_tiling *, int64_t count, const double *points,                         \
       const armilla_points_placed *))                                                             \
    F(x, interpolate,                                                                              \
      (const armilla_window_table *, const armilla_points_patch *, const armilla_points_list *))   \
    F(x, spread,                                                                                   \
      (const armilla_window_table *, const armilla_points_patch *, const armilla_points_list *,    \
       int64_t begin, int64_t end))                                                                \
    F(x, waves,                                                                                    \
      (int64_t count, const double *phase, const double *base, const double *leg, double *values)) \
    F(x, gather,                                                                                   \
      (int64_t count, const double *phase, const double *base, const double *values, double *leg))

typedef struct armilla_points_kernels {
    int vector_length;
    ARMILLA_POINTS_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_points_kernels;

#ifdef ARMILLA_ISA_NAME
ARMILLA_POINTS_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_points_kernel)
#endif

#endif
