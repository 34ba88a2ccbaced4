/* Power spectra of fields that a mask has multiplied: what the mask does to a spectrum, and spectra
 * of bands without it.
 *
 * A field times a mask has coefficients that mix degrees. The mean of their spectrum, the
 * pseudo-spectrum C~, is linear in the spectrum C of the field. With the cross spectrum W_L of the
 * masks of two fields, of spins s1 and s2, and d^l the Wigner functions of those spins,
 *
 *     xi_w(x) = sum_L (2L+1)/(4 pi) W_L P_L(x)
 *     M_ll'   = (2l'+1)/2  integral over x of  xi_w d^l d^l'
 *     C~_l    = sum_l' M_ll' C_l'
 *
 * Nothing but armilla_coupling_matrix makes M, whose L^2 numbers take L^3 work: a product with it
 * is a Legendre synthesis of one order, a multiplication at Gauss nodes, and the adjoint of that
 * synthesis. So all that is asked of M costs L^2 a band or a spectrum, and is exact to rounding for
 * all degrees of the masks.
 *
 * Spectra of a pair of fields, and how many there are (ncl), by their spins:
 *     0, 0     1   TT
 *     0, s     2   TE, TB               (the matrix of both is the same)
 *     s, s'    4   EE, EB, BE, BB       (s, s' > 0)
 * A mask does not mix TE and TB. Of two spins it takes EE and BB to each other, and EB and BE:
 *     EE~ = M+ EE + M- BB,  BB~ = M- EE + M+ BB,  EB~ = M+ EB - M- BE,  BE~ = M+ BE - M- EB
 * Matrices of bands and windows come in kinds (nkinds): one, or M+ and M- where both spins are
 * above 0 and no field is pure.
 *
 * Pure fields (spin 2). With a mask w that vanishes at its edge together with its slope, those of
 * E and B whose coefficients are
 *
 *     N_l  integral of  (Q +- iU) conj(eth^2 (w Y_lm)),     N_l = sqrt((l-2)! / (l+2)!)
 *
 * in place of the integral of w (Q +- iU) conj(N_l eth^2 Y_lm) hold no power of each other: the
 * field acts as a scalar with the spectrum C_l / N_l^2 that a mask has multiplied. M is that of a
 * scalar in place of the spin 2, times N_l / N_l' for each pure field; EE, EB, BE and BB go to
 * themselves alone. Where only one component of a field is pure, its spectra are those of a plan
 * with pure fields, and the others those of a plan without.
 *
 * Accuracy: entries and products have absolute errors of some 1e-14 of the largest entry of M;
 * small entries far from the diagonal have no relative accuracy. Of two pure fields rows of low
 * degrees are made apart, with relative accuracy, and others are off by some 1e-10 of their own.
 *
 * Thread rule: a plan is immutable and may be used by many threads at once. Results do not depend
 * on nthreads. Inputs are never written; input and output must not overlap.
 * Reference: docs/mathematics.md 14; Hivon et al. 2002, ApJ 567, 2; Kogut et al. 2003, ApJS 148,
 * 161; Alonso, Sanchez & Slosar 2019, MNRAS 484, 4127. */
#ifndef ARMILLA_COUPLING_H
#define ARMILLA_COUPLING_H

#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_coupling armilla_coupling;

/* Fill with armilla_coupling_options_init, then set fields. */
typedef struct armilla_coupling_options {
    size_t size;          /* sizeof(armilla_coupling_options), set by _init */
    int64_t spin1, spin2; /* of the two fields, 0 .. lmax; default 0 */
    int pure1, pure2;     /* not 0: the field has pure coefficients, and spin 2; default 0 */
    const double *window; /* [lmax + 1], copied: of beams and pixels of both fields, which spectra
                             are multiplied by before the masks act: C~ = M (window C); NULL: 1 */
    const char *isa;      /* as in armilla_sht_options */
} armilla_coupling_options;

ARMILLA_API void armilla_coupling_options_init_sized(armilla_coupling_options *options,
                                                     size_t size);
