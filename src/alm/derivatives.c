/* Differential operators on coefficients, docs/mathematics.md (3.15), with A_lm =
 * sqrt((l^2 - m^2) / (4 l^2 - 1)):
 *
 *     lap              -l (l + 1) a_lm
 *     d/dphi           i m a_lm
 *     cos t            A_lm a_(l-1)m + A_(l+1)m a_(l+1)m
 *     sin t d/dt       (l - 1) A_lm a_(l-1)m - (l + 2) A_(l+1)m a_(l+1)m
 */
#include "alm/layout.h"
#include "alm/mean.h"
#include "base/memory.h"
#include "base/status.h"

#include <math.h>

static armilla_status check(int64_t lmax, int64_t mmax, const double *alm)
{
    const armilla_status status = armilla_check_band_limit(lmax, mmax);
    return status ? status : armilla_alm_check_array("alm", alm);
}

/* a_lm *= (l (l + 1) / radius^2)^power, with the sign of the Laplacian; a_00 = 0. */
static void multiply(int64_t lmax, int64_t mmax, double radius, int power, double *alm)
{
    for (int64_t m = 0; m <= mmax; m++)
        for (int64_t l = m; l <= lmax; l++, alm += 2) {
            const double square = (double)l * (double)(l + 1);
            double factor = 0;
            if (l > 0) factor = power > 0 ? -square / radius / radius : -radius / square * radius;
            alm[0] *= factor, alm[1] *= factor;
            if (l == 0) alm[0] = alm[1] = 0;
        }
}

armilla_status armilla_alm_apply_laplacian(int64_t lmax, int64_t mmax, double radius, double *alm)
{
    armilla_status status = check(lmax, mmax, alm);
    if (!status) status = armilla_radius_check("radius", radius);
    if (!status) multiply(lmax, mmax, radius, 1, alm);
    return status;
}

armilla_status armilla_alm_invert_laplacian(int64_t lmax, int64_t mmax, double radius,
                                            armilla_mean mean, double *alm)
{
    armilla_alm_layout *layout;
    const armilla_array array = {alm, 0};
    armilla_status status = check(lmax, mmax, alm);
    if (!status) status = armilla_radius_check("radius", radius);
    if (!status) status = armilla_mean_check_rule("mean", mean);
    if (status || (status = armilla_alm_layout_new(lmax, mmax, &layout))) return status;
    if (mean == ARMILLA_MEAN_ERROR)
        status = armilla_mean_check("alm", layout, array, armilla_mean_norm(layout, array));
    armilla_alm_layout_free(layout);
    if (!status) multiply(lmax, mmax, radius, -1, alm);
    return status;
}

armilla_status armilla_alm_derive_phi(int64_t lmax, int64_t mmax, double *alm)
{
    const armilla_status status = check(lmax, mmax, alm);
    if (status) return status;
    for (int64_t m = 0; m <= mmax; m++)
        for (int64_t l = m; l <= lmax; l++, alm += 2) {
            const double re = alm[0], im = alm[1];
            alm[0] = m ? -(double)m * im : 0, alm[1] = (double)m * re;
        }
    return ARMILLA_OK;
}

/* --- From degree l to its neighbours ---------------------------------------------------------- */

static double coupling(int64_t l, int64_t m)
{
    const double a = (double)(l - m) * (double)(l + m);
    return sqrt(a / ((2 * (double)l - 1) * (2 * (double)l + 1)));
}

/* Order m of the result: below[l] times the neighbour below, above[l] times that above. */
static void couple_order(int64_t m, int64_t lmax, int64_t result_lmax, int derive,
                         const double *alm, double *result)
{
    const double *given = alm + 2 * armilla_alm_index(lmax, m, m);
    double *made = result + 2 * armilla_alm_index(result_lmax, m, m);
    for (int64_t l = m; l <= result_lmax; l++) {
        const int64_t i = 2 * (l - m);
        const double below = coupling(l, m) * (derive ? (double)(l - 1) : 1);
        const double above = coupling(l + 1, m) * (derive ? -(double)(l + 2) : 1);
        for (int part = 0; part < 2; part++) {
            double sum = 0;
            if (l > m) sum += below * given[i - 2 + part];
            if (l < lmax) sum += above * given[i + 2 + part];
            made[i + part] = m == 0 && part ? 0 : sum;
        }
    }
}

static armilla_status couple(int64_t lmax, int64_t mmax, const double *alm, int64_t result_lmax,
                             int derive, double *result)
{
    armilla_status status = check(lmax, mmax, alm);
    if (!status) status = armilla_alm_check_array("result", result);
    if (!status && (result_lmax < mmax || result_lmax > lmax + 1))
        status = armilla_fail_argument("result_lmax", result_lmax, "must be in mmax .. lmax + 1");
    if (!status) status = armilla_check_band_limit(result_lmax, mmax);
    for (int64_t m = 0; m <= mmax && !status; m++)
        couple_order(m, lmax, result_lmax, derive, alm, result);
    return status;
}

armilla_status armilla_alm_multiply_cos_theta(int64_t lmax, int64_t mmax, const double *alm,
                                              int64_t result_lmax, double *result)
{
    return couple(lmax, mmax, alm, result_lmax, 0, result);
}

armilla_status armilla_alm_derive_theta(int64_t lmax, int64_t mmax, const double *alm,
                                        int64_t result_lmax, double *result)
{
    return couple(lmax, mmax, alm, result_lmax, 1, result);
}
