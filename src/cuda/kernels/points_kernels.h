/* Points on a GPU: what the kernels that sort them, and those between samples and points, work on,
 * and their launches. C and CUDA.
 *
 * A point sees w x w samples; those of a tile are the points whose first samples lie in 16 rows and
 * 64 columns, so that whole numbers say which tile a point belongs to, and a tile needs 16 + w rows
 * and 64 + w columns. Rows are counted by the row in the middle of what a point sees, h = (w + 1) /
 * 2 (rounded down) behind the first one: 0 .. nrings. Bands of rows go from either pole to the
 * equator, as in points/order.h; the last band of the south may have one row more. */
#ifndef ARMILLA_CUDA_KERNELS_POINTS_KERNELS_H
#define ARMILLA_CUDA_KERNELS_POINTS_KERNELS_H

#include "cuda/stages/points_problem.h"
#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ARMILLA_CUDA_TILE_RINGS = 16,
    ARMILLA_CUDA_TILE_SAMPLES = 64,
    ARMILLA_CUDA_TAPS = 16,   /* w, at most */
    ARMILLA_CUDA_DEGREE = 24, /* of the polynomials of taps, at most */
    ARMILLA_CUDA_TILE_PITCH = ARMILLA_CUDA_TILE_SAMPLES + ARMILLA_CUDA_TAPS,
    ARMILLA_CUDA_TILE_SIZE = (ARMILLA_CUDA_TILE_RINGS + ARMILLA_CUDA_TAPS) * ARMILLA_CUDA_TILE_PITCH
};

/* --- Looking at them --------------------------------------------------------------------------
 */

enum { ARMILLA_CUDA_SURVEY_WARPS = 1024 };

/* Each puts a kernel on the stream, where everything lies on the device. Returned: the launch's
 * error. Given: count > 0.
 * bound    the bounds of each warp's points; those of warps without any stay as they are.
 * sample   sample[i] = point number[i], i < count. */
cudaError_t armilla_cuda_points_bound(int64_t count, const double *points,
                                      armilla_cuda_point_bounds *warps, cudaStream_t stream);
cudaError_t armilla_cuda_points_sample(int64_t count, const int64_t *number, const double *points,
                                       double *sample, cudaStream_t stream);

/* --- Sorting ---------------------------------------------------------------------------------- */

/* Samples per radian, in two doubles: high + low. */
typedef struct armilla_cuda_point_scale {
    double high, low;
} armilla_cuda_point_scale;

/* Number of a tile: ((south nbands) + band) ncolumns + column. */
typedef struct armilla_cuda_point_tiling {
    int64_t first, nrings, nphi; /* rings from number `first` of the whole circle on */
    int64_t taps;
    int64_t nbands, ncolumns; /* bands of a hemisphere; tiles of a band */
    armilla_cuda_point_scale rows, columns;
} armilla_cuda_point_tiling;

enum {
    ARMILLA_CUDA_SORT_BITS = 8,
    ARMILLA_CUDA_SORT_DIGITS = 1 << ARMILLA_CUDA_SORT_BITS,
    ARMILLA_CUDA_SORT_KEYS = 4096 /* of a block of threads */
};

/* One pass: by a digit of the keys. Everything lies on the device. */
typedef struct armilla_cuda_sort_pass {
    int64_t count;
    int64_t nblocks;       /* of threads */
    int shift, bits;       /* of the digit */
    const uint32_t *key;   /* in the sequence so far */
    const uint32_t *place; /* NULL: 0, 1, 2, ... */
    uint32_t *to_key, *to_place;
    uint32_t *table; /* [ARMILLA_CUDA_SORT_DIGITS][nblocks]: keys, then keys of blocks before */
    uint32_t *total; /* [ARMILLA_CUDA_SORT_DIGITS] keys of a digit */
} armilla_cuda_sort_pass;

/* Each puts kernels on the stream. Returned: the launch's error. Given: count > 0.
 * number   key[i] = tile of point i = (theta, phi); number of tiles where it is not a point, or not
 *          one of the rings' zone.
 * pass     three kernels; points with one digit keep their sequence.
 * starts   start[t] = the first of the sorted keys that is not below t, t = 0 .. ntiles.
 * place    of the points place[i], i < count: where they lie in their tiles, 64 row + column of the
 *          first sample, and the two arguments of taps; in float where `single` is set. */
cudaError_t armilla_cuda_points_number(const armilla_cuda_point_tiling *tiling, int64_t count,
                                       const double *points, uint32_t *key, cudaStream_t stream);
cudaError_t armilla_cuda_points_pass(const armilla_cuda_sort_pass *pass, cudaStream_t stream);
cudaError_t armilla_cuda_points_starts(int64_t count, const uint32_t *key, int64_t ntiles,
                                       uint32_t *start, cudaStream_t stream);

typedef struct armilla_cuda_point_places {
    int64_t count;
    const double *points;
    const uint32_t *place;
    uint32_t *spot;
    void *argument; /* [count][2] */
    int single;
} armilla_cuda_point_places;

cudaError_t armilla_cuda_points_place(const armilla_cuda_point_tiling *tiling,
                                      const armilla_cuda_point_places *places, cudaStream_t stream);

/* --- Samples and points ------------------------------------------------------------------------
 */

/* Rows of a tile that a sum of buffers makes. */
enum { ARMILLA_CUDA_ADD_ROWS = 4 };

/* Points of a tile that a block of threads works on. */
typedef struct armilla_cuda_point_task {
    uint32_t tile, first, count; /* of sorted points; in a sum of buffers the first one of
                                    ARMILLA_CUDA_ADD_ROWS rows, and how many buffers */
    int32_t buffer;              /* the first one; below 0: none */
} armilla_cuda_point_task;

/* A hemisphere of samples of the first component. */
typedef struct armilla_cuda_point_side {
    int64_t offset;      /* items before column 0 of the first row */
    int64_t first, rows; /* ring of that row, which may be below 0; rows */
    int64_t begin, end;  /* rings to whose samples points may be added */
} armilla_cuda_point_side;

/* Everything lies on the device. Samples, weights and buffers have one kind of number. */
typedef struct armilla_cuda_point_view {
    const armilla_cuda_point_task *tasks[2]; /* of north and south */
    int64_t ntasks[2];
    const uint32_t *spot;
    const void *argument;
    int arguments_are_float;
    const uint32_t *place;
    const void *weights; /* [degree + 1][ARMILLA_CUDA_TAPS], the highest degree first */
    int taps, degree;
    int64_t nrings, nbands, ncolumns;
    void *samples;
    int64_t ncomp, component, pitch, left;
    armilla_cuda_point_side side[2];
    void *values;     /* value of a point's component: values[component distance + place] */
    int64_t distance; /* items */
    int values_are_float;
    void *buffers; /* [buffer][ncomp][ARMILLA_CUDA_TILE_SIZE] */
    int single;
} armilla_cuda_point_view;

/* Each puts a kernel on the stream where there are tasks. Returned: the launch's error.
 * read    writes the values of the tasks' points.
 * pieces  adds up what the tasks' points give to their tile in their buffers.
 * add     adds to samples what the tasks' points give, or what is in their buffers. Given: no
 *         two tiles of a launch have samples in common.
 * The last two have a block of one warp for each task. */
cudaError_t armilla_cuda_points_read(const armilla_cuda_point_view *view, cudaStream_t stream);
cudaError_t armilla_cuda_points_pieces(const armilla_cuda_point_view *view, cudaStream_t stream);
cudaError_t armilla_cuda_points_add(const armilla_cuda_point_view *view, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
