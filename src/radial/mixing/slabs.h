/* A call of the mixing of rings: what its parts share. Workspace:
 *
 *     segments | fours | samples | orders of input | orders of output | zeros
 *     leg of a slab               |
 *
 * Orders of a slab stand by spans of the pass: [set][span][pair][4][WIDTH], so that a task that
 * mixes two spans whose K_m come from the same sums of cosines reads and writes what no other task
 * of the round does. */
#ifndef ARMILLA_RADIAL_MIXING_SLABS_H
#define ARMILLA_RADIAL_MIXING_SLABS_H

#include "radial/mixing/plan.h"
#include "radial/mixing/tiles.h"

/* What a rank has of the orders of a pass: of its own pairs begin .. end - 1 all spans, or of all
 * pairs some spans. They stand by [set][span][pair] then, not by slabs. */
typedef struct armilla_mixing_part {
    int64_t begin, end;  /* pairs */
    int64_t nheld;       /* spans */
    const int64_t *held; /* place of each span of the pass, -1: not there; NULL: all are */
} armilla_mixing_part;

typedef struct armilla_mixing_call {
    const armilla_mixing *mixing;
    armilla_mixing_job job;
    const armilla_work *work;
    double *leg;
    double *orders[2]; /* of input and output */
    armilla_mixing_segment *segments;
    armilla_mixing_four *fours;
    double *samples;
    uint8_t *zero;                     /* [set][ring] is the sum 0 in all passes up to now? */
    int64_t pass, first_span;          /* of the pass */
    int64_t slab;                      /* that is read or written */
    const armilla_mixing_round *round; /* that is run */
    int64_t in_task;                   /* spans of a task */
    const armilla_mixing_part *part;   /* of a rank; NULL: all orders are here */
} armilla_mixing_call;

/* Doubles of the orders of a slab. */
static inline int64_t armilla_mixing_slab_size(const armilla_mixing *mixing, int64_t nsets)
{
    return nsets * mixing->in_pass * mixing->slab * ARMILLA_MIXING_PAIR;
}

/* Does the rank have a span of the pass? */
static inline int armilla_mixing_holds(const armilla_mixing_call *r, int64_t span)
{
    return !r->part || !r->part->held || r->part->held[span - r->first_span] >= 0;
}

static inline double *armilla_mixing_part_orders(const armilla_mixing_call *r, int side,
                                                 int64_t set, int64_t span, int64_t pair)
{
    const armilla_mixing_part *part = r->part;
    const int64_t index = span - r->first_span, place = part->held ? part->held[index] : index;
    return r->orders[side] +
           ((set * part->nheld + place) * (part->end - part->begin) + pair - part->begin) *
               ARMILLA_MIXING_PAIR;
}

/* Where a pair's orders of a span are. */
static inline double *armilla_mixing_orders(const armilla_mixing_call *r, int side, int64_t set,
                                            int64_t span, int64_t pair)
{
    const armilla_mixing *mixing = r->mixing;
    if (r->part) return armilla_mixing_part_orders(r, side, set, span, pair);
    const int64_t slab = pair / mixing->slab, place = slab % mixing->nkept;
    return r->orders[side] + place * armilla_mixing_slab_size(mixing, r->job.nsets) +
           ((set * mixing->in_pass + span - r->first_span) * mixing->slab + pair % mixing->slab) *
               ARMILLA_MIXING_PAIR;
}

/* Behind the last span of the pass, where there are `count`. */
static inline int64_t armilla_mixing_end_of_pass(const armilla_mixing_call *r, int64_t count)
{
    return armilla_smaller(r->first_span + r->mixing->in_pass, count);
}

/* A call with its workspace, but for orders, which the caller places. Given: workspace, of
 * armilla_mixing_part_workspace doubles. */
armilla_mixing_call armilla_mixing_open(const armilla_mixing *mixing, armilla_mixing_job job,
                                        const armilla_work *work, double *workspace);
int64_t armilla_mixing_part_workspace(const armilla_mixing *mixing, int64_t nsets);

/* Adds what orders of input give to those of output, all rounds of a pass: of the spans that a rank
 * has of all pairs. It stops when the call is cancelled. */
void armilla_mixing_mix(armilla_mixing_call *r);

/* Orders of a slab's input, and zeros where its sums will be. */
void armilla_mixing_read_slab(armilla_mixing_call *r, const armilla_maps *maps, int64_t slab);

/* Sums of a slab become pixels. */
void armilla_mixing_write_slab(armilla_mixing_call *r, const armilla_maps *maps, int64_t slab);

#endif
