/* Orders -> values at a vector of points, and the transpose; see kernels.h. Four products for each
 * order and point, in eight sums, which hide the latency of the FMA. */
#include "legendre/simd/simd.h"
#include "points/kernels/kernels.h"

void ARMILLA_KERNEL(armilla_points_kernel_waves)(int64_t count, const double *phase,
                                                 const double *base, const double *leg,
                                                 double *values)
{
    vec re[4], im[4];
    for (int i = 0; i < 4; i++) re[i] = im[i] = v_all(0);
    for (int64_t r = 0; r < count; r += 2, phase += 4 * VLEN, leg += 4 * VLEN) {
        for (int i = 0; i < 2; i++) {
            const vec c = v_load(phase + 2 * i * VLEN), s = v_load(phase + (2 * i + 1) * VLEN);
            const vec a = v_load(leg + 2 * i * VLEN), b = v_load(leg + (2 * i + 1) * VLEN);
            re[2 * i] = v_fma(a, c, re[2 * i]), re[2 * i + 1] = v_fma(b, s, re[2 * i + 1]);
            im[2 * i] = v_fma(a, s, im[2 * i]), im[2 * i + 1] = v_fma(b, c, im[2 * i + 1]);
        }
    }
    const vec real = v_sub(v_add(re[0], re[2]), v_add(re[1], re[3]));
    const vec imaginary = v_add(v_add(im[0], im[2]), v_add(im[1], im[3]));
    const vec sum = v_fma(real, v_load(base), v_load(values));
    v_store(values, v_fnma(imaginary, v_load(base + VLEN), sum));
}

void ARMILLA_KERNEL(armilla_points_kernel_gather)(int64_t count, const double *phase,
                                                  const double *base, const double *values,
                                                  double *leg)
{
    const vec value = v_load(values);
    const vec re = v_mul(value, v_load(base)), im = v_mul(value, v_load(base + VLEN));
    for (int64_t r = 0; r < count; r++, phase += 2 * VLEN, leg += 2 * VLEN) {
        const vec c = v_load(phase), s = v_load(phase + VLEN);
        const vec real = v_fma(re, c, v_load(leg)), imaginary = v_fnma(re, s, v_load(leg + VLEN));
        v_store(leg, v_fnma(im, s, real));
        v_store(leg + VLEN, v_fnma(im, c, imaginary));
    }
}
