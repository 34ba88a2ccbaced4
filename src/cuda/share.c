/* Runs the stages of a rank's share on its GPU, one at a time: a leg is copied to the device before
 * the stage that reads it, and to the host behind the stage that writes it. */
#include "cuda/share.h"

#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/device_memory.h"

struct armilla_cuda_share {
    armilla_cuda_call call;
    armilla_cuda_run run;
    int before; /* the device that was current */
};

armilla_status armilla_cuda_share_begin(const armilla_cuda_transform *transform,
                                        const armilla_cuda_call *call, int64_t leg_size,
                                        armilla_cuda_share **share)
{
    armilla_cuda_share *s;
    armilla_status status = armilla_allocate_zero(&s, 1, sizeof *s);
    if (status) return status;
    s->call = *call;
    s->run = (armilla_cuda_run){.t = transform,
                                .flow = armilla_cuda_choose_flow(transform, call->weighted),
                                .call = &s->call,
                                .batch = call->ntrans,
                                .leg_bytes = 8 * leg_size,
                                .over_ranks = 1,
                                .work = {.stream = call->stream}};
    if (!(status = armilla_cuda_enter_device(transform->device, &s->before)) &&
        (status = armilla_cuda_run_open(&s->run)))
        armilla_cuda_leave_device(transform->device, s->before);
    if (status)
        armilla_release(s);
    else
        *share = s;
    return status;
}

armilla_status armilla_cuda_share_end(armilla_cuda_share *share)
{
    if (!share) return ARMILLA_OK;
    const armilla_status status = armilla_cuda_run_close(&share->run);
    armilla_cuda_leave_device(share->run.t->device, share->before);
    armilla_release(share);
    return status;
}

armilla_alm_rows armilla_cuda_share_rows(const armilla_cuda_share *share)
{
    return armilla_cuda_run_rows(&share->run);
}

armilla_ring_maps armilla_cuda_share_maps(const armilla_cuda_share *share)
{
    const armilla_cuda_run *r = &share->run;
    return (armilla_ring_maps){.values = r->map,
                               .distance = r->call->map_distance,
                               .weighted = r->call->weighted && !r->flow->problem.weighted};
}

void armilla_cuda_share_begin_batch(armilla_cuda_share *share, int64_t count, armilla_array *alm,
                                    armilla_array *map)
{
    armilla_cuda_run_begin_batch(&share->run, count, alm, map);
}

void armilla_cuda_share_end_batch(armilla_cuda_share *share, int64_t count, armilla_array alm,
                                  armilla_array map)
{
    armilla_cuda_run_end_batch(&share->run, count, alm, map);
}

/* --- Legs ------------------------------------------------------------------------------------- */

static armilla_leg on_device(const armilla_cuda_run *r, const armilla_leg *leg)
{
    armilla_leg device = *leg;
    device.values = r->leg;
    return device;
}

static void copy(armilla_cuda_run *r, void *to, const void *from, const armilla_leg *leg,
                 enum cudaMemcpyKind kind)
{
    const size_t bytes = 8 * (size_t)(leg->nsets * leg->layout->size);
    if (bytes) armilla_cuda_note(&r->work, cudaMemcpyAsync(to, from, bytes, kind, r->work.stream));
}

static armilla_leg put_leg(armilla_cuda_run *r, const armilla_leg *leg)
{
    copy(r, r->leg, leg->values, leg, cudaMemcpyHostToDevice);
    return on_device(r, leg);
}

static void get_leg(armilla_cuda_run *r, const armilla_leg *leg)
{
    copy(r, leg->values, r->leg, leg, cudaMemcpyDeviceToHost);
    armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
}

/* --- Stages ----------------------------------------------------------------------------------- */

void armilla_cuda_share_alm_to_leg(armilla_cuda_share *share, const armilla_pass *pass,
                                   const armilla_leg *leg)
{
    armilla_cuda_run *r = &share->run;
    const armilla_leg here = on_device(r, leg);
    armilla_cuda_flow_alm_to_leg(r->flow, &pass->alm, &here, &r->work);
    get_leg(r, leg);
}

void armilla_cuda_share_leg_to_alm(armilla_cuda_share *share, const armilla_leg *leg,
                                   const armilla_pass *pass)
{
    armilla_cuda_run *r = &share->run;
    const armilla_leg here = put_leg(r, leg);
    armilla_cuda_flow_leg_to_alm(r->flow, &here, &pass->alm, &r->work);
}

void armilla_cuda_share_maps_to_leg(armilla_cuda_share *share, const armilla_pass *pass,
                                    const armilla_leg *leg)
{
    armilla_cuda_run *r = &share->run;
    const armilla_leg here = on_device(r, leg);
    armilla_cuda_flow_maps_to_leg(r->flow, pass->number, &here, &pass->maps, &r->work);
    get_leg(r, leg);
}

void armilla_cuda_share_leg_to_maps(armilla_cuda_share *share, const armilla_leg *leg,
                                    const armilla_pass *pass)
{
    armilla_cuda_run *r = &share->run;
    const armilla_leg here = put_leg(r, leg);
    armilla_cuda_flow_leg_to_maps(r->flow, pass->number, &here, &pass->maps, &r->work);
}

armilla_status armilla_cuda_share_status(armilla_cuda_share *share)
{
    armilla_cuda_run *r = &share->run;
    armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    return armilla_cuda_status(r->work.error, "a transform");
}
