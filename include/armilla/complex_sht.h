/* Transforms of complex fields, with coefficients of both signs of m:
 *
 *     f(theta, phi) = sum over l and -l <= m <= l of f_lm sY_lm(theta, phi)
 *
 * for spin 0 and for any other spin s, on every grid. The sY_lm are those of Goldberg et al. 1967
 * with the Condon-Shortley sign, as in s2fft, pyssht and ssht; sY_lm = Y_lm for s = 0. In terms of
 * armilla/sht.h a scalar is two real fields, and a field of spin s is Q + i U, with
 * f_lm = -(E + i B)_lm.
 *
 * Arrays: f_lm is complex number l^2 + l + m of (lmax + 1)^2; maps have one complex number for each
 * pixel. Both are interleaved (re, im), and those of several transforms lie one after the other:
 * alm[ntrans][(lmax + 1)^2][2], map[ntrans][npix][2]. Maps are read and written where they are.
 *
 * Thread rule: as in armilla/sht.h. A plan is immutable; any number of threads may execute it. */
#ifndef ARMILLA_COMPLEX_SHT_H
#define ARMILLA_COMPLEX_SHT_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_complex_sht armilla_complex_sht;

/* Returned: index of (l, m): l^2 + l + m, or -1 unless -l <= m <= l and the index fits. */
ARMILLA_API int64_t armilla_complex_index(int64_t l, int64_t m);

/* Makes a plan. It keeps the workspace of its last call for the next.
 * Given:    grid (copied);  0 <= mmax <= lmax: coefficients of |m| > mmax, and of degrees below
 *           |spin|, are not read and become 0;  options or NULL for the defaults. The mode must be
 *           STANDARD, layout NULL, mres 1 and the device the CPU, or a GPU with delegate.
 * Returned: *sht  new; free with armilla_complex_sht_free.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa; a GPU without options->delegate). */
ARMILLA_API armilla_status armilla_complex_sht_new(const armilla_grid *grid, int64_t lmax,
                                                   int64_t mmax, const armilla_sht_options *options,
                                                   armilla_complex_sht **sht);
ARMILLA_API void armilla_complex_sht_free(armilla_complex_sht *sht);

/* The four operators, in double and in float: see armilla/sht.h. Adjoint is meant in the inner
 * products sum over pixels of f conj(g) and sum over l and m of f_lm conj(g_lm).
 * Given:    sht;  the input array;  exec or NULL: distances count complex numbers, from one
 *           transform to the next.
 * Returned: the output array; of a map only the pixels of the grid's rings are written.
 * Errors:   ARGUMENT (a missing value is named by its place among the real numbers of its
 *           transform), MEMORY (of several transforms the first may be done), CANCELLED (the output
 *           is then undefined), and of delegated calls UNSUPPORTED (armilla/device.h). Inputs are
 *           never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap.
 * Reference: docs/mathematics.md (1.14). */
ARMILLA_API armilla_status armilla_complex_sht_synthesis(const armilla_complex_sht *sht,
                                                         const double *alm, double *map,
                                                         const armilla_exec *exec);
ARMILLA_API armilla_status armilla_complex_sht_adjoint_synthesis(const armilla_complex_sht *sht,
                                                                 const double *map, double *alm,
                                                                 const armilla_exec *exec);
ARMILLA_API armilla_status armilla_complex_sht_analysis(const armilla_complex_sht *sht,
                                                        const double *map, double *alm,
                                                        const armilla_exec *exec);
ARMILLA_API armilla_status armilla_complex_sht_adjoint_analysis(const armilla_complex_sht *sht,
                                                                const double *alm, double *map,
                                                                const armilla_exec *exec);
ARMILLA_API armilla_status armilla_complex_sht_synthesis_float(const armilla_complex_sht *sht,
                                                               const float *alm, float *map,
                                                               const armilla_exec *exec);
ARMILLA_API armilla_status armilla_complex_sht_adjoint_synthesis_float(
    const armilla_complex_sht *sht, const float *map, float *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_complex_sht_analysis_float(const armilla_complex_sht *sht,
                                                              const float *map, float *alm,
                                                              const armilla_exec *exec);
ARMILLA_API armilla_status armilla_complex_sht_adjoint_analysis_float(
    const armilla_complex_sht *sht, const float *alm, float *map, const armilla_exec *exec);

/* Tells what will run: alm_size and npix count complex numbers, of one component.
 * Given:    sht;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_complex_sht_describe(const armilla_complex_sht *sht,
                                                        int nthreads,
                                                        armilla_sht_description *description);

/* Tells the choices of the plan: those of armilla_sht_explain, of the transform that each call is
 * made of. Given: sht;  take  is called with data and each choice. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_complex_sht_explain(const armilla_complex_sht *sht,
                                                       armilla_choice_fn take, void *data);

#ifdef __cplusplus
}
#endif
#endif
