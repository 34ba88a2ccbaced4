/* Values at points on one GPU or several: each has all stages, and some strips of samples with the
 * points that see them. To points each GPU makes the whole leg, which takes less time than to bring
 * it there, and the values of the points of its bands. Back it makes the leg of the rings that its
 * strips own; the host puts these together, and the first GPU makes coefficients of them. So bits
 * do not depend on how many GPUs there are. */
#ifndef ARMILLA_CUDA_POINTS_GROUP_H
#define ARMILLA_CUDA_POINTS_GROUP_H

#include "cuda/cuda.h"
#include "cuda/points_transform.h"

/* What does not depend on the points; an armilla_cuda_object. */
typedef struct armilla_cuda_points_group armilla_cuda_points_group;

/* The points of a plan, each of them on the GPUs that need it; an armilla_cuda_object, whose bytes
 * are those of the group and its own. */
typedef struct armilla_cuda_points_shares armilla_cuda_points_shares;

/* What becomes of values on their way between points and a call's array: those of lensing turn, and
 * the pixels of a map are at other places than the points of a list. */
typedef struct armilla_cuda_points_turn {
    int64_t spin;
    /* With a list of one GPU: has angles and places; it must outlive the shares. */
    const struct armilla_cuda_pointing *pointing;
    /* With several: */
    const double *gamma;  /* of the host, [count]: to the array times exp(i spin gamma), back times
                             exp(-i spin gamma). NULL: values are as they are */
    const int64_t *place; /* of each point's value in a component of the array; NULL: its number. It
                             must outlive the shares */
} armilla_cuda_points_turn;

typedef struct armilla_cuda_points_needs {
    int64_t ngpus; /* that have something to do */
    int64_t bytes; /* of the device, that a call of one transform takes of the GPU that needs most,
                      besides copies of host arrays */
    int64_t launches[2]; /* kernels and calls of cuFFT of a call of one transform, of the first GPU
                            alone; [1]: to points */
} armilla_cuda_points_needs;

/* Errors of several GPUs name the one. */
typedef struct armilla_cuda_points_table {
    /* Can the calling thread's current GPU read the points? Then survey->points becomes their
     * address there, and they are looked at, when whatever may write them has been waited for.
     * Errors: ARGUMENT (memory = DEVICE, and they are on the host, or on another GPU), MEMORY (of
     * the device), UNSUPPORTED. */
    armilla_status (*see)(armilla_memory memory, armilla_cuda_points_survey *survey, int *on_device,
                          armilla_cuda_point_bounds *bounds);
    /* Copies points of the device to the host, when whatever may write them has been waited for.
     * Errors: UNSUPPORTED. */
    armilla_status (*fetch)(int64_t count, const double *points, double *host);
    /* Given:    problem  as for armilla_cuda_points_stages_new; what must outlive them;
     *           devices  ndevices numbers, each once, that there are; NULL: the current one. Those
     *                    beyond the number of strips get nothing to do.
     * Errors:   MEMORY, UNSUPPORTED. */
    armilla_status (*make)(const armilla_cuda_points_stages_problem *problem, const int *devices,
                           int64_t ndevices, armilla_cuda_points_group **group);
    /* Given:    group   outlives the result;
     *           points  [count][2] within the rings' zone: of the host, or with a list of one GPU,
     *                   of that one (on_device), where whatever writes them has been waited for.
     * Errors:   as armilla_cuda_points_new. */
    armilla_status (*sort)(const armilla_cuda_points_group *group,
                           const armilla_cuda_points_problem *problem, int64_t count,
                           const double *points, int on_device,
                           armilla_cuda_points_shares **shares);
    /* For all calls from now on, of doubles alone if values turn. Once; not while a call runs.
     * Errors: MEMORY, UNSUPPORTED. */
    armilla_status (*turn)(armilla_cuda_points_shares *shares,
                           const armilla_cuda_points_turn *turn);
    /* shares: NULL: of points everywhere. */
    armilla_cuda_points_needs (*needs)(const armilla_cuda_points_group *group,
                                       const armilla_cuda_points_shares *shares);
    /* A call, `share` NULL: with a list of one GPU armilla_cuda_points_run. Errors: as there; of
     * several GPUs also ARGUMENT (arrays of a GPU, a stream). Thread rule: any number of calls at
     * once. */
    armilla_status (*run)(const armilla_cuda_points_shares *shares,
                          const armilla_cuda_points_call *call);
} armilla_cuda_points_table;

extern const armilla_cuda_points_table armilla_cuda_points_functions;

#endif
