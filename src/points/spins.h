/* Cores of fields of several spins at the same points: everything but what a spin decides is made
 * once. */
#ifndef ARMILLA_POINTS_SPINS_H
#define ARMILLA_POINTS_SPINS_H

#include "points/plan.h"

/* Cores of the spins 0 .. most. That of the largest is whole: its near rings have the orders that
 * any of the spins needs. The others borrow from it all but their Legendre stage and, where the
 * columns of an even spin are not those of an odd one, the theta stage, of which there are two. */
typedef struct armilla_points_spins {
    _Atomic int64_t *users; /* copies of this struct */
    int64_t most;
    armilla_points_core *whole; /* of spin `most`; users as of any other core */
    armilla_points_core *of;    /* [most + 1] */
} armilla_points_spins;

/* Given: what armilla_points_core_whole takes; given->spin is the largest, on the processor.
 * Errors: MEMORY; *spins is empty then. */
armilla_status armilla_points_spins_make(const armilla_points_core *given,
                                         const armilla_sampling *sampling,
                                         armilla_points_spins *spins);

/* The same of a core that is made, of the spin `most`, and has one user more then. */
armilla_status armilla_points_spins_of(armilla_points_core *whole, armilla_points_spins *spins);

/* A copy, which is cleared as well. */
armilla_points_spins armilla_points_spins_share(const armilla_points_spins *spins);
void armilla_points_spins_clear(armilla_points_spins *spins);

/* Bytes of the stages that the spins below the largest have of their own. */
int64_t armilla_points_spins_bytes(const armilla_points_spins *spins);

#endif
