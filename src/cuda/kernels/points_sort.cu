/* Sorts points by tiles: points_kernels.h. A stable sort by digits of eight bits, without atomic
 * operations. A warp has 512 keys that follow each other, 32 at a time: lanes with the same digit
 * find each other by votes, and the lowest of them counts for all. So the place of a key does not
 * depend on which thread comes first. */
#include "cuda/kernels/points_place.h"

namespace
{

enum {
    THREADS = 256,
    WARP = 32,
    WARPS = THREADS / WARP,
    DIGITS = ARMILLA_CUDA_SORT_DIGITS,
    WARP_KEYS = ARMILLA_CUDA_SORT_KEYS / WARPS
};
static_assert(DIGITS == THREADS, "a thread has a digit");
constexpr unsigned ALL = 0xffffffffu;

__device__ __forceinline__ int64_t thread_index()
{
    return (int64_t)blockIdx.x * THREADS + threadIdx.x;
}

/* --- Tiles of points -------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS)
    number_points(const armilla_cuda_point_tiling tiling, int64_t count, const double *points,
                  uint32_t *key)
{
    const int64_t i = thread_index();
    if (i >= count) return;
    const double2 point = point_at(points, i);
    key[i] = place_point(tiling, point.x, point.y).tile;
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    place_points(const armilla_cuda_point_tiling tiling, const armilla_cuda_point_places places)
{
    const int64_t i = thread_index();
    if (i >= places.count) return;
    const double2 point = point_at(places.points, places.place[i]);
    const point_in_tile p = place_point(tiling, point.x, point.y);
    places.spot[i] = (uint32_t)(p.row * ARMILLA_CUDA_TILE_SAMPLES + p.column);
    T *argument = static_cast<T *>(places.argument) + 2 * i;
    argument[0] = (T)p.s, argument[1] = (T)p.t;
}

__global__ void __launch_bounds__(THREADS)
    find_starts(int64_t count, const uint32_t *key, int64_t ntiles, uint32_t *start)
{
    const int64_t tile = thread_index();
    if (tile > ntiles) return;
    int64_t begin = 0, end = count;
    while (begin < end) {
        const int64_t middle = (begin + end) / 2;
        if (key[middle] < tile)
            begin = middle + 1;
        else
            end = middle;
    }
    start[tile] = (uint32_t)begin;
}

/* --- One pass --------------------------------------------------------------------------------- */

/* Lanes that have a key with this lane's digit; none if it has no key. */
__device__ __forceinline__ unsigned find_peers(unsigned digit, int bits, int exists)
{
    unsigned peers = __ballot_sync(ALL, exists);
    for (int bit = 0; bit < bits; bit++) {
        const unsigned votes = __ballot_sync(ALL, digit >> bit & 1);
        peers &= digit >> bit & 1 ? votes : ~votes;
    }
    return exists ? peers : 0;
}

__device__ __forceinline__ int is_lowest(unsigned peers)
{
    const unsigned below = (1u << threadIdx.x % WARP) - 1;
    return peers && !(peers & below);
}

__device__ __forceinline__ int64_t first_key()
{
    return (int64_t)blockIdx.x * ARMILLA_CUDA_SORT_KEYS + threadIdx.x / WARP * WARP_KEYS +
           threadIdx.x % WARP;
}

__device__ __forceinline__ unsigned digit_of(const armilla_cuda_sort_pass &pass, uint32_t key)
{
    return key >> pass.shift & ((1u << pass.bits) - 1);
}

/* counts[warp][digit] of the block. */
__device__ __forceinline__ void count_digits(const armilla_cuda_sort_pass &pass, uint32_t *counts)
{
    uint32_t *mine = counts + threadIdx.x / WARP * DIGITS;
    for (int warp = 0; warp < WARPS; warp++) counts[warp * DIGITS + threadIdx.x] = 0;
    __syncthreads();
    const int64_t first = first_key();
    for (int64_t i = first; i < first + WARP_KEYS; i += WARP) {
        const int exists = i < pass.count;
        const unsigned digit = exists ? digit_of(pass, pass.key[i]) : 0;
        const unsigned peers = find_peers(digit, pass.bits, exists);
        if (is_lowest(peers)) mine[digit] += (uint32_t)__popc(peers);
        __syncwarp();
    }
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS) count_keys(const armilla_cuda_sort_pass pass)
{
    ARMILLA_SHARED(uint32_t, counts);
    count_digits(pass, counts);
    uint32_t sum = 0;
    for (int warp = 0; warp < WARPS; warp++) sum += counts[warp * DIGITS + threadIdx.x];
    pass.table[threadIdx.x * pass.nblocks + blockIdx.x] = sum;
}

/* The sum of the values of all threads before, and in *total that of all. sums: room for WARPS,
 * which nobody else uses. */
__device__ __forceinline__ uint32_t sum_before(uint32_t value, uint32_t *sums, uint32_t *total)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    uint32_t sum = value, before = 0;
    for (int step = 1; step < WARP; step *= 2) {
        const uint32_t other = __shfl_up_sync(ALL, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == WARP - 1) sums[warp] = sum;
    __syncthreads();
    *total = 0;
    for (int i = 0; i < WARPS; i++) {
        if (i < warp) before += sums[i];
        *total += sums[i];
    }
    return before + sum - value;
}

/* A block has a digit: of each block of keys, how many keys the blocks before it have. */
__global__ void __launch_bounds__(THREADS) sum_blocks(const armilla_cuda_sort_pass pass)
{
    ARMILLA_SHARED(uint32_t, sums);
    uint32_t *row = pass.table + blockIdx.x * pass.nblocks, before = 0, total;
    for (int64_t first = 0; first < pass.nblocks; first += THREADS) {
        const int64_t i = first + threadIdx.x;
        const uint32_t value = i < pass.nblocks ? row[i] : 0;
        const uint32_t sum = sum_before(value, sums + first / THREADS % 2 * WARPS, &total);
        if (i < pass.nblocks) row[i] = before + sum;
        before += total;
    }
    if (threadIdx.x == 0) pass.total[blockIdx.x] = before;
}

/* Where the first key of each digit and warp goes, in the place of their numbers. */
__device__ __forceinline__ void find_first_places(const armilla_cuda_sort_pass &pass,
                                                  uint32_t *counts)
{
    const int digit = threadIdx.x;
    uint32_t all, total = digit < 1 << pass.bits ? pass.total[digit] : 0;
    uint32_t next = sum_before(total, counts + WARPS * DIGITS, &all);
    if (digit < 1 << pass.bits) next += pass.table[digit * pass.nblocks + blockIdx.x];
    for (int warp = 0; warp < WARPS; warp++) {
        uint32_t *of_warp = &counts[warp * DIGITS + digit];
        const uint32_t count = *of_warp;
        *of_warp = next, next += count;
    }
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS) move_keys(const armilla_cuda_sort_pass pass)
{
    ARMILLA_SHARED(uint32_t, counts);
    uint32_t *mine = counts + threadIdx.x / WARP * DIGITS;
    const unsigned below = (1u << threadIdx.x % WARP) - 1;
    const int64_t first = first_key();
    count_digits(pass, counts);
    find_first_places(pass, counts);
    for (int64_t i = first; i < first + WARP_KEYS; i += WARP) {
        const int exists = i < pass.count;
        const uint32_t key = exists ? pass.key[i] : 0;
        const unsigned digit = digit_of(pass, key), peers = find_peers(digit, pass.bits, exists);
        const uint32_t to = exists ? mine[digit] + (uint32_t)__popc(peers & below) : 0;
        if (exists) pass.to_key[to] = key;
        if (exists) pass.to_place[to] = pass.place ? pass.place[i] : (uint32_t)i;
        __syncwarp();
        if (is_lowest(peers)) mine[digit] += (uint32_t)__popc(peers);
        __syncwarp();
    }
}

/* --- Launches -------------------------------------------------------------------------------- */

unsigned blocks_for(int64_t threads)
{
    return (unsigned)((threads + THREADS - 1) / THREADS);
}

} // namespace

