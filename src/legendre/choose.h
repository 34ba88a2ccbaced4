/* The choices of a Legendre stage: what a plan keeps for its calls, and how calls make their sums.
 * All follow from the problem, the instruction set and options, none from the machine that the plan
 * is made on: matrices add in another sequence than recurrences do, and results shall have the same
 * bits on every machine that runs the same instruction set. */
#ifndef ARMILLA_LEGENDRE_CHOOSE_H
#define ARMILLA_LEGENDRE_CHOOSE_H

#include "base/choice.h"
#include "legendre/legendre.h"

/* Is it a stage for a processor, of more than one call? Others keep nothing for calls. */
static inline int armilla_legendre_is_for_calls(const armilla_legendre_problem *problem)
{
    return problem->lanes == 0 && problem->keep_tables >= 0;
}

/* Chooses all of legendre->choices but what is kept for spins. Given: groups, pairs and the list of
 * orders are made. */
void armilla_legendre_choose(const armilla_legendre_problem *problem, armilla_legendre *legendre);

/* Whether a plan keeps the links of all ladders, or the recurrences of functions of spin s, where
 * they take so many doubles. */
armilla_legendre_kept armilla_legendre_choose_links(int64_t doubles, armilla_forced *forced);
armilla_legendre_kept armilla_legendre_choose_spin_recurrences(int64_t doubles,
                                                               armilla_forced *forced);

void armilla_legendre_tell(const armilla_legendre *legendre, const armilla_teller *teller);

#endif
