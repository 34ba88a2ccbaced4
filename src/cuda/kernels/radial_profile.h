/* The profile of a radial kernel, evaluated by kernels of a GPU: one polynomial, or polynomials on
 * cells, as src/radial/profile/profile.h has them. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_PROFILE_H
#define ARMILLA_CUDA_KERNELS_RADIAL_PROFILE_H

#include "cuda/kernels/device.h"

namespace
{

/* View: whatever has degree, ncells, end, coef and border. */
template <class View> __device__ __forceinline__ double profile_cell(const View &view, double x)
{
    const double last = (double)view.ncells - 1;
    const double place = sqrt(fmin(x, view.end) * (1 / view.end)) * (last + 1);
    const double cell = fmin(fmax(rint(place - 0.5), 0.0), last);
    const double t = fma(2.0, place - cell, -1.0);
    const int64_t number = (int64_t)cell;
    const double *coef = view.coef + (2 * number + !(t < view.border[number])) * (view.degree + 1);
    double sum = coef[view.degree];
    for (int k = (int)view.degree - 1; k >= 0; k--) sum = fma(sum, t, coef[k]);
    return sum;
}

/* K at x = sin^2(angle / 2); 0 beyond the support. */
template <class View> __device__ __forceinline__ double profile_value(const View &view, double x)
{
    if (x > view.end) return 0;
    if (view.ncells) return profile_cell(view, x);
    const double s = fma(2 / view.end, x, -1.0);
    double sum = view.coef[view.degree];
    for (int k = (int)view.degree - 1; k >= 0; k--) sum = fma(sum, s, view.coef[k]);
    return sum;
}

} // namespace

#endif
