/* Ring FFT stage: leg <-> map on each ring; docs/mathematics.md (1.10), (1.11).
 *
 *     synthesis  map_j = sum_{|m| <= limit} F_m exp(i m (phi0 + 2 pi j / n)),  F_{-m} = conj F_m
 *     analysis   G_m = weight * sum_j map_j exp(-i m (phi0 + 2 pi j / n)),  0 <= m <= limit
 *
 * Orders come all in one pass, or, to halve the memory of leg, in two passes with half of the
 * orders each (armilla_ringfft_part), which cost little more than one.
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
    int64_t first, last; /* orders present in leg; first is 0 unless the pass is of all orders */
} armilla_ring_pair;

/* Which orders a pass holds. The residues modulo 8 of a part are closed under change of sign, so
 * that a part has its own, shorter FFTs (docs/mathematics.md (4.5)). */
typedef enum armilla_ringfft_part {
    ARMILLA_RINGFFT_ALL = 0,
    ARMILLA_RINGFFT_FIRST = 1, /* m = 0, 1, 4, 7 modulo 8 */
    ARMILLA_RINGFFT_SECOND = 2 /* m = 2, 3, 6, 5 modulo 8 */
} armilla_ringfft_part;

/* Rows of leg are the orders of a part in the sequence above: even and odd ones take turns, four
 * rows for each eight orders. Rows that hold the orders up to mmax; one of them may have an order
 * above mmax (6, where mmax is 5 modulo 8), which is not read and not written. */
int64_t armilla_ringfft_rows(armilla_ringfft_part part, int64_t mmax);
int64_t armilla_ringfft_order(armilla_ringfft_part part, int64_t row);

/* The inverse; -1 for an order of the other part. */
int64_t armilla_ringfft_row(armilla_ringfft_part part, int64_t m);

/* Given: rings (copied); 0 <= mmax; parts: will there be passes of parts? Errors: MEMORY. */
armilla_status armilla_ringfft_new(armilla_isa isa, int64_t nrings, const armilla_ring *rings,
                                   int64_t mmax, int parts, armilla_ringfft **ringfft);
void armilla_ringfft_free(armilla_ringfft *ringfft);
int64_t armilla_ringfft_bytes(const armilla_ringfft *ringfft);

/* Are parts worth while? If all rings have a multiple of four samples, two analysis passes cost
 * about as much as one; other rings are transformed twice. Synthesis does without. */
int armilla_ringfft_parts_are_cheap(int64_t nrings, const armilla_ring *rings);

/* Doubles of scratch per thread, 64-byte aligned. */
int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft);

/* How a pass runs. */
typedef struct armilla_ringfft_mode {
    int weighted; /* multiply by the rings' weights */
    int add;      /* synthesis: add to the map, for orders that come in several passes; ALL only */
    armilla_ringfft_part part;
} armilla_ringfft_mode;

/* leg: entry of the first row of this pair; the next row lies row_length doubles behind.
 * Parts: synthesis first, then second, with the same pairs, mode and map. In between, the map holds
 * what the second pass needs, in the precision of the map, and nothing else of use. */
void armilla_ringfft_synthesis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                               armilla_ringfft_mode mode, const double *leg, int64_t row_length,
                               armilla_samples map, double *scratch);
void armilla_ringfft_analysis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                              armilla_ringfft_mode mode, armilla_samples map, double *leg,
                              int64_t row_length, double *scratch);

/* Several pairs together, a ring per lane of a vector, with the results of one by one, to rounding.
 * A new plan has lanes where they are faster; planning them once more, before the first execution,
 * adds them where they are possible (tests). Errors: MEMORY, nothing changes. */
armilla_status armilla_ringfft_plan_lanes(armilla_ringfft *ringfft);

/* Pairs of one call, neighbours in leg; 0: the plan has no lanes. */
int64_t armilla_ringfft_lanes(const armilla_ringfft *ringfft);

/* Can these run together, and are they enough? Pairs without rings count as none. */
int armilla_ringfft_lanes_fit(const armilla_ringfft *ringfft, const armilla_ring_pair *pairs,
                              armilla_ringfft_mode mode, armilla_samples map);

/* Given: pairs that fit; leg: entry of the first row of the first pair.
 * Notes: analysis writes the orders up to the last one of any pair for all of them. */
void armilla_ringfft_lanes_synthesis(const armilla_ringfft *ringfft, const armilla_ring_pair *pairs,
                                     armilla_ringfft_mode mode, const double *leg,
                                     int64_t row_length, armilla_samples map, double *scratch);
void armilla_ringfft_lanes_analysis(const armilla_ringfft *ringfft, const armilla_ring_pair *pairs,
                                    armilla_ringfft_mode mode, armilla_samples map, double *leg,
                                    int64_t row_length, double *scratch);

#endif
