/* Gaussian random coefficients (docs/mathematics.md (9.1), (9.2)): <|a_lm|^2> = C_l, so
 *
 *     a_l0 = sqrt(C_l) g,   a_lm = sqrt(C_l / 2) (g + i g') for m > 0
 *
 * with independent standard normal g, g'. The counter of the generator is (l, m, field low, field
 * high) and its key the seed: each value is a function of (seed, field, l, m) alone. g, g' by Box &
 * Muller 1958: one block of the generator makes exactly one pair, with no rejection that could
 * shift what follows. */
#include "alm/layout.h"
#include "alm/order_list.h"
#include "alm/philox.h"
#include "base/status.h"
#include <math.h>

/* Uniform in (0, 1]: 53 random bits, never 0, so that its logarithm is finite. */
static double uniform(uint32_t high, uint32_t low)
{
    uint64_t bits = ((uint64_t)high << 32 | low) >> 11;
    return ((double)bits + 1) * 0x1p-53;
}

static void normal_pair(uint64_t seed, uint64_t field, int64_t l, int64_t m, double pair[2])
{
    uint32_t block[4] = {(uint32_t)l, (uint32_t)m, (uint32_t)field, (uint32_t)(field >> 32)};
    armilla_philox(block, (uint32_t)seed, (uint32_t)(seed >> 32));
    double radius = sqrt(-2 * log(uniform(block[0], block[1])));
    double angle = 2 * M_PI * uniform(block[2], block[3]);
    pair[0] = radius * cos(angle);
    pair[1] = radius * sin(angle);
}

static armilla_status check_spectrum(int64_t lmax, int64_t ncl, const double *cl)
{
    if (ncl < 0) return armilla_fail_argument("ncl", ncl, "must be at least 0");
    armilla_status status = ncl > 0 ? armilla_alm_check_array("cl", cl) : ARMILLA_OK;
    if (status) return status;
    for (int64_t l = 0; l < ncl && l <= lmax; l++)
        if (!(cl[l] >= 0) || isinf(cl[l]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "cl[%lld] = %g: must be finite and at least 0", (long long)l,
                                cl[l]);
    return ARMILLA_OK;
}

armilla_status armilla_order_list_random(const armilla_order_list *list, int64_t ncl,
                                         const double *cl, uint64_t seed, uint64_t field,
                                         double *alm)
{
    armilla_status status = check_spectrum(list->lmax, ncl, cl);
    if (!status && list->norders) status = armilla_alm_check_array("alm", alm);
    if (status) return status;
    for (int64_t i = 0; i < list->norders; i++) {
        const int64_t m = armilla_order_list_at(list, i);
        for (int64_t l = m; l <= list->lmax; l++, alm += 2) {
            double power = l < ncl ? cl[l] : 0;
            double pair[2] = {0, 0};
            if (power > 0) normal_pair(seed, field, l, m, pair);
            alm[0] = (m > 0 ? sqrt(power / 2) : sqrt(power)) * pair[0];
            alm[1] = m > 0 ? sqrt(power / 2) * pair[1] : 0;
        }
    }
    return ARMILLA_OK;
}

armilla_status armilla_alm_random(int64_t lmax, int64_t mmax, int64_t ncl, const double *cl,
                                  uint64_t seed, uint64_t field, double *alm)
{
    const armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    const armilla_order_list all = {lmax, mmax + 1, NULL};
    return armilla_order_list_random(&all, ncl, cl, seed, field, alm);
}
