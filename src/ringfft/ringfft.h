/* Ring FFT stage: leg <-> map on each ring; docs/mathematics.md (1.10), (1.11).
 *
 *     synthesis  map_j = sum_{|m| <= limit} F_m exp(i m (phi0 + 2 pi j / n)),  F_{-m} = conj F_m
 *     analysis   G_m = weight * sum_j map_j exp(-i m (phi0 + 2 pi j / n)),  0 <= m <= limit
 *
 * Orders come all in one pass, or, to halve the memory of leg, in two passes with half of the
 * orders each (leg/orders.h). Synthesis then costs little more than in one. Analysis does where the
 * longest rings have a multiple of four samples; others it transforms twice.
 *
 * A plan is executed by stage.h over a whole leg, pair by pair of rings (north, south) or a few
 * pairs together, in one of the ways of way.h. A pair has four doubles per order, rows of leg are
 * row_length apart. A ring may have fewer samples than orders (orders that agree modulo n are added
 * up) or more. Of a transform with every step'th order only (leg/pairs.h), an order here is a
 * number of steps, and a ring's samples cover the sector of longitudes that repeats itself. Knows
 * rings, not grids; is immutable, and executed by many threads at once, each with its own scratch.
 */
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
    /* where the samples of each ring begin, one behind the other; -1: the ring never comes, though
     * choices are made as if it did. NULL: all come, and rings say where */
    const int64_t *places;
    int64_t nside; /* of HEALPix: maps are in NESTED order, and strides are 0; else 0 */
} armilla_ringfft_problem;

/* Errors: MEMORY. */
armilla_status armilla_ringfft_new(const armilla_ringfft_problem *problem,
                                   armilla_ringfft **ringfft);

/* A plan that only tells the sizes of the other: its FFTs have no tables. Errors: MEMORY. */
armilla_status armilla_ringfft_count(const armilla_ringfft_problem *problem,
                                     armilla_ringfft **ringfft);

void armilla_ringfft_free(armilla_ringfft *ringfft);
int64_t armilla_ringfft_bytes(const armilla_ringfft *ringfft);

/* Tells how the plan's rings are transformed, and why. */
void armilla_ringfft_tell(const armilla_ringfft *ringfft, const armilla_teller *teller);

/* Doubles of scratch per thread, 64-byte aligned. */
int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft);

/* How a pass runs.
 * Parts: synthesis first, then second, with the same pairs, mode and map. In between, the map holds
 * what the second pass needs, in the precision of the map, and nothing else of use. */
typedef struct armilla_ringfft_mode {
    int weighted; /* multiply by the rings' weights */
    int again;    /* another set of the pair of the call before, same part and scratch: that has the
                     pair's phases still */
    armilla_orders part;
    int add;    /* synthesis of all orders adds to the map, one by one */
    int stream; /* lanes write past the caches, where they write whole lines: base/machine.h */
} armilla_ringfft_mode;

/* Several pairs together, a ring or a pair per lane of a vector, with the results of one by one, to
 * rounding: pairs that go together, at most 8, neighbours in leg; 0: the plan has no lanes. */
int64_t armilla_ringfft_lanes(const armilla_ringfft *ringfft);

#endif
