/* Orders of a leg and places of a ring's spectrum, docs/mathematics.md (4.1), (4.2), with folding,
 * phases, weights and Bluestein's chirp: what one thread does for a place k, 0 <= k <= n / 2, and
 * its image n - k. Every order congruent to k or -k modulo n is read, or written, once. Included by
 * .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_ORDERS_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_ORDERS_H

#include "cuda/kernels/ringfft_device.h"

/* The rows as those of this set, or pair of sets; set_length is that to the other one, 0 if there
 * is none: the first one is there twice. */
template <typename REAL>
static __device__ __forceinline__ armilla_cuda_ring_rows set_rows(armilla_cuda_ring_rows rows,
                                                                  int64_t number, int64_t nsets)
{
    enum { SETS = armilla_ring_numbers<REAL>::SETS };
    const int64_t values = number * SETS * rows.set_length;
    rows.values = static_cast<char *>(rows.values) + (rows.is_float ? 4 : 8) * values;
    if (number * SETS + 1 >= nsets) rows.set_length = 0;
    return rows;
}

/* Spectrum at k and at n - k. */
template <typename REAL> struct place_values {
    complex_of<REAL> plus, minus;
};

/* Is k its own image? */
static __device__ __forceinline__ int is_alone(int64_t k, int64_t n)
{
    return k == 0 || 2 * k == n;
}

/* A side of an order, of the first set of the rows, which are of NUMBER. */
template <typename NUMBER>
static __device__ __forceinline__ NUMBER *entry_of(const armilla_cuda_ring_rows &rows,
                                                   const armilla_cuda_ring_slot &slot, int64_t m,
                                                   int south)
{
    auto *values = static_cast<real_of<NUMBER> *>(rows.values);
    return reinterpret_cast<NUMBER *>(values + m * rows.row_length + 4 * (int64_t)slot.column) +
           south;
}

/* The entry of the other set of a pair. */
template <typename NUMBER>
static __device__ __forceinline__ NUMBER *next_entry(const armilla_cuda_ring_rows &rows,
                                                     NUMBER *entry)
{
    return reinterpret_cast<NUMBER *>(reinterpret_cast<real_of<NUMBER> *>(entry) + rows.set_length);
}

/* A number of leg, or one of each set. */
template <typename COMPLEX, typename NUMBER>
static __device__ __forceinline__ COMPLEX get_numbers(const armilla_cuda_ring_rows &rows,
                                                      NUMBER *entry)
{
    if constexpr (std::is_same_v<COMPLEX, complex_pair>) {
        const float2 first = armilla_ring_round<float2>(*entry);
        const float2 second = armilla_ring_round<float2>(*next_entry(rows, entry));
        return {{first.x, second.x}, {first.y, second.y}};
    } else {
        return armilla_ring_round<COMPLEX>(*entry);
    }
}

template <typename NUMBER, typename COMPLEX>
static __device__ __forceinline__ void put_numbers(const armilla_cuda_ring_rows &rows,
                                                   NUMBER *entry, COMPLEX value)
{
    if constexpr (std::is_same_v<COMPLEX, complex_pair>) {
        const float2 first = {value.x.first, value.y.first};
        const float2 second = {value.x.second, value.y.second};
        *entry = armilla_ring_round<NUMBER>(first);
        *next_entry(rows, entry) = armilla_ring_round<NUMBER>(second);
    } else {
        *entry = armilla_ring_round<NUMBER>(value);
    }
}

template <typename REAL>
static __device__ __forceinline__ complex_of<REAL> get_entry(const armilla_cuda_ring_rows &rows,
                                                             const armilla_cuda_ring_slot &slot,
                                                             int64_t m, int south)
{
    typedef complex_of<REAL> COMPLEX;
    if (rows.is_float) return get_numbers<COMPLEX>(rows, entry_of<float2>(rows, slot, m, south));
    return get_numbers<COMPLEX>(rows, entry_of<double2>(rows, slot, m, south));
}

