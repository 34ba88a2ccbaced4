/* The kernels of each instruction set: those of rough lengths, and those of rows. */
#ifndef ARMILLA_FFT_DISPATCH_H
#define ARMILLA_FFT_DISPATCH_H

#include "base/cpu.h"
#include "fft/kernels/kernels.h"
#include "fft/kernels/row_fft_tables.h"

/* Returned: the kernels for a set that armilla_isa_usable accepts; static. */
const armilla_rough_kernels *armilla_rough_kernels_find(armilla_isa isa);
const armilla_row_kernels *armilla_row_kernels_find(armilla_isa isa);

#endif
