/* Spherical harmonic coefficients a_lm of real fields, m >= 0 only, interleaved (re, im) pairs.
 *
 * Triangular layout (healpy, HEALPix, DUCC): m-major, a_lm is complex number m (2 lmax + 1 - m) / 2
 * + l, 0 <= m <= mmax <= lmax, m <= l <= lmax. a_{l,-m} = (-1)^m conj(a_lm); the imaginary parts of
 * m = 0 are 0 (ignored on input). The Y_lm are orthonormal and have the Condon-Shortley sign. */
#ifndef ARMILLA_ALM_H
#define ARMILLA_ALM_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returned: number of complex coefficients; -1 if lmax < 0, mmax < 0, mmax > lmax or overflow. */
ARMILLA_API int64_t armilla_alm_size(int64_t lmax, int64_t mmax);

/* Returned: index of (l, m), or -1 outside 0 <= m <= l <= lmax. */
ARMILLA_API int64_t armilla_alm_index(int64_t lmax, int64_t l, int64_t m);

/* Given:    size  number of coefficients;  mmax  of the triangle, or negative: mmax = lmax.
 * Returned: lmax of the triangle; -1 if none has that size. */
ARMILLA_API int64_t armilla_alm_lmax(int64_t size, int64_t mmax);

/* --- Every mres-th order -----------------------------------------------------------------------
 */

/* Fields that repeat themselves mres times around the axis have the orders m = 0, mres, 2 mres, ...
 * mmax mres alone. Layout, that of SHTns: order by order, a_lm is complex number
 *     k (2 lmax + 2 - (k + 1) mres) / 2 + l,    m = k mres, 0 <= k <= mmax, m <= l <= lmax.
 * mres = 1 is the triangular layout. Reference: docs/mathematics.md (1.13). */

/* Returned: number of complex coefficients; -1 unless lmax >= 0, mmax >= 0, mres >= 1 and
 * mmax mres <= lmax, or on overflow. */
ARMILLA_API int64_t armilla_alm_size_mres(int64_t lmax, int64_t mmax, int64_t mres);

/* Returned: index of (l, m), or -1 outside 0 <= m <= l <= lmax and where m is no multiple of mres.
 */
ARMILLA_API int64_t armilla_alm_index_mres(int64_t lmax, int64_t l, int64_t m, int64_t mres);

/* --- Layouts: where a_lm is stored ----------------------------------------------------------- */

typedef struct armilla_alm_layout armilla_alm_layout;

/* Triangular layout.
 * Given:    0 <= mmax <= lmax <= 2^30.
 * Returned: *layout  new; free with armilla_alm_layout_free.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_alm_layout_new(int64_t lmax, int64_t mmax,
                                                  armilla_alm_layout **layout);

/* General layout: a_lm is the complex number with index mstart[m] + l * stride.
 * Given:    mstart  mmax + 1 values, copied;  stride != 0. All indices must be >= 0. Overlaps are
 *           not detected: where two (l, m) share a place, what a transform leaves there is
 *           undefined.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_alm_layout_new_custom(int64_t lmax, int64_t mmax,
                                                         const int64_t *mstart, int64_t stride,
                                                         armilla_alm_layout **layout);

/* Layout of every mres-th order, see above; armilla_alm_convert takes coefficients to and from
 * layouts of all orders.
 * Given:    mres >= 1;  mmax >= 0, mmax mres <= lmax <= 2^30.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_alm_layout_new_mres(int64_t lmax, int64_t mmax, int64_t mres,
                                                       armilla_alm_layout **layout);
ARMILLA_API void armilla_alm_layout_free(armilla_alm_layout *layout);

/* For layout = NULL the getters return -1. */
ARMILLA_API int64_t armilla_alm_layout_lmax(const armilla_alm_layout *layout);
ARMILLA_API int64_t armilla_alm_layout_mmax(const armilla_alm_layout *layout); /* of m / mres */
ARMILLA_API int64_t armilla_alm_layout_mres(const armilla_alm_layout *layout);

/* Returned: the number of complex numbers that an array needs (largest index + 1). */
ARMILLA_API int64_t armilla_alm_layout_size(const armilla_alm_layout *layout);

/* Returned: index of (l, m), or -1 outside the layout. */
ARMILLA_API int64_t armilla_alm_layout_index(const armilla_alm_layout *layout, int64_t l,
                                             int64_t m);

/* Copies coefficients between two layouts; the (l, m) that only target has become 0, those that
 * only source has are dropped.
 * Given:    source, alm_source (complex, size of source);  target.
 * Returned: alm_target  (complex, size of target); must not overlap alm_source.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_alm_convert(const armilla_alm_layout *source,
                                               const double *alm_source,
                                               const armilla_alm_layout *target,
                                               double *alm_target);

/* --- Real packing (libsharp 4.5) -------------------------------------------------------------- */

