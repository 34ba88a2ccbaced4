/* See spin.h. */
#include "radial/spin.h"

#include "radial/kernel.h"

/* The plan of the scalar kernel, of which the other takes support, normalization and integral. */
static armilla_status make_scalar(armilla_radial *radial)
{
    armilla_radial_options options = radial->options;
    options.spin = 0;
    options.method = ARMILLA_RADIAL_PIXELS;
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
    const armilla_radial_options *options = &radial->options;
    armilla_status status = make_scalar(radial);
    if (status) return status;
    const double factor =
        options->normalization == ARMILLA_RADIAL_INTEGRAL ? 1 / radial->integral : 1;
    if ((status = armilla_kernel_turn(radial->kernel, &radial->turned)) ||
        (status =
             armilla_profile_make(radial->turned, options->support, factor, &radial->profile)) ||
        (status = armilla_radial_rows_make(radial->grid, options->support, &radial->rows)))
        return status;
    radial->divisor = radial->scalar->divisor;
    radial->divisor_first = radial->scalar->divisor_first;
    return ARMILLA_OK;
}

void armilla_radial_spin_free(armilla_radial *radial)
{
    if (!radial->scalar) return;
    armilla_kernel_free(radial->turned);
    armilla_radial_free(radial->scalar);
    radial->divisor = NULL, radial->divisor_first = NULL;
}
