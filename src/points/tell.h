/* Tells what plans for points, and cores of several spins, have chosen. */
#ifndef ARMILLA_POINTS_TELL_H
#define ARMILLA_POINTS_TELL_H

#include "base/choice.h"
#include "points/spins.h"

/* How finely the sphere is sampled, what is left out, and the choices of the stages. */
void armilla_points_tell(const armilla_points *plan, const armilla_teller *teller);

/* The same of the largest spin, then the choices of the stages that smaller spins have of their
 * own, by tellers of these spins. */
void armilla_points_spins_tell(const armilla_points_spins *spins, const armilla_teller *teller);

/* One that tells in the group "k0.", "k1.", ... of the spin. */
armilla_teller armilla_points_teller_of_spin(const armilla_teller *teller, int64_t spin);

#endif
