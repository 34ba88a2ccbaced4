/* Sums over the pairs of a tile, four numbers per step and set, in a fixed sequence: over the
 * vectors of a group in each lane's registers, over the lanes of a warp by shuffles, over warps
 * through shared memory. Included by the kernels of analysis. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_SUMS_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_SUMS_H

#include "cuda/kernels/legendre_device.h"

enum { SUMS = 16 }; /* that a warp adds up at once: 16 shuffles; 8 at once would take 9 */

/* Steps of so many numbers each that are made before they are added up: two at least, an even one
 * and an odd one. */
template <int NUMBERS> struct steps_together {
    enum { COUNT = NUMBERS > SUMS / 2 ? 2 : SUMS / NUMBERS };
};

/* In which sequence this lane keeps the VALUES numbers of a step, and the values that they are made
 * of: slot s has number s ^ sequence. The lanes that meet in a halving then send and keep the same
 * slots, and none has to select which. */
template <int VALUES> static __device__ __forceinline__ int lane_sequence()
{
    return threadIdx.x % WARP * VALUES / WARP;
}

/* Brings four values that lie in sequence 0 into another one. */
template <typename T> static __device__ __forceinline__ void take_sequence(T *value, int sequence)
{
    ARMILLA_UNROLLED
    for (int i = 0; i < 4; i++) {
        const int bit = i < 2 ? 2 : 1, low = i < 2 ? i : 2 * (i - 2);
        const T a = value[low], b = value[low + bit];
        value[low] = sequence & bit ? b : a, value[low + bit] = sequence & bit ? a : b;
    }
}

/* Each lane keeps one half of 2 HALF numbers and sends the other half to the lane that keeps that.
 * selected: which half that is depends on the lane; or else its sequence has seen to it. */
template <int HALF, typename T>
static __device__ __forceinline__ void halve_numbers(T *number, const int selected)
{
    const int upper = selected && threadIdx.x & (2 * HALF);
    ARMILLA_UNROLLED
    for (int i = 0; i < HALF; i++) {
        const T mine = upper ? number[HALF + i] : number[i];
        const T other = upper ? number[i] : number[HALF + i];
        number[i] = mine + shuffle_xor(other, 2 * HALF);
    }
}

/* Each lane gives SUMS numbers, those of a step one after the other and in the lane's sequence.
 * Returned: in lane i the sum over all lanes of number i / 2, where all steps' numbers 0 come
 * first, then all numbers 1, ... The sequence of additions is the same for each number. */
template <int VALUES, typename T> static __device__ __forceinline__ T sum_lanes(const T *given)
{
    enum { COUNT = SUMS / VALUES }; /* steps */
    T number[SUMS];
    ARMILLA_UNROLLED
    for (int i = 0; i < SUMS; i++) number[i] = given[i % COUNT * VALUES + i / COUNT];
    halve_numbers<8>(number, COUNT > 8);
    halve_numbers<4>(number, COUNT > 4);
    halve_numbers<2>(number, COUNT > 2);
    halve_numbers<1>(number, COUNT > 1);
    return number[0] + shuffle_xor(number[0], 1);
}

/* The sums of a chunk of steps, by warp. A warp has none before step number started[warp] of the
 * order, and behind the last one if it has no pairs. */
template <typename T, int NSETS, int WARPS> struct chunk_sums {
    T sum[WARPS][4 * NSETS * CHUNK];
    int started[WARPS];
};

enum { NOT_STARTED = 0x7fffffff };

template <typename T, int NSETS, int WARPS>
static __device__ __forceinline__ void clear_started(chunk_sums<T, NSETS, WARPS> *sums)
{
    FOR_THREADS(i, WARPS) sums->started[i] = NOT_STARTED;
}

/* Adds SUMS numbers of each lane; they are those from place `at` of the chunk on, the numbers of
 * each step in the lane's sequence. */
template <typename NUMBER, typename T, int NSETS, int WARPS>
static __device__ __forceinline__ void store_sums(const NUMBER *number, int at,
                                                  chunk_sums<T, NSETS, WARPS> *sums)
{
    enum { VALUES = 4 * NSETS, COUNT = SUMS / VALUES };
    const int lane = threadIdx.x % WARP, step = lane / 2 % COUNT;
    const NUMBER sum = sum_lanes<VALUES>(number);
    if (lane % 2 == 0)
        put_sum(sum, &sums->sum[threadIdx.x / WARP][at + VALUES * step + lane_sequence<VALUES>()]);
}

/* The first step that any warp has sums of. */
template <typename T, int NSETS, int WARPS>
static __device__ __forceinline__ int first_started(const chunk_sums<T, NSETS, WARPS> *sums)
{
    int first = NOT_STARTED;
    for (int warp = 0; warp < WARPS; warp++) first = min(first, sums->started[warp]);
    return first;
}

/* Sums whose numbers lie step by step, set by set. */
struct in_sequence {
    __device__ __forceinline__ int operator()(int i) const
    {
        return i;
    }
};

/* Adds the warps' sums of the steps first, first + 1, ... out: sums of step 0 of the first of NSETS
 * sets, which lie `distance` doubles apart. unit: of each set; place: where number i of all is. */
template <typename T, int NSETS, int WARPS, typename UNIT, typename PLACE = in_sequence>
static __device__ __forceinline__ void add_warps(const chunk_sums<T, NSETS, WARPS> *sums, int first,
                                                 int count, double *out, int64_t distance,
                                                 const UNIT *unit, const PLACE &place = PLACE())
{
    const int begin = first_started(sums);
    FOR_THREADS(i, 4 * NSETS * count)
    {
        const int step = first + i / (4 * NSETS), set = i / 4 % NSETS;
        T sum = T();
        for (int warp = 0; warp < WARPS; warp++)
            if (step >= sums->started[warp]) sum = sum + sums->sum[warp][place(i)];
        if (step < begin) continue;
        double whole;
        put_sum(sum, &whole);
        out[set * distance + 4 * (int64_t)step + i % 4] = unit[set].multiply(whole);
    }
}

#endif
