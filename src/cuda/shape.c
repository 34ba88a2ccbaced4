/* The shapes that there are kernels for (kernels/legendre_shape.h), and which one to take where
 * nothing was measured. */
#include "cuda/shape.h"

#include "base/status.h"
#include "cuda/device_memory.h"
#include "cuda/legendre.h"

enum { V1W4, V2W4, V2W8, V4W4, V4W4T, SHAPES };

static const armilla_cuda_shape shapes[SHAPES] = {
    [V1W4] = {"v1w4", ARMILLA_CUDA_LANES, 1, 4},      [V2W4] = {"v2w4", ARMILLA_CUDA_LANES, 2, 4},
    [V2W8] = {"v2w8", ARMILLA_CUDA_LANES, 2, 8},      [V4W4] = {"v4w4", ARMILLA_CUDA_LANES, 4, 4},
    [V4W4T] = {"v4w4t", ARMILLA_CUDA_LANES, 4, 4, 1},
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

/* Tensor cores for doubles are twice as fast as the other units there; those of later GPUs are as
 * fast as these, or slower. Kernels are compiled for these alone: ARMILLA_TENSOR_CORES of
 * kernels/device.h. */
int armilla_cuda_shape_suits(const armilla_cuda_shape *shape, int64_t capability)
{
    return !shape->tensor || capability == 80 || capability == 90;
}

armilla_status armilla_cuda_check_shape(const armilla_cuda_shape *shape)
{
    struct cudaDeviceProp p;
    int device;
    armilla_status status;
    if (!shape->tensor) return ARMILLA_OK;
    if ((status = armilla_cuda_status(cudaGetDevice(&device), "the current device")) ||
        (status = armilla_cuda_status(cudaGetDeviceProperties(&p, device), "asking what it is")))
        return status;
    if (armilla_cuda_shape_suits(shape, 10 * p.major + p.minor)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "options->device_shape = \"%s\": needs a GPU of compute capability 8.0 or "
                        "9.0 for its tensor cores; this one has %d.%d",
                        shape->name, p.major, p.minor);
}
