/* Decides how a plan of the ring stage transforms its rings: functions of the rings, the orders,
 * the lanes of a vector and what is forced. Every threshold of the stage stands in choose.c, with
 * its reason. */
#ifndef ARMILLA_RINGFFT_CHOOSE_H
#define ARMILLA_RINGFFT_CHOOSE_H

#include "ringfft/phase.h"
#include "ringfft/ringfft.h"

/* What the choices depend on. */
typedef struct armilla_ring_question {
    const armilla_ringfft_problem *problem;
    const armilla_phase *phases; /* of each ring */
    armilla_phase common;        /* the shift most rings share; nphi = 0: none is shifted */
    int lanes;                   /* of a vector of the kernels */
} armilla_ring_question;

/* Into which FFTs a part of the orders of the longest rings is folded in analysis. */
typedef enum armilla_part_kind {
    ARMILLA_PART_WHOLE = 0,    /* none: as all orders */
    ARMILLA_PART_QUARTERS = 1, /* even places (0 or 2 modulo 4) | odd places */
    ARMILLA_PART_EIGHTHS = 2   /* even places | r | -r modulo 8, r = 1 or 3 */
} armilla_part_kind;

typedef struct armilla_ring_choices {
    int64_t longest; /* samples of the longest rings */
    int64_t fours;   /* rings of this length are transformed by residue modulo 4; 0: none */
    int roots;       /* ring.roots: the plan keeps roots of shifts, see phase.h */
    int parts;       /* there will be passes of parts of the orders */
    armilla_part_kind part_kind;
    int64_t lane_stride; /* of the rings that lanes take */
    int64_t lane_rings;  /* how many rings these are */
    int64_t lane_pairs;  /* pairs that go together in lanes, a group; 0: no lanes */
    int64_t lane_groups; /* groups side by side in maps along theta */
    int lane_near;       /* all columns of a group stay in the first-level cache */
    int lane_parts;      /* passes of parts go in lanes */
} armilla_ring_choices;

/* All choices but that of the groups, which depend on what the tables of the lanes are like. */
armilla_ring_choices armilla_ring_choose(const armilla_ring_question *question);

/* Groups side by side, each of which works on so many doubles. */
int64_t armilla_ring_choose_groups(const armilla_ring_question *question,
                                   const armilla_ring_choices *choices, int64_t work);

/* Lengths of the FFTs of a part's even and odd orders on the longest rings. Returned: their number,
 * 2 or 0. */
int64_t armilla_ring_part_lengths(const armilla_ring_choices *choices, int64_t length[2]);

/* Can lanes take this ring? They take rings of one length and stride without a shift; of an even
 * length, rings may have the commonest shift. */
int armilla_ring_fits(const armilla_ring_question *question, const armilla_ring_choices *choices,
                      int64_t ring);

#endif
