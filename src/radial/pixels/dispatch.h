/* The kernels of the method PIXELS, for each instruction set. */
#ifndef ARMILLA_RADIAL_DISPATCH_H
#define ARMILLA_RADIAL_DISPATCH_H

#include "base/cpu.h"
#include "radial/pixels/kernels/kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_radial_kernels *armilla_radial_kernels_find(armilla_isa isa);

#endif
