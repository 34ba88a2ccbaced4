/* The kernels of the resampling in theta, for each instruction set. */
#ifndef ARMILLA_SHT_THETA_KERNEL_TABLE_H
#define ARMILLA_SHT_THETA_KERNEL_TABLE_H

#include "base/cpu.h"
#include "sht/kernels/theta_kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_theta_kernels *armilla_theta_kernels_find(armilla_isa isa);

#endif
