/* Spherical harmonic transforms on ring grids.
 *
 *   operator              matrix   meaning
 *   synthesis             Y        alm -> map
 *   adjoint_synthesis     Y^T      map -> alm, no weights
 *   analysis              Y^T W    map -> alm; inverts synthesis where the grid has an exact rule
 *   adjoint_analysis      W Y      alm -> map
 *   pseudo_analysis                map -> alm by iteration, for grids without an exact rule
 *
 * Adjoint is meant in the inner products <map, map'> = sum over pixels, and for alm of real fields
 * Re sum over m >= 0 of a conj(a') with a factor 2 for m > 0. W is diagonal (the weights of the
 * grid); on CC, F1, MW, MWSS, MWFLIP, for lmax <= armilla_grid_exact_lmax, it is the exact
 * symmetric operator of docs/mathematics.md (5.8).
 *
 * Arrays: alm complex, interleaved; map real. Several transforms (ntrans) and the components lie
 * one after the other: alm[ntrans][alm_ncomp][size], map[ntrans][ncomp][npix]. Results are those of
 * single transforms, bit by bit except for analyses and adjoint syntheses of scalars.
 *
 * Thread rule: a plan is immutable; any number of threads may execute it at once. Plans may be made
 * and freed in several threads at once. Only a library that was built with ARMILLA_FFT=fftw shares
 * FFTW's planner with the whole process: a program that plans FFTW transforms of its own in another
 * thread meanwhile must then call fftw_make_planner_thread_safe first. */
#ifndef ARMILLA_SHT_H
#define ARMILLA_SHT_H

#include "alm.h"
#include "choice.h"
#include "device.h"
#include "grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_sht armilla_sht;

/* What a plan transforms. Components: of alm -> of map. Conventions of sign: HEALPix, ducc0. */
typedef enum armilla_sht_mode {
    /* spin 0: one scalar -> one map. Spin s != 0: gradient and curl (E, B) -> real and imaginary
     * part (Q, U) of a field of spin s. Coefficients of degrees below |s| are taken as 0 and
     * returned as 0. */
    ARMILLA_SHT_STANDARD = 0,
    /* Spin s != 0 with B = 0: one -> two. To alm: the gradient part alone. */
    ARMILLA_SHT_GRADIENT_ONLY = 1,
    /* Derivatives of a scalar f: one -> two. spin 1: (df/dtheta, df/dphi / sin theta).
     * spin 2: (f_tt - f_pp, 2 f_tp), the traceless part of the second covariant derivatives; their
     * trace f_tt + f_pp is the scalar with coefficients -l (l + 1) a_lm. */
    ARMILLA_SHT_DERIVATIVES = 2
} armilla_sht_mode;

/* On which rings the Legendre stage of all operators works. Results agree to rounding.
 * RESAMPLE: on lmax + 1 equidistant rings, or a few more; columns are resampled in theta between
 * them and the grid's rings. It is worth while where the grid has many more rings (HEALPix), or
 * rings without mirror images (MW, MWFLIP), and possible on all grids. Whatever the method,
 * analysis and its adjoint work on Gauss-Legendre rings on CC, F1, MW, MWSS and MWFLIP, lmax <=
 * armilla_grid_exact_lmax. */
typedef enum armilla_sht_method {
    ARMILLA_SHT_AUTO = 0,    /* DIRECT, or RESAMPLE where it is faster */
    ARMILLA_SHT_DIRECT = 1,  /* on every ring of the grid */
    ARMILLA_SHT_RESAMPLE = 2 /* on fewer rings, see above */
} armilla_sht_method;

/* How the caller's coefficients c_lm stand in arrays. */
typedef enum armilla_alm_form {
    ARMILLA_ALM_COMPLEX = 0, /* (re, im) beside each other, of m = 0 as well */
    /* sqrt(2) (re, im) beside each other for m > 0, one number for m = 0: the coefficients of real
     * harmonics in the order of armilla_alm_to_real, whose inner product is the plain dot product.
     * Arrays have 2 size - (lmax + 1) numbers a component, and distances count numbers */
    ARMILLA_ALM_REAL = 1
} armilla_alm_form;

/* How functions of spin s are made. AUTO makes sums for |s| <= 3 and, on a CPU, for |s| <= 32 from
 * lmax = 16 |s| on; of other spins by recurrence. */
typedef enum armilla_sht_spin_method {
    ARMILLA_SPIN_AUTO = 0,      /* as sums of scalar functions where that keeps the accuracy */
    ARMILLA_SPIN_RECURRENCE = 1 /* by the recurrence of the Wigner d functions on every ring */
} armilla_sht_spin_method;

