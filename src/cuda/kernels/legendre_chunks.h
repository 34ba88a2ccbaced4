/* How a warp goes through the steps of scalar analysis, whichever units make its sums: blocks of
 * steps in which no pair of the group matters are passed over. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_CHUNKS_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_CHUNKS_H

#include "cuda/kernels/legendre_sums.h"

/* The steps first, first + 1, ... of an order, which are the chunk's. STATE begins with a
 * scalar_state. add: add.block<NVEC, NFINE>(chunk, k, s) adds the block of steps that begins at
 * number k of the chunk. */
template <int NVEC, int NFINE, typename CHUNK, typename STATE, typename ADD>
static __device__ __forceinline__ void run_chunk(CHUNK *chunk, int first, int count, STATE *s,
                                                 const ADD &add)
{
    typedef typename STATE::input IN;
    ARMILLA_ROLLED
    for (int k = 0; k < count; k += IN::BLOCK) {
        const int before = s->phase;
        if (!find_phase<NVEC, IN, STATE::VECTORS>(chunk->steps.ceiling[k / IN::BLOCK], s)) {
            run_steps<NVEC, NFINE>(&chunk->steps, k, IN::BLOCK, s->y, s->current, s->previous);
            continue;
        }
        if (before == 0 && threadIdx.x % WARP == 0)
            chunk->sums.started[threadIdx.x / WARP] = first + k;
        add.template block<NVEC, NFINE>(chunk, k, s);
    }
}

template <typename CHUNK, typename STATE, typename ADD>
static __device__ void run_group(CHUNK *chunk, int first, int count, int which, STATE *s,
                                 const ADD &add)
{
    enum { MOST = STATE::VECTORS };
    ARMILLA_GROUP_CASE(run_chunk, 1, chunk, first, count, s, add)
    ARMILLA_GROUP_CASE(run_chunk, 2, chunk, first, count, s, add)
    ARMILLA_GROUP_CASE(run_chunk, 3, chunk, first, count, s, add)
    ARMILLA_GROUP_CASE(run_chunk, 4, chunk, first, count, s, add)
}

#endif
