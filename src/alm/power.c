/* Power of each degree in the norms of other programs, and Lowes' spectrum of a magnetic field.
 *
 *   S_l = sum_{m=-l}^{l} a_lm conj(b_lm) = (2 l + 1) C_l      C_l of spectrum.c
 *   mean S_l / (4 pi), integral S_l; squares of coefficients S_l times the square of the factor of
 *   the norm (convention_factors.c), which depends on l alone; docs/mathematics.md (9.9) */
#include "armilla/spectrum.h"

#include "alm/convention.h"
#include "alm/layout.h"
#include "base/status.h"
#include <float.h>
#include <math.h>

/* What is counted of all orders of a degree, over C_l. */
static double of_degree(int64_t l, int what, int normalization)
{
    const double orders = (double)(2 * l + 1);
    if (what == ARMILLA_POWER_MEAN) return orders / (4 * M_PI);
    if (what == ARMILLA_POWER_INTEGRAL || normalization == ARMILLA_NORM_ORTHONORMAL) return orders;
    if (normalization == ARMILLA_NORM_FOUR_PI) return orders / (4 * M_PI);
    return orders * orders / (4 * M_PI);
}

static double of_unit(int64_t l, int unit)
{
    if (unit == ARMILLA_POWER_PER_ORDER) return 1 / (double)(2 * l + 1);
    return unit == ARMILLA_POWER_PER_LOGARITHM ? (double)l : 1;
}

static armilla_status check_words(int what, int normalization, int unit)
{
    if (what < 0 || what > ARMILLA_POWER_SQUARES)
        return armilla_fail_argument("what", what, "must be an armilla_power, 0 to 2");
    if (unit < 0 || unit > ARMILLA_POWER_PER_LOGARITHM)
        return armilla_fail_argument("unit", unit, "must be an armilla_power_unit, 0 to 2");
    if (what == ARMILLA_POWER_SQUARES &&
        (normalization < 0 || normalization >= ARMILLA_NORM_UNNORMALIZED))
        return armilla_fail_argument("normalization", normalization,
                                     "must be orthonormal, 4 pi or Schmidt's, 0 to 2, for squares "
                                     "of coefficients");
    return ARMILLA_OK;
}

armilla_status armilla_spectrum_power(int64_t lmax, int64_t mmax, const double *alm_a,
                                      const double *alm_b, int what, int normalization, int unit,
                                      double *power)
{
    armilla_status status = check_words(what, normalization, unit);
    if (!status) status = armilla_alm_check_array("power", power);
    if (!status) status = armilla_spectrum_compute(lmax, mmax, alm_a, alm_b, power);
    for (int64_t l = 0; l <= lmax && !status; l++)
        power[l] *= of_degree(l, what, normalization) * of_unit(l, unit);
    return status;
}

/* (l + 1) (2 l + 1)^2 / (4 pi) ratio^(2 l + 4). */
static double lowes_factor(int64_t l, double ratio)
{
    return (double)(l + 1) * of_degree(l, ARMILLA_POWER_SQUARES, ARMILLA_NORM_SCHMIDT) *
           pow(ratio, (double)(2 * l + 4));
}

armilla_status armilla_spectrum_lowes(int64_t lmax, int64_t mmax, const double *alm, double ratio,
                                      double *power)
{
    armilla_status status = armilla_alm_check_array("alm", alm);
    if (!status) status = armilla_alm_check_array("power", power);
    if (!status) status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    if (!(ratio > 0 && ratio <= DBL_MAX))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "ratio = %g: must be finite and above 0",
                            ratio);
    const double last = lowes_factor(lmax, ratio), first = lowes_factor(0, ratio);
    if (!isnormal(last) || !isnormal(first))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "ratio = %g: (a/r)^(2 l + 4) leaves the doubles at l = %lld", ratio,
                            (long long)(isnormal(first) ? lmax : 0));
    status = armilla_spectrum_compute(lmax, mmax, alm, alm, power);
    for (int64_t l = 0; l <= lmax && !status; l++) power[l] *= lowes_factor(l, ratio);
    return status;
}
