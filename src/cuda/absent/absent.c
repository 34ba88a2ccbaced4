/* A library without CUDA: every way to a GPU ends here, with an error that says so. */
#include "base/status.h"
#include "cuda/cuda.h"
#include "cuda/devices.h"
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

armilla_status armilla_cuda_spare_bytes(const int *devices, int64_t ndevices, int64_t *bytes)
{
    (void)devices, (void)ndevices, (void)bytes;
    return fail_absent();
}
