/* The public face of devices. See armilla/device.h. */
#include "armilla/device.h"

#include "base/status.h"
#include "cuda/transform.h"

#include <string.h>

armilla_status armilla_device_describe(armilla_device device,
                                       armilla_device_description *description)
{
    armilla_status status = armilla_check_given("description", description);
    if (status) return status;
    if (device != ARMILLA_CUDA)
        return armilla_fail_argument("device", (int64_t)device, "must be ARMILLA_CUDA");
    const size_t size = description->size;
    if (size < sizeof size || size > sizeof *description)
        return armilla_fail_argument("description->size", (int64_t)size,
                                     "must be sizeof(armilla_device_description)");
    armilla_device_description whole;
    memset(&whole, 0, sizeof whole);
    if ((status = armilla_cuda_describe_device(&whole))) return status;
    whole.size = size;
    memcpy(description, &whole, size);
    return ARMILLA_OK;
}
