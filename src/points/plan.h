/* Inside of a plan for arbitrary points:
 *
 *     alm --legendre--> near rings --theta--> fine rings --ringfft--> strips of samples --> points
 *
 * Fine rings and their samples are more than the band limit needs, and coefficients are divided by
 * the transforms of the window through which points see the samples: by frequency in the theta
 * stage, by order where alm is read. All orders that points need count on all fine rings: divided
 * so, what is negligible near the poles need not be.
 *
 * Rings are those of a zone of colatitudes (sampling.h), whose numbers begin with 0. North and
 * south of it, hemispheres, poles and equator, are in these files its halves, ends and middle. */
#ifndef ARMILLA_POINTS_PLAN_H
#define ARMILLA_POINTS_PLAN_H

#include "alm/layout.h"
#include "alm/rows.h"
#include "armilla/points.h"
#include "base/workspace.h"
#include "cuda/points_group.h"
#include "leg/leg.h"
#include "legendre/legendre.h"
#include "points/dispatch.h"
#include "points/order.h"
#include "ringfft/ringfft.h"
#include "theta/theta.h"

/* Some bands of both hemispheres: the samples that their points see, and the rings they own. Ring
 * pair p (rings p and nrings - 1 - p) is row p - first of the north, and of the south row
 * rows - 1 - (p - first). first may be negative: rows beyond the pole. */
typedef struct armilla_points_strip {
    int64_t band, end_band;
    int64_t first, rows;          /* of samples, in each hemisphere */
    int64_t first_pair, npairs;   /* seen, that exist */
    int64_t first_own, nown;      /* owned */
    armilla_ring_pairs seen, own; /* ring numbers are rows of a strip: north, then south */
    armilla_leg_layout seen_leg, own_leg;
} armilla_points_strip;

/* Neighbouring pairs of fine rings. */
typedef struct armilla_points_pairs {
    int64_t first, count;
} armilla_points_pairs;

typedef struct armilla_points_device armilla_points_device; /* points/device.h */

/* What does not depend on the points; shared by plans. A rank's core (ranks/points/plan.h) has some
 * of the orders and of the strips; every choice is that of the whole. */
typedef struct armilla_points_core {
    _Atomic int64_t *users;
    armilla_machine machine;
    const armilla_points_kernels *kernels;
    armilla_alm_layout *layout;
    int64_t lmax, mmax, spin; /* mmax: the largest order that points need; spin of any sign */
    int64_t nalm, nmap;       /* components */
    double epsilon; /* as asked for, as are the next two; what is kept: sampling.epsilon */
    double upsampling;
    int taps;
    int on_device;        /* a GPU runs the calls */
    int64_t device_bytes; /* that a call may take there */
    int64_t ndevices;     /* listed by the caller; 0: none were, the current one is it */
    int *devices;         /* the core's own, or, of what is given, the caller's */
    armilla_sht_mode mode;
    armilla_sht_spin_method spin_method;
    double *degree_factor; /* NULL: 1 */
    double *order_factor;
    armilla_sampling sampling;
    armilla_window_table table;
    armilla_ring_pairs near, fine;
    armilla_legendre *legendre;
    armilla_theta *theta;
    int64_t norders;        /* of the Legendre stage; a rank's are listed */
    const int64_t *orders;  /* none above mmax; borrowed; NULL: 0 .. mmax */
    armilla_leg_layout leg; /* all orders of the fine rings that the own strips see */
    int64_t row_length;     /* doubles between its rows */
    armilla_ringfft *ringfft;
    int64_t nstrips, most_rows;     /* of all ranks */
    int64_t first_strip, end_strip; /* the own ones */
    int64_t *no_rings;              /* as many as a strip has pairs: -1 */
    armilla_points_strip *strips;
    int64_t left, pitch;           /* doubles: before the first sample of a row, between rows */
    armilla_points_device *device; /* on a GPU, where theta, ringfft and workspace are NULL */
    armilla_workspace_store *workspace;
} armilla_points_core;

struct armilla_points {
    armilla_points_core *core;
    armilla_points_order order;         /* on a GPU its count alone */
    armilla_cuda_points_shares *sorted; /* on GPUs */
    armilla_memory points_memory;       /* as in armilla_points_options */
    int nthreads;                       /* that sort, here and beside */
};

/* Errors: MEMORY. Given: what of *core comes before degree_factor but kernels; sampling. */
armilla_status armilla_points_core_make(armilla_points_core *core);

/* The same in two steps. In between a rank says which orders and strips it has. */
armilla_status armilla_points_core_begin(armilla_points_core *core);
armilla_status armilla_points_core_finish(armilla_points_core *core);
void armilla_points_core_clear(armilla_points_core *core);

/* That it holds, without points. */
int64_t armilla_points_core_bytes(const armilla_points_core *core);

/* The two stages that depend on core->spin. Errors: MEMORY. */
armilla_status armilla_points_core_make_legendre(armilla_points_core *core);
armilla_status armilla_points_core_make_theta(armilla_points_core *core);

/* Where all strips are, then what the own ones need. Errors: MEMORY; what was made is freed by
 * armilla_points_strips_clear. */
armilla_status armilla_points_strips_place(armilla_points_core *core);
armilla_status armilla_points_strips_make(armilla_points_core *core);

/* Pairs that the strips first .. end - 1 see, or that they own. */
armilla_points_pairs armilla_points_pairs_of(const armilla_points_core *core, int64_t first,
                                             int64_t end, int seen);
void armilla_points_strips_clear(armilla_points_core *core);

/* Doubles of one thread's strip of samples. */
static inline int64_t armilla_points_strip_size(const armilla_points_core *core)
{
    return 2 * core->nmap * core->most_rows * core->pitch;
}

/* Rows that a point sees to either side of its own, and one more. */
static inline int64_t armilla_points_reach(const armilla_points_core *core)
{
    return core->table.taps / 2 + 2;
}

#endif
