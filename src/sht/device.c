/* The public face of devices. See armilla/device.h. */
#include "armilla/device.h"

#include "base/options.h"
#include "cuda/runtime/device.h"
#include "cuda/stages/shape.h"

const char *armilla_device_shape_name(int64_t number)
{
    const armilla_cuda_shape *shape = armilla_cuda() ? armilla_cuda()->shape->at(number) : NULL;
    return shape ? shape->name : NULL;
}

armilla_status armilla_device_describe(armilla_device device,
                                       armilla_device_description *description)
{
    if (device != ARMILLA_CUDA)
        return armilla_fail_argument("device", (int64_t)device, "must be ARMILLA_CUDA");
    armilla_device_description whole = {0};
    armilla_status status = armilla_cuda_check_devices(NULL, 0);
    if (!status) status = armilla_cuda()->gpus->describe(&whole);
    return status ? status
                  : armilla_description_give("description", "armilla_device_description", &whole,
                                             sizeof whole, description);
}
