/* Points on a GPU: sorted by tiles of samples when they are made, then samples <-> values at points
 * in any number of calls. Samples lie in device memory as src/points and cuda/stages/strips.h have
 * them, with columns beside the rings and rows beyond poles and equator.
 *
 * Bits depend on nothing but the numbers: not on the sequence of threads, on streams, on where
 * points and samples lie, or on which bands go together. Those of samples do depend on the sequence
 * of the caller's points, in which they are added. */
#ifndef ARMILLA_CUDA_STAGES_POINTS_H
#define ARMILLA_CUDA_STAGES_POINTS_H

#include "base/array.h"
#include "base/status.h"
#include "cuda/kernels/points_kernels.h"
#include "cuda/stages/points_problem.h"
#include "cuda/runtime/work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts points (theta, phi), radians: 0 <= theta <= pi, phi any finite number.
 * Given:    points     [count][2], count < 2^32, of the host, or of the device where on_device is
 *                      set, in the sequence of the stream; only read here.
 * Errors:   ARGUMENT (names the member; or the first point that is out of range, or outside of the
 *           zone), MEMORY (also of the device: names the bytes), UNSUPPORTED (a CUDA error).
 * Notes:    The call waits for the device; then the points are ready for every stream. */
armilla_status armilla_cuda_points_new(const armilla_cuda_points_problem *problem, int64_t count,
                                       const double *points, int on_device, cudaStream_t stream,
                                       armilla_cuda_points **result);
void armilla_cuda_points_free(armilla_cuda_points *points); /* NULL is allowed */

/* Device bytes that so many points take, and those that sorting them takes beside: known before. */
int64_t armilla_cuda_points_bytes(const armilla_cuda_points_problem *problem, int64_t count);
int64_t armilla_cuda_points_sort_bytes(const armilla_cuda_points_problem *problem, int64_t count,
                                       int on_device);

/* Device bytes of scratch of a call that adds to samples of so many components, and the most that
 * any points so many could need. Calls that read samples need none. */
int64_t armilla_cuda_points_scratch(const armilla_cuda_points *points, int64_t ncomp);
int64_t armilla_cuda_points_most_scratch(const armilla_cuda_points_problem *problem, int64_t count,
                                         int64_t ncomp);

/* Samples, and the bands of points that a call works on, of both hemispheres: points whose middle
 * rows (kernels/points_kernels.h) are 16 band .. 16 end_band - 1 rows from a pole. */
typedef struct armilla_cuda_point_samples {
    armilla_array values; /* on the device; floats: of points that are single, or whose epsilon is
                             no less than ARMILLA_CUDA_POINTS_SINGLE */
    int64_t ncomp, component;        /* 1 or 2; items from one to the next */
    int64_t pitch, left;             /* items of a row, and before its first sample */
    armilla_cuda_point_side side[2]; /* north, south */
    int64_t band, end_band;
} armilla_cuda_point_samples;

/* Can the points work with these samples: are there all rows and columns that points see? A call
 * with others runs nothing, and notes cudaErrorInvalidValue. Errors: ARGUMENT, names the member. */
armilla_status armilla_cuda_points_check(const armilla_cuda_points *points,
                                         const armilla_cuda_point_samples *samples, int to_points);

/* Launches of a call on these bands; 5 for NULL and from points, else 1. */
int64_t armilla_cuda_points_launches(const armilla_cuda_points *points, int64_t band,
                                     int64_t end_band, int to_points);

/* samples -> values; one launch. The values of the points of these bands are written.
 * Given:    values  [ncomp][distance] or more, on the device, in the caller's sequence. */
void armilla_cuda_points_interpolate(const armilla_cuda_points *points,
                                     const armilla_cuda_point_samples *samples,
                                     armilla_array values, int64_t distance,
                                     armilla_cuda_work *work);

/* The transpose: samples become what the values of the points of these bands give to them, on the
 * rings side.begin .. side.end - 1, and 0 on the others; what lies beside the rings and beyond
 * poles and equator is not folded back. Five launches at most, and the clearing of each hemisphere.
 */
void armilla_cuda_points_spread(const armilla_cuda_points *points, armilla_array values,
                                int64_t distance, const armilla_cuda_point_samples *samples,
                                armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
