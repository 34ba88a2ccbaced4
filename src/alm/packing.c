/* Coefficients from one layout to another, and the real packing.
 *
 * Real packing (docs/mathematics.md (1.8), libsharp 4.5): the coefficients of the real harmonics
 * lambda_l0, sqrt 2 lambda_lm cos m phi and -sqrt 2 lambda_lm sin m phi. The plain dot product of
 * two packed arrays is the inner product Re sum a conj(b) with factor 2 for m > 0.
 *
 *   l = 0 .. lmax of m = 0, one double each | (Re, Im) of (1, 1), (2, 1) .. | (Re, Im) of m = 2 ..
 */
#include "alm/layout.h"

#include "base/status.h"
#include <math.h>
#include <string.h>

armilla_status armilla_alm_convert(const armilla_alm_layout *source, const double *alm_source,
                                   const armilla_alm_layout *target, double *alm_target)
{
    if (!source || !target)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be a layout",
                            source ? "target" : "source");
    armilla_status status = armilla_alm_check_array("alm_source", alm_source);
    if (!status) status = armilla_alm_check_array("alm_target", alm_target);
    if (status) return status;
    for (int64_t m = 0; m <= target->mmax; m++)
        for (int64_t l = m; l <= target->lmax && armilla_alm_layout_has(target, m); l++) {
            double *to = alm_target + 2 * (target->mstart[m] + l * target->stride);
            int64_t from = armilla_alm_layout_index(source, l, m);
            to[0] = from < 0 ? 0 : alm_source[2 * from];
            to[1] = from < 0 ? 0 : alm_source[2 * from + 1];
        }
    return ARMILLA_OK;
}

int64_t armilla_alm_real_size(const armilla_alm_layout *layout)
{
    int64_t size = 0;
    for (int64_t m = 0; m <= layout->mmax; m++)
        if (armilla_alm_layout_has(layout, m)) size += armilla_alm_real_length(layout->lmax, m);
    return size;
}

void armilla_alm_pack(const armilla_alm_layout *layout, const double *alm, double *real)
{
    const double scale = sqrt(2);
    for (int64_t l = 0; l <= layout->lmax && armilla_alm_layout_has(layout, 0); l++)
        *real++ = alm[2 * (layout->mstart[0] + l * layout->stride)];
    for (int64_t m = 1; m <= layout->mmax; m++)
        for (int64_t l = m; l <= layout->lmax && armilla_alm_layout_has(layout, m); l++) {
            const double *from = alm + 2 * (layout->mstart[m] + l * layout->stride);
            *real++ = scale * from[0];
            *real++ = scale * from[1];
        }
}

void armilla_alm_unpack(const armilla_alm_layout *layout, const double *real, double *alm)
{
    const double scale = sqrt(0.5);
    for (int64_t l = 0; l <= layout->lmax && armilla_alm_layout_has(layout, 0); l++) {
        double *to = alm + 2 * (layout->mstart[0] + l * layout->stride);
        to[0] = *real++;
        to[1] = 0;
    }
    for (int64_t m = 1; m <= layout->mmax; m++)
        for (int64_t l = m; l <= layout->lmax && armilla_alm_layout_has(layout, m); l++) {
            double *to = alm + 2 * (layout->mstart[m] + l * layout->stride);
            to[0] = scale * *real++;
            to[1] = scale * *real++;
        }
}

armilla_status armilla_alm_to_real(int64_t lmax, int64_t mmax, const double *alm, double *real)
{
    armilla_alm_layout *triangle = NULL;
    armilla_status status = armilla_alm_check_array("alm", alm);
    if (!status) status = armilla_alm_check_array("real", real);
    if (!status) status = armilla_alm_layout_new(lmax, mmax, &triangle);
    if (status) return status;
    armilla_alm_pack(triangle, alm, real);
    armilla_alm_layout_free(triangle);
    return ARMILLA_OK;
}

armilla_status armilla_alm_from_real(int64_t lmax, int64_t mmax, const double *real, double *alm)
{
    armilla_alm_layout *triangle = NULL;
    armilla_status status = armilla_alm_check_array("alm", alm);
    if (!status) status = armilla_alm_check_array("real", real);
    if (!status) status = armilla_alm_layout_new(lmax, mmax, &triangle);
    if (status) return status;
    armilla_alm_unpack(triangle, real, alm);
    armilla_alm_layout_free(triangle);
    return ARMILLA_OK;
}
