/* One way from alm to maps and back: which rings the Legendre stage works on, what the theta stage
 * does between them and the grid's rings, and the passes of leg. A plan has one flow, or two where
 * the weights of analysis mix rings. */
#ifndef ARMILLA_SHT_FLOW_H
#define ARMILLA_SHT_FLOW_H

#include "alm/rows.h"
#include "armilla/sht.h"
#include "base/work.h"
#include "cuda/transform.h"
#include "leg/home.h"
#include "leg/passes.h"
#include "legendre/legendre.h"
#include "sht/share.h"
#include "theta/theta.h"

typedef enum armilla_flow_kind {
    ARMILLA_FLOW_DIRECT,    /* the Legendre stage works on the grid's rings */
    ARMILLA_FLOW_FEWER,     /* on fewer equidistant ones, from which theta interpolates */
    ARMILLA_FLOW_QUADRATURE /* on Gauss-Legendre rings: exact analysis of equidistant grids */
} armilla_flow_kind;

/* The passes of a call, and the home of what they leave out (leg/home.h). */
typedef struct armilla_flow_way {
    armilla_leg_passes passes; /* none: there is no such way */
    armilla_leg_home home;     /* without the arrays of a call */
    int64_t norder_passes;     /* in how many of the passes each order is */
} armilla_flow_way;

typedef enum armilla_flow_place {
    ARMILLA_FLOW_IN_MEMORY, /* all of leg: any call */
    ARMILLA_FLOW_IN_MAPS,   /* synthesis */
    ARMILLA_FLOW_IN_ALM,    /* analysis: some of the pairs */
    ARMILLA_FLOW_PLACES
} armilla_flow_place;

typedef struct armilla_flow {
    armilla_flow_kind kind;
    armilla_ring_pairs near;  /* rings of the Legendre stage; DIRECT: none, it has the grid's */
    armilla_ring_pairs every; /* QUADRATURE: the grid's pairs, on which all orders count */
    armilla_legendre *legendre;
    armilla_theta *theta;                /* NULL: DIRECT, or on a GPU */
    armilla_theta_problem theta_problem; /* other than DIRECT */
    double *theta_factor;                /* of theta_problem */
    armilla_flow_way ways[ARMILLA_FLOW_PLACES];
    armilla_leg_layout near_rows;    /* GPU, with theta: the near rings, in the rows of the pass */
    int weighted;                    /* W is in the theta stage: the ring stage has none */
    const armilla_cuda_shape *shape; /* GPU: what legendre was made for */
} armilla_flow;

typedef struct armilla_flow_problem {
    armilla_machine machine;
    const armilla_grid *grid;
    const armilla_ring_pairs *pairs; /* of the grid, with their mirror images; outlive the flow */
    const armilla_ring_pairs *far;   /* any two rings, where theta stands between: half of leg on
                                        grids without mirror images; likewise */
    int64_t lmax, mmax, spin;
    int64_t norders;             /* 0 .. mmax, or of the list */
    const int64_t *orders;       /* 0, pairs->step, ..., mmax; NULL: step is 1 */
    const armilla_share *share;  /* whose orders the Legendre stage gets; NULL: it gets all */
    int recurrence_only, single; /* as in armilla_legendre_problem */
    int64_t budget;              /* doubles that leg may take, for one set */
    int64_t whole;               /* so many it may take in any case where all orders of all
                                    ring pairs come at once */
    int64_t cache_bytes;         /* as in armilla_legendre_problem */
    armilla_forced *forced;      /* likewise */
    int alm_has_rows; /* alm has one for each map, and rows in which entries of leg may wait */
    int on_device;    /* for the stages of a GPU, which keeps all tables */
    const armilla_cuda_shape *shape; /* GPU: NULL: the default one */
    int two_floats;                  /* GPU: are calls of doubles? */
    const armilla_legendre *lender;  /* of another flow that outlives this one; NULL: none */
} armilla_flow_problem;

/* Would leg be too large for one pass, if a pass has all ring pairs? Then it is cut into the two
 * parts of orders (leg/orders.h). */
int armilla_flow_needs_parts(const armilla_flow_problem *problem);

/* The rings of the Legendre stage where these are fewer. Errors: MEMORY; *pairs is empty then. */
armilla_status armilla_flow_coarse_pairs(int64_t lmax, int64_t mmax, int64_t spin,
                                         armilla_ring_pairs *pairs);

/* Errors: MEMORY. */
armilla_status armilla_flow_make(const armilla_flow_problem *problem, armilla_flow_kind kind,
                                 armilla_flow *flow);
void armilla_flow_clear(armilla_flow *flow);

/* The way of a call; lends: the array that it writes may be a home. */
const armilla_flow_way *armilla_flow_find_way(const armilla_flow *flow, int to_map, int lends);

/* Doubles that the largest leg of a way takes beside the arrays, with so many sets. */
int64_t armilla_flow_leg_size(const armilla_flow_way *way, int64_t nsets);

/* The stages between alm and leg, with theta where the flow has it: on all threads of the work. */
void armilla_flow_to_leg(const armilla_flow *flow, const armilla_alm_rows *alm,
                         const armilla_leg *leg, const armilla_work *work);
void armilla_flow_from_leg(const armilla_flow *flow, const armilla_leg *leg,
                           const armilla_alm_rows *alm, const armilla_work *work);

/* Scratch per thread of its stages, without the ring stage; bytes held. */
int64_t armilla_flow_scratch_size(const armilla_flow *flow, const armilla_flow_way *way,
                                  int64_t nsets);
int64_t armilla_flow_bytes(const armilla_flow *flow);

/* May leg wait in the arrays of calls? */
int armilla_flow_is_parked(const armilla_flow *flow);

#endif