/* Which orders each ring has: those above its limit are 0 there in synthesis, and are not read in
 * analysis, so that adjoints stay adjoints. */
typedef enum armilla_ring_orders {
    ARMILLA_RING_ORDERS_ALL = 0,     /* all that are not below rounding */
    ARMILLA_RING_ORDERS_ECTRANS = 1, /* up to armilla_grid_ectrans_limits, as in ECMWF's models */
    ARMILLA_RING_ORDERS_LISTED = 2   /* up to options.ring_limits */
} armilla_ring_orders;

/* Options of a plan. Fill with armilla_sht_options_init, then change fields. */
typedef struct armilla_sht_options {
    size_t size;                      /* sizeof(armilla_sht_options), set by _init */
    int64_t spin;                     /* |spin| <= lmax; default 0 */
    const armilla_alm_layout *layout; /* NULL: triangular; else lmax, mmax must agree; copied */
    const char *isa; /* NULL: ARMILLA_ISA or the best; else "scalar", "avx2", ... */
    armilla_sht_mode mode;
    armilla_sht_method method;
    armilla_sht_spin_method spin_method;
    armilla_device device; /* default ARMILLA_CPU; ARMILLA_CUDA: see armilla/device.h; AUTO is
                              DIRECT then */
    int64_t device_bytes;  /* about how many bytes of the device a call may take besides the arrays,
                              unless a few rings need more or, with RESAMPLE and in analysis where
                              weights mix rings (CC, F1, MW, MWSS, MWFLIP up to
                              armilla_grid_exact_lmax), 16 bytes for each ring and order are more;
                              0, the default: twice the bytes of alm and map of one transform, and
                              512 MiB at least. Transforms go together as far as it allows */
    armilla_device_tune device_tune; /* of a GPU: how the shape of its kernels is chosen */
    const char *device_shape; /* of a GPU: the name of a shape (armilla_device_shape_name), whatever
                                 device_tune says; NULL, the default: chosen */
    armilla_device_precision device_precision; /* of a GPU: of Legendre functions; default AUTO */
    /* On the CPU: about how many bytes the plan and the workspace of a call with doubles and one
     * thread may take together. They take what 1280 rings, or half of the orders, need in any case,
     * less where the output has room for them. 0, the default: 45 % of alm and map from lmax 2047
     * on, below that as much as is fastest. More memory makes large transforms faster: see
     * docs/architecture.md 1 */
    int64_t host_bytes;
    /* On the CPU: bytes that a core can read again and again at full speed, for plans up to lmax
     * 500. Last bits depend on it. 0, the default: 2 MB with AVX-512, otherwise 8 MB, whatever the
     * machine has, so that all machines give the same bits with the same instruction set. From lmax
     * 110 to 235, 8 MB makes scalar transforms 13 to 22 % faster on AMD's processors with AVX-512,
     * and 2 MB makes them some 20 % faster where the third-level cache is far though there is no
     * AVX-512 */
    int64_t cache_bytes;
    /* NULL, or choices to force, "name=number,name=number", with names that armilla_sht_explain
     * tells and whose values begin with a number; for tests and for measurements. A name without
     * "weighted." in front is that of both ways, where the one with it is not given */
    const char *choices;
    /* On the CPU: fields that repeat themselves mres times around the axis. The orders are 0, mres,
     * 2 mres, ..., mmax mres <= lmax, alm has them as armilla_alm_size_mres says, and rings cover a
     * sector of 2 pi / mres: sample j of a ring of the grid lies at the longitude
     *     (phi0 + 2 pi j / nphi) / mres.
     * Weights are those of all sectors: analysis is that of the whole sphere, at 1 / mres of its
     * cost and memory. Adjoints are those of sums over the samples of one sector. mres >= 1;
     * default 1, all orders. layout must have the same. Plans for I, Q, U, ranks and points refuse
     * others than 1 */
    int64_t mres;
    /* On the CPU: which coefficients the caller has. They come and go with the rows of the Legendre
     * stage, without a pass of their own: c_lm stands for
     *     a_lm = degree_scale[l] order_scale[m / mres] c_lm,   with conjugate: conj(c_lm)
     * Analysis and its adjoint divide by the scales, the other two multiply by them, so that
     * analysis inverts synthesis and adjoints are transposes in c. C_lm and S_lm of geodesy are
     * REAL, conjugate, with degree_scale = sqrt(4 pi) and order_scale = (-1)^m. REAL: layout must
     * be NULL, and pseudo_analysis is refused. Defaults: COMPLEX, 0, NULL, NULL. Plans for I, Q, U,
     * complex fields and ranks refuse others */
    armilla_alm_form form;
    int conjugate;
    const double *degree_scale; /* lmax + 1 numbers, finite and not 0; copied. NULL: all 1 */
    const double *order_scale;  /* mmax + 1, likewise */
    /* Other than ALL: on the CPU, on one rank, method AUTO or DIRECT, and grids whose weights do
     * not mix rings (see method) */
    armilla_ring_orders ring_orders;
    /* LISTED: one number >= 0 for each ring, the same for rings that are mirror images, and falling
     * nowhere from a pole to the equator; copied. Else NULL */
    const int64_t *ring_limits;
    /* With device = ARMILLA_CUDA: the numbers of the GPUs that share the calls of the plan, each
     * once; copied. NULL, 0, the defaults: the calling thread's current one. See armilla/device.h;
     * plans over ranks refuse a list */
    const int *devices;
    int64_t ndevices;
    /* Not 0: with device = ARMILLA_CUDA the host runs what GPUs do not offer, plans for complex and
     * for vector fields; see armilla/device.h. 0, the default: such plans are UNSUPPORTED */
    int delegate;
    /* On a GPU: how many streams a call of several transforms works on. 1: exec->stream alone. 2:
     * where it can, the Legendre stage of a batch runs there beside the ring stage of a neighbour
     * on a stream of the plan's own, for which exec->stream waits, and so for earlier calls of the
     * plan on other streams. 0, the default: 2 where batches are large. Bits do not depend on it,
     * but with HALVES on how many transforms go together; see docs/gpu.md. Plans over ranks refuse
     * 2 */
    int device_streams;
} armilla_sht_options;

