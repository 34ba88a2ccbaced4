/* Inside of the stages between alm and points on a GPU, for the files that make and run them. */
#ifndef ARMILLA_CUDA_STAGES_POINTS_STAGES_H
#define ARMILLA_CUDA_STAGES_POINTS_STAGES_H

#include "cuda/kernels/lensing_kernels.h"
#include "cuda/stages/legendre.h"
#include "cuda/stages/points_plan.h"
#include "cuda/points_transform.h"
#include "cuda/stages/strips.h"
#include "cuda/stages/theta.h"

#include <pthread.h>

struct armilla_cuda_points_stages {
    armilla_cuda_points_stages_problem problem;
    armilla_cuda_legendre *legendre;
    armilla_cuda_theta *theta;
    armilla_cuda_strips *strips;
    int64_t *mstart; /* on the device, like the factors */
    double *degree_factor, *order_factor;
    int64_t alm_numbers; /* complex numbers of the rows of alm; gaps between them do not count */
    int64_t most_pairs;  /* that rows of a strip are made of */
    int64_t most;        /* bytes that the scratch of a stage should not exceed */
    int device, open;
    pthread_mutex_t *enqueuing; /* calls put their work on streams one after the other */
};

/* The last step to a map, and the first one from it: values turn, and go to the places of pixels.
 */
typedef struct armilla_cuda_points_end {
    int64_t spin;
    const double *gamma; /* of each value, in device memory */
    armilla_cuda_lensing_view view;
} armilla_cuda_points_end;

typedef struct armilla_cuda_points_bands {
    int64_t begin, end;
} armilla_cuda_points_bands;

/* Bytes of a call on so many transforms at once. */
typedef struct armilla_cuda_points_room {
    int64_t leg;
    int64_t samples; /* of the area behind leg, the first part: of strips and points */
    int64_t area;    /* scratch of the stages before, or samples and scratch */
    int64_t total;
} armilla_cuda_points_room;

armilla_cuda_points_room armilla_cuda_points_room_of(const armilla_cuda_points_stages *stages,
                                                     const armilla_cuda_points *points,
                                                     int to_points, int64_t batch);

/* A strip and the pairs that come with it: to samples as many with each, so that none is filled up
 * with rows of zeros. */
static inline armilla_cuda_strip
armilla_cuda_points_strip_of(const armilla_cuda_points_stages *stages, int64_t number,
                             int to_points)
{
    const armilla_cuda_points_stages_problem *p = &stages->problem;
    const armilla_cuda_points_strip *of = &p->strips[number];
    const int64_t most = stages->most_pairs, last = p->half - most;
    if (!to_points) return (armilla_cuda_strip){of->first, of->rows, of->first_own, of->nown};
    return (armilla_cuda_strip){of->first, of->rows, of->first_pair < last ? of->first_pair : last,
                                most};
}

/* The bands whose points a strip serves; from points also those beside, which see its rings. */
static inline armilla_cuda_points_bands
armilla_cuda_points_bands_of(const armilla_cuda_points_stages *stages, int64_t number,
                             int to_points)
{
    const armilla_cuda_points_strip *of = &stages->problem.strips[number];
    const int beside = !to_points;
    return (armilla_cuda_points_bands){of->band - (beside && of->band > 0),
                                       of->end_band +
                                           (beside && number + 1 < stages->problem.nstrips)};
}

/* Are the samples of a call floats? Those of a call of floats are where the plan's error allows. */
static inline int armilla_cuda_points_are_single(const armilla_cuda_points *points,
                                                 armilla_array values)
{
    return values.is_float && armilla_cuda_points_take_floats(&points->problem);
}

/* Doubles of a strip of one component. */
static inline int64_t armilla_cuda_points_component(const armilla_cuda_points_stages *stages)
{
    return 2 * stages->problem.most_rows * stages->problem.pitch;
}

#endif
