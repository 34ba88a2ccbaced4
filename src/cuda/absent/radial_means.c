/* What stands for means over weights (cuda/radial_means.h), and for what plans on several GPUs
 * need, in a library built without CUDA: no plan is there that could ask for them. */
#include "cuda/radial_means.h"

#include "cuda/devices.h"
#include "cuda/parts.h"
#include "cuda/transform.h"

armilla_status armilla_cuda_means_run(const armilla_cuda_means_call *call)
{
    (void)call;
    return armilla_cuda_check_device();
}

armilla_status armilla_cuda_weights_look_at(int device, const double *weights, int64_t count,
                                            void *stream, double *largest)
{
    (void)device, (void)weights, (void)count, (void)stream, (void)largest;
    return armilla_cuda_check_device();
}

armilla_status armilla_cuda_weights_take(int device, const double *weights, int64_t count,
                                         void *stream, double *host)
{
    (void)device, (void)weights, (void)count, (void)stream, (void)host;
    return armilla_cuda_check_device();
}

/* --- Several GPUs ----------------------------------------------------------------------------- */

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
