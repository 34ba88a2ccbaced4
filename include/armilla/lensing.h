/* Weak lensing: fields as seen in directions that a deflection field has moved.
 *
 *   operator    meaning
 *   alm2lenmap  alm -> lensed map:  f~(n) = exp(i s gamma) f(n')
 *   adjoint     lensed map -> alm, its transpose, no weights
 *   distortion  deflection -> convergence, shear, rotation
 *
 * n' is the end of the geodesic that leaves n in the direction of the deflection (alpha_theta,
 * alpha_phi) and is as long as the deflection, which is a field of spin 1, in radians. gamma is the
 * angle by which the geodesic's course turns against the local frames (e_theta, e_phi): the value
 * of a field of spin s is carried back along the geodesic without turning. Signs are those of
 * HEALPix, ducc0 and lenspyx.
 *
 * Arrays: alm as in armilla/sht.h, map[ntrans][ncomp][npix] on the grid.
 *
 * On a GPU (options->device = ARMILLA_CUDA; so far tried on an emulated one only): a plan makes its
 * deflection, the directions and the points there, from coefficients in the memory of the host or
 * the GPU (whatever writes them need not have been waited for), and belongs to the calling thread's
 * current device; both operators take arrays of either (armilla/device.h). With arrays of the GPU
 * no number of a call is on the host. distortion and lensing over ranks run on the processor.
 *
 * Several GPUs (options->devices) share lensed maps as they share points (armilla/points.h): the
 * first one makes the directions, from coefficients in the memory of the host or its own, and each
 * has those of its bands and turns their values. The plan keeps all directions on the host, 24
 * bytes a pixel, and 8 more where places of the map are no pixels. Bits are those of one GPU.
 * Arrays are in host memory: those of a GPU, exec->memory = DEVICE and exec->stream are ARGUMENT.
 *
 * Thread rule: a plan is immutable; any number of threads may execute it at once. */
#ifndef ARMILLA_LENSING_H
#define ARMILLA_LENSING_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_lensing armilla_lensing;

/* --- Geometry ----------------------------------------------------------------------------------
 */

/* Moves directions along geodesics.
 * Given:    npoints >= 0;  points  [npoints][2]: colatitude theta, 0 .. pi, and longitude phi, any
 *           finite number, radians;  deflection  [2][npoints]: alpha_theta, then alpha_phi, finite,
 *           radians;  nthreads as in armilla_exec.
 * Returned: deflected  [npoints][2]: theta' is within 0 .. pi; phi' is within 0 .. 2 pi where phi
 *           is, and otherwise within pi of phi. It may be points itself.
 *           gamma  [npoints], within -pi .. pi, or NULL.
 * Errors:   ARGUMENT (names the first point that is wrong).
 * Notes:    one form serves all lengths and places, poles and antipodes included: theta' is right
 *           to 7e-16, the direction to 1.5e-15, and a vector turned by gamma to 2e-15. A deflection
 *           of 0 returns theta and phi as they are. Reference: docs/mathematics.md (7.3) to (7.6).
 */
ARMILLA_API armilla_status armilla_lensing_deflect(int64_t npoints, const double *points,
                                                   const double *deflection, int nthreads,
                                                   double *deflected, double *gamma);

/* --- Deflections -------------------------------------------------------------------------------
 */

/* What the coefficients of a deflection field are. The library supplies the factors of l (l + 1).
 */
typedef enum armilla_deflection_kind {
    /* of the potentials phi and Omega: alpha = grad phi + curl Omega, in components
     * (d phi / d theta - d Omega / d phi / sin theta, d phi / d phi / sin theta + d Omega / d
     * theta) */
    ARMILLA_DEFLECTION_POTENTIAL = 0,
    /* gradient and curl parts of the field of spin 1: sqrt(l (l + 1)) times the potentials'
     * (lenspyx' dlm) */
    ARMILLA_DEFLECTION_VECTOR = 1,
    /* none: the deflection of each pixel is given, in `map`. For plans on one process alone */
    ARMILLA_DEFLECTION_MAP = 2
} armilla_deflection_kind;

/* A deflection field. Fill with armilla_deflection_init, then change fields. */
typedef struct armilla_deflection {
    size_t size;            /* sizeof(armilla_deflection), set by _init */
    int64_t lmax, mmax;     /* of gradient and curl; 0 <= mmax <= lmax; MAP: not looked at */
    const double *gradient; /* alm, triangular; phi or its vector field; MAP: NULL */
    const double *curl;     /* alm, triangular; Omega or its vector field; NULL: none */
    armilla_deflection_kind kind;
    int nthreads;      /* that make the plan, as in armilla_exec */
    const double *map; /* MAP: [2][npix] of the plan's grid, alpha_theta and alpha_phi, radians;
                          only pixels of the grid's rings are read; else NULL */
} armilla_deflection;

ARMILLA_API void armilla_deflection_init_sized(armilla_deflection *deflection, size_t size);
#define armilla_deflection_init(deflection)                                                        \
    armilla_deflection_init_sized(deflection, sizeof(armilla_deflection))

/* --- Distortion --------------------------------------------------------------------------------
 */

