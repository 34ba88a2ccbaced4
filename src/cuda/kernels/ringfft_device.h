/* What the kernels of the ring stage share: complex numbers of doubles, floats or two floats, roots
 * of unity, for shifts of rings and Bluestein's chirps, and the blocks of kernels that have a
 * thread for each number of a slot. Angles are brought to [-pi/2, pi/2] in integers, or as two
 * doubles, so that large orders cost no digit; the error is below 3e-16. Roots for floats are
 * these, rounded. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_DEVICE_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_DEVICE_H

#include "cuda/kernels/device.h"
#include "cuda/kernels/launch_rows.h"
#include "cuda/kernels/ringfft_kernels.h"

enum { ARMILLA_CUDA_RING_THREADS = 128 };

/* A number of each of two sets, whose places, roots of unity and phases are the same. */
struct float_pair {
    float first, second;
};
struct alignas(16) complex_pair {
    float_pair x, y;
};

static __device__ __forceinline__ float_pair operator+(float_pair a, float_pair b)
{
    return {a.first + b.first, a.second + b.second};
}
static __device__ __forceinline__ float_pair operator-(float_pair a, float_pair b)
{
    return {a.first - b.first, a.second - b.second};
}
static __device__ __forceinline__ float_pair operator-(float_pair a)
{
    return {-a.first, -a.second};
}
static __device__ __forceinline__ float_pair operator*(float_pair a, float b)
{
    return {a.first * b, a.second * b};
}
static __device__ __forceinline__ float_pair &operator+=(float_pair &a, float_pair b)
{
    return a = a + b;
}

/* Numbers of the arithmetic REAL, double, float or float_pair: complex ones, their factors, and how
 * many sets they are of. */
template <typename REAL> struct armilla_ring_numbers {
};
template <> struct armilla_ring_numbers<double> {
    typedef double2 complex, factor;
    enum { SETS = 1 };
};
template <> struct armilla_ring_numbers<float> {
    typedef float2 complex, factor;
    enum { SETS = 1 };
};
template <> struct armilla_ring_numbers<float_pair> {
    typedef complex_pair complex;
    typedef float2 factor;
    enum { SETS = 2 };
};
template <typename COMPLEX> using real_of = decltype(COMPLEX::x);
template <typename REAL> using complex_of = typename armilla_ring_numbers<REAL>::complex;
template <typename REAL> using factor_of = typename armilla_ring_numbers<REAL>::factor;
template <typename REAL> using scalar_of = real_of<factor_of<REAL>>;

template <typename TO, typename FROM>
static __device__ __forceinline__ TO armilla_ring_round(FROM a)
{
    return TO{(real_of<TO>)a.x, (real_of<TO>)a.y};
}

/* Calls launch(a number of the arithmetic). */
template <typename Launch>
static inline cudaError_t armilla_ring_in(int64_t is_float, const Launch &launch)
{
    return is_float ? launch(float()) : launch(double());
}

/* Blocks of a slot where the longest one has so many numbers. */
static inline unsigned armilla_ring_tiles(int64_t most)
{
    return (unsigned)((most + ARMILLA_CUDA_RING_THREADS - 1) / ARMILLA_CUDA_RING_THREADS);
}

/* Calls launch(first, count) for pieces of so many things, `together` of which have `tiles` blocks:
 * as many things as the first dimension of a grid takes. Returned: the first launch's error. */
template <typename Launch>
static inline cudaError_t armilla_ring_pieces(int64_t count, int64_t together, unsigned tiles,
                                              const Launch &launch)
{
    cudaError_t error = cudaSuccess;
    armilla_cuda_launch_pieces(count, (int64_t)(INT32_MAX / tiles) * together,
                               [&](int64_t first, int64_t some) {
                                   if (!error) error = launch(first, some);
                               });
    return error;
}

/* Calls launch(a number of the arithmetic, slots, blocks) for all slots, of which `together` have
 * `tiles` blocks in each set. */
template <typename Launch>
static inline cudaError_t armilla_ring_launch(const armilla_cuda_ring_slots *slots,
                                              int64_t together, unsigned tiles,
                                              const Launch &launch)
{
    return armilla_ring_pieces(slots->count, together, tiles, [&](int64_t first, int64_t count) {
        armilla_cuda_ring_slots some = *slots;
        some.slots += first, some.count = count;
        const dim3 blocks((unsigned)((count + together - 1) / together) * tiles,
                          (unsigned)slots->nsets);
        return armilla_ring_in(slots->is_float,
                               [&](auto real) { return launch(real, some, blocks); });
    });
}

/* The number of a block's slot that a thread has. */
static __device__ __forceinline__ int64_t armilla_ring_index(unsigned tiles)
{
    return (int64_t)(blockIdx.x % tiles) * ARMILLA_CUDA_RING_THREADS + threadIdx.x;
}

/* The first number of a slot, of the block's set. One set has less to read. */
template <typename REAL>
static __device__ __forceinline__ complex_of<REAL> *
armilla_ring_data(const armilla_cuda_ring_slots &slots, const armilla_cuda_ring_slot &slot)
{
    complex_of<REAL> *data = static_cast<complex_of<REAL> *>(slots.data) + slot.place;
    if (slots.nsets == 1) return data;
    return data + slot.run * (slots.nsets - 1) + blockIdx.y * slot.run_size;
}

