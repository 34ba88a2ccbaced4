/* leg <-> spectra (ringfft_orders.h). A block has a tile of 8 slots and 32 places k with their
 * images n - k. In leg, slots lie side by side, in data, places do: threads change sides through
 * shared memory, so that both accesses are runs of 256 bytes or more. */
#include "cuda/kernels/ringfft_orders.h"

/* With this pitch, neither half of a warp meets a bank of shared memory twice: 2 p + k, p < 8, k <
 * 2 are 16 different numbers. */
enum { SLOTS = 8, PLACES = 32, PITCH = PLACES + 2, THREADS = SLOTS * PLACES };
enum { SHARED_BYTES = 4 * SLOTS * PITCH * 8 };

/* One thread's part of the tile: a slot and a place 0 <= k <= n / 2 of it, or nothing. */
struct tile_place {
    const armilla_cuda_ring_slot *slot; /* NULL: nothing */
    int64_t k;
    int shared; /* of the first of its four numbers, the others SLOTS PITCH apart */
};

static __device__ __forceinline__ tile_place find_place(const armilla_cuda_ring_slots &slots,
                                                        unsigned tiles, int slot, int place)
{
    tile_place t = {NULL, (int64_t)(blockIdx.x % tiles) * PLACES + place, slot * PITCH + place};
    const int64_t number = (int64_t)(blockIdx.x / tiles) * SLOTS + slot;
    if (number < slots.count && 2 * t.k <= slots.slots[number].n) t.slot = slots.slots + number;
    return t;
}

/* Threads as leg has it, slots fastest, and as data has it, places fastest. */
static __device__ __forceinline__ tile_place leg_place(const armilla_cuda_ring_slots &slots,
                                                       unsigned tiles)
{
    return find_place(slots, tiles, threadIdx.x % SLOTS, threadIdx.x / SLOTS);
}

static __device__ __forceinline__ tile_place data_place(const armilla_cuda_ring_slots &slots,
                                                        unsigned tiles)
{
    return find_place(slots, tiles, threadIdx.x / PLACES, threadIdx.x % PLACES);
}

static __device__ __forceinline__ void put_shared(double *shared, const place_values &v)
{
    shared[0] = v.plus.x, shared[SLOTS * PITCH] = v.plus.y;
    shared[2 * SLOTS * PITCH] = v.minus.x, shared[3 * SLOTS * PITCH] = v.minus.y;
}

static __device__ __forceinline__ place_values get_shared(const double *shared)
{
    place_values v;
    v.plus = make_double2(shared[0], shared[SLOTS * PITCH]);
    v.minus = make_double2(shared[2 * SLOTS * PITCH], shared[3 * SLOTS * PITCH]);
    return v;
}

/* --- Synthesis ------------------------------------------------------------------------------- */

/* Bluestein's zeros behind the numbers of each part: every (n / 2 + 1)th of them. */
static __device__ __forceinline__ void put_zeros(const armilla_cuda_ring_slot &slot, int64_t k,
                                                 double2 *data)
{
    const int64_t h = armilla_ring_part(slot);
    for (int64_t part = 0; part < slot.parts && slot.length > h; part++)
        for (int64_t i = h + k; i < slot.length; i += slot.n / 2 + 1)
            data[part * slot.length + i] = make_double2(0, 0);
}

static __global__ void __launch_bounds__(THREADS)
    fill(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_rows rows)
{
    ARMILLA_SHARED(double, shared);
    const tile_place from = leg_place(slots, tiles), to = data_place(slots, tiles);
    rows = set_rows(rows, blockIdx.y);
    if (from.slot) put_shared(shared + from.shared, add_orders(rows, *from.slot, from.k));
    __syncthreads();
    if (!to.slot) return;
    double2 *data = armilla_ring_data(slots, *to.slot);
    put_places(*to.slot, to.k, get_shared(shared + to.shared), armilla_ring_made_turns(), data);
    put_zeros(*to.slot, to.k, data);
}

/* --- Analysis -------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(THREADS)
    gather(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_rows rows, int weighted)
{
    ARMILLA_SHARED(double, shared);
    const tile_place from = data_place(slots, tiles), to = leg_place(slots, tiles);
    if (from.slot)
        put_shared(shared + from.shared, get_places(*from.slot, from.k, armilla_ring_made_turns(),
                                                    armilla_ring_data(slots, *from.slot)));
    __syncthreads();
    rows = set_rows(rows, blockIdx.y);
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
        slots, SLOTS, tiles, [&](const armilla_cuda_ring_slots &some, dim3 blocks) {
            return ARMILLA_LAUNCH(fill, blocks, THREADS, SHARED_BYTES, stream, some, tiles, *rows);
        });
}

cudaError_t armilla_cuda_ring_gather(const armilla_cuda_ring_slots *slots,
                                     const armilla_cuda_ring_rows *rows, int weighted,
                                     cudaStream_t stream)
{
    const unsigned tiles = count_tiles(slots);
    return armilla_ring_launch(slots, SLOTS, tiles,
                               [&](const armilla_cuda_ring_slots &some, dim3 blocks) {
                                   return ARMILLA_LAUNCH(gather, blocks, THREADS, SHARED_BYTES,
                                                         stream, some, tiles, *rows, weighted);
                               });
}
