/* Cuts the memory of a call into legs, scratch, sums and copies, and puts its stages on the stream,
 * or the ring stage on a second one. */
#include "cuda/call.h"

#include "armilla/alm.h"
#include "base/integer.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"
#include "cuda/runtime/marks.h"

/* --- Opening ---------------------------------------------------------------------------------- */

/* Where the caller has places that the call must leave as they are, the result comes, too. Those
 * between components are never copied. */
static void set_arrays(armilla_cuda_run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    const armilla_cuda_call *call = r->call;
    const int to_map = call->to_map;
    armilla_cuda_array *alm = &r->frame.array[ARMILLA_CUDA_ALM];
    armilla_cuda_array *map = &r->frame.array[ARMILLA_CUDA_MAP];
    *alm = armilla_cuda_array_of("alm", call->alm, p->nalm, 2 * p->layout->size,
                                 2 * call->exec.alm_distance);
    *map = armilla_cuda_array_of("map", call->map, p->nmap, p->npix, call->exec.map_distance);
    if (call->step) alm->copied.step = map->copied.step = call->step;
    alm->comes = to_map || p->layout->size != p->alm_numbers, alm->goes = !to_map;
    map->comes = !to_map || p->npix != p->samples, map->goes = to_map;
}

/* The parts of a call's memory. Returns their bytes. */
static int64_t set_sizes(armilla_cuda_run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    const armilla_cuda_call *call = r->call;
    const armilla_cuda_way way = armilla_cuda_way_of(call);
    const armilla_cuda_sizes sizes = armilla_cuda_sizes_of(r->t, &way, &r->batches);
    r->scratch_bytes = sizes.scratch, r->rings_bytes = sizes.rings;
    r->leg_bytes = r->over_ranks ? armilla_cuda_round_part(r->leg_bytes) : sizes.leg;
    if (!call->to_map && call->alm.is_float && r->flow->problem.passes->count > 1)
        r->sums_bytes = armilla_cuda_round_part(16 * r->batches.batch * p->nalm * p->alm_numbers);
    return r->batches.streams * r->leg_bytes + r->scratch_bytes + r->rings_bytes + r->sums_bytes;
}

/* As for arrays of the device, or smaller where copies go beside kernels. */
static armilla_cuda_batches batches_of(const armilla_cuda_run *r)
{
    const int64_t ntrans = r->call->exec.ntrans;
    const armilla_cuda_way way = armilla_cuda_way_of(r->call);
    armilla_cuda_batches batches = armilla_cuda_batches_of(r->t, &way, ntrans);
    batches.batch = armilla_cuda_frame_cut(&r->frame, ntrans, batches.batch);
    return batches;
}

/* What the second call of a room needs, copies for both slots among it, where the arrays are those
 * of the first. */
static int64_t bytes_of_next(const armilla_cuda_run *r)
{
    const armilla_cuda_call *call = r->call;
    const armilla_cuda_transform *t = call->room->next;
    armilla_cuda_run next = {
        .t = t, .flow = armilla_cuda_choose_flow(t, call->weighted), .call = call};
    armilla_cuda_frame *f = &next.frame;
    set_arrays(&next);
    for (int i = 0; i < ARMILLA_CUDA_ARRAYS; i++)
        f->array[i].on_device = r->frame.array[i].on_device;
    next.batches = batches_of(&next);
    return set_sizes(&next) + 2 * armilla_cuda_frame_copy_bytes(f, next.batches.batch);
}

static armilla_status take_room(armilla_cuda_run *r, armilla_cuda_room *room, int64_t bytes)
{
    armilla_cuda_frame *f = &r->frame;
    armilla_status status = ARMILLA_OK;
    bytes += f->slots * f->slot_bytes;
    if (!room->memory) {
        room->bytes = armilla_larger(bytes, bytes_of_next(r));
        status = armilla_cuda_pool_obtain(f->device, room->bytes, f->work.stream, f->what, 1,
                                          &room->memory);
    }
    if (bytes <= room->bytes) f->lent = room->memory;
    return status;
}