template <typename COMPLEX>
static __device__ __forceinline__ void put_entry(const armilla_cuda_ring_rows &rows,
                                                 const armilla_cuda_ring_slot &slot, int64_t m,
                                                 int south, COMPLEX value)
{
    if (rows.is_float)
        put_numbers(rows, entry_of<float2>(rows, slot, m, south), value);
    else
        put_numbers(rows, entry_of<double2>(rows, slot, m, south), value);
}

/* exp(i m phi0): the angle in double precision, whatever the arithmetic. */
template <typename REAL>
static __device__ __forceinline__ factor_of<REAL> phase_of(const armilla_cuda_ring_slot &slot,
                                                           int64_t m, int south)
{
    return armilla_ring_round<factor_of<REAL>>(armilla_ring_phase(&slot.side[south], slot.n, m));
}

/* --- Synthesis ------------------------------------------------------------------------------- */

/* Order m > 0 at its place and the image of that. */
template <typename REAL>
static __device__ __forceinline__ void add_order(const armilla_cuda_ring_rows &rows,
                                                 const armilla_cuda_ring_slot &slot, int64_t m,
                                                 complex_of<REAL> *plus, complex_of<REAL> *minus)
{
    complex_of<REAL> north = {}, south = north;
    factor_of<REAL> phase = {1, 0};
    if (slot.side[0].state == ARMILLA_CUDA_RING_HERE) {
        phase = phase_of<REAL>(slot, m, 0);
        north = armilla_ring_product(get_entry<REAL>(rows, slot, m, 0), phase);
    }
    if (slot.side[1].state == ARMILLA_CUDA_RING_HERE) {
        if (!(slot.flags & ARMILLA_CUDA_RING_SAME_PHASE)) phase = phase_of<REAL>(slot, m, 1);
        south = armilla_ring_product(get_entry<REAL>(rows, slot, m, 1), phase);
    }
    plus->x += north.x - south.y, plus->y += north.y + south.x;
    minus->x += north.x + south.y, minus->y += south.x - north.y;
}

/* Order 0 is real. */
template <typename REAL>
static __device__ __forceinline__ complex_of<REAL> order_zero(const armilla_cuda_ring_rows &rows,
                                                              const armilla_cuda_ring_slot &slot)
{
    complex_of<REAL> zero = {};
    if (slot.side[0].state == ARMILLA_CUDA_RING_HERE) zero.x = get_entry<REAL>(rows, slot, 0, 0).x;
    if (slot.side[1].state == ARMILLA_CUDA_RING_HERE) zero.y = get_entry<REAL>(rows, slot, 0, 1).x;
    return zero;
}

/* Adds all orders congruent to k or -k modulo n, from the lowest on. */
template <typename REAL>
static __device__ __forceinline__ place_values<REAL>
add_orders(const armilla_cuda_ring_rows &rows, const armilla_cuda_ring_slot &slot, int64_t k)
{
    place_values<REAL> v = {{}, {}};
    if (k == 0) v.plus = order_zero<REAL>(rows, slot);
    for (int64_t m = k ? k : slot.n; m <= slot.limit; m += slot.n) {
        add_order<REAL>(rows, slot, m, &v.plus, &v.minus);
        const int64_t image = m + slot.n - 2 * k;
        if (!is_alone(k, slot.n) && image <= slot.limit)
            add_order<REAL>(rows, slot, image, &v.minus, &v.plus);
    }
    if (is_alone(k, slot.n)) v.plus.x += v.minus.x, v.plus.y += v.minus.y;
    return v;
}

/* Where place k is in the slot's numbers; in analysis, `back`, Bluestein's are at -q. *chirp: what
 * Bluestein multiplies it with, or 1. */
