/* The kernels of solid harmonics, for each instruction set. */
#ifndef ARMILLA_SOLID_DISPATCH_H
#define ARMILLA_SOLID_DISPATCH_H

#include "base/cpu.h"
#include "solid/kernels/kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_solid_kernels *armilla_solid_kernels_find(armilla_isa isa);

#endif
