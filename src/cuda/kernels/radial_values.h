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

/* A polynomial of an even number of terms, as two in s^2, at N places. */
template <int N>
static __device__ __forceinline__ void fit_values(const double *coef, int32_t nterms,
                                                  const double s[N], double values[N])
{
    const double2 *pair = (const double2 *)coef;
    double2 sum[N];
    for (int n = 0; n < N; n++) sum[n] = pair[nterms / 2 - 1];
    for (int i = nterms / 2 - 2; i >= 0; i--) {
        const double2 next = pair[i];
        for (int n = 0; n < N; n++) {
            const double square = s[n] * s[n];
            sum[n].x = fma(sum[n].x, square, next.x);
            sum[n].y = fma(sum[n].y, square, next.y);
        }
    }
    for (int n = 0; n < N; n++) values[n] = fma(sum[n].y, s[n], sum[n].x);
}

/* Values number k of N positions by polynomials; delta: from the nearest pixel. */
template <bool TURNS, int N>
static __device__ __forceinline__ void find_fitted(const armilla_cuda_radial_view &view,
                                                   const armilla_cuda_radial_link &link, int32_t k,
                                                   const double delta[N], kernel_value values[N])
{
    const int32_t steps = link.reach - k, number = steps < 0 ? -steps : steps;
    const bool last = number == link.reach;
    const double *coef = view.fits + link.fits;
    double s[N], even[N], odd[N];
    for (int n = 0; n < N; n++) {
        const double d = steps < 0 ? -delta[n] : delta[n];
        s[n] = last ? fma(d, link.last_scale, link.last_place) : d * link.fit_scale;
    }
    fit_values<N>(coef + number * link.nfit, link.nfit, s, even);
    if (TURNS)
        fit_values<N>(coef + (link.reach + 1) * link.nfit + number * link.nodd, link.nodd, s, odd);
    for (int n = 0; n < N; n++) {
        const bool beyond = last && s[n] > 1;
        values[n].even = beyond ? 0 : even[n];
        values[n].odd = !TURNS || beyond ? 0 : steps < 0 ? -odd[n] : odd[n];
    }
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
