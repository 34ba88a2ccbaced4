/* The rotation kernels of each instruction set. */
#ifndef ARMILLA_ALM_ROTATION_DISPATCH_H
#define ARMILLA_ALM_ROTATION_DISPATCH_H

#include "alm/kernels/rotation.h"
#include "base/cpu.h"

enum { ARMILLA_ROTATION_LANES = 32 }; /* most lanes of one call, on any instruction set */

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_rotation_kernels *armilla_rotation_kernels_find(armilla_isa isa);

#endif
