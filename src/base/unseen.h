/* HEALPix' mark of a missing pixel, as it comes back from files in single precision. */
#ifndef ARMILLA_BASE_UNSEEN_H
#define ARMILLA_BASE_UNSEEN_H

#include "armilla/healpix.h"
#include "base/host_device.h"

#include <math.h>

/* Is it ARMILLA_HEALPIX_MISSING, to a relative 1e-5? */
ARMILLA_HOST_DEVICE int armilla_is_unseen(double value)
{
    return fabs(value - ARMILLA_HEALPIX_MISSING) <= 1e-5 * fabs(ARMILLA_HEALPIX_MISSING);
}

#endif
