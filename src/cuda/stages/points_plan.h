/* Inside of sorted points on a GPU, for the files that make and use them: see points.h. */
#ifndef ARMILLA_CUDA_STAGES_POINTS_PLAN_H
#define ARMILLA_CUDA_STAGES_POINTS_PLAN_H

#include "cuda/stages/point_tasks.h"
#include "cuda/stages/points.h"

/* Device memory of the points: one block, in parts. */
typedef struct armilla_cuda_points_parts {
    int64_t spot, argument, place, weights, tasks; /* bytes before each */
    int64_t float_weights; /* for samples of floats; where the points themselves are not single */
    int64_t size;
} armilla_cuda_points_parts;

struct armilla_cuda_points {
    armilla_cuda_points_problem problem;
    armilla_cuda_point_tiling tiling;
    int64_t count, ntiles;
    armilla_cuda_points_parts parts;
    char *memory;
    armilla_cuda_point_tasks tasks; /* .tasks: NULL, they are on the device */
};

armilla_cuda_points_parts armilla_cuda_points_cut(const armilla_cuda_points_problem *problem,
                                                  int64_t count);
armilla_cuda_point_tiling armilla_cuda_points_tiling(const armilla_cuda_points_problem *problem);

/* Bytes of an item of samples, arguments and weights. */
static inline int64_t armilla_cuda_points_item(const armilla_cuda_points_problem *problem)
{
    return problem->single ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

/* Can samples be floats? */
static inline int armilla_cuda_points_take_floats(const armilla_cuda_points_problem *problem)
{
    return problem->single || problem->epsilon >= ARMILLA_CUDA_POINTS_SINGLE;
}

/* Puts the points in sequence on the device and tells where tiles begin.
 * Returned: start  [ntiles + 1], on the host.  Errors: as those of armilla_cuda_points_new. */
armilla_status armilla_cuda_points_sort(const armilla_cuda_points *p, const double *points,
                                        int on_device, cudaStream_t stream, uint32_t *start);

#endif
