/* Armilla: spherical harmonic transforms. Umbrella header. */
#ifndef ARMILLA_H
#define ARMILLA_H

#include "alm.h"
#include "complex_sht.h"
#include "convention.h"
#include "device.h"
#include "distributed.h"
#include "distributed_lensing.h"
#include "distributed_points.h"
#include "distributed_radial.h"
#include "distribution.h"
#include "grid.h"
#include "healpix.h"
#include "io.h"
#include "iqu.h"
#include "kernel.h"
#include "leg.h"
#include "lensing.h"
#include "picture.h"
#include "points.h"
#include "radial.h"
#include "redistribution.h"
#include "rotation.h"
#include "choice.h"
#include "sht.h"
#include "solid.h"
#include "spectrum.h"
#include "status.h"
#include "transport.h"
#include "vector.h"

#endif
