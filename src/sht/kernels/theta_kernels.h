/* The inner loops of the resampling in theta, as src/sht/theta_resample.c sees them: one table of
 * functions per instruction set.
 *
 * A lane holds one real column: the real or the imaginary part of the orders m and m + 1, one even
 * and one odd on the circle through both poles, added up. A vector holds the same sample of VLEN
 * such columns, and all of the arithmetic is real:
 *
 *     circle[j][lane]         samples at angles 2 pi j / (2 n), 0 <= j < 2 n
 *     complex[j][2][lane]     the same memory seen as n complex numbers x_{2j} + i x_{2j+1}
 *
 * Kernels do not allocate, fail, or keep state; all arrays are 64-byte aligned. */
#ifndef ARMILLA_SHT_KERNELS_THETA_KERNELS_H
#define ARMILLA_SHT_KERNELS_THETA_KERNELS_H

#include "fft/kernels/lane_fft_tables.h"

#include <stdint.h>

enum {
    ARMILLA_LANE_CHUNKS = 4,  /* most pairs of orders in a vector */
    ARMILLA_THETA_BLOCK = 16, /* ring pairs whose lanes are transposed at once */
    ARMILLA_THETA_GROUP = 2   /* ring pairs that share loads of the circle */
};

/* Transform from 2 `from->n` samples to coefficients, product with factor, transform to
 * 2 `to->n` samples. */
typedef struct armilla_theta_spectrum {
    const armilla_lane_fft *from, *to;
    const double *from_root, *to_root; /* exp(-2 pi i k / (2 n)), 0 <= k <= n / 2 */
    const double *factor;              /* real, for 0 <= k <= band */
    int64_t band;                      /* below both n */
} armilla_theta_spectrum;

/* Rings of the fine side in groups of up to ARMILLA_THETA_GROUP neighbouring pairs. */
typedef struct armilla_theta_rings {
    int64_t npairs, ngroups;
    int64_t length;  /* samples of the circle */
    int64_t margin;  /* samples in front of and behind the circle that repeat it */
    int64_t taps;    /* samples that a group reads */
    int64_t *first;  /* ngroups + 1: first pair of each group */
    int64_t *place;  /* first of the samples around the group's northern rings */
    double *weights; /* [group][taps][ARMILLA_THETA_GROUP] */
} armilla_theta_rings;

/* Rows in the layout of leg that share a vector: [pair][4], see legendre/legendre.h. */
typedef struct armilla_theta_rows {
    double *row[2][ARMILLA_LANE_CHUNKS]; /* even and odd columns; NULL: zeros, not written */
    const int64_t *places;               /* position of each pair in its row; NULL: in order */
    int64_t first;                       /* pairs before it are zeros and not written */
} armilla_theta_rows;

typedef struct armilla_theta_kernels {
    int vector_length;

    /* coarse rows -> circle of 2 n samples, by parity. stage: ARMILLA_THETA_BLOCK * 4 vectors. */
    void (*extend)(int64_t n, const armilla_theta_rows *rows, double *circle, double *stage);

    /* Its transpose. */
    void (*fold)(int64_t n, const armilla_theta_rows *rows, const double *circle, double *stage);

    /* from -> to, both circles; the result is reversed: sample j lies at angle -2 pi j / (2 n).
     * coefficients: from->n complex vectors; work: 4 longest halves. from and to may overlap. */
    void (*transform)(const armilla_theta_spectrum *spectrum, const double *from,
                      double *coefficients, double *to, double *work);

    /* Reversed circle -> fine rows, and the transpose, which adds to the circle. The circle has
     * its margins around it. */
    void (*interpolate)(const armilla_theta_rings *rings, const armilla_theta_rows *rows,
                        const double *circle, double *stage);
    void (*spread)(const armilla_theta_rings *rings, const armilla_theta_rows *rows, double *circle,
                   double *stage);
} armilla_theta_kernels;

/* Prototypes of one instruction set's kernels. */
#define ARMILLA_THETA_DECLARE_EXPANDED(isa)                                                        \
    void armilla_theta_extend_##isa(int64_t, const armilla_theta_rows *, double *, double *);      \
    void armilla_theta_fold_##isa(int64_t, const armilla_theta_rows *, const double *, double *);  \
    void armilla_theta_transform_##isa(const armilla_theta_spectrum *, const double *, double *,   \
                                       double *, double *);                                        \
    void armilla_theta_interpolate_##isa(const armilla_theta_rings *, const armilla_theta_rows *,  \
                                         const double *, double *);                                \
    void armilla_theta_spread_##isa(const armilla_theta_rings *, const armilla_theta_rows *,       \
                                    double *, double *);
#define ARMILLA_THETA_DECLARE(isa) ARMILLA_THETA_DECLARE_EXPANDED(isa)

#endif
