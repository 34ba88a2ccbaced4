/* A plan is made. See armilla/radial.h. */
#include "radial/plan.h"

#include "base/colatitude.h"
#include "base/device_list.h"
#include "base/memory.h"
#include "base/nested.h"
#include "base/options.h"
#include "call/place.h"
#include "cuda/runtime/device.h"
#include "grid/grid.h"
#include "cuda/radial.h"
#include "radial/device.h"
#include "radial/device_rings.h"
#include "radial/device_standard.h"
#include "radial/divisors.h"
#include "radial/method.h"
#include "radial/part.h"
#include "radial/pixels/series.h"
#include "radial/profile/kernel.h"
#include "radial/shares.h"
#include "radial/standard.h"

#include <math.h>

void armilla_radial_options_init_sized(armilla_radial_options *options, size_t size)
{
    const armilla_radial_options defaults = {.truncation_error = 1e-7};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- What is asked for ------------------------------------------------------------------------ */

static armilla_status check_choices(const armilla_radial_options *options)
{
    if ((unsigned)options->mode > ARMILLA_RADIAL_STANDARD)
        return armilla_fail_argument("options->mode", options->mode,
                                     "must be EXACT (0) or STANDARD (1)");
    if ((unsigned)options->normalization > ARMILLA_RADIAL_SUM)
        return armilla_fail_argument("options->normalization", options->normalization,
                                     "must be AUTO (0), NONE, INTEGRAL or SUM (3)");
    if ((unsigned)options->method > ARMILLA_RADIAL_RINGS)
        return armilla_fail_argument("options->method", options->method,
                                     "must be FASTEST (0), PIXELS (1) or RINGS (2)");
    return ARMILLA_OK;
}

static armilla_status check_options(armilla_radial_options *options)
{
    if (armilla_colatitude_is_good(options->support))
        options->support = armilla_colatitude_taken(options->support);
    else
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->support = %g: must be above 0 and at most pi, in radians, "
                            "or 0 to have it chosen",
                            options->support);
    if (!(options->truncation_error > 0 && options->truncation_error < 1))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->truncation_error = %g: must be above 0 and below 1",
                            options->truncation_error);
    if (options->device_bytes < 0)
        return armilla_fail_argument("options->device_bytes", options->device_bytes,
                                     "must be 0 (two maps) or more");
    return check_choices(options);
}

static armilla_status check_spin(const armilla_radial_options *options)
{
    if (options->spin == 0) return ARMILLA_OK;
    if (options->spin != 2)
        return armilla_fail_argument("options->spin", options->spin, "must be 0 or 2");
    return ARMILLA_OK;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_radial_options, isa),
                                  ARMILLA_END_OF(armilla_radial_options, spin),
                                  ARMILLA_END_OF(armilla_radial_options, device),
                                  ARMILLA_END_OF(armilla_radial_options, device_bytes),
                                  ARMILLA_END_OF(armilla_radial_options, ndevices),
                                  sizeof(armilla_radial_options),
                                  0};

armilla_status armilla_radial_take_options(const armilla_radial_options *given,
                                           armilla_radial_options *options)
{
    armilla_radial_options_init(options);
    armilla_status status =
        armilla_options_copy("options", "armilla_radial_options", given, VERSIONS, options);
    if (!status) status = check_options(options);
    return status ? status : check_spin(options);
}

static armilla_status check_weights(const armilla_grid *grid)
{
    if (armilla_grid_has_weights(grid)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "grid: its rings have no weights, the solid angles that pixels stand for "
                        "in sums over them");
}

/* --- The parts of a plan ---------------------------------------------------------------------- */

/* Rings that all have as many pixels, at the same longitudes, need no other grid for the sums of
 * STANDARD: they are the exact ones. */
static int are_rings_alike(const armilla_grid *grid)
{
    for (int64_t r = 1; r < grid->nrings; r++)
        if (grid->rings[r].nphi != grid->rings[0].nphi ||
            grid->rings[r].phi0 != grid->rings[0].phi0)
            return 0;
    return 1;
}

