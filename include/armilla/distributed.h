/* Spherical harmonic transforms whose coefficients and maps are spread over ranks.
 *
 * The operators are those of armilla/sht.h. Each rank has its part of alm and of the map
 * (armilla/distribution.h): the Legendre stage runs where an order is, the ring stage where a ring
 * is, and between them exactly the entries that exist go from rank to rank. Sums over degrees and
 * over orders stay on one rank, and choices are made for the whole problem: results are those of
 * armilla_sht on one rank, to the bit with the same instruction set, on any number of ranks.
 * There are two exceptions: analyses and adjoint syntheses of several scalars at once have the bits
 * of calls with as many transforms as a group of fields has; and for lists of orders that the
 * caller gives see armilla_distribution_new.
 *
 * Collective rule: all calls here but _free and _describe are collective: every rank makes them, in
 * the same sequence and with the same options; ranks may have no orders, no rings, or no fields. An
 * error on one rank becomes the same error on all ranks, with the same message, and outputs are
 * untouched.
 * Thread rule: a rank calls from one thread at a time; each call uses a team of threads. */
#ifndef ARMILLA_DISTRIBUTED_H
#define ARMILLA_DISTRIBUTED_H

#include "distribution.h"
#include "rotation.h"
#include "sht.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_distributed_sht armilla_distributed_sht;

enum { ARMILLA_DEVICE_OF_RANK = -1, ARMILLA_DEVICE_CURRENT = -2 };

typedef struct armilla_distributed_options {
    size_t size;           /* set by _init */
    int64_t chunk_bytes;   /* of the messages of a field that a rank sends at once, about: exchanges
                              are cut into chunks, which overlap with the stages, two under way. 0,
                              the default: 1 MB; of stages on GPUs 8 MB, and only passes of leg
                            that follow each other overlap there */
    int64_t device_number; /* options->device = ARMILLA_CUDA: the GPU of this rank, from 0 on;
                              ARMILLA_DEVICE_OF_RANK, the default: the transport's local_rank modulo
                              the number of GPUs that the process sees; ARMILLA_DEVICE_CURRENT: the
                              calling thread's current one. Ranks may differ */
} armilla_distributed_options;

ARMILLA_API void armilla_distributed_options_init_sized(armilla_distributed_options *options,
                                                        size_t size);
#define armilla_distributed_options_init(options)                                                  \
    armilla_distributed_options_init_sized(options, sizeof(armilla_distributed_options))

/* Makes a plan: collective.
 * Given:    options and distributed, which are alike on all ranks, except for device_number;
 *           transport  with as many ranks as the distribution; the struct is copied, its context
 *           must outlive the plan;
 *           distribution  says grid, lmax and mmax; must outlive the plan;
 *           options  as for armilla_sht_new, without layout; or NULL;
 *           distributed  or NULL for the defaults.
 * Returned: *sht  new; free with armilla_distributed_sht_free.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED, TRANSPORT.
 * Notes:    options->device = ARMILLA_CUDA: the stages of each rank run on its own GPU, see
 *           armilla/device.h; messages are packed on the GPU, and copied to host memory unless the
 *           transport takes them from the GPU's memory. Results have the bits of a plan on one rank
 *           with the same shape of kernels, which all ranks must have: give options->device_shape
 *           where the shape from the table is not wanted; ARMILLA_DEVICE_TUNE_MEASURE is
 *           UNSUPPORTED. */
ARMILLA_API armilla_status armilla_distributed_sht_new(
    const armilla_transport *transport, const armilla_distribution *distribution,
    const armilla_sht_options *options, const armilla_distributed_options *distributed,
    armilla_distributed_sht **sht);
ARMILLA_API void armilla_distributed_sht_free(armilla_distributed_sht *sht);

