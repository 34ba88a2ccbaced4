/* The kernels of the theta stage, for each instruction set. */
#ifndef ARMILLA_THETA_DISPATCH_H
#define ARMILLA_THETA_DISPATCH_H

#include "base/cpu.h"
#include "theta/kernels/kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_theta_kernels *armilla_theta_kernels_find(armilla_isa isa);

#endif