template <typename COMPLEX, typename FACTOR>
static __device__ __forceinline__ COMPLEX armilla_ring_product(COMPLEX a, FACTOR b)
{
    return COMPLEX{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

template <typename COMPLEX> static __device__ __forceinline__ COMPLEX armilla_ring_conj(COMPLEX a)
{
    return COMPLEX{a.x, -a.y};
}

/* x modulo turn. Given: x / turn < 2^50, so that the quotient in double is right to one. */
static __device__ __forceinline__ int64_t armilla_ring_modulo(int64_t x, int64_t turn)
{
    int64_t rest = x - (int64_t)((double)x / (double)turn) * turn;
    if (rest < 0) rest += turn;
    return rest >= turn ? rest - turn : rest;
}

/* exp(pi i t / n), 0 <= t < 2 n */
static __device__ __forceinline__ double2 armilla_ring_root(int64_t t, int64_t n)
{
    double s, c, sign = 1;
    if (2 * t > n) t -= n, sign = -sign;
    if (2 * t > n) t -= n, sign = -sign;
    sincospi((double)t / (double)n, &s, &c);
    return make_double2(sign * c, sign * s);
}

/* exp(i m phi0) */
static __device__ __forceinline__ double2 armilla_ring_phase(const armilla_cuda_ring_side *side,
                                                             int64_t n, int64_t m)
{
    const double pi = 3.141592653589793;
    if (side->half == 0) return make_double2(1, 0);
    if (side->half > 0) return armilla_ring_root(armilla_ring_modulo(m * side->half, 2 * n), n);
    double s, c;
    /* rounded for itself: were this product one operation with a sum below, its rounding, which
     * `rest` has, would be counted twice */
    const double x = (double)m, high = __dmul_rn(x, side->turns);
    const double rest = pi * __dadd_rn(fma(x, side->turns, -high), __dmul_rn(x, side->turns_rest));
    sincospi(high - 2 * rint(0.5 * high), &s, &c);
    return make_double2(c - rest * s, s + rest * c);
}

/* Bluestein's w_j = exp(pi i j^2 / h), 0 <= j < 2 h, h <= 2^30 */
static __device__ __forceinline__ double2 armilla_ring_chirp(int64_t j, int64_t h)
{
    return armilla_ring_root(armilla_ring_modulo(j * j, 2 * h), h);
}

/* Numbers of a part, h. A division would be a call of a hundred instructions. */
static __device__ __forceinline__ int64_t armilla_ring_part(const armilla_cuda_ring_slot &slot)
{
    return slot.parts == 1 ? slot.n : slot.n / 4;
}

/* Bluestein's numbers q of a part are -reach ... reach. */
static __device__ __forceinline__ int64_t armilla_ring_reach(const armilla_cuda_ring_slot &slot)
{
    const int64_t half = armilla_ring_part(slot) / 2;
    const int64_t orders = slot.parts == 1 ? slot.limit : (slot.limit + 3) / 4;
    return orders < half ? orders : half;
}

/* The place in a part's data of number d >= 0, or of -d. */
static __device__ __forceinline__ int64_t armilla_ring_place(const armilla_cuda_ring_slot &slot,
                                                             int64_t d, int is_negative)
{
    return is_negative && d > 0 ? slot.length - d : d;
}

/* Where numbers of a slot's parts find Bluestein's chirp w_j, or 1, and exp(2 pi i j / n): made
 * where they are needed, or kept behind the slot's filter. */
struct armilla_ring_made_turns {
    __device__ __forceinline__ int chirped(const armilla_cuda_ring_slot &slot) const
    {
        return slot.flags & ARMILLA_CUDA_RING_CHIRPED;
    }
    __device__ __forceinline__ double2 chirp(const armilla_cuda_ring_slot &slot, int64_t h,
                                             int64_t j) const
    {
        return chirped(slot) ? armilla_ring_chirp(j, h) : make_double2(1, 0);
    }
    __device__ __forceinline__ double2 root(const armilla_cuda_ring_slot &slot, int64_t j) const
    {
        return armilla_ring_root(2 * j, slot.n);
    }
};

template <typename COMPLEX> struct armilla_ring_kept_turns {
    const COMPLEX *filters;
    __device__ __forceinline__ int chirped(const armilla_cuda_ring_slot & /*slot*/) const
    {
        return 1;
    }
    __device__ __forceinline__ COMPLEX chirp(const armilla_cuda_ring_slot &slot, int64_t /*h*/,
                                             int64_t j) const
    {
        return __ldg(&filters[slot.filter + slot.padded + j]);
    }
    __device__ __forceinline__ COMPLEX root(const armilla_cuda_ring_slot &slot, int64_t j) const
    {
        return __ldg(&filters[slot.filter + slot.padded + slot.n / 4 + j]);
    }
};

/* Number i of a filter: conj(w_d) at d modulo `length`, where d = j - q is from -reach to
 * h - 1 + reach. Half of `length` - h, the most that a reach may be, divides the two; zeros where
 * not even reach = h / 2 comes. The FFTs of a convolution leave a factor `length`. */
static __device__ __forceinline__ double2
armilla_ring_filter_value(const armilla_cuda_ring_filter &filter, int64_t i)
{
    const int64_t h = filter.h, room = (filter.length - h) / 2;
    const int is_negative = i >= filter.length - room;
    const int64_t d = is_negative ? filter.length - i : i;
    if (d >= (is_negative ? h / 2 + 1 : h / 2 + h)) return make_double2(0, 0);
    const double2 chirp = armilla_ring_chirp(d, h);
    const double scale = 1 / (double)filter.length;
    return make_double2(scale * chirp.x, -scale * chirp.y);
}

#endif
