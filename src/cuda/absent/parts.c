/* What plans on several GPUs need, in a library built without CUDA: there are none. */
#include "cuda/devices.h"
#include "cuda/parts.h"
#include "cuda/transform.h"

armilla_status armilla_cuda_run_parts(int64_t nparts, armilla_cuda_part_fn run, void *context,
                                      const armilla_cuda_listener *listener)
{
    (void)nparts, (void)run, (void)context, (void)listener;
    return armilla_cuda_check_device();
}

armilla_status armilla_cuda_stream_new(int device, void **stream)
{
    (void)device, (void)stream;
    return armilla_cuda_check_device();
}

void armilla_cuda_stream_free(int device, void *stream)
{
    (void)device, (void)stream;
}
