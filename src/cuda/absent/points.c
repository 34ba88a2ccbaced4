/* What plans for points ask of a GPU in a library without CUDA, where none is ever made. */
#include "cuda/points_group.h"
#include "cuda/transform.h"

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
