/* What a convolution takes on a GPU, by either method. */
#ifndef ARMILLA_RADIAL_DEVICE_PRICES_H
#define ARMILLA_RADIAL_DEVICE_PRICES_H

#include "radial/plan.h"

/* Seconds of one field, all rings by PIXELS. Given: a plan with its rows. */
double armilla_radial_device_pixels_seconds(const armilla_radial *radial);

/* ... by RINGS. Given: the frame of its profile. */
double armilla_radial_device_rings_seconds(const armilla_radial *radial,
                                           const armilla_mixing_frame *frame);

#endif
