/* Values at points on one GPU or several: each has all stages, and some strips of samples with the
 * points that see them. To points each GPU makes the whole leg, which takes less time than to bring
 * it there, and the values of the points of its bands. Back it makes the leg of the rings that its
 * strips own; the host puts these together, and the first GPU makes coefficients of them. So bits
 * do not depend on how many GPUs there are. Where the library is built without CUDA, absent/ has
 * these functions. */
#ifndef ARMILLA_CUDA_POINTS_GROUP_H
#define ARMILLA_CUDA_POINTS_GROUP_H

#include "cuda/points_transform.h"

/* What does not depend on the points. */
typedef struct armilla_cuda_points_group armilla_cuda_points_group;

/* Given:    problem  as for armilla_cuda_points_stages_new; what must outlive them;
 *           devices  ndevices >= 1 numbers, each once, that there are. Those beyond the number of
 *                    strips get nothing to do.
 * Errors:   MEMORY, UNSUPPORTED: of several GPUs, names the one. */
armilla_status armilla_cuda_points_group_new(const armilla_cuda_points_stages_problem *problem,
                                             const int *devices, int64_t ndevices,
                                             armilla_cuda_points_group **group);
void armilla_cuda_points_group_free(armilla_cuda_points_group *group); /* NULL is allowed */

/* The number of the first GPU; how many have something to do. */
int armilla_cuda_points_group_device(const armilla_cuda_points_group *group);
int64_t armilla_cuda_points_group_count(const armilla_cuda_points_group *group);

/* The points of a plan, each of them on the GPUs that need it. */
typedef struct armilla_cuda_points_shares armilla_cuda_points_shares;

/* Given:    points  [count][2] within the rings' zone: of the host, or with a list of one GPU, of
 *                   that one (on_device), where whatever writes them has been waited for.
 * Errors:   as armilla_cuda_points_new; of several GPUs, names the one. */
armilla_status armilla_cuda_points_shares_new(const armilla_cuda_points_group *group,
                                              const armilla_cuda_points_problem *problem,
                                              int64_t count, const double *points, int on_device,
                                              armilla_cuda_points_shares **shares);
void armilla_cuda_points_shares_free(const armilla_cuda_points_group *group,
                                     armilla_cuda_points_shares *shares); /* NULL is allowed */

/* What becomes of values on their way between points and a call's array, by a list of several GPUs:
 * those of lensing turn, and the pixels of a map are at other places than the points of a list. */
typedef struct armilla_cuda_points_turn {
    int64_t spin;
    const double *gamma;  /* of the host, [count]: to the array times exp(i spin gamma), back times
                             exp(-i spin gamma). NULL: values are as they are */
    const int64_t *place; /* of each point's value in a component of the array; NULL: its number. It
                             must outlive the shares */
} armilla_cuda_points_turn;

/* For all calls from now on, of doubles alone if values turn. Once; not while a call runs. Errors:
 * MEMORY, UNSUPPORTED: names the GPU. */
armilla_status armilla_cuda_points_shares_turn(const armilla_cuda_points_group *group,
                                               armilla_cuda_points_shares *shares,
                                               const armilla_cuda_points_turn *turn);

/* Device bytes of the GPU that has to hold most, and that a call of one transform takes of the one
 * that needs most, besides copies of host arrays (shares NULL: without what points need). */
int64_t armilla_cuda_points_group_bytes(const armilla_cuda_points_group *group,
                                        const armilla_cuda_points_shares *shares);
int64_t armilla_cuda_points_group_workspace(const armilla_cuda_points_group *group,
                                            const armilla_cuda_points_shares *shares);

/* Device bytes of so many transforms at once on the first GPU, besides copies of host arrays. */
int64_t armilla_cuda_points_group_room(const armilla_cuda_points_group *group,
                                       const armilla_cuda_points_shares *shares, int to_points,
                                       int64_t batch);

/* Kernels and calls of cuFFT of a call of one transform, of the first GPU alone. shares NULL: of
 * points everywhere. */
int64_t armilla_cuda_points_group_launches(const armilla_cuda_points_group *group,
                                           const armilla_cuda_points_shares *shares, int to_points);

/* A call, `share` NULL: with a list of one GPU armilla_cuda_points_run. Errors: as there; of
 * several GPUs, names the one, and ARGUMENT (arrays of a GPU, a stream). Thread rule: any number of
 * calls at once. */
armilla_status armilla_cuda_points_group_run(const armilla_cuda_points_group *group,
                                             const armilla_cuda_points_shares *shares,
                                             const armilla_cuda_points_call *call);

#endif
