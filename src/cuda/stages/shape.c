/* The shapes that there are kernels for (kernels/legendre_shape.h), and which one to take where
 * nothing was measured. */
#include "cuda/stages/shape.h"

#include "base/status.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/kernels/legendre_view.h"
#include "cuda/stages/legendre.h"
#include "cuda/stages/tensor_target.h"

#include <stdio.h>
#include <string.h>

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
 * H100 (132 x 16 warps) where there are some 500 pairs and 1000 orders. In two floats smaller
 * groups gain more: they skip more steps, and leave fewer pairs to doubles (tools/gpu_sheets.py: 20
 * to 28 % of a call at 1024 pairs, 10 % at 2048). */
const armilla_cuda_shape *armilla_cuda_default_shape(int64_t npairs, int two_floats)
{
    const int64_t four = two_floats ? 2600 : 500, two = two_floats ? 1250 : 250;
    return &shapes[npairs >= four ? V4W4 : npairs >= two ? V2W4 : V1W4];
}

/* The kernel is asked, not the GPU: a GPU of 9.0 may run PTX that was made for 8.6, which has no
 * bodies. *target: what the first of them without a body, or the last one, was compiled for. */
static armilla_status look_at_tensor_kernels(int *target)
{
    cudaError_t (*const ask[])(int *) = {
        armilla_cuda_tensor_synthesis_target, armilla_cuda_tensor_analysis_target,
        armilla_cuda_halves_synthesis_target, armilla_cuda_halves_analysis_target};
    cudaError_t error = cudaSuccess;
    *target = 0;
    for (size_t i = 0; i < sizeof ask / sizeof *ask && !error; i++) {
        error = ask[i](target);
        if (!ARMILLA_CUDA_TENSOR_TARGET(*target)) break;
    }
    return armilla_cuda_status(error, "asking what kernels were compiled for");
}

armilla_status armilla_cuda_shape_suits(const armilla_cuda_shape *shape, int *suits)
{
    int target;
    *suits = 1;
    if (!shape->tensor) return ARMILLA_OK;
    const armilla_status status = look_at_tensor_kernels(&target);
    *suits = !status && ARMILLA_CUDA_TENSOR_TARGET(target);
    return status;
}

/* Fails where the current GPU has no such kernels. what: the option that asks for them. */
static armilla_status check_tensor_kernels(const char *what)
{
    struct cudaDeviceProp p;
    int device, target;
    armilla_status status;
    if ((status = armilla_cuda_status(cudaGetDevice(&device), "the current device")) ||
        (status = armilla_cuda_status(cudaGetDeviceProperties(&p, device), "asking what it is")) ||
        (status = look_at_tensor_kernels(&target)) || ARMILLA_CUDA_TENSOR_TARGET(target))
        return status;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "%s: needs kernels compiled for compute capability 8.0 or 9.0, with tensor "
                        "cores for doubles; those for this GPU, which has %d.%d, were compiled for "
                        "%d.%d",
                        what, p.major, p.minor, target / 10, target % 10);
}

armilla_status armilla_cuda_check_shape(const armilla_cuda_shape *shape)
{
    char what[80];
    snprintf(what, sizeof what, "options->device_shape = \"%s\"", shape->name);
    return shape->tensor ? check_tensor_kernels(what) : ARMILLA_OK;
}

armilla_status armilla_cuda_check_halves(void)
{
    return check_tensor_kernels("options->device_precision = ARMILLA_DEVICE_PRECISION_HALVES");
}

static armilla_status find(const char *name, const armilla_cuda_shape **shape)
{
    char known[80] = "";
    for (int i = 0; i < SHAPES; i++) {
        if (!strcmp(name, (*shape = &shapes[i])->name)) return armilla_cuda_check_shape(*shape);
        const size_t end = strlen(known);
        snprintf(known + end, sizeof known - end, ", %s", (*shape)->name);
    }
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "options->device_shape = \"%s\": must be NULL or one of%s", name,
                        known + 1);
}

const armilla_cuda_shape_table armilla_cuda_shape_functions = {.at = armilla_cuda_shape_at,
                                                               .usual = armilla_cuda_default_shape,
                                                               .find = find,
                                                               .check_halves =
                                                                   armilla_cuda_check_halves};
