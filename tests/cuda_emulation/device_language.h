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

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)

/* Of the thread that runs now: all fibers share one thread of the host, and a switch sets these. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
static const int warpSize = 32;

namespace emulation
{
enum class meeting { block, warp, shuffle, any, all, ballot };

struct place {
    const char *file;
    int line;
};

/* Waits for the threads that take part, and gives what the operation gives this one: `value` of
 * lane `source` (shuffles) or the votes of the mask. */
uint64_t meet(meeting kind, place where, unsigned mask, uint64_t value = 0, int source = 0);
void meet_block(place where);
unsigned *shared_memory();

/* The lane that a shuffle reads: this one where another part of the warp would be read. */
int lane_numbered(int number, int width);
int lane_crossed(int bits, int width);
int lane_shifted(int delta, int width);

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

/* --- Launches -------------------------------------------------------------------------------- */

struct argument {
    const void *bytes;
    size_t size;
};

struct launch {
    const void *function;
    const char *name;
    const char *from; /* the function that launches, with the values of template arguments */
    place where;
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};

/* Checks the configuration and the arguments, and puts the kernel on the stream. */
void enqueue(const launch &what, const argument *arguments, int count,
             const std::function<void()> &thread);

template <typename... P, typename... A> void start(void (*kernel)(P...), launch what, A &&...values)
{
    std::tuple<typename std::decay<P>::type...> parameters(static_cast<P>(values)...);
    std::apply(
        [&](const auto &...p) {
            const argument arguments[] = {{&p, sizeof p}..., {nullptr, 0}};
            what.function = reinterpret_cast<const void *>(kernel);
            enqueue(what, arguments, sizeof...(P), [=] { kernel(p...); });
        },
        parameters);
}
} // namespace emulation

#define ARMILLA_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                         \
    emulation::start(kernel,                                                                       \
                     emulation::launch{nullptr,                                                    \
                                       #kernel,                                                    \
                                       __PRETTY_FUNCTION__,                                        \
                                       {__FILE__, __LINE__},                                       \
                                       dim3(blocks),                                               \
                                       dim3(threads),                                              \
                                       (size_t)(shared_bytes),                                     \
                                       stream},                                                    \
                     __VA_ARGS__)
#define ARMILLA_SHARED(type, name) type *name = reinterpret_cast<type *>(emulation::shared_memory())

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
inline float4 make_float4(float x, float y, float z, float w)
{
    return float4{x, y, z, w};
}
/* A product that is rounded by itself, whatever the compiler may fuse. */
inline float __fmul_rn(float a, float b)
{
    const volatile float product = a * b;
    return product;
}
template <typename T> inline T min(T a, T b)
{
    return b < a ? b : a;
}
template <typename T> inline T max(T a, T b)
{
    return a < b ? b : a;
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
