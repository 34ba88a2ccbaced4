/* Calls between alm and points on several GPUs. To points each GPU makes the values of its points,
 * which the host puts in their places. Back each GPU spreads what it sees, the host puts the parts
 * of leg together, and the first GPU makes alm of it. See points_group.h. */
#include "base/device_list.h"
#include "base/integer.h"
#include "base/progress.h"
#include "base/parts.h"
#include "cuda/runtime/frame.h"
#include "cuda/pointing_plan.h"
#include "cuda/points_group_plan.h"

#include <string.h>

/* Transforms that go together, and the host's memory for them. */
typedef struct {
    const armilla_cuda_points_group *group;
    const armilla_cuda_points_shares *shares;
    const armilla_cuda_points_call *call;
    int64_t batch, first, count; /* transforms at once, of which these are now */
    double *leg;                 /* the whole of it; then what members have of it and of values */
    armilla_relay relay;
} run;

static const armilla_cuda_points_stages_problem *problem_of(const run *r)
{
    return &r->group->members[0].stages->problem;
}

/* --- Memory of the host ----------------------------------------------------------------------- */

static int64_t leg_size(const run *r)
{
    const armilla_cuda_points_stages_problem *p = problem_of(r);
    return r->call->to_points ? 0 : p->nmap * r->batch * p->far->size;
}

static armilla_cuda_points_pairs own_pairs(const run *r, int64_t part)
{
    const armilla_cuda_points_member *m = &r->group->members[part];
    return armilla_cuda_points_own_pairs(problem_of(r), m->first_strip, m->end_strip);
}

/* Doubles of a member's part of leg for one set. */
static int64_t rings_size(const run *r, int64_t part)
{
    return problem_of(r)->far->blocks->nrows * armilla_leg_row_length(own_pairs(r, part).count);
}

static int64_t count_values(const run *r, int64_t part)
{
    const armilla_cuda_points_part *p = &r->shares->parts[part];
    return r->call->to_points ? p->nown : p->count;
}

/* Doubles of a member for one set: values, and part of leg. */
static int64_t part_size(const run *r, int64_t part)
{
    const int64_t rings = r->call->to_points ? 0 : rings_size(r, part);
    return armilla_round_line(count_values(r, part)) + rings;
}

static int64_t total_size(const run *r)
{
    int64_t size = leg_size(r);
    for (int64_t i = 0; i < r->group->count; i++)
        size += problem_of(r)->nmap * r->batch * part_size(r, i);
    return size;
}

/* Where a member's values begin; its part of leg comes behind them. */
static double *values_of(const run *r, int64_t part)
{
    double *memory = r->leg + leg_size(r);
    for (int64_t i = 0; i < part; i++) memory += problem_of(r)->nmap * r->batch * part_size(r, i);
    return memory;
}

static double *rings_of(const run *r, int64_t part)
{
    const int64_t nsets = problem_of(r)->nmap * r->batch;
    return values_of(r, part) + nsets * armilla_round_line(count_values(r, part));
}

/* --- Values ----------------------------------------------------------------------------------- */

typedef struct {
    int64_t count;
    const uint32_t *number;
    const int64_t *place; /* as in armilla_cuda_points_turn */
} listed;

static int64_t place_of(listed l, int64_t i)
{
    return l.place ? l.place[l.number[i]] : l.number[i];
}

static void gather_item(listed l, armilla_array from, armilla_array to)
{
    if (from.is_float)
        for (int64_t i = 0; i < l.count; i++)
            ((float *)to.values)[i] = ((const float *)from.values)[place_of(l, i)];
    else
        for (int64_t i = 0; i < l.count; i++)
            ((double *)to.values)[i] = ((const double *)from.values)[place_of(l, i)];
}

static void scatter_item(listed l, armilla_array from, armilla_array to)
{
    if (from.is_float)
        for (int64_t i = 0; i < l.count; i++)
            ((float *)to.values)[place_of(l, i)] = ((const float *)from.values)[i];
    else
        for (int64_t i = 0; i < l.count; i++)
            ((double *)to.values)[place_of(l, i)] = ((const double *)from.values)[i];
}

/* All components of the transforms, between the caller's values and those of a member. */
static void move_values(const run *r, int64_t part, armilla_array all, armilla_array own)
{
    const listed l = {count_values(r, part), r->shares->parts[part].number, r->shares->turn.place};
    for (int64_t c = 0; c < problem_of(r)->nmap * r->count; c++) {
        const armilla_array here = armilla_array_from(own, c * l.count);
        const armilla_array there = armilla_array_from(all, c * r->call->exec.map_distance);
        if (r->call->to_points)
            scatter_item(l, here, there);
        else
            gather_item(l, there, here);
    }
}

/* --- Leg -------------------------------------------------------------------------------------- */

