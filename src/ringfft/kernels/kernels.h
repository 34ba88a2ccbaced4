/* Inner loops of the ring FFT stage, compiled once per instruction set.
 *
 * leg holds north re, im, south re, im per order; z is the complex array whose FFT holds
 * north + i south.
 * Kernels do not allocate, fail, or keep state. */
#ifndef ARMILLA_RINGFFT_KERNELS_KERNELS_H
#define ARMILLA_RINGFFT_KERNELS_KERNELS_H

#include "fft/kernels/lane_fft_tables.h"

#include <stdint.h>

enum {
    ARMILLA_RING_LANES = 8, /* most lanes of a vector */
    ARMILLA_RING_WIDTH = 8  /* samples of a ring that are read or written together: a cache line */
};

/* Orders at equal distances, from some m > 0 on; none is folded. */
typedef struct armilla_ring_run {
    int64_t count;
    int64_t row_length;  /* doubles between their rows of leg */
    int64_t place_step;  /* doubles between their places in z: up for m, down for -m */
    const double *phase; /* exp(i m phi0) of the first, or NULL where all are 1 */
    int64_t phase_step;  /* doubles */
} armilla_ring_run;

/* Samples and the FFTs of residues of orders, docs/mathematics.md (4.4), (4.5). */
typedef struct armilla_ring_fold {
    int64_t n;           /* samples of the ring */
    int second;          /* orders of the second part; not for fours */
    int64_t stride;      /* doubles between neighbouring samples, 1 or 2 */
    const double *twist; /* complex numbers exp(2 pi i j / n) */
} armilla_ring_fold;

/* Pairs of rings of one length, phi0 = 0, neighbours in leg: north, south, north, ... in lanes. */
typedef struct armilla_ring_lanes {
    const armilla_lane_fft *fft; /* of half the rings' length; its halves are at least 4 long */
    const double *turn;          /* exp(2 pi i k / (2 fft->n)), 0 <= k < fft->n */
    int64_t row_length;          /* doubles between the rows of leg */
    int64_t least, last;         /* orders that all lanes have, that some have; last < fft->n */
    int64_t head;                /* pairs of samples in front of the first cache line of every ring,
                                    below 4; 0 unless lines, rings and fft->length[0] match */
    double *ring[ARMILLA_RING_LANES];              /* inputs are only read */
    _Alignas(64) double limit[ARMILLA_RING_LANES]; /* last order of each lane */
    _Alignas(64) double scale[ARMILLA_RING_LANES];
} armilla_ring_lanes;

typedef struct armilla_ring_kernels {
    int lanes; /* of a vector */

    /* plus = N_m + i S_m, minus = conj N_m + i conj S_m, the places of m and -m */
    void (*spread)(const armilla_ring_run *run, const double *leg, double *plus, double *minus);

    /* the inverse: N_m = scale[0] (z_m + conj z_-m), S_m = scale[1] (z_m - conj z_-m) / i */
    void (*gather)(const armilla_ring_run *run, const double *plus, const double *minus,
                   const double scale[2], double *leg);

    /* numbers 0 2 1 3 of `count` rows of four doubles that lie `step` apart; from = to is allowed
     * for step = 4 */
    void (*exchange)(int64_t count, int64_t step, const double *from, double *to);

    /* north_j = scale[0] Re z_j, south_j = scale[1] Im z_j */
    void (*split)(int64_t n, const double *z, const double scale[2], double *north, double *south);
    void (*join)(int64_t n, const double *north, const double *south, double *z);

    /* n divisible by 8; twist n / 8 numbers; even n / 4, lower and upper n / 8 complex numbers */
    void (*fold_eighths)(const armilla_ring_fold *fold, const double *north, const double *south,
                         double *even, double *lower, double *upper);

    /* n divisible by 4; twist n / 4 numbers; even n / 4, odd n / 2 complex numbers */
    void (*fold_quarters)(const armilla_ring_fold *fold, const double *north, const double *south,
                          double *even, double *odd);

    /* all orders; n divisible by 4; twist n / 4 numbers; residue r: n / 4 complex numbers from
     * fours + r step doubles on */
    void (*fold_fours)(const armilla_ring_fold *fold, const double *north, const double *south,
                       int64_t step, double *fours);

    /* the transpose, after the backward FFTs: samples, times scale */
    void (*unfold_fours)(const armilla_ring_fold *fold, int64_t step, const double *fours,
                         const double scale[2], double *north, double *south);

    /* leg: first of `lanes` / 2 pairs, order 0. work: see armilla_ringfft_lanes_scratch_size. Rows
     * up to `last` are written for all lanes. */
    void (*lanes_synthesis)(const armilla_ring_lanes *lanes, const double *leg, double *work);
    void (*lanes_analysis)(const armilla_ring_lanes *lanes, double *leg, double *work);
} armilla_ring_kernels;

#endif
