/* maps <-> data: samples of rings and numbers of parts (ringfft_pixels.h). */
#include "cuda/kernels/ringfft_pixels.h"

enum { THREADS = ARMILLA_CUDA_RING_THREADS };

/* A thread for each number of a part, Bluestein's zeros included: at -j. */
template <typename REAL>
static __global__ void __launch_bounds__(THREADS)
    load(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_map map)
{
    const armilla_cuda_ring_slot &slot = slots.slots[blockIdx.x / tiles];
    const int64_t j = armilla_ring_index(tiles);
    complex_of<REAL> *data = armilla_ring_data<REAL>(slots, slot);
    if (j < armilla_ring_part(slot)) {
        load_numbers(find_map<REAL>(map, blockIdx.y, slots.nsets), slot, j,
                     armilla_ring_made_turns(), data);
        return;
    }
    if (j >= slot.length) return;
    for (int64_t r = 1; r <= slot.parts; r++) data[r * slot.length - j] = {0, 0};
}

template <typename REAL>
static __global__ void __launch_bounds__(THREADS)
    store(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_map map)
{
    const armilla_cuda_ring_slot &slot = slots.slots[blockIdx.x / tiles];
    const int64_t j = armilla_ring_index(tiles);
    if (j < armilla_ring_part(slot))
        store_numbers(find_map<REAL>(map, blockIdx.y, slots.nsets), slot, j,
                      armilla_ring_made_turns(), armilla_ring_data<REAL>(slots, slot));
}

cudaError_t armilla_cuda_ring_load(const armilla_cuda_ring_slots *slots,
                                   const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    const unsigned tiles = armilla_ring_tiles(slots->most_length);
    return armilla_ring_launch(slots, 1, tiles,
                               [&](auto real, const armilla_cuda_ring_slots &some, dim3 blocks) {
                                   return ARMILLA_LAUNCH(load<decltype(real)>, blocks, THREADS, 0,
                                                         stream, some, tiles, *map);
                               });
}

cudaError_t armilla_cuda_ring_store(const armilla_cuda_ring_slots *slots,
                                    const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    const unsigned tiles = armilla_ring_tiles(slots->most_part);
    return armilla_ring_launch(slots, 1, tiles,
                               [&](auto real, const armilla_cuda_ring_slots &some, dim3 blocks) {
                                   return ARMILLA_LAUNCH(store<decltype(real)>, blocks, THREADS, 0,
                                                         stream, some, tiles, *map);
                               });
}
