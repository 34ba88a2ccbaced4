/* Copies past the caches. */
#include "theta/kernels/kernels.h"
#include "legendre/simd/simd.h"

#include <string.h>

void ARMILLA_KERNEL(armilla_theta_kernel_stream)(double *to, const double *from, int64_t count)
{
    const uintptr_t size = VLEN * sizeof(double);
    int64_t i = 0;
    if (((uintptr_t)to | (uintptr_t)from) % size == 0)
        for (; i + VLEN <= count; i += VLEN) v_stream(to + i, v_load(from + i));
    memcpy(to + i, from + i, sizeof *to * (size_t)(count - i));
}

void ARMILLA_KERNEL(armilla_theta_kernel_stream_end)(void)
{
    v_stream_end();
}