/* Can stages run on two streams? Not where the stream is captured, since the events would belong to
 * a graph that is still open when the call returns; where each batch is waited for, for a progress
 * function, or stages are timed; and where copies of host arrays go between the kernels. */
static int can_take_two(const armilla_cuda_run *r)
{
    const armilla_cuda_frame *f = &r->frame;
    return !f->exec->progress && !armilla_cuda_has_marks() &&
           (f->copier || !armilla_cuda_frame_is_on_host(f)) &&
           !armilla_cuda_is_captured(f->work.stream);
}

static void choose_batches(armilla_cuda_run *r)
{
    armilla_cuda_frame *f = &r->frame;
    const int64_t ntrans = r->call->exec.ntrans;
    if (!r->over_ranks) r->batches = batches_of(r);
    const int64_t batch = r->batches.batch;
    armilla_cuda_frame_plan(f, batch, r->over_ranks ? 0 : batch < ntrans ? 2 : 1);
    if (r->batches.streams > 1 && !(can_take_two(r) && armilla_cuda_second_is_there(r->t->second)))
        r->batches.streams = 1;
}

/* The ring stage has scratch of its own, and is the last one of a batch or the first. */
static armilla_status begin_second(armilla_cuda_run *r, char *scratch)
{
    armilla_cuda_frame *f = &r->frame;
    const armilla_status status = armilla_cuda_second_begin(r->t->second, &f->work, &r->beside);
    if (status) return status;
    r->beside.scratch = scratch, r->beside.scratch_bytes = r->rings_bytes;
    r->rings = *(r->call->to_map ? &f->last : &f->first) = &r->beside;
    return ARMILLA_OK;
}

/* Legs, scratch, sums; copies follow. */
static armilla_status take_parts(armilla_cuda_run *r)
{
    armilla_cuda_frame *f = &r->frame;
    armilla_status status = ARMILLA_OK;
    choose_batches(r);
    const int64_t bytes = armilla_larger(set_sizes(r), ARMILLA_CUDA_ALIGNMENT);
    if (r->call->room) status = take_room(r, r->call->room, bytes);
    if (status || (status = armilla_cuda_frame_take(f, bytes, 1))) return status;
    char *scratch = f->memory + r->batches.streams * r->leg_bytes;
    char *rings = scratch + r->scratch_bytes, *sums = rings + r->rings_bytes;
    r->leg = (double *)(void *)f->memory;
    f->work.scratch = scratch, f->work.scratch_bytes = r->scratch_bytes;
    r->rings = &f->work;
    r->sums = r->sums_bytes ? (double *)(void *)sums : NULL;
    return r->batches.streams > 1 ? begin_second(r, rings) : ARMILLA_OK;
}

armilla_status armilla_cuda_run_open(armilla_cuda_run *r)
{
    r->frame = (armilla_cuda_frame){
        .what = "a transform",
        .device = r->t->object.device,
        .exec = &r->call->exec,
        .waits = r->over_ranks
                     ? "exec->stream: transforms over ranks cannot be captured, as ranks wait"
                     : NULL,
        .lock = r->over_ranks ? NULL : r->t->enqueuing};
    set_arrays(r);
    armilla_status status = armilla_cuda_frame_open(&r->frame);
    if (status) return status;
    if ((status = take_parts(r))) armilla_cuda_frame_close(&r->frame, status);
    return status;
}

armilla_status armilla_cuda_run_close(armilla_cuda_run *r, armilla_status status)
{
    armilla_cuda_work *work = &r->frame.work;
    if (r->rings != work) {
        armilla_cuda_take_error(work, r->rings);
        armilla_cuda_second_end(r->t->second, work);
    }
    return armilla_cuda_frame_close(&r->frame, status);
}

/* --- One batch of transforms ------------------------------------------------------------------ */

void armilla_cuda_run_begin_batch(void *call, int64_t count, armilla_array *alm, armilla_array *map)
{
    armilla_cuda_run *r = call;
    armilla_array here[ARMILLA_CUDA_ARRAYS] = {*alm, *map};
    armilla_cuda_frame_begin(&r->frame, count, here);
    *alm = here[ARMILLA_CUDA_ALM], *map = here[ARMILLA_CUDA_MAP];
}

