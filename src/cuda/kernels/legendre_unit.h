/* Units of the coefficients and of the leg of an order and set, powers of two by which numbers are
 * divided before they become floats, whose range is smaller than that of doubles, and with which
 * sums are multiplied. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_UNIT_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_UNIT_H

#include "cuda/kernels/legendre_leg.h"

/* 2^exponent, |exponent| <= 1000 (1010 in halves): a unit and its inverse are numbers; 0s and the
 * least doubles are well below 2^-1000, and what is larger than 2^1000 stays below 2^24. */
struct unit_power {
    int exponent;

    __device__ __forceinline__ double divide(double number) const
    {
        return number * __hiloint2double((1023 - exponent) << 20, 0);
    }
    __device__ __forceinline__ double multiply(double number) const
    {
        return number * __hiloint2double((1023 + exponent) << 20, 0);
    }
};

/* The upper half of |number|, which rises with it; 0 for what is no number or infinite: others keep
 * their scale, and the two floats of either are no number. */
static __device__ __forceinline__ int size_of(double number)
{
    const int size = __double2hiint(number) & 0x7fffffff;
    return size < 0x7ff00000 ? size : 0;
}

/* The largest number of all lanes of a warp. */
static __device__ __forceinline__ int largest_of_warp(int number)
{
    ARMILLA_UNROLLED
    for (int bits = WARP / 2; bits; bits /= 2)
        number = max(number, __shfl_xor_sync(0xffffffffu, number, bits));
    return number;
}

/* The largest number of all threads of a block, which all call this. of_warps: shared memory for a
 * number of each warp; free again when it returns. */
static __device__ __forceinline__ int largest_of_block(int number, int *of_warps)
{
    number = largest_of_warp(number);
    if (threadIdx.x % WARP == 0) of_warps[threadIdx.x / WARP] = number;
    __syncthreads();
    for (int warp = 0; warp < (int)blockDim.x / WARP; warp++) number = max(number, of_warps[warp]);
    __syncthreads();
    return number;
}

static __device__ __forceinline__ unit_power unit_of_size(int size)
{
    const int exponent = (size >> 20) - 1023;
    const unit_power unit = {exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent};
    return unit;
}

/* The units of the coefficients of `nsteps` steps of NSETS sets, from place `first` of the part on.
 * Where the unit is 1, nothing is read. */
template <int NSETS, typename CHUNK>
static __device__ __forceinline__ void find_units(const armilla_cuda_part &, int64_t, int64_t, int,
                                                  CHUNK *, unit_one *)
{
}

template <int NSETS, typename CHUNK>
static __device__ __forceinline__ void find_units(const armilla_cuda_part &part, int64_t set,
                                                  int64_t first, int nsteps, CHUNK *steps,
                                                  unit_power *unit)
{
    ARMILLA_UNROLLED
    for (int j = 0; j < NSETS; j++) {
        const double *values = part.values + 4 * ((set + j) * part.nsteps + first);
        int size = 0;
        FOR_THREADS(i, 4 * nsteps) size = max(size, size_of(values[i]));
        unit[j] = unit_of_size(largest_of_block(size, steps->of_warps));
    }
}

/* The units of the entries of leg that a block of threads works on. MOST: vectors of a group, at
 * most. */
template <int NSETS, int MOST, typename CHUNK>
static __device__ __forceinline__ void
find_leg_units(const armilla_cuda_view &, const armilla_cuda_part &, const armilla_cuda_leg_block &,
               const block_task &, int64_t, const armilla_kernel_group &, CHUNK *, unit_one *)
{
}

template <int NSETS, int MOST, typename CHUNK>
static __device__ __forceinline__ void
find_leg_units(const armilla_cuda_view &view, const armilla_cuda_part &part,
               const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
               const armilla_kernel_group &group, CHUNK *steps, unit_power *unit)
{
    ARMILLA_UNROLLED
    for (int j = 0; j < NSETS; j++) {
        int size = 0;
        for (int i = 0; task.alive && i < MOST && i < group.nvec; i++) {
            double value[4];
            read_entry(view, part, block, task, set + j, group, i, value);
            ARMILLA_UNROLLED
            for (int q = 0; q < 4; q++) size = max(size, size_of(value[q]));
        }
        unit[j] = unit_of_size(largest_of_block(size, steps->of_warps));
    }
}

#endif
