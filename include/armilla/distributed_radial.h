/* Convolution with radial kernels of maps that are spread over ranks.
 *
 * The operators are those of armilla/radial.h, with both methods, both modes, all normalizations,
 * and maps of spin 0 and 2. Each rank has the pixels that it says it has: the rings of an
 * armilla_distribution, a range of the pixel numbers, or any others. Results are those of
 * armilla_radial on one rank, bit by bit with the same instruction set, on any number of ranks.
 *
 *     the rank's pixels --> its belt --> sums of its belt --> the rank's pixels
 *
 * A belt consists of some neighbouring rings of the north and their mirror images in the south;
 * belts are dealt out by what their sums cost. PIXELS sees the rings within the support of the belt
 * as windows of bounded size, which come from the ranks that have them, one after the other. For
 * RINGS each rank transforms the rings of its belt, and mixes some orders m of all rings, so that
 * orders go from rank to rank and back.
 *
 * Memory: no rank holds a whole map, unless there are few ranks. For the maps that go together, up
 * to four scalars or two pairs, a rank has a belt of input and a belt of output, which have as many
 * pixels as the work asks for, at most about 2 / nranks of all pixels and one pair of rings. PIXELS
 * needs a window of up to 2 / nranks of all pixels, and sums of the belt's rows where there are
 * several windows; RINGS needs the orders of the belt, and twice the rank's share of the orders of
 * all rings, counted as if all rings had as many orders as the longest one. SUM, and means over
 * weights, take two or three belts more. What does not shrink with the number of ranks are the
 * lists of all rings, with RINGS also tables of cosines, the list of rings that see each other and
 * samples of the kernel, a tenth of a map at most, and a thread's scratch for one row.
 *
 * Limits: RINGS deals out orders 32 at a time, so that ranks beyond a 32nd of the number of orders
 * of the longest ring have no part in mixing; each of the other ranks makes the samples of the
 * kernel.
 *
 * Collective rule: all calls here but _free and _describe are collective: every rank makes them, in
 * the same sequence and with the same arguments except spans, maps and weights; ranks may have no
 * pixels. An error on one rank becomes the same error on all ranks, with the same message; outputs
 * are untouched unless the error is CANCELLED or TRANSPORT, or MEMORY where more maps are given
 * than go together.
 * Thread rule: a rank calls from one thread at a time; each call uses a team of threads. */
#ifndef ARMILLA_DISTRIBUTED_RADIAL_H
#define ARMILLA_DISTRIBUTED_RADIAL_H

#include "radial.h"
#include "redistribution.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_distributed_radial armilla_distributed_radial;

/* Makes a plan: collective.
 * Given:    transport  the struct is copied, its context must outlive the plan;
 *           grid, kernel  (copied) and options  as for armilla_radial_new, or NULL; GPUs leave the
 *           calls to the hosts (options->delegate, armilla/device.h), each rank's being the one of
 *           ARMILLA_DEVICE_OF_RANK (armilla/distributed.h);
 *           spans  nspans of them, the pixels that this rank has: `begin` is the grid's own number
 *           of the first pixel of a span, `place` where that is in the rank's arrays. Copied; may
 *           be NULL where nspans = 0. Each pixel of the grid is on exactly one rank, and no other
 *           number is in a span. armilla_distribution_map_spans makes the spans of a distribution.
 * Returned: *radial  new; free with armilla_distributed_radial_free.
 * Errors:   as for armilla_radial_new and armilla_redistribution_new (a pixel that no rank has, or
 *           two have), TRANSPORT; ARGUMENT names what is not the same on all ranks. */
ARMILLA_API armilla_status armilla_distributed_radial_new(const armilla_transport *transport,
                                                          const armilla_grid *grid,
                                                          const armilla_kernel *kernel,
                                                          const armilla_radial_options *options,
                                                          int64_t nspans, const armilla_span *spans,
                                                          armilla_distributed_radial **radial);

/* NULL is allowed. Not collective. */
ARMILLA_API void armilla_distributed_radial_free(armilla_distributed_radial *radial);

/* The convolution and its adjoint, in double and in float: collective.
 * Given:    map[ntrans][n], of spin 2 map[ntrans][2][n]: n is how far the rank's spans reach, the
 *           largest place + count. An array without numbers may be NULL;
 *           exec  or NULL: nthreads, ntrans, map_distance (0: n), progress, progress_data;
 *           missing, the same on all ranks: a value that is missing is named by its index in the
 *           whole map.
 * Returned: out, the same shape and distances; elements that no span has are untouched.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (by any rank's progress), TRANSPORT.
 * Notes:    map and out must not overlap. */
ARMILLA_API armilla_status
armilla_distributed_radial_convolve(const armilla_distributed_radial *radial, const double *map,
                                    double *out, const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_distributed_radial_convolve_float(const armilla_distributed_radial *radial,
                                          const float *map, float *out, const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_distributed_radial_adjoint(const armilla_distributed_radial *radial, const double *map,
                                   double *out, const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_distributed_radial_adjoint_float(const armilla_distributed_radial *radial, const float *map,
                                         float *out, const armilla_exec *exec);

/* Does what armilla_radial_convolve_weighted does, with the rank's n weights: collective.
 * Given:    least, fill  the same on all ranks.
 * Errors:   as above; ARGUMENT also for a weight that is negative or not finite. */
ARMILLA_API armilla_status armilla_distributed_radial_convolve_weighted(
    const armilla_distributed_radial *radial, const double *map, const double *weights,
    double least, double fill, double *out, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_radial_convolve_weighted_float(
    const armilla_distributed_radial *radial, const float *map, const double *weights, double least,
    double fill, float *out, const armilla_exec *exec);

/* What a rank has to do. */
typedef struct armilla_distributed_radial_description {
    size_t size;               /* set by the caller */
    const char *method;        /* "pixels", "rings", "pixels and rings" */
    const char *normalization; /* "none", "integral", "sum" */
    double support;            /* radians */
    int64_t npix;              /* n: how far the rank's spans reach */
    int64_t belt_rings, belt_npix;
    int64_t window_npix;            /* of the largest window of PIXELS */
    int64_t windows;                /* that PIXELS goes through, the most of any rank */
    const char *isa;                /* "avx512", ... */
    double truncation_error, width; /* as in armilla_radial_description */
} armilla_distributed_radial_description;

/* Given:    description->size set by the caller.
 * Returned: the other fields of *description that lie within its size. Errors: ARGUMENT.
 * Notes:    not collective. */
ARMILLA_API armilla_status armilla_distributed_radial_describe(
    const armilla_distributed_radial *radial, armilla_distributed_radial_description *description);

#ifdef __cplusplus
}
#endif
#endif
