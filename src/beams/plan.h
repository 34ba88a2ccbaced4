/* Inside of a plan for skies seen through beams: docs/mathematics.md 15.
 *
 *     sky --mix with the beam--> rows of spin k --points--> plane k, at sorted pointings
 *     samples = sum over k of plane k, turned by k psi and multiplied with the beam's modulation
 *
 * The steps of a plane are those of src/points, with cores of all spins 0 .. kmax. A rank's plan
 * has some of the orders, and the pointings that its strips need. */
#ifndef ARMILLA_BEAMS_PLAN_H
#define ARMILLA_BEAMS_PLAN_H

#include "armilla/beams.h"
#include "base/choice.h"
#include "call/call.h"
#include "points/spins.h"

#include <stdint.h>

/* At most: components of sky and beam, beams of a transform. */
enum { ARMILLA_BEAMS_COMPONENTS = 3, ARMILLA_BEAMS_MOST = 65536 };

struct armilla_beams {
    armilla_points_spins spins;   /* of the processor */
    armilla_points **on_gpu;      /* [kmax + 1]: plans of GPUs, of each spin; NULL: none is used */
    armilla_delegation gpus;      /* whose arrays calls may have */
    armilla_alm_layout *triangle; /* of the sky, with GPUs */
    armilla_workspace_store *store;   /* of the host's memory, with GPUs */
    const armilla_alm_layout *layout; /* of the sky's orders that are here */
    armilla_points_order order;       /* without places: values stay in the sequence of the order */
    uint32_t *place; /* of the caller's samples, in that sequence; NULL: they are in it */
    double *turn;    /* [2][count], in that sequence: cos psi, sin psi */
    double *weight;  /* [nbeams][count], in that sequence: modulations; NULL: 1 */
    int64_t kmax, components;
    int64_t nbeams;             /* of a transform, whose samples are added up */
    int64_t alm_size, blm_size; /* complex numbers of a component of sky and beam */
    int nthreads;               /* that make a plan, this one or one beside it */
};

/* Pointings of a task, and how far ahead memory is asked for. */
enum { ARMILLA_BEAMS_SLICE = 1 << 14, ARMILLA_BEAMS_AHEAD = 24 };

static inline int64_t armilla_beams_slices(const armilla_beams *plan)
{
    return (plan->order.count + ARMILLA_BEAMS_SLICE - 1) / ARMILLA_BEAMS_SLICE;
}

/* Which of the caller's samples is number i of the plan's sequence. */
static inline int64_t armilla_beams_place_of(const armilla_beams *plan, int64_t i)
{
    return plan->place ? plan->place[i] : i;
}

/* Which sums a call makes. */
typedef enum armilla_beams_operator {
    ARMILLA_BEAMS_CONVOLVE,
    ARMILLA_BEAMS_ADJOINT,
    ARMILLA_BEAMS_BEAM_ADJOINT
} armilla_beams_operator;

/* Arrays of a call: one of them, by the operator, is written. All doubles or all floats. */
typedef struct armilla_beams_arrays {
    armilla_array sky, beam, samples;
} armilla_beams_arrays;

/* What makes values of planes samples, by the places of pointings. */
typedef struct armilla_beams_angles {
    const double *psi;
    int64_t stride;           /* from one psi to the next */
    const double *modulation; /* [nbeams][..], NULL: 1 */
    int64_t distance;         /* from one beam's to the next one's */
} armilla_beams_angles;

/* plan->turn and plan->weight. Given: what of the plan comes before. Errors: MEMORY. */
armilla_status armilla_beams_make_turns(const armilla_beams_angles *angles, int nthreads,
                                        armilla_beams *plan);

/* Checks of what a plan is made of; *options = the caller's, or the defaults. Errors: ARGUMENT. */
armilla_status armilla_beams_check(int64_t kmax, int64_t lmax, const armilla_beams_options *given,
                                   armilla_beams_options *options);
/* modulation: how messages call options->modulation. No pointings need none. */
armilla_status armilla_beams_check_pointings(int64_t count, const double *pointings,
                                             const armilla_beams_options *options,
                                             const char *modulation);

/* Options of points with the same wishes. */
armilla_points_options armilla_beams_points_options(int64_t kmax,
                                                    const armilla_beams_options *options);

/* The arrays that must be the host's are, and beams are there: those of the beam, and the sky that
 * BEAM_ADJOINT reads. Errors: ARGUMENT, UNSUPPORTED. */
armilla_status armilla_beams_check_host(const armilla_beams *plan, armilla_beams_operator op,
                                        const armilla_beams_arrays *arrays);

/* What a fit of a sky asks: one sky, and a beam that is finite. Errors: ARGUMENT. */
armilla_status armilla_beams_check_fit(const armilla_beams *plan, const double *beam,
                                       int64_t ntrans);

/* Plans of GPUs for all spins: new ones, or those of the plan beside with other points. In
 * device.c. Given: what of the plan comes before; beside  or NULL. Errors: as armilla_points_new.
 */
armilla_status armilla_beams_device_make(int64_t lmax, int64_t mmax, const double *points,
                                         const armilla_beams_options *options,
                                         const armilla_beams *beside, armilla_beams *plan);
void armilla_beams_device_clear(armilla_beams *plan);

/* Tells their choices: those of kmax, then of each smaller k. */
void armilla_beams_device_tell(const armilla_beams *plan, const armilla_teller *teller);

/* What a plan holds. */
void armilla_beams_clear(armilla_beams *plan);

/* Bytes of a plan but for the whole core. */
int64_t armilla_beams_own_bytes(const armilla_beams *plan);

#endif
