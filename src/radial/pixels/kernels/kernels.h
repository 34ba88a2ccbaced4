/* The inner loops of the method PIXELS, as src/radial/pixels/pixels.c sees them.
 *
 * An octet is eight doubles that are treated alike, 64-byte aligned. A row of octets holds a ring
 * and its mirror image, cut into arcs of equal length:
 *
 *     row[position][lane]     the same position of every arc; lanes are arcs, and rings
 *
 * Rotations by an arc and the reflection of both rings change no angle between two pixels, so that
 * one value of the kernel serves all eight lanes.
 *
 * Kernels do not allocate, fail, or keep state. */
#ifndef ARMILLA_RADIAL_KERNELS_KERNELS_H
#define ARMILLA_RADIAL_KERNELS_KERNELS_H

#include "base/isa_table.h"
#include "radial/profile/profile.h"

#include <stdint.h>

enum {
    ARMILLA_OCTET = 8,
    ARMILLA_RADIAL_BLOCK = 16, /* octets behind the end of a row that stencil may read or write */
    ARMILLA_RADIAL_NODES = 24, /* of a fit by polynomials, degree + 1 at most; whole octets */
    ARMILLA_RADIAL_PLANES = ARMILLA_RADIAL_NODES / ARMILLA_OCTET,
    ARMILLA_RADIAL_TERMS = 18 /* most, of the series of sin^2 */
};

/* The kernel as a function of the difference in longitude, between two fixed colatitudes:
 * x = x0 + slope sin^2(delta / 2). */
typedef struct armilla_radial_curve {
    const armilla_profile *profile;
    double x0, slope;
    int nterms; /* of sin^2(delta / 2) = sum over i of term[i] delta^(2 i + 2) */
    const double *term;
    /* Spin 2: cosines of half the difference of the colatitudes, and of half their sum;
     * sin(delta / 2) = sum over i < nhalf of half[i][0] delta^(2 i + 1), cos(delta / 2) that of
     * half[i][1] delta^(2 i). */
    double difference, sum;
    int nhalf;
    const double (*half)[2];
} armilla_radial_curve;

/* The same in polynomials, one for each distance k of the source's pixel from the nearest one,
 * 0 <= k <= reach: with s = scale delta, -1 <= s <= 1,
 *
 *     P_k(s) = sum of coef[k][i] s^i = K(delta + k step) = +-K(-delta - k step),   -: odd
 *
 * The last one stands where the support ends, in a variable of its own:
 *
 *     P_reach(last_place + last_scale delta) = K(delta + reach step), 0 where the variable is > 1
 */
typedef struct armilla_radial_series {
    int nterms; /* of a polynomial, even; 0: there is none */
    int odd;
    int64_t reach; /* 1 or more */
    double scale, last_place, last_scale;
    const double *coef; /* [reach + 1][nterms] */
} armilla_radial_series;

/* What one source row adds: the sum over i < count of value[i] row[position + first + i]. */
typedef struct armilla_radial_taps {
    int64_t source;
    const double *row; /* position 0 */
    const double *value;
    int64_t first, count;
    /* Pairs of maps only: the odd part of the values, and doubles from the row of Q to that of U.
     */
    const double *odd;
    int64_t other;
} armilla_radial_taps;

/* Eight positions of a row, and where each begins in a source row. */
typedef struct armilla_radial_octet {
    const double *values; /* [count][8] */
    int64_t count;
    const double *row;            /* the source, position 0 */
    int64_t first[ARMILLA_OCTET]; /* of the source positions first .. first + count - 1 */
    int64_t turning;              /* their reflections are turning - first, going down; -1: none */
    const double *odd;            /* of pairs of maps, as in armilla_radial_taps */
    int64_t other;
} armilla_radial_octet;

/* Where eight neighbouring positions of a row of n pixels lie on a source row of n_source pixels.
 */
typedef struct armilla_radial_places {
    double n, n_source;
    double offset;                 /* (shift n_source - shift_source n), see armilla_radial_row */
    double nearest[ARMILLA_OCTET]; /* result: the nearest source position */
    double delta[ARMILLA_OCTET];   /* result: longitude less that of the nearest, radians */
} armilla_radial_places;

/* places       of the positions `first` to first + 7, none taken beyond `last`. n n_source < 2^52.
 * interleave   octets[j][lane] = scale[lane] lane[lane][j], 0 <= j < count. separate: the way back.
 * values       values[k][i] = K at delta[i] - k step, 0 <= k < count.
 * series       values[k][i] = K at delta[i] + (reach - k) step, 0 <= k <= 2 reach, by polynomials.
 * transform    out[k] = sum over j < nterms of in[k][j] matrix[j], 0 <= k < count: rows of
 *              ARMILLA_RADIAL_NODES. Of in and out the j-th element of row k is
 *              [j / 8][k][j % 8], with `rows` rows each, three or more beyond `count`.
 * turn         even: values of K on input; with the rotation of spin 2 K becomes even + i odd.
 * stencil      out[position] = sum over sources and taps, begin <= position < end; add != 0: it is
 *              added. Rounds end up by less than ARMILLA_RADIAL_BLOCK.
 * products     sums[i] += sum over k of values[k][i] row[first[i] + k], and with reflections
 *              sums[8 + i] += sum over k of values[k][i] row[turning - first[i] - k]: octets.
 * pair_...     the same of Q + i U, with even + i odd in place of values, in reflections even - i
 *              odd; 0 <= position < end; sums of U are 16 octets behind those of Q. */
#define ARMILLA_RADIAL_KERNEL_LIST(F, x)                                                           \
    F(x, interleave,                                                                               \
      (const double *const lane[ARMILLA_OCTET], const double scale[ARMILLA_OCTET], int64_t count,  \
       double *octets))                                                                            \
    F(x, separate,                                                                                 \
      (const double *octets, const double scale[ARMILLA_OCTET], int64_t count,                     \
       double *const lane[ARMILLA_OCTET]))                                                         \
    F(x, places, (armilla_radial_places *, int64_t first, int64_t last))                           \
    F(x, values,                                                                                   \
      (const armilla_radial_curve *, const double delta[ARMILLA_OCTET], double step,               \
       int64_t count, double *values))                                                             \
    F(x, series,                                                                                   \
      (const armilla_radial_series *, const double delta[ARMILLA_OCTET], double *values))          \
    F(x, transform,                                                                                \
      (const double *matrix, int64_t nterms, int64_t count, int64_t rows, const double *in,        \
       double *out))                                                                               \
    F(x, stencil,                                                                                  \
      (int64_t nsources, const armilla_radial_taps *, int64_t begin, int64_t end, int add,         \
       double *out))                                                                               \
    F(x, products, (const armilla_radial_octet *, double *sums))                                   \
    F(x, turn,                                                                                     \
      (const armilla_radial_curve *, const double delta[ARMILLA_OCTET], double step,               \
       int64_t count, double *even, double *odd))                                                  \
    F(x, pair_stencil,                                                                             \
      (int64_t nsources, const armilla_radial_taps *, int64_t end, int add, double *const out[2])) \
    F(x, pair_products, (const armilla_radial_octet *, double *sums))

typedef struct armilla_radial_kernels {
    int vector_length;
    ARMILLA_RADIAL_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_radial_kernels;

/* Where kernels are compiled, their prototypes. */
#ifdef ARMILLA_ISA_NAME
ARMILLA_RADIAL_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_radial_kernel)
#endif

#endif
