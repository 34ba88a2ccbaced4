/* Makes the stages of values at points on each GPU of a plan, with a stream there, and deals strips
 * of samples out to them. See points_group.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "cuda/devices.h"
#include "cuda/parts.h"
#include "cuda/points_group_plan.h"

static armilla_status make_stages(const armilla_cuda_points_stages_problem *problem,
                                  armilla_cuda_points_member *m)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(m->device, &before);
    if (status) return status;
    status = armilla_cuda_points_stages_new(problem, &m->stages);
    armilla_cuda_leave_device(m->device, before);
    return status;
}

static armilla_status make_member(const armilla_cuda_points_stages_problem *problem, int is_one,
                                  armilla_cuda_points_member *m)
{
    armilla_status status = make_stages(problem, m);
    if (is_one) return status;
    if (!status) status = armilla_cuda_stream_new(m->device, &m->stream);
    return armilla_cuda_name_device(m->device, status);
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
        m->first_strip = armilla_cuda_deal(problem->nstrips, count, i);
        m->end_strip = armilla_cuda_deal(problem->nstrips, count, i + 1);
        status = make_member(problem, g->is_one, m);
    }
    return status;
}

armilla_status armilla_cuda_points_group_new(const armilla_cuda_points_stages_problem *problem,
                                             const int *devices, int64_t ndevices,
                                             armilla_cuda_points_group **group)
{
    armilla_cuda_points_group *g;
    armilla_status status = armilla_allocate_zero(&g, 1, sizeof *g);
    if (status) return status;
    g->is_one = ndevices == 1, g->count = armilla_smaller(ndevices, problem->nstrips);
    status = make(problem, devices, g);
    if (status)
        armilla_cuda_points_group_free(g);
    else
        *group = g;
    return status;
}

void armilla_cuda_points_group_free(armilla_cuda_points_group *group)
{
    if (!group) return;
    for (int64_t i = 0; i < group->count; i++) {
        const armilla_cuda_points_member *m = &group->members[i];
        armilla_cuda_stream_free(m->device, m->stream);
        armilla_cuda_points_stages_free(m->stages);
    }
    armilla_workspace_store_free(group->workspace);
    armilla_release(group->members);
    armilla_release(group);
}

int armilla_cuda_points_group_device(const armilla_cuda_points_group *group)
{
    return group->members[0].device;
}

int64_t armilla_cuda_points_group_count(const armilla_cuda_points_group *group)
{
    return group->count;
}

int64_t armilla_cuda_points_group_bytes(const armilla_cuda_points_group *group,
                                        const armilla_cuda_points_shares *shares)
{
    int64_t most = 0;
    for (int64_t i = 0; i < group->count; i++) {
        const armilla_cuda_points_part *part = &shares->parts[i];
        const int64_t angles = part->gamma ? part->count * (int64_t)sizeof *part->gamma : 0;
        most = armilla_larger(most, armilla_cuda_points_stages_bytes(group->members[i].stages) +
                                        armilla_cuda_points_held_bytes(part->points) + angles);
    }
    return most;
}

static const armilla_cuda_points *points_of(const armilla_cuda_points_shares *shares, int64_t i)
{
    return shares ? shares->parts[i].points : NULL;
}

int64_t armilla_cuda_points_group_workspace(const armilla_cuda_points_group *group,
                                            const armilla_cuda_points_shares *shares)
{
    int64_t most = 0;
    for (int64_t i = 0; i < group->count; i++)
        most = armilla_larger(
            most, armilla_cuda_points_workspace(group->members[i].stages, points_of(shares, i)));
    return most;
}

int64_t armilla_cuda_points_group_room(const armilla_cuda_points_group *group,
                                       const armilla_cuda_points_shares *shares, int to_points,
                                       int64_t batch)
{
    return armilla_cuda_points_room_of(group->members[0].stages, shares->parts[0].points, to_points,
                                       batch)
        .total;
}

int64_t armilla_cuda_points_group_launches(const armilla_cuda_points_group *group,
                                           const armilla_cuda_points_shares *shares, int to_points)
{
    return armilla_cuda_points_stages_launches(group->members[0].stages, points_of(shares, 0),
                                               to_points);
}
