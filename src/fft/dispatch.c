/* Defines the function that finds the kernels compiled for an instruction set that transform rough
 * lengths, those without the prime factors 2, 3, 5 and 7. */
#include "fft/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_rough_kernels)
