/* Makes cores of plans for points of what a caller asks for, and frees them with their last user.
 */
#include "points/cores.h"

#include "base/memory.h"
#include "sht/mode.h"

#include <stdatomic.h>

armilla_points_core armilla_points_core_given(int64_t lmax, int64_t mmax,
                                              const armilla_points_options *options,
                                              const armilla_machine *machine)
{
    return (armilla_points_core){.machine = *machine,
                                 .kernels = armilla_points_kernels_find(machine->isa),
                                 .lmax = lmax,
                                 .mmax = mmax,
                                 .spin = options->spin,
                                 .mode = options->mode,
                                 .spin_method = options->spin_method,
                                 .epsilon = options->epsilon,
                                 .upsampling = options->upsampling,
                                 .taps = (int)options->taps,
                                 .on_device = options->device == ARMILLA_CUDA,
                                 .device_bytes = options->device_bytes,
                                 .ndevices = options->ndevices,
                                 .devices = (int *)options->devices}; /* only read */
}

static armilla_status fail_to_reach(const armilla_sampling_problem *p)
{
    const int taps = p->taps ? p->taps : ARMILLA_WINDOW_TAPS;
    const double upsampling = p->upsampling ? p->upsampling : ARMILLA_WINDOW_SIGMA;
    const char *name = p->upsampling && p->taps ? "upsampling and options->taps"
                       : p->taps                ? "taps"
                                                : "upsampling";
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "options->%s: %d taps with an upsampling of %g reach %.2g at these points, "
                        "not options->epsilon = %g",
                        name, taps, upsampling, armilla_sampling_epsilon(p, taps, upsampling),
                        p->epsilon);
}

armilla_status armilla_points_choose_sampling(const armilla_points_core *given, int64_t mmax,
                                              int64_t npoints, const armilla_points_extent *extent,
                                              armilla_sampling *sampling)
{
    const armilla_sampling_problem problem = {.lmax = given->lmax,
                                              .mmax = mmax,
                                              .spin = given->spin,
                                              .epsilon = given->epsilon,
                                              .upsampling = given->upsampling,
                                              .taps = given->taps,
                                              .npoints = npoints,
                                              .vector_length = given->kernels->vector_length,
                                              .on_device = given->on_device,
                                              .extent = *extent};
    *sampling = armilla_sampling_choose(&problem);
    return sampling->whole ? ARMILLA_OK : fail_to_reach(&problem);
}

static armilla_status copy_devices(const armilla_points_core *given, armilla_points_core *core)
{
    armilla_status status = ARMILLA_OK;
    if (given->ndevices)
        status = armilla_allocate(&core->devices, given->ndevices, sizeof *core->devices);
    if (!status) core->ndevices = given->ndevices;
    for (int64_t i = 0; i < core->ndevices; i++) core->devices[i] = given->devices[i];
    return status;
}

armilla_status armilla_points_core_new(const armilla_points_core *given,
                                       const armilla_sampling *sampling, armilla_points_core **core)
{
    armilla_points_core *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    made->machine = given->machine, made->kernels = given->kernels;
    made->lmax = given->lmax, made->mmax = given->mmax, made->spin = given->spin;
    made->mode = given->mode, made->spin_method = given->spin_method;
    made->epsilon = given->epsilon, made->sampling = *sampling;
    made->upsampling = given->upsampling, made->taps = given->taps;
    made->on_device = given->on_device, made->device_bytes = given->device_bytes;
    made->nmap = armilla_mode_nmap(given->spin);
    made->nalm = armilla_mode_nalm(given->mode, given->spin);
    status = copy_devices(given, made);
    if (!status) status = armilla_allocate_zero(&made->users, 1, sizeof *made->users);
    if (!status) {
        *core = made;
        return ARMILLA_OK;
    }
    armilla_release(made->devices);
    armilla_release(made);
    return status;
}

armilla_status armilla_points_core_whole(const armilla_points_core *given,
                                         const armilla_alm_layout *layout,
                                         const armilla_sampling *sampling,
                                         armilla_points_core **core)
{
    armilla_points_core *made;
    armilla_status status = armilla_points_core_new(given, sampling, &made);
    if (status) return status;
    status = layout ? armilla_alm_layout_copy(layout, &made->layout)
                    : armilla_alm_layout_new(given->lmax, given->mmax, &made->layout);
    if (!status) status = armilla_points_core_make(made);
    if (status)
        armilla_points_core_release(made);
    else
        *core = made;
    return status;
}

void armilla_points_core_release(armilla_points_core *core)
{
    if (!core) return;
    if (atomic_fetch_sub(core->users, 1) > 1) return;
    armilla_points_core_clear(core);
    armilla_release(core->users);
    armilla_release(core);
}
