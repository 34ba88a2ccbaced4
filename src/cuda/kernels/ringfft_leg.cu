/* leg <-> spectra (ringfft_orders.h). A block has a tile of 8 slots and 32 places k with their
 * images n - k. In leg, slots lie side by side, in data, places do: threads change sides through
 * shared memory, so that both accesses are runs of 256 bytes or more. */
#include "cuda/kernels/ringfft_orders.h"

enum { SLOTS = 8, PLACES = 32, THREADS = SLOTS * PLACES };

/* With this pitch, neither half of a warp (floats: the whole of it) meets a bank of shared memory
 * twice: 2 p + k, p < 8, k < 2 are 16 different numbers, 4 p + k, k < 4, are 32. */
template <typename REAL> struct tile_of {
    enum {
        PITCH = PLACES + 16 / (int)sizeof(REAL),
        SIZE = SLOTS * PITCH,
        BYTES = 4 * SIZE * (int)sizeof(REAL)
    };
};

/* One thread's part of the tile: a slot and a place 0 <= k <= n / 2 of it, or nothing. */
struct tile_place {
    const armilla_cuda_ring_slot *slot; /* NULL: nothing */
    int64_t k;
    int shared; /* of the first of its four numbers, the others SIZE apart */
};

template <typename REAL>
static __device__ __forceinline__ tile_place find_place(const armilla_cuda_ring_slots &slots,
                                                        unsigned tiles, int slot, int place)
{
    tile_place t = {NULL, (int64_t)(blockIdx.x % tiles) * PLACES + place,
                    slot * tile_of<REAL>::PITCH + place};
    const int64_t number = (int64_t)(blockIdx.x / tiles) * SLOTS + slot;
    if (number < slots.count && 2 * t.k <= slots.slots[number].n) t.slot = slots.slots + number;
    return t;
}

/* Threads as leg has it, slots fastest, and as data has it, places fastest. */
template <typename REAL>
static __device__ __forceinline__ tile_place leg_place(const armilla_cuda_ring_slots &slots,
                                                       unsigned tiles)
{
    return find_place<REAL>(slots, tiles, threadIdx.x % SLOTS, threadIdx.x / SLOTS);
}

template <typename REAL>
static __device__ __forceinline__ tile_place data_place(const armilla_cuda_ring_slots &slots,
                                                        unsigned tiles)
{
    return find_place<REAL>(slots, tiles, threadIdx.x / PLACES, threadIdx.x % PLACES);
}

template <typename REAL>
static __device__ __forceinline__ void put_shared(REAL *shared, const place_values<REAL> &v)
{
    enum { SIZE = tile_of<REAL>::SIZE };
    shared[0] = v.plus.x, shared[SIZE] = v.plus.y;
    shared[2 * SIZE] = v.minus.x, shared[3 * SIZE] = v.minus.y;
}

template <typename REAL>
static __device__ __forceinline__ place_values<REAL> get_shared(const REAL *shared)
{
    enum { SIZE = tile_of<REAL>::SIZE };
    return {{shared[0], shared[SIZE]}, {shared[2 * SIZE], shared[3 * SIZE]}};
}

/* --- Synthesis ------------------------------------------------------------------------------- */

/* Bluestein's zeros between the numbers of each part: every (n / 2 + 1)th of them. */
template <typename COMPLEX>
static __device__ __forceinline__ void put_zeros(const armilla_cuda_ring_slot &slot, int64_t k,
                                                 COMPLEX *data)
{
    const int64_t h = armilla_ring_part(slot);
    for (int64_t part = 0; part < slot.parts && slot.length > h; part++)
        for (int64_t i = (h + 1) / 2 + k; i < slot.length - h / 2; i += slot.n / 2 + 1)
            data[part * slot.length + i] = {0, 0};
}

template <typename REAL>
static __global__ void __launch_bounds__(THREADS)
    fill(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_rows rows)
{
    ARMILLA_SHARED(REAL, shared);
    const tile_place from = leg_place<REAL>(slots, tiles), to = data_place<REAL>(slots, tiles);
    rows = set_rows<REAL>(rows, blockIdx.y, slots.nsets);
    if (from.slot) put_shared(shared + from.shared, add_orders<REAL>(rows, *from.slot, from.k));
    __syncthreads();
    if (!to.slot) return;
    complex_of<REAL> *data = armilla_ring_data<REAL>(slots, *to.slot);
    put_places(*to.slot, to.k, get_shared(shared + to.shared), armilla_ring_made_turns(), data);
    put_zeros(*to.slot, to.k, data);
}

/* --- Analysis -------------------------------------------------------------------------------- */

template <typename REAL>
static __global__ void __launch_bounds__(THREADS)
    gather(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_rows rows, int weighted)
{
    ARMILLA_SHARED(REAL, shared);
    const tile_place from = data_place<REAL>(slots, tiles), to = leg_place<REAL>(slots, tiles);
    if (from.slot)
        put_shared(shared + from.shared,
                   get_places<REAL>(*from.slot, from.k, armilla_ring_made_turns(),
                                    armilla_ring_data<REAL>(slots, *from.slot)));
    __syncthreads();
    rows = set_rows<REAL>(rows, blockIdx.y, slots.nsets);
    if (to.slot) put_orders(rows, *to.slot, weighted, to.k, get_shared(shared + to.shared));
}

/* --- Launches -------------------------------------------------------------------------------- */

static unsigned count_tiles(const armilla_cuda_ring_slots *slots)
{
    return (unsigned)((slots->most_samples / 2 + PLACES) / PLACES);
}

cudaError_t armilla_cuda_ring_fill(const armilla_cuda_ring_slots *slots,
                                   const armilla_cuda_ring_rows *rows, cudaStream_t stream)
{
    const unsigned tiles = count_tiles(slots);
    return armilla_ring_launch(
        slots, SLOTS, tiles, [&](auto real, const armilla_cuda_ring_slots &some, dim3 blocks) {
            typedef decltype(real) REAL;
            return ARMILLA_LAUNCH(fill<REAL>, blocks, THREADS, tile_of<REAL>::BYTES, stream, some,
                                  tiles, *rows);
        });
}

cudaError_t armilla_cuda_ring_gather(const armilla_cuda_ring_slots *slots,
                                     const armilla_cuda_ring_rows *rows, int weighted,
                                     cudaStream_t stream)
{
    const unsigned tiles = count_tiles(slots);
    return armilla_ring_launch(
        slots, SLOTS, tiles, [&](auto real, const armilla_cuda_ring_slots &some, dim3 blocks) {
            typedef decltype(real) REAL;
            return ARMILLA_LAUNCH(gather<REAL>, blocks, THREADS, tile_of<REAL>::BYTES, stream, some,
                                  tiles, *rows, weighted);
        });
}
