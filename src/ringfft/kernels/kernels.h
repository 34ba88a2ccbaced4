/* Inner loops of the ring FFT stage, compiled once per instruction set.
 *
 * leg holds north re, im, south re, im per order; z is the complex array whose FFT holds
 * north + i south.
 * Kernels do not allocate, fail, or keep state. */
#ifndef ARMILLA_RINGFFT_KERNELS_KERNELS_H
#define ARMILLA_RINGFFT_KERNELS_KERNELS_H

#include "base/isa_table.h"
#include "base/memory.h"
#include "fft/kernels/lane_fft_tables.h"

#include <stdint.h>

enum {
    ARMILLA_RING_LANES = 8, /* most lanes of a vector */
    ARMILLA_RING_WIDTH = 8, /* samples of a ring that are read or written together: a cache line */
    ARMILLA_RING_GROUPS = 4 /* most groups of lanes side by side */
};

/* Orders m > 0 at equal distances, all of them below half of the ring's samples. */
typedef struct armilla_ring_run {
    int64_t count;
    int64_t row_length;  /* doubles between their rows of leg */
    int64_t place_step;  /* doubles between their places in the spectrum: upwards for plus,
                            downwards for minus */
    const double *phase; /* exp(i m phi0) of the first order, or NULL where all are 1 */
    int64_t phase_step;  /* doubles between the phases of neighbours */
} armilla_ring_run;

/* Rings whose orders are transformed by residue, each residue with a shorter FFT of its own:
 * docs/mathematics.md (4.4), (4.5). */
typedef struct armilla_ring_fold {
    int64_t n;           /* samples of the ring */
    int second;          /* the second part of the orders; fours have all orders */
    int64_t stride;      /* doubles between neighbouring samples, 1 or 2 */
    const double *twist; /* complex numbers exp(2 pi i j / n) */
} armilla_ring_fold;

/* Neighbouring pairs of rings of one length with phi0 = 0 or one other shift. Where that is even,
 * the first half of the lanes are north rings, the second half south rings of the same pairs; where
 * it is odd, lane i is the pair, whose rings are i and ARMILLA_RING_LANES + i. */
typedef struct armilla_ring_lanes {
    const armilla_lane_fft *fft; /* of half the rings' length, its halves at least 4 long; odd: of
                                    the length, its halves at least 8 long */
    const double *turn;          /* even: exp(2 pi i k / (2 fft->n)), 0 <= k < fft->n; else NULL */
    int64_t row_length;          /* doubles between the rows of leg */
    int64_t width;               /* doubles of a row that may be touched: four for each pair */
    int64_t least;               /* orders up to this one exist on all rings; -1: none */
    int64_t last;        /* orders up to this one exist on some ring; below the length, of an
                            odd one below half of it */
    const double *phase; /* even: exp(i m phi0) of the rings that are shifted; NULL: none is */
    _Alignas(64) double shifted[ARMILLA_RING_LANES]; /* -1: the ring is shifted; 1: not */
    double *ring[2 * ARMILLA_RING_LANES];            /* inputs are only read */
    int64_t stride; /* from sample to sample of a ring. If not 1, rings that are missing are NULL */
    int mirrored; /* no ring is missing, and each north ring lies one double behind the one before,
                     each south ring one before it: maps along theta */
    int stream; /* output goes past the caches; not where fft->input. Synthesis: rings begin at the
                   same place of a cache line, a multiple of 16 bytes; analysis: all rows of leg at
                   the first */
    _Alignas(64) double limit[2 * ARMILLA_RING_LANES]; /* last order of each ring */
    _Alignas(64) double scale[2 * ARMILLA_RING_LANES];
} armilla_ring_lanes;

/* Doubles of a group's work: columns, and one more for samples read twice. */
static inline int64_t armilla_ring_lanes_work(const armilla_lane_fft *fft, int lanes)
{
    return armilla_round_line(2 * lanes * (fft->room + fft->step));
}

/* Each kernel: F(x, name, arguments), see base/isa_table.h.
 *
 * spread, gather  leg -> spectrum: plus = N_m + i S_m, minus = conj N_m + i conj S_m at the places
 *                 of m and -m; and the inverse, N_m = scale[0] (plus + conj minus),
 *                 S_m = scale[1] (plus - conj minus) / i.
 * split, join     north_j = scale[0] Re z_j, south_j = scale[1] Im z_j; and z = north + i south.
 * fold_eighths    samples -> input of a part's FFTs; n divisible by 8, twist has n / 8 numbers;
 *                 even n / 4, lower and upper n / 8 complex numbers.
 * fold_quarters   the same for n divisible by 4, twist has n / 4 numbers; even n / 4, odd n / 2.
 * fold_fours      the same for all orders; n divisible by 4, twist has n / 4 numbers; residue r has
 *                 n / 4 complex numbers from fours + r step doubles on.
 * unfold_fours    its transpose, after forward FFTs of what spread has filled with m and -m
 *                 exchanged: samples, times scale.
 * lanes_synthesis, lanes_analysis
 *                 `count` groups side by side: one, or 2 or 4 with mirrored rings (vectors of four
 *                 lanes and more), those of each group behind those of the one before, so that
 *                 they share cache lines. leg: order 0 of the first pair. work:
 *                 armilla_ring_lanes_work of each group. Analysis writes the rows up to `last` for
 *                 all pairs.
 * pairs_synthesis, pairs_analysis
 *                 the same of one group. */
#define ARMILLA_RING_KERNEL_LIST(F, x)                                                             \
    F(x, spread, (const armilla_ring_run *, const double *leg, double *plus, double *minus))       \
    F(x, gather,                                                                                   \
      (const armilla_ring_run *, const double *plus, const double *minus, const double scale[2],   \
       double *leg))                                                                               \
    F(x, split,                                                                                    \
      (int64_t n, const double *restrict z, const double scale[2], double *restrict north,         \
       double *restrict south))                                                                    \
    F(x, join,                                                                                     \
      (int64_t n, const double *restrict north, const double *restrict south, double *restrict z)) \
    F(x, fold_eighths,                                                                             \
      (const armilla_ring_fold *, const double *restrict north, const double *restrict south,      \
       double *restrict even, double *restrict lower, double *restrict upper))                     \
    F(x, fold_quarters,                                                                            \
      (const armilla_ring_fold *, const double *restrict north, const double *restrict south,      \
       double *restrict even, double *restrict odd))                                               \
    F(x, fold_fours,                                                                               \
      (const armilla_ring_fold *, const double *restrict north, const double *restrict south,      \
       int64_t step, double *restrict fours))                                                      \
    F(x, unfold_fours,                                                                             \
      (const armilla_ring_fold *, int64_t step, const double *restrict fours,                      \
       const double scale[2], double *restrict north, double *restrict south))                     \
    F(x, lanes_synthesis,                                                                          \
      (const armilla_ring_lanes *, int64_t count, const double *leg, double *work))                \
    F(x, lanes_analysis, (const armilla_ring_lanes *, int64_t count, double *leg, double *work))   \
    F(x, pairs_synthesis, (const armilla_ring_lanes *, const double *leg, double *work))           \
    F(x, pairs_analysis, (const armilla_ring_lanes *, double *leg, double *work))

typedef struct armilla_ring_kernels {
    int lanes; /* of a vector */
    ARMILLA_RING_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_ring_kernels;

/* Where kernels are compiled, their prototypes. */
#ifdef ARMILLA_ISA_NAME
ARMILLA_RING_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_ring)
#endif

#endif
