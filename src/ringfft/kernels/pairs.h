/* VLEN pairs of rings at once, one pair per lane, rings of an odd number n of samples;
 * docs/mathematics.md (4.12). North and south ring of a pair are real and imaginary parts of one
 * complex transform of n points, so that with the orders N_m and S_m its numbers are
 *
 *     Z_m = N_m + i S_m,    Z_{n-m} = conj N_m + i conj S_m,
 *
 * which lie in the columns p and n2 - p, and in the rows k and n1 - k, as in lanes.h. Where the
 * first-level cache has all columns, orders and samples come one after the other, as there. */
#ifndef ARMILLA_RINGFFT_KERNELS_PAIRS_H
#define ARMILLA_RINGFFT_KERNELS_PAIRS_H

#include "base/integer.h"
#include "ringfft/kernels/columns.h"

enum { WIDTH = ARMILLA_RING_WIDTH, SOUTH = ARMILLA_RING_LANES /* the first south ring */ };

/* The entries of leg of an order, one per lane. */
typedef struct {
    vec north_re, north_im, south_re, south_im;
} entry_lanes;

#endif
