/* The public face of devices. See armilla/device.h. */
#include "armilla/device.h"

#include "base/options.h"
#include "cuda/transform.h"

armilla_status armilla_device_describe(armilla_device device,
                                       armilla_device_description *description)
{
    if (device != ARMILLA_CUDA)
        return armilla_fail_argument("device", (int64_t)device, "must be ARMILLA_CUDA");
    armilla_device_description whole = {0};
    const armilla_status status = armilla_cuda_describe_device(&whole);
    return status ? status
                  : armilla_description_give("armilla_device_description", &whole, sizeof whole,
                                             description);
}
