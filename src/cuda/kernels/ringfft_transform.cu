/* Transforms that are not cuFFT's: direct sums of short rings, and what Bluestein's algorithm has
 * between its FFTs. */
#include "cuda/kernels/ringfft_device.h"

enum { THREADS = ARMILLA_CUDA_RING_THREADS, SUMS = ARMILLA_CUDA_RING_SUMS };

/* A block of one warp per slot: thread j has sample j. Numbers and roots in shared memory; sums in
 * double precision, since they are few. */
template <typename REAL>
static __global__ void __launch_bounds__(SUMS) sum(armilla_cuda_ring_slots slots)
{
    ARMILLA_SHARED(double2, values);
    double2 *roots = values + SUMS;
    const armilla_cuda_ring_slot &slot = slots.slots[blockIdx.x];
    complex_of<REAL> *data = armilla_ring_data<REAL>(slots, slot);
    const int n = (int)slot.n, j = threadIdx.x;
    if (j < n)
        values[j] = armilla_ring_round<double2>(data[j]), roots[j] = armilla_ring_root(2 * j, n);
    __syncthreads();
    if (j >= n) return;
    double2 z = make_double2(0, 0);
    for (int k = 0; k < n; k++) {
        const double2 term = armilla_ring_product(values[k], roots[j * k % n]);
        z.x += term.x, z.y += term.y;
    }
    data[j] = armilla_ring_round<complex_of<REAL>>(z);
}

template <typename REAL>
static __global__ void __launch_bounds__(THREADS)
    multiply(armilla_cuda_ring_slots slots, unsigned tiles, const complex_of<REAL> *filters)
{
    const armilla_cuda_ring_slot &slot = slots.slots[blockIdx.x / tiles];
    const int64_t i = armilla_ring_index(tiles);
    if (i >= slot.length) return;
    const complex_of<REAL> factor = filters[slot.filter + i];
    complex_of<REAL> *data = armilla_ring_data<REAL>(slots, slot) + i;
    for (int64_t part = 0; part < slot.parts; part++, data += slot.length)
        *data = armilla_ring_product(*data, factor);
}

template <typename REAL>
static __global__ void __launch_bounds__(THREADS)
    make_filters(const armilla_cuda_ring_filter *filters, unsigned tiles, complex_of<REAL> *values)
{
    const armilla_cuda_ring_filter filter = filters[blockIdx.x / tiles];
    const int64_t i = armilla_ring_index(tiles);
    if (i >= filter.length) return;
    values[filter.place + i] =
        armilla_ring_round<complex_of<REAL>>(armilla_ring_filter_value(filter, i));
}

cudaError_t armilla_cuda_ring_sum(const armilla_cuda_ring_slots *slots, cudaStream_t stream)
{
    return armilla_ring_launch(slots, 1, 1,
                               [&](auto real, const armilla_cuda_ring_slots &some, dim3 blocks) {
                                   typedef decltype(real) REAL;
                                   return ARMILLA_LAUNCH(sum<REAL>, blocks, SUMS,
                                                         2 * SUMS * sizeof(double2), stream, some);
                               });
}

cudaError_t armilla_cuda_ring_multiply(const armilla_cuda_ring_slots *slots, const void *filters,
                                       cudaStream_t stream)
{
    const unsigned tiles = armilla_ring_tiles(slots->most_length);
    return armilla_ring_launch(
        slots, 1, tiles, [&](auto real, const armilla_cuda_ring_slots &some, dim3 blocks) {
            typedef decltype(real) REAL;
            return ARMILLA_LAUNCH(multiply<REAL>, blocks, THREADS, 0, stream, some, tiles,
                                  static_cast<const complex_of<REAL> *>(filters));
        });
}

cudaError_t armilla_cuda_ring_make_filters(const armilla_cuda_ring_filter *filters, int64_t count,
                                           int64_t most_length, void *values, int is_float,
                                           cudaStream_t stream)
{
    const unsigned tiles = armilla_ring_tiles(most_length);
    return armilla_ring_in(is_float, [&](auto real) {
        typedef decltype(real) REAL;
        return armilla_ring_pieces(count, 1, tiles, [&](int64_t first, int64_t some) {
            return ARMILLA_LAUNCH(make_filters<REAL>, (unsigned)some * tiles, THREADS, 0, stream,
                                  filters + first, tiles, static_cast<complex_of<REAL> *>(values));
        });
    });
}
