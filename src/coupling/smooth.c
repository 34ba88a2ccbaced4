/* Running means of spectra over degrees. See armilla/coupling.h. */
#include "coupling/plan.h"

enum { WIDEST = 16 }; /* degrees on each side; a quarter of the degree where that is less */

/* The mean over as many degrees on each side. */
static double mean_around(const double *cl, int64_t l, int64_t half)
{
    double sum = 0, weights = 0;
    for (int64_t k = l - half; k <= l + half; k++)
        sum += (double)(2 * k + 1) * cl[k], weights += (double)(2 * k + 1);
    return sum / weights;
}

armilla_status armilla_gaussian_smooth(int64_t lmax, int64_t least, int64_t ncl, const double *cl,
                                       double *smooth)
{
    armilla_status status = armilla_check_band_limit(lmax, 0);
    if (!status && (least < 0 || least > lmax))
        status = armilla_fail_argument("least", least, "must be 0 .. lmax");
    if (!status && ncl < 1) status = armilla_fail_argument("ncl", ncl, "must be 1 or more");
    if (!status) status = armilla_coupling_check_spectra("cl", ncl, lmax, cl);
    if (!status) status = armilla_check_given("smooth", smooth);
    for (int64_t i = 0; i < ncl && !status; i++)
        for (int64_t l = 0; l <= lmax; l++) {
            const int64_t inner = armilla_smaller(WIDEST, l / 4);
            const int64_t half = armilla_smaller(inner, armilla_smaller(l - least, lmax - l));
            smooth[i * (lmax + 1) + l] = l < least ? 0 : mean_around(cl + i * (lmax + 1), l, half);
        }
    return status;
}
