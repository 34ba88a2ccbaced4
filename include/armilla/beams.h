/* Skies seen through beams of any shape ("total convolution"): samples of a sky that is turned to
 * each of many pointings and multiplied by a beam, and the adjoints.
 *
 * A pointing (theta, phi, psi) takes the beam, which looks along the z axis with its x axis to the
 * south, to the direction (theta, phi) by the rotation R_z(phi) R_y(theta) R_z(psi). A sample is
 *
 *   s = integral over the sphere of  sky(n) beam(R^-1 n)
 *     = sum over l, m, k of  a_lm conj(b_lk) d^l_mk(theta) e^{i m phi} e^{i k psi}
 *     = P_0 + 2 Re sum_{k = 1 .. kmax} e^{i k psi} P_k(theta, phi)
 *
 * with |m| <= mmax, |k| <= kmax. The sky has one component (T), two (E, B) or three (T, E, B), with
 * a beam for each; s is the sum over the components. P_k is a field of spin k whose coefficients
 * (E, B) are -sqrt(4 pi / (2 l + 1)) (Re b_lk, Im b_lk) a_lm (for k = 0 a scalar, with + sign), so
 * that a call is kmax + 1 transforms of armilla/points.h over one set of sorted points.
 *
 * Angles in radians. Units: those of the sky times those of the beam. A beam whose sum over the
 * sphere is 1 has b_00 = 1 / sqrt(4 pi). E and B of the beam are those of the pattern of Q + i U
 * that the detector sees; a pencil beam that sees T + Q cos 2 psi + U sin 2 psi of
 * armilla/sht.h has b^T_l0 = sqrt((2 l + 1) / (4 pi)) and b^E_l2 = -b^T_l0 / 2, b^B_l2 =
 * -i b^T_l0 / 2.
 *
 * Arrays: sky [ntrans][components][armilla_alm_size(lmax, mmax)] and beam
 * [ntrans][nbeams][components][armilla_alm_size(lmax, kmax)], complex, in the triangular layout of
 * armilla/alm.h (a_{l,-m} = (-1)^m conj(a_lm), b alike; imaginary parts of a_l0, b_l0 are 0:
 * ignored); samples [ntrans][npointings]. exec->ntrans skies, each with its own beams, go in one
 * call. exec->alm_distance is that between components of skies, exec->map_distance that between
 * samples of transforms; beams are neighbours. Calls of floats work in doubles on copies.
 *
 * A detector whose beam changes from sample to sample, as behind a rotating half-wave plate, has
 * several beams: s_t = sum over j of modulation[j][t] (sample t of beam j). A plate at the angle
 * alpha_t has five: modulations 1, cos 2 alpha, sin 2 alpha, cos 4 alpha, sin 4 alpha, in place of
 * beams that are not real, times e^{i n alpha}, n = 0, +-2, +-4.
 *
 * The promise of options->epsilon is that of armilla/points.h for every plane: wherever the
 * pointings are, rms of (samples - exact) <= E (rms of P_0 + 2 sum over k of rms of |P_k|), each
 * over the sphere. The adjoints are those of the interpolation itself, to rounding.
 *
 * Memory of a call on the host, which describe tells, does not depend on kmax; that of a plan, and
 * of a GPU, which has plans for all k, does.
 *
 * On a GPU, or several (options->device; so far tried on an emulated one only), the GPU makes the
 * planes, by plans of armilla/points.h for each k, and the host what is before and after them:
 * products of coefficients, and turns. Sky and samples may be in the memory of the one GPU; beams,
 * and the sky that _beam_adjoint reads, are the host's, as are arrays for several GPUs. Calls wait
 * for the GPU. Results are the host's to rounding, and do not depend on the number of GPUs.
 *
 * Thread rule: a plan is immutable; any number of threads may execute it at once.
 *
 * References: Wandelt & Gorski 2001; Prezeau & Reinecke 2010; Reinecke & Seljebotn 2013, (9);
 * docs/mathematics.md 15. Signs are those of ducc0.totalconvolve. */
