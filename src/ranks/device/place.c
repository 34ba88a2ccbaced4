/* Chooses the GPU of a rank, by the caller's wish or by the rank's number on its machine, and takes
 * the results of calls that the host runs there. See place.h. */
#include "ranks/device/place.h"

#include "armilla/distributed.h"
#include "base/device_list.h"
#include "base/status.h"
#include "cuda/runtime/device.h"
#include "ranks/agree.h"

armilla_status armilla_rank_choose_device(const armilla_transport *transport, int64_t wish,
                                          int *device)
{
    int count;
    armilla_status status = armilla_cuda_check_devices(NULL, 0);
    if (status) return status;
    if (wish == ARMILLA_DEVICE_CURRENT) return armilla_cuda()->gpus->current(device);
    if ((status = armilla_cuda()->gpus->count(&count))) return status;
    if (wish >= count)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "distributed->device_number = %lld: the process sees %d GPUs",
                            (long long)wish, count);
    *device = (int)(wish >= 0 ? wish : transport->local_rank % count);
    return ARMILLA_OK;
}

armilla_status armilla_rank_check_device(int64_t wish)
{
    if (wish >= ARMILLA_DEVICE_CURRENT) return ARMILLA_OK;
    return armilla_fail_argument("distributed->device_number", wish,
                                 "must be a GPU's number, ARMILLA_DEVICE_OF_RANK or "
                                 "ARMILLA_DEVICE_CURRENT");
}

armilla_status armilla_rank_refuse_list(const int *devices, int64_t ndevices)
{
    if (!devices && !ndevices) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "options->devices: must be NULL over ranks; distributed->device_number "
                        "says which GPU a rank has");
}

armilla_status armilla_rank_delegate(const armilla_transport *transport,
                                     const armilla_rank_delegates *options,
                                     armilla_delegation *delegation)
{
    int device;
    *delegation = (armilla_delegation){.ndevices = 0};
    armilla_status status =
        armilla_device_list_check(options->device, options->devices, options->ndevices);
    if (status || options->device == ARMILLA_CPU) return status;
    if (!options->delegate)
        return armilla_refuse_place("options->device", options->operation,
                                    ARMILLA_PLACE_RANKS_GPUS);
    status = armilla_rank_refuse_list(options->devices, options->ndevices);
    if (!status) status = armilla_rank_check_device(options->device_number);
    if (!status) status = armilla_rank_choose_device(transport, options->device_number, &device);
    if (!status) *delegation = (armilla_delegation){1, device};
    return status;
}

armilla_status armilla_rank_close(const armilla_transport *transport,
                                  const armilla_delegation *delegation, armilla_call *call,
                                  armilla_status status)
{
    const armilla_status own = armilla_call_close(call, status);
    return status || !delegation->ndevices ? own : armilla_agree(transport, own);
}
