/* What sums by FP64 tensor cores share: exchanges that bring the values of a recurrence, which a
 * lane has pair by pair, to where a product of matrices wants them. Included by .cu files only.
 *
 * Two sets of a step are eight numbers, the columns of a matrix.
 *
 *     synthesis   sums[8 pairs][8 numbers] += p[8 pairs][4 steps]  coefficients[4 steps][8 numbers]
 *     analysis    sums[8 steps][8 numbers] += p[8 steps][4 pairs]  values[4 pairs][8 numbers]
 *
 * Four sets are two groups of eight numbers, with the same p. The matrices are transposed then: it
 * is the left factor that may have 16 rows.
 *
 *     synthesis   sums[16 numbers][8 pairs] += coefficients[16 numbers][4 steps]
 *                                              p[4 steps][8 pairs]
 *     analysis    sums[16 numbers][8 steps] += values[16 numbers][4 pairs]  p[4 pairs][8 steps]
 *
 * Factors stay in their lanes: a left factor has entry (q, j) where a right one has entry (j, q).
 *
 * Lane 4 q + j (q: which quad of lanes; j: its place there) has p of its own pair, and must have
 * entry (q, j) of p as a left factor: in synthesis step j of one pair of its quad, in analysis step
 * q of the pair at place j of one quad. These are transpositions within quads, and across them; a
 * transposition is one exchange for each bit of a number's place. A number that went
 * through shared memory would move 16 bytes; shuffles move 8 in synthesis, 12 in analysis. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_TENSOR_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_TENSOR_H

#include "cuda/kernels/legendre_device.h"

enum { QUAD = 4, QUADS = WARP / QUAD, COLUMNS = 8 };

/* GROUPS: of sets whose numbers are the columns of a matrix. BESIDE: sums that analysis makes
 * beside each other, and then adds: a product waits for the one before it of the same sums. */
template <int NSETS> struct tensor_sets {
    enum { GROUPS = 4 * NSETS / COLUMNS, BESIDE = 4 / GROUPS };
};

static __device__ __forceinline__ int place_in_quad()
{
    return threadIdx.x % QUAD;
}

static __device__ __forceinline__ int quad_of_lane()
{
    return threadIdx.x % WARP / QUAD;
}

/* Between two lanes so far apart the lower one's b and the upper one's a change places. */
static __device__ __forceinline__ void exchange(double *a, double *b, const int distance)
{
    const int upper = threadIdx.x & distance;
    const double got = shuffle_xor(upper ? *a : *b, distance);
    *a = upper ? got : *a, *b = upper ? *b : got;
}

/* Number i of lane r becomes number r of lane i, where COUNT lanes follow each other at a distance.
 * STRIDE: of the numbers. */
template <int COUNT, int DISTANCE, int STRIDE = 1>
static __device__ __forceinline__ void transpose_lanes(double *number)
{
    ARMILLA_UNROLLED
    for (int bit = 1; bit < COUNT; bit *= 2) ARMILLA_UNROLLED
    for (int i = 0; i < COUNT; i++)
        if (!(i & bit)) exchange(&number[STRIDE * i], &number[STRIDE * (i | bit)], DISTANCE * bit);
}

/* The values of COUNT steps of NVEC vectors, from number k of the chunk on. */
template <int NVEC, int NFINE, int COUNT>
static __device__ __forceinline__ void take_values(const scalar_chunk *chunk, int k, const vec *y,
                                                   vec *current, vec *previous, double (*p)[COUNT])
{
    ARMILLA_UNROLLED
    for (int j = 0; j < COUNT; j++) {
        ARMILLA_UNROLLED
        for (int i = 0; i < NVEC; i++) p[i][j] = value_now(current, previous, i, j % 2, NFINE);
        take_step<NVEC, NFINE>(chunk, k + j, y, current, previous, j % 2);
    }
}

/* Do all pairs of a vector wait? */
static __device__ __forceinline__ int all_wait(vec scale)
{
    return v_lanes(v_negative(scale)) == LANES_ALL;
}

/* Launches `launch(sets, first set, lots)` for fours of sets, then for a pair. Returned: the sets
 * that this makes. */
template <typename Launch>
int64_t launch_tensor_sets(const armilla_cuda_part *part, const armilla_cuda_leg_block *block,
                           const Launch &launch)
{
    if (!block->tensor) return 0;
    const int64_t fours = part->nsets / 4, pairs = part->nsets % 4 / 2;
    launch(std::integral_constant<int, 4>(), (int64_t)0, fours);
    launch(std::integral_constant<int, 2>(), 4 * fours, pairs);
    return 4 * fours + 2 * pairs;
}

#endif
