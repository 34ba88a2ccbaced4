/* The Legendre stage over a whole leg: rows of alm <-> leg. It runs its loop over the orders on the
 * team, reports progress (lmax - m + 1 units for each transform and order), stops when the call is
 * cancelled, and leaves results that do not depend on the number of threads. The leg's pairs are
 * those that the stage was made for. */
#ifndef ARMILLA_LEGENDRE_STAGE_H
#define ARMILLA_LEGENDRE_STAGE_H

#include "alm/rows.h"
#include "base/work.h"
#include "legendre/legendre.h"

/* Doubles of scratch per thread for a leg of so many sets; armilla_leg_rows_scratch comes on top of
 * them where some pairs of the leg wait elsewhere. Then all pairs are in it, those in memory in one
 * block, and the stage is `whole`. */
int64_t armilla_legendre_stage_scratch(const armilla_legendre *legendre, int64_t nsets);

/* alm -> leg: every entry that exists is written. */
void armilla_legendre_to_leg(const armilla_legendre *legendre, const armilla_alm_rows *alm,
                             const armilla_leg *leg, const armilla_work *work);

/* leg -> alm: the transpose; rows are written as alm says. */
void armilla_legendre_from_leg(const armilla_legendre *legendre, const armilla_leg *leg,
                               const armilla_alm_rows *alm, const armilla_work *work);

#endif
