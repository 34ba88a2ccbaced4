/* Spherical harmonic transforms to and from arbitrary points, over ranks.
 *
 * The operators are those of armilla/points.h. Each rank has its part of alm (the orders that a
 * distribution gives it) and its own points: which ones, and how many, is the caller's choice. The
 * sphere is sampled in strips of colatitude: a rank has some of the strips; the points of all ranks
 * go to the rank that has their strip, and their values come back.
 *
 * Results have the bits of armilla_points on one rank with the points of all ranks, those of rank 0
 * first, then those of rank 1, and so on: on any number of ranks, with the same instruction set.
 * No rank holds the samples of the whole sphere, or the whole spectrum of rings. A rank whose
 * strips have many points does their work, wherever they came from; strips are dealt out by that
 * work, but points that all lie in one strip are one rank's work.
 *
 * Collective rule: all calls here but _free and _describe are collective: every rank makes them, in
 * the same sequence and with the same options; ranks may have no points, no orders or no strips. An
 * error on one rank becomes the same error on all ranks, with the same message, and outputs are
 * untouched, except those of a call that ends with CANCELLED, TRANSPORT, or, with several
 * transforms, MEMORY.
 *
 * Thread rule: a rank calls from one thread at a time; each call uses a team of threads. */
#ifndef ARMILLA_DISTRIBUTED_POINTS_H
#define ARMILLA_DISTRIBUTED_POINTS_H

#include "distributed.h"
#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_distributed_points armilla_distributed_points;

/* Makes a plan: collective.
 * Given:    transport  with as many ranks as the distribution; the struct is copied, its context
 *           must outlive the plan;
 *           distribution  with one group of fields: says lmax, mmax and orders; its rings play no
 *           part. Must outlive the plan;
 *           npoints >= 0, of this rank, below 2^32 on all ranks together;  points  [npoints][2] as
 *           in armilla_points_new; may be NULL for a rank without points;
 *           options  as for armilla_points_new, without layout, the same on all ranks; or NULL;
 *           GPUs leave the calls to the hosts (options->delegate, armilla/device.h);
 *           distributed  or NULL for the defaults.
 * Returned: *plan  new; free with armilla_distributed_points_free.
 * Errors:   ARGUMENT (names the first point that is wrong, by its number on its rank), MEMORY,
 *           UNSUPPORTED (isa; groups of fields; GPUs without options->delegate), TRANSPORT.
 * Notes:    the stages take orders in pairs (armilla_distribution_new). Where a list of the
 *           caller's separates the two orders of a pair, calls move alm to other ranks and back,
 *           and a copy of alm takes memory. While a plan
 *           is made, each stretch of neighbouring points that go to the same rank takes some 300
 *           bytes, afterwards 64; where points are in no sequence, each point is such a stretch. */
ARMILLA_API armilla_status armilla_distributed_points_new(
    const armilla_transport *transport, const armilla_distribution *distribution, int64_t npoints,
    const double *points, const armilla_points_options *options,
    const armilla_distributed_options *distributed, armilla_distributed_points **plan);

/* NULL is allowed. Not collective. */
ARMILLA_API void armilla_distributed_points_free(armilla_distributed_points *plan);

/* Both operators, in double and in float: collective.
 * Given:    plan;  the input array: alm[ntrans][components][armilla_distribution_alm_size of the
 *           rank], values[ntrans][components][npoints of the rank];  exec or NULL: distances refer
 *           to the rank's arrays; ntrans is the same on all ranks. An array without numbers may be
 *           NULL.
 * Returned: the output array.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (by any rank's progress; the output is then undefined),
 *           TRANSPORT, UNSUPPORTED (the adjoint with exec->missing). Inputs are never written.
 * Notes:    results do not depend on nthreads. Input and output must not overlap. */
ARMILLA_API armilla_status
armilla_distributed_points_synthesis(const armilla_distributed_points *plan, const double *alm,
                                     double *values, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_points_adjoint_synthesis(
    const armilla_distributed_points *plan, const double *values, double *alm,
    const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_distributed_points_synthesis_float(const armilla_distributed_points *plan, const float *alm,
                                           float *values, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_points_adjoint_synthesis_float(
    const armilla_distributed_points *plan, const float *values, float *alm,
    const armilla_exec *exec);

/* Least squares, as armilla_points_pseudo_analysis: collective. The report is the same on all
 * ranks, and the bits are those of one rank.
 * Given:    values, alm  of the rank;  options  or NULL: weights, one per point of the rank, and
 *           guess, of the rank's alm, are given by all ranks or by none;  reports  likewise.
 * Errors:   ARGUMENT (a value that is not finite has its index in the values of all ranks),
 *           MEMORY, CANCELLED, TRANSPORT.
 * Notes:    for each sum of squares, ranks exchange one number for 2048 points of all ranks, and
 *           up to 2048 values where the points of one rank follow those of another. */
ARMILLA_API armilla_status armilla_distributed_points_pseudo_analysis(
    const armilla_distributed_points *plan, const double *values, double *alm,
    const armilla_pseudo_options *options, armilla_pseudo_report *reports,
    const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_points_pseudo_analysis_float(
    const armilla_distributed_points *plan, const float *values, float *alm,
    const armilla_pseudo_options *options, armilla_pseudo_report *reports,
    const armilla_exec *exec);

/* What a rank has. */
typedef struct armilla_distributed_points_description {
    size_t size;                 /* set by the caller */
    int64_t npoints, all_points; /* of the rank, of all ranks */
    int64_t points_here; /* points that the rank works on: those in its strips and next to them */
    int64_t strips, nstrips; /* of the rank, of all ranks */
    int64_t alm_size;        /* of the rank, one component */
    int64_t ncomp, alm_ncomp;
    int64_t moves_alm;  /* 1: calls move alm to other ranks first, see above */
    int64_t chunks;     /* of the exchange of a transform */
    int64_t plan_bytes; /* of the rank, without lists of points that move, and what the transport
                           keeps */
    int64_t workspace_bytes; /* of a call with doubles, whichever operator takes more */
} armilla_distributed_points_description;

/* Given:    nthreads as in armilla_exec;  description->size set by the caller.
 * Errors:   ARGUMENT. Not collective. */
ARMILLA_API armilla_status
armilla_distributed_points_describe(const armilla_distributed_points *plan, int nthreads,
                                    armilla_distributed_points_description *description);

#ifdef __cplusplus
}
#endif
#endif