ARMILLA_API void armilla_sht_options_init_sized(armilla_sht_options *options, size_t size);
#define armilla_sht_options_init(options)                                                          \
    armilla_sht_options_init_sized(options, sizeof(armilla_sht_options))

/* Makes a plan. It keeps the workspace of its last call (see armilla_sht_describe) for the next.
 * Given:    grid (copied);  0 <= mmax <= lmax / options->mres;  options or NULL for the defaults.
 * Returned: *sht  new; free with armilla_sht_free.
 * Errors:   ARGUMENT, MEMORY (of the device, too: the message says which), UNSUPPORTED (isa,
 * device).
 */
ARMILLA_API armilla_status armilla_sht_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                           const armilla_sht_options *options, armilla_sht **sht);
ARMILLA_API void armilla_sht_free(armilla_sht *sht);

/* What is done about values of maps that are missing: NaN, infinite, or within a relative 1e-5 of
 * ARMILLA_UNSEEN. docs/site/missing.md has the rule for all calls. */
typedef enum armilla_missing {
    ARMILLA_MISSING_PROPAGATE = 0, /* they are numbers like all others */
    ARMILLA_MISSING_ERROR = 1      /* an error that names the first one; the output is untouched.
                                      Maps in the memory of a GPU are looked at there, for which the
                                      call waits before it puts its work on the stream; on a stream
                                      that is captured, UNSUPPORTED */
} armilla_missing;

/* How one call runs. NULL means the defaults that armilla_exec_init sets. */
typedef struct armilla_exec {
    size_t size;                  /* sizeof(armilla_exec), set by _init */
    int nthreads;                 /* 0: all available to the process; default 0; at most 1024 run */
    int64_t ntrans;               /* transforms in this call, >= 1; default 1 */
    int64_t alm_distance;         /* complex numbers between components; 0: contiguous; not used
                                     where there is one component of one transform */
    int64_t map_distance;         /* values between components; likewise */
    armilla_progress_fn progress; /* may be NULL. On a GPU it makes the call wait for its parts */
    void *progress_data;
    armilla_memory memory;   /* ARMILLA_CUDA: where the arrays are; default: the driver is asked */
    void *stream;            /* ARMILLA_CUDA: a cudaStream_t; default NULL, the default stream */
    armilla_missing missing; /* of calls that read maps: analysis, adjoint_synthesis,
                                pseudo_analysis, convolutions, interpolation, adjoint lensing;
                                values at points refuse ERROR; default PROPAGATE */
} armilla_exec;

ARMILLA_API void armilla_exec_init_sized(armilla_exec *exec, size_t size);
#define armilla_exec_init(exec) armilla_exec_init_sized(exec, sizeof(armilla_exec))

/* The four operators, in double and in float (recurrences are double in both).
 * Given:    sht;  the input array;  exec or NULL.
 * Returned: the output array; of a map only the pixels of the grid's rings are written.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (the output is then undefined). Inputs are never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap. */
