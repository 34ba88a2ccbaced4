/* Ring FFT stage: leg <-> map on each ring; docs/mathematics.md (1.10), (1.11).
 *
 *     synthesis  map_j = sum_{|m| <= limit} F_m exp(i m (phi0 + 2 pi j / n)),  F_{-m} = conj F_m
 *     analysis   G_m = weight * sum_j map_j exp(-i m (phi0 + 2 pi j / n)),  0 <= m <= limit
 *
 * Works on pairs of rings (north, south) as legendre/legendre.h lays them out: per order four
 * doubles, rows row_length apart. A ring may have fewer samples than modes (they are folded) or
 * more (padded with zeros). Knows rings, not grids; is immutable, and executed by many threads at
 * once, each with its own scratch. */
#ifndef ARMILLA_RINGFFT_RINGFFT_H
#define ARMILLA_RINGFFT_RINGFFT_H

#include "armilla/grid.h"
#include "base/cpu.h"

typedef struct armilla_ringfft armilla_ringfft;

/* A map of doubles or floats. */
typedef struct armilla_samples {
    void *values; /* double or float; inputs are only read */
    int is_float;
} armilla_samples;

/* Two rings that share leg columns; number -1: no such ring. */
typedef struct armilla_ring_pair {
    int64_t north, south;
    int64_t first, last; /* orders present in leg */
} armilla_ring_pair;

/* Given: rings (copied); 0 <= mmax. Errors: MEMORY. */
armilla_status armilla_ringfft_new(armilla_isa isa, int64_t nrings, const armilla_ring *rings,
                                   int64_t mmax, armilla_ringfft **ringfft);
void armilla_ringfft_free(armilla_ringfft *ringfft);
int64_t armilla_ringfft_bytes(const armilla_ringfft *ringfft);

/* Doubles of scratch per thread, 64-byte aligned. */
int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft);

/* How a pass runs. */
typedef struct armilla_ringfft_mode {
    int weighted; /* multiply by the rings' weights */
    int add;      /* synthesis: add to the map, for orders that come in several passes */
} armilla_ringfft_mode;

/* leg: entry of order pair->first of this pair; the next order lies row_length doubles behind. */
void armilla_ringfft_synthesis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                               armilla_ringfft_mode mode, const double *leg, int64_t row_length,
                               armilla_samples map, double *scratch);
void armilla_ringfft_analysis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                              armilla_ringfft_mode mode, armilla_samples map, double *leg,
                              int64_t row_length, double *scratch);

#endif
