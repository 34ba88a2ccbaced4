/* Values at points in a library without CUDA: no stages begin, and nothing else is ever called. */
#include "cuda/points_group.h"

#include "cuda/transform.h"

static armilla_status fail_absent(void)
{
    return armilla_cuda_check_device();
}

armilla_status armilla_cuda_points_group_new(const armilla_cuda_points_stages_problem *problem,
                                             const int *devices, int64_t ndevices,
                                             armilla_cuda_points_group **group)
{
    (void)problem, (void)devices, (void)ndevices, (void)group;
    return fail_absent();
}

void armilla_cuda_points_group_free(armilla_cuda_points_group *group)
{
    (void)group;
}

int armilla_cuda_points_group_device(const armilla_cuda_points_group *group)
{
    (void)group;
    return 0;
}

int64_t armilla_cuda_points_group_count(const armilla_cuda_points_group *group)
{
    (void)group;
    return 0;
}

int64_t armilla_cuda_points_group_bytes(const armilla_cuda_points_group *group,
                                        const armilla_cuda_points_shares *shares)
{
    (void)group, (void)shares;
    return 0;
}

int64_t armilla_cuda_points_group_workspace(const armilla_cuda_points_group *group,
                                            const armilla_cuda_points_shares *shares)
{
    (void)group, (void)shares;
    return 0;
}

int64_t armilla_cuda_points_group_room(const armilla_cuda_points_group *group,
                                       const armilla_cuda_points_shares *shares, int to_points,
                                       int64_t batch)
{
    (void)group, (void)shares, (void)to_points, (void)batch;
    return 0;
}

armilla_status armilla_cuda_points_find(armilla_memory memory, const double **points,
                                        int *on_device)
{
    (void)memory, (void)points, (void)on_device;
    return fail_absent();
}

armilla_status armilla_cuda_points_look(const armilla_cuda_points_survey *survey,
                                        armilla_cuda_point_bounds *bounds)
{
    (void)survey, (void)bounds;
    return fail_absent();
}

armilla_status armilla_cuda_points_fetch(int64_t count, const double *points, double *host)
{
    (void)count, (void)points, (void)host;
    return fail_absent();
}

armilla_status armilla_cuda_points_shares_new(const armilla_cuda_points_group *group,
                                              const armilla_cuda_points_problem *problem,
                                              int64_t count, const double *points, int on_device,
                                              armilla_cuda_points_shares **shares)
{
    (void)group, (void)problem, (void)count, (void)points, (void)on_device, (void)shares;
    return fail_absent();
}

void armilla_cuda_points_shares_free(const armilla_cuda_points_group *group,
                                     armilla_cuda_points_shares *shares)
{
    (void)group, (void)shares;
}

armilla_status armilla_cuda_points_shares_turn(const armilla_cuda_points_group *group,
                                               armilla_cuda_points_shares *shares,
                                               const armilla_cuda_points_turn *turn)
{
    (void)group, (void)shares, (void)turn;
    return fail_absent();
}

armilla_status armilla_cuda_points_group_run(const armilla_cuda_points_group *group,
                                             const armilla_cuda_points_shares *shares,
                                             const armilla_cuda_points_call *call)
{
    (void)group, (void)shares, (void)call;
    return fail_absent();
}

armilla_status armilla_cuda_spare_bytes(const int *devices, int64_t ndevices, int64_t *bytes)
{
    (void)devices, (void)ndevices, (void)bytes;
    return armilla_cuda_check_device();
}

int64_t armilla_cuda_points_group_launches(const armilla_cuda_points_group *group,
                                           const armilla_cuda_points_shares *shares, int to_points)
{
    (void)group, (void)shares, (void)to_points;
    return 0;
}
