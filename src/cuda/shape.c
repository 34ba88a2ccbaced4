/* The shapes that there are kernels for (kernels/legendre_shape.h), and which one to take where
 * nothing was measured. */
#include "cuda/legendre.h"
#include "cuda/transform.h"

enum { V1W4, V2W4, V2W8, V4W4, SHAPES };

static const armilla_cuda_shape shapes[SHAPES] = {
    [V1W4] = {"v1w4", ARMILLA_CUDA_LANES, 1, 4},
    [V2W4] = {"v2w4", ARMILLA_CUDA_LANES, 2, 4},
    [V2W8] = {"v2w8", ARMILLA_CUDA_LANES, 2, 8},
    [V4W4] = {"v4w4", ARMILLA_CUDA_LANES, 4, 4},
};

const armilla_cuda_shape *armilla_cuda_shape_at(int64_t number)
{
    return number >= 0 && number < SHAPES ? &shapes[number] : NULL;
}

/* Predicted, not measured: four vectors take the most from each number that is read; they fill an
 * H100 (132 x 16 warps) where there are some 500 pairs and 1000 orders. */
const armilla_cuda_shape *armilla_cuda_default_shape(int64_t npairs)
{
    return &shapes[npairs >= 500 ? V4W4 : npairs >= 250 ? V2W4 : V1W4];
}
