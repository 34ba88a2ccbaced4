/* The only place for GNU extensions: attributes, builtins, alignment. */
#ifndef ARMILLA_BASE_COMPILER_H
#define ARMILLA_BASE_COMPILER_H

#if defined(__GNUC__)
#define ARMILLA_PRINTF(format_index, first_argument)                                               \
    __attribute__((format(printf, format_index, first_argument)))
#define ARMILLA_ALWAYS_INLINE static inline __attribute__((always_inline))
#define ARMILLA_NOINLINE      __attribute__((noinline))
#define ARMILLA_LIKELY(x)     __builtin_expect(!!(x), 1)
#define ARMILLA_UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define ARMILLA_UNUSED        __attribute__((unused))
#else
#define ARMILLA_PRINTF(format_index, first_argument)
#define ARMILLA_ALWAYS_INLINE static inline
#define ARMILLA_NOINLINE
#define ARMILLA_LIKELY(x)   (x)
#define ARMILLA_UNLIKELY(x) (x)
#define ARMILLA_UNUSED
#endif

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define ARMILLA_CPU_HAS(feature) (__builtin_cpu_supports(feature) != 0)
#define ARMILLA_CPU_X86          1
#endif

#endif
