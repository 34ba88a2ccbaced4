/* Inside of a distributed plan for radial convolution (armilla/distributed_radial.h): the belt of
 * this rank, and for each plan that makes sums, windows of sources and orders to mix. */
#ifndef ARMILLA_RANKS_RADIAL_RADIAL_H
#define ARMILLA_RANKS_RADIAL_RADIAL_H

#include "armilla/distributed_radial.h"
#include "radial/part.h"
#include "radial/ranks.h"
#include "ranks/device/place.h"

/* Neighbouring pairs of rings, from the poles to the equator; armilla_ring_pairs has them. */
typedef struct armilla_belt {
    int64_t begin, end; /* pairs of this rank */
    int64_t digest;     /* of the belts of all ranks */
    uint8_t *mine;      /* [rings] */
    int64_t *places;    /* [rings] where a ring begins in maps of the belt; -1: it is elsewhere */
} armilla_belt;

/* Some rows of output, and some of the sources that they see, which are in memory together. */
typedef struct armilla_belt_window {
    int64_t first, end; /* rows of output */
    int64_t from, to;   /* sources, behind those of the window before with the same rows */
    int64_t npix;       /* of the sources; their images have as many */
    int only;           /* is it the only window of its rows? */
} armilla_belt_window;

/* PIXELS: the rank goes through its windows, the n-th one together with those of other ranks. */
typedef struct armilla_belt_windows {
    int64_t count, most_npix;
    armilla_belt_window *window;
    int64_t nfetches; /* the most windows of any rank */
    armilla_redistribution **fetch;
    int64_t *map_at, *out_at; /* as in armilla_radial_job; map_at is that of the window */
} armilla_belt_windows;

/* RINGS: orders of a pass go from the ranks that have the rings to those that mix them, and back.
 */
typedef struct armilla_belt_pass {
    int64_t nheld, *held; /* as in armilla_mixing_part */
    armilla_redistribution *to_mixers, *to_rings;
} armilla_belt_pass;

typedef struct armilla_belt_orders {
    int64_t npasses, most_held;
    armilla_belt_pass *pass;
} armilla_belt_orders;

/* A plan of one rank, and what it needs of others. */
typedef struct armilla_belt_stage {
    const armilla_distributed_radial *plan;
    armilla_radial *radial;
    armilla_radial_ranks ranks;
    armilla_belt_windows windows;
    armilla_belt_orders orders;
} armilla_belt_stage;

/* STANDARD and spin 2 have plans in plans. */
enum { ARMILLA_BELT_STAGES = 5 };

struct armilla_distributed_radial {
    armilla_transport transport;
    armilla_radial *radial;
    armilla_belt belt;
    int64_t whole_npix;   /* of the grid */
    int64_t nspans, npix; /* of the caller */
    armilla_span *spans;
    armilla_redistribution *to_belt, *from_belt;
    armilla_delegation delegation; /* the rank's GPU, whose calls the host runs */
    int64_t nstages;
    armilla_belt_stage stages[ARMILLA_BELT_STAGES];
};

/* Not collective. Deals belts of the plan's rings. Errors: MEMORY; *belt must be cleared all the
 * same. */
armilla_status armilla_belt_make(const armilla_radial *radial, int64_t rank, int64_t nranks,
                                 armilla_belt *belt);
void armilla_belt_clear(armilla_belt *belt);

/* Collective; each with this rank's status so far, and returns that of all. Errors: MEMORY,
 * TRANSPORT. */
armilla_status armilla_belt_windows_make(armilla_belt_stage *stage, armilla_status status);
armilla_status armilla_belt_orders_make(armilla_belt_stage *stage, armilla_status status);
void armilla_belt_windows_clear(armilla_belt_windows *windows);
void armilla_belt_orders_clear(armilla_belt_orders *orders);

/* Collective: the sums of the rings that are made by PIXELS, and by RINGS. Errors: MEMORY,
 * CANCELLED, TRANSPORT. */
armilla_status armilla_belt_windows_run(const armilla_belt_stage *stage,
                                        const armilla_radial_call *call, armilla_maps maps);
armilla_status armilla_belt_orders_run(const armilla_belt_stage *stage,
                                       const armilla_radial_call *call, const armilla_maps *maps);

/* Collective: as armilla_radial_sum; context: the stage. */
armilla_status armilla_belt_sum(void *context, const armilla_radial_call *call,
                                const armilla_maps *maps);

#endif
