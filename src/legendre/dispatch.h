/* The kernels of each instruction set. */
#ifndef ARMILLA_LEGENDRE_DISPATCH_H
#define ARMILLA_LEGENDRE_DISPATCH_H

#include "base/cpu.h"
#include "legendre/kernels/kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_kernels *armilla_kernels_find(armilla_isa isa);

#endif
