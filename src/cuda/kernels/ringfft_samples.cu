/* maps <-> data: samples of the rings of a slot, north + i south: the ends of a transform where
 * parts of it are taken apart or put together. A thread has one number of each part. */
#include "cuda/kernels/ringfft_device.h"

enum { THREADS = ARMILLA_CUDA_RING_THREADS };

/* The map of the block's set, as that of set 0. */
static __device__ __forceinline__ armilla_cuda_ring_map find_map(armilla_cuda_ring_map map)
{
    const int64_t set = map.first + blockIdx.y;
    const int64_t items = (set / map.together * map.step + set % map.together) * map.distance;
    map.values = reinterpret_cast<char *>(map.values) + (map.is_float ? 4 : 8) * items;
    return map;
}

static __device__ __forceinline__ double read_sample(const armilla_cuda_ring_map &map,
                                                     const armilla_cuda_ring_side &side, int64_t j)
{
    const int64_t item = side.offset + j * side.stride;
    if (side.state != ARMILLA_CUDA_RING_HERE) return 0;
    if (map.is_float) return reinterpret_cast<const float *>(map.values)[item];
    return reinterpret_cast<const double *>(map.values)[item];
}

static __device__ __forceinline__ void write_sample(const armilla_cuda_ring_map &map,
                                                    const armilla_cuda_ring_side &side, int64_t j,
                                                    double value)
{
    const int64_t item = side.offset + j * side.stride;
    if (side.state != ARMILLA_CUDA_RING_HERE) return;
    if (map.weighted) value *= side.weight;
    if (map.is_float)
        reinterpret_cast<float *>(map.values)[item] = (float)value;
    else
        reinterpret_cast<double *>(map.values)[item] = value;
}

/* v_r becomes sum_t i^(r t) v_t */
static __device__ __forceinline__ void turn_quarters(double2 v[4])
{
    const double2 even = make_double2(v[0].x + v[2].x, v[0].y + v[2].y);
    const double2 odd = make_double2(v[1].x + v[3].x, v[1].y + v[3].y);
    const double2 even_rest = make_double2(v[0].x - v[2].x, v[0].y - v[2].y);
    const double2 odd_rest = make_double2(v[3].y - v[1].y, v[1].x - v[3].x); /* times i */
    v[0] = make_double2(even.x + odd.x, even.y + odd.y);
    v[1] = make_double2(even_rest.x + odd_rest.x, even_rest.y + odd_rest.y);
    v[2] = make_double2(even.x - odd.x, even.y - odd.y);
    v[3] = make_double2(even_rest.x - odd_rest.x, even_rest.y - odd_rest.y);
}

/* Number j of a part times exp(2 pi i part j / n) and Bluestein's chirp. */
static __device__ __forceinline__ double2 turn_part(const armilla_cuda_ring_slot &slot, int part,
                                                    int64_t j, double2 chirp, double2 value)
{
    if (part) value = armilla_ring_product(value, armilla_ring_root(2 * part * j, slot.n));
    return armilla_ring_product(value, chirp);
}

static __device__ __forceinline__ double2 find_chirp(const armilla_cuda_ring_slot &slot, int64_t h,
                                                     int64_t j)
{
    return slot.flags & ARMILLA_CUDA_RING_CHIRPED ? armilla_ring_chirp(j, h) : make_double2(1, 0);
}

/* Conjugates: see ringfft_kernels.h. */
static __device__ __forceinline__ double2 read_samples(const armilla_cuda_ring_map &map,
                                                       const armilla_cuda_ring_slot &slot,
                                                       int64_t j)
{
    return make_double2(read_sample(map, slot.side[0], j), -read_sample(map, slot.side[1], j));
}

static __device__ __forceinline__ void write_samples(const armilla_cuda_ring_map &map,
                                                     const armilla_cuda_ring_slot &slot, int64_t j,
                                                     double2 value)
{
    write_sample(map, slot.side[0], j, value.x);
    write_sample(map, slot.side[1], j, value.y);
}

/* A thread for each number of a part, its zeros included. */
static __global__ void __launch_bounds__(THREADS)
    load(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_map maps)
{
    const armilla_cuda_ring_map map = find_map(maps);
    const armilla_cuda_ring_slot &slot = slots.slots[blockIdx.x / tiles];
    const int64_t j = armilla_ring_index(tiles), h = slot.n / slot.parts;
    const int parts = (int)slot.parts;
    double2 *data = armilla_ring_data(slots, slot) + j;
    double2 v[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    if (j >= slot.length) return;
    if (j < h) {
        const double2 chirp = find_chirp(slot, h, j);
        for (int t = 0; t < 4; t++)
            if (t < parts) v[t] = read_samples(map, slot, j + t * h);
        if (parts == 4) turn_quarters(v);
        for (int r = 0; r < 4; r++)
            if (r < parts) v[r] = turn_part(slot, r, j, chirp, v[r]);
    }
    for (int r = 0; r < 4; r++)
        if (r < parts) data[r * slot.length] = v[r];
}

static __global__ void __launch_bounds__(THREADS)
    store(armilla_cuda_ring_slots slots, unsigned tiles, armilla_cuda_ring_map maps)
{
    const armilla_cuda_ring_map map = find_map(maps);
    const armilla_cuda_ring_slot &slot = slots.slots[blockIdx.x / tiles];
    const int64_t j = armilla_ring_index(tiles), h = slot.n / slot.parts;
    const int parts = (int)slot.parts;
    const double2 *data = armilla_ring_data(slots, slot) + j;
    double2 v[4];
    if (j >= h) return;
    const double2 chirp = find_chirp(slot, h, j);
    for (int r = 0; r < 4; r++)
        if (r < parts) v[r] = turn_part(slot, r, j, chirp, data[r * slot.length]);
    if (parts == 4) turn_quarters(v);
    for (int t = 0; t < 4; t++)
        if (t < parts) write_samples(map, slot, j + t * h, v[t]);
}

cudaError_t armilla_cuda_ring_load(const armilla_cuda_ring_slots *slots,
                                   const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    const unsigned tiles = armilla_ring_tiles(slots->most_length);
    return armilla_ring_launch(
        slots, 1, tiles, [&](const armilla_cuda_ring_slots &some, dim3 blocks) {
            return ARMILLA_LAUNCH(load, blocks, THREADS, 0, stream, some, tiles, *map);
        });
}

cudaError_t armilla_cuda_ring_store(const armilla_cuda_ring_slots *slots,
                                    const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    const unsigned tiles = armilla_ring_tiles(slots->most_part);
    return armilla_ring_launch(
        slots, 1, tiles, [&](const armilla_cuda_ring_slots &some, dim3 blocks) {
            return ARMILLA_LAUNCH(store, blocks, THREADS, 0, stream, some, tiles, *map);
        });
}
