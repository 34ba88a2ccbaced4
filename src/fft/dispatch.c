/* Defines the functions that find the kernels compiled for an instruction set: those of rough
 * lengths, which lack the prime factors 2, 3, 5 and 7, and those of rows. */
#include "fft/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_rough_kernels)
ARMILLA_KERNEL_FIND(armilla_row_kernels)
