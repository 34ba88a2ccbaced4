/* Angular power spectra and the window of a Gaussian beam; docs/mathematics.md (9.3), (9.5).
 *
 *   C_l = (1 / (2 l + 1)) sum_{m=-min(l,mmax)}^{min(l,mmax)} a_lm conj(b_lm)
 *       = (a_l0 b_l0 + 2 sum_{m>0} Re a_lm conj(b_lm)) / (2 l + 1)     (real fields)
 *
 * The coefficients are read in the order of memory, order after order, and every degree carries a
 * compensated sum (Neumaier 1974): the error does not grow with l. */
#include "armilla/spectrum.h"

#include "alm/degree_rows.h"
#include "alm/layout.h"
#include "base/colatitude.h"
#include "base/memory.h"
#include "base/status.h"
#include <math.h>

/* *sum + *lost gains term; *lost collects what rounding takes from *sum. */
static void add(double *sum, double *lost, double term)
{
    double total = *sum + term;
    *lost += fabs(*sum) >= fabs(term) ? (*sum - total) + term : (term - total) + *sum;
    *sum = total;
}

/* Degrees first .. end - 1 of an order. */
static void add_order(int64_t first, int64_t end, int64_t m, const double *a, const double *b,
                      double *sum, double *lost)
{
    double factor = m > 0 ? 2 : 1;
    for (int64_t l = first; l < end; l++, a += 2, b += 2) {
        add(&sum[l], &lost[l], factor * (a[0] * b[0]));
        if (m > 0) add(&sum[l], &lost[l], factor * (a[1] * b[1]));
    }
}

armilla_status armilla_spectrum_compute(int64_t lmax, int64_t mmax, const double *alm_a,
                                        const double *alm_b, double *cl)
{
    double *sums = NULL; /* sum[lmax + 1], lost[lmax + 1] */
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (!status) status = armilla_alm_check_array("alm_a", alm_a);
    if (!status) status = armilla_alm_check_array("alm_b", alm_b);
    if (!status) status = armilla_alm_check_array("cl", cl);
    if (!status) status = armilla_allocate_zero(&sums, 2 * (lmax + 1), sizeof *sums);
    if (status) return status;
    double *lost = sums + lmax + 1;
    for (int64_t m = 0; m <= mmax; m++) {
        int64_t first = 2 * armilla_alm_index(lmax, m, m);
        add_order(m, lmax + 1, m, alm_a + first, alm_b + first, sums, lost);
    }
    for (int64_t l = 0; l <= lmax; l++) cl[l] = (sums[l] + lost[l]) / (double)(2 * l + 1);
    armilla_release(sums);
    return ARMILLA_OK;
}

armilla_status armilla_degree_rows_spectrum(const armilla_degree_rows *rows, const double *alm_a,
                                            const double *alm_b, double *cl)
{
    double *sums; /* of all degrees: those of others stay 0 */
    armilla_status status = armilla_allocate_zero(&sums, 2 * (rows->lmax + 1), sizeof *sums);
    if (status) return status;
    double *lost = sums + rows->lmax + 1;
    for (int64_t m = 0; m <= rows->mmax && m < rows->end; m++) {
        const int64_t first = m > rows->first ? m : rows->first;
        const int64_t place = 2 * (rows->start[m] + first);
        add_order(first, rows->end, m, alm_a + place, alm_b + place, sums, lost);
    }
    for (int64_t l = rows->first; l < rows->end; l++)
        cl[l] = (sums[l] + lost[l]) / (double)(2 * l + 1);
    armilla_release(sums);
    return ARMILLA_OK;
}

armilla_status armilla_spectrum_gaussian_beam(double fwhm_rad, int64_t spin, int64_t lmax,
                                              double *window)
{
    if (!armilla_colatitude_is_good(fwhm_rad)) /* wider ones are mostly degrees */
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "fwhm_rad = %g: must be from 0 to pi; %g rad are %g degrees", fwhm_rad,
                            fwhm_rad, fwhm_rad * (180 / M_PI));
    if (spin < 0) return armilla_fail_argument("spin", spin, "must be at least 0");
    armilla_status status = armilla_check_band_limit(lmax, 0);
    if (!status) status = armilla_alm_check_array("window", window);
    if (status) return status;
    double sigma = armilla_colatitude_taken(fwhm_rad) / sqrt(8 * log(2));
    double s = (double)spin;
    for (int64_t l = 0; l <= lmax; l++) {
        double eigenvalue = (double)l * (double)(l + 1) - s * s;
        window[l] = l < spin ? 0 : exp(-0.5 * eigenvalue * sigma * sigma);
    }
    return ARMILLA_OK;
}
