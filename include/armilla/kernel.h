/* Radial kernels: functions K(theta) of the angle theta between two points of the sphere, radians,
 * 0 <= theta <= pi, in 1 / steradian. armilla_radial (armilla/radial.h) convolves maps with them.
 *
 * A kernel and its window: K(theta) = sum over l of (2 l + 1) / (4 pi) b_l P_l(cos theta). The
 * convolution with K multiplies the coefficients a_lm of a map by b_l; b_0 is the integral of K
 * over the sphere.
 *
 * The support of a kernel is the angle at which it is cut: K(theta) = 0 for theta > support.
 *
 * Thread rule: a kernel is immutable; any number of threads may use it at once. */
#ifndef ARMILLA_KERNEL_H
#define ARMILLA_KERNEL_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_kernel armilla_kernel;

/* Each function makes *kernel; free it with armilla_kernel_free. Angles are in radians.
 * Errors: ARGUMENT (names the argument; of an array the first wrong item), MEMORY; *kernel is then
 * untouched. */

/* Gaussian beam of unit integral: b_l = exp(-l (l + 1) sigma^2 / 2), sigma = fwhm / sqrt(8 ln 2),
 * the same beam as armilla_spectrum_gaussian_beam. Given: 1e-6 <= fwhm <= pi. */
ARMILLA_API armilla_status armilla_kernel_new_gaussian(double fwhm, armilla_kernel **kernel);

/* Disc of unit integral: K = 1 / (2 pi (1 - cos radius)) for theta <= radius, 0 beyond.
 * Given: 1e-6 <= radius <= pi. */
ARMILLA_API armilla_status armilla_kernel_new_tophat(double radius, armilla_kernel **kernel);

/* Mexican hat: -sigma^2 times the Laplacian of the Gaussian above,
 * b_l = l (l + 1) sigma^2 exp(-l (l + 1) sigma^2 / 2); its integral is 0. For small angles
 * K = (2 - x^2) exp(-x^2 / 2) / (2 pi sigma^2), x = theta / sigma. Given: 1e-6 <= fwhm <= pi. */
ARMILLA_API armilla_status armilla_kernel_new_mexican_hat(double fwhm, armilla_kernel **kernel);

/* Needlet of scale `scale`: b_l = b(l / base^scale), which is 0 outside of
 * base^(scale-1) < l < base^(scale+1); the squares of all scales add up to 1 for l >= 1.
 * Given: base > 1;  scale  with 1 <= base^(scale+1) <= 1e6.
 * Reference: Marinucci et al. 2008, MNRAS 383, 539. */
ARMILLA_API armilla_status armilla_kernel_new_needlet(double base, int64_t scale,
                                                      armilla_kernel **kernel);

/* A kernel given by its window. Given: 0 <= lmax <= 1000000;  window  lmax + 1 finite values b_l.
 */
ARMILLA_API armilla_status armilla_kernel_new_window(int64_t lmax, const double *window,
                                                     armilla_kernel **kernel);

/* A kernel given by a table, by monotone piecewise cubic interpolation (PCHIP, which keeps the
 * shape of the values and does not overshoot; Fritsch & Butland 1984, SIAM J. Sci. Stat. Comput. 5,
 * 300) in the chord 2 sin(theta / 2), which for small angles is theta itself. K is constant from 0
 * to theta[0] and 0 beyond theta[count - 1]. Nodes with chords that differ by less than 1/32768 of
 * the last one may be left out, if the others give their values to 1e-9 of the largest.
 * Given: 2 <= count <= 1000000;  theta  ascending, 0 <= theta <= pi;  values  finite. */
ARMILLA_API armilla_status armilla_kernel_new_table(int64_t count, const double *theta,
                                                    const double *values, armilla_kernel **kernel);

/* NULL is allowed. */
ARMILLA_API void armilla_kernel_free(armilla_kernel *kernel);

/* Values of K(theta), without a cut at any support.
 * Given: count >= 0;  theta  count angles, 0 .. pi, in any order. Returned: values, count of them.
 * Errors: ARGUMENT, MEMORY. Error of a value: 1e-15 of the largest |K|. */
ARMILLA_API armilla_status armilla_kernel_values(const armilla_kernel *kernel, int64_t count,
                                                 const double *theta, double *values);

/* The window b_l of the kernel cut at `support`; with pi, that of the whole kernel.
 * Given: 0 < support <= pi;  0 <= lmax <= 1000000.  Returned: window, lmax + 1 values.
 * Errors: ARGUMENT, MEMORY. Error: 1e-13 of the largest. */
ARMILLA_API armilla_status armilla_kernel_window(const armilla_kernel *kernel, double support,
                                                 int64_t lmax, double *window);

/* What cutting the kernel at `support` does to a map: the rms of the change,
 *     sigma^2 = sum over l of (2 l + 1) / (4 pi) d_l^2 C_l,
 * d_l the window of what is cut off, over the rms of the whole convolved map,
 *     sum over l of (2 l + 1) / (4 pi) b_l^2 C_l.
 * Given: 0 < support <= pi;  cl  lmax + 1 values C_l >= 0, or NULL: C_l = 1 for all l, then lmax is
 * not used. Returned: *error, the ratio; 0 for a kernel that is 0.
 * Errors: ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_kernel_truncation_error(const armilla_kernel *kernel,
                                                           double support, int64_t lmax,
                                                           const double *cl, double *error);

/* The smallest support, to 1 %, with a truncation error of at most `error`; pi where there is none.
 * For a top hat it is the radius, for a table at most the last angle.
 * Given: 0 < error < 1;  lmax, cl  as above. Returned: *support. Errors: ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_kernel_choose_support(const armilla_kernel *kernel, double error,
                                                         int64_t lmax, const double *cl,
                                                         double *support);

#ifdef __cplusplus
}
#endif
#endif
