/* The kernels of rough lengths of each instruction set. */
#ifndef ARMILLA_FFT_DISPATCH_H
#define ARMILLA_FFT_DISPATCH_H

#include "base/cpu.h"
#include "fft/kernels/kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_rough_kernels *armilla_rough_kernels_find(armilla_isa isa);

#endif
