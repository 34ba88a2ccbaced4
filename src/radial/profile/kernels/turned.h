/* The rotation of spin 2, (8.18). */
#ifndef ARMILLA_RADIAL_PROFILE_KERNELS_TURNED_H
#define ARMILLA_RADIAL_PROFILE_KERNELS_TURNED_H

#include "legendre/simd/simd.h"

/* sin^2 of half the angle to the antipode, where the rotation of spin 2 has no direction: below it
 * the kernel counts as 0. Antipodes of a grid have 1e-31 and less, for rounding; other pixels of
 * HEALPix at nside 8192 1e-9 and more. */
#define ARMILLA_RADIAL_ANTIPODE 1e-24

/* A vector of K at `even` -> K conj(z^4) / |z|^4, z = p + i q, at even and odd. */
ARMILLA_ALWAYS_INLINE void turn_values(vec p, vec q, double *even, double *odd)
{
    const vec least = v_all(ARMILLA_RADIAL_ANTIPODE);
    const vec pp = v_mul(p, p), qq = v_mul(q, q), size = v_add(pp, qq);
    const vec re = v_sub(pp, qq), half = v_mul(p, q), im = v_add(half, half);
    const vec kernel = v_div(v_load(even), v_mul(size, size));
    const vec scale = v_select(v_negative(v_sub(size, least)), v_all(0), kernel);
    v_store(even, v_mul(scale, v_fnma(im, im, v_mul(re, re))));
    v_store(odd, v_mul(scale, v_mul(v_mul(re, im), v_all(-2))));
}

#endif
