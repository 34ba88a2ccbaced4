/* Lists the transforms that gpu_check checks and times, each list with a small one beside it for an
 * emulated GPU. */
#ifndef ARMILLA_BENCH_GPU_CASES_H
#define ARMILLA_BENCH_GPU_CASES_H

#include "armilla/armilla.h"

typedef struct gpu_case {
    const char *name; /* of the grid */
    int64_t lmax, spin;
    int64_t nside;          /* HEALPix; 0: Gauss-Legendre, or the kind */
    int64_t nphi;           /* 0: 2 lmax + 2 */
    double phi0;            /* of Gauss-Legendre rings */
    int64_t ntrans;         /* 0: 1 */
    int64_t copies;         /* a call has the ntrans transforms so many times; 0: once */
    int64_t octahedral;     /* rings from a pole to the equator, of 20, 24, 28, ... samples */
    int64_t device_bytes;   /* of the plan's options */
    armilla_grid_kind kind; /* CC or MW: as few rings as the band limit allows */
    armilla_sht_method method;
    const char *shape; /* of the GPU's kernels; NULL: the default one; GPU_TUNED: measured */
    int single;        /* arrays of floats, Legendre functions in single precision */
    int two_floats;    /* arrays of doubles, Legendre functions in two floats */
    int halves;        /* with single: sums by products of halves instead */
    int processor;     /* the processor is timed, too */
    int streams;       /* of the plan's options; 0: 1, as is predicted */
} gpu_case;

typedef struct gpu_cases {
    const gpu_case *cases;
    int count;
} gpu_cases;

#define GPU_TUNED        "tuned"
#define GPU_COUNT(array) (int)(sizeof(array) / sizeof *(array))
/* One of two lists. */
#define GPU_CHOOSE(small, small_list, list)                                                        \
    ((small) ? (gpu_cases){small_list, GPU_COUNT(small_list)} : (gpu_cases){list, GPU_COUNT(list)})

#define GPU_GL(...)                                                                                \
    {                                                                                              \
        .name = "GL", __VA_ARGS__                                                                  \
    }
#define GPU_HEALPIX(side, ...)                                                                     \
    {                                                                                              \
        .name = "HEALPix nside " #side, .nside = side, __VA_ARGS__                                 \
    }
#define GPU_OCTAHEDRAL(size, ...)                                                                  \
    {                                                                                              \
        .name = "O" #size, .octahedral = size, __VA_ARGS__                                         \
    }
#define GPU_CC(...)                                                                                \
    {                                                                                              \
        .name = "CC", .kind = ARMILLA_GRID_CC, __VA_ARGS__                                         \
    }
#define GPU_MW(...)                                                                                \
    {                                                                                              \
        .name = "MW", .kind = ARMILLA_GRID_MW, __VA_ARGS__                                         \
    }
#define GPU_MW_RESAMPLED(...)                                                                      \
    {                                                                                              \
        .name = "MW resampled", .kind = ARMILLA_GRID_MW, .method = ARMILLA_SHT_RESAMPLE,           \
        __VA_ARGS__                                                                                \
    }
#define GPU_HEALPIX_RESAMPLED(side, ...)                                                           \
    {                                                                                              \
        .name = "HEALPix nside " #side " resampled", .nside = side,                                \
        .method = ARMILLA_SHT_RESAMPLE, __VA_ARGS__                                                \
    }

/* --- Right? ---------------------------------------------------------------------------------- */

