/* Spherical harmonic transforms to and from arbitrary points.
 *
 *   operator              matrix   meaning
 *   synthesis             Y        alm -> values at the points
 *   adjoint_synthesis     Y^T      values -> alm, no weights
 *   pseudo_analysis                values -> alm by iteration: least squares
 *
 * Y_im = harmonic m at point i; the adjoint is meant as in armilla/sht.h. Values come from an
 * interpolation; the adjoint is that of the interpolation itself, to rounding, whatever epsilon is.
 *
 * The promise of options->epsilon: wherever the points are,
 *
 *   rms of (values - exact), over all values  <=  E  rms of the field over the sphere
 *   E = max(epsilon, 2e-16 (lmax + 10))       (floats: rounded themselves as well, 6e-8)
 *
 * where the rms over the sphere is that of a component, which at random points is the rms of the
 * values, too. It holds for random fields with any spectrum. A field that is concentrated at the
 * points has larger values there, and its error is E times the larger rms of both. Likewise the
 * adjoint is off, in the norm of its result, by at most E times the larger one of that norm and
 * (lmax + 1) / sqrt(4 pi) |values|, the norm that random values have on average for each component.
 *
 * With options->upsampling, epsilon is what that upsampling reaches with its taps, which is no more
 * than options->epsilon, and which armilla_points_describe tells:
 *
 *   4 / c exp(-pi sqrt(1 - 1 / upsampling) (taps - 1/2)),   at least 1e-13,
 *
 * c = 1.5 for many points all over the sky if lmax >= 20, else 0.4; docs/mathematics.md (7.3).
 * Choices that do not reach options->epsilon are refused.
 *
 * Arrays: alm as in armilla/sht.h; values[ntrans][ncomp][npoints]; components, modes and signs are
 * those of armilla/sht.h, in the local frame (e_theta, e_phi) of each point. At a pole it is the
 * frame of the meridian phi. In all headers an angle "0 .. pi" may be as large as the float nearest
 * to pi, 3.14159274, which is taken as pi.
 *
 * On a GPU (options->device = ARMILLA_CUDA; so far tried on an emulated one only): synthesis and
 * adjoint_synthesis run there, on arrays of the host or of the GPU (armilla/device.h); the plan
 * belongs to the calling thread's current device, and its points may be in the memory of either,
 * where whatever writes them need not have been waited for. A call takes, whatever
 * options->device_bytes says, 32 bytes for each order and pair of rings of each component, the
 * samples of two bands of 16 rings on both hemispheres, and what one order and one column of
 * the stages need. Values without a plan and plans over ranks are computed on the processor only:
 * UNSUPPORTED.
 *
 * Several GPUs (options->devices) share each transform: neighbouring bands of 16 rings, and the
 * points there, belong to one GPU, so that a plan holds each point on one of them, or two. All of
 * them make the spectra of all rings; of the adjoint, the first one makes the coefficients. Bits
 * are those of one GPU. GPUs beyond the bands there are have nothing to do. Points and arrays are
 * in host memory; what else armilla/device.h says of several GPUs holds here, too.
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
    double epsilon;        /* the accuracy, see above; 1e-13 to 0.1; default 1e-7 */
    int64_t derivatives;   /* of armilla_points_evaluate, see there; 0 in a plan; default 0 */
    int nthreads;          /* that make a plan, as in armilla_exec; default 0 (all) */
    armilla_device device; /* default ARMILLA_CPU; ARMILLA_CUDA: the plan is on a GPU, see below */
    int64_t device_bytes;  /* about how many bytes of the device a call may take besides the arrays;
                              what is needed in any case is said below; 0, the default: what one
                              transform needs where nothing goes piece by piece, if that is in half
                              of what is free on the GPU when the plan is made and in a quarter of
                              its memory; at least twice the bytes of alm and values, and 512 MiB */
    armilla_memory points_memory; /* of a plan on a GPU: where points are; default
                                     ARMILLA_MEMORY_ASK: the driver is asked */
    const int *devices; /* with device = ARMILLA_CUDA: the numbers of the GPUs that share the plan,
                           each once, see below; copied; NULL, the default: the current one */
    int64_t ndevices;   /* how many; default 0 */
    int delegate;       /* not 0: with device = ARMILLA_CUDA the host runs what GPUs do not offer:
                           values without a plan, plans over ranks (armilla/device.h); default 0:
                           they are UNSUPPORTED */
    double upsampling;  /* 1.1 to 3: samples that values are interpolated from, over those that the
                           band limit asks for, at least, for lengths that are fast to transform
                           are taken; default 0: chosen together with taps */
    int64_t taps;       /* 2 to 16: samples that a point sees along each axis; default 0: chosen, as
                           few as reach epsilon if upsampling is given */
} armilla_points_options;

ARMILLA_API void armilla_points_options_init_sized(armilla_points_options *options, size_t size);
#define armilla_points_options_init(options)                                                       \
    armilla_points_options_init_sized(options, sizeof(armilla_points_options))

