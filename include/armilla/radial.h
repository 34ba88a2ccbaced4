/* Convolution of maps with radial kernels, on any ring grid.
 *
 *     s_p = sum over pixels q within the support of w_q K(angle(p, q)) map_q
 *
 * w_q is the quadrature weight of the pixel (HEALPix: 4 pi / npix). The sum is exact to rounding,
 * poles included, and there is no ringing. A finite value further away than the support has no
 * influence at all with the method PIXELS; with RINGS it has the influence of rounding, some 1e-16
 * of the largest value on the rings in reach.
 *
 * Spin 2: Q and U are components along axes that turn from pixel to pixel (healpy's convention,
 * that of armilla_sht_options.spin = 2). They are carried along the great circle from q to p:
 *
 *     s_p = sum over q of w_q K(angle(p, q)) exp(2 i t_pq) (Q + i U)_q
 *
 * where t_pq is the angle by which the axes turn on the way. Kernels that have a window apply it to
 * E and B alike; the window of a Gaussian is exp(-(l (l + 1) - 4) sigma^2 / 2), as in
 * armilla_spectrum_gaussian_beam. Top hats and tables apply K as it stands; a pixel's antipode does
 * not count, since no single great circle leads to it. Supports, normalizations and means over
 * weights are those of the scalar kernel. Such plans are not streamed. The mode STANDARD takes
 * rings of Q and of U as band-limited, each by itself: close to the poles of HEALPix, where a ring
 * of four pixels has no room for the two turns of the axes around a pole, it is far from the sum
 * above.
 *
 * On a GPU (options.device = ARMILLA_CUDA; so far tried on an emulated one only): maps of doubles
 * or floats, in the memory of the host or of the GPU (armilla/device.h), of spin 0 and 2, either
 * mode, by one method for all rings, in RING or NESTED order. FASTEST takes the cheaper one, by a
 * model of the cost there; where devices or device_bytes are given, PIXELS.
 * armilla_radial_convolve, armilla_radial_adjoint, armilla_radial_convolve_many and
 * armilla_radial_convolve_weighted run there; all else is refused by name, as UNSUPPORTED: streams;
 * RINGS where some rings cannot go by it. With arrays of the GPU a call without weights puts its
 * work on exec->stream and
 * returns. Weights may be on either side, whatever exec->memory says; by PIXELS map and out are
 * then on the same side. A call with weights waits for the result, and is refused on a stream that
 * is captured. Results are those of the processor by the same method and with the same support, to
 * rounding (FASTEST with support = 0 may choose others there, within truncation_error: see
 * armilla_radial_describe); bits are the same from run to run. With RINGS rounding reaches the
 * mirror images of rings, too.
 *
 * Thread rule: a plan is immutable; any number of threads may execute it at once. */
#ifndef ARMILLA_RADIAL_H
#define ARMILLA_RADIAL_H

#include "device.h"
#include "grid.h"
#include "kernel.h"
#include "sht.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_radial armilla_radial;

typedef enum armilla_radial_mode {
    ARMILLA_RADIAL_EXACT = 0, /* the sum above */
    /* Rings are band-limited: the sum is made on a grid with as many pixels on all rings as on the
     * longest one (or, for speed, a few more), on the trigonometric polynomials through the pixels
     * of the rings; of the result, orders above half of a ring's own number of pixels are dropped.
     * Takes the memory of two maps of that grid. Where all rings of the grid itself have as many
     * pixels, from the same longitude on, it is EXACT. */
    ARMILLA_RADIAL_STANDARD = 1
} armilla_radial_mode;

typedef enum armilla_radial_normalization {
    /* NONE for kernels that are negative somewhere; else INTEGRAL, but SUM where the pixels sample
     * the kernel badly, so that the sums around them are not near its integral: where it is
     * narrower than 2.5 pixels at half maximum, or than 10 where it ends with a jump, as top hats
     * do, or where a support cuts it off above half its peak. armilla_radial_describe tells
     * which */
    ARMILLA_RADIAL_AUTO = 0,
    ARMILLA_RADIAL_NONE = 1,
    /* K is scaled so that its integral over the support is 1 */
    ARMILLA_RADIAL_INTEGRAL = 2,
    /* s_p is divided by the sum over q of w_q K(angle(p, q)): a constant map stays as it is */
    ARMILLA_RADIAL_SUM = 3
} armilla_radial_normalization;

/* How sums are made. With the same support results agree to rounding; FASTEST with support = 0 may
 * take a wider one where it goes by RINGS. */
