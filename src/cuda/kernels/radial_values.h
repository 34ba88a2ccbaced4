/* Values of a radial kernel between two rows on a GPU, one by one, as src/radial/pixels/kernels has
 * them in vectors: by polynomials, or by the series of sin^2 and the profile, with the rotation of
 * spin 2 (8.18). Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_VALUES_H
#define ARMILLA_CUDA_KERNELS_RADIAL_VALUES_H

#include "cuda/kernels/device.h"
#include "cuda/kernels/radial_profile.h"
#include "cuda/kernels/radial_tables.h"

/* What multiplies a pixel: of spin 2 even + i odd, times Q + i U; else even alone. */
struct kernel_value {
    double even, odd;
};

/* The profile at a difference in longitude; 0 beyond the support. */
static __device__ __forceinline__ double profile_value(const armilla_cuda_radial_view &view,
                                                       const armilla_cuda_radial_link &link,
                                                       double delta)
{
    const double square = delta * delta;
    double sine = view.term[link.nterms - 1];
    for (int t = link.nterms - 2; t >= 0; t--) sine = fma(sine, square, view.term[t]);
    return profile_value(view, fma(link.slope, sine * square, link.x0));
}

/* K conj(z^4) / |z|^4, z = p + i q; 0 at the antipode, see radial/profile/kernels/turned.h. */
static __device__ __forceinline__ kernel_value turn_value(const armilla_cuda_radial_view &view,
                                                          const armilla_cuda_radial_link &link,
                                                          double delta, double value)
{
    const double square = delta * delta;
    double p = view.half[2 * link.nhalf - 1], q = view.half[2 * link.nhalf - 2];
    for (int t = link.nhalf - 2; t >= 0; t--) {
        p = fma(p, square, view.half[2 * t + 1]);
        q = fma(q, square, view.half[2 * t]);
    }
    p *= link.difference, q *= delta * link.sum;
    const double size = p * p + q * q, re = p * p - q * q, im = 2 * (p * q);
    const double scale = size < 1e-24 ? 0 : value / (size * size);
    const kernel_value turned = {scale * (re * re - im * im), scale * (re * im * -2)};
    return turned;
}

template <bool TURNS>
static __device__ __forceinline__ kernel_value find_value(const armilla_cuda_radial_view &view,
                                                          const armilla_cuda_radial_link &link,
                                                          double delta)
{
    const kernel_value value = {profile_value(view, link, delta), 0};
    return TURNS ? turn_value(view, link, delta, value.even) : value;
}

/* A polynomial of an even number of terms, as two in s^2. */
static __device__ __forceinline__ double fit_value(const double *coef, int32_t nterms, double s)
{
    const double2 *pair = (const double2 *)coef;
    const double square = s * s;
    double2 sum = pair[nterms / 2 - 1];
    for (int i = nterms / 2 - 2; i >= 0; i--) {
        const double2 next = pair[i];
        sum.x = fma(sum.x, square, next.x);
        sum.y = fma(sum.y, square, next.y);
    }
    return fma(sum.y, s, sum.x);
}

/* Value number k by polynomials; delta: from the nearest pixel. */
template <bool TURNS>
static __device__ __forceinline__ kernel_value find_fitted(const armilla_cuda_radial_view &view,
                                                           const armilla_cuda_radial_link &link,
                                                           int32_t k, double delta)
{
    const int32_t steps = link.reach - k, number = steps < 0 ? -steps : steps;
    const double *coef = view.fits + link.fits;
    const double d = steps < 0 ? -delta : delta;
    double s = d * link.fit_scale;
    kernel_value value = {0, 0};
    if (number == link.reach) s = fma(d, link.last_scale, link.last_place);
    if (number == link.reach && s > 1) return value;
    value.even = fit_value(coef + number * link.nfit, link.nfit, s);
    if (!TURNS) return value;
    coef += (link.reach + 1) * link.nfit;
    value.odd = fit_value(coef + number * link.nodd, link.nodd, s);
    if (steps < 0) value.odd = -value.odd;
    return value;
}

/* Value number k between rows with as many pixels. */
template <bool TURNS>
static __device__ __forceinline__ kernel_value read_value(const armilla_cuda_radial_view &view,
                                                          const armilla_cuda_radial_link &link,
                                                          int32_t k)
{
    const double *values = view.values + link.values;
    const kernel_value value = {values[k], TURNS ? values[(link.count + 7) / 8 * 8 + k] : 0};
    return value;
}

#endif
