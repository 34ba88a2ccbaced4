/* Where the values of eight neighbouring positions are asked for. */
#ifndef ARMILLA_RADIAL_KERNELS_PLACES_H
#define ARMILLA_RADIAL_KERNELS_PLACES_H

#include "legendre/simd/simd.h"
#include "radial/pixels/kernels/kernels.h"

/* Vector number v of delta[i] - k step, i < 8 fastest. */
ARMILLA_ALWAYS_INLINE vec find_place(const double *delta, double step, int64_t v)
{
    const int64_t vectors = ARMILLA_OCTET / VLEN;
    return v_fnma(v_all((double)(v / vectors)), v_all(step),
                  v_load_any(delta + v % vectors * VLEN));
}

#endif
