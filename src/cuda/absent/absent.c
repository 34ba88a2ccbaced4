/* A library without CUDA: every way to a GPU ends here, with an error that says so. */
#include "base/status.h"
#include "cuda/transform.h"

static armilla_status fail_absent(void)
{
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "no GPU can be used: this library was built without CUDA (make CUDA=1, "
                        "where CUDA's compiler is, builds it with)");
}

armilla_status armilla_cuda_check_device(void)
{
    return fail_absent();
}

armilla_status armilla_cuda_precision_ratio(int *ratio)
{
    (void)ratio;
    return fail_absent();
}

armilla_status armilla_cuda_describe_device(armilla_device_description *whole)
{
    (void)whole;
    return fail_absent();
}

int armilla_cuda_is_device_array(const void *values)
{
    (void)values;
    return 0;
}

const armilla_cuda_shape *armilla_cuda_shape_at(int64_t number)
{
    (void)number;
    return NULL;
}

const armilla_cuda_shape *armilla_cuda_default_shape(int64_t npairs)
{
    (void)npairs;
    return NULL;
}

armilla_status armilla_cuda_tune(const armilla_cuda_tuning *of, armilla_cuda_measure_fn measure,
                                 void *data, const armilla_cuda_shape **shape)
{
    (void)of, (void)measure, (void)data, (void)shape;
    return fail_absent();
}

armilla_status armilla_cuda_transform_time(const armilla_cuda_transform *transform,
                                           const armilla_cuda_problem *problem,
                                           double *milliseconds)
{
    (void)transform, (void)problem, (void)milliseconds;
    return fail_absent();
}

armilla_status armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                          armilla_cuda_transform **transform)
{
    (void)problem, (void)transform;
    return fail_absent();
}

void armilla_cuda_transform_free(armilla_cuda_transform *transform)
{
    (void)transform;
}

int64_t armilla_cuda_transform_bytes(const armilla_cuda_transform *transform)
{
    (void)transform;
    return 0;
}

int64_t armilla_cuda_transform_workspace(const armilla_cuda_transform *transform)
{
    (void)transform;
    return 0;
}

armilla_status armilla_cuda_transform_run(const armilla_cuda_transform *transform,
                                          const armilla_cuda_call *call)
{
    (void)transform, (void)call;
    return fail_absent();
}