/* Makes a plan, and sorts the points. Colatitudes and orders that no point needs are left out, so
 * that points in a cap or a band of the sky cost what these do. It keeps the workspace of its last
 * call for the next.
 * Given:    0 <= mmax <= lmax;  npoints >= 0;  points  [npoints][2]: colatitude theta, 0 .. pi, and
 *           longitude phi, any finite number, radians;  options or NULL for the defaults.
 * Returned: *plan  new; free with armilla_points_free.
 * Errors:   ARGUMENT (names the first point that is wrong; upsampling and taps that do not reach
 *           epsilon), MEMORY, UNSUPPORTED (isa).
 * Notes:    the plan does not depend on options->nthreads. While it is made, it takes 4 bytes a
 *           point more and, each thread, 20 for each point of the fullest band of rings. */
ARMILLA_API armilla_status armilla_points_new(int64_t lmax, int64_t mmax, int64_t npoints,
                                              const double *points,
                                              const armilla_points_options *options,
                                              armilla_points **plan);

/* The same for other points: what does not depend on them is shared with `plan`, which may be freed
 * before or after. Points outside of the cap or band of `plan`, or in a much smaller one, share
 * nothing with it. The number of threads is that of `plan`. */
ARMILLA_API armilla_status armilla_points_new_beside(const armilla_points *plan, int64_t npoints,
                                                     const double *points, armilla_points **result);
ARMILLA_API void armilla_points_free(armilla_points *plan);

/* Given:    plan;  the input array;  exec or NULL (map_distance is the distance of values).
 * Returned: the output array.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (the output is then undefined), UNSUPPORTED (the adjoint
 *           with exec->missing). Inputs are never written.
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

/* Coefficients that fit values best: min |Y a - values| by LSMR. Options, weights (of points, in
 * the caller's sequence), guess and report are those of armilla/sht.h, with points for pixels;
 * since there is no quadrature, the method must be ARMILLA_PSEUDO_LSMR. Y is that of the plan:
 * where the values belong to a band-limited field, a is off by about epsilon times the condition of
 * Y, whatever the tolerance is, so that a tolerance below epsilon / 10 gains nothing.
 * Given:    plan;  values;  options, exec or NULL.
 * Returned: alm;  reports  one per transform, or NULL.
 * Errors:   as armilla_sht_pseudo_analysis. Reaching the limit of iterations is no error. */
ARMILLA_API armilla_status armilla_points_pseudo_analysis(const armilla_points *plan,
                                                          const double *values, double *alm,
                                                          const armilla_pseudo_options *options,
                                                          armilla_pseudo_report *reports,
                                                          const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_points_pseudo_analysis_float(const armilla_points *plan, const float *values, float *alm,
                                     const armilla_pseudo_options *options,
                                     armilla_pseudo_report *reports, const armilla_exec *exec);

/* --- A few points, without a plan --------------------------------------------------------------
 */

/* Sums the harmonics at each point, exact to rounding, also at the poles; the epsilon of the
 * options plays no part. Points of one colatitude share the work, and so do points of its mirror
 * image: a parallel with many phi takes about as long as one point. armilla_points_few says where
 * this is faster than a plan; it takes time in proportion to the colatitudes, and memory of at most
 * 64 MB or what 128 colatitudes need, whichever is more.
 *
 * options->derivatives  components of values, in the local frame, covariant (D):
 *     0    the components of a plan
 *     1    f, D_t f, D_p f of a scalar:      values, df/dtheta, df/dphi / sin theta;
 *          Q, U, D_t Q, D_t U, D_p Q, D_p U of a field of spin s:  D_t = d/dtheta, and
 *          D_p (Q + i U) = (d/dphi / sin theta + i s cot theta) (Q + i U)
 *     2    f, D_t f, D_p f, D_t D_t f, D_t D_p f, D_p D_p f of a scalar only
 *
 * Given:    as for armilla_points_new and the operators; options, exec or NULL.
 * Returned: values  [ntrans][1, 2, 3 or 6 components][npoints]; or, of the adjoint, alm.
 * Errors:   ARGUMENT (names the first point that is wrong), MEMORY, UNSUPPORTED (isa), CANCELLED
 *           (the output is then undefined).
 * Notes:    results do not depend on nthreads. Input and output must not overlap. */
ARMILLA_API armilla_status armilla_points_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
                                                   const double *points,
                                                   const armilla_points_options *options,
                                                   const double *alm, double *values,
                                                   const armilla_exec *exec);
ARMILLA_API armilla_status armilla_points_evaluate_float(int64_t lmax, int64_t mmax,
                                                         int64_t npoints, const double *points,
                                                         const armilla_points_options *options,
                                                         const float *alm, float *values,
                                                         const armilla_exec *exec);
