/* Vocabulary of the kernels: SSE2, the baseline of x86-64. See simd.h for the meaning of each name.
 */
#include <emmintrin.h>

#define REGISTERS                16
#define GROUP_VECTORS            2
#define SYNTHESIS_VECTORS        2
#define ANALYSIS_VECTORS         2
#define SYNTHESIS_VECTORS_OF_TWO 0
#define ANALYSIS_VECTORS_OF_TWO  0
#define SETS_VECTORS             2
#define SPIN_VECTORS             1
#define ROTATION_VECTORS         2
#define MATRIX_VECTORS           3
#define MATRIX_VECTORS_OF_TWO    0

typedef __m128d vec;
typedef __m128d vmask;
enum { VLEN = 2 };

ARMILLA_ALWAYS_INLINE vec v_load(const double *p)
{
    return _mm_load_pd(p);
}
ARMILLA_ALWAYS_INLINE void v_store(double *p, vec a)
{
    _mm_store_pd(p, a);
}
ARMILLA_ALWAYS_INLINE vec v_all(double a)
{
    return _mm_set1_pd(a);
}
ARMILLA_ALWAYS_INLINE vec v_add(vec a, vec b)
{
    return _mm_add_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_sub(vec a, vec b)
{
    return _mm_sub_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_mul(vec a, vec b)
{
    return _mm_mul_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_fma(vec a, vec b, vec c)
{
    return _mm_add_pd(_mm_mul_pd(a, b), c);
}
ARMILLA_ALWAYS_INLINE vec v_fnma(vec a, vec b, vec c)
{
    return _mm_sub_pd(c, _mm_mul_pd(a, b));
}
ARMILLA_ALWAYS_INLINE vec v_sqrt(vec a)
{
    return _mm_sqrt_pd(a);
}
ARMILLA_ALWAYS_INLINE vec v_div(vec a, vec b)
{
    return _mm_div_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_min(vec a, vec b)
{
    return _mm_min_pd(a, b);
}
ARMILLA_ALWAYS_INLINE vmask v_larger(vec a, double bound)
{
    return _mm_cmpgt_pd(_mm_andnot_pd(_mm_set1_pd(-0.0), a), _mm_set1_pd(bound));
}
ARMILLA_ALWAYS_INLINE vmask v_negative(vec a)
{
    return _mm_cmplt_pd(a, _mm_setzero_pd());
}
ARMILLA_ALWAYS_INLINE vec v_select(vmask m, vec yes, vec no)
{
    return _mm_or_pd(_mm_and_pd(m, yes), _mm_andnot_pd(m, no));
}
ARMILLA_ALWAYS_INLINE int v_lanes(vmask m)
{
    return _mm_movemask_pd(m);
}
ARMILLA_ALWAYS_INLINE vec v_exp2(vec shifted)
{
    return _mm_castsi128_pd(_mm_slli_epi64(_mm_castpd_si128(shifted), 52));
}
ARMILLA_ALWAYS_INLINE vec v_reversed(vec a)
{
    return _mm_shuffle_pd(a, a, 1);
}
ARMILLA_ALWAYS_INLINE void v_reduce4(double *p, vec a, vec b, vec c, vec d)
{
    _mm_storeu_pd(p, _mm_add_pd(_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b)));
    _mm_storeu_pd(p + 2, _mm_add_pd(_mm_unpacklo_pd(c, d), _mm_unpackhi_pd(c, d)));
}
ARMILLA_ALWAYS_INLINE void v_store4(double *p, vec a, vec b, vec c, vec d)
{
    _mm_storeu_pd(p, _mm_unpacklo_pd(a, b)), _mm_storeu_pd(p + 2, _mm_unpacklo_pd(c, d));
    _mm_storeu_pd(p + 4, _mm_unpackhi_pd(a, b)), _mm_storeu_pd(p + 6, _mm_unpackhi_pd(c, d));
}
/* the inverse of v_store4 */
ARMILLA_ALWAYS_INLINE void v_load4(const double *p, vec *a, vec *b, vec *c, vec *d)
{
    vec p0 = _mm_loadu_pd(p), p1 = _mm_loadu_pd(p + 2);
    vec p2 = _mm_loadu_pd(p + 4), p3 = _mm_loadu_pd(p + 6);
    *a = _mm_unpacklo_pd(p0, p2), *b = _mm_unpackhi_pd(p0, p2);
    *c = _mm_unpacklo_pd(p1, p3), *d = _mm_unpackhi_pd(p1, p3);
}
/* sums over lanes of v[0], ..., v[7] -> p[0..7] */
ARMILLA_ALWAYS_INLINE void v_reduce8(double *p, const vec v[8])
{
    v_reduce4(p, v[0], v[1], v[2], v[3]);
    v_reduce4(p + 4, v[4], v[5], v[6], v[7]);
}
/* complex numbers at p[0] + place, p[1] + place */
ARMILLA_ALWAYS_INLINE void v_load_rows(const double *const p[2], int64_t place, vec *re, vec *im)
{
    vec p0 = _mm_loadu_pd(p[0] + place), p1 = _mm_loadu_pd(p[1] + place);
    *re = _mm_unpacklo_pd(p0, p1), *im = _mm_unpackhi_pd(p0, p1);
}
ARMILLA_ALWAYS_INLINE void v_store_rows(double *p, vec re, vec im)
{
    _mm_storeu_pd(p, _mm_unpacklo_pd(re, im)), _mm_storeu_pd(p + 2, _mm_unpackhi_pd(re, im));
}
/* complex numbers to p[0] + place, p[1] + place */
ARMILLA_ALWAYS_INLINE void v_spread_rows(double *const p[2], int64_t place, vec re, vec im)
{
    _mm_storeu_pd(p[0] + place, _mm_unpacklo_pd(re, im));
    _mm_storeu_pd(p[1] + place, _mm_unpackhi_pd(re, im));
}
ARMILLA_ALWAYS_INLINE vec v_load_any(const double *p)
{
    return _mm_loadu_pd(p);
}
ARMILLA_ALWAYS_INLINE void v_store_any(double *p, vec a)
{
    _mm_storeu_pd(p, a);
}
ARMILLA_ALWAYS_INLINE void v_transpose(vec v[2])
{
    vec low = _mm_unpacklo_pd(v[0], v[1]), high = _mm_unpackhi_pd(v[0], v[1]);
    v[0] = low, v[1] = high;
}
/* re[i], im[i] = p[2 i], p[2 i + 1] */
ARMILLA_ALWAYS_INLINE void v_load2(const double *p, vec *re, vec *im)
{
    vec a = _mm_loadu_pd(p), b = _mm_loadu_pd(p + 2);
    *re = _mm_unpacklo_pd(a, b), *im = _mm_unpackhi_pd(a, b);
}
ARMILLA_ALWAYS_INLINE void v_store2(double *p, vec re, vec im)
{
    _mm_storeu_pd(p, _mm_unpacklo_pd(re, im)), _mm_storeu_pd(p + 2, _mm_unpackhi_pd(re, im));
}
