/* The tables of radial convolution on a GPU: rows, what they see, tiles. C and CUDA.
 *
 * A row is a ring and its mirror image, cut into arcs of equal length; a lane is an arc of one of
 * the two. One value of the radial kernel serves the same position of all lanes, as on the
 * processor (src/radial/pixels). A block of threads has a tile: some neighbouring positions of a
 * row, or of two rows of equal length, two of each to a thread, with a sum in a register for each
 * lane. It goes over the rows' sources, whose pixels it brings to shared memory piece by piece;
 * each thread adds up the values within the support of its positions, from west to east, source
 * after source:
 *
 *     uniform rows   all sources have as many pixels: values come from a table
 *     other rows     values are made where they are needed, by polynomials in the longitude that
 *                    were fitted to the profile, or by the profile itself
 *
 * Of spin 2 a value is even + i odd and a pixel Q + i U; a lane of a position then has two sums.
 *
 * Each pixel of the result is written by one thread, which adds in a fixed sequence. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_TABLES_H
#define ARMILLA_CUDA_KERNELS_RADIAL_TABLES_H

#include <stdint.h>

enum {
    ARMILLA_CUDA_RADIAL_TILE = 128, /* positions of a block */
    ARMILLA_CUDA_RADIAL_LANES = 8
};

typedef struct armilla_cuda_radial_row {
    int64_t offset[2], stride[2]; /* of the ring and its image in a map */
    int64_t packed[2];            /* the same where rows follow each other without gaps */
    int32_t ring[2];              /* numbers of both in the grid */
    int32_t first[2];             /* pixel at position 0 of arc 0 */
    int32_t n, arc;               /* pixels of the ring, positions of an arc */
    int32_t images, own;          /* rings with lanes, 1 or 2; 1: the ring is its own image */
    int32_t from, nlinks;         /* its sources: rows from .. from + nlinks - 1 */
    int64_t link;                 /* of the first one */
    int64_t divisor;              /* where the divisors of its positions begin */
    int32_t divisor_step;         /* 0: one for all positions */
    int32_t uniform;
    double weight; /* of its pixels */
} armilla_cuda_radial_row;

/* Between a row and one of its sources: the argument of the profile is
 * x0 + slope sin^2(delta / 2), delta the difference in longitude. */
typedef struct armilla_cuda_radial_link {
    double x0, slope;
    double offset;         /* position p lies at (p n_source + offset) / n of the source */
    int64_t values;        /* uniform rows: where the values begin, whole octets; behind those of
                              spin 2 their odd parts */
    int32_t first, count;  /* values, and the position of the first one less that of the row, or
                              of the nearest position of the source */
    int32_t nterms, nhalf; /* of the series of sin^2; spin 2: of those of half angles */
    /* Polynomials in place of the profile, see armilla_radial_series: [reach + 1][nfit] numbers,
     * and behind them those of odd parts, [reach + 1][nodd] */
    int64_t fits;
    int32_t reach, nfit, nodd, unused; /* nfit = 0: there are none */
    double fit_scale, last_place, last_scale;
    double difference,
        sum; /* spin 2: cosines of half the difference of colatitudes, half the sum */
} armilla_cuda_radial_link;

typedef struct armilla_cuda_radial_tile {
    int32_t row, first; /* position */
} armilla_cuda_radial_tile;

/* Tiles of an arc of so many positions. */
static inline int64_t armilla_cuda_radial_tiles(int64_t arc)
{
    return (arc + ARMILLA_CUDA_RADIAL_TILE - 1) / ARMILLA_CUDA_RADIAL_TILE;
}

/* Tables, on the device. Tiles of uniform rows come before the others. */
typedef struct armilla_cuda_radial_view {
    const armilla_cuda_radial_row *rows;
    const armilla_cuda_radial_link *links;
    const armilla_cuda_radial_tile *tiles;
    int64_t nuniform, nother; /* tiles */
    const double *values;
    const double *divisor; /* SUM; NULL: there are none */
    const double *term;    /* of the series of sin^2 */
    const double *half;    /* of those of half angles: [nhalf][2], see armilla_radial_curve */
    const double *fits;    /* numbers of polynomials */
    int64_t nside;         /* of maps in NESTED order, else 0 */
    int32_t arcs;
    int32_t ncomp; /* 2: of spin 2 */
    int32_t order; /* log2(nside) */
    /* The profile: base as in radial/profile/profile.h. */
    int32_t degree;
    int64_t ncells;
    double end;
    const double *coef, *border;
} armilla_cuda_radial_view;

#endif
