/* Convolution of maps, pixel by pixel, with kernels that are not symmetric: sums of radial kernels
 * at offsets from a centre, on any ring grid.
 *
 *     s_p = sum over kernels j of  weight_j  sum over pixels q of  w_q K_j(angle(p_j, q)) map_q
 *     p_j = R_z(phi_p) R_y(theta_p) R_z(psi_p) offset_j
 *
 * The sum of kernels is a beam, which looks along the z axis in its own frame; it is taken to each
 * pixel and turned by psi about its axis, as armilla/beams.h says. psi is the same for all pixels
 * of a ring: with 0 everywhere the beam's x axis looks south. w_q is the quadrature weight of the
 * pixel. Each K_j is cut at a support of its own, and the sums are exact to rounding: a finite
 * value farther from p_j than the support of K_j for every j has no influence at all, and there is
 * no ringing. Coefficients of the beam are armilla_beam_sum_of_kernels with the windows of the
 * kernels.
 *
 * Work and memory: a convolution of armilla/radial.h by the method PIXELS for each kernel, and one
 * map more for each of up to four maps that go together.
 *
 * Thread rule: a plan is immutable; any number of threads may execute it at once. */
#ifndef ARMILLA_ASYMMETRIC_H
#define ARMILLA_ASYMMETRIC_H

#include "radial.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_asymmetric armilla_asymmetric;

/* Makes a plan.
 * Given:    grid, kernels[nkernels] (copied), nkernels >= 1;  offsets  [nkernels][2], colatitude,
 *           0 .. pi, and longitude of the centre of each kernel in the frame of the beam, radians
 *           (a kernel at colatitude 0 is not displaced: its longitude and psi play no part);
 *           weights  [nkernels], finite;  psi  [nrings of the grid], radians, finite, or NULL: 0;
 *           options  or NULL for the defaults: support, truncation_error, normalization and isa,
 *           which hold for each kernel by itself.
 * Returned: *plan  new; free with armilla_asymmetric_free.
 * Errors:   as armilla_radial_new; ARGUMENT also for the mode STANDARD, the method RINGS and
 *           spin 2; UNSUPPORTED for grids in NESTED order and for GPUs. */
ARMILLA_API armilla_status armilla_asymmetric_new(const armilla_grid *grid, int64_t nkernels,
                                                  const armilla_kernel *const *kernels,
                                                  const double *offsets, const double *weights,
                                                  const double *psi,
                                                  const armilla_radial_options *options,
                                                  armilla_asymmetric **plan);
ARMILLA_API void armilla_asymmetric_free(armilla_asymmetric *plan);

/* The convolution, and its adjoint in the inner product <map, map'> = sum over pixels.
 * Given:    plan;  map[ntrans][npix];  exec or NULL, as for armilla_radial_convolve.
 * Returned: out, the same shape and distances; only the pixels of the grid's rings are written.
 * Errors:   ARGUMENT: nothing is written; MEMORY, CANCELLED: out is then undefined, as a later
 *           kernel may fail after the first has written. map is never written.
 * Notes:    results do not depend on nthreads. map and out must not overlap. Calls of floats round
 *           the part of each kernel, and the sum after it: the error is about 6e-8 of the sum over
 *           j of |weight_j part_j|, which may be more than |s| where parts cancel. */
ARMILLA_API armilla_status armilla_asymmetric_convolve(const armilla_asymmetric *plan,
                                                       const double *map, double *out,
                                                       const armilla_exec *exec);
ARMILLA_API armilla_status armilla_asymmetric_convolve_float(const armilla_asymmetric *plan,
                                                             const float *map, float *out,
                                                             const armilla_exec *exec);
ARMILLA_API armilla_status armilla_asymmetric_adjoint(const armilla_asymmetric *plan,
                                                      const double *map, double *out,
                                                      const armilla_exec *exec);
ARMILLA_API armilla_status armilla_asymmetric_adjoint_float(const armilla_asymmetric *plan,
                                                            const float *map, float *out,
                                                            const armilla_exec *exec);

typedef struct armilla_asymmetric_description {
    size_t size;     /* sizeof(armilla_asymmetric_description), set by the caller */
    const char *isa; /* "avx512", ... */
    int64_t nkernels;
    double support;          /* the largest, radians */
    double truncation_error; /* the largest of a kernel, see armilla_kernel_truncation_error */
    double width;            /* the least, radians: where |K| first falls to half of K(0) */
    double pixel;            /* sqrt of the mean solid angle of a pixel, radians */
    int64_t nrings, npix;
    int64_t pairs;           /* products of a kernel value and a pixel of one convolution */
    int64_t plan_bytes;      /* memory the plan holds */
    int64_t workspace_bytes; /* memory a call of one map of doubles allocates */
} armilla_asymmetric_description;

/* Given:    plan;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_asymmetric_describe(const armilla_asymmetric *plan, int nthreads,
                                                       armilla_asymmetric_description *description);

#ifdef __cplusplus
}
#endif
#endif
