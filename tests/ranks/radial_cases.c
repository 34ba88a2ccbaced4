/* The cases of radial convolution over ranks: both methods and modes, all normalizations, spins 0
 * and 2, supports from one ring to the whole sphere, grids with mirror images and without, and
 * pixels that are spread over ranks in several ways. */
#include "ranks/radial.h"

#include <stddef.h>

#define PIXELS   ARMILLA_RADIAL_PIXELS
#define RINGS    ARMILLA_RADIAL_RINGS
#define STANDARD ARMILLA_RADIAL_STANDARD
#define NONE     ARMILLA_RADIAL_NONE
#define INTEGRAL ARMILLA_RADIAL_INTEGRAL
#define SUM      ARMILLA_RADIAL_SUM

const ranks_radial_case ranks_radial_cases[] = {
    /* PIXELS */
    {"healpix 8", RADIAL_DISC, 0.3, 0, 0, 0, PIXELS, NONE, 1, 1, RADIAL_BY_RINGS, "pixels", 0},
    {"healpix 16", RADIAL_GAUSS, 0.1, 0, 0, 0, PIXELS, SUM, 6, 2, RADIAL_RANGES, "pixels", 0},
    {"healpix 21", RADIAL_HAT, 0.05, 0, 0, 0, PIXELS, NONE, 1, 1, RADIAL_RANGES, "pixels", 0},
    {"healpix 8", RADIAL_GAUSS, 0.4, 3.141592653589793, 0, 0, PIXELS, SUM, 1, 2, RADIAL_ON_ONE,
     "pixels", 3},
    {"healpix 8", RADIAL_GAUSS, 0.4, 0, 2, 0, PIXELS, SUM, 3, 1, RADIAL_BY_RINGS, "pixels", 0},
    {"healpix 8", RADIAL_DISC, 0.01, 0, 0, 0, PIXELS, SUM, 1, 1, RADIAL_RANGES, "pixels", 0},
    {"nested 8", RADIAL_GAUSS, 0.4, 0, 0, 0, PIXELS, SUM, 2, 1, RADIAL_RANGES, "pixels", 0},
    {"nested 8", RADIAL_GAUSS, 0.3, 0, 2, 0, RINGS, SUM, 1, 1, RADIAL_BY_RINGS, "rings", 0},
    {"nested 8", RADIAL_GAUSS, 0.4, 0, 0, STANDARD, 0, SUM, 1, 1, RADIAL_BY_RINGS, NULL, 0},
    {"gl 13", RADIAL_DISC, 1.7, 0, 0, 0, PIXELS, SUM, 2, 1, RADIAL_BY_RINGS, "pixels", 3},
    {"mw 12", RADIAL_GAUSS, 0.5, 2.5, 0, 0, PIXELS, INTEGRAL, 1, 1, RADIAL_RANGES, "pixels", 3},
    {"patch 8", RADIAL_GAUSS, 0.5, 0, 0, 0, PIXELS, SUM, 1, 1, RADIAL_BY_RINGS, "pixels", 0},
    {"patch 8", RADIAL_GAUSS, 0.5, 2, 2, 0, PIXELS, SUM, 1, 1, RADIAL_BY_RINGS, "pixels", 2},
    {"shuffled 14", RADIAL_DISC, 0.5, 0, 0, 0, PIXELS, NONE, 1, 2, RADIAL_BY_RINGS, "pixels", 0},
    {"odd 15", RADIAL_GAUSS, 0.6, 3.1, 0, 0, PIXELS, SUM, 5, 1, RADIAL_RANGES, "pixels", 3},
    /* RINGS */
    {"healpix 8", RADIAL_GAUSS, 0.3, 0, 0, 0, RINGS, INTEGRAL, 1, 1, RADIAL_BY_RINGS, "rings", 0},
    {"healpix 16", RADIAL_GAUSS, 0.3, 0, 0, 0, RINGS, SUM, 5, 2, RADIAL_RANGES, "rings", 0},
    {"healpix 21", RADIAL_HAT, 0.3, 0, 0, 0, RINGS, NONE, 1, 1, RADIAL_RANGES, "rings", 0},
    {"healpix 16", RADIAL_GAUSS, 0.3, 0, 2, 0, RINGS, SUM, 2, 1, RADIAL_BY_RINGS, "rings", 0},
    {"gl 33", RADIAL_DISC, 0.4, 0, 0, 0, RINGS, SUM, 1, 1, RADIAL_RANGES, "rings", 0},
    {"gl 33", RADIAL_DISC, 3.0, 0, 0, 0, RINGS, NONE, 1, 2, RADIAL_ON_ONE, "rings", 0},
    {"gl 70", RADIAL_DISC, 2.0, 0, 0, 0, RINGS, SUM, 1, 1, RADIAL_RANGES, "rings", 0},
    {"gl 70 400", RADIAL_DISC, 2.0, 0, 0, 0, RINGS, SUM, 1, 1, RADIAL_RANGES, "rings", 0},
    {"gl 70 400", RADIAL_DISC, 2.0, 0, 2, 0, RINGS, NONE, 2, 2, RADIAL_BY_RINGS, "rings", 0},
    {"cc 17", RADIAL_GAUSS, 0.8, 3.141592653589793, 0, 0, RINGS, NONE, 1, 1, RADIAL_RANGES, "rings",
     0},
    {"cc 40", RADIAL_DISC, 0.7, 0, 2, 0, RINGS, SUM, 1, 1, RADIAL_BY_RINGS, "rings", 0},
    {"mw 33", RADIAL_GAUSS, 0.4, 0, 0, 0, RINGS, SUM, 1, 1, RADIAL_RANGES, "rings", 0},
    {"columns 14", RADIAL_GAUSS, 0.6, 0, 0, 0, RINGS, SUM, 1, 1, RADIAL_BY_RINGS, "rings", 0},
    {"shuffled 14", RADIAL_GAUSS, 0.6, 0, 0, 0, RINGS, SUM, 1, 1, RADIAL_BY_RINGS, "rings", 0},
    {"patch 16", RADIAL_GAUSS, 0.6, 0, 2, 0, RINGS, SUM, 1, 2, RADIAL_BY_RINGS, "rings", 0},
    /* both */
    {"healpix 32", RADIAL_DISC, 0.1, 0, 0, 0, RINGS, SUM, 1, 1, RADIAL_RANGES, "pixels and rings",
     0},
    {"healpix 32", RADIAL_DISC, 0.1, 0, 2, 0, RINGS, SUM, 1, 1, RADIAL_BY_RINGS, "pixels and rings",
     0},
    {"healpix 32", RADIAL_GAUSS, 0.2, 0, 0, 0, 0, 0, 1, 1, RADIAL_BY_RINGS, NULL, 0},
    {"gl 25", RADIAL_DISC, 0.8, 0, 0, 0, 0, 0, 1, 1, RADIAL_RANGES, NULL, 0},
    /* STANDARD */
    {"healpix 8", RADIAL_GAUSS, 0.4, 0, 0, STANDARD, 0, SUM, 2, 1, RADIAL_BY_RINGS, NULL, 0},
    {"healpix 8", RADIAL_DISC, 0.4, 0, 0, STANDARD, PIXELS, NONE, 1, 2, RADIAL_RANGES, "pixels", 0},
    {"healpix 8", RADIAL_GAUSS, 0.4, 0, 2, STANDARD, 0, SUM, 1, 1, RADIAL_BY_RINGS, NULL, 0},
    {"octahedral 16", RADIAL_DISC, 0.5, 0, 2, STANDARD, RINGS, INTEGRAL, 1, 1, RADIAL_RANGES,
     "rings", 0},
    {"odd 15", RADIAL_DISC, 0.5, 0, 0, STANDARD, 0, SUM, 1, 1, RADIAL_RANGES, NULL, 0},
    {.grid = NULL}};