static const gpu_case gpu_tiny_cases[] = {
    GPU_GL(.lmax = 24),
    GPU_GL(.lmax = 24, .spin = 2),
    GPU_HEALPIX(8, .lmax = 16),
    GPU_CC(.lmax = 24),
    GPU_MW(.lmax = 16, .spin = 2),
    GPU_MW_RESAMPLED(.lmax = 16),
    GPU_HEALPIX(8, .lmax = 12, .shape = GPU_TUNED),
    GPU_GL(.lmax = 24, .single = 1),
    GPU_HEALPIX(16, .lmax = 16, .spin = 2, .single = 1),
    GPU_GL(.lmax = 24, .two_floats = 1),
    GPU_GL(.lmax = 12, .ntrans = 11, .shape = "v4w4t"),
    GPU_GL(.lmax = 12, .ntrans = 17, .single = 1, .halves = 1),
    GPU_OCTAHEDRAL(8, .lmax = 7),
    GPU_OCTAHEDRAL(8, .lmax = 7, .ntrans = 11, .streams = 2),
    {.name = "HEALPix nside 8 in 1 MB", .nside = 8, .lmax = 12, .device_bytes = 1000000},
};
static const gpu_case gpu_right_cases[] = {
    GPU_GL(.lmax = 63),
    GPU_GL(.lmax = 511),
    GPU_HEALPIX(256, .lmax = 511),
    GPU_GL(.lmax = 511, .spin = 2),
    GPU_HEALPIX(256, .lmax = 511, .spin = 2),
    GPU_GL(.lmax = 511, .spin = 1),
    GPU_GL(.lmax = 511, .spin = 3),
    GPU_GL(.lmax = 511, .spin = 7),
    GPU_CC(.lmax = 511),
    GPU_MW(.lmax = 511),
    GPU_MW(.lmax = 511, .spin = 2),
    GPU_MW_RESAMPLED(.lmax = 511, .spin = 2),
    GPU_HEALPIX_RESAMPLED(256, .lmax = 511),
    GPU_GL(.lmax = 255, .ntrans = 9),
    GPU_OCTAHEDRAL(320, .lmax = 319),
    GPU_OCTAHEDRAL(320, .lmax = 319, .spin = 2, .ntrans = 3),
    GPU_GL(.lmax = 511, .ntrans = 4, .shape = "v4w4t"),
    GPU_GL(.lmax = 511, .spin = 2, .shape = "v4w4t"),
    GPU_OCTAHEDRAL(160, .lmax = 159, .ntrans = 21, .shape = "v4w4t"),
    GPU_GL(.lmax = 127, .ntrans = 70),
    GPU_GL(.lmax = 511, .ntrans = 24, .device_bytes = (int64_t)1 << 30, .streams = 2),
    GPU_OCTAHEDRAL(160, .lmax = 159, .ntrans = 40, .streams = 2),
    {.name = "HEALPix nside 256 in 8 MB", .nside = 256, .lmax = 511, .device_bytes = 8000000},
    {.name = "GL in 8 MB", .lmax = 511, .spin = 2, .ntrans = 2, .device_bytes = 8000000},
    {.name = "CC in 8 MB", .kind = ARMILLA_GRID_CC, .lmax = 511, .device_bytes = 8000000},
    {.name = "GL nphi 1031", .lmax = 511, .nphi = 1031},
    {.name = "GL nphi 1025", .lmax = 511, .nphi = 1025},
    {.name = "GL phi0 0.1", .lmax = 511, .phi0 = 0.1},
    GPU_GL(.lmax = 1023, .shape = "v1w4"),
    GPU_GL(.lmax = 1023, .shape = "v2w8"),
    GPU_HEALPIX(256, .lmax = 511, .spin = 2, .shape = GPU_TUNED),
    GPU_GL(.lmax = 511, .single = 1),
    GPU_GL(.lmax = 1023, .spin = 1, .single = 1),
    GPU_GL(.lmax = 1023, .spin = 3, .single = 1),
    GPU_CC(.lmax = 511, .single = 1),
    GPU_GL(.lmax = 1023, .two_floats = 1),
    GPU_GL(.lmax = 1023, .spin = 2, .two_floats = 1),
    GPU_HEALPIX(256, .lmax = 511, .ntrans = 3, .two_floats = 1),
    GPU_GL(.lmax = 511, .ntrans = 6, .single = 1, .halves = 1),
    GPU_GL(.lmax = 511, .spin = 2, .ntrans = 3, .single = 1, .halves = 1),
    GPU_OCTAHEDRAL(160, .lmax = 159, .ntrans = 40, .single = 1, .halves = 1),
    GPU_GL(.lmax = 2047),
    GPU_HEALPIX(1024, .lmax = 2047),
    GPU_CC(.lmax = 2047),
    GPU_GL(.lmax = 2047, .single = 1),
    GPU_GL(.lmax = 2047, .two_floats = 1),
};
static const gpu_case gpu_tiny_large_cases[] = {GPU_GL(.lmax = 40)};
static const gpu_case gpu_large_cases[] = {
    GPU_GL(.lmax = 4095),
    GPU_HEALPIX(2048, .lmax = 4095),
    GPU_GL(.lmax = 4095, .spin = 2),
    GPU_GL(.lmax = 4095, .single = 1),
    GPU_GL(.lmax = 4095, .two_floats = 1),
};
static const gpu_case gpu_scalar_sanitized[] = {
    GPU_HEALPIX(8, .lmax = 16),
    GPU_GL(.lmax = 24, .single = 1),
    GPU_GL(.lmax = 24, .two_floats = 1),
    GPU_GL(.lmax = 24, .ntrans = 5, .shape = "v4w4t"),
    GPU_GL(.lmax = 24, .ntrans = 5, .single = 1, .halves = 1),
    GPU_OCTAHEDRAL(8, .lmax = 7),
    GPU_GL(.lmax = 24, .ntrans = 11, .streams = 2),
};
static const gpu_case gpu_spin_sanitized[] = {
    GPU_GL(.lmax = 24, .spin = 2),
    GPU_MW_RESAMPLED(.lmax = 16),
};

