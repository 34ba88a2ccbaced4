/* Samples of the rings of a slot, north + i south, and numbers of its parts: the ends of a
 * transform where parts of it are taken apart or put together. A thread has one number of each
 * part. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_PIXELS_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_PIXELS_H

#include "cuda/kernels/ringfft_device.h"

/* The map of a set of the launch, as that of set 0. */
static __device__ __forceinline__ armilla_cuda_ring_map find_map(armilla_cuda_ring_map map,
                                                                 int64_t of_launch)
{
    const int64_t set = map.first + of_launch;
    const int64_t items = (set / map.together * map.step + set % map.together) * map.distance;
    map.values = reinterpret_cast<char *>(map.values) + (map.is_float ? 4 : 8) * items;
    return map;
}

template <typename REAL>
static __device__ __forceinline__ REAL read_sample(const armilla_cuda_ring_map &map,
                                                   const armilla_cuda_ring_side &side, int64_t j)
{
    const int64_t item = side.offset + j * side.stride;
    if (side.state != ARMILLA_CUDA_RING_HERE) return 0;
    if (map.is_float) return reinterpret_cast<const float *>(map.values)[item];
    return (REAL) reinterpret_cast<const double *>(map.values)[item];
}

template <typename REAL>
static __device__ __forceinline__ void write_sample(const armilla_cuda_ring_map &map,
                                                    const armilla_cuda_ring_side &side, int64_t j,
                                                    REAL value)
{
    const int64_t item = side.offset + j * side.stride;
    if (side.state != ARMILLA_CUDA_RING_HERE) return;
    if (map.weighted) value *= (REAL)side.weight;
    if (map.is_float)
        reinterpret_cast<float *>(map.values)[item] = (float)value;
    else
        reinterpret_cast<double *>(map.values)[item] = value;
}

/* v_r becomes sum_t i^(r t) v_t */
template <typename COMPLEX> static __device__ __forceinline__ void turn_quarters(COMPLEX v[4])
{
    const COMPLEX even = {v[0].x + v[2].x, v[0].y + v[2].y};
    const COMPLEX odd = {v[1].x + v[3].x, v[1].y + v[3].y};
    const COMPLEX even_rest = {v[0].x - v[2].x, v[0].y - v[2].y};
    const COMPLEX odd_rest = {v[3].y - v[1].y, v[1].x - v[3].x}; /* times i */
    v[0] = {even.x + odd.x, even.y + odd.y};
    v[1] = {even_rest.x + odd_rest.x, even_rest.y + odd_rest.y};
    v[2] = {even.x - odd.x, even.y - odd.y};
    v[3] = {even_rest.x - odd_rest.x, even_rest.y - odd_rest.y};
}

/* Numbers j of the parts r times exp(2 pi i r j / n) and Bluestein's chirp. */
template <typename Turns, typename COMPLEX>
static __device__ __forceinline__ void turn_parts(const armilla_cuda_ring_slot &slot, int64_t j,
                                                  const Turns &turns, COMPLEX v[4])
{
    COMPLEX factor = armilla_ring_round<COMPLEX>(turns.chirp(slot, armilla_ring_part(slot), j));
    v[0] = armilla_ring_product(v[0], factor);
    if (slot.parts == 1) return;
    const COMPLEX root = armilla_ring_round<COMPLEX>(turns.root(slot, j));
    for (int r = 1; r < 4; r++) {
        factor = armilla_ring_product(factor, root);
        v[r] = armilla_ring_product(v[r], factor);
    }
}

/* Conjugates: see ringfft_kernels.h. */
template <typename REAL>
static __device__ __forceinline__ complex_of<REAL>
read_samples(const armilla_cuda_ring_map &map, const armilla_cuda_ring_slot &slot, int64_t j)
{
    return {read_sample<REAL>(map, slot.side[0], j), -read_sample<REAL>(map, slot.side[1], j)};
}

template <typename COMPLEX>
static __device__ __forceinline__ void write_samples(const armilla_cuda_ring_map &map,
                                                     const armilla_cuda_ring_slot &slot, int64_t j,
                                                     COMPLEX value)
{
    write_sample(map, slot.side[0], j, value.x);
    write_sample(map, slot.side[1], j, value.y);
}

/* Samples to number j of each part, j < n / parts, which Bluestein's algorithm has at -j. data: the
 * slot's. */
template <typename Turns, typename COMPLEX>
static __device__ __forceinline__ void load_numbers(const armilla_cuda_ring_map &map,
                                                    const armilla_cuda_ring_slot &slot, int64_t j,
                                                    const Turns &turns, COMPLEX *data)
{
    const int64_t h = armilla_ring_part(slot);
    const int parts = (int)slot.parts;
    COMPLEX v[4];
    for (int t = 0; t < 4; t++)
        if (t < parts) v[t] = read_samples<real_of<COMPLEX>>(map, slot, j + t * h);
    if (parts == 4) turn_quarters(v);
    turn_parts(slot, j, turns, v);
    data += armilla_ring_place(slot, j, turns.chirped(slot));
    for (int r = 0; r < 4; r++)
        if (r < parts) data[r * slot.length] = v[r];
}

/* And back. */
template <typename Turns, typename COMPLEX>
static __device__ __forceinline__ void store_numbers(const armilla_cuda_ring_map &map,
                                                     const armilla_cuda_ring_slot &slot, int64_t j,
                                                     const Turns &turns, const COMPLEX *data)
{
    const int64_t h = armilla_ring_part(slot);
    const int parts = (int)slot.parts;
    COMPLEX v[4];
    for (int r = 0; r < 4; r++)
        if (r < parts) v[r] = data[r * slot.length + j];
    turn_parts(slot, j, turns, v);
    if (parts == 4) turn_quarters(v);
    for (int t = 0; t < 4; t++)
        if (t < parts) write_samples(map, slot, j + t * h, v[t]);
}

#endif
