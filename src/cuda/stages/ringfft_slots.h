/* The slots of pairs of rings, before it is chosen how they are transformed. Host only. */
#ifndef ARMILLA_CUDA_STAGES_RINGFFT_SLOTS_H
#define ARMILLA_CUDA_STAGES_RINGFFT_SLOTS_H

#include "cuda/stages/ringfft_layout.h"

enum { ARMILLA_CUDA_NO_COLUMN = -1 }; /* of a slot that another rank has */

/* Appends the slots of the pairs of armilla_cuda_ring_layout_make, one or two each. */
void armilla_cuda_ring_add_slots(const armilla_cuda_own_rings *rings,
                                 const armilla_ring_pairs *pairs, int64_t first, int64_t count,
                                 armilla_cuda_ring_layout *layout);

#endif
