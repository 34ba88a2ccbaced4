/* Layout of complex numbers in lanes: a vector of real parts, then a vector of imaginary parts. */
#ifndef ARMILLA_FFT_KERNELS_LANES_H
#define ARMILLA_FFT_KERNELS_LANES_H

#include "legendre/simd/simd.h"

#include <stdint.h>

enum { COMPLEX = 2 * VLEN }; /* doubles of a complex vector */

/* More lanes than VLEN: [lanes / VLEN][point][re, im][VLEN]. Returned: place of the real part of
 * lane `lane` at point 0; the imaginary part is VLEN further, the next point COMPLEX. */
ARMILLA_ALWAYS_INLINE int64_t lane_place(int lane, int64_t points)
{
    return lane / VLEN * COMPLEX * points + lane % VLEN;
}

#endif
