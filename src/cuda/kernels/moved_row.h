/* A row of entries that goes between a leg on a GPU and messages to other ranks, or from them. C
 * and CUDA. */
#ifndef ARMILLA_CUDA_KERNELS_MOVED_ROW_H
#define ARMILLA_CUDA_KERNELS_MOVED_ROW_H

#include <stdint.h>

/* With n sets, set s, entry e of count (places and lengths in doubles):
 *
 *     message   n begin + 4 (s count + e)
 *     leg       n leg + s set_length + row + 4 p,   p = pair + e, or number pair + e of a list
 *
 * so that a row is one piece of the message, as in ranks/schedule.h. The list has 4 p, or, if only
 * the northern or the southern half of what comes belongs into the leg, 4 p + 1 or 4 p + 2. */
typedef struct armilla_cuda_moved_row {
    int64_t begin, count;
    int64_t leg, set_length;
    int64_t row; /* of pair 0, which the leg need not have */
    int64_t pair;
} armilla_cuda_moved_row;

#endif