/* Coefficients of real harmonics, in which the inner product is the plain dot product: a_l0, then
 * sqrt(2) (Re, Im) of m > 0 (docs/mathematics.md (1.8)). Order: the triangular layout with the
 * m = 0 entries stored as one number: real[l] = a_l0, and for index i >= lmax + 1
 * real[2 i - (lmax + 1)], real[2 i - (lmax + 1) + 1].
 * Given:    alm   complex, size = armilla_alm_size(lmax, mmax).
 * Returned: real  2 size - (lmax + 1) doubles. Must not overlap alm.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_alm_to_real(int64_t lmax, int64_t mmax, const double *alm,
                                               double *real);
ARMILLA_API armilla_status armilla_alm_from_real(int64_t lmax, int64_t mmax, const double *real,
                                                 double *alm);

/* --- Arithmetic ------------------------------------------------------------------------------- */

/* alm[l, m] *= window[l] in place, triangular layout.
 * Given:    window  nwindow finite values, l = 0 .. nwindow - 1; degrees beyond become 0.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_alm_multiply_window(int64_t lmax, int64_t mmax, int64_t nwindow,
                                                       const double *window, double *alm);

/* Gaussian random coefficients with the spectrum cl: <|a_lm|^2> = cl[l]. Each value depends only on
 * (seed, field, l, m): another lmax, mmax or thread count leaves the common modes unchanged.
 * Given:    ncl values of cl (>= 0, unit^2); degrees beyond them get 0;  seed, field any.
 * Returned: alm  triangular layout.
 * Errors:   ARGUMENT (names l of a negative or NaN value).
 * Notes:    the generator is the counter-based Philox4x32-10, followed by Box-Muller. */
ARMILLA_API armilla_status armilla_alm_random(int64_t lmax, int64_t mmax, int64_t ncl,
                                              const double *cl, uint64_t seed, uint64_t field,
                                              double *alm);

/* Gaussian random coefficients of several correlated fields, such as T, E and B:
 * <a^i_lm conj(a^j_lm)> = cl[i][j][l].
 * Given:    nfields  1 to 64;
 *           cl  [nfields][nfields][ncl], where degrees from ncl on get 0 and only j <= i is read.
 *           For every l the matrix must be positive semidefinite to 1e-5;
 *           seed  any.
 * Returned: alm  [nfields][size], triangular layout. Field 0 is the one that armilla_alm_random
 *           makes with field = 0 and the spectrum cl[0][0].
 * Errors:   ARGUMENT (names l and the field), MEMORY.
 * Reference: docs/mathematics.md (9.6). */
ARMILLA_API armilla_status armilla_alm_random_correlated(int64_t lmax, int64_t mmax,
                                                         int64_t nfields, int64_t ncl,
                                                         const double *cl, uint64_t seed,
                                                         double *alm);

/* --- Derivatives, triangular layout ----------------------------------------------------------- */

/* What is done about degree 0 where a number would have to be divided by l (l + 1): of vorticity
 * and divergence, whose mean over a closed surface is 0, and of what the inverse Laplacian is
 * applied to. ERROR refuses it where |a_00| is above 1e-5 (of floats 1e-3) of the norm of all
 * coefficients of degrees above 0, of vorticity and divergence together; what is smaller is
 * rounding. Degree 0 plays no other part. */
typedef enum armilla_mean { ARMILLA_MEAN_ERROR = 0, ARMILLA_MEAN_IGNORE = 1 } armilla_mean;

/* The Laplacian on the sphere: a_lm *= -l (l + 1) / radius^2, in place.
 * Given:    1e-140 <= radius <= 1e140.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_alm_apply_laplacian(int64_t lmax, int64_t mmax, double radius,
                                                       double *alm);

/* Its inverse: a_lm *= -radius^2 / (l (l + 1)), in place; a_00 becomes 0.
 * Given:    1e-140 <= radius <= 1e140;  mean  what is done about a_00.
 * Errors:   ARGUMENT (also where mean is ERROR and a_00 is not 0); alm is then untouched. */
ARMILLA_API armilla_status armilla_alm_invert_laplacian(int64_t lmax, int64_t mmax, double radius,
                                                        armilla_mean mean, double *alm);

/* The derivative in longitude, d/dphi: a_lm *= i m, in place. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_alm_derive_phi(int64_t lmax, int64_t mmax, double *alm);

/* The product of the field with cos(theta), whose degrees reach up to lmax + 1.
 * Given:    alm  of lmax, mmax;  mmax <= result_lmax <= lmax + 1. With lmax + 1 the result is the
 *           whole product; with less, what is above result_lmax is cut off, as SHTns cuts at lmax
 *           (mul_ct_matrix).
 * Returned: result  of result_lmax, mmax; must not overlap alm.
 * Errors:   ARGUMENT.
 * Notes:    the adjoint of (lmax -> result_lmax) is the same operator (result_lmax -> lmax), where
 *           lmax <= result_lmax + 1. */
ARMILLA_API armilla_status armilla_alm_multiply_cos_theta(int64_t lmax, int64_t mmax,
                                                          const double *alm, int64_t result_lmax,
                                                          double *result);

/* sin(theta) d/dtheta of the field, whose degrees reach up to lmax + 1: as
 * armilla_alm_multiply_cos_theta (SHTns: st_dt_matrix).
 * Notes:    on the sphere the adjoint of sin(theta) d/dtheta is -sin(theta) d/dtheta -
 *           2 cos(theta). */
ARMILLA_API armilla_status armilla_alm_derive_theta(int64_t lmax, int64_t mmax, const double *alm,
                                                    int64_t result_lmax, double *result);

#ifdef __cplusplus
}
#endif
#endif
