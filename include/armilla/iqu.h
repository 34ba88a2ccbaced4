/* Transforms of polarised maps: I, Q, U on one side, T, E, B on the other, in one plan.
 *
 * I and T belong to the scalar transform of armilla/sht.h, Q, U and E, B to the transform of spin
 * 2; results are, bit by bit, those of two such plans. The plan holds what the two share only once:
 * grid, Fourier transforms of the rings, and workspace.
 *
 * Arrays: alm[ntrans][3][size] complex (T, E, B), map[ntrans][3][npix] real (I, Q, U). Signs are
 * those of HEALPix; for the IAU convention change the sign of U. Units are free; angles are in
 * radians.
 *
 * Thread rule: as in armilla/sht.h. A plan is immutable; any number of threads may execute it. */
#ifndef ARMILLA_IQU_H
#define ARMILLA_IQU_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_iqu armilla_iqu;

/* Makes a plan. It keeps the workspace of its last call for the next.
 * Given:    grid (copied);  0 <= mmax <= lmax, lmax >= 2;  options, of both transforms, or NULL for
 *           the defaults; spin and mode must be the defaults.
 * Returned: *iqu  new; free with armilla_iqu_free.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa). */
ARMILLA_API armilla_status armilla_iqu_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                           const armilla_sht_options *options, armilla_iqu **iqu);
ARMILLA_API void armilla_iqu_free(armilla_iqu *iqu);

/* The four operators, in double and in float: see armilla/sht.h.
 * Given:    iqu;  the input array;  exec or NULL: its distances are those between any two
 *           neighbouring components; its progress runs once over the whole call.
 * Returned: the output array; of a map only the pixels of the grid's rings are written.
 * Errors:   ARGUMENT, MEMORY (the output is untouched), CANCELLED (the output is then undefined).
 *           Inputs are never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap. */
ARMILLA_API armilla_status armilla_iqu_synthesis(const armilla_iqu *iqu, const double *alm,
                                                 double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_adjoint_synthesis(const armilla_iqu *iqu, const double *map,
                                                         double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_analysis(const armilla_iqu *iqu, const double *map,
                                                double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_adjoint_analysis(const armilla_iqu *iqu, const double *alm,
                                                        double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_synthesis_float(const armilla_iqu *iqu, const float *alm,
                                                       float *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_adjoint_synthesis_float(const armilla_iqu *iqu,
                                                               const float *map, float *alm,
                                                               const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_analysis_float(const armilla_iqu *iqu, const float *map,
                                                      float *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_adjoint_analysis_float(const armilla_iqu *iqu,
                                                              const float *alm, float *map,
                                                              const armilla_exec *exec);

/* Tells the choices of a plan, as armilla_sht_explain does: the choices of the transform of I and T
 * have names such as "scalar.legendre.starts", those of Q, U and E, B names such as
 * "polar.legendre.starts"; then come the choices that both share, such as "ring.lanes".
 * options.choices forces a choice of both transforms, without "scalar." or "polar." in front.
 * Given: iqu;  take  is called with data and each choice. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_iqu_explain(const armilla_iqu *iqu, armilla_choice_fn take,
                                               void *data);

/* Iterative analysis, which solves two problems: one for I alone and one for Q with U.
 * Given:    map;  options or NULL: weights are those of the pixels of I, Q and U alike, the guess
 *           has T, E and B;  exec or NULL.
 * Returned: alm;  reports  [ntrans][2], of T, and of E with B, or NULL.
 * Errors:   as armilla_sht_pseudo_analysis; T, E and B of a transform are written together. */
ARMILLA_API armilla_status armilla_iqu_pseudo_analysis(const armilla_iqu *iqu, const double *map,
                                                       double *alm,
                                                       const armilla_pseudo_options *options,
                                                       armilla_pseudo_report *reports,
                                                       const armilla_exec *exec);
ARMILLA_API armilla_status armilla_iqu_pseudo_analysis_float(const armilla_iqu *iqu,
                                                             const float *map, float *alm,
                                                             const armilla_pseudo_options *options,
                                                             armilla_pseudo_report *reports,
                                                             const armilla_exec *exec);

/* Tells what will run. plan_bytes and useful_flops are those of both transforms; the workspace is
 * that of the larger one, since they run one after the other.
 * Given:    iqu;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_iqu_describe(const armilla_iqu *iqu, int nthreads,
                                                armilla_sht_description *description);

/* As armilla_iqu_describe, but workspace_bytes, device_workspace_bytes and device_batch are those
 * of a call of ntrans >= 1 transforms, as armilla_sht_describe_many has them; device_batch is that
 * of I or that of Q and U, whichever is less. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_iqu_describe_many(const armilla_iqu *iqu, int nthreads,
                                                     int64_t ntrans,
                                                     armilla_sht_description *description);

#ifdef __cplusplus
}
#endif
#endif