#ifndef ARMILLA_BEAMS_H
#define ARMILLA_BEAMS_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_beams armilla_beams;

/* Options of a plan. Fill with armilla_beams_options_init, then change fields. */
typedef struct armilla_beams_options {
    size_t size;              /* sizeof(armilla_beams_options), set by _init */
    int64_t components;       /* of sky and beam: 1 (T), 2 (E, B) or 3 (T, E, B); default 1 */
    double epsilon;           /* the accuracy, see above; 1e-13 to 0.1; default 1e-7 */
    const char *isa;          /* as in armilla_sht_options */
    int nthreads;             /* that make a plan, as in armilla_exec; default 0 (all) */
    int64_t nbeams;           /* whose samples are added up, see above; 1 to 65536; default 1 */
    const double *modulation; /* [nbeams][npointings]: factors, any finite numbers; read when the
                                 plan is made; NULL, the default: 1, of one beam */
    armilla_device device;    /* default ARMILLA_CPU; ARMILLA_CUDA: planes are made on a GPU */
    int64_t device_bytes;     /* of it, that a plane may take in a call; as in
                                 armilla_points_options */
    const int *devices;       /* several GPUs, as in armilla_points_options; NULL, 0: one */
    int64_t ndevices;
    int delegate; /* over ranks: GPUs leave the calls to the hosts (armilla/device.h); default 0 */
} armilla_beams_options;

ARMILLA_API void armilla_beams_options_init_sized(armilla_beams_options *options, size_t size);
#define armilla_beams_options_init(options)                                                        \
    armilla_beams_options_init_sized(options, sizeof(armilla_beams_options))

/* Makes a plan, and sorts the pointings.
 * Given:    0 <= mmax <= lmax;  0 <= kmax <= lmax;  npointings >= 1;  pointings  [npointings][3]:
 *           theta, 0 .. pi, phi and psi, any finite numbers;  options or NULL for the defaults.
 * Returned: *plan  new; free with armilla_beams_free.
 * Errors:   ARGUMENT (names the first pointing that is wrong), MEMORY, UNSUPPORTED (isa).
 * Notes:    the plan does not depend on options->nthreads. */
ARMILLA_API armilla_status armilla_beams_new(int64_t lmax, int64_t mmax, int64_t kmax,
                                             int64_t npointings, const double *pointings,
                                             const armilla_beams_options *options,
                                             armilla_beams **plan);

/* Makes a plan for other pointings beside a plan, whose tables it shares where they serve: several
 * detectors with beams of the same band limits, or pieces of a scan. Both may be freed in any
 * sequence. Its results are a plan's of its own to the accuracy of epsilon.
 * Given:    plan;  npointings, pointings  as above;  modulation  of these, [nbeams of plan]
 *           [npointings], or NULL where there is one beam.
 * Returned: *result  new.  Errors: as above. */
ARMILLA_API armilla_status armilla_beams_new_beside(const armilla_beams *plan, int64_t npointings,
                                                    const double *pointings,
                                                    const double *modulation,
                                                    armilla_beams **result);
ARMILLA_API void armilla_beams_free(armilla_beams *plan);

/* samples = A(beam) sky.
 * Given:    plan;  sky;  beam;  exec or NULL.
 * Returned: samples.
 * Errors:   ARGUMENT, MEMORY, CANCELLED, UNSUPPORTED (an error of a GPU). After CANCELLED, and with
 *           GPUs after MEMORY and UNSUPPORTED, the output is undefined. Inputs are never written.
 * Notes:    results do not depend on nthreads. Inputs and output must not overlap. */
ARMILLA_API armilla_status armilla_beams_convolve(const armilla_beams *plan, const double *sky,
                                                  const double *beam, double *samples,
                                                  const armilla_exec *exec);