ARMILLA_API armilla_status armilla_points_adjoint_evaluate(int64_t lmax, int64_t mmax,
                                                           int64_t npoints, const double *points,
                                                           const armilla_points_options *options,
                                                           const double *values, double *alm,
                                                           const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_points_adjoint_evaluate_float(int64_t lmax, int64_t mmax, int64_t npoints,
                                      const double *points, const armilla_points_options *options,
                                      const float *values, float *alm, const armilla_exec *exec);

/* Are the points so few that armilla_points_evaluate takes less time than a plan that is made for
 * one transform? An estimate, from the band limit, spin and epsilon, and the colatitudes.
 * Returned: *few  1 or 0.  Errors: as above. */
ARMILLA_API armilla_status armilla_points_few(int64_t lmax, int64_t mmax, int64_t npoints,
                                              const double *points,
                                              const armilla_points_options *options, int *few);

/* --- Values of maps between their pixels -------------------------------------------------------
 */

typedef struct armilla_interpolation_options {
    size_t size;            /* sizeof(armilla_interpolation_options), set by _init */
    int64_t lmax, mmax;     /* of the map; default -1: lmax = armilla_grid_exact_lmax, without which
                               it must be given; mmax = lmax, or (nphi - 1) / 2 if that is less and
                               the rule is exact */
    int64_t spin;           /* of any sign; default 0 */
    int64_t derivatives;    /* as in armilla_points_options; default 0 */
    int64_t max_iterations; /* of least squares; default 100 */
    double epsilon;         /* 1e-13 to 0.1; default 1e-7 */
    const char *isa;        /* as in armilla_sht_options */
} armilla_interpolation_options;

ARMILLA_API void armilla_interpolation_options_init_sized(armilla_interpolation_options *options,
                                                          size_t size);
#define armilla_interpolation_options_init(options)                                                \
    armilla_interpolation_options_init_sized(options, sizeof(armilla_interpolation_options))

/* Gives values, and derivatives, at points of the band-limited field that a map samples: it
 * computes the coefficients, then calls armilla_points_evaluate where points are few or derivatives
 * are wanted, and otherwise uses a plan. A call therefore costs an analysis and a synthesis of the
 * band limit, however few the points are; to ask the same map again, keep its coefficients.
 *
 * The coefficients come from the grid's exact rule, to rounding, if lmax <=
 * armilla_grid_exact_lmax_for(grid, mmax). Otherwise they come from least squares (LSMR, tolerance
 * epsilon / 10), which takes some ten such pairs of transforms on HEALPix for lmax <= 2 nside;
 * beyond 2.5 nside it takes more and is less accurate. A map with degrees above lmax, or with steps
 * and holes, is no such field: what is evaluated is its fit.
 *
 * Given:    map  [ntrans][1 or 2 components][armilla_grid_npix];  points as in armilla_points_new;
 *           options, exec or NULL; distances of exec must be 0.
 * Returned: values  [ntrans][components][npoints], with the components of
 *           armilla_points_evaluate;  reports  one per transform, or NULL: of the iteration; of an
 *           exact rule stop = RESIDUAL, and 0.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED, CANCELLED. Reaching the limit of iterations is no error:
 *           see the reports. */
ARMILLA_API armilla_status armilla_points_interpolate(const armilla_grid *grid, const double *map,
                                                      int64_t npoints, const double *points,
                                                      const armilla_interpolation_options *options,
                                                      double *values,
                                                      armilla_pseudo_report *reports,
                                                      const armilla_exec *exec);
ARMILLA_API armilla_status armilla_points_interpolate_float(
    const armilla_grid *grid, const float *map, int64_t npoints, const double *points,
    const armilla_interpolation_options *options, float *values, armilla_pseudo_report *reports,
    const armilla_exec *exec);

typedef struct armilla_points_description {
    size_t size;     /* sizeof(armilla_points_description), set by the caller */
    const char *isa; /* "avx512", ... */
    int64_t lmax, mmax, npoints, ncomp, alm_ncomp, alm_size;
    double epsilon;                 /* the accuracy that is kept, see above */
    int64_t nrings, nphi;           /* of the grid that values are interpolated from */
    int64_t taps;                   /* width of the interpolation, samples */
    int64_t plan_bytes;             /* memory the plan holds */
    int64_t workspace_bytes;        /* memory a call allocates with nthreads threads */
    double north, south;            /* colatitudes between which this grid has rings */
    int64_t near_rings;             /* on which Legendre functions are computed */
    int64_t highest_order;          /* that the points need; 0 .. mmax */
    const char *backend;            /* "cpu" or "cuda" */
    int64_t device_plan_bytes;      /* of a GPU: what the plan holds, the sorted points included */
    int64_t device_workspace_bytes; /* what a call takes there, ntrans = 1, without host arrays */
} armilla_points_description;

/* Given:    plan;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_points_describe(const armilla_points *plan, int nthreads,
                                                   armilla_points_description *description);

/* Tells the choices of a plan, one after the other: how finely the sphere is sampled for the
 * points, what is left out, what the stages between coefficients and samples have chosen, and why.
 * docs/ways.md has a row for each. Given: plan;  take  is called with data and each choice.
 * Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_points_explain(const armilla_points *plan,
                                                  armilla_choice_fn take, void *data);

#ifdef __cplusplus
}
#endif
#endif
