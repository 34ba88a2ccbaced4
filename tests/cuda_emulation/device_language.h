/* What CUDA adds to C++ for kernels: indices, barriers, warp votes and shuffles, launches. Included
 * by cuda_runtime.h where the language is C++. The code of a kernel is ordinary C++ that a fiber
 * per thread runs; see block.cpp. */
#ifndef ARMILLA_CUDA_EMULATION_DEVICE_LANGUAGE_H
#define ARMILLA_CUDA_EMULATION_DEVICE_LANGUAGE_H

#include <cmath>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)

/* They belong to the thread that runs now: all fibers share one thread of the host, and a switch
 * sets these. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
static const int warpSize = 32;

namespace emulation
{
enum class meeting { block, warp, shuffle, any, all, ballot, product, tall_product, half_product };

struct place {
    const char *file;
    int line;
};

/* Waits for the threads that take part, and gives what the operation gives this one: `value` of
 * lane `source` (shuffles) or the votes of the mask. */
uint64_t meet(meeting kind, place where, unsigned mask, uint64_t value = 0, int source = 0);
void meet_block(place where);
unsigned *shared_memory();

extern int running_lane; /* of the thread that runs */

/* The lane that a shuffle reads: this one where another part of the warp would be read. */
inline int lane_numbered(int number, int width)
{
    return running_lane / width * width + (number & (width - 1));
}

inline int lane_crossed(int bits, int width)
{
    const int source = running_lane ^ bits;
    return source < running_lane / width * width + width ? source : running_lane;
}

inline int lane_shifted(int delta, int width)
{
    const int source = running_lane + delta, first = running_lane / width * width;
    return source >= first && source < first + width ? source : running_lane;
}

