/* Quads of simd.h as registers of 256 bits. Included by avx2.h, avx512.h. */
#define OWN_QUADS 1

typedef __m256d quad;

ARMILLA_ALWAYS_INLINE quad q_load(const double *p)
{
    return _mm256_loadu_pd(p);
}
ARMILLA_ALWAYS_INLINE void q_store(double *p, quad a)
{
    _mm256_storeu_pd(p, a);
}
ARMILLA_ALWAYS_INLINE quad q_all(double a)
{
    return _mm256_set1_pd(a);
}
ARMILLA_ALWAYS_INLINE quad q_add(quad a, quad b)
{
    return _mm256_add_pd(a, b);
}
ARMILLA_ALWAYS_INLINE quad q_mul(quad a, quad b)
{
    return _mm256_mul_pd(a, b);
}
ARMILLA_ALWAYS_INLINE quad q_sides(quad a)
{
    return _mm256_fmadd_pd(a, _mm256_set_pd(-1, -1, 1, 1), _mm256_permute2f128_pd(a, a, 1));
}
/* p[0] p[1] 0 0 */
ARMILLA_ALWAYS_INLINE quad q_load_half(const double *p)
{
    return _mm256_zextpd128_pd256(_mm_loadu_pd(p));
}
ARMILLA_ALWAYS_INLINE void q_store_half(double *p, quad a)
{
    _mm_storeu_pd(p, _mm256_castpd256_pd128(a));
}
/* p[0] p[0] p[1] p[1] */
ARMILLA_ALWAYS_INLINE quad q_of_pair(const double *p)
{
    return _mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), 0x50);
}
/* *p *p 0 0 */
ARMILLA_ALWAYS_INLINE quad q_of_half(const double *p)
{
    return _mm256_zextpd128_pd256(_mm_loaddup_pd(p));
}
ARMILLA_ALWAYS_INLINE quad q_pairs_swapped(quad a)
{
    return _mm256_permute_pd(a, 0x5);
}
