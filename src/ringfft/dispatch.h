/* The ring kernels of each instruction set. */
#ifndef ARMILLA_RINGFFT_DISPATCH_H
#define ARMILLA_RINGFFT_DISPATCH_H

#include "base/cpu.h"
#include "ringfft/kernels/kernels.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_ring_kernels *armilla_ring_kernels_find(armilla_isa isa);

#endif
