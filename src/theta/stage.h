/* The theta stage over a whole leg, in front of or behind the Legendre stage: alm <-> rows of the
 * near rings <-> leg. A task is a batch of neighbouring rows of leg, whose near rows stay in the
 * caches; batches are those of the leg, so that results do not depend on the number of threads.
 *
 * The Legendre stage is that of the near pairs (armilla_theta_near), the leg has all of the far
 * pairs and any orders; those above the Legendre stage's mmax have no entries. Progress: lmax - m +
 * 1 units for each transform and order; a call that is cancelled stops. */
#ifndef ARMILLA_THETA_STAGE_H
#define ARMILLA_THETA_STAGE_H

#include "alm/rows.h"
#include "base/work.h"
#include "leg/leg.h"
#include "legendre/legendre.h"
#include "theta/theta.h"

/* Doubles of scratch per thread for a leg of so many sets. */
int64_t armilla_theta_stage_scratch(const armilla_theta *theta, const armilla_legendre *legendre,
                                    int64_t nsets);

/* alm -> leg: every entry that exists is written. */
void armilla_theta_to_leg(const armilla_theta *theta, const armilla_legendre *legendre,
                          const armilla_alm_rows *alm, const armilla_leg *leg,
                          const armilla_work *work);

/* leg -> alm: the transpose; rows are written as alm says. */
void armilla_theta_from_leg(const armilla_theta *theta, const armilla_legendre *legendre,
                            const armilla_leg *leg, const armilla_alm_rows *alm,
                            const armilla_work *work);

#endif
