/* Finds the kernels that mix rings for an instruction set, and evaluates the radial kernel at many
 * distances by them or, where its profile is made of cells, one value after the other. */
#include "radial/mixing/dispatch.h"

ARMILLA_KERNEL_FIND(armilla_mixing_kernels)

void armilla_mixing_kernel_values(const armilla_mixing_kernels *kernels,
                                  const armilla_profile *profile, double factor, int64_t count,
                                  const double *x, double *values)
{
    if (profile->ncells == 0) {
        /* the antipode of a pixel may have an x that is rounded above 1 */
        const double cut = profile->end < 1 ? profile->end : 2;
        const armilla_mixing_polynomial polynomial = {profile->degree, profile->coef, profile->end,
                                                      cut};
        kernels->values(&polynomial, factor, count, x, values);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        values[i] = factor * armilla_profile_value(profile, x[i] < 1 ? x[i] : 1);
}
