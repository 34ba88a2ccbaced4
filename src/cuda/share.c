/* Runs the stages of a rank's share on its GPU, one at a time, and moves what they leave there into
 * messages and back. */
#include "cuda/share.h"

#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/device_memory.h"

struct armilla_cuda_share {
    armilla_cuda_call call;
    armilla_cuda_run run;
    armilla_cuda_share_sizes sizes;
    int before; /* the device that was current */
};

/* Doubles, so that what lies behind them begins where parts of the memory do. */
static int64_t round_part(int64_t doubles)
{
    return armilla_cuda_round_part(8 * doubles) / 8;
}

static int64_t count_doubles(const armilla_cuda_share_sizes *sizes)
{
    return round_part(sizes->leg) + round_part(sizes->whole) +
           ARMILLA_CUDA_SHARE_SLOTS * (round_part(sizes->out) + round_part(sizes->in));
}

armilla_cuda_share_memory armilla_cuda_share_places(const armilla_cuda_share *share)
{
    const armilla_cuda_share_sizes *sizes = &share->sizes;
    armilla_cuda_share_memory memory = {.leg = share->run.leg};
    double *end = memory.leg + round_part(sizes->leg);
    memory.whole = end, end += round_part(sizes->whole);
    for (int slot = 0; slot < ARMILLA_CUDA_SHARE_SLOTS; slot++) {
        memory.out[slot] = end, end += round_part(sizes->out);
        memory.in[slot] = end, end += round_part(sizes->in);
    }
    return memory;
}

armilla_status armilla_cuda_share_begin(const armilla_cuda_transform *transform,
                                        const armilla_cuda_call *call,
                                        const armilla_cuda_share_sizes *sizes,
                                        armilla_cuda_share **share)
{
    armilla_cuda_share *s;
    armilla_status status = armilla_allocate_zero(&s, 1, sizeof *s);
    if (status) return status;
    s->call = *call, s->sizes = *sizes;
    s->run = (armilla_cuda_run){.t = transform,
                                .flow = armilla_cuda_choose_flow(transform, call->weighted),
                                .call = &s->call,
                                .batch = call->ntrans,
                                .leg_bytes = 8 * count_doubles(sizes),
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
    const armilla_status status = armilla_cuda_run_close(&share->run, 1);
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
    return armilla_cuda_run_maps(&share->run);
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

/* --- Stages ----------------------------------------------------------------------------------- */

void armilla_cuda_share_alm_to_leg(armilla_cuda_share *share, const armilla_pass *pass,
                                   const armilla_leg *leg)
{
    armilla_cuda_run *r = &share->run;
    const armilla_pass here = armilla_cuda_run_pass(r, pass);
    armilla_cuda_flow_alm_to_leg(r->flow, &here.alm, leg, &r->work);
}

void armilla_cuda_share_leg_to_alm(armilla_cuda_share *share, const armilla_leg *leg,
                                   const armilla_pass *pass)
{
    armilla_cuda_run *r = &share->run;
    const armilla_pass here = armilla_cuda_run_pass(r, pass);
    armilla_cuda_flow_leg_to_alm(r->flow, leg, &here.alm, &r->work);
}

void armilla_cuda_share_maps_to_leg(armilla_cuda_share *share, const armilla_pass *pass,
                                    const armilla_leg *leg)
{
    armilla_cuda_run *r = &share->run;
    const armilla_pass here = armilla_cuda_run_pass(r, pass);
    armilla_cuda_flow_maps_to_leg(r->flow, pass->number, leg, &here.maps, &r->work);
}

void armilla_cuda_share_leg_to_maps(armilla_cuda_share *share, const armilla_leg *leg,
                                    const armilla_pass *pass)
{
    armilla_cuda_run *r = &share->run;
    const armilla_pass here = armilla_cuda_run_pass(r, pass);
    armilla_cuda_flow_leg_to_maps(r->flow, pass->number, leg, &here.maps, &r->work);
}

/* --- Messages --------------------------------------------------------------------------------- */

void armilla_cuda_share_move(armilla_cuda_share *share, const armilla_cuda_moved *moved)
{
    armilla_cuda_moves_run(moved, &share->run.work);
}

static void copy(armilla_cuda_share *share, double *to, const double *from, int64_t count,
                 enum cudaMemcpyKind kind)
{
    armilla_cuda_work *work = &share->run.work;
    if (count)
        armilla_cuda_note(work, cudaMemcpyAsync(to, from, 8 * (size_t)count, kind, work->stream));
}

void armilla_cuda_share_to_host(armilla_cuda_share *share, double *to, const double *from,
                                int64_t count)
{
    copy(share, to, from, count, cudaMemcpyDeviceToHost);
}

void armilla_cuda_share_to_device(armilla_cuda_share *share, double *to, const double *from,
                                  int64_t count)
{
    copy(share, to, from, count, cudaMemcpyHostToDevice);
}

armilla_status armilla_cuda_share_status(armilla_cuda_share *share)
{
    armilla_cuda_run *r = &share->run;
    armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    return armilla_cuda_work_status(&r->work, "a transform");
}