static void put_rings(const run *r, int64_t part)
{
    const armilla_leg_block *block = problem_of(r)->far->blocks;
    const armilla_cuda_points_pairs own = own_pairs(r, part);
    const int64_t nrows = problem_of(r)->nmap * r->count * block->nrows;
    const int64_t length = armilla_leg_row_length(own.count);
    const double *from = rings_of(r, part);
    double *to = r->leg + 4 * (own.first - block->first);
    for (int64_t i = 0; i < nrows; i++)
        memcpy(to + i * block->row_length, from + i * length, (size_t)(4 * own.count) * sizeof *to);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The transforms of now, on a member. */
static armilla_cuda_points_call call_of(const run *r, int64_t part,
                                        const armilla_listener *listener,
                                        const armilla_cuda_points_share *share)
{
    const armilla_cuda_points_stages_problem *p = problem_of(r);
    const armilla_exec *exec = &r->call->exec;
    armilla_cuda_points_call call = *r->call;
    call.alm = armilla_array_from(call.alm, 2 * r->first * p->nalm * exec->alm_distance);
    call.values = armilla_array_from(call.values, r->first * p->nmap * exec->map_distance);
    call.exec = armilla_cuda_member_exec(exec, r->count, r->group->members[part].stream, listener);
    call.share = share;
    return call;
}

/* An armilla_part_fn. */
static armilla_status run_part(void *context, int64_t part, const armilla_listener *listener)
{
    const run *r = context;
    const armilla_cuda_points_member *m = &r->group->members[part];
    const int to_points = r->call->to_points;
    const armilla_cuda_points_share share = {.first_strip = m->first_strip,
                                             .end_strip = m->end_strip,
                                             .nvalues = count_values(r, part),
                                             .rings = to_points ? NULL : rings_of(r, part)};
    const armilla_cuda_points_end end = {.spin = r->shares->turn.spin,
                                         .gamma = r->shares->parts[part].gamma,
                                         .view = {.count = share.nvalues, .placed = 1}};
    armilla_cuda_points_call call = call_of(r, part, listener, &share);
    const armilla_array all = call.values;
    if (to_points && share.nvalues == 0) return ARMILLA_OK;
    call.values.values = values_of(r, part), call.exec.map_distance = share.nvalues;
    if (end.gamma && share.nvalues) call.end = &end;
    if (!to_points) move_values(r, part, all, call.values);
    const armilla_status status =
        armilla_cuda_points_run(m->stages, r->shares->parts[part].points, &call);
    if (status) return armilla_device_name(m->device, status);
    if (to_points)
        move_values(r, part, all, call.values);
    else
        put_rings(r, part);
    return ARMILLA_OK;
}

static armilla_status make_alm(run *r, const armilla_listener *listener)
{
    const armilla_cuda_points_member *m = &r->group->members[0];
    const armilla_cuda_points_share share = {.leg = r->leg};
    const armilla_cuda_points_call call = call_of(r, 0, listener, &share);
    return armilla_device_name(
        m->device, armilla_cuda_points_run(m->stages, r->shares->parts[0].points, &call));
}

/* The transforms of now. Coefficients are about half of the adjoint's work. */
static armilla_status run_batch(run *r)
{
    const int to_points = r->call->to_points;
    const double width = (double)r->count / (double)r->call->exec.ntrans;
    const armilla_listener listener = {r->call->exec.progress ? armilla_relay_report : NULL,
                                       &r->relay};
    armilla_status status = armilla_relay_next(&r->relay, to_points ? width : width / 2);
    if (!status) status = armilla_parts_run(r->group->count, run_part, r, &listener);
    if (status || to_points) return status;
    status = armilla_relay_next(&r->relay, width / 2);
    return status ? status : make_alm(r, &listener);
}

/* As many transforms as have room on the GPU that has most points. */
static int64_t choose_batch(const run *r)
{
    int64_t batch = armilla_larger(r->call->exec.ntrans, 1);
    for (int64_t i = 0; i < r->group->count; i++)
        while (batch > 1 &&
               armilla_cuda_points_room_of(r->group->members[i].stages, r->shares->parts[i].points,
                                           r->call->to_points, batch)
                       .total > problem_of(r)->memory_bytes)
            batch = (batch + 1) / 2;
    return batch;
}

static armilla_status run_several(run *r)
{
    const armilla_exec *exec = &r->call->exec;
    r->batch = choose_batch(r);
    armilla_status status = armilla_workspace_take(r->group->workspace, total_size(r), &r->leg);
    if (status) return status;
    armilla_relay_start(&r->relay, exec->progress, exec->progress_data);
    for (int64_t t = 0; t < exec->ntrans && !status; t += r->batch) {
        r->first = t, r->count = armilla_smaller(r->batch, exec->ntrans - t);
        status = run_batch(r);
    }
    armilla_workspace_give(r->group->workspace, r->leg);
    return status;
}

static armilla_status run_one(const armilla_cuda_points_shares *shares,
                              const armilla_cuda_points_call *call)
{
    const armilla_cuda_pointing *pointing = shares->turn.pointing;
    armilla_cuda_points_call own = *call;
    armilla_cuda_points_end end = {.spin = shares->turn.spin};
    if (pointing) {
        end.gamma = pointing->gamma, end.view = *armilla_cuda_pointing_view(pointing);
        own.end = &end;
    }
    return armilla_cuda_points_run(shares->group->members[0].stages, shares->parts[0].points, &own);
}

armilla_status armilla_cuda_points_shares_run(const armilla_cuda_points_shares *shares,
                                              const armilla_cuda_points_call *call)
{
    const armilla_cuda_points_group *group = shares->group;
    run r = {.group = group, .shares = shares, .call = call};
    return group->is_one ? run_one(shares, call) : run_several(&r);
}