static int is_widened(const armilla_radial *radial)
{
    return radial->options.mode == ARMILLA_RADIAL_STANDARD && !are_rings_alike(radial->grid);
}

/* Makes a plan that this one needs, and takes over what it chose. */
static armilla_status make_other(armilla_radial *radial, const armilla_grid *grid,
                                 armilla_radial_options options, armilla_radial **other)
{
    options.isa = armilla_isa_label(radial->isa);
    const armilla_status status =
        radial->later ? armilla_radial_new_later(grid, radial->kernel, &options, other)
                      : armilla_radial_new(grid, radial->kernel, &options, other);
    if (status) return status;
    radial->options.support = (*other)->options.support;
    radial->options.normalization = (*other)->options.normalization;
    radial->integral = (*other)->integral;
    return ARMILLA_OK;
}

static armilla_status make_spin(armilla_radial *radial)
{
    armilla_radial_options options = radial->options;
    options.spin = 0;
    if (is_widened(radial)) /* sums of weights are those of the plan inside */
        options.device = ARMILLA_CPU, options.ndevices = 0, options.devices = NULL;
    const armilla_status status = make_other(radial, radial->grid, options, &radial->scalar);
    return status ? status : armilla_kernel_turn(radial->kernel, &radial->turned);
}

/* On a GPU the scalar plan makes sums of weights, by the method of this one. */
static armilla_status match_scalar(armilla_radial *radial)
{
    armilla_radial_options options = radial->options;
    if (options.device == ARMILLA_CPU || !radial->scalar ||
        !radial->mixing == !radial->scalar->mixing)
        return ARMILLA_OK;
    options.spin = 0,
    options.method = radial->mixing ? ARMILLA_RADIAL_RINGS : ARMILLA_RADIAL_PIXELS;
    armilla_radial_free(radial->scalar);
    radial->scalar = NULL;
    return make_other(radial, radial->grid, options, &radial->scalar);
}

static armilla_status make_standard(armilla_radial *radial)
{
    armilla_grid *grid;
    armilla_radial_options options;
    armilla_status status = armilla_radial_standard_make(radial, &grid, &options);
    if (status) return status;
    status = make_other(radial, grid, options, &radial->inner);
    armilla_grid_free(grid);
    if (status || radial->options.device == ARMILLA_CPU) return status;
    return armilla_radial_make_device_standard(radial);
}

static armilla_status make_parts(armilla_radial *radial)
{
    armilla_status status = armilla_isa_choose(radial->options.isa, &radial->isa);
    if (status) return status;
    radial->options.isa = NULL; /* the caller's text */
    radial->pixels.grid = radial->grid, radial->pixels.profile = &radial->profile;
    if (armilla_grid_nested(radial->grid))
        radial->pixels.nested = armilla_nested_scheme(armilla_grid_nested(radial->grid));
    radial->pixels.kernels = armilla_radial_kernels_find(radial->isa);
    armilla_radial_fit_fill(&radial->pixels.fit);
    if (radial->options.spin && (status = make_spin(radial))) return status;
    if (is_widened(radial)) return make_standard(radial);
    if ((status = armilla_radial_choose_method(radial)) || radial->later) return status;
    status = match_scalar(radial);
    if (!status) status = armilla_radial_take_rings(radial, NULL);
    if (!status) status = armilla_radial_make_divisors(radial);
    if (status || radial->options.device == ARMILLA_CPU) return status;
    const int rings = radial->mixing || radial->options.method == ARMILLA_RADIAL_RINGS;
    return rings ? armilla_radial_make_device_rings(radial) : armilla_radial_make_device(radial);
}

/* Does a list of GPUs share calls by maps? By PIXELS alone rows are shared, too. */
static int is_shared_by_maps(const armilla_radial *radial)
{
    return radial->options.ndevices &&
           (radial->options.method == ARMILLA_RADIAL_RINGS || is_widened(radial));
}

