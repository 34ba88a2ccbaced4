/* Ring FFT stage: leg <-> map on each ring; docs/mathematics.md (1.10), (1.11).
 *
 *     synthesis  map_j = sum_{|m| <= limit} F_m exp(i m (phi0 + 2 pi j / n)),  F_{-m} = conj F_m
 *     analysis   G_m = weight * sum_j map_j exp(-i m (phi0 + 2 pi j / n)),  0 <= m <= limit
 *
 * Orders come all in one pass, or, to halve the memory of leg, in two passes with half of the
 * orders each (leg/orders.h). Synthesis then costs little more than in one. Analysis does where the
 * longest rings have a multiple of four samples; others it transforms twice.
 *
 * These functions work on one pair of rings (north, south), or on a few pairs in lanes; stage.h
 * runs them over a whole leg. A pair has four doubles per order, rows of leg are row_length apart.
 * A ring may have fewer samples than orders (orders that agree modulo n are added up) or more.
 * Knows rings, not grids; is immutable, and executed by many threads at once, each with its own
 * scratch. */
#ifndef ARMILLA_RINGFFT_RINGFFT_H
#define ARMILLA_RINGFFT_RINGFFT_H

#include "armilla/grid.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/machine.h"
#include "leg/orders.h"

typedef struct armilla_ringfft armilla_ringfft;

/* Two rings that share leg columns; number -1: no such ring. */
typedef struct armilla_ring_pair {
    int64_t north, south;
    int64_t last; /* leg has the orders up to this one */
} armilla_ring_pair;

typedef struct armilla_ringfft_problem {
    armilla_machine machine;
    int64_t nrings;
    const armilla_ring *rings; /* copied */
    int64_t mmax;              /* >= 0 */
    int parts;                 /* will there be passes of parts of the orders? */
    armilla_forced *forced;    /* choices by name, see choose.c; NULL: nothing is */
} armilla_ringfft_problem;

/* Errors: MEMORY. */
armilla_status armilla_ringfft_new(const armilla_ringfft_problem *problem,
                                   armilla_ringfft **ringfft);
void armilla_ringfft_free(armilla_ringfft *ringfft);
int64_t armilla_ringfft_bytes(const armilla_ringfft *ringfft);

/* Tells how the plan's rings are transformed, and why. */
void armilla_ringfft_tell(const armilla_ringfft *ringfft, const armilla_teller *teller);

/* Doubles of scratch per thread, 64-byte aligned. */
int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft);

/* How a pass runs. */
typedef struct armilla_ringfft_mode {
    int weighted; /* multiply by the rings' weights */
    int again;    /* another set of the pair of the call before, same part and scratch: that has the
                     pair's phases still */
    armilla_orders part;
    int add;    /* synthesis of all orders adds to the map, one by one */
    int stream; /* lanes write past the caches, where they write whole lines: base/machine.h */
} armilla_ringfft_mode;

/* leg: entry of the first row of this pair; the next row lies row_length doubles behind.
 * Parts: synthesis first, then second, with the same pairs, mode and map. In between, the map holds
 * what the second pass needs, in the precision of the map, and nothing else of use. */
void armilla_ringfft_synthesis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                               armilla_ringfft_mode mode, const double *leg, int64_t row_length,
                               armilla_array map, double *scratch);
void armilla_ringfft_analysis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                              armilla_ringfft_mode mode, armilla_array map, double *leg,
                              int64_t row_length, double *scratch);

/* Several pairs together, a ring or a pair per lane of a vector, with the results of one by one, to
 * rounding: pairs that go together, at most 8, neighbours in leg; 0: the plan has no lanes. */
int64_t armilla_ringfft_lanes(const armilla_ringfft *ringfft);

/* Can this pair go in lanes of a plan that has them, where all orders come in one pass? */
int armilla_ringfft_fits_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pair);

/* Do all pairs? */
int armilla_ringfft_all_fit_lanes(const armilla_ringfft *ringfft);

/* The same of passes with parts of the orders, of a plan with parts: analysis of each, synthesis of
 * the second one. Rows of the first are parked pair by pair. */
int armilla_ringfft_parts_fit_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                                    armilla_array map);

/* The sets of a leg and their maps. */
typedef struct armilla_ringfft_sets {
    int64_t count;
    int64_t row_length; /* doubles between the rows of leg */
    int64_t leg_step;   /* doubles from set to set */
    int64_t map_step;   /* items from map to map */
} armilla_ringfft_sets;

/* Given: neighbouring pairs that fit; one without rings, with last = -1, is left out; leg: entry of
 * the first row of the first pair and set; the map of the first set.
 * Notes: of armilla_ringfft_lanes pairs, counted from the first one, analysis writes the orders up
 * to the last one of any to the columns of all, unless all are left out. A pair's results do not
 * depend on the others. */
void armilla_ringfft_lanes_synthesis(const armilla_ringfft *ringfft, int64_t count,
                                     const armilla_ring_pair *pairs, armilla_ringfft_mode mode,
                                     const armilla_ringfft_sets *sets, const double *leg,
                                     armilla_array map, double *scratch);
void armilla_ringfft_lanes_analysis(const armilla_ringfft *ringfft, int64_t count,
                                    const armilla_ring_pair *pairs, armilla_ringfft_mode mode,
                                    const armilla_ringfft_sets *sets, armilla_array map,
                                    double *leg, double *scratch);

#endif
