/* Transforms of functions on the rotation group SO(3): f(alpha, beta, gamma), where a rotation is
 * R_z(alpha) R_y(beta) R_z(gamma).
 *
 *   f(alpha, beta, gamma) = sum over l, m, n of
 *       (2 l + 1) / (8 pi^2) f^l_mn e^{i m alpha} d^l_mn(beta) e^{i n gamma}
 *
 * with |m| <= mmax, |n| <= nmax, l >= |m|, |n|. Functions are real, so that f^l_{-m,-n} =
 * (-1)^{m+n} conj(f^l_mn); a complex function is two real ones, u + i v, and its coefficients are
 * those of u plus i times those of v. The sum is that of s2fft and of SO3 (McEwen et al. 2015),
 * with the conjugate of D^l_mn = e^{-i m alpha} d^l_mn(beta) e^{-i n gamma}: coefficients are the
 * same numbers. Samples of a sky a_lm through a beam b_ln, as in armilla/beams.h with psi = gamma,
 * have f^l_mn = 8 pi^2 / (2 l + 1) a_lm conj(b_ln).
 *
 *   operator            meaning
 *   synthesis           coefficients -> samples
 *   adjoint_synthesis   its transpose
 *   analysis            samples -> coefficients; inverts synthesis where the grid has an exact rule
 *                       for lmax and mmax (armilla_grid_exact_lmax_for)
 *   adjoint_analysis    its transpose
 *
 * Samples lie on the pixels (theta, phi) = (beta, alpha) of a ring grid, for ngamma >= 2 nmax + 1
 * angles gamma = 2 pi j / ngamma. Arrays, in doubles:
 *
 *   alm   [2 nmax + 1][armilla_alm_size(lmax, mmax)], complex, interleaved: f^l_mn with m >= 0 is
 *         number armilla_alm_index(lmax, l, m) of triangle nmax + n. Numbers with l < |n| are not
 *         read, and become 0. Of m = 0 half would do, since f^l_{0,-n} = (-1)^n conj(f^l_0n); the
 *         mean of both sides is used, and both are written
 *   map   [ngamma][npix], real
 *
 * Several functions (exec->ntrans) lie one after the other. exec->alm_distance is that from one
 * triangle to the next, exec->map_distance that from one gamma to the next. Adjoint is meant in the
 * inner products sum over samples, and sum over n of that of armilla/sht.h for each triangle, which
 * is the sum over all l, m, n.
 *
 * Thread rule: a plan is immutable; any number of threads may execute it at once.
 *
 * References: McEwen, Buttner, Leistedt, Peiris & Wiaux 2015; docs/mathematics.md 16. */
#ifndef ARMILLA_SO3_H
#define ARMILLA_SO3_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_so3 armilla_so3;

/* Options of a plan. Fill with armilla_so3_options_init, then change fields. */
typedef struct armilla_so3_options {
    size_t size;     /* sizeof(armilla_so3_options), set by _init */
    int64_t ngamma;  /* 2 nmax + 1 or more, 2^30 at most; 0, the default: 2 nmax + 1 */
    const char *isa; /* as in armilla_sht_options */
    /* About how many bytes the tables of spins may take that a plan keeps; a call makes those of
     * other spins anew. 0, the default: a quarter of the arrays of a call, 64 MB at least */
    int64_t table_bytes;
    /* About how many bytes of planes an analysis holds at a time; it goes through the samples once
     * for each part of the planes. 0, the default: a third of the arrays of a call, 64 MB at least
     */
    int64_t plane_bytes;
} armilla_so3_options;

ARMILLA_API void armilla_so3_options_init_sized(armilla_so3_options *options, size_t size);
#define armilla_so3_options_init(options)                                                          \
    armilla_so3_options_init_sized(options, sizeof(armilla_so3_options))

/* Makes a plan.
 * Given:    grid (copied), not in NESTED order;  0 <= mmax <= lmax;  0 <= nmax <= lmax;  options or
 *           NULL for the defaults.
 * Returned: *plan  new; free with armilla_so3_free.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa; NESTED order). */
ARMILLA_API armilla_status armilla_so3_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                           int64_t nmax, const armilla_so3_options *options,
                                           armilla_so3 **plan);
ARMILLA_API void armilla_so3_free(armilla_so3 *plan);

/* The four operators.
 * Given:    plan;  the input array;  exec or NULL.
 * Returned: the output array; of a map only the pixels of the grid's rings are written.
 * Errors:   ARGUMENT (also a grid without weights, for analysis and its adjoint), MEMORY, CANCELLED
 *           (after either of these two the output is undefined). Inputs are never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap. */
ARMILLA_API armilla_status armilla_so3_synthesis(const armilla_so3 *plan, const double *alm,
                                                 double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_so3_adjoint_synthesis(const armilla_so3 *plan, const double *map,
                                                         double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_so3_analysis(const armilla_so3 *plan, const double *map,
                                                double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_so3_adjoint_analysis(const armilla_so3 *plan, const double *alm,
                                                        double *map, const armilla_exec *exec);

typedef struct armilla_so3_description {
    size_t size;     /* sizeof(armilla_so3_description), set by the caller */
    const char *isa; /* "avx512", ... */
    int64_t lmax, mmax, nmax, ngamma, npix;
    int64_t alm_size;        /* complex numbers of a triangle */
    int64_t kept;            /* spins, of 0 .. nmax, of which the plan keeps the tables */
    int64_t parts;           /* in which an analysis takes the planes */
    int exact;               /* as in armilla_sht_description */
    int64_t plan_bytes;      /* memory the plan holds */
    int64_t workspace_bytes; /* memory a call allocates with nthreads threads, but for tables that
                                are not kept */
} armilla_so3_description;

/* Given:    plan;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_so3_describe(const armilla_so3 *plan, int nthreads,
                                                armilla_so3_description *description);

#ifdef __cplusplus
}
#endif
#endif
