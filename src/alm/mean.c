/* Compares degree 0 of coefficients with the norm of all others, and says so where it is more than
 * rounding: no field on a closed surface has a mean vorticity, divergence or Laplacian. */
#include "alm/mean.h"

#include "base/real.h"
#include "base/status.h"
#include <math.h>

static const double tolerance_double = 1e-5, tolerance_float = 1e-3;

armilla_status armilla_mean_check_rule(const char *name, armilla_mean mean)
{
    if (mean == ARMILLA_MEAN_ERROR || mean == ARMILLA_MEAN_IGNORE) return ARMILLA_OK;
    return armilla_fail_argument(name, (int64_t)mean, "must be an armilla_mean");
}

armilla_status armilla_radius_check(const char *name, double radius)
{
    const double least = 1e-140, most = 1e140; /* whose squares times l (l + 1) are doubles */
    if (radius >= least && radius <= most) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s = %g: must be above 0 and finite, from %g to %g", name, radius, least,
                        most);
}

/* What all numbers of degree 1 and more have: the largest, and the sum of their squares, those of
 * m > 0 twice, after a division by `scale`. */
typedef struct moments {
    double largest, sum;
} moments;

static moments find_moments(const armilla_alm_layout *layout, armilla_array alm, double scale)
{
    moments all = {0, 0};
    for (int64_t m = 0; m <= layout->mmax; m += layout->mres) {
        double sum = 0;
        for (int64_t l = m > 1 ? m : 1; l <= layout->lmax; l++) {
            const int64_t i = 2 * (layout->mstart[m] + l * layout->stride);
            const double re = armilla_array_get(alm, i) / scale;
            const double im = m > 0 ? armilla_array_get(alm, i + 1) / scale : 0;
            sum += re * re + im * im;
            all.largest = armilla_larger_real(all.largest, fabs(re));
            all.largest = armilla_larger_real(all.largest, fabs(im));
        }
        all.sum += (m > 0 ? 2 : 1) * sum;
    }
    return all;
}

double armilla_mean_norm(const armilla_alm_layout *layout, armilla_array alm)
{
    const moments plain = find_moments(layout, alm, 1);
    if (isnan(plain.sum) || plain.largest == 0) return plain.sum;
    if (plain.sum > 1e-280 && plain.sum < 1e280) return sqrt(plain.sum);
    return plain.largest * sqrt(find_moments(layout, alm, plain.largest).sum);
}

double armilla_mean_of(const armilla_alm_layout *layout, armilla_array alm)
{
    return armilla_array_get(alm, 2 * layout->mstart[0]);
}

armilla_status armilla_mean_check(const char *name, const armilla_alm_layout *layout,
                                  armilla_array alm, double norm)
{
    const double mean = armilla_mean_of(layout, alm);
    const double bound = norm * (alm.is_float ? tolerance_float : tolerance_double);
    if (mean == 0 || isnan(norm) || fabs(mean) <= bound) return ARMILLA_OK;
    if (!isfinite(mean))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s: a_00 = %g: must be finite; mean = IGNORE leaves it out", name,
                            mean);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: a_00 = %g, but its mean over the sphere must be 0 (the norm of all "
                        "other coefficients is %g); mean = IGNORE leaves a_00 out",
                        name, mean, norm);
}