template <typename T> T shuffle(place where, unsigned mask, T value, int source)
{
    static_assert(sizeof(T) <= sizeof(uint64_t) && std::is_trivially_copyable<T>::value, "");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = meet(meeting::shuffle, where, mask, bits, source);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T>
T shuffle_to(place where, unsigned mask, T value, int source, int width = warpSize)
{
    return shuffle(where, mask, value, lane_numbered(source, width));
}

template <typename T>
T shuffle_xor(place where, unsigned mask, T value, int bits, int width = warpSize)
{
    return shuffle(where, mask, value, lane_crossed(bits, width));
}

template <typename T>
T shuffle_down(place where, unsigned mask, T value, int delta, int width = warpSize)
{
    return shuffle(where, mask, value, lane_shifted(delta, width));
}

template <typename T>
T shuffle_up(place where, unsigned mask, T value, int delta, int width = warpSize)
{
    return shuffle(where, mask, value, lane_shifted(-delta, width));
}

/* What a lane brings to a product of matrices: of each eight rows an entry of the left factor, and
 * two of the matrix that the product is added to; an entry of the right factor. */
struct fragment {
    const double *a;
    double b, *c;
};

/* A meeting of the warp, as mma.sync.aligned for doubles: c += a b. rows: 8 or 16, of m8n8k4 or
 * m16n8k4. */
void multiply_matrices(place where, int rows, const double *a, double b, double *c);
inline void multiply_matrices(place where, double a, double b, double *c)
{
    multiply_matrices(where, 8, &a, b, c);
}

/* --- Halves (halves.cpp) ---------------------------------------------------------------------- */

/* What a lane brings to a product of matrices of halves, two of them in a number. */
struct half_fragment {
    const uint32_t *a, *b;
    float *c;
};

/* A meeting of the warp, as mma.sync.aligned.m16n8k16 for halves with sums of floats: c += a b. */
void multiply_halves(place where, const uint32_t *a, const uint32_t *b, float *c);
void multiply_half_fragments(const half_fragment *const *of_lane);

uint32_t pack_halves(float low, float high);
float float_of_half(uint16_t bits);

/* ldmatrix.sync.aligned.m8n8.x4. turned: with .trans. */
inline void load_matrices(place where, bool turned, const void *row, uint32_t *to)
{
    const int q = running_lane / 4, r = running_lane % 4;
    for (int i = 0; i < 4; i++) {
        uint32_t two[2];
        for (int j = 0; j < 2; j++) {
            const int source = 8 * i + (turned ? 2 * r + j : q), place = turned ? q : 2 * r + j;
            const uint64_t address =
                shuffle(where, 0xffffffffu, reinterpret_cast<uint64_t>(row), source);
            const uint32_t word = reinterpret_cast<const uint32_t *>(address)[place / 2];
            two[j] = word >> 16 * (place % 2) & 0xffff;
        }
        to[i] = two[0] | two[1] << 16;
    }
}

/* --- Launches -------------------------------------------------------------------------------- */

struct launch {
    const void *function;
    const char *name;
    const char *from; /* the function that launches, with the values of template arguments */
    place where;
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    int device;
};

/* What a launch by address must know of a kernel. bind: what a thread runs, with copies of the
 * arguments. */
struct kernel_code {
    const char *name;
    std::vector<size_t> sizes; /* of the arguments */
    std::function<std::function<void()>(void **)> bind;
};

/* cudaLaunchKernelExC with a name and a place for messages. */
cudaError_t launch_at(const kernel_code &code, const char *from, place where,
                      const cudaLaunchConfig_t &config, const void *function, void **arguments);

template <typename... P, size_t... I>
std::function<void()> bind_thread(void (*kernel)(P...), void **arguments, std::index_sequence<I...>)
{
    const std::tuple<typename std::decay<P>::type...> copies(
        *static_cast<typename std::decay<P>::type *>(arguments[I])...);
    return [=] { std::apply(kernel, copies); };
}

template <typename... P, typename... A>
cudaError_t start(void (*kernel)(P...), const char *name, const char *from, place where,
                  const cudaLaunchConfig_t &config, A &&...values)
{
    std::tuple<typename std::decay<P>::type...> parameters(static_cast<P>(values)...);
    const kernel_code code = {
        name, {sizeof(typename std::decay<P>::type)...}, [=](void **arguments) {
            return bind_thread(kernel, arguments, std::index_sequence_for<P...>());
        }};
    return std::apply(
        [&](auto &...p) {
            void *addresses[] = {&p..., nullptr};
            return launch_at(code, from, where, config, reinterpret_cast<const void *>(kernel),
                             addresses);
        },
        parameters);
}
} // namespace emulation

#define ARMILLA_START(name, kernel, blocks, threads, shared_bytes, stream, ...)                    \
    emulation::start(kernel, name, __PRETTY_FUNCTION__, {__FILE__, __LINE__},                      \
                     cudaLaunchConfig_t{dim3(blocks), dim3(threads), (size_t)(shared_bytes),       \
                                        stream, nullptr, 0},                                       \
                     __VA_ARGS__)
#define ARMILLA_SHARED(type, name) type *name = reinterpret_cast<type *>(emulation::shared_memory())

#define ARMILLA_MULTIPLY_MATRICES(a, b, c) emulation::multiply_matrices(EMULATION_PLACE, a, b, c)

#define ARMILLA_MULTIPLY_TALL(a, b, c) emulation::multiply_matrices(EMULATION_PLACE, 16, a, b, c)

#define ARMILLA_MULTIPLY_HALVES(a, b, c) emulation::multiply_halves(EMULATION_PLACE, a, b, c)

#define ARMILLA_LOAD_ROWS(row, to) emulation::load_matrices(EMULATION_PLACE, false, row, to)

#define ARMILLA_LOAD_COLUMNS(row, to) emulation::load_matrices(EMULATION_PLACE, true, row, to)

#define ARMILLA_PACK_HALVES(low, high) emulation::pack_halves(low, high)
#define ARMILLA_LOW_HALF(bits)         emulation::float_of_half((uint16_t)(bits))
#define ARMILLA_HIGH_HALF(bits)        emulation::float_of_half((uint16_t)((bits) >> 16))

