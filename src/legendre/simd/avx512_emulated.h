/* The intrinsics of AVX-512 that avx512.h uses, for processors that have AVX2: SIMDe
 * (https://github.com/simd-everywhere/simde) has most of them, and the others are here. For tests
 * of what those kernels compute (`make test-avx512`); of speed they say nothing. */
#ifndef ARMILLA_LEGENDRE_SIMD_AVX512_EMULATED_H
#define ARMILLA_LEGENDRE_SIMD_AVX512_EMULATED_H

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>

#include <string.h>

/* double i of the result is number from[i] of a, or number from[i] - 8 of b */
static inline __m512d emulated_choose(__m512d a, __m512d b, const int from[8])
{
    double in[16], out[8];
    memcpy(in, &a, sizeof a), memcpy(in + 8, &b, sizeof b);
    for (int i = 0; i < 8; i++) out[i] = in[from[i]];
    memcpy(&a, out, sizeof a);
    return a;
}

static inline __m512d emulated_shuffle_f64x2(__m512d a, __m512d b, int control)
{
    int from[8];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            from[2 * i + j] = (i < 2 ? 0 : 8) + 2 * (control >> 2 * i & 3) + j;
    return emulated_choose(a, b, from);
}

static inline __m512d emulated_shuffle(__m512d a, __m512d b, int control)
{
    int from[8];
    for (int i = 0; i < 8; i++) from[i] = (i % 2 ? 8 : 0) + i / 2 * 2 + (control >> i & 1);
    return emulated_choose(a, b, from);
}

static inline __m512d emulated_mask_loadu(__m512d a, __mmask8 mask, const double *p)
{
    double lanes[8];
    memcpy(lanes, &a, sizeof a);
    for (int i = 0; i < 8; i++)
        if (mask >> i & 1) lanes[i] = p[i];
    return _mm512_loadu_pd(lanes);
}

static inline void emulated_mask_storeu(double *p, __mmask8 mask, __m512d a)
{
    double lanes[8];
    memcpy(lanes, &a, sizeof a);
    for (int i = 0; i < 8; i++)
        if (mask >> i & 1) p[i] = lanes[i];
}

#undef _mm512_shuffle_f64x2
#undef _mm512_shuffle_pd
#undef _mm512_permute_pd
#undef _mm512_stream_pd
#undef _mm512_mask_loadu_pd
#undef _mm512_maskz_loadu_pd
#undef _mm512_mask_storeu_pd
#define _mm512_shuffle_f64x2(a, b, control) emulated_shuffle_f64x2(a, b, control)
#define _mm512_shuffle_pd(a, b, control)    emulated_shuffle(a, b, control)
#define _mm512_permute_pd(a, control)       emulated_shuffle(a, a, control)
#define _mm512_stream_pd(to, a)             _mm512_store_pd(to, a)
#define _mm512_mask_loadu_pd(a, mask, p)    emulated_mask_loadu(a, mask, p)
#define _mm512_maskz_loadu_pd(mask, p)      emulated_mask_loadu(_mm512_setzero_pd(), mask, p)
#define _mm512_mask_storeu_pd(p, mask, a)   emulated_mask_storeu(p, mask, a)

#endif