typedef enum armilla_radial_method {
    ARMILLA_RADIAL_FASTEST = 0, /* by a model of the cost, ring by ring */
    ARMILLA_RADIAL_PIXELS = 1,  /* pixel by pixel */
    ARMILLA_RADIAL_RINGS = 2    /* Fourier coefficients of rings, where the kernel allows it */
} armilla_radial_method;

typedef struct armilla_radial_options {
    size_t size;    /* sizeof(armilla_radial_options), set by _init */
    double support; /* radians, 0 < support <= pi; 0, the default: chosen for truncation_error */
    double truncation_error; /* see armilla_kernel_truncation_error; default 1e-7 */
    armilla_radial_mode mode;
    armilla_radial_normalization normalization;
    armilla_radial_method method;
    const char *isa; /* as in armilla_sht_options */
    /* 0, the default: maps are scalars. 2: maps are pairs Q, U of a field of spin 2,
     * map[ntrans][2][npix]; see "Spin 2". */
    int64_t spin;
    /* ARMILLA_CPU, the default, or ARMILLA_CUDA: convolutions run on the calling thread's current
     * GPU, see "On a GPU". */
    armilla_device device;
    /* Memory of the GPU that a call may take whose maps are on the host, or one with weights; 0,
     * the default: by PIXELS two maps, or pairs, and with weights two more of doubles; by RINGS
     * what makes it fast. By PIXELS with less than that maps go by slabs of rings, copies of one
     * beside kernels of another, down to slabs of one ring, its mirror image and the rings that
     * their kernels reach. By RINGS Fourier transforms of rings go by batches, down to one pair of
     * rings beside both legs, 32 bytes for each pair of rings and order, and copies of a field; in
     * the mode STANDARD, where it is not EXACT, likewise, beside two fields of the longer rings and
     * what the plan inside takes. armilla_radial_describe tells what is taken. Bits do not depend
     * on it. Maps on the GPU with weights take 8 bytes a pixel, and 8 more where the weights are on
     * the host, whatever it says. By RINGS, and of the mode STANDARD where it is not EXACT, weights
     * take, in addition to what armilla_radial_describe tells, 32 bytes a pixel, of pairs 40. */
    int64_t device_bytes;
    /* With device = ARMILLA_CUDA: the numbers of the GPUs that share the calls of the plan, each
     * once. NULL, 0, the defaults: the calling thread's current one. Several of them: the maps of a
     * call are dealt out among them; where they are fewer than the GPUs, by PIXELS the rows of each
     * map, else some GPUs have none. Bits are the same. What armilla/device.h says of several GPUs
     * holds here, too: arrays are in host memory, the call waits, an error names its GPU. */
    const int *devices;
    int64_t ndevices;
    /* Not 0: with device = ARMILLA_CUDA plans over ranks, which GPUs do not offer, are the host's,
     * see armilla/device.h. 0, the default: such plans are UNSUPPORTED. */
    int delegate;
} armilla_radial_options;

ARMILLA_API void armilla_radial_options_init_sized(armilla_radial_options *options, size_t size);
#define armilla_radial_options_init(options)                                                       \
    armilla_radial_options_init_sized(options, sizeof(armilla_radial_options))

/* Makes a plan. It keeps the workspace of its last call for the next.
 * Given:    grid, kernel (both copied);  options or NULL for the defaults.
 * Returned: *radial  new; free with armilla_radial_free.
 * Errors:   ARGUMENT (also INTEGRAL or SUM for a kernel whose integral over the support is 0),
 *           MEMORY (also of a GPU), UNSUPPORTED (isa; what a GPU does not offer; no GPU). */
ARMILLA_API armilla_status armilla_radial_new(const armilla_grid *grid,
                                              const armilla_kernel *kernel,
                                              const armilla_radial_options *options,
                                              armilla_radial **radial);
ARMILLA_API void armilla_radial_free(armilla_radial *radial);

/* The convolution, and its adjoint in the inner product <map, map'> = sum over pixels:
 *     t_q = w_q sum over p of K(angle(p, q)) map_p           (SUM: of map_p divided by its divisor)
 * Given:    radial;  map[ntrans][npix], of spin 2 map[ntrans][2][npix];  exec or NULL (alm_distance
 *           is not used; map_distance: values between components).
 * Returned: out, the same shape and distances; only the pixels of the grid's rings are written.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (out is then undefined). map is never written.
 * Notes:    results do not depend on nthreads. map and out must not overlap. A value that is not
 *           finite spoils what lies within its support or next to it, and with the method RINGS
 *           whole rings around it; for maps with holes see armilla_radial_convolve_weighted. */
