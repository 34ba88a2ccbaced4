/* What gpu_check.c checks and times. */
#ifndef ARMILLA_BENCH_GPU_CASES_H
#define ARMILLA_BENCH_GPU_CASES_H

#include "armilla/armilla.h"

typedef struct grid_case {
    const char *name;
    int64_t lmax, spin;
    int64_t nside;          /* HEALPix; 0: Gauss-Legendre, or the kind */
    armilla_grid_kind kind; /* CC or MW: as few rings as the band limit allows */
    armilla_sht_method method;
    const char *shape; /* of the GPU's kernels; NULL: the default one; TUNED: measured */
    int single;        /* arrays of floats, Legendre functions in single precision */
} grid_case;

#define TUNED "tuned"

static const grid_case small_cases[] = {
    {.name = "Gauss-Legendre", .lmax = 24},
    {.name = "Gauss-Legendre", .lmax = 24, .spin = 2},
    {.name = "HEALPix nside 8", .lmax = 16, .nside = 8},
    {.name = "HEALPix nside 8", .lmax = 16, .spin = 2, .nside = 8},
    {.name = "CC", .lmax = 24, .kind = ARMILLA_GRID_CC},
    {.name = "MW", .lmax = 24, .spin = 2, .kind = ARMILLA_GRID_MW},
    {.name = "MW, resampled", .lmax = 24, .kind = ARMILLA_GRID_MW, .method = ARMILLA_SHT_RESAMPLE},
    {.name = "HEALPix nside 8", .lmax = 12, .nside = 8, .shape = TUNED},
    {.name = "Gauss-Legendre", .lmax = 24, .single = 1},
    {.name = "HEALPix nside 16", .lmax = 16, .spin = 2, .nside = 16, .single = 1},
};
/* With each shape. */
static const grid_case shaped_cases[] = {
    {.name = "Gauss-Legendre", .lmax = 1023},
    {.name = "HEALPix nside 256", .lmax = 383, .spin = 2, .nside = 256},
    {.name = "Gauss-Legendre", .lmax = 511, .spin = 7},
    {.name = "Gauss-Legendre", .lmax = 1023, .single = 1},
    {.name = "HEALPix nside 256", .lmax = 383, .spin = 2, .nside = 256, .single = 1},
};
static const grid_case checked_cases[] = {
    {.name = "Gauss-Legendre", .lmax = 63},
    {.name = "Gauss-Legendre", .lmax = 511},
    {.name = "Gauss-Legendre", .lmax = 2047},
    {.name = "Gauss-Legendre", .lmax = 511, .spin = 1},
    {.name = "Gauss-Legendre", .lmax = 511, .spin = 2},
    {.name = "Gauss-Legendre", .lmax = 511, .spin = 3},
    {.name = "Gauss-Legendre", .lmax = 511, .spin = 7},
    {.name = "HEALPix nside 256", .lmax = 511, .nside = 256},
    {.name = "HEALPix nside 256", .lmax = 511, .spin = 2, .nside = 256},
    {.name = "HEALPix nside 256", .lmax = 767, .nside = 256},
    {.name = "HEALPix nside 1024", .lmax = 2047, .nside = 1024},
    {.name = "CC", .lmax = 511, .kind = ARMILLA_GRID_CC},
    {.name = "CC", .lmax = 2047, .kind = ARMILLA_GRID_CC},
    {.name = "MW", .lmax = 511, .kind = ARMILLA_GRID_MW},
    {.name = "MW", .lmax = 511, .spin = 2, .kind = ARMILLA_GRID_MW},
    {.name = "MW, resampled",
     .lmax = 511,
     .spin = 2,
     .kind = ARMILLA_GRID_MW,
     .method = ARMILLA_SHT_RESAMPLE},
    {.name = "Gauss-Legendre", .lmax = 1023, .shape = TUNED},
    {.name = "HEALPix nside 256", .lmax = 511, .spin = 2, .nside = 256, .shape = TUNED},
    {.name = "Gauss-Legendre", .lmax = 511, .single = 1},
    {.name = "Gauss-Legendre", .lmax = 2047, .single = 1},
    {.name = "Gauss-Legendre", .lmax = 4095, .single = 1},
    {.name = "Gauss-Legendre", .lmax = 1023, .spin = 1, .single = 1},
    {.name = "Gauss-Legendre", .lmax = 2047, .spin = 2, .single = 1},
    {.name = "Gauss-Legendre", .lmax = 1023, .spin = 3, .single = 1},
    {.name = "HEALPix nside 1024", .lmax = 2047, .nside = 1024, .single = 1},
    {.name = "CC", .lmax = 511, .kind = ARMILLA_GRID_CC, .single = 1},
};
static const grid_case timed_cases[] = {
    {.name = "Gauss-Legendre", .lmax = 511},
    {.name = "Gauss-Legendre", .lmax = 1023},
    {.name = "Gauss-Legendre", .lmax = 2047},
    {.name = "Gauss-Legendre", .lmax = 4095},
    {.name = "Gauss-Legendre", .lmax = 8191},
    {.name = "Gauss-Legendre", .lmax = 16383},
    {.name = "Gauss-Legendre", .lmax = 1023, .spin = 2},
    {.name = "Gauss-Legendre", .lmax = 2047, .spin = 2},
    {.name = "Gauss-Legendre", .lmax = 4095, .spin = 2},
    {.name = "HEALPix nside 512", .lmax = 1023, .nside = 512},
    {.name = "HEALPix nside 1024", .lmax = 2047, .nside = 1024},
    {.name = "HEALPix nside 2048", .lmax = 4095, .nside = 2048},
    {.name = "HEALPix nside 2048", .lmax = 4095, .spin = 2, .nside = 2048},
    {.name = "Gauss-Legendre", .lmax = 1023, .single = 1},
    {.name = "Gauss-Legendre", .lmax = 4095, .single = 1},
    {.name = "Gauss-Legendre", .lmax = 4095, .spin = 2, .single = 1},
    {.name = "HEALPix nside 2048", .lmax = 4095, .nside = 2048, .single = 1},
    {.name = "CC", .lmax = 2047, .kind = ARMILLA_GRID_CC},
    {.name = "CC", .lmax = 4095, .kind = ARMILLA_GRID_CC},
    {.name = "MW", .lmax = 4095, .kind = ARMILLA_GRID_MW},
    {.name = "MW, resampled",
     .lmax = 4095,
     .kind = ARMILLA_GRID_MW,
     .method = ARMILLA_SHT_RESAMPLE},
};
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

#endif
