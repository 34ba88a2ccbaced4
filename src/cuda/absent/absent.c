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

armilla_status armilla_cuda_check_devices(const int *devices, int64_t ndevices)
{
    (void)devices, (void)ndevices;
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
