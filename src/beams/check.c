/* Checks band limits of beams. */
#include "beams/check.h"

armilla_status armilla_beams_check_band(int64_t lmax, int64_t kmax)
{
    const armilla_status status = armilla_check_band_limit(lmax, 0);
    if (status || (kmax >= 0 && kmax <= lmax)) return status;
    return armilla_fail_argument("kmax", kmax, "must be 0 .. lmax");
}
