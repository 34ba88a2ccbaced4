/* Which points a block of threads works on, in which launch: made once on the host, from the tiles
 * of sorted points. */
#ifndef ARMILLA_CUDA_STAGES_POINT_TASKS_H
#define ARMILLA_CUDA_STAGES_POINT_TASKS_H

#include "base/status.h"
#include "cuda/kernels/points_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lists of tasks, in each of which the tiles follow each other band by band, north first.
 *   READ     up to ARMILLA_CUDA_READ_POINTS points of a tile: samples -> points
 *   PIECES   some points of a tile that has many, into a buffer
 *   ADD      a tile: all its points, or the buffers of its pieces. In four colours, by odd and even
 *            bands and columns: tiles of one colour have no samples in common */
enum {
    ARMILLA_CUDA_READ,
    ARMILLA_CUDA_PIECES,
    ARMILLA_CUDA_ADD,
    ARMILLA_CUDA_COLOURS = 4,
    ARMILLA_CUDA_TASK_LISTS = ARMILLA_CUDA_ADD + ARMILLA_CUDA_COLOURS,
    ARMILLA_CUDA_READ_POINTS = 1024
};

typedef struct armilla_cuda_point_tasks {
    int64_t count;
    armilla_cuda_point_task *tasks; /* [count], list after list; on the host */
    int64_t rows;                   /* bands of both hemispheres */
    int64_t *begin;                 /* [ARMILLA_CUDA_TASK_LISTS][rows + 1]: tasks before a band */
    int64_t nbuffers;
} armilla_cuda_point_tasks;

/* Points of a piece, by the number of all: a few thousand buffers are enough. A tile with no more
 * is no piece. */
int64_t armilla_cuda_piece_size(int64_t count);

/* The most tasks, and buffers, that so many points in so many tiles can have. */
int64_t armilla_cuda_point_tasks_bound(int64_t ntiles, int64_t count);
int64_t armilla_cuda_point_buffers_bound(int64_t count);

/* Given: start[t] = number of the first point of tile t, and the end; piece: most points of one.
 * Errors: MEMORY. */
armilla_status armilla_cuda_point_tasks_make(const armilla_cuda_point_tiling *tiling,
                                             const uint32_t *start, int64_t piece,
                                             armilla_cuda_point_tasks *tasks);
void armilla_cuda_point_tasks_clear(armilla_cuda_point_tasks *tasks);

#ifdef __cplusplus
}
#endif
#endif
