/* Vocabulary of the kernels for CUDA: a thread is a lane, a warp is a vector. See
 * legendre/simd/simd.h for the meaning of each name; pointers are those of a thread's own lane, and
 * v_lanes is a vote of the warp. */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double vec;
typedef int vmask;
enum { VLEN = 1 };
#define LANES_ALL    (-1)
#define SPIN_VECTORS 4 /* of the arrays in legendre/kernels/spin.h */

ARMILLA_ALWAYS_INLINE vec v_load(const double *p)
{
    return *p;
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
    return fma(a, b, c);
}
ARMILLA_ALWAYS_INLINE vec v_fnma(vec a, vec b, vec c)
{
    return fma(-a, b, c);
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
    return (int)__ballot_sync(0xffffffffu, m);
}
ARMILLA_ALWAYS_INLINE vec v_exp2(vec shifted)
{
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    memcpy(&shifted, &bits, sizeof bits);
    return shifted;
}
