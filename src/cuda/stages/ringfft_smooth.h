/* Smooth numbers of samples, products of 2, 3, 5 and 7: the passes of their transforms in shared
 * memory (kernels/ringfft_smooth.cu), and how many of them go into a block. Host only. */
#ifndef ARMILLA_CUDA_STAGES_RINGFFT_SMOOTH_H
#define ARMILLA_CUDA_STAGES_RINGFFT_SMOOTH_H

#include <stdint.h>

/* The passes of n samples, as few as possible, the first one in the lowest four bits; 0: n is not
 * smooth, 1, or too large for a block. */
uint32_t armilla_cuda_smooth_radices(int64_t n);

int64_t armilla_cuda_smooth_passes(uint32_t radices);

/* What a slot of n samples gets of a block: room for so many. */
int64_t armilla_cuda_smooth_room(int64_t n);

/* Complex numbers of the table of a length (kernels/ringfft_kernels.h). */
int64_t armilla_cuda_smooth_table_size(int64_t n, uint32_t radices);

void armilla_cuda_smooth_table_fill(int64_t n, uint32_t radices, int is_float, void *table);

#endif
