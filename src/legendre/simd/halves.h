/* Halves of vectors of one or two lanes; see simd.h. */
#ifndef ARMILLA_LEGENDRE_SIMD_HALVES_H
#define ARMILLA_LEGENDRE_SIMD_HALVES_H

#define v_load_halves   v_load2
#define v_store_halves  v_store2
#define v_stream_halves v_store2

ARMILLA_ALWAYS_INLINE void v_store_mirrored(double *p, double *q, vec a)
{
    double lanes[VLEN];
    v_store_any(lanes, a);
    *p = lanes[0];
    if (VLEN > 1) *q = lanes[VLEN - 1];
}
ARMILLA_ALWAYS_INLINE vec v_load_mirrored(const double *p, const double *q)
{
    double lanes[VLEN];
    lanes[0] = *p;
    if (VLEN > 1) lanes[VLEN - 1] = *q;
    return v_load_any(lanes);
}

#endif
