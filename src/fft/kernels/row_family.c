/* The kernels of one instruction set that transform rows one by one, or a few at a time. */
#include "fft/kernels/lanes.h"
#include "fft/kernels/row_fft_tables.h"

ARMILLA_KERNEL_FAMILY(armilla_row_kernels) = {
    .vector_length = VLEN, ARMILLA_ROW_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_row)};
