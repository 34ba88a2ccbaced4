/* Into which batches the transforms of a call on a GPU are cut, whether the stages of two batches
 * run beside each other on two streams, and what memory that takes. */
#ifndef ARMILLA_CUDA_BATCHES_H
#define ARMILLA_CUDA_BATCHES_H

#include "cuda/stages/flow.h"

/* What a call does, as far as that matters. */
typedef struct armilla_cuda_way {
    int weighted, to_map;
    int is_float; /* alm and map */
} armilla_cuda_way;

/* Both depend on the plan, the way and the number of transforms alone; a call that cannot have two
 * streams has the same batches on one. Of host arrays batches may be smaller, for copies. Bits of
 * halves depend on how many transforms go together, all others do not. */
typedef struct armilla_cuda_batches {
    int64_t batch; /* transforms at once */
    int streams;   /* 2: the ring stage of a batch beside the Legendre stage of a neighbour */
} armilla_cuda_batches;

/* Bytes of the parts of a call's memory. */
typedef struct armilla_cuda_sizes {
    int64_t leg;     /* one of `streams` */
    int64_t scratch; /* of all stages, or of all but the ring stage: */
    int64_t rings;   /* which has this of its own, where there are two streams */
} armilla_cuda_sizes;

const armilla_cuda_flow *armilla_cuda_choose_flow(const armilla_cuda_transform *t, int weighted);

/* Has the leg floats? In calls of floats of plans that have them in single precision or in halves,
 * but for those with a theta stage. */
int armilla_cuda_leg_has_floats(const armilla_cuda_flow *flow, const armilla_cuda_way *way);

armilla_cuda_sizes armilla_cuda_sizes_of(const armilla_cuda_transform *t,
                                         const armilla_cuda_way *way,
                                         const armilla_cuda_batches *batches);

/* For arrays on the device. */
armilla_cuda_batches armilla_cuda_batches_of(const armilla_cuda_transform *t,
                                             const armilla_cuda_way *way, int64_t ntrans);

#endif
