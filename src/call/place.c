/* The sentence about operations that a place does not offer, and who runs them there. See place.h.
 */
#include "call/place.h"

#include "base/choice.h"
#include "base/device_list.h"
#include "base/status.h"
#include "cuda/runtime/device.h"

/* --- What works instead ----------------------------------------------------------------------- */

static const char *const places[ARMILLA_PLACES] = {[ARMILLA_PLACE_GPU] = "on a GPU",
                                                   [ARMILLA_PLACE_RANKS_GPUS] =
                                                       "over ranks with GPUs",
                                                   [ARMILLA_PLACE_GROUPS] = "by groups of ranks"};

static const char delegated[] = "the host runs them (set delegate, or leave device at ARMILLA_CPU)";
static const char on_hosts[] = "ranks run them on the host (set delegate, or leave device at "
                               "ARMILLA_CPU), and one process runs them on a GPU";
static const char own_ranks[] = "give each group a communicator of its own";

/* Operations, and the nearest thing that works where a place does not have them. */
static const struct {
    const char *name, *nearest[ARMILLA_PLACES];
} operations[ARMILLA_OPERATIONS] = {
    [ARMILLA_OPERATION_VECTOR] = {"transforms of vector fields", {[ARMILLA_PLACE_GPU] = delegated}},
    [ARMILLA_OPERATION_COMPLEX] = {"transforms of complex fields",
                                   {[ARMILLA_PLACE_GPU] = delegated}},
    [ARMILLA_OPERATION_SOLID] = {"solid harmonics", {[ARMILLA_PLACE_GPU] = delegated}},
    [ARMILLA_OPERATION_POINTS] =
        {"transforms to points",
         {[ARMILLA_PLACE_RANKS_GPUS] = on_hosts, [ARMILLA_PLACE_GROUPS] = own_ranks}},
    [ARMILLA_OPERATION_VALUES] = {"values at points without a plan",
                                  {[ARMILLA_PLACE_GPU] = "the host makes them (set delegate, or "
                                                         "leave device at ARMILLA_CPU), and a GPU "
                                                         "those of a plan (armilla_points_new)"}},
    [ARMILLA_OPERATION_LENSING] =
        {"lensed fields",
         {[ARMILLA_PLACE_RANKS_GPUS] = on_hosts, [ARMILLA_PLACE_GROUPS] = own_ranks}},
    [ARMILLA_OPERATION_BEAMS] =
        {"skies seen through beams",
         {[ARMILLA_PLACE_RANKS_GPUS] = on_hosts, [ARMILLA_PLACE_GROUPS] = own_ranks}},
    [ARMILLA_OPERATION_RADIAL] = {"radial convolutions", {[ARMILLA_PLACE_RANKS_GPUS] = on_hosts}},
    [ARMILLA_OPERATION_STREAM] = {"convolutions of maps in pieces",
                                  {[ARMILLA_PLACE_GPU] = "the host makes them (plan with device = "
                                                         "ARMILLA_CPU), and a GPU those of whole "
                                                         "maps"}},
    [ARMILLA_OPERATION_PSEUDO] = {"iterative analyses", {[ARMILLA_PLACE_GROUPS] = own_ranks}},
    [ARMILLA_OPERATION_DEGREES] = {"spectra and rotations", {[ARMILLA_PLACE_GROUPS] = own_ranks}}};

armilla_status armilla_refuse_place(const char *argument, armilla_operation operation,
                                    armilla_place place)
{
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s: %s are not offered %s; %s", argument,
                        operations[operation].name, places[place],
                        operations[operation].nearest[place]);
}

/* --- Delegation ------------------------------------------------------------------------------- */

armilla_status armilla_delegate(const char *argument, armilla_operation operation,
                                armilla_device device, const int *devices, int64_t ndevices,
                                int delegate, armilla_delegation *delegation)
{
    *delegation = (armilla_delegation){.ndevices = 0};
    armilla_status status = armilla_device_list_check(device, devices, ndevices);
    if (status || device == ARMILLA_CPU) return status;
    if (!delegate) return armilla_refuse_place(argument, operation, ARMILLA_PLACE_GPU);
    status = armilla_cuda_check_devices(devices, ndevices);
    if (!status && !ndevices) status = armilla_cuda()->gpus->current(&delegation->device);
    if (status) return status;
    if (ndevices) delegation->device = devices[0];
    delegation->ndevices = ndevices ? ndevices : 1;
    return ARMILLA_OK;
}

armilla_status armilla_delegation_check_host(const armilla_delegation *delegation, const char *name,
                                             const void *array)
{
    int there;
    if (!delegation->ndevices || !array) return ARMILLA_OK;
    const armilla_status status = armilla_cuda()->gpus->find_array(array, &there);
    if (status || !there) return status;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: is in the memory of a GPU, but must be an array of the host", name);
}

const char *armilla_delegation_backend(const armilla_delegation *delegation, const char *own)
{
    return delegation->ndevices ? "by the host" : own;
}

void armilla_delegation_tell(const armilla_delegation *delegation, armilla_choice_fn take,
                             void *data)
{
    const armilla_teller teller = {.take = take, .data = data};
    if (delegation->ndevices)
        armilla_choice_tell(&teller, "place",
                            "a GPU does not offer it, and options->delegate is set", "by the host");
}
