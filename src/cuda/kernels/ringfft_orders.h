/* Orders of a leg and places of a ring's spectrum, docs/mathematics.md (4.1), (4.2), with folding,
 * phases, weights and Bluestein's chirp: what one thread does for a place k, 0 <= k <= n / 2, and
 * its image n - k. Every order congruent to k or -k modulo n is read, or written, once. Included by
 * .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_ORDERS_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_ORDERS_H

#include "cuda/kernels/ringfft_device.h"

/* The rows as those of this set. */
static __device__ __forceinline__ armilla_cuda_ring_rows set_rows(armilla_cuda_ring_rows rows,
                                                                  int64_t set)
{
    rows.values += set * rows.set_length;
    return rows;
}

/* Spectrum at k and at n - k. */
struct place_values {
    double2 plus, minus;
};

/* Is k its own image? */
static __device__ __forceinline__ int is_alone(int64_t k, int64_t n)
{
    return k == 0 || 2 * k == n;
}

/* Where an order of the slot is, of the first set of the rows. */
static __device__ __forceinline__ double2 *entry_of(const armilla_cuda_ring_rows &rows,
                                                    const armilla_cuda_ring_slot &slot, int64_t m)
{
    return reinterpret_cast<double2 *>(rows.values + m * rows.row_length + 4 * slot.column);
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
template <typename Turns>
static __device__ __forceinline__ int64_t find_number(const armilla_cuda_ring_slot &slot, int64_t k,
                                                      const Turns &turns, double2 *chirp)
{
    const int64_t h = armilla_ring_part(slot);
    const int64_t part = slot.parts == 1 ? 0 : k % 4, q = slot.parts == 1 ? k : k / 4;
    *chirp = turns.chirp(slot, h, q);
    return part * slot.length + q;
}

/* Numbers at k and at n - k. */
template <typename Turns>
static __device__ __forceinline__ void put_places(const armilla_cuda_ring_slot &slot, int64_t k,
                                                  const place_values &v, const Turns &turns,
                                                  double2 *data)
{
    double2 chirp;
    int64_t number = find_number(slot, k, turns, &chirp);
    data[number] = armilla_ring_product(v.plus, chirp);
    if (!is_alone(k, slot.n)) {
        number = find_number(slot, slot.n - k, turns, &chirp);
        data[number] = armilla_ring_product(v.minus, chirp);
    }
}

/* --- Analysis -------------------------------------------------------------------------------- */

/* The transform of samples from that of their conjugates. */
template <typename Turns>
static __device__ __forceinline__ place_values get_places(const armilla_cuda_ring_slot &slot,
                                                          int64_t k, const Turns &turns,
                                                          const double2 *data)
{
    double2 chirp;
    place_values v;
    int64_t number = find_number(slot, k, turns, &chirp);
    v.plus = v.minus = armilla_ring_conj(armilla_ring_product(data[number], chirp));
    if (is_alone(k, slot.n)) return v;
    number = find_number(slot, slot.n - k, turns, &chirp);
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

#endif
