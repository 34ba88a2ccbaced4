/* Makes what the stages of a transform need on a GPU (Legendre, theta where there is one, rings),
 * runs each of them when the executor says so, and tells how much memory they need in all. */
#include "cuda/flow.h"

#include "base/integer.h"
#include "cuda/marks.h"

#include <string.h>

armilla_status armilla_cuda_flow_make(const armilla_cuda_flow_problem *problem, int64_t nrings,
                                      const armilla_ring *rings, int64_t most,
                                      const armilla_cuda_flow *lender, armilla_cuda_flow *flow)
{
    const armilla_cuda_legendre *tables = lender ? lender->legendre : NULL;
    armilla_status status;
    memset(flow, 0, sizeof *flow);
    flow->problem = *problem;
    if ((status = armilla_cuda_legendre_new(problem->legendre, problem->warps, problem->single,
                                            tables, &flow->legendre)) ||
        (status = armilla_cuda_ringfft_new(nrings, rings, problem->passes, most, &flow->ringfft)) ||
        !problem->theta)
        return status;
    const int64_t norders = problem->near->norders;
    return armilla_cuda_theta_new(problem->theta, norders, most, &flow->theta);
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

int64_t armilla_cuda_flow_scratch(const armilla_cuda_flow *flow, int64_t nsets, int to_map,
                                  int64_t most)
{
    const int64_t bytes =
        armilla_larger(armilla_cuda_legendre_scratch(flow->legendre, nsets, to_map, most),
                       armilla_cuda_ringfft_scratch(flow->ringfft));
    return flow->theta ? armilla_larger(bytes, armilla_cuda_theta_scratch(flow->theta)) : bytes;
}

/* Leg on the grid's rings, and on those of the Legendre stage, in the same memory. */
static armilla_leg far_leg(const armilla_cuda_flow *flow, const armilla_pass *pass, double *leg)
{
    return (armilla_leg){.layout = &flow->problem.passes->layouts[pass->number],
                         .nsets = pass->nsets,
                         .values = leg};
}

static armilla_leg near_leg(const armilla_cuda_flow *flow, const armilla_pass *pass, double *leg)
{
    armilla_leg near = far_leg(flow, pass, leg);
    if (flow->theta) near.layout = flow->problem.near;
    return near;
}

void armilla_cuda_flow_alm_to_leg(const armilla_cuda_flow *flow, const armilla_pass *pass,
                                  double *leg, armilla_cuda_work *work)
{
    const armilla_leg near = near_leg(flow, pass, leg), far = far_leg(flow, pass, leg);
    armilla_cuda_legendre_to_leg(flow->legendre, &pass->alm, &near, work);
    armilla_cuda_mark("legendre", work->stream);
    if (!flow->theta) return;
    armilla_cuda_theta_to_far(flow->theta, &far, work);
    armilla_cuda_mark("theta", work->stream);
}

void armilla_cuda_flow_leg_to_alm(const armilla_cuda_flow *flow, const armilla_pass *pass,
                                  double *leg, armilla_cuda_work *work)
{
    const armilla_leg near = near_leg(flow, pass, leg), far = far_leg(flow, pass, leg);
    if (flow->theta) {
        armilla_cuda_theta_to_near(flow->theta, &far, work);
        armilla_cuda_mark("theta", work->stream);
    }
    armilla_cuda_legendre_from_leg(flow->legendre, &near, &pass->alm, work);
    armilla_cuda_mark("legendre", work->stream);
}

void armilla_cuda_flow_leg_to_maps(const armilla_cuda_flow *flow, const armilla_pass *pass,
                                   double *leg, armilla_cuda_work *work)
{
    const armilla_leg far = far_leg(flow, pass, leg);
    armilla_cuda_ringfft_to_maps(flow->ringfft, pass->number, &far, &pass->maps, work);
    armilla_cuda_mark("rings", work->stream);
}

void armilla_cuda_flow_maps_to_leg(const armilla_cuda_flow *flow, const armilla_pass *pass,
                                   double *leg, armilla_cuda_work *work)
{
    const armilla_leg far = far_leg(flow, pass, leg);
    armilla_cuda_ringfft_from_maps(flow->ringfft, pass->number, &far, &pass->maps, work);
    armilla_cuda_mark("rings", work->stream);
}
