/* leg <-> spectra, docs/mathematics.md (4.1), (4.2), with folding, phases, weights and Bluestein's
 * chirp. A block has a tile of 8 slots and 32 places k with their images n - k: every order
 * congruent to k or -k modulo n is read, or written, once, by one thread. In leg, slots lie side by
 * side, in data, places do: threads change sides through shared memory, so that both accesses are
 * runs of 256 bytes or more. */
#include "cuda/kernels/ringfft_device.h"

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

/* Spectrum at k and at n - k. */
struct place_values {
    double2 plus, minus;
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

/* Is k its own image? */
static __device__ __forceinline__ int is_alone(int64_t k, int64_t n)
{
    return k == 0 || 2 * k == n;
}

static __device__ __forceinline__ double2 *entry_of(const armilla_cuda_ring_rows &rows,
                                                    const armilla_cuda_ring_slot &slot, int64_t m)
{
    return reinterpret_cast<double2 *>(rows.values + blockIdx.y * rows.set_length +
                                       m * rows.row_length + 4 * slot.column);
}

/* --- Synthesis ------------------------------------------------------------------------------- */

/* Order m > 0 at its place and the image of that. */
static __device__ __forceinline__ void add_order(const armilla_cuda_ring_rows &rows,
                                                 const armilla_cuda_ring_slot &slot, int64_t m,
                                                 double2 *plus, double2 *minus)
{
    const double2 *entry = entry_of(rows, slot, m);
    double2 north = make_double2(0, 0), south = north, phase = make_double2(1, 0);
    if (slot.side[0].state == ARMILLA_CUDA_RING_HERE) {
        phase = armilla_ring_phase(&slot.side[0], slot.n, m);
        north = armilla_ring_product(entry[0], phase);
    }
    if (slot.side[1].state == ARMILLA_CUDA_RING_HERE) {
        if (!(slot.flags & ARMILLA_CUDA_RING_SAME_PHASE))
            phase = armilla_ring_phase(&slot.side[1], slot.n, m);
        south = armilla_ring_product(entry[1], phase);
    }
    plus->x += north.x - south.y, plus->y += north.y + south.x;
    minus->x += north.x + south.y, minus->y += south.x - north.y;
}

/* Order 0 is real. */
static __device__ __forceinline__ double2 order_zero(const armilla_cuda_ring_rows &rows,
                                                     const armilla_cuda_ring_slot &slot)
{
    const double2 *entry = entry_of(rows, slot, 0);
    return make_double2(slot.side[0].state == ARMILLA_CUDA_RING_HERE ? entry[0].x : 0,
                        slot.side[1].state == ARMILLA_CUDA_RING_HERE ? entry[1].x : 0);
}

/* Adds all orders congruent to k or -k modulo n, from the lowest on. */
static __device__ __forceinline__ place_values add_orders(const armilla_cuda_ring_rows &rows,
                                                          const armilla_cuda_ring_slot &slot,
                                                          int64_t k)
{
    place_values v = {make_double2(0, 0), make_double2(0, 0)};
    if (k == 0) v.plus = order_zero(rows, slot);
    for (int64_t m = k ? k : slot.n; m <= slot.limit; m += slot.n) {
        add_order(rows, slot, m, &v.plus, &v.minus);
        const int64_t image = m + slot.n - 2 * k;
        if (!is_alone(k, slot.n) && image <= slot.limit)
            add_order(rows, slot, image, &v.minus, &v.plus);
    }
    if (is_alone(k, slot.n)) v.plus.x += v.minus.x, v.plus.y += v.minus.y;
    return v;
}

/* Where place k is in the slot's numbers. *chirp: what Bluestein multiplies it with, or 1. */
static __device__ __forceinline__ int64_t find_number(const armilla_cuda_ring_slot &slot, int64_t k,
                                                      double2 *chirp)
{
    const int64_t h = slot.parts == 1 ? slot.n : slot.n / 4;
    const int64_t part = slot.parts == 1 ? 0 : k % 4, q = slot.parts == 1 ? k : k / 4;
    *chirp = slot.flags & ARMILLA_CUDA_RING_CHIRPED ? armilla_ring_chirp(q, h) : make_double2(1, 0);
    return part * slot.length + q;
}

/* Bluestein's zeros behind the numbers of each part: every (n / 2 + 1)th of them. */
static __device__ __forceinline__ void put_zeros(const armilla_cuda_ring_slot &slot, int64_t k,
                                                 double2 *data)
{
    const int64_t h = slot.n / slot.parts;
    for (int64_t part = 0; part < slot.parts && slot.length > h; part++)
        for (int64_t i = h + k; i < slot.length; i += slot.n / 2 + 1)
            data[part * slot.length + i] = make_double2(0, 0);
}

/* Numbers at k and at n - k. */
static __device__ __forceinline__ void put_places(const armilla_cuda_ring_slot &slot, int64_t k,
                                                  const place_values &v, double2 *data)
{
    double2 chirp;
    int64_t number = find_number(slot, k, &chirp);
    data[number] = armilla_ring_product(v.plus, chirp);
    if (!is_alone(k, slot.n)) {
        number = find_number(slot, slot.n - k, &chirp);
        data[number] = armilla_ring_product(v.minus, chirp);
    }
    put_zeros(slot, k, data);
}

static __global__ void __launch_bounds__(THREADS)
    fill(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_rows rows)
{
    ARMILLA_SHARED(double, shared);
    const tile_place from = leg_place(slots, tiles), to = data_place(slots, tiles);
    if (from.slot) put_shared(shared + from.shared, add_orders(rows, *from.slot, from.k));
    __syncthreads();
    if (to.slot)
        put_places(*to.slot, to.k, get_shared(shared + to.shared),
                   armilla_ring_data(slots, *to.slot));
}

/* --- Analysis -------------------------------------------------------------------------------- */

/* The transform of samples from that of their conjugates. */
static __device__ __forceinline__ place_values get_places(const armilla_cuda_ring_slot &slot,
                                                          int64_t k, const double2 *data)
{
    double2 chirp;
    place_values v;
    int64_t number = find_number(slot, k, &chirp);
    v.plus = v.minus = armilla_ring_conj(armilla_ring_product(data[number], chirp));
    if (is_alone(k, slot.n)) return v;
    number = find_number(slot, slot.n - k, &chirp);
    v.minus = armilla_ring_conj(armilla_ring_product(data[number], chirp));
    return v;
}

static __device__ __forceinline__ double half_weight(const armilla_cuda_ring_side &side,
                                                     int weighted)
{
    return weighted ? 0.5 * side.weight : 0.5;
}

static __device__ __forceinline__ void put_order(const armilla_cuda_ring_rows &rows,
                                                 const armilla_cuda_ring_slot &slot, int weighted,
                                                 int64_t m, double2 plus, double2 minus)
{
    double2 *entry = entry_of(rows, slot, m), phase = make_double2(1, 0);
    for (int south = 0; south < 2; south++) {
        const armilla_cuda_ring_side &side = slot.side[south];
        if (side.state == ARMILLA_CUDA_RING_MISSING) entry[south] = make_double2(0, 0);
        if (side.state != ARMILLA_CUDA_RING_HERE) continue;
        const double scale = half_weight(side, weighted);
        const double2 value =
            south ? make_double2(scale * (plus.y + minus.y), scale * (minus.x - plus.x))
                  : make_double2(scale * (plus.x + minus.x), scale * (plus.y - minus.y));
        if (!south || !(slot.flags & ARMILLA_CUDA_RING_SAME_PHASE))
            phase = armilla_ring_phase(&side, slot.n, m);
        entry[south] = armilla_ring_product(value, armilla_ring_conj(phase));
    }
}

static __device__ __forceinline__ void put_orders(const armilla_cuda_ring_rows &rows,
                                                  const armilla_cuda_ring_slot &slot, int weighted,
                                                  int64_t k, place_values v)
{
    for (int64_t m = k; m <= slot.limit; m += slot.n) {
        put_order(rows, slot, weighted, m, v.plus, v.minus);
        const int64_t image = m + slot.n - 2 * k;
        if (!is_alone(k, slot.n) && image <= slot.limit)
            put_order(rows, slot, weighted, image, v.minus, v.plus);
    }
}

static __global__ void __launch_bounds__(THREADS)
    gather(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_rows rows, int weighted)
{
    ARMILLA_SHARED(double, shared);
    const tile_place from = data_place(slots, tiles), to = leg_place(slots, tiles);
    if (from.slot)
        put_shared(shared + from.shared,
                   get_places(*from.slot, from.k, armilla_ring_data(slots, *from.slot)));
    __syncthreads();
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