ARMILLA_API armilla_status armilla_radial_convolve(const armilla_radial *radial, const double *map,
                                                   double *out, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_radial_convolve_float(const armilla_radial *radial,
                                                         const float *map, float *out,
                                                         const armilla_exec *exec);
ARMILLA_API armilla_status armilla_radial_adjoint(const armilla_radial *radial, const double *map,
                                                  double *out, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_radial_adjoint_float(const armilla_radial *radial,
                                                        const float *map, float *out,
                                                        const armilla_exec *exec);

/* Convolves the pixels that are there, for maps with holes:
 *     s_p = (sum over q of w_q K v_q map_q) / (sum over q of w_q K v_q)
 * Given:    weights  v_q >= 0, one per pixel of a map, the same for all maps; where it is 0 the map
 *           is not read and may be NaN. The plan's normalization plays no part. Of plans on a GPU
 *           they may be in the memory of the GPU.
 * Returned: out; it is fill where the divisor is below `least` times the divisor for weights of 1.
 *           With the method RINGS and the mode STANDARD, whose sums have rounding everywhere, it is
 *           fill also where the divisor is below 1e-10 of the divisor for weights that are all as
 *           large as the largest one.
 * Errors:   as above; ARGUMENT also for a weight that is negative or not finite. */
ARMILLA_API armilla_status armilla_radial_convolve_weighted(const armilla_radial *radial,
                                                            const double *map,
                                                            const double *weights, double least,
                                                            double fill, double *out,
                                                            const armilla_exec *exec);
ARMILLA_API armilla_status armilla_radial_convolve_weighted_float(
    const armilla_radial *radial, const float *map, const double *weights, double least,
    double fill, float *out, const armilla_exec *exec);

/* Convolves the same maps with several kernels, as those of many detectors or all scales of a
 * wavelet: armilla_radial_convolve with each plan, but the Fourier coefficients of rings that the
 * method RINGS needs are made once for all plans.
 * Given:    radials[nradials]  plans of one grid and spin, nradials >= 1;  map[ntrans][npix], of
 *           spin 2 map[ntrans][2][npix];  exec or NULL, as for armilla_radial_convolve.
 * Returned: out[nradials][ntrans][npix] or [nradials][ntrans][2][npix]; exec->map_distance is the
 *           distance between components of both arrays.
 * Errors:   ARGUMENT (also for plans of different grids or spins: names the plan), MEMORY,
 *           CANCELLED (out is then undefined). map is never written.
 * Notes:    equal to calls one by one to rounding. Plans of the method PIXELS share nothing. map
 *           and out must not overlap. All plans run on the processor, or all of them on a GPU. On
 *           the processor, where two plans or more have rings of the method RINGS, the call takes,
 *           in addition to the workspace of one plan after the other, memory for these
 *           coefficients: about that of up to four of the maps. On a GPU neighbours of the method
 *           RINGS share the coefficients of the plan with most orders, as far as these are all that
 *           a plan needs; bits are those of calls one by one, and the workspace that of the largest
 *           plan. armilla_radial_many_bytes tells both.
 */
ARMILLA_API armilla_status armilla_radial_convolve_many(const armilla_radial *const *radials,
                                                        int64_t nradials, const double *map,
                                                        double *out, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_radial_convolve_many_float(const armilla_radial *const *radials,
                                                              int64_t nradials, const float *map,
                                                              float *out, const armilla_exec *exec);

/* What a call of armilla_radial_convolve_many takes for maps of doubles.
 * Given:    radials[nradials], exec  as there; exec->ntrans and exec->nthreads count, and of plans
 *           on a GPU exec->memory: ARMILLA_MEMORY_DEVICE for maps on the GPU, else they are on the
 *           host.
 * Returned: *bytes  of the host: workspaces, which plans keep for their next call, and the
 *           coefficients that they share; *device_bytes  of a GPU. Lists of plans are not counted.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (plans on the processor and on a GPU). */
ARMILLA_API armilla_status armilla_radial_many_bytes(const armilla_radial *const *radials,
                                                     int64_t nradials, const armilla_exec *exec,
                                                     int64_t *bytes, int64_t *device_bytes);

/* --- Maps larger than memory ------------------------------------------------------------------ */

/* Pixels first .. first + count - 1 of the map. Returned: ARMILLA_OK, or an error, which ends the
 * call and is returned by it. */
typedef armilla_status (*armilla_radial_read_fn)(void *data, int64_t first, int64_t count,
                                                 double *values);
typedef armilla_status (*armilla_radial_write_fn)(void *data, int64_t first, int64_t count,
                                                  const double *values);

/* Fill with armilla_radial_stream_init, then set fields. */
typedef struct armilla_radial_stream {
    size_t size; /* sizeof(armilla_radial_stream), set by _init */
    armilla_radial_read_fn read;
    armilla_radial_write_fn write;
    void *data;           /* handed to both */
    int64_t memory_bytes; /* that a call may take, unless a piece of one ring and its sources needs
                             more; 0, the default: 1 GiB */
    int weighted;         /* default 0; 1: NaN is a hole, see armilla_radial_convolve_weighted */
    double least, fill;   /* of that; default 0 and NaN */
} armilla_radial_stream;

ARMILLA_API void armilla_radial_stream_init_sized(armilla_radial_stream *stream, size_t size);
#define armilla_radial_stream_init(stream)                                                         \
    armilla_radial_stream_init_sized(stream, sizeof(armilla_radial_stream))

/* Gives the bits of armilla_radial_convolve, for one map that the calling thread reads and writes
 * in pieces: some rings of the north and their mirror images in the south, from the poles to the
 * equator. Every pixel is written once; pixels near the borders of pieces are read more than once.
 * Given:    a plan for a grid with rings that follow each other in the map, from north to south
 *           (HEALPix RING order, Gauss-Legendre, ...);  exec  with ntrans 1, or NULL.
 * Errors:   ARGUMENT, MEMORY, CANCELLED, the errors of read and write; some of the output is then
 *           written. */
ARMILLA_API armilla_status armilla_radial_convolve_stream(const armilla_radial *radial,
                                                          const armilla_radial_stream *stream,
                                                          const armilla_exec *exec);

/* Returned: *bytes  that armilla_radial_convolve_stream allocates at most with these arguments;
 * more than memory_bytes where a piece of one ring and its sources needs it. Nothing is read.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_radial_stream_bytes(const armilla_radial *radial,
                                                       const armilla_radial_stream *stream,
                                                       const armilla_exec *exec, int64_t *bytes);

typedef struct armilla_radial_description {
    size_t size;               /* sizeof(armilla_radial_description), set by the caller */
    const char *isa;           /* "avx512", ... */
    const char *method;        /* "pixels", "rings", "pixels and rings" */
    const char *normalization; /* "none", "integral", "sum" */
    double support;            /* radians */
    double truncation_error;   /* of that support, see armilla_kernel_truncation_error */
    double integral;           /* of the kernel over the support, before normalization */
    double width;              /* of the kernel, radians: where |K| first falls to half of K(0) */
    double pixel;              /* sqrt of the mean solid angle of a pixel, radians. A kernel
                                  narrower than that is badly sampled: sums are still exact */
    int64_t nrings, npix;
    int64_t pairs;                  /* products of a kernel value and a pixel of one convolution */
    int64_t plan_bytes;             /* memory the plan holds */
    int64_t workspace_bytes;        /* memory a call allocates with nthreads threads */
    int64_t device_plan_bytes;      /* memory of the GPU: what the plan holds; else 0 */
    int64_t device_workspace_bytes; /* what a call takes whose maps are doubles on the host; with
                                       maps on the GPU it takes less: by PIXELS nothing, by RINGS
                                       and of the mode STANDARD all but copies of the maps of one
                                       field, of which NESTED order has two there */
} armilla_radial_description;

/* Given:    radial;  nthreads as in armilla_exec;  description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_radial_describe(const armilla_radial *radial, int nthreads,
                                                   armilla_radial_description *description);

/* Tells the choices of a plan, one after the other: how rings are convolved, where the kernel is
 * cut and how results are normalized, and why. docs/ways.md has a row for each. Given: radial; take
 * is called with data and each choice. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_radial_explain(const armilla_radial *radial,
                                                  armilla_choice_fn take, void *data);

/* Is a map smoothed faster by convolution, or by analysis and synthesis?
 * Given:    radial;  sht  a plan for the same maps.
 * Returned: seconds of one core for one map by either way, by a model of the cost with constants
 *           that were measured on one machine: for HEALPix up to nside 1024 their ratio was good to
 *           30 % there; on other grids, sizes and machines it has been off by up to 2.3.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_radial_compare(const armilla_radial *radial,
                                                  const armilla_sht *sht, double *radial_seconds,
                                                  double *harmonic_seconds);

#ifdef __cplusplus
}
#endif
#endif
