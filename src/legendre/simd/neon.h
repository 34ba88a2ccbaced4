/* Vocabulary of the kernels: NEON of 64-bit Arm. See simd.h for the meaning of each name. */
#include <arm_neon.h>

#define REGISTERS                32
#define GROUP_VECTORS            4
#define SYNTHESIS_VECTORS        4
#define ANALYSIS_VECTORS         4
#define SYNTHESIS_VECTORS_OF_TWO 2
#define ANALYSIS_VECTORS_OF_TWO  2
#define SETS_VECTORS             4
#define SPIN_VECTORS             2
#define ROTATION_VECTORS         4
#define MATRIX_VECTORS           4
#define MATRIX_VECTORS_OF_TWO    3

typedef float64x2_t vec;
typedef uint64x2_t vmask;
enum { VLEN = 2 };

ARMILLA_ALWAYS_INLINE vec v_load(const double *p)
{
    return vld1q_f64(p);
}
ARMILLA_ALWAYS_INLINE void v_store(double *p, vec a)
{
    vst1q_f64(p, a);
}
ARMILLA_ALWAYS_INLINE vec v_all(double a)
{
    return vdupq_n_f64(a);
}
ARMILLA_ALWAYS_INLINE vec v_add(vec a, vec b)
{
    return vaddq_f64(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_sub(vec a, vec b)
{
    return vsubq_f64(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_mul(vec a, vec b)
{
    return vmulq_f64(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_fma(vec a, vec b, vec c)
{
    return vfmaq_f64(c, a, b);
}
ARMILLA_ALWAYS_INLINE vec v_fnma(vec a, vec b, vec c)
{
    return vfmsq_f64(c, a, b);
}
ARMILLA_ALWAYS_INLINE vec v_sqrt(vec a)
{
    return vsqrtq_f64(a);
}
ARMILLA_ALWAYS_INLINE vec v_div(vec a, vec b)
{
    return vdivq_f64(a, b);
}
ARMILLA_ALWAYS_INLINE vec v_min(vec a, vec b)
{
    return vminq_f64(a, b);
}
ARMILLA_ALWAYS_INLINE vmask v_larger(vec a, double bound)
{
    return vcagtq_f64(a, vdupq_n_f64(bound));
}
ARMILLA_ALWAYS_INLINE vmask v_negative(vec a)
{
    return vcltzq_f64(a);
}
ARMILLA_ALWAYS_INLINE vec v_select(vmask m, vec yes, vec no)
{
    return vbslq_f64(m, yes, no);
}
ARMILLA_ALWAYS_INLINE int v_lanes(vmask m)
{
    return (int)(vgetq_lane_u64(m, 0) & 1) | (int)(vgetq_lane_u64(m, 1) & 2);
}
ARMILLA_ALWAYS_INLINE vec v_exp2(vec shifted)
{
    return vreinterpretq_f64_s64(vshlq_n_s64(vreinterpretq_s64_f64(shifted), 52));
}
ARMILLA_ALWAYS_INLINE vec v_reversed(vec a)
{
    return vextq_f64(a, a, 1);
}
ARMILLA_ALWAYS_INLINE void v_reduce4(double *p, vec a, vec b, vec c, vec d)
{
    vst1q_f64(p, vpaddq_f64(a, b)), vst1q_f64(p + 2, vpaddq_f64(c, d));
}
ARMILLA_ALWAYS_INLINE void v_store4(double *p, vec a, vec b, vec c, vec d)
{
    vst1q_f64(p, vzip1q_f64(a, b)), vst1q_f64(p + 2, vzip1q_f64(c, d));
    vst1q_f64(p + 4, vzip2q_f64(a, b)), vst1q_f64(p + 6, vzip2q_f64(c, d));
}
/* the inverse of v_store4 */
ARMILLA_ALWAYS_INLINE void v_load4(const double *p, vec *a, vec *b, vec *c, vec *d)
{
    vec p0 = vld1q_f64(p), p1 = vld1q_f64(p + 2), p2 = vld1q_f64(p + 4), p3 = vld1q_f64(p + 6);
    *a = vzip1q_f64(p0, p2), *b = vzip2q_f64(p0, p2);
    *c = vzip1q_f64(p1, p3), *d = vzip2q_f64(p1, p3);
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
    vec p0 = vld1q_f64(p[0] + place), p1 = vld1q_f64(p[1] + place);
    *re = vzip1q_f64(p0, p1), *im = vzip2q_f64(p0, p1);
}
ARMILLA_ALWAYS_INLINE void v_store_rows(double *p, vec re, vec im)
{
    vst1q_f64(p, vzip1q_f64(re, im)), vst1q_f64(p + 2, vzip2q_f64(re, im));
}
/* complex numbers to p[0] + place, p[1] + place */
ARMILLA_ALWAYS_INLINE void v_spread_rows(double *const p[2], int64_t place, vec re, vec im)
{
    vst1q_f64(p[0] + place, vzip1q_f64(re, im)), vst1q_f64(p[1] + place, vzip2q_f64(re, im));
}
ARMILLA_ALWAYS_INLINE vec v_load_any(const double *p)
{
    return vld1q_f64(p);
}
ARMILLA_ALWAYS_INLINE void v_store_any(double *p, vec a)
{
    vst1q_f64(p, a);
}
ARMILLA_ALWAYS_INLINE void v_transpose(vec v[2])
{
    vec low = vzip1q_f64(v[0], v[1]), high = vzip2q_f64(v[0], v[1]);
    v[0] = low, v[1] = high;
}
/* re[i], im[i] = p[2 i], p[2 i + 1] */
ARMILLA_ALWAYS_INLINE void v_load2(const double *p, vec *re, vec *im)
{
    float64x2x2_t a = vld2q_f64(p);
    *re = a.val[0], *im = a.val[1];
}
ARMILLA_ALWAYS_INLINE void v_store2(double *p, vec re, vec im)
{
    const float64x2x2_t both = {{re, im}}; /* to Clang vst2q_f64 is a macro */
    vst2q_f64(p, both);
}
