/* The kernels between samples and points, for each instruction set. */
#ifndef ARMILLA_POINTS_DISPATCH_H
#define ARMILLA_POINTS_DISPATCH_H

#include "base/cpu.h"
#include "points/kernels/kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_points_kernels *armilla_points_kernels_find(armilla_isa isa);

#endif
