/* Makes the stages of values at points on each GPU of a plan, with a stream there, and deals strips
 * of samples out to them. See points_group.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/parts.h"
#include "cuda/runtime/device.h"
#include "cuda/points_group_plan.h"

/* An armilla_cuda_make_fn. */
static armilla_status make_stages(const void *problem, void *member)
{
    armilla_cuda_points_member *m = member;
    return armilla_cuda_points_stages_new(problem, &m->stages);
}

static armilla_status make(const armilla_cuda_points_stages_problem *problem, const int *devices,
                           armilla_cuda_points_group *g)
{
    const int64_t count = g->count;
    g->count = 0;
    armilla_status status = armilla_allocate_zero(&g->members, count, sizeof *g->members);
    if (!status && !g->is_one) status = armilla_workspace_store_new(&g->workspace);
    if (!status) g->count = count;
    for (int64_t i = 0; i < count && !status; i++) {
        armilla_cuda_points_member *m = &g->members[i];
        m->device = devices[i];
        m->first_strip = armilla_parts_first(problem->nstrips, count, i);
        m->end_strip = armilla_parts_first(problem->nstrips, count, i + 1);
        status = armilla_cuda_member_make(m->device, make_stages, problem, m,
                                          g->is_one ? NULL : &m->stream);
    }
    return status;
}

static void free_group(void *object)
{
    armilla_cuda_points_group *g = object;
    for (int64_t i = 0; i < g->count; i++) {
        const armilla_cuda_points_member *m = &g->members[i];
        armilla_cuda_stream_free(m->device, m->stream);
        armilla_cuda_points_stages_free(m->stages);
    }
    armilla_workspace_store_free(g->workspace);
    armilla_release(g->members);
    armilla_release(g);
}

static armilla_status new_group(const armilla_cuda_points_stages_problem *problem,
                                const int *devices, int64_t ndevices,
                                armilla_cuda_points_group **group)
{
    armilla_cuda_points_group *g;
    int current;
    armilla_status status = devices ? ARMILLA_OK : armilla_cuda_current_device(&current);
    if (status || (status = armilla_allocate_zero(&g, 1, sizeof *g))) return status;
    if (!devices) devices = &current, ndevices = 1;
    g->object.free = free_group, g->object.device = devices[0];
    g->is_one = ndevices == 1, g->count = armilla_smaller(ndevices, problem->nstrips);
    status = make(problem, devices, g);
    if (status)
        free_group(g);
    else
        *group = g;
    return status;
}

/* --- What they need --------------------------------------------------------------------------- */

static armilla_cuda_points_needs needs_of(const armilla_cuda_points_group *group,
                                          const armilla_cuda_points_shares *shares)
{
    const armilla_cuda_points_stages *first = group->members[0].stages;
    const armilla_cuda_points *own = shares ? shares->parts[0].points : NULL;
    armilla_cuda_points_needs needs = {.ngpus = group->count};
    for (int64_t i = 0; i < group->count; i++) {
        const armilla_cuda_points *points = shares ? shares->parts[i].points : NULL;
        needs.bytes = armilla_larger(
            needs.bytes, armilla_cuda_points_workspace(group->members[i].stages, points));
    }
    for (int to_points = 0; to_points < 2; to_points++)
        needs.launches[to_points] = armilla_cuda_points_stages_launches(first, own, to_points);
    return needs;
}

static armilla_status see(armilla_memory memory, armilla_cuda_points_survey *survey, int *on_device,
                          armilla_cuda_point_bounds *bounds)
{
    const armilla_status status = armilla_cuda_points_find(memory, &survey->points, on_device);
    return status || !*on_device ? status : armilla_cuda_points_look(survey, bounds);
}

const armilla_cuda_points_table armilla_cuda_points_functions = {
    .see = see,
    .fetch = armilla_cuda_points_fetch,
    .make = new_group,
    .sort = armilla_cuda_points_shares_new,
    .turn = armilla_cuda_points_shares_turn,
    .needs = needs_of,
    .run = armilla_cuda_points_shares_run};