typedef enum armilla_distortion_kind {
    /* derivatives of alpha: A_ij = delta_ij + (covariant derivative along e_j of alpha_i), linear
     * in the coefficients: kappa = -div alpha / 2, omega = -rot alpha / 2 */
    ARMILLA_DISTORTION_LINEAR = 0,
    /* derivatives of n': A_ij is the step of n' along the frame's e_i, carried along the geodesic,
       for a step of n along e_j. det A tells how much larger areas are at n', whatever the length
       of alpha; its mean over the sky is 1. */
    ARMILLA_DISTORTION_EXACT = 1
} armilla_distortion_kind;

/* How a deflection magnifies, shears and turns what is seen: in the frame (e_theta, e_phi),
 *
 *     A = ( 1 - kappa - gamma1    omega - gamma2      )
 *         ( -omega - gamma2       1 - kappa + gamma1  )
 *
 * Given:    grid;  deflection, with threads;  kind.
 * Returned: map  [4][npix]: kappa, gamma1, gamma2, omega. Only pixels of the grid's rings are
 *           written.
 * Errors:   ARGUMENT, MEMORY; map is then undefined; UNSUPPORTED (ARMILLA_DEFLECTION_MAP, whose
 *           derivatives are not known).
 * Notes:    for potentials, LINEAR is kappa_lm = l (l + 1) phi_lm / 2, omega_lm = l (l + 1)
 *           Omega_lm / 2, and a field (gamma1, gamma2) of spin 2. Reference: docs/mathematics.md
 *           (7.7), (7.8). */
ARMILLA_API armilla_status armilla_lensing_distortion(const armilla_grid *grid,
                                                      const armilla_deflection *deflection,
                                                      armilla_distortion_kind kind, double *map);

/* --- Plans -------------------------------------------------------------------------------------
 */

/* Makes a plan, which holds the deflected direction of each pixel, sorted, and no coefficients.
 * Given:    grid;  deflection;  0 <= mmax <= lmax of the fields to be lensed;  options  spin,
 *           epsilon and the rest, as for points (the promise of armilla/points.h is for the field
 *           before it is lensed), or NULL for the defaults; options->device_bytes also bounds what
 *           the deflection's transform takes; options->points_memory must be left as it is.
 * Returned: *lensing  new; free with armilla_lensing_free.
 * Errors:   ARGUMENT (names the first pixel whose deflection is not finite, or is ARMILLA_UNSEEN),
 *           MEMORY, UNSUPPORTED (isa; a GPU that cannot be used).
 * Notes:    on a GPU directions take 24 bytes a pixel beside what points take, and 16 bytes more
 *           while the plan is made; with several GPUs they take so many on the first one while the
 *           plan is made, and 8 on each for its own pixels later, if the fields have a spin. */
ARMILLA_API armilla_status armilla_lensing_new(const armilla_grid *grid,
                                               const armilla_deflection *deflection, int64_t lmax,
                                               int64_t mmax, const armilla_points_options *options,
                                               armilla_lensing **lensing);

/* Makes a plan for the same deflection on the same grid and other fields (polarisation besides
 * temperature). What does not depend on the fields is shared with `lensing`, which may be freed
 * before or after; options->device must be that of `lensing`, and options->devices its list or
 * NULL, which stands for it. */
ARMILLA_API armilla_status armilla_lensing_new_beside(const armilla_lensing *lensing, int64_t lmax,
                                                      int64_t mmax,
                                                      const armilla_points_options *options,
                                                      armilla_lensing **result);
ARMILLA_API void armilla_lensing_free(armilla_lensing *lensing);

/* The deflected directions of a plan.
 * Given:    lensing;  points  [npix][2], gamma  [npix], with the grid's npix. Either may be NULL.
 * Returned: at the places of the grid's pixels, what armilla_lensing_deflect returns for them;
 *           other places are left as they are. Arrays are of the host. Errors: ARGUMENT; of a plan
 *           on a GPU also MEMORY, UNSUPPORTED. */
ARMILLA_API armilla_status armilla_lensing_angles(const armilla_lensing *lensing, double *points,
                                                  double *gamma);

/* Given:    lensing;  the input array;  exec or NULL.
 * Returned: the output array; of a map only the pixels of the grid's rings are written, or read.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (the output is then undefined), UNSUPPORTED (on a GPU
 *           what armilla/points.h says but for exec->missing, which is that of armilla/sht.h).
 *           Inputs are never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap. */
ARMILLA_API armilla_status armilla_lensing_alm2lenmap(const armilla_lensing *lensing,
                                                      const double *alm, double *map,
                                                      const armilla_exec *exec);
ARMILLA_API armilla_status armilla_lensing_adjoint(const armilla_lensing *lensing,
                                                   const double *map, double *alm,
                                                   const armilla_exec *exec);

/* Tells what will run, as armilla_points_describe does for the points; plan_bytes, or on a GPU
 * device_plan_bytes, includes the directions.
 * Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_lensing_describe(const armilla_lensing *lensing, int nthreads,
                                                    armilla_points_description *description);

#ifdef __cplusplus
}
#endif
#endif
