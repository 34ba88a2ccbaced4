/* Finds out where points in device memory lie: the host hears of their extremes, and of some of
 * them. */
#include "base/integer.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/kernels/points_kernels.h"
#include "cuda/points_transform.h"
#include "cuda/runtime/work.h"

#include <math.h>

enum { WARPS = ARMILLA_CUDA_SURVEY_WARPS };

/* The bounds of the points of all warps. */
static void put_together(const armilla_cuda_point_bounds *warps, armilla_cuda_point_bounds *all)
{
    *all = (armilla_cuda_point_bounds)ARMILLA_CUDA_NO_BOUNDS;
    for (int i = 0; i < WARPS; i++) {
        all->north = fmin(all->north, warps[i].north);
        all->south = fmax(all->south, warps[i].south);
        all->from_equator = fmin(all->from_equator, warps[i].from_equator);
        all->wrong += warps[i].wrong;
    }
}

/* On the device: bounds of warps, some points, and their numbers, which need no whole 16 bytes. */
static armilla_status run(const armilla_cuda_points_survey *s, char *memory,
                          armilla_cuda_point_bounds *warps)
{
    const size_t sizes[] = {WARPS * sizeof *warps, (size_t)s->taken * 2 * sizeof(double),
                            (size_t)s->taken * sizeof(int64_t)};
    armilla_cuda_point_bounds *there = (armilla_cuda_point_bounds *)(void *)memory;
    double *sample = (double *)(void *)(memory + sizes[0]);
    int64_t *number = (int64_t *)(void *)(memory + sizes[0] + sizes[1]);
    armilla_cuda_work work = {.stream = NULL};
    armilla_cuda_note(&work, cudaDeviceSynchronize()); /* whoever writes the points may be at it */
    armilla_cuda_note(&work, cudaMemcpy(there, warps, sizes[0], cudaMemcpyHostToDevice));
    armilla_cuda_note(&work, cudaMemcpy(number, s->number, sizes[2], cudaMemcpyHostToDevice));
    armilla_cuda_note(&work, armilla_cuda_points_bound(s->count, s->points, there, work.stream));
    armilla_cuda_note(&work,
                      armilla_cuda_points_sample(s->taken, number, s->points, sample, work.stream));
    armilla_cuda_note(&work, cudaMemcpy(warps, there, sizes[0], cudaMemcpyDeviceToHost));
    armilla_cuda_note(&work, cudaMemcpy(s->sample, sample, sizes[1], cudaMemcpyDeviceToHost));
    return armilla_cuda_work_status(&work, "a look at points");
}

armilla_status armilla_cuda_points_look(const armilla_cuda_points_survey *survey,
                                        armilla_cuda_point_bounds *bounds)
{
    armilla_cuda_point_bounds warps[WARPS];
    const int64_t bytes = (int64_t)sizeof warps + survey->taken * 24;
    void *memory;
    armilla_status status = armilla_cuda_allocate(bytes, "a look at points", &memory);
    if (status) return status;
    for (int i = 0; i < WARPS; i++) warps[i] = (armilla_cuda_point_bounds)ARMILLA_CUDA_NO_BOUNDS;
    status = run(survey, memory, warps);
    armilla_cuda_release(memory);
    if (!status) put_together(warps, bounds);
    return status;
}