ARMILLA_API armilla_status armilla_beams_convolve_float(const armilla_beams *plan, const float *sky,
                                                        const float *beam, float *samples,
                                                        const armilla_exec *exec);

/* sky = A(beam)^T samples, in the inner product of armilla/sht.h:
 *   samples . convolve(x, beam) = sum over components of x_l0 sky_l0 + 2 Re conj(x_lm) sky_lm
 * Given:    plan;  samples;  beam;  exec or NULL.
 * Returned: sky.  Errors: as above, and UNSUPPORTED (exec->missing). */
ARMILLA_API armilla_status armilla_beams_adjoint(const armilla_beams *plan, const double *samples,
                                                 const double *beam, double *sky,
                                                 const armilla_exec *exec);
ARMILLA_API armilla_status armilla_beams_adjoint_float(const armilla_beams *plan,
                                                       const float *samples, const float *beam,
                                                       float *sky, const armilla_exec *exec);

/* The same of the beam, of which samples are a linear function as well:
 *   samples . convolve(sky, x) = sum over components of x_l0 beam_l0 + 2 Re conj(x_lk) beam_lk
 * so that 2 beam_lk is the gradient in (Re x_lk, Im x_lk), k > 0.
 * Given:    plan;  samples;  sky;  exec or NULL.
 * Returned: beam.  Errors: as above. */
ARMILLA_API armilla_status armilla_beams_beam_adjoint(const armilla_beams *plan,
                                                      const double *samples, const double *sky,
                                                      double *beam, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_beams_beam_adjoint_float(const armilla_beams *plan,
                                                            const float *samples, const float *sky,
                                                            float *beam, const armilla_exec *exec);

/* The sky that fits the samples best: min |A(beam) sky - samples| by LSMR (map making with beams
 * that are not symmetric). Options, weights (of pointings, in the caller's sequence), guess and
 * report are those of armilla/sht.h, with pointings for pixels; the method must be
 * ARMILLA_PSEUDO_LSMR; exec->ntrans must be 1.
 * Given:    plan;  samples;  beam;  options, exec or NULL.
 * Returned: sky;  report  or NULL.
 * Errors:   as armilla_points_pseudo_analysis; ARGUMENT (beam is not finite). Reaching the limit of
 * iterations is no error. */
ARMILLA_API armilla_status armilla_beams_deconvolve(
    const armilla_beams *plan, const double *samples, const double *beam, double *sky,
    const armilla_pseudo_options *options, armilla_pseudo_report *report, const armilla_exec *exec);

typedef struct armilla_beams_description {
    size_t size;     /* sizeof(armilla_beams_description), set by the caller */
    const char *isa; /* "avx512", ... */
    int64_t lmax, mmax, kmax, npointings, components;
    int64_t nbeams;             /* whose samples are added up */
    int64_t alm_size, blm_size; /* complex numbers of a component of sky and beam */
    double epsilon;
    int64_t nrings, nphi;    /* of the samples that planes are interpolated from */
    int64_t taps;            /* width of the interpolation, samples */
    int64_t plan_bytes;      /* memory the plan holds */
    int64_t workspace_bytes; /* memory a call of doubles allocates with nthreads threads; one of
                                floats takes copies of sky and beam */
    const char *backend;     /* "cpu"; "cuda": planes are made on GPUs, whose memory is not here */
} armilla_beams_description;

/* Given:    plan;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_beams_describe(const armilla_beams *plan, int nthreads,
                                                  armilla_beams_description *description);

/* Tells the choices of a plan as armilla_points_explain does: how finely the sphere is sampled,
 * what is left out, and what the stages of plane kmax have chosen; then, by names that begin with
 * "k0.", "k1.", ..., what the planes of smaller k have chosen for themselves.
 * Given:    plan;  take  is called with data and each choice.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_beams_explain(const armilla_beams *plan, armilla_choice_fn take,
                                                 void *data);

#ifdef __cplusplus
}
#endif
#endif