#define armilla_coupling_options_init(options)                                                     \
    armilla_coupling_options_init_sized(options, sizeof(armilla_coupling_options))

/* Makes a plan.
 * Given:    lmax >= 0, of all spectra of fields;  lmask >= 0;
 *           masks  [nmasks][lmask + 1]: cross spectra W_L of pairs of masks, by e.g.
 *           armilla_spectrum_compute, nmasks >= 1 of them; they may be negative. 4 pi at L = 0
 *           alone is the mask that is 1 everywhere. Degrees above 2 lmax play no part, and those
 *           above lmask count as 0: where lmask < 2 lmax the masks should have little there;
 *           options  or NULL for the defaults.
 * Returned: *coupling  new; free with armilla_coupling_free. It has 16 bytes for each node and
 *           pair of masks, and tables of some 1 kB a node; there are lmax + min(lmask, 2 lmax) / 2
 *           + 2 nodes.
 * Errors:   ARGUMENT (names the first value that is not finite), MEMORY, UNSUPPORTED (isa). */
ARMILLA_API armilla_status armilla_coupling_new(int64_t lmax, int64_t lmask, int64_t nmasks,
                                                const double *masks,
                                                const armilla_coupling_options *options,
                                                armilla_coupling **coupling);
ARMILLA_API void armilla_coupling_free(armilla_coupling *coupling); /* NULL is allowed */

/* 1, 2 or 4: spectra of a pair of fields; and 1 or 2: kinds of matrices. -1 for NULL. */
ARMILLA_API int64_t armilla_coupling_ncl(const armilla_coupling *coupling);
ARMILLA_API int64_t armilla_coupling_nkinds(const armilla_coupling *coupling);

/* Spectra as window and masks leave them, and the adjoint in the inner product sum over l:
 * gradients of likelihoods.
 * Given:    cl  [ntrans][nmasks][ncl][lmax + 1];  exec  or NULL: nthreads, ntrans, progress.
 * Returned: coupled, the same shape. Degrees below the larger spin are not read and become 0.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (the output is then undefined). */
ARMILLA_API armilla_status armilla_coupling_apply(const armilla_coupling *coupling,
                                                  const double *cl, double *coupled,
                                                  const armilla_exec *exec);
ARMILLA_API armilla_status armilla_coupling_adjoint(const armilla_coupling *coupling,
                                                    const double *coupled, double *cl,
                                                    const armilla_exec *exec);

/* The other gradient: of sum over all of g times the coupled cl, in the masks' spectra.
 * Given:    cl, g  as cl above;  exec or NULL.
 * Returned: masks  [nmasks][lmask + 1], sums over transforms. Degrees above 2 lmax become 0.
 * Errors:   as above. */
ARMILLA_API armilla_status armilla_coupling_mask_adjoint(const armilla_coupling *coupling,
                                                         const double *cl, const double *g,
                                                         double *masks, const armilla_exec *exec);

/* Whole matrices, for those who want them: L^3 operations.
 * Given:    exec  or NULL: nthreads, progress.
 * Returned: matrix  [nmasks][nkinds][lmax + 1][lmax + 1]: M_ll' window_l', l' fastest. A call takes
 *           memory for the matrices of one pair of masks once more.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (the output is then undefined). */
ARMILLA_API armilla_status armilla_coupling_matrix(const armilla_coupling *coupling, double *matrix,
                                                   const armilla_exec *exec);

/* --- Bands ------------------------------------------------------------------------------------ */

/* Band powers are weighted means of factor_l C_l over degrees, e.g. of l (l + 1) / (2 pi) C_l:
 *     C_b = sum of weights_l factor_l C_l / sum of weights_l,     begin_b <= l < end_b.
 * Bands may leave degrees out, and may overlap. Fill with armilla_bands_init, then set fields. */
