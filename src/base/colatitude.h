/* Which numbers of a caller are colatitudes, and as which they are taken: one rule for processors
 * and GPUs. The nearest float to pi, 3.14159274, lies above pi, so that the south pole of an array
 * of floats is beyond it by 8.7e-8. Up to that float a colatitude is taken as pi. 0 is exact. */
#ifndef ARMILLA_BASE_COLATITUDE_H
#define ARMILLA_BASE_COLATITUDE_H

#include "base/host_device.h"

/* (double)(float)pi; a file for a GPU may have no M_PI. Half of it is that of the float of pi/2,
 * the largest latitude. */
#define ARMILLA_COLATITUDE_PI   3.14159265358979323846
#define ARMILLA_COLATITUDE_MOST 3.1415927410125732421875

ARMILLA_HOST_DEVICE int armilla_colatitude_is_good(double theta)
{
    return theta >= 0 && theta <= ARMILLA_COLATITUDE_MOST;
}

/* Given: a good one. */
ARMILLA_HOST_DEVICE double armilla_colatitude_taken(double theta)
{
    return theta > ARMILLA_COLATITUDE_PI ? ARMILLA_COLATITUDE_PI : theta;
}

/* The same for latitudes, radians: those of a float's pi/2 are the poles. */
ARMILLA_HOST_DEVICE int armilla_latitude_is_good(double latitude)
{
    return latitude >= -0.5 * ARMILLA_COLATITUDE_MOST && latitude <= 0.5 * ARMILLA_COLATITUDE_MOST;
}

/* The colatitude of a good latitude. */
ARMILLA_HOST_DEVICE double armilla_colatitude_of_latitude(double latitude)
{
    const double theta = 0.5 * ARMILLA_COLATITUDE_PI - latitude;
    return theta < 0 ? 0 : armilla_colatitude_taken(theta);
}

#endif
