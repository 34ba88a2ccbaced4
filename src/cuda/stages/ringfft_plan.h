/* Inside of a ring stage on a GPU, for the files that make and use it: see ringfft.h. */
#ifndef ARMILLA_CUDA_STAGES_RINGFFT_PLAN_H
#define ARMILLA_CUDA_STAGES_RINGFFT_PLAN_H

#include "cuda/runtime/fft_plans.h"
#include "cuda/stages/ringfft.h"
#include "cuda/stages/ringfft_layout.h"

/* Bytes of a complex number, in double precision or in single. */
static inline int64_t armilla_cuda_rings_complex_size(int single)
{
    return 2 * (int64_t)(single ? sizeof(float) : sizeof(double));
}

typedef struct armilla_cuda_ring_pass {
    armilla_cuda_ring_layout layout;
    armilla_cuda_ring_slot *slots; /* on the device, as the next two */
    armilla_cuda_ring_filter *filters;
    /* In doubles and in floats: tables of smooth lengths, NULL if there are none; and transforms of
     * the filters of all batches, NULL if each call makes them. */
    void *tables[2], *kept[2];
} armilla_cuda_ring_pass;

/* What calls in one precision have: layouts are the same in both. */
typedef struct armilla_cuda_ring_numbers {
    armilla_cuda_fft_plans *plans;
    void *roots;  /* on the device: of convolutions in shared memory; NULL: there are none */
    int64_t area; /* bytes of the scratch before the work area, sets one by one */
    armilla_cuda_fft_room room;
} armilla_cuda_ring_numbers;

struct armilla_cuda_ringfft {
    int64_t npasses;
    armilla_cuda_ring_pass *passes;
    int single;                      /* are calls of floats in single precision? */
    armilla_cuda_ring_numbers in[2]; /* double precision, single */
    int keep;                        /* are filters kept? */
    int64_t nbatches;                /* of the pass with the most */
    int64_t bytes;
};

/* Makes the filters that are kept in a precision. Waits for the device. Errors: MEMORY,
 * UNSUPPORTED. */
armilla_status armilla_cuda_ringfft_keep_filters(const armilla_cuda_ringfft *cuda, int single);

#endif
