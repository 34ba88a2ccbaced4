/* Makes what the stages of a transform need on a GPU (Legendre, theta where there is one, rings),
 * runs each of them when the executor says so, and tells how much memory they need in all. */
#include "cuda/stages/flow.h"

#include "base/integer.h"
#include "cuda/runtime/marks.h"

#include <string.h>

armilla_status armilla_cuda_flow_make(const armilla_cuda_flow_problem *problem,
                                      const armilla_ring *rings, const int64_t *places,
                                      int64_t most, const armilla_cuda_flow *lender,
                                      armilla_cuda_flow *flow)
{
    const armilla_cuda_legendre *tables = lender ? lender->legendre : NULL;
    armilla_status status;
    memset(flow, 0, sizeof *flow);
    flow->problem = *problem;
    if ((status = armilla_cuda_legendre_new(problem->legendre, problem->shape, problem->precision,
                                            tables, &flow->legendre)) ||
        (status = armilla_cuda_ringfft_new(rings, places, problem->passes, most,
                                           problem->precision.of_floats != ARMILLA_CUDA_IN_DOUBLE,
                                           &flow->ringfft)) ||
        !problem->theta || problem->near->norders == 0)
        return status;
    const armilla_cuda_theta_rows rows = {problem->near->norders, problem->near->orders};
    return armilla_cuda_theta_new(problem->theta, &rows, most, &flow->theta);
}

void armilla_cuda_flow_clear(armilla_cuda_flow *flow)
{
    armilla_cuda_theta_free(flow->theta);
    armilla_cuda_ringfft_free(flow->ringfft);
    armilla_cuda_legendre_free(flow->legendre);
    memset(flow, 0, sizeof *flow);
}

int64_t armilla_cuda_flow_bytes(const armilla_cuda_flow *flow)
{
    return armilla_cuda_legendre_bytes(flow->legendre) + armilla_cuda_ringfft_bytes(flow->ringfft) +
           (flow->theta ? armilla_cuda_theta_bytes(flow->theta) : 0);
}

armilla_cuda_flow_scratch armilla_cuda_flow_scratch_of(const armilla_cuda_flow *flow, int64_t nsets,
                                                       int to_map, int64_t most)
{
    armilla_cuda_flow_scratch bytes = {
        armilla_cuda_legendre_scratch(flow->legendre, nsets, to_map, most),
        armilla_cuda_ringfft_scratch(flow->ringfft, nsets)};
    if (flow->theta)
        bytes.orders = armilla_larger(bytes.orders, armilla_cuda_theta_scratch(flow->theta, nsets));
    return bytes;
}

/* Leg on the rings of the Legendre stage, in the memory of that on the grid's. */
static armilla_leg near_leg(const armilla_cuda_flow *flow, const armilla_leg *far)
{
    armilla_leg near = *far;
    if (flow->theta) near.layout = flow->problem.near;
    return near;
}

void armilla_cuda_flow_alm_to_leg(const armilla_cuda_flow *flow, const armilla_alm_rows *alm,
                                  const armilla_leg *leg, armilla_cuda_work *work)
{
    const armilla_leg near = near_leg(flow, leg);
    armilla_cuda_legendre_to_leg(flow->legendre, alm, &near, work);
    armilla_cuda_mark("legendre", work->stream);
    if (!flow->theta) return;
    armilla_cuda_theta_to_far(flow->theta, leg, work);
    armilla_cuda_mark("theta", work->stream);
}

void armilla_cuda_flow_leg_to_alm(const armilla_cuda_flow *flow, const armilla_leg *leg,
                                  const armilla_alm_rows *alm, armilla_cuda_work *work)
{
    const armilla_leg near = near_leg(flow, leg);
    if (flow->theta) {
        armilla_cuda_theta_to_near(flow->theta, leg, work);
        armilla_cuda_mark("theta", work->stream);
    }
    armilla_cuda_legendre_from_leg(flow->legendre, &near, alm, work);
    armilla_cuda_mark("legendre", work->stream);
}

void armilla_cuda_flow_leg_to_maps(const armilla_cuda_flow *flow, int64_t pass,
                                   const armilla_leg *leg, const armilla_ring_maps *maps,
                                   armilla_cuda_work *work)
{
    armilla_cuda_ringfft_to_maps(flow->ringfft, pass, leg, maps, work);
    armilla_cuda_mark("rings", work->stream);
}

void armilla_cuda_flow_maps_to_leg(const armilla_cuda_flow *flow, int64_t pass,
                                   const armilla_leg *leg, const armilla_ring_maps *maps,
                                   armilla_cuda_work *work)
{
    armilla_cuda_ringfft_from_maps(flow->ringfft, pass, leg, maps, work);
    armilla_cuda_mark("rings", work->stream);
}
