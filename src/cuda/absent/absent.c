/* A library without CUDA: every way to a GPU ends here, with an error that says so. */
#include "base/status.h"
#include "cuda/cuda.h"
#include "cuda/radial.h"
#include "cuda/radial_mixing.h"
#include "cuda/devices.h"
#include "cuda/radial_devices.h"
#include "cuda/radial_standard.h"
#include "cuda/transform.h"

const armilla_cuda_tables *armilla_cuda(void)
{
    return NULL;
}

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

armilla_status armilla_cuda_count_devices(int *count)
{
    (void)count;
    return fail_absent();
}

armilla_status armilla_cuda_name_device(int device, armilla_status status)
{
    (void)device;
    return status;
}

armilla_status armilla_cuda_check_shared_call(armilla_memory memory, const void *stream)
{
    (void)memory, (void)stream;
    return fail_absent();
}

armilla_status armilla_cuda_check_shared_array(const char *name, const void *values)
{
    (void)name, (void)values;
    return fail_absent();
}

armilla_status armilla_cuda_current_device(int *device)
{
    (void)device;
    return fail_absent();
}

armilla_status armilla_cuda_enter_device(int device, int *before)
{
    *before = device;
    return fail_absent();
}

void armilla_cuda_leave_device(int device, int before)
{
    (void)device, (void)before;
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

armilla_status armilla_cuda_find_device_array(const void *values, int *there)
{
    (void)values, (void)there;
    return fail_absent();
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

armilla_status armilla_cuda_shape_suits(const armilla_cuda_shape *shape, int *suits)
{
    (void)shape, (void)suits;
    return fail_absent();
}

armilla_status armilla_cuda_check_shape(const armilla_cuda_shape *shape)
{
    (void)shape;
    return fail_absent();
}

armilla_status armilla_cuda_tune(const armilla_cuda_tuning *of, armilla_cuda_measure_fn measure,
                                 void *data, const armilla_cuda_shape **shape)
{
    (void)of, (void)measure, (void)data, (void)shape;
    return fail_absent();
}

armilla_status armilla_cuda_transform_time(const armilla_cuda_transform *transform,
                                           const armilla_cuda_problem *problem, int64_t ntrans,
                                           double *milliseconds)
{
    (void)transform, (void)problem, (void)ntrans, (void)milliseconds;
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

int armilla_cuda_transform_device(const armilla_cuda_transform *transform)
{
    (void)transform;
    return 0;
}

int64_t armilla_cuda_transform_bytes(const armilla_cuda_transform *transform)
{
    (void)transform;
    return 0;
}

armilla_cuda_needs armilla_cuda_transform_needs(const armilla_cuda_transform *transform,
                                                int64_t ntrans)
{
    (void)transform, (void)ntrans;
    return (armilla_cuda_needs){0};
}

void armilla_cuda_transform_ring_ways(const armilla_cuda_transform *transform,
                                      int64_t pairs[ARMILLA_CUDA_RING_WAYS])
{
    (void)transform;
    for (int i = 0; i < ARMILLA_CUDA_RING_WAYS; i++) pairs[i] = 0;
}

int64_t armilla_cuda_transform_batch(const armilla_cuda_transform *transform, int weighted,
                                     int to_map, int64_t ntrans)
{
    (void)transform, (void)weighted, (void)to_map, (void)ntrans;
    return 1;
}

armilla_status armilla_cuda_transform_run(const armilla_cuda_transform *transform,
                                          const armilla_cuda_call *call)
{
    (void)transform, (void)call;
    return fail_absent();
}

/* --- Several GPUs ----------------------------------------------------------------------------- */

armilla_status armilla_cuda_check_devices(const int *devices, int64_t ndevices)
{
    (void)devices, (void)ndevices;
    return fail_absent();
}

armilla_status armilla_cuda_transforms_new(const armilla_cuda_problem *problem,
                                           const armilla_cuda_transform *first, const int *devices,
                                           int64_t ndevices, armilla_cuda_transforms **transforms)
{
    (void)problem, (void)first, (void)devices, (void)ndevices, (void)transforms;
    return fail_absent();
}

void armilla_cuda_transforms_free(armilla_cuda_transforms *transforms)
{
    (void)transforms;
}

int64_t armilla_cuda_transforms_bytes(const armilla_cuda_transforms *transforms)
{
    (void)transforms;
    return 0;
}

armilla_cuda_needs armilla_cuda_transforms_needs(const armilla_cuda_transforms *transforms,
                                                 int64_t ntrans)
{
    (void)transforms, (void)ntrans;
    return (armilla_cuda_needs){0};
}

armilla_status armilla_cuda_transforms_run(const armilla_cuda_transforms *transforms,
                                           const armilla_cuda_call *call)
{
    (void)transforms, (void)call;
    return fail_absent();
}

/* --- Radial convolution ----------------------------------------------------------------------- */

armilla_status armilla_cuda_radials_new(const armilla_cuda_radial_problem *problem,
                                        const armilla_cuda_radials *scalars, const int *devices,
                                        int64_t ndevices, armilla_cuda_radials **radials)
{
    (void)problem, (void)scalars, (void)devices, (void)ndevices, (void)radials;
    return fail_absent();
}

void armilla_cuda_radials_free(armilla_cuda_radials *radials)
{
    (void)radials;
}

const armilla_cuda_radial *armilla_cuda_radials_first(const armilla_cuda_radials *radials)
{
    (void)radials;
    return NULL;
}

armilla_status armilla_cuda_radials_run(const armilla_cuda_radials *radials,
                                        const armilla_cuda_radial_call *call)
{
    (void)radials, (void)call;
    return fail_absent();
}

int64_t armilla_cuda_radial_bytes(const armilla_cuda_radial *radial)
{
    (void)radial;
    return 0;
}

int64_t armilla_cuda_radial_workspace(const armilla_cuda_radial *radial)
{
    (void)radial;
    return 0;
}

armilla_status armilla_cuda_mixing_new(const armilla_cuda_mixing_problem *problem,
                                       armilla_cuda_mixing **mixing)
{
    (void)problem, (void)mixing;
    return fail_absent();
}

void armilla_cuda_mixing_free(armilla_cuda_mixing *mixing)
{
    (void)mixing;
}

int64_t armilla_cuda_mixing_bytes(const armilla_cuda_mixing *mixing)
{
    (void)mixing;
    return 0;
}

int64_t armilla_cuda_mixing_call_bytes(const armilla_cuda_mixing *const *plans, int64_t nplans,
                                       int on_host, int adjoint)
{
    (void)plans, (void)nplans, (void)on_host, (void)adjoint;
    return 0;
}

armilla_status armilla_cuda_mixing_run(const armilla_cuda_mixing_call *call)
{
    (void)call;
    return fail_absent();
}

/* --- Radial convolution, rings of one length ------------------------------------------------- */

armilla_status armilla_cuda_standard_new(const armilla_cuda_standard_problem *problem,
                                         armilla_cuda_standard **standard)
{
    (void)problem, (void)standard;
    return fail_absent();
}

void armilla_cuda_standard_free(armilla_cuda_standard *standard)
{
    (void)standard;
}

int64_t armilla_cuda_standard_bytes(const armilla_cuda_standard *standard)
{
    (void)standard;
    return 0;
}

int64_t armilla_cuda_standard_call_bytes(const armilla_cuda_standard *standard, int on_host,
                                         int adjoint)
{
    (void)standard, (void)on_host, (void)adjoint;
    return 0;
}

armilla_status armilla_cuda_standard_run(const armilla_cuda_standard *standard,
                                         const armilla_cuda_standard_call *call)
{
    (void)standard, (void)call;
    return fail_absent();
}
