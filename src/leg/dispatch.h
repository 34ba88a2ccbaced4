/* The copies of entries of leg, for each instruction set. */
#ifndef ARMILLA_LEG_DISPATCH_H
#define ARMILLA_LEG_DISPATCH_H

#include "base/cpu.h"
#include "leg/kernels/copies.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_leg_copies *armilla_leg_copies_find(armilla_isa isa);

#endif