ARMILLA_API armilla_status armilla_sht_synthesis(const armilla_sht *sht, const double *alm,
                                                 double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_adjoint_synthesis(const armilla_sht *sht, const double *map,
                                                         double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_analysis(const armilla_sht *sht, const double *map,
                                                double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_adjoint_analysis(const armilla_sht *sht, const double *alm,
                                                        double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_synthesis_float(const armilla_sht *sht, const float *alm,
                                                       float *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_adjoint_synthesis_float(const armilla_sht *sht,
                                                               const float *map, float *alm,
                                                               const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_analysis_float(const armilla_sht *sht, const float *map,
                                                      float *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_adjoint_analysis_float(const armilla_sht *sht,
                                                              const float *alm, float *map,
                                                              const armilla_exec *exec);

/* --- Iterative analysis ----------------------------------------------------------------------- */

typedef enum armilla_pseudo_method {
    ARMILLA_PSEUDO_LSMR = 0,   /* least squares min |Y a - map| (Fong & Saunders 2011) */
    ARMILLA_PSEUDO_JACOBI = 1, /* a <- a + Y^T W (map - Y a), from a = 0 once, and niter times more:
                                * HEALPix' iter=niter. With DERIVATIVES niter = 0 alone, without a
                                * guess */
    ARMILLA_PSEUDO_AUTO = 2    /* analysis alone where it is exact (armilla_sht_description.exact),
                                * else Jacobi's steps until one more would change a by rounding
                                * only: two or three on grids of weather models */
} armilla_pseudo_method;

typedef enum armilla_pseudo_stop {
    ARMILLA_STOP_ZERO = 0,     /* the map is zero, except where weights are 0; so is alm */
    ARMILLA_STOP_RESIDUAL = 1, /* |map - Y a| <= tolerance (|map| + |Y| |a|) */
    ARMILLA_STOP_GRADIENT =
        2, /* |Y^T (map - Y a)| <= tolerance |Y| |map - Y a|: least squares solution */
    ARMILLA_STOP_CONDITION = 3, /* the problem looks singular in working precision; AUTO: steps
                                   become larger, and the last one was undone */
    ARMILLA_STOP_CHANGE = 4,    /* AUTO: a further step would change a by rounding only */
    ARMILLA_STOP_EXACT = 5,     /* AUTO: the analysis is exact, and no step was needed */
    ARMILLA_STOP_ITERATIONS = 7 /* the iteration limit was reached */
} armilla_pseudo_stop;

typedef struct armilla_pseudo_options {
    size_t size;                  /* set by _init */
    armilla_pseudo_method method; /* default LSMR */
    double tolerance;             /* LSMR: relative; default 1e-10. Ignored by the others */
    int64_t max_iterations;       /* LSMR, AUTO: limit, default 100; Jacobi: exact number, 0 = plain
                                   * analysis */
    const double *weights;        /* of pixels, see below; NULL: all are 1 */
    const void *guess;            /* of a, see below; NULL: 0 */
} armilla_pseudo_options;

/* weights  w_p >= 0, one per pixel of a component, at the places of a map's pixels (map_distance
 *          plays no part), the same for all components and transforms, also of float maps. With
 *              |map|^2 = sum over components and pixels of w_p map_p^2
 *          LSMR minimises |map - Y a|, whatever the scale of the weights; w_p = 1 / sigma_p^2 means
 *          white noise of variance sigma_p^2. Jacobi's step becomes a <- a + Y^T W w (map - Y a):
 *          for 0 <= w_p <= 1, such as a mask, it converges where it does so without weights, but
 *          more slowly; larger weights make it diverge. A pixel of weight 0 is left out: its value
 *          is not read and may be NaN. The weights of pixels that belong to no ring are not read.
 * guess    an array like alm, of double or of float like the call's, at alm's distances; may be alm
 *          itself, but not overlap it otherwise. LSMR ends at once where the guess is good enough
 *          and otherwise finds, of all solutions, the one nearest to the guess; Jacobi begins with
 *          it instead of a = 0, so that niter = 0 is one step. The report is that of map and a, as
 *          it is without a guess. */

ARMILLA_API void armilla_pseudo_options_init_sized(armilla_pseudo_options *options, size_t size);
#define armilla_pseudo_options_init(options)                                                       \
    armilla_pseudo_options_init_sized(options, sizeof(armilla_pseudo_options))

typedef struct armilla_pseudo_report {
    armilla_pseudo_stop stop;
    int64_t iterations;
    double residual; /* |map - Y a| / |map|, with weights the weighted norms. AUTO: before the last
                        step, and NaN where there was none */
    double gradient; /* |Y^T (map - Y a)| / (|Y| |map - Y a|); Jacobi: NaN; AUTO: the norm of the
                        last step over that of a, 0 for EXACT */
} armilla_pseudo_report;

/* Given:    map;  options, exec or NULL.
 * Returned: alm;  reports  one per transform, or NULL.
 * Errors:   ARGUMENT (also a value of the map or of the guess that is not finite, a weight that is
 *           negative or not finite, weights that are all 0), MEMORY, CANCELLED (after either of
 *           these two the first of several transforms may be done). Reaching the limit is no error:
 *           see the report.
 * Reference: docs/mathematics.md 10. */
ARMILLA_API armilla_status armilla_sht_pseudo_analysis(const armilla_sht *sht, const double *map,
                                                       double *alm,
                                                       const armilla_pseudo_options *options,
                                                       armilla_pseudo_report *reports,
                                                       const armilla_exec *exec);
ARMILLA_API armilla_status armilla_sht_pseudo_analysis_float(const armilla_sht *sht,
                                                             const float *map, float *alm,
                                                             const armilla_pseudo_options *options,
                                                             armilla_pseudo_report *reports,
                                                             const armilla_exec *exec);

/* --- What will run ---------------------------------------------------------------------------- */

typedef struct armilla_sht_description {
    size_t size;         /* sizeof(armilla_sht_description), set by the caller */
    const char *backend; /* "cpu", "cuda"; "by the host": options->delegate */
    const char *isa;     /* "avx512", ... */
    const char *method;  /* "direct"; "resampled"; "theta weights" where analysis mixes rings */
    int64_t lmax, mmax, nrings, npix, alm_size, ncomp; /* ncomp: components of a map; alm_size:
                                                          real numbers where form is REAL */
    int64_t plan_bytes;                                /* memory the plan holds */
    /* memory a call of doubles allocates with nthreads threads, ntrans = 1. Large calls with floats
     * take up to a sixth of the bytes that alm and map would have as doubles more, and large
     * analyses to float up to 16 bytes per coefficient on top of that */
    int64_t workspace_bytes;
    double useful_flops;       /* floating point operations of the Legendre stage that matter */
    int64_t alm_ncomp;         /* components of alm */
    int64_t device_plan_bytes; /* of a GPU: what the plan holds; of several: on the fullest one */
    int64_t device_workspace_bytes; /* what a call takes there, ntrans = 1, without host arrays */
    const char *device_shape;       /* of a GPU: the shape of its kernels; NULL on the CPU */
    const char *device_precision;   /* of a GPU: in which calls of floats make Legendre functions,
                                       "double", "single" or "halves"; NULL on the CPU */
    int exact; /* does analysis invert synthesis, to rounding? 1: it does (DERIVATIVES: but for
                  factors of the degree); 0: lmax or mmax is beyond what the grid's exact rule, or
                  its numbers of pixels, allow (armilla_grid_exact_lmax_for); -1: the grid has no
                  exact rule, see pseudo_analysis */

    int64_t mres;         /* orders are its multiples, up to mmax mres */
    int64_t device_batch; /* of a GPU: so many transforms of a call with arrays there go together,
                             or more; 0 on the CPU */
    const char *device_doubles; /* of a GPU: in which calls of doubles make Legendre functions,
                                   "double" or "two floats"; NULL on the CPU */
    int64_t device_streams; /* of a GPU: on how many streams a call works at most; 0 on the CPU */
} armilla_sht_description;

/* Given:    sht;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_sht_describe(const armilla_sht *sht, int nthreads,
                                                armilla_sht_description *description);

/* As armilla_sht_describe, but workspace_bytes, and device_workspace_bytes, _batch and _streams are
 * those of a call of ntrans >= 1 transforms (exec->ntrans): on a GPU as many go together as have
 * room in options->device_bytes, and take more memory than one. Of several GPUs: on the one that
 * has most of them. Of several directions, of calls with weights and without them, of doubles and
 * of floats: the most bytes, the fewest transforms. Arrays on the device; analyses to float in
 * several passes add 16 bytes for each coefficient of a batch. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_sht_describe_many(const armilla_sht *sht, int nthreads,
                                                     int64_t ntrans,
                                                     armilla_sht_description *description);

/* Tells the choices of a plan, one after the other: on which rings the Legendre stage works, what
 * is kept, what is transformed together, and why. docs/ways.md has a row for each. Where weights
 * mix the rings, the choices of the way with weights follow, with names such as
 * "weighted.legendre.matrices". The reasons for choices that options force begin with "forced; ".
 * Given: sht;  take  is called with data and each choice. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_sht_explain(const armilla_sht *sht, armilla_choice_fn take,
                                               void *data);

#ifdef __cplusplus
}
#endif
#endif
