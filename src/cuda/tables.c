/* Says which functions of this folder others may call: the tables of its things. */
#include "cuda/delegate.h"
#include "cuda/runtime/device.h"
#include "cuda/missing.h"
#include "cuda/pointing.h"
#include "cuda/points_group.h"
#include "cuda/radial.h"
#include "cuda/share.h"

const armilla_cuda_tables *armilla_cuda(void)
{
    static const armilla_cuda_tables tables = {
        &armilla_cuda_device_functions,    &armilla_cuda_shape_functions,
        &armilla_cuda_transform_functions, &armilla_cuda_share_functions,
        &armilla_cuda_radial_functions,    &armilla_cuda_points_functions,
        &armilla_cuda_lensing_functions,   &armilla_cuda_missing_functions,
        &armilla_cuda_delegate_functions};
    return &tables;
}
