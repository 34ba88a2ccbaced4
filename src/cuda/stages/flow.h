/* One way from alm to maps and back on a GPU: its stages, as the executor calls them. */
#ifndef ARMILLA_CUDA_STAGES_FLOW_H
#define ARMILLA_CUDA_STAGES_FLOW_H

#include "alm/rows.h"
#include "cuda/stages/legendre.h"
#include "cuda/stages/ringfft.h"
#include "cuda/stages/theta.h"
#include "cuda/transform.h"

typedef struct armilla_cuda_flow {
    armilla_cuda_flow_problem problem; /* legendre NULL: there is no such flow */
    armilla_cuda_legendre *legendre;
    armilla_cuda_theta *theta; /* NULL: the Legendre stage has the grid's rings */
    armilla_cuda_ringfft *ringfft;
} armilla_cuda_flow;

/* Given:    places  of a rank's rings, or NULL, as in armilla_cuda_problem;
 *           most    device bytes that the scratch of a stage should not exceed;
 *           lender  another flow that outlives this one, whose tables on the device are taken where
 *                   they are the same; or NULL.
 * Errors:   MEMORY (also of the device), UNSUPPORTED; *flow can be cleared then. */
armilla_status armilla_cuda_flow_make(const armilla_cuda_flow_problem *problem,
                                      const armilla_ring *rings, const int64_t *places,
                                      int64_t most, const armilla_cuda_flow *lender,
                                      armilla_cuda_flow *flow);
void armilla_cuda_flow_clear(armilla_cuda_flow *flow);

int64_t armilla_cuda_flow_bytes(const armilla_cuda_flow *flow); /* of the device */

/* Device bytes of scratch of a call on so many sets. */
typedef struct armilla_cuda_flow_scratch {
    int64_t orders; /* of the stages between alm and leg, */
    int64_t rings;  /* and of those between leg and maps */
} armilla_cuda_flow_scratch;
armilla_cuda_flow_scratch armilla_cuda_flow_scratch_of(const armilla_cuda_flow *flow, int64_t nsets,
                                                       int to_map, int64_t most);

/* The stages between alm and leg (with theta on the way), and between leg and maps.
 * Given: leg  of the device, of the grid's rings: that of a pass, or what a rank has of it, all of
 *        its orders or all of its pairs;  pass  its number. */
void armilla_cuda_flow_alm_to_leg(const armilla_cuda_flow *flow, const armilla_alm_rows *alm,
                                  const armilla_leg *leg, armilla_cuda_work *work);
void armilla_cuda_flow_leg_to_alm(const armilla_cuda_flow *flow, const armilla_leg *leg,
                                  const armilla_alm_rows *alm, armilla_cuda_work *work);
void armilla_cuda_flow_leg_to_maps(const armilla_cuda_flow *flow, int64_t pass,
                                   const armilla_leg *leg, const armilla_ring_maps *maps,
                                   armilla_cuda_work *work);
void armilla_cuda_flow_maps_to_leg(const armilla_cuda_flow *flow, int64_t pass,
                                   const armilla_leg *leg, const armilla_ring_maps *maps,
                                   armilla_cuda_work *work);

#endif
