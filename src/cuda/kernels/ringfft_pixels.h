/* Samples of the rings of a slot, north + i south, and numbers of its parts: the ends of a
 * transform where parts of it are taken apart or put together. A thread has one number of each
 * part. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_PIXELS_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_PIXELS_H

#include "cuda/kernels/ringfft_device.h"

static __device__ __forceinline__ int64_t find_items(const armilla_cuda_ring_map &map,
                                                     int64_t of_launch)
{
    const int64_t set = map.first + of_launch;
    return (set / map.together * map.step + set % map.together) * map.distance;
}

/* The map of a set of the launch, or of a pair of its sets, as that of set 0. distance: to the map
 * of the other one, 0 if there is none: the first one is there twice. */
template <typename REAL>
static __device__ __forceinline__ armilla_cuda_ring_map find_map(armilla_cuda_ring_map map,
                                                                 int64_t number, int64_t nsets)
{
    const int64_t set = number * armilla_ring_numbers<REAL>::SETS, items = find_items(map, set);
    map.values = reinterpret_cast<char *>(map.values) + (map.is_float ? 4 : 8) * items;
    map.distance = set + 1 < nsets ? find_items(map, set + 1) - items : 0;
    return map;
}

/* A sample of a map, or one of each set's. */
template <typename REAL, typename NUMBER>
static __device__ __forceinline__ REAL get_sample(const NUMBER *sample, int64_t next)
{
    if constexpr (std::is_same_v<REAL, float_pair>)
        return {(float)sample[0], (float)sample[next]};
    else
        return (REAL)*sample;
}

template <typename NUMBER, typename REAL>
static __device__ __forceinline__ void put_sample(NUMBER *sample, int64_t next, REAL value)
{
    if constexpr (std::is_same_v<REAL, float_pair>)
        sample[0] = value.first, sample[next] = value.second;
    else
        *sample = (NUMBER)value;
}

template <typename REAL>
static __device__ __forceinline__ REAL read_sample(const armilla_cuda_ring_map &map,
                                                   const armilla_cuda_ring_side &side, int64_t j)
{
    const int64_t item = side.offset + j * side.stride;
    if (side.state != ARMILLA_CUDA_RING_HERE) return {};
    if (map.is_float)
        return get_sample<REAL>(static_cast<const float *>(map.values) + item, map.distance);
    return get_sample<REAL>(static_cast<const double *>(map.values) + item, map.distance);
}

template <typename REAL>
static __device__ __forceinline__ void write_sample(const armilla_cuda_ring_map &map,
                                                    const armilla_cuda_ring_side &side, int64_t j,
                                                    REAL value)
{
    const int64_t item = side.offset + j * side.stride;
    if (side.state != ARMILLA_CUDA_RING_HERE) return;
    if (map.weighted) value = value * (scalar_of<REAL>)side.weight;
    if (map.is_float)
        put_sample(static_cast<float *>(map.values) + item, map.distance, value);
    else
        put_sample(static_cast<double *>(map.values) + item, map.distance, value);
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
    typedef factor_of<real_of<COMPLEX>> FACTOR;
    FACTOR factor = armilla_ring_round<FACTOR>(turns.chirp(slot, armilla_ring_part(slot), j));
    v[0] = armilla_ring_product(v[0], factor);
    if (slot.parts == 1) return;
    const FACTOR root = armilla_ring_round<FACTOR>(turns.root(slot, j));
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