/* The four operators, in double and in float: collective.
 * Given:    exec  or NULL: ntrans is the number of all fields; the rank has the fields of its group
 *           (armilla_distribution_fields), one after the other. Distances refer to the rank's own
 *           arrays; 0 means contiguous. An array without numbers may be NULL. missing must be the
 *           same on all ranks; an error gives the index that the value would have if one rank had
 *           all maps, npix apart. Arrays may be in the memory of the rank's own GPU, if the plan
 *           has one; calls wait for the GPU wherever their arrays are, and a stream that is being
 *           captured is UNSUPPORTED.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (by any rank's progress; outputs are then undefined),
 *           TRANSPORT. */
ARMILLA_API armilla_status armilla_distributed_sht_synthesis(const armilla_distributed_sht *sht,
                                                             const double *alm, double *map,
                                                             const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_adjoint_synthesis(
    const armilla_distributed_sht *sht, const double *map, double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_analysis(const armilla_distributed_sht *sht,
                                                            const double *map, double *alm,
                                                            const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_adjoint_analysis(
    const armilla_distributed_sht *sht, const double *alm, double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_synthesis_float(
    const armilla_distributed_sht *sht, const float *alm, float *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_adjoint_synthesis_float(
    const armilla_distributed_sht *sht, const float *map, float *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_analysis_float(
    const armilla_distributed_sht *sht, const float *map, float *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_adjoint_analysis_float(
    const armilla_distributed_sht *sht, const float *alm, float *map, const armilla_exec *exec);

/* Iterative analysis, as armilla_sht_pseudo_analysis: collective, on a distribution with one group.
 * The report is the same on all ranks, and the bits are those of one rank with a map without gaps.
 * Given:    map, alm  of the rank;  options  or NULL: weights, one per pixel of the rank's map, and
 *           guess, of the rank's alm, are given by all ranks or by none;  reports  likewise.
 * Errors:   ARGUMENT (a value of the map that is not finite has the index of exec->missing above),
 * MEMORY, CANCELLED, TRANSPORT, UNSUPPORTED (groups of fields). */
ARMILLA_API armilla_status
armilla_distributed_sht_pseudo_analysis(const armilla_distributed_sht *sht, const double *map,
                                        double *alm, const armilla_pseudo_options *options,
                                        armilla_pseudo_report *reports, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_sht_pseudo_analysis_float(
    const armilla_distributed_sht *sht, const float *map, float *alm,
    const armilla_pseudo_options *options, armilla_pseudo_report *reports,
    const armilla_exec *exec);

/* --- Polarised maps --------------------------------------------------------------------------- */

/* I, Q, U and T, E, B, as armilla/iqu.h has them: a scalar plan and a plan of spin 2. */
typedef struct armilla_distributed_iqu armilla_distributed_iqu;

/* Makes a plan: collective. Given: as for armilla_distributed_sht_new; spin and mode of options are
 * not used. Returned: *iqu  new; free with armilla_distributed_iqu_free. Errors: as there. */
ARMILLA_API armilla_status armilla_distributed_iqu_new(
    const armilla_transport *transport, const armilla_distribution *distribution,
    const armilla_sht_options *options, const armilla_distributed_options *distributed,
    armilla_distributed_iqu **iqu);
ARMILLA_API void armilla_distributed_iqu_free(armilla_distributed_iqu *iqu);

/* The four operators, in double and in float: collective.
 * Given:    exec  or NULL: as for armilla_distributed_sht_synthesis; a field has three components.
 * Errors:   ARGUMENT, MEMORY, CANCELLED, TRANSPORT, as there.
 * Notes:    the bits are those of a scalar plan and of a plan of spin 2 on one rank. */
ARMILLA_API armilla_status armilla_distributed_iqu_synthesis(const armilla_distributed_iqu *iqu,
                                                             const double *alm, double *map,
                                                             const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_adjoint_synthesis(
    const armilla_distributed_iqu *iqu, const double *map, double *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_analysis(const armilla_distributed_iqu *iqu,
                                                            const double *map, double *alm,
                                                            const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_adjoint_analysis(
    const armilla_distributed_iqu *iqu, const double *alm, double *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_synthesis_float(
    const armilla_distributed_iqu *iqu, const float *alm, float *map, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_adjoint_synthesis_float(
    const armilla_distributed_iqu *iqu, const float *map, float *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_analysis_float(
    const armilla_distributed_iqu *iqu, const float *map, float *alm, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_adjoint_analysis_float(
    const armilla_distributed_iqu *iqu, const float *alm, float *map, const armilla_exec *exec);

/* Iterative analysis, as armilla_iqu_pseudo_analysis: collective, on a distribution with one group.
 * There are two problems, one for I alone and one for Q with U. Bits and reports are as for
 * armilla_distributed_sht_pseudo_analysis.
 * Given:    map, alm  of the rank;  options  or NULL: weights, of the pixels of I, Q and U alike,
 *           and guess, of T, E and B, are given by all ranks or by none;  reports  likewise.
 * Returned: alm;  reports  [ntrans][2], of T, and of E with B, or NULL.
 * Errors:   ARGUMENT, MEMORY, CANCELLED, TRANSPORT, UNSUPPORTED (groups of fields). */
ARMILLA_API armilla_status
armilla_distributed_iqu_pseudo_analysis(const armilla_distributed_iqu *iqu, const double *map,
                                        double *alm, const armilla_pseudo_options *options,
                                        armilla_pseudo_report *reports, const armilla_exec *exec);
ARMILLA_API armilla_status armilla_distributed_iqu_pseudo_analysis_float(
    const armilla_distributed_iqu *iqu, const float *map, float *alm,
    const armilla_pseudo_options *options, armilla_pseudo_report *reports,
    const armilla_exec *exec);

/* --- Coefficients ----------------------------------------------------------------------------- */

/* Does what armilla_spectrum_compute does, for coefficients that are spread over ranks: collective,
 * on a distribution with one group. The bits are those of one rank.
 * Given:    alm_a, alm_b  of the rank; the same pointer twice for an auto spectrum, on all ranks.
 * Returned: cl  lmax + 1 values, on all ranks.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (groups of fields), TRANSPORT. */
ARMILLA_API armilla_status armilla_distributed_spectrum(const armilla_transport *transport,
                                                        const armilla_distribution *distribution,
                                                        const double *alm_a, const double *alm_b,
                                                        double *cl);

/* Rotates coefficients in place, as armilla_alm_rotate with mmax_out = mmax: collective, on a
 * distribution with one group. Each rank turns a range of degrees. The bits are those of one rank.
 * Given:    rotation  the same on all ranks;  alm  of the rank, exec->ntrans fields;
 *           exec  or NULL: nthreads, ntrans, alm_distance (0: contiguous), progress.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED, CANCELLED (by any rank: alm is as it was), TRANSPORT. */
ARMILLA_API armilla_status armilla_distributed_rotate(const armilla_transport *transport,
                                                      const armilla_distribution *distribution,
                                                      const armilla_rotation *rotation, double *alm,
                                                      const armilla_exec *exec);

/* What a rank holds and sends. */
typedef struct armilla_distributed_description {
    size_t size;            /* set by the caller */
    int64_t alm_size, npix; /* of the rank, one component */
    int64_t ncomp, alm_ncomp;
    int64_t plan_bytes;      /* of the rank */
    int64_t workspace_bytes; /* of a synthesis of one field of doubles, or of an analysis, if that
                                takes more */
    int64_t messages, bytes; /* that the rank sends in a synthesis of one field */
    int64_t chunks;          /* of that synthesis */
} armilla_distributed_description;

/* Given:    nthreads as in armilla_exec;  description->size set by the caller.
 * Errors:   ARGUMENT. Not collective. */
ARMILLA_API armilla_status armilla_distributed_sht_describe(
    const armilla_distributed_sht *sht, int nthreads, armilla_distributed_description *description);

#ifdef __cplusplus
}
#endif
#endif
