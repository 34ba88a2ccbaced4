/* Skies seen through beams of any shape, over ranks.
 *
 * The operators are those of armilla/beams.h. Each rank has its part of the sky (the orders that a
 * distribution gives it), its own pointings, of its own choice and number, with their samples, and
 * all of the beams, which are the same on all ranks. Pointings go to the rank that has their strip
 * of colatitude, as points do (armilla/distributed_points.h), and samples come back.
 *
 * Results have the bits of armilla_beams on one rank with the pointings of all ranks, those of rank
 * 0 first, then those of rank 1, and so on: on any number of ranks, with the same instruction set.
 * The memory of a call does not depend on kmax.
 *
 * Collective rule: all calls here but _free and _describe are collective: every rank makes them, in
 * the same sequence and with the same options; ranks may have no pointings, or no orders. An error
 * on one rank becomes the same error on all ranks, with the same message, and outputs are
 * untouched, except those of a call that ends with CANCELLED, TRANSPORT or MEMORY.
 *
 * Thread rule: a rank calls from one thread at a time; each call uses a team of threads. */
#ifndef ARMILLA_DISTRIBUTED_BEAMS_H
#define ARMILLA_DISTRIBUTED_BEAMS_H

#include "beams.h"
#include "distributed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_distributed_beams armilla_distributed_beams;

/* Makes a plan: collective.
 * Given:    transport  with as many ranks as the distribution; the struct is copied, its context
 *           must outlive the plan;
 *           distribution  with one group of fields: says lmax, mmax and orders; its rings play no
 *           part. Must outlive the plan;
 *           0 <= kmax <= lmax;
 *           npointings >= 0, of this rank, below 2^32 on all ranks together;  pointings
 *           [npointings][3] as in armilla_beams_new; may be NULL for a rank without any;
 *           options  as in armilla_beams_new, the same on all ranks but for modulation, which is of
 *           the rank's pointings, and nthreads; or NULL;
 *           distributed  or NULL for the defaults.
 * Returned: *plan  new; free with armilla_distributed_beams_free.
 * Errors:   ARGUMENT (names the first pointing that is wrong, by its number on its rank), MEMORY,
 *           UNSUPPORTED (isa; groups of fields), TRANSPORT.
 * Notes:    as for armilla_distributed_points_new. */
ARMILLA_API armilla_status armilla_distributed_beams_new(
    const armilla_transport *transport, const armilla_distribution *distribution, int64_t kmax,
    int64_t npointings, const double *pointings, const armilla_beams_options *options,
    const armilla_distributed_options *distributed, armilla_distributed_beams **plan);

/* NULL is allowed. Not collective. */
ARMILLA_API void armilla_distributed_beams_free(armilla_distributed_beams *plan);

/* The operators of armilla/beams.h, in double and in float: collective.
 * Given:    plan;  sky [ntrans][components][armilla_distribution_alm_size of the rank];  beam as in
 *           armilla/beams.h, the same numbers on all ranks;  samples [ntrans][npointings of the
 *           rank];  exec or NULL: distances refer to the rank's arrays; ntrans is the same on all
 *           ranks. An array without numbers may be NULL.
 * Returned: the samples, the sky, or the beam, all of it on every rank.
 * Errors:   ARGUMENT (beams that differ, too), MEMORY, CANCELLED (by any rank's progress),
 *           TRANSPORT, UNSUPPORTED (the adjoints with exec->missing). Inputs are never written.
 * Notes:    results do not depend on nthreads. Inputs and output must not overlap. */
ARMILLA_API armilla_status armilla_distributed_beams_convolve(const armilla_distributed_beams *plan,
                                                              const double *sky, const double *beam,
                                                              double *samples,
                                                              const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_beams_convolve_float(
    const armilla_distributed_beams *plan, const float *sky, const float *beam, float *samples,
    const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_beams_adjoint(const armilla_distributed_beams *plan,
                                                             const double *samples,
                                                             const double *beam, double *sky,
                                                             const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_distributed_beams_adjoint_float(const armilla_distributed_beams *plan, const float *samples,
                                        const float *beam, float *sky, const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_distributed_beams_beam_adjoint(const armilla_distributed_beams *plan, const double *samples,
                                       const double *sky, double *beam, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_beams_beam_adjoint_float(
    const armilla_distributed_beams *plan, const float *samples, const float *sky, float *beam,
    const armilla_exec *exec);

/* Least squares, as armilla_beams_deconvolve: collective. The report is the same on all ranks, and
 * the bits are those of one rank with the pointings of all.
 * Given:    samples, sky  of the rank;  beam  the same on all ranks;  options  or NULL: weights,
 *           one per pointing of the rank, and guess, of the rank's sky, are given by all ranks or
 *           by none;  report  likewise.
 * Errors:   ARGUMENT (a sample that is not finite has its index in the samples of all ranks),
 *           MEMORY, CANCELLED, TRANSPORT. */
ARMILLA_API armilla_status armilla_distributed_beams_deconvolve(
    const armilla_distributed_beams *plan, const double *samples, const double *beam, double *sky,
    const armilla_pseudo_options *options, armilla_pseudo_report *report, const armilla_exec *exec);

/* What a rank has. */
typedef struct armilla_distributed_beams_description {
    size_t size;                       /* set by the caller */
    int64_t npointings, all_pointings; /* of the rank, of all ranks */
    int64_t pointings_here;  /* that the rank works on: those in its strips and next to them */
    int64_t alm_size;        /* of the rank's sky, one component */
    int64_t blm_size;        /* of a component of the beam */
    int64_t plan_bytes;      /* of the rank, without lists of what moves, and what the transport
                                keeps */
    int64_t workspace_bytes; /* of a call with doubles, whichever operator takes more */
} armilla_distributed_beams_description;

/* Given:    nthreads as in armilla_exec;  description->size set by the caller.
 * Errors:   ARGUMENT. Not collective. */
ARMILLA_API armilla_status
armilla_distributed_beams_describe(const armilla_distributed_beams *plan, int nthreads,
                                   armilla_distributed_beams_description *description);

#ifdef __cplusplus
}
#endif
#endif
