/* Vocabulary of the kernels: AVX2 with FMA. See simd.h for the meaning of each name. */
#include <immintrin.h>

/* Synthesis by three needs 21 values, by two 14; analysis has its values in memory. What came of
 * it: docs/results/epyc_zen4.md, "What Zen 4 is bound by". */
#define REGISTERS                16
#define GROUP_VECTORS            3
#define SYNTHESIS_VECTORS        2
#define ANALYSIS_VECTORS         3
#define SYNTHESIS_VECTORS_OF_TWO 0
#define ANALYSIS_VECTORS_OF_TWO  0
#define SETS_VECTORS             3
#define SPIN_VECTORS             2
#define ROTATION_VECTORS         3
#define QUADS                    1
#define MATRIX_VECTORS           3
#define MATRIX_VECTORS_OF_TWO    0

typedef __m256d vec;
typedef __m256d vmask;
enum { VLEN = 4 };

#include "legendre/simd/quads256.h"

ARMILLA_ALWAYS_INLINE quad q_fma_sum(quad a, quad b, quad c)
{
    ARMILLA_ADD_PRODUCT(c, a, b);
    return c;
}

ARMILLA_ALWAYS_INLINE vec v_load(const double *p)
{
    return _mm256_load_pd(p);
}
ARMILLA_ALWAYS_INLINE void v_store(double *p, vec a)
{
    _mm256_store_pd(p, a);
}
ARMILLA_ALWAYS_INLINE vec v_all(double a)
{
    return _mm256_set1_pd(a);
}
ARMILLA_ALWAYS_INLINE vec v_add(vec a, vec b)
{
    return _mm256_add_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_sub(vec a, vec b)
{
    return _mm256_sub_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_mul(vec a, vec b)
{
    return _mm256_mul_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_pd(a, b, c);
}
#define OWN_FMA_SUM 1
ARMILLA_ALWAYS_INLINE vec v_fma_sum(vec a, vec b, vec c)
{
    ARMILLA_ADD_PRODUCT(c, a, b);
    return c;
}
ARMILLA_ALWAYS_INLINE vec v_fnma(vec a, vec b, vec c)
{
    return _mm256_fnmadd_pd(a, b, c);
}
ARMILLA_ALWAYS_INLINE vec v_sqrt(vec a)
{
    return _mm256_sqrt_pd(a);
}
ARMILLA_ALWAYS_INLINE vec v_div(vec a, vec b)
{
    return _mm256_div_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_min(vec a, vec b)
{
    return _mm256_min_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vmask v_larger(vec a, double bound)
{
    vec magnitude = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
    return _mm256_cmp_pd(magnitude, _mm256_set1_pd(bound), _CMP_GT_OQ);
}
ARMILLA_ALWAYS_INLINE vmask v_negative(vec a)
{
    return _mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_LT_OQ);
}
ARMILLA_ALWAYS_INLINE vec v_select(vmask m, vec yes, vec no)
{
    return _mm256_blendv_pd(no, yes, m);
}
ARMILLA_ALWAYS_INLINE int v_lanes(vmask m)
{
    return _mm256_movemask_pd(m);
}
ARMILLA_ALWAYS_INLINE vec v_exp2(vec shifted)
{
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(shifted), 52));
}
ARMILLA_ALWAYS_INLINE vec v_reversed(vec a)
{
    return _mm256_permute4x64_pd(a, 0x1b);
}
ARMILLA_ALWAYS_INLINE void v_reduce4(double *p, vec a, vec b, vec c, vec d)
{
    vec ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    vec low = _mm256_permute2f128_pd(ab, cd, 0x20), high = _mm256_permute2f128_pd(ab, cd, 0x31);
    _mm256_storeu_pd(p, _mm256_add_pd(low, high));
}
ARMILLA_ALWAYS_INLINE void v_store4(double *p, vec a, vec b, vec c, vec d)
{
    vec ab0 = _mm256_unpacklo_pd(a, b), ab1 = _mm256_unpackhi_pd(a, b);
    vec cd0 = _mm256_unpacklo_pd(c, d), cd1 = _mm256_unpackhi_pd(c, d);
    _mm256_storeu_pd(p, _mm256_permute2f128_pd(ab0, cd0, 0x20));
    _mm256_storeu_pd(p + 4, _mm256_permute2f128_pd(ab1, cd1, 0x20));
    _mm256_storeu_pd(p + 8, _mm256_permute2f128_pd(ab0, cd0, 0x31));
    _mm256_storeu_pd(p + 12, _mm256_permute2f128_pd(ab1, cd1, 0x31));
}
/* the inverse of v_store4 */
ARMILLA_ALWAYS_INLINE void v_load4(const double *p, vec *a, vec *b, vec *c, vec *d)
{
    vec p0 = _mm256_loadu_pd(p), p1 = _mm256_loadu_pd(p + 4);
    vec p2 = _mm256_loadu_pd(p + 8), p3 = _mm256_loadu_pd(p + 12);
    vec l02 = _mm256_permute2f128_pd(p0, p2, 0x20), l13 = _mm256_permute2f128_pd(p1, p3, 0x20);
    vec h02 = _mm256_permute2f128_pd(p0, p2, 0x31), h13 = _mm256_permute2f128_pd(p1, p3, 0x31);
    *a = _mm256_unpacklo_pd(l02, l13), *b = _mm256_unpackhi_pd(l02, l13);
    *c = _mm256_unpacklo_pd(h02, h13), *d = _mm256_unpackhi_pd(h02, h13);
}
/* sums over lanes of v[0], ..., v[7] -> p[0..7] */
ARMILLA_ALWAYS_INLINE void v_reduce8(double *p, const vec v[8])
{
    v_reduce4(p, v[0], v[1], v[2], v[3]);
    v_reduce4(p + 4, v[4], v[5], v[6], v[7]);
}
/* sums of the first and last two lanes of a, of b: two vectors one behind the other */
ARMILLA_ALWAYS_INLINE vec v_add_halves(const double *ab)
{
    const vec outer = _mm256_blend_pd(_mm256_load_pd(ab), _mm256_load_pd(ab + 4), 0xc);
    return _mm256_add_pd(outer, _mm256_loadu_pd(ab + 2));
}
ARMILLA_ALWAYS_INLINE void v_reduce4_of(double *p, const double *from)
{
    const vec ab = v_add_halves(from), cd = v_add_halves(from + 8);
    const vec acbd = _mm256_add_pd(_mm256_unpacklo_pd(ab, cd), _mm256_unpackhi_pd(ab, cd));
    _mm256_storeu_pd(p, _mm256_permute4x64_pd(acbd, 0xd8));
}
#define OWN_REDUCE8_OF 1
ARMILLA_ALWAYS_INLINE void v_reduce8_of(double *p, const double *from)
{
    v_reduce4_of(p, from);
    v_reduce4_of(p + 4, from + 16);
}
ARMILLA_ALWAYS_INLINE vec v_load_any(const double *p)
{
    return _mm256_loadu_pd(p);
}
#define OWN_STREAM 1
ARMILLA_ALWAYS_INLINE void v_stream(double *p, vec a)
{
    _mm256_stream_pd(p, a);
}
ARMILLA_ALWAYS_INLINE void v_stream_end(void)
{
    _mm_sfence();
}
ARMILLA_ALWAYS_INLINE void v_store_any(double *p, vec a)
{
    _mm256_storeu_pd(p, a);
}
ARMILLA_ALWAYS_INLINE vmask v_some(int64_t first, int64_t end)
{
    const __m256i lane = _mm256_set_epi64x(3, 2, 1, 0);
    return _mm256_castsi256_pd(
        _mm256_andnot_si256(_mm256_cmpgt_epi64(_mm256_set1_epi64x(first), lane),
                            _mm256_cmpgt_epi64(_mm256_set1_epi64x(end), lane)));
}
ARMILLA_ALWAYS_INLINE vec v_load_some(const double *p, vmask m)
{
    return _mm256_maskload_pd(p, _mm256_castpd_si256(m));
}
ARMILLA_ALWAYS_INLINE void v_store_some(double *p, vmask m, vec a)
{
    _mm256_maskstore_pd(p, _mm256_castpd_si256(m), a);
}
ARMILLA_ALWAYS_INLINE vec v_quads_of_pairs(const double *p)
{
    return _mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), 0x50);
}
ARMILLA_ALWAYS_INLINE vec v_quads_swapped(vec a)
{
    return _mm256_permute2f128_pd(a, a, 1);
}
ARMILLA_ALWAYS_INLINE vec v_sides(vec a)
{
    return q_sides(a);
}
ARMILLA_ALWAYS_INLINE vec v_pairs_swapped(vec a)
{
    return _mm256_permute_pd(a, 0x5);
}
ARMILLA_ALWAYS_INLINE vec v_load_quads(const double *p, int64_t far)
{
    (void)far;
    return _mm256_loadu_pd(p);
}
ARMILLA_ALWAYS_INLINE void v_store_quads(double *p, int64_t far, vec a)
{
    (void)far;
    _mm256_store_pd(p, a);
}
ARMILLA_ALWAYS_INLINE vec v_quads_of_halves(const double *p)
{
    return _mm256_zextpd128_pd256(_mm_loaddup_pd(p));
}
/* complex numbers at p[0] + place, ..., p[3] + place */
ARMILLA_ALWAYS_INLINE void v_load_rows(const double *const p[4], int64_t place, vec *re, vec *im)
{
    vec p02 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p[0] + place)),
                                   _mm_loadu_pd(p[2] + place), 1);
    vec p13 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p[1] + place)),
                                   _mm_loadu_pd(p[3] + place), 1);
    *re = _mm256_unpacklo_pd(p02, p13), *im = _mm256_unpackhi_pd(p02, p13);
}
/* four complex numbers */
ARMILLA_ALWAYS_INLINE void v_store_rows(double *p, vec re, vec im)
{
    vec p02 = _mm256_unpacklo_pd(re, im), p13 = _mm256_unpackhi_pd(re, im);
    _mm256_storeu_pd(p, _mm256_permute2f128_pd(p02, p13, 0x20));
    _mm256_storeu_pd(p + 4, _mm256_permute2f128_pd(p02, p13, 0x31));
}
/* complex numbers to p[0] + place, ..., p[3] + place */
ARMILLA_ALWAYS_INLINE void v_spread_rows(double *const p[4], int64_t place, vec re, vec im)
{
    vec p02 = _mm256_unpacklo_pd(re, im), p13 = _mm256_unpackhi_pd(re, im);
    _mm_storeu_pd(p[0] + place, _mm256_castpd256_pd128(p02));
    _mm_storeu_pd(p[1] + place, _mm256_castpd256_pd128(p13));
    _mm_storeu_pd(p[2] + place, _mm256_extractf128_pd(p02, 1));
    _mm_storeu_pd(p[3] + place, _mm256_extractf128_pd(p13, 1));
}
ARMILLA_ALWAYS_INLINE void v_transpose(vec v[4])
{
    vec l01 = _mm256_unpacklo_pd(v[0], v[1]), h01 = _mm256_unpackhi_pd(v[0], v[1]);
    vec l23 = _mm256_unpacklo_pd(v[2], v[3]), h23 = _mm256_unpackhi_pd(v[2], v[3]);
    v[0] = _mm256_permute2f128_pd(l01, l23, 0x20), v[1] = _mm256_permute2f128_pd(h01, h23, 0x20);
    v[2] = _mm256_permute2f128_pd(l01, l23, 0x31), v[3] = _mm256_permute2f128_pd(h01, h23, 0x31);
}
/* re[i], im[i] = p[2 i], p[2 i + 1] */
ARMILLA_ALWAYS_INLINE void v_load2(const double *p, vec *re, vec *im)
{
    vec p02 = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(p + 4), 1);
    vec p13 =
        _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p + 2)), _mm_loadu_pd(p + 6), 1);
    *re = _mm256_unpacklo_pd(p02, p13), *im = _mm256_unpackhi_pd(p02, p13);
}
ARMILLA_ALWAYS_INLINE void v_store2(double *p, vec re, vec im)
{
    vec p02 = _mm256_unpacklo_pd(re, im), p13 = _mm256_unpackhi_pd(re, im);
    _mm256_storeu_pd(p, _mm256_permute2f128_pd(p02, p13, 0x20));
    _mm256_storeu_pd(p + 4, _mm256_permute2f128_pd(p02, p13, 0x31));
}
#define OWN_HALVES 1
ARMILLA_ALWAYS_INLINE void v_load_halves(const double *p, vec *re, vec *im)
{
    vec low = _mm256_loadu_pd(p), high = _mm256_loadu_pd(p + 4);
    *re = _mm256_unpacklo_pd(low, high), *im = _mm256_unpackhi_pd(low, high);
}
ARMILLA_ALWAYS_INLINE void v_store_halves(double *p, vec re, vec im)
{
    _mm256_storeu_pd(p, _mm256_unpacklo_pd(re, im));
    _mm256_storeu_pd(p + 4, _mm256_unpackhi_pd(re, im));
}
ARMILLA_ALWAYS_INLINE void v_stream_halves(double *p, vec re, vec im)
{
    v_stream(p, _mm256_unpacklo_pd(re, im)), v_stream(p + 4, _mm256_unpackhi_pd(re, im));
}
ARMILLA_ALWAYS_INLINE void v_store_mirrored(double *p, double *q, vec a)
{
    _mm_storeu_pd(p, _mm256_castpd256_pd128(a));
    _mm_storeu_pd(q - 1, _mm256_extractf128_pd(_mm256_permute_pd(a, 0x6), 1));
}
ARMILLA_ALWAYS_INLINE vec v_load_mirrored(const double *p, const double *q)
{
    vec both =
        _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(q - 1), 1);
    return _mm256_permute_pd(both, 0x6);
}
/* halves that stay in place, and swaps in halves, are cheaper than v_reversed */
ARMILLA_ALWAYS_INLINE void v_store_mirrored_two(double *p, double *q, vec a, vec b)
{
    const vec south = _mm256_permute2f128_pd(b, a, 0x31);
    _mm256_storeu_pd(p, _mm256_permute2f128_pd(a, b, 0x20));
    _mm256_storeu_pd(q - 3, _mm256_permute_pd(south, 0x5));
}
ARMILLA_ALWAYS_INLINE void v_load_mirrored_two(const double *p, const double *q, vec *a, vec *b)
{
    const vec north = _mm256_loadu_pd(p), south = _mm256_permute_pd(_mm256_loadu_pd(q - 3), 0x5);
    *a = _mm256_blend_pd(north, south, 0xc);
    *b = _mm256_permute2f128_pd(north, south, 0x21);
}
