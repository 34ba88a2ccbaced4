/* Multiplication by a window: a_lm <- w_l a_lm. Degrees beyond the window become 0, not 0 * a_lm,
 * so that a stray infinity up there cannot survive as NaN. */
#include "alm/layout.h"
#include "alm/order_list.h"
#include "base/status.h"
#include <math.h>

static armilla_status check_window(int64_t lmax, int64_t nwindow, const double *window)
{
    if (nwindow < 0) return armilla_fail_argument("nwindow", nwindow, "must be at least 0");
    armilla_status status = nwindow > 0 ? armilla_alm_check_array("window", window) : ARMILLA_OK;
    if (status) return status;
    for (int64_t l = 0; l < nwindow && l <= lmax; l++)
        if (!isfinite(window[l]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "window[%lld] = %g: must be finite",
                                (long long)l, window[l]);
    return ARMILLA_OK;
}

int64_t armilla_order_list_size(const armilla_order_list *list)
{
    int64_t size = 0;
    for (int64_t i = 0; i < list->norders; i++)
        size += list->lmax + 1 - armilla_order_list_at(list, i);
    return size;
}

armilla_status armilla_order_list_multiply_window(const armilla_order_list *list, int64_t nwindow,
                                                  const double *window, double *alm)
{
    armilla_status status = check_window(list->lmax, nwindow, window);
    if (!status && list->norders) status = armilla_alm_check_array("alm", alm);
    if (status) return status;
    for (int64_t i = 0; i < list->norders; i++)
        for (int64_t l = armilla_order_list_at(list, i); l <= list->lmax; l++, alm += 2) {
            alm[0] = l < nwindow ? window[l] * alm[0] : 0;
            alm[1] = l < nwindow ? window[l] * alm[1] : 0;
        }
    return ARMILLA_OK;
}

armilla_status armilla_alm_multiply_window(int64_t lmax, int64_t mmax, int64_t nwindow,
                                           const double *window, double *alm)
{
    const armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    const armilla_order_list all = {lmax, mmax + 1, NULL};
    return armilla_order_list_multiply_window(&all, nwindow, window, alm);
}
