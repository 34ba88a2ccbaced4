/* A call of the mixing of rings: what its parts share. Workspace:
 *
 *     segments | groups | samples | slots of input | slots of output | zeros
 *     leg of a slab               |
 *
 * A slot holds the orders of a slab by blocks of the pass: [set][block][pair][4][WIDTH], so that a
 * task that mixes two blocks whose K_m come from the same sums of cosines reads and writes what no
 * other task of the round does. */
#ifndef ARMILLA_RADIAL_MIXING_SLOTS_H
#define ARMILLA_RADIAL_MIXING_SLOTS_H

#include "radial/mixing/plan.h"
#include "radial/mixing/tiles.h"

typedef struct armilla_mixing_call {
    const armilla_mixing *mixing;
    armilla_mixing_job job;
    const armilla_work *work;
    double *leg;
    double *slots[2]; /* of input and output */
    armilla_mixing_segment *segments;
    armilla_mixing_group *groups;
    double *samples;
    uint8_t *zero;                     /* [set][ring] is the sum 0 in all passes up to now? */
    int64_t pass, first_block;         /* of the pass */
    int64_t slab;                      /* that is read or written */
    const armilla_mixing_round *round; /* that is run */
    int64_t share;                     /* blocks of a task */
} armilla_mixing_call;

/* Doubles of a slot. */
static inline int64_t armilla_mixing_slot_size(const armilla_mixing *mixing, int64_t nsets)
{
    return nsets * mixing->span * mixing->slab * ARMILLA_MIXING_PAIR;
}

/* Where a pair's orders of a block are. */
static inline double *armilla_mixing_orders(const armilla_mixing_call *r, int side, int64_t set,
                                            int64_t block, int64_t pair)
{
    const armilla_mixing *mixing = r->mixing;
    const int64_t slab = pair / mixing->slab, slot = slab % mixing->nslots;
    return r->slots[side] + slot * armilla_mixing_slot_size(mixing, r->job.nsets) +
           ((set * mixing->span + block - r->first_block) * mixing->slab + pair % mixing->slab) *
               ARMILLA_MIXING_PAIR;
}

/* Behind the last block of the pass, where there are `count`. */
static inline int64_t armilla_mixing_end_of_pass(const armilla_mixing_call *r, int64_t count)
{
    return armilla_smaller(r->first_block + r->mixing->span, count);
}

/* Orders of a slab's input, and zeros where its sums will be. */
void armilla_mixing_read_slab(armilla_mixing_call *r, const armilla_maps *maps, int64_t slab);

/* Sums of a slab become pixels. */
void armilla_mixing_write_slab(armilla_mixing_call *r, const armilla_maps *maps, int64_t slab);

#endif