template <typename Turns, typename FACTOR>
static __device__ __forceinline__ int64_t find_number(const armilla_cuda_ring_slot &slot, int64_t k,
                                                      int back, const Turns &turns, FACTOR *chirp)
{
    const int64_t h = armilla_ring_part(slot);
    const int64_t part = slot.parts == 1 ? 0 : k % 4, q = slot.parts == 1 ? k : k / 4;
    const int is_above = back ? 2 * q > h : 2 * q >= h; /* q - h */
    const int64_t d = is_above ? h - q : q;
    *chirp = armilla_ring_round<FACTOR>(turns.chirp(slot, h, d));
    const int64_t place = turns.chirped(slot) ? armilla_ring_place(slot, d, is_above != back) : q;
    return part * slot.length + place;
}

/* Numbers at k and at n - k. */
template <typename REAL, typename Turns>
static __device__ __forceinline__ void put_places(const armilla_cuda_ring_slot &slot, int64_t k,
                                                  const place_values<REAL> &v, const Turns &turns,
                                                  complex_of<REAL> *data)
{
    factor_of<REAL> chirp;
    int64_t number = find_number(slot, k, 0, turns, &chirp);
    data[number] = armilla_ring_product(v.plus, chirp);
    if (!is_alone(k, slot.n)) {
        number = find_number(slot, slot.n - k, 0, turns, &chirp);
        data[number] = armilla_ring_product(v.minus, chirp);
    }
}

/* --- Analysis -------------------------------------------------------------------------------- */

/* The transform of samples from that of their conjugates. */
template <typename REAL, typename Turns>
static __device__ __forceinline__ place_values<REAL> get_places(const armilla_cuda_ring_slot &slot,
                                                                int64_t k, const Turns &turns,
                                                                const complex_of<REAL> *data)
{
    factor_of<REAL> chirp;
    place_values<REAL> v;
    int64_t number = find_number(slot, k, 1, turns, &chirp);
    v.plus = v.minus = armilla_ring_conj(armilla_ring_product(data[number], chirp));
    if (is_alone(k, slot.n)) return v;
    number = find_number(slot, slot.n - k, 1, turns, &chirp);
    v.minus = armilla_ring_conj(armilla_ring_product(data[number], chirp));
    return v;
}

template <typename REAL>
static __device__ __forceinline__ scalar_of<REAL> half_weight(const armilla_cuda_ring_side &side,
                                                              int weighted)
{
    return (scalar_of<REAL>)(weighted ? 0.5 * side.weight : 0.5);
}

template <typename REAL>
static __device__ __forceinline__ void
put_order(const armilla_cuda_ring_rows &rows, const armilla_cuda_ring_slot &slot, int weighted,
          int64_t m, complex_of<REAL> plus, complex_of<REAL> minus)
{
    factor_of<REAL> phase = {1, 0};
    for (int south = 0; south < 2; south++) {
        const armilla_cuda_ring_side &side = slot.side[south];
        if (side.state == ARMILLA_CUDA_RING_MISSING)
            put_entry(rows, slot, m, south, complex_of<REAL>{});
        if (side.state != ARMILLA_CUDA_RING_HERE) continue;
        const scalar_of<REAL> scale = half_weight<REAL>(side, weighted);
        const complex_of<REAL> value =
            south ? complex_of<REAL>{(plus.y + minus.y) * scale, (minus.x - plus.x) * scale}
                  : complex_of<REAL>{(plus.x + minus.x) * scale, (plus.y - minus.y) * scale};
        if (!south || !(slot.flags & ARMILLA_CUDA_RING_SAME_PHASE))
            phase = phase_of<REAL>(slot, m, south);
        put_entry(rows, slot, m, south, armilla_ring_product(value, armilla_ring_conj(phase)));
    }
}

template <typename REAL>
static __device__ __forceinline__ void put_orders(const armilla_cuda_ring_rows &rows,
                                                  const armilla_cuda_ring_slot &slot, int weighted,
                                                  int64_t k, const place_values<REAL> &v)
{
    for (int64_t m = k; m <= slot.limit; m += slot.n) {
        put_order<REAL>(rows, slot, weighted, m, v.plus, v.minus);
        const int64_t image = m + slot.n - 2 * k;
        if (!is_alone(k, slot.n) && image <= slot.limit)
            put_order<REAL>(rows, slot, weighted, image, v.minus, v.plus);
    }
}

#endif