typedef struct armilla_bands {
    size_t size;           /* sizeof(armilla_bands), set by _init */
    int64_t nbands;        /* >= 1 */
    const int64_t *begin;  /* [nbands] */
    const int64_t *end;    /* [nbands], begin < end <= lmax + 1 */
    const double *weights; /* [lmax + 1], >= 0; default NULL: 1 */
    const double *factor;  /* [lmax + 1], not 0 within bands; default NULL: 1 */
} armilla_bands;

ARMILLA_API void armilla_bands_init_sized(armilla_bands *bands, size_t size);
#define armilla_bands_init(bands) armilla_bands_init_sized(bands, sizeof(armilla_bands))

/* Means of spectra over bands, without a mask.
 * Given:    cl  [ncl][lmax + 1].
 * Returned: powers  [ncl][nbands].
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_bands_average(const armilla_bands *bands, int64_t lmax,
                                                 int64_t ncl, const double *cl, double *powers);

/* Windows of the bands of pseudo-spectra: sum over l of B_bl M_ll' window_l', B the weights of the
 * mean above. What theory says of a band is its window times C_l', summed over l'.
 * Given:    bands;  exec  or NULL: nthreads, progress.
 * Returned: windows  [nmasks][nkinds][nbands][lmax + 1];
 *           matrix  [nmasks][nkinds][nbands][nbands]: the same, summed over l' in band b' of 1 /
 *           factor_l', for spectra whose factor_l C_l is constant in each band.
 *           Either may be NULL. The matrix alone takes a small part of the time of the windows.
 * Errors:   ARGUMENT (also a band without a degree whose weight is above 0, by its number), MEMORY,
 *           CANCELLED (the output is then undefined). */
ARMILLA_API armilla_status armilla_coupling_windows(const armilla_coupling *coupling,
                                                    const armilla_bands *bands, double *windows,
                                                    double *matrix, const armilla_exec *exec);

/* Band powers of spectra without masks: bands of pseudo-spectra, solved for by `matrix` of
 * armilla_coupling_windows.
 * Given:    coupled  [nmasks][ncl][lmax + 1]: pseudo-spectra, noise subtracted;  matrix.
 * Returned: powers  [nmasks][ncl][nbands];  condition  the largest condition number (in the 1-norm)
 *           of the matrices that are solved, or NULL. Above 1e10 the powers have few digits.
 * Errors:   ARGUMENT (a matrix that is singular: names the mask and the band), MEMORY. */
ARMILLA_API armilla_status armilla_coupling_decouple(const armilla_coupling *coupling,
                                                     const armilla_bands *bands,
                                                     const double *matrix, const double *coupled,
                                                     double *powers, double *condition);

/* --- Covariances ------------------------------------------------------------------------------ */

/* What a covariance is made of: which pair of masks, and which of the spectra x and y. */
typedef struct armilla_covariance_term {
    int64_t mask, x, y;
} armilla_covariance_term;

/* Gaussian covariances of bands of pseudo-spectra. Fields a and c of spin s1, b and d of spin s2
 * have
 *
 *     cov(C~ab_l, C~cd_l') = C^ac C^bd Xi[w_a w_c, w_b w_d]  +  C^ad C^bc Xi[w_a w_d, w_b w_c]
 *
 * (the second one where s1 = s2). Xi_ll' = M_ll' / (2l'+1), which is symmetric, is that of the
 * cross spectrum of two products of masks, and C C' stands for (C_l C'_l' + C'_l C_l') / 2. So all
 * are sums of terms
 *
 *     cov_bb' = sum over l, l' of  B_bl x_l Xi_ll' y_l' B_b'l'
 *
 * Terms that share x or y share most of the work, and nothing has L^2 numbers. Fill with
 * armilla_covariance_problem_init, then set fields.
 * Reference: Efstathiou 2004, MNRAS 349, 603; Garcia-Garcia, Alonso & Bellini 2019, JCAP 11, 043.
 */
typedef struct armilla_covariance_problem {
    size_t size;     /* sizeof(armilla_covariance_problem), set by _init */
    int64_t nx, ny;  /* spectra, >= 1 */
    const double *x; /* [nx][lmax + 1] */
    const double *y; /* [ny][lmax + 1] */
    int64_t nterms;  /* >= 1 */
    const armilla_covariance_term *terms;
} armilla_covariance_problem;

