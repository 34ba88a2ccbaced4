/* Classes of slots that a kernel has whole in shared memory: which slots a block works on, and the
 * launch of as many classes as a grid has room for. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_CLASSES_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_CLASSES_H

#include "cuda/kernels/ringfft_device.h"

namespace
{

/* The class of this block. */
__device__ __forceinline__ armilla_cuda_ring_class
find_class(const armilla_cuda_ring_classes &classes)
{
    int i = 0;
    while (i + 1 < classes.count && blockIdx.x >= classes.list[i + 1].block) i++;
    return classes.list[i];
}

/* A slot and its numbers, of the block's set or pair of sets; slot NULL: there is none. */
template <typename REAL> struct ring_row {
    const armilla_cuda_ring_slot *slot;
    complex_of<REAL> *data;
};

/* What a block works on: slots from number `first` of the class on, of one set, or pair of sets in
 * single precision. Sets of a slot are neighbouring blocks, which read the same filter. */
template <typename REAL> struct ring_group {
    enum { SETS = armilla_ring_numbers<REAL>::SETS };
    const armilla_cuda_ring_slots &slots;
    const armilla_cuda_ring_slot *class_slots;
    unsigned count, first, numbers, number; /* of sets, or pairs: how many, the block's */

    __device__ __forceinline__ ring_group(const armilla_cuda_ring_slots &all,
                                          const armilla_cuda_ring_class &some, unsigned rows)
        : slots(all), class_slots(all.slots + some.first), count((unsigned)some.count),
          numbers((unsigned)(all.nsets + SETS - 1) / SETS)
    {
        const unsigned block = blockIdx.x - (unsigned)some.block;
        first = block / numbers * rows, number = block % numbers;
    }
    __device__ __forceinline__ ring_row<REAL> find(unsigned row) const
    {
        if (first + row >= count) return {NULL, NULL};
        const armilla_cuda_ring_slot *slot = class_slots + first + row;
        return {slot, static_cast<complex_of<REAL> *>(slots.data) + slot->place +
                          slot->run * (numbers - 1) + number * slot->run_size};
    }
};

/* --- Launches -------------------------------------------------------------------------------- */

/* Calls launch(classes, blocks) for the classes of which a block has rows_of(class) slots, as many
 * at once as a grid has room for; 0: the kernel does not have them. Returned: the first launch's
 * error. */
template <typename Rows, typename Launch>
cudaError_t launch_some_classes(const armilla_cuda_ring_class *classes, int64_t count,
                                int64_t nsets, const Rows &rows_of, const Launch &launch)
{
    armilla_cuda_ring_classes some = {0, {}};
    int64_t blocks = 0;
    cudaError_t error = cudaSuccess;
    const auto flush = [&] {
        if (some.count && !error) error = launch(some, (unsigned)blocks);
        some.count = blocks = 0;
    };
    for (int64_t i = 0; i < count; i++) {
        armilla_cuda_ring_class piece = classes[i];
        const int64_t rows = rows_of(piece), most = INT32_MAX / nsets;
        if (!rows) continue;
        armilla_cuda_launch_pieces(classes[i].count, most, [&](int64_t first, int64_t slots) {
            const int64_t more = (slots + rows - 1) / rows * nsets;
            if (blocks + more > INT32_MAX || some.count == ARMILLA_CUDA_RING_CLASSES) flush();
            piece.first = classes[i].first + first, piece.count = slots, piece.block = blocks;
            some.list[some.count++] = piece;
            blocks += more;
        });
    }
    flush();
    return error;
}

/* Rings in single precision go by pairs of sets. */
template <typename REAL>
using of_rings = std::conditional_t<std::is_same_v<REAL, float>, float_pair, REAL>;

inline int64_t count_numbers(const armilla_cuda_ring_slots *slots)
{
    return slots->is_float ? (slots->nsets + 1) / 2 : slots->nsets;
}

} // namespace

#endif