void armilla_cuda_run_end_batch(void *call, int64_t count, armilla_array alm, armilla_array map)
{
    armilla_cuda_run *r = call;
    (void)alm, (void)map;
    armilla_cuda_frame_end(&r->frame, count);
}

/* --- Rows and maps ------------------------------------------------------------------------------
 */

armilla_alm_rows armilla_cuda_run_rows(const armilla_cuda_run *r)
{
    const armilla_cuda_problem *problem = &r->t->problem;
    const armilla_alm_layout *layout = problem->layout;
    armilla_alm_rows rows =
        armilla_alm_rows_of(layout, r->t->mstart, problem->spin, problem->nalm, problem->nmap,
                            r->frame.array[ARMILLA_CUDA_ALM].values, r->call->exec.alm_distance);
    rows.factor = r->t->factor;
    rows.sums = r->sums, rows.sums_size = 2 * problem->alm_numbers;
    rows.sums_as_array = problem->places != NULL;
    rows.step = r->call->step;
    return rows;
}

armilla_ring_maps armilla_cuda_run_maps(const armilla_cuda_run *r)
{
    const int64_t step = r->call->step;
    return (armilla_ring_maps){.values = r->frame.array[ARMILLA_CUDA_MAP].values,
                               .distance = r->call->exec.map_distance,
                               .weighted = r->call->weighted && !r->flow->problem.weighted,
                               .together = step ? r->t->problem.nmap : 0,
                               .step = step};
}

/* As kernels read it: components of copies follow each other. */
static armilla_pass pass_there(const armilla_cuda_run *r, const armilla_pass *pass)
{
    armilla_pass here = *pass;
    if (!r->frame.array[ARMILLA_CUDA_ALM].on_device)
        here.alm.distance = r->t->problem.layout->size, here.alm.step = 0;
    if (!r->frame.array[ARMILLA_CUDA_MAP].on_device)
        here.maps.distance = r->t->problem.npix, here.maps.together = 0;
    return here;
}

double *armilla_cuda_run_leg(const armilla_cuda_run *r)
{
    return r->leg + r->emptied % r->batches.streams * (r->leg_bytes / 8);
}

static void put_stage(const armilla_cuda_run *r, armilla_stage stage, const armilla_pass *pass,
                      const armilla_leg *leg, armilla_cuda_work *work)
{
    const armilla_pass here = pass_there(r, pass);
    switch (stage) {
    case ARMILLA_ALM_TO_LEG:
        armilla_cuda_flow_alm_to_leg(r->flow, &here.alm, leg, work);
        break;
    case ARMILLA_LEG_TO_MAPS:
        armilla_cuda_flow_leg_to_maps(r->flow, pass->number, leg, &here.maps, work);
        break;
    case ARMILLA_MAPS_TO_LEG:
        armilla_cuda_flow_maps_to_leg(r->flow, pass->number, leg, &here.maps, work);
        break;
    case ARMILLA_LEG_TO_ALM:
        armilla_cuda_flow_leg_to_alm(r->flow, leg, &here.alm, work);
        break;
    }
}

/* The first error of both streams is the call's. */
void armilla_cuda_run_stage(armilla_cuda_run *r, armilla_stage stage, const armilla_pass *pass,
                            const armilla_leg *leg)
{
    const int fills = stage == ARMILLA_ALM_TO_LEG || stage == ARMILLA_MAPS_TO_LEG;
    const int of_rings = stage == ARMILLA_LEG_TO_MAPS || stage == ARMILLA_MAPS_TO_LEG;
    const int two = r->rings != &r->frame.work;
    armilla_cuda_work *work = of_rings ? r->rings : &r->frame.work;
    armilla_cuda_work *other = of_rings ? &r->frame.work : r->rings;
    if (two && fills) armilla_cuda_second_may_fill(r->t->second, r->emptied, work);
    put_stage(r, stage, pass, leg, work);
    if (two && fills) armilla_cuda_second_filled(r->t->second, work, other);
    if (two && !fills) armilla_cuda_second_emptied(r->t->second, r->emptied, work);
    if (two) armilla_cuda_take_error(&r->frame.work, r->rings);
    r->emptied += !fills;
}
