/* Checks lists of GPUs that options name, before any of them is asked for, and says in errors which
 * of them it was. */
#include "base/device_list.h"

#include "base/status.h"

#include <stdio.h>

static armilla_status check_number(const int *devices, int64_t i)
{
    const char *rule = devices[i] < 0 ? "must be the number of a GPU, 0 or more" : NULL;
    for (int64_t k = 0; k < i && !rule; k++)
        if (devices[k] == devices[i]) rule = "is in the list twice";
    if (!rule) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->devices[%lld] = %d: %s", (long long)i,
                        devices[i], rule);
}

armilla_status armilla_device_list_check(armilla_device device, const int *devices,
                                         int64_t ndevices)
{
    armilla_status status = ARMILLA_OK;
    if (device != ARMILLA_CPU && device != ARMILLA_CUDA)
        return armilla_fail_argument("options->device", (int64_t)device,
                                     "must be ARMILLA_CPU or ARMILLA_CUDA");
    if (ndevices < 0 || (devices && ndevices == 0) || (!devices && ndevices > 0))
        return armilla_fail_argument("options->ndevices", ndevices,
                                     devices ? "must be at least 1 where devices is given"
                                             : "must be 0 where devices is NULL");
    if (devices && device == ARMILLA_CPU)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->devices: must be NULL where device is ARMILLA_CPU");
    for (int64_t i = 0; i < ndevices && !status; i++) status = check_number(devices, i);
    return status;
}

armilla_status armilla_device_name(int device, armilla_status status)
{
    enum { MESSAGE_SIZE = 512 };
    char message[MESSAGE_SIZE];
    if (!status || status == ARMILLA_ERROR_ARGUMENT || status == ARMILLA_ERROR_CANCELLED)
        return status;
    snprintf(message, sizeof message, "%s", armilla_status_message());
    return armilla_fail(status, "GPU %d: %s", device, message);
}