/* --- How long? ------------------------------------------------------------------------------- */

static const gpu_case gpu_tiny_gauss[] = {
    GPU_GL(.lmax = 15, .processor = 1),
    GPU_GL(.lmax = 15, .spin = 2),
};
static const gpu_case gpu_gauss[] = {
    GPU_GL(.lmax = 4095, .processor = 1), GPU_GL(.lmax = 4095, .spin = 2, .processor = 1),
    GPU_GL(.lmax = 1023, .processor = 1), GPU_GL(.lmax = 1023, .spin = 2, .processor = 1),
    GPU_GL(.lmax = 2047, .processor = 1), GPU_GL(.lmax = 511, .processor = 1),
    GPU_GL(.lmax = 2047, .spin = 2),
};
static const gpu_case gpu_tiny_healpix[] = {
    GPU_HEALPIX(8, .lmax = 15, .processor = 1),
    GPU_HEALPIX_RESAMPLED(8, .lmax = 15),
};
static const gpu_case gpu_healpix[] = {
    GPU_HEALPIX(2048, .lmax = 4095, .processor = 1),
    GPU_HEALPIX(2048, .lmax = 4095, .spin = 2, .processor = 1),
    GPU_HEALPIX_RESAMPLED(2048, .lmax = 4095),
    GPU_HEALPIX(512, .lmax = 1023, .processor = 1),
    GPU_HEALPIX(1024, .lmax = 2047),
    GPU_HEALPIX_RESAMPLED(1024, .lmax = 2047),
};
static const gpu_case gpu_tiny_many[] = {GPU_GL(.lmax = 7, .ntrans = 9, .processor = 1)};
static const gpu_case gpu_many[] = {
    GPU_GL(.lmax = 255, .ntrans = 64, .processor = 1),
    GPU_GL(.lmax = 255, .ntrans = 1, .processor = 1),
    GPU_GL(.lmax = 255, .ntrans = 16, .spin = 2),
    GPU_GL(.lmax = 639, .ntrans = 32, .device_bytes = (int64_t)1 << 30),
};
static const gpu_case gpu_tiny_o1280[] = {
    GPU_OCTAHEDRAL(8, .lmax = 7, .ntrans = 3, .shape = "v4w4t"),
    GPU_OCTAHEDRAL(8, .lmax = 7, .ntrans = 2, .copies = 3),
    GPU_OCTAHEDRAL(8, .lmax = 7, .ntrans = 2, .copies = 6, .streams = 2),
    GPU_OCTAHEDRAL(8, .lmax = 7, .ntrans = 5, .single = 1, .halves = 1),
};
static const gpu_case gpu_o1280[] = {
    GPU_OCTAHEDRAL(1280, .lmax = 1279, .ntrans = 40, .device_bytes = (int64_t)8 << 30,
                   .shape = "v4w4"),
    GPU_OCTAHEDRAL(1280, .lmax = 1279, .ntrans = 40, .device_bytes = (int64_t)8 << 30,
                   .shape = "v4w4t"),
    GPU_OCTAHEDRAL(1280, .lmax = 1279, .ntrans = 40, .copies = 10,
                   .device_bytes = (int64_t)8 << 30),
    GPU_OCTAHEDRAL(1280, .lmax = 1279, .ntrans = 40, .copies = 10, .device_bytes = (int64_t)8 << 30,
                   .streams = 2),
    GPU_OCTAHEDRAL(1280, .lmax = 1279, .ntrans = 40, .device_bytes = (int64_t)8 << 30,
                   .shape = "v4w4t", .streams = 2),
    GPU_OCTAHEDRAL(1280, .lmax = 1279, .ntrans = 40, .device_bytes = (int64_t)12 << 30, .single = 1,
                   .halves = 1),
};
static const gpu_case gpu_tiny_host[] = {GPU_GL(.lmax = 15)};
static const gpu_case gpu_host[] = {GPU_GL(.lmax = 2047), GPU_GL(.lmax = 4095)};
static const gpu_case gpu_tiny_grids[] = {
    {.name = "GL nphi 37", .lmax = 15, .nphi = 37},
    {.name = "GL phi0 0.1", .lmax = 15, .phi0 = 0.1},
    GPU_CC(.lmax = 15),
};
static const gpu_case gpu_grids[] = {
    GPU_GL(.lmax = 2047),
    {.name = "GL nphi 4097", .lmax = 2047, .nphi = 4097}, /* 17 241 */
    {.name = "GL nphi 4099", .lmax = 2047, .nphi = 4099}, /* prime */
    {.name = "GL phi0 0.1", .lmax = 2047, .phi0 = 0.1},
    GPU_CC(.lmax = 2047),
    GPU_MW(.lmax = 2047),
    GPU_MW_RESAMPLED(.lmax = 2047),
    GPU_CC(.lmax = 4095),
    GPU_MW(.lmax = 4095),
    GPU_MW_RESAMPLED(.lmax = 4095),
};
static const gpu_case gpu_tiny_float[] = {GPU_GL(.lmax = 15, .single = 1)};
static const gpu_case gpu_float[] = {
    GPU_GL(.lmax = 4095, .single = 1),
    GPU_GL(.lmax = 4095, .two_floats = 1),
    GPU_GL(.lmax = 1023, .single = 1),
    GPU_GL(.lmax = 4095, .spin = 2, .single = 1),
    GPU_HEALPIX(2048, .lmax = 4095, .single = 1),
};
static const gpu_case gpu_tiny_huge[] = {GPU_GL(.lmax = 31)};
static const gpu_case gpu_huge[] = {GPU_GL(.lmax = 8191), GPU_GL(.lmax = 16383)};
static const gpu_case gpu_tiny_shapes[] = {GPU_GL(.lmax = 15), GPU_GL(.lmax = 7, .ntrans = 4)};
static const gpu_case gpu_shapes[] = {
    GPU_GL(.lmax = 255),
    GPU_GL(.lmax = 511),
    GPU_GL(.lmax = 1023),
    GPU_GL(.lmax = 2047),
    GPU_GL(.lmax = 4095),
    GPU_GL(.lmax = 511, .spin = 2),
    GPU_GL(.lmax = 1023, .spin = 2),
    GPU_GL(.lmax = 2047, .spin = 2),
    GPU_GL(.lmax = 4095, .spin = 2),
    GPU_GL(.lmax = 1023, .spin = 7),
    GPU_GL(.lmax = 255, .ntrans = 64),
    GPU_GL(.lmax = 1023, .ntrans = 2),
    GPU_GL(.lmax = 1023, .ntrans = 4),
    GPU_GL(.lmax = 2047, .ntrans = 4),
    GPU_HEALPIX(512, .lmax = 1023),
    GPU_HEALPIX(2048, .lmax = 4095),
    GPU_GL(.lmax = 1023, .single = 1),
    GPU_GL(.lmax = 4095, .single = 1),
    GPU_GL(.lmax = 4095, .spin = 2, .single = 1),
};