/* On the first GPU of such a list, and then on the others. */
static armilla_status make_shared(armilla_radial *radial)
{
    const int *devices = radial->options.devices;
    const int64_t ndevices = radial->options.ndevices;
    int before;
    radial->options.devices = NULL, radial->options.ndevices = 0;
    armilla_status status = armilla_cuda()->gpus->enter(devices[0], &before);
    if (status) return status;
    status = make_parts(radial);
    armilla_cuda()->gpus->leave(devices[0], before);
    if (ndevices == 1) return status;
    if (status) return armilla_device_name(devices[0], status);
    return armilla_radial_shares_new(radial, devices, ndevices, &radial->shares);
}

/* --- New and free ----------------------------------------------------------------------------- */

/* How a plan is made: what has the size of maps later; which rings are sources alone. */
typedef struct {
    int later;
    int64_t nsources;
} making;

static armilla_status make_plan(const armilla_grid *grid, const armilla_kernel *kernel,
                                const armilla_radial_options *options, making how,
                                armilla_radial **radial)
{
    armilla_radial_options chosen;
    armilla_radial *result;
    armilla_status status = armilla_radial_take_options(options, &chosen);
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = armilla_check_given("kernel", kernel);
    if (!status) status = armilla_check_given("radial", radial);
    if (!status) status = check_weights(grid);
    if (!status) status = armilla_radial_check_device(&chosen);
    if (status || (status = armilla_allocate_zero(&result, 1, sizeof *result))) return status;
    result->options = chosen, result->later = how.later, result->nsources = how.nsources;
    if (!(status = armilla_workspace_store_new(&result->workspace)) &&
        !(status = armilla_grid_copy(grid, &result->grid)) &&
        !(status = armilla_kernel_copy(kernel, &result->kernel)))
        status = is_shared_by_maps(result) ? make_shared(result) : make_parts(result);
    result->options.devices = NULL, result->options.ndevices = 0; /* the caller's list */
    if (status)
        armilla_radial_free(result);
    else
        *radial = result;
    return status;
}

armilla_status armilla_radial_new(const armilla_grid *grid, const armilla_kernel *kernel,
                                  const armilla_radial_options *options, armilla_radial **radial)
{
    return make_plan(grid, kernel, options, (making){0}, radial);
}

armilla_status armilla_radial_new_later(const armilla_grid *grid, const armilla_kernel *kernel,
                                        const armilla_radial_options *options,
                                        armilla_radial **radial)
{
    return make_plan(grid, kernel, options, (making){.later = 1}, radial);
}

armilla_status armilla_radial_new_between(const armilla_grid *grid, int64_t nsources,
                                          const armilla_kernel *kernel,
                                          const armilla_radial_options *options,
                                          armilla_radial **radial)
{
    return make_plan(grid, kernel, options, (making){.nsources = nsources}, radial);
}

void armilla_radial_free(armilla_radial *radial)
{
    if (!radial) return;
    armilla_radial_shares_free(radial->shares);
    armilla_workspace_store_free(radial->workspace);
    armilla_cuda_free(radial->cuda);
    armilla_radial_standard_free(radial->standard);
    armilla_mixing_free(radial->mixing);
    armilla_radial_free(radial->inner);
    if (!radial->scalar || !radial->scalar->divisor_map) armilla_release(radial->divisor_map);
    if (!radial->scalar) {
        armilla_release(radial->pixels.divisor);
        armilla_release(radial->pixels.divisor_first);
    }
    armilla_radial_free(radial->scalar);
    armilla_kernel_free(radial->turned);
    armilla_radial_rows_free(&radial->pixels.rows);
    armilla_profile_free(&radial->profile);
    armilla_kernel_free(radial->kernel);
    armilla_grid_free(radial->grid);
    armilla_grid_free(radial->whole);
    armilla_release(radial);
}
