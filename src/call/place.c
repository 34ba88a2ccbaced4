/* The sentence about operations that a place does not offer. See place.h. */
#include "call/place.h"

#include "base/status.h"

static const char *const places[ARMILLA_PLACES] = {[ARMILLA_PLACE_GPU] = "on a GPU",
                                                   [ARMILLA_PLACE_RANKS_GPUS] =
                                                       "over ranks with GPUs",
                                                   [ARMILLA_PLACE_GROUPS] = "by groups of ranks"};

static const char by_the_host[] = "the host runs them (leave device at ARMILLA_CPU)";
static const char on_hosts[] =
    "ranks run them on the host (leave device at ARMILLA_CPU), and one process runs them on a GPU";
static const char own_ranks[] = "give each group a communicator of its own";

/* Operations, and the nearest thing that works where a place does not have them. */
static const struct {
    const char *name, *nearest[ARMILLA_PLACES];
} operations[ARMILLA_OPERATIONS] = {
    [ARMILLA_OPERATION_VECTOR] = {"transforms of vector fields",
                                  {[ARMILLA_PLACE_GPU] = by_the_host}},
    [ARMILLA_OPERATION_COMPLEX] = {"transforms of complex fields",
                                   {[ARMILLA_PLACE_GPU] = by_the_host}},
    [ARMILLA_OPERATION_POINTS] =
        {"transforms to points",
         {[ARMILLA_PLACE_RANKS_GPUS] = on_hosts, [ARMILLA_PLACE_GROUPS] = own_ranks}},
    [ARMILLA_OPERATION_VALUES] = {"values at points without a plan",
                                  {[ARMILLA_PLACE_GPU] = "the host makes them, and a GPU those of "
                                                         "a plan (armilla_points_new)"}},
    [ARMILLA_OPERATION_LENSING] =
        {"lensed fields",
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

armilla_status armilla_refuse_device(armilla_device device, armilla_operation operation,
                                     armilla_place place)
{
    return device == ARMILLA_CPU ? ARMILLA_OK
                                 : armilla_refuse_place("options->device", operation, place);
}
