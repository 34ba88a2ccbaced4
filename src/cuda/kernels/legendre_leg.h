/* Between the leg in device memory and the registers of a warp that runs the scalar recurrence:
 * sums of its pairs become entries, entries become values. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_LEG_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_LEG_H

#include "cuda/kernels/legendre_device.h"
#include "legendre/kernels/sides.h"

/* Entries that exist; others of the row are left alone. sums: of each vector, four for each set;
 * unit: of each set. */
template <int NSETS, int MOST, typename NUMBER, typename UNIT>
__device__ void write_leg(const armilla_cuda_view &view, const armilla_cuda_part &part,
                          const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
                          const armilla_kernel_group &group, const NUMBER (&sums)[MOST][4 * NSETS],
                          const UNIT *unit)
{
    const int64_t least = view.least_pair[task.m - view.mfirst];
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        if (i >= group.nvec) continue;
        const int64_t place = lane_place(group, i), offset = place - group.first;
        if (offset >= group.npairs || group.pair + offset < least) continue;
        const double *factor = view.inverse_sine ? view.inverse_sine + place : NULL;
        ARMILLA_UNROLLED
        for (int j = 0; j < NSETS; j++) {
            double sum[4], entry[4];
            ARMILLA_UNROLLED
            for (int q = 0; q < 4; q++)
                put_sum(sums[i][4 * j + q], &sum[q]), sum[q] = unit[j].multiply(sum[q]);
            entry_of_sums(view.cos_theta[place], factor, sum, entry);
            store_entry(block, leg_entry(part, block, task, set + j, group.pair + offset), entry);
        }
    }
}

/* The values of the entry of vector i, 0 for a lane without one. of: where the vector's pairs are
 * in leg. */
static __device__ __forceinline__ void
read_entry(const armilla_cuda_view &view, const armilla_cuda_part &part,
           const armilla_cuda_leg_block &block, const block_task &task, int64_t set,
           const armilla_kernel_group &group, const int i, double value[4])
{
    double entry[4];
    const int64_t place = lane_place(group, i), offset = place - group.first;
    const int exists =
        offset < group.npairs && group.pair + offset >= view.least_pair[task.m - view.mfirst];
    const double *factor = view.inverse_sine ? view.inverse_sine + place : NULL;
    load_entry(block, leg_entry(part, block, task, set, group.pair + offset), exists, entry);
    values_of_entry(view.cos_theta[place], factor, entry, value);
}

/* Where the sums of a task's steps go. */
static __device__ __forceinline__ double *sums_of(const armilla_cuda_view &view,
                                                  const armilla_cuda_part &part,
                                                  const armilla_cuda_leg_block &block,
                                                  const block_task &task, int64_t set)
{
    const int64_t tile = block.tile + task.tile - part.scalar_tile;
    const int64_t start = view.table_start[task.m - view.mfirst] - part.step;
    return part.values + 4 * ((tile * part.nsets + set) * part.nsteps + start);
}

#endif
