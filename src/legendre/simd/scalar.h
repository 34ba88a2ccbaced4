/* Vocabulary of the kernels: plain C, any machine. See simd.h for the meaning of each name. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define REGISTERS                16
#define GROUP_VECTORS            2
#define SYNTHESIS_VECTORS        2
#define ANALYSIS_VECTORS         2
#define SYNTHESIS_VECTORS_OF_TWO 1
#define ANALYSIS_VECTORS_OF_TWO  1
#define SETS_VECTORS             2
#define SPIN_VECTORS             1
#define ROTATION_VECTORS         2
#define MATRIX_VECTORS           3
#define MATRIX_VECTORS_OF_TWO    0

typedef double vec;
typedef int vmask;
enum { VLEN = 1 };

ARMILLA_ALWAYS_INLINE vec v_load(const double *p)
{
    return *p;
}
ARMILLA_ALWAYS_INLINE void v_store(double *p, vec a)
{
    *p = a;
}
ARMILLA_ALWAYS_INLINE vec v_all(double a)
{
    return a;
}
ARMILLA_ALWAYS_INLINE vec v_add(vec a, vec b)
{
    return a + b;
}
ARMILLA_ALWAYS_INLINE vec v_sub(vec a, vec b)
{
    return a - b;
}
ARMILLA_ALWAYS_INLINE vec v_mul(vec a, vec b)
{
    return a * b;
}
ARMILLA_ALWAYS_INLINE vec v_fma(vec a, vec b, vec c)
{
    return a * b + c;
}
ARMILLA_ALWAYS_INLINE vec v_fnma(vec a, vec b, vec c)
{
    return c - a * b;
}
ARMILLA_ALWAYS_INLINE vec v_sqrt(vec a)
{
    return sqrt(a);
}
ARMILLA_ALWAYS_INLINE vec v_div(vec a, vec b)
{
    return a / b;
}
ARMILLA_ALWAYS_INLINE vec v_min(vec a, vec b)
{
    return a < b ? a : b;
}
ARMILLA_ALWAYS_INLINE vmask v_larger(vec a, double bound)
{
    return fabs(a) > bound;
}
ARMILLA_ALWAYS_INLINE vmask v_negative(vec a)
{
    return a < 0;
}
ARMILLA_ALWAYS_INLINE vec v_select(vmask m, vec yes, vec no)
{
    return m ? yes : no;
}
ARMILLA_ALWAYS_INLINE int v_lanes(vmask m)
{
    return m;
}
ARMILLA_ALWAYS_INLINE vec v_exp2(vec shifted)
{
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    memcpy(&shifted, &bits, sizeof bits);
    return shifted;
}
ARMILLA_ALWAYS_INLINE vec v_reversed(vec a)
{
    return a;
}
ARMILLA_ALWAYS_INLINE void v_reduce4(double *p, vec a, vec b, vec c, vec d)
{
    p[0] = a, p[1] = b, p[2] = c, p[3] = d;
}
ARMILLA_ALWAYS_INLINE void v_store4(double *p, vec a, vec b, vec c, vec d)
{
    p[0] = a, p[1] = b, p[2] = c, p[3] = d;
}
/* the inverse of v_store4 */
ARMILLA_ALWAYS_INLINE void v_load4(const double *p, vec *a, vec *b, vec *c, vec *d)
{
    *a = p[0], *b = p[1], *c = p[2], *d = p[3];
}
/* sums over lanes of v[0], ..., v[7] -> p[0..7] */
ARMILLA_ALWAYS_INLINE void v_reduce8(double *p, const vec v[8])
{
    v_reduce4(p, v[0], v[1], v[2], v[3]);
    v_reduce4(p + 4, v[4], v[5], v[6], v[7]);
}
/* complex number at p[0] + place */
ARMILLA_ALWAYS_INLINE void v_load_rows(const double *const p[1], int64_t place, vec *re, vec *im)
{
    *re = p[0][place], *im = p[0][place + 1];
}
ARMILLA_ALWAYS_INLINE void v_store_rows(double *p, vec re, vec im)
{
    p[0] = re, p[1] = im;
}
/* complex number to p[0] + place */
ARMILLA_ALWAYS_INLINE void v_spread_rows(double *const p[1], int64_t place, vec re, vec im)
{
    p[0][place] = re, p[0][place + 1] = im;
}
ARMILLA_ALWAYS_INLINE vec v_load_any(const double *p)
{
    return *p;
}
ARMILLA_ALWAYS_INLINE void v_store_any(double *p, vec a)
{
    *p = a;
}
ARMILLA_ALWAYS_INLINE void v_transpose(vec v[1])
{
    (void)v;
}
/* re[i], im[i] = p[2 i], p[2 i + 1] */
ARMILLA_ALWAYS_INLINE void v_load2(const double *p, vec *re, vec *im)
{
    *re = p[0], *im = p[1];
}
ARMILLA_ALWAYS_INLINE void v_store2(double *p, vec re, vec im)
{
    p[0] = re, p[1] = im;
}
