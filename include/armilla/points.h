/* Spherical harmonic transforms to and from arbitrary points.
 *
 *   operator              matrix   meaning
 *   synthesis             Y        alm -> values at the points
 *   adjoint_synthesis     Y^T      values -> alm, no weights
 *
 * Y_im = harmonic m at point i; the adjoint is meant as in armilla/sht.h. Values come through an
 * interpolation whose relative error, in the norm of all values, is below options->epsilon; the
 * adjoint is that of the interpolation itself, to rounding, whatever epsilon is.
 *
 * Arrays: alm as in armilla/sht.h; values[ntrans][ncomp][npoints]; components, modes and signs are
 * those of armilla/sht.h, in the local frame (e_theta, e_phi) of each point. At a pole the frame is
 * that of the meridian phi.
 *
 * Thread rule: a plan is immutable; any number of threads may execute it at once. */
#ifndef ARMILLA_POINTS_H
#define ARMILLA_POINTS_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_points armilla_points;

/* Options of a plan. Fill with armilla_points_options_init, then change fields. */
typedef struct armilla_points_options {
    size_t size;                      /* sizeof(armilla_points_options), set by _init */
    int64_t spin;                     /* |spin| <= lmax; default 0 */
    const armilla_alm_layout *layout; /* as in armilla_sht_options */
    const char *isa;                  /* as in armilla_sht_options */
    armilla_sht_mode mode;
    armilla_sht_spin_method spin_method;
    double epsilon; /* largest |values - exact| / |exact|, 1e-13 to 0.1; default 1e-7 */
} armilla_points_options;

ARMILLA_API void armilla_points_options_init(armilla_points_options *options);

/* Makes a plan, and sorts the points. It keeps the workspace of its last call for the next.
 * Given:    0 <= mmax <= lmax;  npoints >= 0;  points  [npoints][2]: colatitude theta, 0 .. pi, and
 *           longitude phi, any finite number, radians;  options or NULL for the defaults.
 * Returned: *plan  new; free with armilla_points_free.
 * Errors:   ARGUMENT (names the first point that is wrong), MEMORY, UNSUPPORTED (isa). */
ARMILLA_API armilla_status armilla_points_new(int64_t lmax, int64_t mmax, int64_t npoints,
                                              const double *points,
                                              const armilla_points_options *options,
                                              armilla_points **plan);

/* The same for other points: what does not depend on them is shared with `plan`, which may be freed
 * before or after. */
ARMILLA_API armilla_status armilla_points_new_beside(const armilla_points *plan, int64_t npoints,
                                                     const double *points, armilla_points **result);
ARMILLA_API void armilla_points_free(armilla_points *plan);

/* Given:    plan;  the input array;  exec or NULL (map_distance is that of values).
 * Returned: the output array.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (the output is then undefined). Inputs are never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap. */
ARMILLA_API armilla_status armilla_points_synthesis(const armilla_points *plan, const double *alm,
                                                    double *values, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_points_adjoint_synthesis(const armilla_points *plan,
                                                            const double *values, double *alm,
                                                            const armilla_exec *exec);
ARMILLA_API armilla_status armilla_points_synthesis_float(const armilla_points *plan,
                                                          const float *alm, float *values,
                                                          const armilla_exec *exec);
ARMILLA_API armilla_status armilla_points_adjoint_synthesis_float(const armilla_points *plan,
                                                                  const float *values, float *alm,
                                                                  const armilla_exec *exec);

typedef struct armilla_points_description {
    size_t size;     /* sizeof(armilla_points_description), set by the caller */
    const char *isa; /* "avx512", ... */
    int64_t lmax, mmax, npoints, ncomp, alm_ncomp, alm_size;
    double epsilon;
    int64_t nrings, nphi;    /* of the grid that values are interpolated from */
    int64_t taps;            /* width of the interpolation, samples */
    int64_t plan_bytes;      /* memory the plan holds */
    int64_t workspace_bytes; /* memory a call allocates with nthreads threads */
} armilla_points_description;

/* Given:    plan;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_points_describe(const armilla_points *plan, int nthreads,
                                                   armilla_points_description *description);

#ifdef __cplusplus
}
#endif
#endif