cudaError_t armilla_cuda_points_number(const armilla_cuda_point_tiling *tiling, int64_t count,
                                       const double *points, uint32_t *key, cudaStream_t stream)
{
    return ARMILLA_LAUNCH(number_points, blocks_for(count), THREADS, 0, stream, *tiling, count,
                          points, key);
}

cudaError_t armilla_cuda_points_pass(const armilla_cuda_sort_pass *pass, cudaStream_t stream)
{
    const size_t counts = sizeof(uint32_t) * WARPS * DIGITS, sums = sizeof(uint32_t) * 2 * WARPS;
    const unsigned blocks = (unsigned)pass->nblocks;
    cudaError_t error = ARMILLA_LAUNCH(count_keys, blocks, THREADS, counts, stream, *pass);
    if (!error) error = ARMILLA_LAUNCH(sum_blocks, 1u << pass->bits, THREADS, sums, stream, *pass);
    if (!error) error = ARMILLA_LAUNCH(move_keys, blocks, THREADS, counts + sums, stream, *pass);
    return error;
}

cudaError_t armilla_cuda_points_starts(int64_t count, const uint32_t *key, int64_t ntiles,
                                       uint32_t *start, cudaStream_t stream)
{
    return ARMILLA_LAUNCH(find_starts, blocks_for(ntiles + 1), THREADS, 0, stream, count, key,
                          ntiles, start);
}

cudaError_t armilla_cuda_points_place(const armilla_cuda_point_tiling *tiling,
                                      const armilla_cuda_point_places *places, cudaStream_t stream)
{
    const unsigned blocks = blocks_for(places->count);
    if (places->single)
        return ARMILLA_LAUNCH(place_points<float>, blocks, THREADS, 0, stream, *tiling, *places);
    return ARMILLA_LAUNCH(place_points<double>, blocks, THREADS, 0, stream, *tiling, *places);
}
