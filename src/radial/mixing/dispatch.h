/* The kernels of the mixing of rings, for each instruction set. */
#ifndef ARMILLA_RADIAL_MIXING_DISPATCH_H
#define ARMILLA_RADIAL_MIXING_DISPATCH_H

#include "base/cpu.h"
#include "radial/mixing/kernels/mixing.h"
#include "radial/profile/profile.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_mixing_kernels *armilla_mixing_kernels_find(armilla_isa isa);

/* values[i] = factor K(x[i]). Given: count, a multiple of 8;  arrays 64-byte aligned. */
void armilla_mixing_kernel_values(const armilla_mixing_kernels *kernels,
                                  const armilla_profile *profile, double factor, int64_t count,
                                  const double *x, double *values);

#endif
