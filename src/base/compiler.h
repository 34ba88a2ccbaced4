/* The only place for GNU extensions: attributes, builtins, alignment. */
#ifndef ARMILLA_BASE_COMPILER_H
#define ARMILLA_BASE_COMPILER_H

/* C's restrict, which C++ (CUDA) has under another name */
#ifdef __cplusplus
#define ARMILLA_RESTRICT __restrict__
#else
#define ARMILLA_RESTRICT restrict
#endif

#if defined(__GNUC__)
#define ARMILLA_PRINTF(format_index, first_argument)                                               \
    __attribute__((format(printf, format_index, first_argument)))
#ifdef __CUDACC__
#define ARMILLA_ALWAYS_INLINE static __device__ __forceinline__
#else
#define ARMILLA_ALWAYS_INLINE static inline __attribute__((always_inline))
#endif
#define ARMILLA_NOINLINE __attribute__((noinline))
/* For functions that are seldom called: kept out of the code of their callers */
#define ARMILLA_RARE                    static __attribute__((noinline, unused))
#define ARMILLA_LIKELY(x)               __builtin_expect(!!(x), 1)
#define ARMILLA_UNLIKELY(x)             __builtin_expect(!!(x), 0)
#define ARMILLA_PREFETCH(address)       __builtin_prefetch(address)
#define ARMILLA_PREFETCH_WRITE(address) __builtin_prefetch(address, 1)
#define ARMILLA_TRAP()                  __builtin_trap() /* ends the process: cannot be reached */
#else
#define ARMILLA_PRINTF(format_index, first_argument)
#define ARMILLA_ALWAYS_INLINE static inline
#define ARMILLA_NOINLINE
#define ARMILLA_RARE                    static inline
#define ARMILLA_LIKELY(x)               (x)
#define ARMILLA_UNLIKELY(x)             (x)
#define ARMILLA_PREFETCH(address)       ((void)(address))
#define ARMILLA_PREFETCH_WRITE(address) ((void)(address))
#define ARMILLA_TRAP()                  ((void)0)
#endif

/* In a loop that waits for another thread: leaves the core to its other thread for a moment. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define ARMILLA_PAUSE() __builtin_ia32_pause()
#elif defined(__GNUC__) && defined(__aarch64__)
#define ARMILLA_PAUSE() __asm__ volatile("isb" ::: "memory")
#else
#define ARMILLA_PAUSE() ((void)0)
#endif

/* Bits of x86's register XCR0: which vector registers the system keeps for a program while others
 * run. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define ARMILLA_CPU_X86 1
#define ARMILLA_XGETBV(low, high)                                                                  \
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0)) /* only if CPUID has OSXSAVE */
#endif

/* sum += a b on vectors of AVX2. Where a loop needs all 16 registers, GCC else has each new sum in
 * another one than the old, and some on the stack. */
#if defined(__GNUC__) && defined(__AVX2__)
#define ARMILLA_ADD_PRODUCT(sum, a, b)                                                             \
    __asm__("vfmadd231pd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b))
#else
#define ARMILLA_ADD_PRODUCT(sum, a, b) ((sum) = _mm256_fmadd_pd((a), (b), (sum)))
#endif

/* Before a loop: its arrays do not overlap. */
#if defined(__clang__)
#define ARMILLA_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define ARMILLA_INDEPENDENT _Pragma("GCC ivdep")
#else
#define ARMILLA_INDEPENDENT
#endif

/* Before a loop with a constant number of turns, at most 32, that is to be none. GCC alone stops at
 * 16. */
#if defined(__clang__)
#define ARMILLA_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define ARMILLA_UNROLL _Pragma("GCC unroll 32")
#else
#define ARMILLA_UNROLL
#endif

/* Before a short loop whose control is much of it. */
#if defined(__clang__)
#define ARMILLA_UNROLL_TWICE _Pragma("clang loop unroll_count(2)")
#elif defined(__GNUC__)
#define ARMILLA_UNROLL_TWICE _Pragma("GCC unroll 2")
#else
#define ARMILLA_UNROLL_TWICE
#endif

/* GCC defines __SANITIZE_ADDRESS__, Clang answers __has_feature. */
#if defined(__SANITIZE_ADDRESS__)
#define ARMILLA_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARMILLA_ADDRESS_SANITIZER 1
#endif
#endif

/* Before a declaration: libarmilla_files (src/io and src/picture) calls this function of
 * libarmilla, which therefore exports it. It is no part of the API: no installed header declares
 * it, and both libraries come from one build. */
#if defined(__GNUC__)
#define ARMILLA_FOR_FILES __attribute__((visibility("default")))
#else
#define ARMILLA_FOR_FILES
#endif

/* Kernels are compiled once per instruction set: name_avx2, name_avx512, ... */
#ifdef ARMILLA_ISA_NAME
#define ARMILLA_JOIN2(a, b)  a##_##b
#define ARMILLA_JOIN(a, b)   ARMILLA_JOIN2(a, b)
#define ARMILLA_KERNEL(name) ARMILLA_JOIN(name, ARMILLA_ISA_NAME)
#endif

#endif