ARMILLA_API void armilla_covariance_problem_init_sized(armilla_covariance_problem *problem,
                                                       size_t size);
#define armilla_covariance_problem_init(problem)                                                   \
    armilla_covariance_problem_init_sized(problem, sizeof(armilla_covariance_problem))

/* Given:    coupling  whose masks are such cross spectra (its window is not used);  bands;
 *           problem;  exec or NULL: nthreads, progress.
 * Returned: cov  [nterms][nkinds][nbands][nbands].
 * Errors:   ARGUMENT (names a term, or the first value that is not finite), MEMORY, CANCELLED (cov
 *           is then undefined), UNSUPPORTED (pure fields: a plan with spin 0 in their place, and
 *           for x and y their pseudo-spectra over the mean of the product of the masks, have error
 *           bars to some 5 %, but not in a band of the lowest degrees). */
ARMILLA_API armilla_status armilla_coupling_covariance(const armilla_coupling *coupling,
                                                       const armilla_bands *bands,
                                                       const armilla_covariance_problem *problem,
                                                       double *cov, const armilla_exec *exec);

/* Gaussian covariances of band powers without a mask, for fields of any spins: the terms above for
 * all components, summed, and both sides solved for. For masked coefficients a~ of a component of a
 * field,
 *
 *     cov(C~ab_l, C~cd_l') = mean over orders of <a~ c~> <b~ d~> + <a~ d~> <b~ c~>
 *
 * where <a~ c~> is that of the product of both masks, times C^ac if their spins are the same. The
 * masks' mixing of E and B enters with the mean of EE and BB, so that the covariance of white
 * noise, with EE = BB, is exact. Fields of different spins count as fields of the smaller one, and
 * pure components as scalars, with which nothing mixes.
 *
 * The spectra here should be mean pseudo-spectra of signal and noise (armilla_coupling_apply, or
 * those of a map, smooth), divided by the mean over the sphere of the product of both masks: power
 * that masks move between degrees, and from E to B, is then in them. What is left off is of the
 * order of the square of the slope of the mask, per degree.
 * Reference: Nicola et al. 2021, JCAP 03, 067; docs/mathematics.md 14. */

/* Fields whose spectra are wanted, and what their powers are solved by. */
typedef struct armilla_gaussian_pair {
    int64_t field1, field2;
    const double *matrix; /* as for armilla_coupling_decouple, of one pair of masks */
    int is_whole; /* not 0: matrix is [ncl][nbands][ncl][nbands], of any mixing; default 0 */
} armilla_gaussian_pair;

/* A wanted block, of the spectra of fields a and b with those of c and d. Which cross spectra of
 * products of masks go with it: of w_a w_c with w_b w_d, and of w_a w_d with w_b w_c. */
typedef struct armilla_gaussian_block {
    int64_t pair1, pair2, mask1, mask2;
} armilla_gaussian_block;

/* Fill with armilla_gaussian_problem_init, then set fields. A field has one component, T, or E and
 * B where its spin is above 0; ncomp are those of all fields, field after field. */
typedef struct armilla_gaussian_problem {
    size_t size;          /* sizeof(armilla_gaussian_problem), set by _init */
    int64_t lmax, lmask;  /* >= 0 */
    int64_t nmasks;       /* >= 1 */
    const double *masks;  /* [nmasks][lmask + 1], as for armilla_coupling_new */
    int64_t nfields;      /* >= 1 */
    const int64_t *spins; /* [nfields], 0 .. lmax */
    const int *pure;      /* [ncomp]: not 0 of components that are pure; default NULL: none is */
    const double *cl;     /* [ncomp][ncomp][lmax + 1]; rows below the diagonal are not read */
    const armilla_bands *bands;
    int64_t npairs; /* >= 1 */
    const armilla_gaussian_pair *pairs;
    int64_t nblocks; /* >= 1 */
    const armilla_gaussian_block *blocks;
} armilla_gaussian_problem;