/* --- Profiled: every kernel that matters, few launches ---------------------------------------- */

/* The first one has rings too long for shared memory. */
static const gpu_case gpu_tiny_profile[] = {GPU_GL(.lmax = 15, .nphi = 12292),
                                            GPU_GL(.lmax = 15, .spin = 7)};
static const gpu_case gpu_profile[] = {
    GPU_GL(.lmax = 2047),
    GPU_GL(.lmax = 1023, .spin = 7),
};
static const gpu_case gpu_tiny_profile_tensor[] = {
    GPU_GL(.lmax = 15, .ntrans = 4, .shape = "v4w4t")};
static const gpu_case gpu_profile_tensor[] = {
    GPU_GL(.lmax = 1279, .ntrans = 4, .device_bytes = (int64_t)1 << 30, .shape = "v4w4t"),
    GPU_GL(.lmax = 2047, .spin = 2, .device_bytes = (int64_t)1 << 30, .shape = "v4w4t"),
};
static const gpu_case gpu_tiny_profile_rings[] = {GPU_OCTAHEDRAL(8, .lmax = 7),
                                                  GPU_MW_RESAMPLED(.lmax = 15)};
static const gpu_case gpu_profile_rings[] = {
    GPU_OCTAHEDRAL(1280, .lmax = 1279, .ntrans = 4, .device_bytes = (int64_t)1 << 30),
    GPU_MW_RESAMPLED(.lmax = 2047),
};

#endif
