/* Finds the kernels of the ring FFT stage that were compiled for a given instruction set. */
#include "ringfft/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_ring_kernels)
