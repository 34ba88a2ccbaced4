/* Asks which instruction set plans have, for tests that give one rank another one. Included after
 * cmocka.h. */
#ifndef ARMILLA_TESTS_RANKS_FAILURES_H
#define ARMILLA_TESTS_RANKS_FAILURES_H

#include "base/cpu.h"

/* Is "scalar" the instruction set that plans have here in any case? */
static inline int ranks_have_scalar_set(void)
{
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    return isa == ARMILLA_ISA_SCALAR;
}

#endif
