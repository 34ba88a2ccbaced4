/* Weak lensing over ranks: from coefficients that are spread over ranks to lensed maps, of which
 * each rank has its own rings, and back.
 *
 * The operators are those of armilla/lensing.h. A rank has the pixels of the rings that a
 * distribution gives it; the deflected directions of all ranks' pixels are points over ranks
 * (armilla/distributed_points.h). Results have the bits of armilla_lensing on one rank, on any
 * number of ranks, with the same instruction set, on those grids on which the synthesis of the
 * deflection over ranks has the bits of one rank (armilla/distributed.h).
 *
 * The collective rule and the thread rule are those of armilla/distributed_points.h. */
#ifndef ARMILLA_DISTRIBUTED_LENSING_H
#define ARMILLA_DISTRIBUTED_LENSING_H

#include "distributed_points.h"
#include "lensing.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_distributed_lensing armilla_distributed_lensing;

/* A deflection that is spread over ranks. Fill with armilla_distributed_deflection_init, then
 * change fields. */
typedef struct armilla_distributed_deflection {
    size_t size; /* sizeof(armilla_distributed_deflection), set by _init */
    /* says lmax, mmax and orders; its rings are those of the fields' distribution, on the same
     * ranks (ring_member of armilla_distribution_options) */
    const armilla_distribution *distribution;
    const double *gradient; /* alm of the rank, as in armilla_deflection */
    const double *curl;     /* alm of the rank; NULL where it has no orders, or has_curl is 0 */
    int has_curl;           /* 1: there is one, on all ranks; default 0 */
    armilla_deflection_kind kind;
} armilla_distributed_deflection;

/* Fills in the defaults of those fields of the struct that lie within `size`. */
ARMILLA_API void
armilla_distributed_deflection_init_sized(armilla_distributed_deflection *deflection, size_t size);
#define armilla_distributed_deflection_init(deflection)                                            \
    armilla_distributed_deflection_init_sized(deflection, sizeof(armilla_distributed_deflection))

/* Makes a plan: collective. It keeps no coefficients, but the deflected directions of the rank's
 * pixels and their angles, 24 bytes a pixel beside what points take.
 * Given:    transport  with as many ranks as the distributions; the struct is copied, its context
 *           must outlive the plan;
 *           distribution  with one group of fields: grid, lmax, mmax and orders of the fields to be
 *           lensed; must outlive the plan;
 *           deflection  its distribution may be the same; nothing of it is kept;
 *           options  as for armilla_distributed_points_new, or NULL;
 *           distributed  or NULL for the defaults.
 * Returned: *lensing  new; free with armilla_distributed_lensing_free.
 * Errors:   ARGUMENT (names a pixel of the rank where the deflection is not finite), MEMORY,
 *           UNSUPPORTED (isa; groups of fields; GPUs without options->delegate), TRANSPORT. */
ARMILLA_API armilla_status armilla_distributed_lensing_new(
    const armilla_transport *transport, const armilla_distribution *distribution,
    const armilla_distributed_deflection *deflection, const armilla_points_options *options,
    const armilla_distributed_options *distributed, armilla_distributed_lensing **lensing);

/* Makes a plan for the same deflection and other fields (polarisation in addition to temperature):
 * collective. Directions are shared with `lensing`, which may be freed before or after.
 * Given:    lensing  its distribution must still be there;
 *           transport  with the ranks of that plan's;
 *           distribution  with the rings of that plan's, on the same ranks: lmax, mmax and orders
 *           of the fields; must outlive the plan;
 *           options, distributed  as for armilla_distributed_lensing_new.
 * Returned: *result  new; free with armilla_distributed_lensing_free.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (isa; groups of fields; GPUs without options->delegate),
 *           TRANSPORT. */
ARMILLA_API armilla_status armilla_distributed_lensing_new_beside(
    const armilla_distributed_lensing *lensing, const armilla_transport *transport,
    const armilla_distribution *distribution, const armilla_points_options *options,
    const armilla_distributed_options *distributed, armilla_distributed_lensing **result);

/* NULL is allowed. Not collective. */
ARMILLA_API void armilla_distributed_lensing_free(armilla_distributed_lensing *lensing);

/* Both operators: collective.
 * Given:    lensing;  the input array: alm and map of the rank, [ntrans][components];  exec or
 *           NULL, as for armilla_distributed_points_synthesis. An array without numbers may be
 *           NULL.
 * Returned: the output array.
 * Errors:   ARGUMENT, MEMORY, CANCELLED (by any rank; the output is then undefined), TRANSPORT.
 * Notes:    inputs are never written, and must not overlap outputs. */
ARMILLA_API armilla_status
armilla_distributed_lensing_alm2lenmap(const armilla_distributed_lensing *lensing,
                                       const double *alm, double *map, const armilla_exec *exec);
ARMILLA_API armilla_status
armilla_distributed_lensing_adjoint(const armilla_distributed_lensing *lensing, const double *map,
                                    double *alm, const armilla_exec *exec);

/* Tells what the rank has, as armilla_distributed_points_describe does for the plan's points. */
ARMILLA_API armilla_status
armilla_distributed_lensing_describe(const armilla_distributed_lensing *lensing, int nthreads,
                                     armilla_distributed_points_description *description);

#ifdef __cplusplus
}
#endif
#endif
