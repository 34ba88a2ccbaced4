/* Says which functions of this folder others may call: the tables of its things. */
#include "cuda/cuda.h"

#include "cuda/pointing.h"
#include "cuda/points_group.h"
#include "cuda/radial.h"
#include "cuda/share.h"

const armilla_cuda_tables *armilla_cuda(void)
{
    static const armilla_cuda_tables tables = {.shape = &armilla_cuda_shape_functions,
                                               .transform = &armilla_cuda_transform_functions,
                                               .share = &armilla_cuda_share_functions,
                                               .radial = &armilla_cuda_radial_functions,
                                               .points = &armilla_cuda_points_functions,
                                               .lensing = &armilla_cuda_lensing_functions};
    return &tables;
}
