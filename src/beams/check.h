/* Checks the band limits that plans and coefficients of beams have in common. */
#ifndef ARMILLA_BEAMS_CHECK_H
#define ARMILLA_BEAMS_CHECK_H

#include "base/status.h"

#include <stdint.h>

/* 0 <= kmax <= lmax, and lmax is not too large. Errors: ARGUMENT. */
armilla_status armilla_beams_check_band(int64_t lmax, int64_t kmax);

#endif
