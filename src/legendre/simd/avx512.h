/* Vocabulary of the kernels: AVX-512 (F, DQ, VL). See simd.h for the meaning of each name. */
#ifdef ARMILLA_EMULATE_AVX512
#include "legendre/simd/avx512_emulated.h"
#else
#include <immintrin.h>
#endif

#define REGISTERS                32
#define GROUP_VECTORS            4
#define SYNTHESIS_VECTORS        4
#define ANALYSIS_VECTORS         4
#define SYNTHESIS_VECTORS_OF_TWO 2
#define ANALYSIS_VECTORS_OF_TWO  0
#define SETS_VECTORS             5
#define SPIN_VECTORS             2
#define ROTATION_VECTORS         4
#define QUADS                    2
#define MATRIX_VECTORS           4
#define MATRIX_VECTORS_OF_TWO    3

typedef __m512d vec;
typedef __mmask8 vmask;
enum { VLEN = 8 };

#include "legendre/simd/quads256.h"

ARMILLA_ALWAYS_INLINE quad q_fma_sum(quad a, quad b, quad c)
{
    return _mm256_fmadd_pd(a, b, c);
}

ARMILLA_ALWAYS_INLINE vec v_load(const double *p)
{
    return _mm512_load_pd(p);
}
ARMILLA_ALWAYS_INLINE void v_store(double *p, vec a)
{
    _mm512_store_pd(p, a);
}
ARMILLA_ALWAYS_INLINE vec v_all(double a)
{
    return _mm512_set1_pd(a);
}
ARMILLA_ALWAYS_INLINE vec v_add(vec a, vec b)
{
    return _mm512_add_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_sub(vec a, vec b)
{
    return _mm512_sub_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_mul(vec a, vec b)
{
    return _mm512_mul_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_fma(vec a, vec b, vec c)
{
    return _mm512_fmadd_pd(a, b, c);
}
ARMILLA_ALWAYS_INLINE vec v_fnma(vec a, vec b, vec c)
{
    return _mm512_fnmadd_pd(a, b, c);
}
ARMILLA_ALWAYS_INLINE vec v_sqrt(vec a)
{
    return _mm512_sqrt_pd(a);
}
ARMILLA_ALWAYS_INLINE vec v_div(vec a, vec b)
{
    return _mm512_div_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_min(vec a, vec b)
{
    return _mm512_min_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vmask v_larger(vec a, double bound) /* |a| > bound */
{
    return _mm512_cmp_pd_mask(_mm512_abs_pd(a), _mm512_set1_pd(bound), _CMP_GT_OQ);
}
ARMILLA_ALWAYS_INLINE vmask v_negative(vec a) /* a < 0 */
{
    return _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_LT_OQ);
}
ARMILLA_ALWAYS_INLINE vec v_select(vmask m, vec yes, vec no)
{
    return _mm512_mask_blend_pd(m, no, yes);
}
ARMILLA_ALWAYS_INLINE int v_lanes(vmask m) /* one bit per lane */
{
    return (int)m;
}
ARMILLA_ALWAYS_INLINE vec v_exp2(vec shifted) /* see simd.h */
{
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_castpd_si512(shifted), 52));
}
ARMILLA_ALWAYS_INLINE vec v_reversed(vec a)
{
    return _mm512_permutexvar_pd(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), a);
}
/* a b a b a b a b: sums over neighbouring lanes, by one permutation, for those all go through one
 * port */
ARMILLA_ALWAYS_INLINE vec v_add_neighbours(vec a, vec b)
{
    return _mm512_add_pd(_mm512_mask_blend_pd(0xaa, a, b), _mm512_shuffle_pd(a, b, 0x55));
}
/* sums of the first two and of the last two quarters of a, then of b */
ARMILLA_ALWAYS_INLINE vec v_add_quarters(vec a, vec b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
}
/* sums over lanes of v[0], ..., v[7] -> p[0..7] */
ARMILLA_ALWAYS_INLINE void v_reduce8(double *p, const vec v[8])
{
    vec low = v_add_quarters(v_add_neighbours(v[0], v[1]), v_add_neighbours(v[2], v[3]));
    vec high = v_add_quarters(v_add_neighbours(v[4], v[5]), v_add_neighbours(v[6], v[7]));
    _mm512_storeu_pd(p, v_add_quarters(low, high));
}
/* sums of the first and last four lanes of a, of b: two vectors one behind the other, without a
 * permutation */
ARMILLA_ALWAYS_INLINE vec v_add_halves(const double *ab)
{
    const vec outer = _mm512_mask_loadu_pd(_mm512_load_pd(ab), 0xf0, ab + 8);
    return _mm512_add_pd(outer, _mm512_loadu_pd(ab + 4));
}
#define OWN_REDUCE8_OF 1
ARMILLA_ALWAYS_INLINE void v_reduce8_of(double *p, const double *from)
{
    const __m512i first = _mm512_set_epi64(13, 9, 12, 8, 5, 1, 4, 0);
    const __m512i next = _mm512_set_epi64(15, 11, 14, 10, 7, 3, 6, 2);
    const vec low = v_add_neighbours(v_add_halves(from), v_add_halves(from + 16));
    const vec high = v_add_neighbours(v_add_halves(from + 32), v_add_halves(from + 48));
    _mm512_storeu_pd(p, _mm512_add_pd(_mm512_permutex2var_pd(low, first, high),
                                      _mm512_permutex2var_pd(low, next, high)));
}
/* p[4 lane + i] = i-th vector's lane. Whole vectors, so that they can be loaded again at once. */
ARMILLA_ALWAYS_INLINE void v_store4(double *p, vec a, vec b, vec c, vec d)
{
    __m512d ab0 = _mm512_shuffle_f64x2(a, b, 0x44), ab1 = _mm512_shuffle_f64x2(a, b, 0xee);
    __m512d cd0 = _mm512_shuffle_f64x2(c, d, 0x44), cd1 = _mm512_shuffle_f64x2(c, d, 0xee);
    const __m512i low = _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0);
    const __m512i high = _mm512_set_epi64(15, 11, 7, 3, 14, 10, 6, 2);
    _mm512_storeu_pd(p, _mm512_permutex2var_pd(ab0, low, cd0));
    _mm512_storeu_pd(p + 8, _mm512_permutex2var_pd(ab0, high, cd0));
    _mm512_storeu_pd(p + 16, _mm512_permutex2var_pd(ab1, low, cd1));
    _mm512_storeu_pd(p + 24, _mm512_permutex2var_pd(ab1, high, cd1));
}
/* the inverse of v_store4 */
ARMILLA_ALWAYS_INLINE void v_load4(const double *p, vec *a, vec *b, vec *c, vec *d)
{
    __m512d p0 = _mm512_loadu_pd(p), p1 = _mm512_loadu_pd(p + 8);
    __m512d p2 = _mm512_loadu_pd(p + 16), p3 = _mm512_loadu_pd(p + 24);
    const __m512i even = _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0); /* a a a a b b b b */
    const __m512i odd = _mm512_set_epi64(15, 11, 7, 3, 14, 10, 6, 2);
    __m512d ab0 = _mm512_permutex2var_pd(p0, even, p1), cd0 = _mm512_permutex2var_pd(p0, odd, p1);
    __m512d ab1 = _mm512_permutex2var_pd(p2, even, p3), cd1 = _mm512_permutex2var_pd(p2, odd, p3);
    *a = _mm512_shuffle_f64x2(ab0, ab1, 0x44), *b = _mm512_shuffle_f64x2(ab0, ab1, 0xee);
    *c = _mm512_shuffle_f64x2(cd0, cd1, 0x44), *d = _mm512_shuffle_f64x2(cd0, cd1, 0xee);
}
ARMILLA_ALWAYS_INLINE vec v_load_any(const double *p)
{
    return _mm512_loadu_pd(p);
}
#define OWN_STREAM 1
ARMILLA_ALWAYS_INLINE void v_stream(double *p, vec a)
{
    _mm512_stream_pd(p, a);
}
ARMILLA_ALWAYS_INLINE void v_stream_end(void)
{
    _mm_sfence();
}
ARMILLA_ALWAYS_INLINE void v_store_any(double *p, vec a)
{
    _mm512_storeu_pd(p, a);
}
ARMILLA_ALWAYS_INLINE vmask v_some(int64_t first, int64_t end)
{
    return (vmask)((1u << end) - (1u << first));
}
ARMILLA_ALWAYS_INLINE vec v_load_some(const double *p, vmask m)
{
    return _mm512_maskz_loadu_pd(m, p);
}
ARMILLA_ALWAYS_INLINE void v_store_some(double *p, vmask m, vec a)
{
    _mm512_mask_storeu_pd(p, m, a);
}
ARMILLA_ALWAYS_INLINE vec v_quads_of_pairs(const double *p)
{
    return _mm512_permutexvar_pd(_mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0),
                                 _mm512_castpd256_pd512(_mm256_loadu_pd(p)));
}
ARMILLA_ALWAYS_INLINE vec v_quads_swapped(vec a)
{
    return _mm512_shuffle_f64x2(a, a, 0xb1);
}
ARMILLA_ALWAYS_INLINE vec v_sides(vec a)
{
    return v_fma(a, _mm512_set_pd(-1, -1, 1, 1, -1, -1, 1, 1), v_quads_swapped(a));
}
ARMILLA_ALWAYS_INLINE vec v_pairs_swapped(vec a)
{
    return _mm512_permute_pd(a, 0x55);
}
ARMILLA_ALWAYS_INLINE vec v_load_quads(const double *p, int64_t far)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p)), _mm256_loadu_pd(p + far),
                              1);
}
ARMILLA_ALWAYS_INLINE void v_store_quads(double *p, int64_t far, vec a)
{
    _mm256_store_pd(p, _mm512_castpd512_pd256(a));
    _mm256_store_pd(p + far, _mm512_extractf64x4_pd(a, 1));
}
ARMILLA_ALWAYS_INLINE vec v_quads_of_halves(const double *p)
{
    return _mm512_maskz_permutexvar_pd(0x33, _mm512_set_epi64(0, 0, 1, 1, 0, 0, 0, 0),
                                       _mm512_castpd128_pd512(_mm_loadu_pd(p)));
}
/* complex numbers at p[0] + place, ..., p[3] + place: in lanes 0 to 3, again in lanes 4 to 7 */
ARMILLA_ALWAYS_INLINE void v_load_rows(const double *const p[4], int64_t place, vec *re, vec *im)
{
    __m256d p01 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p[0] + place)),
                                       _mm_loadu_pd(p[1] + place), 1);
    __m256d p23 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p[2] + place)),
                                       _mm_loadu_pd(p[3] + place), 1);
    __m512d all = _mm512_insertf64x4(_mm512_castpd256_pd512(p01), p23, 1);
    *re = _mm512_permutexvar_pd(_mm512_set_epi64(6, 4, 2, 0, 6, 4, 2, 0), all);
    *im = _mm512_permutexvar_pd(_mm512_set_epi64(7, 5, 3, 1, 7, 5, 3, 1), all);
}
/* four complex numbers: sums of lanes 0 and 4, 1 and 5, ... */
ARMILLA_ALWAYS_INLINE void v_store_rows(double *p, vec re, vec im)
{
    const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    _mm512_storeu_pd(p, _mm512_add_pd(_mm512_permutex2var_pd(re, low, im),
                                      _mm512_permutex2var_pd(re, high, im)));
}
/* complex numbers to p[0] + place, ..., p[7] + place */
ARMILLA_ALWAYS_INLINE void v_spread_rows(double *const p[8], int64_t place, vec re, vec im)
{
    double numbers[16];
    _mm512_storeu_pd(numbers, _mm512_unpacklo_pd(re, im));
    _mm512_storeu_pd(numbers + 8, _mm512_unpackhi_pd(re, im));
    for (int i = 0; i < 8; i++)
        _mm_storeu_pd(p[i] + place, _mm_loadu_pd(numbers + i / 2 * 2 + i % 2 * 8));
}
/* lanes 0, 2, 4, 6 of eight vectors, or 1, 3, 5, 7, from pairs of neighbours in turns */
ARMILLA_ALWAYS_INLINE void v_transpose_half(vec v01, vec v23, vec v45, vec v67, vec *to)
{
    vec low = _mm512_shuffle_f64x2(v01, v23, 0x88), high = _mm512_shuffle_f64x2(v45, v67, 0x88);
    to[0] = _mm512_shuffle_f64x2(low, high, 0x88), to[4] = _mm512_shuffle_f64x2(low, high, 0xdd);
    low = _mm512_shuffle_f64x2(v01, v23, 0xdd), high = _mm512_shuffle_f64x2(v45, v67, 0xdd);
    to[2] = _mm512_shuffle_f64x2(low, high, 0x88), to[6] = _mm512_shuffle_f64x2(low, high, 0xdd);
}
ARMILLA_ALWAYS_INLINE void v_transpose(vec v[8])
{
    vec low[4], high[4];
    for (int i = 0; i < 4; i++) {
        low[i] = _mm512_unpacklo_pd(v[2 * i], v[2 * i + 1]);
        high[i] = _mm512_unpackhi_pd(v[2 * i], v[2 * i + 1]);
    }
    v_transpose_half(low[0], low[1], low[2], low[3], v);
    v_transpose_half(high[0], high[1], high[2], high[3], v + 1);
}
/* re[i], im[i] = p[2 i], p[2 i + 1] */
ARMILLA_ALWAYS_INLINE void v_load2(const double *p, vec *re, vec *im)
{
    __m512d a = _mm512_loadu_pd(p), b = _mm512_loadu_pd(p + 8);
    *re = _mm512_permutex2var_pd(a, _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0), b);
    *im = _mm512_permutex2var_pd(a, _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1), b);
}
ARMILLA_ALWAYS_INLINE void v_store2(double *p, vec re, vec im)
{
    const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    _mm512_storeu_pd(p, _mm512_permutex2var_pd(re, low, im));
    _mm512_storeu_pd(p + 8, _mm512_permutex2var_pd(re, high, im));
}
#define OWN_HALVES 1
ARMILLA_ALWAYS_INLINE void v_load_halves(const double *p, vec *re, vec *im)
{
    __m512d a = _mm512_loadu_pd(p), b = _mm512_loadu_pd(p + 8);
    *re = _mm512_permutex2var_pd(a, _mm512_set_epi64(14, 10, 6, 2, 12, 8, 4, 0), b);
    *im = _mm512_permutex2var_pd(a, _mm512_set_epi64(15, 11, 7, 3, 13, 9, 5, 1), b);
}
ARMILLA_ALWAYS_INLINE void mix_halves(vec *re, vec *im)
{
    const __m512i low = _mm512_set_epi64(13, 5, 9, 1, 12, 4, 8, 0);
    const __m512i high = _mm512_set_epi64(15, 7, 11, 3, 14, 6, 10, 2);
    const vec first = _mm512_permutex2var_pd(*re, low, *im);
    *im = _mm512_permutex2var_pd(*re, high, *im), *re = first;
}
ARMILLA_ALWAYS_INLINE void v_store_halves(double *p, vec re, vec im)
{
    mix_halves(&re, &im);
    _mm512_storeu_pd(p, re), _mm512_storeu_pd(p + 8, im);
}
ARMILLA_ALWAYS_INLINE void v_stream_halves(double *p, vec re, vec im)
{
    mix_halves(&re, &im);
    v_stream(p, re), v_stream(p + 8, im);
}
ARMILLA_ALWAYS_INLINE void v_store_mirrored(double *p, double *q, vec a)
{
    _mm256_storeu_pd(p, _mm512_castpd512_pd256(a));
    _mm256_storeu_pd(q - 3, _mm256_permute4x64_pd(_mm512_extractf64x4_pd(a, 1), 0x1b));
}
ARMILLA_ALWAYS_INLINE vec v_load_mirrored(const double *p, const double *q)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p)),
                              _mm256_permute4x64_pd(_mm256_loadu_pd(q - 3), 0x1b), 1);
}
ARMILLA_ALWAYS_INLINE void v_store_mirrored_two(double *p, double *q, vec a, vec b)
{
    _mm512_storeu_pd(p, _mm512_shuffle_f64x2(a, b, 0x44));
    _mm512_storeu_pd(q - 7, v_reversed(_mm512_shuffle_f64x2(a, b, 0xee)));
}
ARMILLA_ALWAYS_INLINE void v_load_mirrored_two(const double *p, const double *q, vec *a, vec *b)
{
    const vec north = _mm512_loadu_pd(p), south = v_reversed(_mm512_loadu_pd(q - 7));
    *a = _mm512_shuffle_f64x2(north, south, 0x44);
    *b = _mm512_shuffle_f64x2(north, south, 0xee);
}