#define EMULATION_PLACE                                                                            \
    emulation::place                                                                               \
    {                                                                                              \
        __FILE__, __LINE__                                                                         \
    }
#define __syncthreads() emulation::meet_block(EMULATION_PLACE)
#define __syncwarp(...)                                                                            \
    emulation::meet(emulation::meeting::warp, EMULATION_PLACE, emulation::mask_or_full(__VA_ARGS__))
#define __shfl_sync(mask, ...)      emulation::shuffle_to(EMULATION_PLACE, mask, __VA_ARGS__)
#define __shfl_xor_sync(mask, ...)  emulation::shuffle_xor(EMULATION_PLACE, mask, __VA_ARGS__)
#define __shfl_down_sync(mask, ...) emulation::shuffle_down(EMULATION_PLACE, mask, __VA_ARGS__)
#define __shfl_up_sync(mask, ...)   emulation::shuffle_up(EMULATION_PLACE, mask, __VA_ARGS__)
#define EMULATION_VOTE(kind, mask, predicate)                                                      \
    emulation::meet(emulation::meeting::kind, EMULATION_PLACE, mask, (predicate) ? 1 : 0)
#define __any_sync(mask, predicate)    ((int)EMULATION_VOTE(any, mask, predicate))
#define __all_sync(mask, predicate)    ((int)EMULATION_VOTE(all, mask, predicate))
#define __ballot_sync(mask, predicate) ((unsigned)EMULATION_VOTE(ballot, mask, predicate))

namespace emulation
{
inline unsigned mask_or_full(unsigned mask = 0xffffffffu)
{
    return mask;
}
} // namespace emulation

/* --- Functions ------------------------------------------------------------------------------- */

template <typename T> inline T __ldg(const T *pointer)
{
    return *pointer;
}
/* A macro, so that the recorder sees the kernel's own line. */
#define __stwb(pointer, value) (*(pointer) = (value))
inline double2 make_double2(double x, double y)
{
    return double2{x, y};
}
inline double4 make_double4(double x, double y, double z, double w)
{
    return double4{x, y, z, w};
}
inline float2 make_float2(float x, float y)
{
    return float2{x, y};
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}
inline float4 make_float4(float x, float y, float z, float w)
{
    return float4{x, y, z, w};
}
/* Products and sums that are rounded by themselves, whatever the compiler may fuse. */
inline float __fmul_rn(float a, float b)
{
    const volatile float product = a * b;
    return product;
}
inline double __dmul_rn(double a, double b)
{
    const volatile double product = a * b;
    return product;
}
inline double __dadd_rn(double a, double b)
{
    const volatile double first = a;
    return first + b;
}
template <typename T> inline T min(T a, T b)
{
    return b < a ? b : a;
}
template <typename T> inline T max(T a, T b)
{
    return a < b ? b : a;
}

inline int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}

/* The halves of a double, and a double of two halves. */
inline int __double2hiint(double x)
{
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 32);
}
inline int __double2loint(double x)
{
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return (int)(bits & 0xffffffffu);
}
inline double __hiloint2double(int high, int low)
{
    const uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
/* Ticks of a clock that nobody reads the time from: one at each call. */
namespace emulation
{
long long tick();
}
inline long long clock64()
{
    return emulation::tick();
}

/* sin and cos of pi x: CUDA's, which some C libraries declare as well. */
namespace emulation
{
void sincos_pi(double x, double *sine, double *cosine);
}
inline void sincospi(double x, double *sine, double *cosine)
{
    emulation::sincos_pi(x, sine, cosine);
}
inline double emulation_sinpi(double x)
{
    double sine, cosine;
    emulation::sincos_pi(x, &sine, &cosine);
    return sine;
}
inline double emulation_cospi(double x)
{
    double sine, cosine;
    emulation::sincos_pi(x, &sine, &cosine);
    return cosine;
}
#define sinpi emulation_sinpi
#define cospi emulation_cospi

using std::fma;
#endif
