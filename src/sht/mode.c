/* Checks that the spin and mode of a transform go together, counts the components that they imply,
 * and tabulates the factors of a_lm by which derivatives of a scalar field become a spin
 * transform. */
#include "sht/mode.h"

#include "base/memory.h"

#include <math.h>

static armilla_status fail(const char *owner, const char *field, int64_t value, const char *rule)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s->%s = %lld: %s", owner, field, (long long)value,
                        rule);
}

armilla_status armilla_mode_check(const char *owner, armilla_sht_mode mode, int64_t spin,
                                  int64_t lmax)
{
    if (spin < -lmax || spin > lmax) return fail(owner, "spin", spin, "must be in -lmax .. lmax");
    if (mode < ARMILLA_SHT_STANDARD || mode > ARMILLA_SHT_DERIVATIVES)
        return fail(owner, "mode", mode, "must be an armilla_sht_mode");
    if (mode == ARMILLA_SHT_GRADIENT_ONLY && spin == 0)
        return fail(owner, "spin", spin, "must not be 0 with GRADIENT_ONLY");
    if (mode == ARMILLA_SHT_DERIVATIVES && spin != 1 && spin != 2)
        return fail(owner, "spin", spin, "must be 1 or 2 with DERIVATIVES");
    return ARMILLA_OK;
}

int64_t armilla_mode_nmap(int64_t spin)
{
    return spin ? 2 : 1;
}

int64_t armilla_mode_nalm(armilla_sht_mode mode, int64_t spin)
{
    return mode == ARMILLA_SHT_STANDARD ? armilla_mode_nmap(spin) : 1;
}

/* Derivatives are spin transforms of scaled coefficients. */
static double derivative_factor(int64_t spin, double l)
{
    if (spin == 1) return sqrt(l * (l + 1));
    return l < 2 ? 0 : -sqrt((l - 1) * l * (l + 1) * (l + 2));
}

armilla_status armilla_mode_factors(armilla_sht_mode mode, int64_t spin, int64_t lmax,
                                    double **factors)
{
    *factors = NULL;
    if (mode != ARMILLA_SHT_DERIVATIVES) return ARMILLA_OK;
    armilla_status status = armilla_allocate(factors, lmax + 1, sizeof **factors);
    for (int64_t l = 0; l <= lmax && !status; l++)
        (*factors)[l] = derivative_factor(spin, (double)l);
    return status;
}
