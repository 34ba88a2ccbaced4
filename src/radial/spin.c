/* Makes the parts that a plan for Q and U has beside those of any plan: a scalar plan of the same
 * kernel, which decides on support, normalization and divisors, and the turned kernel. */
#include "radial/spin.h"

#include "radial/divisors.h"
#include "radial/profile/kernel.h"

/* The plan of the scalar kernel, of which the other takes support, normalization and integral. */
static armilla_status make_scalar(armilla_radial *radial)
{
    armilla_radial_options options = radial->options;
    options.spin = 0;
    options.isa = armilla_isa_label(radial->isa);
    armilla_status status =
        armilla_radial_new(radial->grid, radial->kernel, &options, &radial->scalar);
    if (status) return status;
    radial->options.support = radial->scalar->options.support;
    radial->options.normalization = radial->scalar->options.normalization;
    radial->integral = radial->scalar->integral;
    return ARMILLA_OK;
}

armilla_status armilla_radial_spin_make(armilla_radial *radial)
{
    const armilla_status status = make_scalar(radial);
    return status ? status : armilla_kernel_turn(radial->kernel, &radial->turned);
}

armilla_status armilla_radial_spin_profile(const armilla_radial *radial, armilla_profile *profile)
{
    const armilla_radial_options *options = &radial->options;
    const double factor =
        options->normalization == ARMILLA_RADIAL_INTEGRAL ? 1 / radial->integral : 1;
    const armilla_status status =
        armilla_profile_make(radial->turned, options->support, factor, profile);
    profile->turns = 1;
    return status;
}

armilla_status armilla_radial_spin_take_divisors(armilla_radial *radial)
{
    const armilla_radial *scalar = radial->scalar;
    radial->divisor_map = scalar->divisor_map;
    if (scalar->divisor_map) return ARMILLA_OK;
    if (radial->mixing) return armilla_radial_make_divisors(radial);
    radial->pixels.divisor = scalar->pixels.divisor;
    radial->pixels.divisor_first = scalar->pixels.divisor_first;
    return ARMILLA_OK;
}

void armilla_radial_spin_free(armilla_radial *radial)
{
    if (!radial->options.spin) return;
    radial->pixels.divisor = NULL, radial->pixels.divisor_first = NULL;
    if (radial->scalar && radial->scalar->divisor_map) radial->divisor_map = NULL;
    armilla_kernel_free(radial->turned);
    armilla_radial_free(radial->scalar);
}
