/* Ways to transform a batch of neighbouring pairs of rings. Each way has a file of its own; way.c
 * has the list of them, from which a pair takes the first way that fits. The results of a pair do
 * not depend on the batch that it is in. */
#ifndef ARMILLA_RINGFFT_WAY_H
#define ARMILLA_RINGFFT_WAY_H

#include "ringfft/ringfft.h"

/* The sets of a leg and their maps. */
typedef struct armilla_ring_sets {
    int64_t count;
    int64_t row_length; /* doubles between the rows of leg */
    int64_t leg_step;   /* doubles from set to set */
    int64_t map_step;   /* items from map to map */
} armilla_ring_sets;

/* What a way works on: pairs of rings, their columns of leg, their maps. */
typedef struct armilla_ring_batch {
    const armilla_ringfft *ringfft;
    armilla_ringfft_mode mode;
    armilla_ring_sets sets;
    int64_t count; /* of pairs, neighbours in leg */
    const armilla_ring_pair *pairs;
    double *leg;       /* first row of the first pair and set; synthesis only reads it */
    armilla_array map; /* of the first set */
    double *scratch;   /* armilla_ringfft_scratch_size doubles, 64-byte aligned */
} armilla_ring_batch;

typedef struct armilla_ring_way {
    /* Can a pair go this way? Reads the batch's plan, mode and map. NULL: every pair can. */
    int (*fits)(const armilla_ring_batch *batch, const armilla_ring_pair *pair, int to_maps);
    int (*takes_all)(const armilla_ring_batch *batch); /* all pairs of the plan; NULL: not known */
    int64_t (*together)(const armilla_ringfft *ringfft);       /* pairs; NULL: nothing is gained */
    int64_t (*scratch_size)(const armilla_ringfft *ringfft);   /* doubles; NULL: as alone */
    void (*run)(const armilla_ring_batch *batch, int to_maps); /* leg -> maps, or maps -> leg */
} armilla_ring_way;

/* All orders. */
extern const armilla_ring_way armilla_ring_way_lanes; /* lane_groups.c */
extern const armilla_ring_way armilla_ring_way_alone; /* alone.c */

/* A part of the orders. */
extern const armilla_ring_way armilla_ring_way_part_lanes; /* parts.c */
extern const armilla_ring_way armilla_ring_way_parts;      /* parts.c */

/* Doubles of scratch that are enough for every way of a plan. */
int64_t armilla_ring_ways_scratch_size(const armilla_ringfft *ringfft);

/* The way of a pair. */
const armilla_ring_way *armilla_ring_way_find(const armilla_ring_batch *batch,
                                              const armilla_ring_pair *pair, int to_maps);

#endif