ARMILLA_API void armilla_gaussian_problem_init_sized(armilla_gaussian_problem *problem,
                                                     size_t size);
#define armilla_gaussian_problem_init(problem)                                                     \
    armilla_gaussian_problem_init_sized(problem, sizeof(armilla_gaussian_problem))

/* Given:    problem;  exec  or NULL: nthreads, progress.
 * Returned: cov  blocks, one behind the other, each [ncl1][nbands][ncl2][nbands] with the spectra
 *           of its pairs. Blocks of a pair with itself are symmetric.
 * Errors:   ARGUMENT (names a block or a pair, or the first value that is not finite), MEMORY and
 *           CANCELLED (cov is then undefined).
 * Thread rule: any number of threads at once; results do not depend on nthreads. */
ARMILLA_API armilla_status armilla_gaussian_covariance(const armilla_gaussian_problem *problem,
                                                       double *cov, const armilla_exec *exec);

/* Running means of spectra, to put those of one sky into a covariance. The mean at l is over the
 * degrees l - h .. l + h, weighted by 2 l + 1, where h is l / 4 or 16 or what the ends leave,
 * whichever is least.
 * Given:    least  the first degree that counts, 0 .. lmax;  cl  [ncl][lmax + 1].
 * Returned: smooth  the same shape; degrees below least become 0.
 * Errors:   ARGUMENT (names the first value that is not finite). */
ARMILLA_API armilla_status armilla_gaussian_smooth(int64_t lmax, int64_t least, int64_t ncl,
                                                   const double *cl, double *smooth);

/* --- Two-point functions ---------------------------------------------------------------------- */

/* Which angles, and of which spins. Fill with armilla_correlation_init, then set fields. */
typedef struct armilla_correlation {
    size_t size; /* sizeof(armilla_correlation), set by _init */
    int64_t lmax;
    int64_t spin1, spin2; /* of the two fields, 0 .. lmax; default 0 */
    int64_t ntheta;       /* angles, or bins of angles; >= 1 */
    const double *theta; /* [ntheta], radians, 0 .. pi; of bins [ntheta + 1], their edges, rising */
    int bins;     /* not 0: means over bins, each angle with the weight sin theta; default 0 */
    int nthreads; /* 0, the default: all available to the process */
} armilla_correlation;

ARMILLA_API void armilla_correlation_init_sized(armilla_correlation *problem, size_t size);
#define armilla_correlation_init(problem)                                                          \
    armilla_correlation_init_sized(problem, sizeof(armilla_correlation))

/* Two-point functions of spectra on the whole sphere: sums over l of (2l+1)/(4 pi) d^l C_l. The
 * functions are those of
 *
 *     0, 0     TT: d^l_00
 *     0, s     TE, TB: d^l_0s
 *     s, s'    xi+ and xi-: EE + BB with d^l_s,s' and EE - BB with d^l_s,-s'; then their imaginary
 *              parts, EB - BE and EB + BE with the same functions
 *
 * with such signs that d^l is above 0 near theta = 0.
 * Given:    problem;  cl  [1, 2 or 4 spectra][lmax + 1]; degrees below the larger spin are not
 *           read.
 * Returned: xi  [as many][ntheta].
 * Errors:   ARGUMENT (names an angle, or the first value that is not finite), MEMORY.
 * Thread rule: any number of threads at once; results do not depend on nthreads. */
ARMILLA_API armilla_status armilla_correlation_from_cl(const armilla_correlation *problem,
                                                       const double *cl, double *xi);

/* The adjoint: cl_l is the sum over angles of (2l+1)/(4 pi) d^l xi, which is a gradient, and, with
 * xi at nodes of a rule on the sphere times 8 pi^2 / (2l+1) and the rule's weights (of sum 2), the
 * spectrum. Errors: as above. */
ARMILLA_API armilla_status armilla_correlation_adjoint(const armilla_correlation *problem,
                                                       const double *xi, double *cl);

#ifdef __cplusplus
}
#endif
#endif
