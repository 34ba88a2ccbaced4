/* A plan's transforms on several GPUs: each has all tables, and the transforms of a call are dealt
 * out among them. */
#ifndef ARMILLA_CUDA_DEVICES_H
#define ARMILLA_CUDA_DEVICES_H

#include "cuda/transform.h"

/* A transform and its like on further GPUs, and what a call does on them: see the table of
 * transform.h. */
typedef struct armilla_cuda_devices armilla_cuda_devices;

/* Given:    problem   as for `first`, which is on devices[0] and outlives the result.
 * Returned: the bytes of `first` become those of the GPU that has to hold most. */
armilla_status armilla_cuda_devices_new(const armilla_cuda_problem *problem,
                                        armilla_cuda_transform *first, const int *devices,
                                        int64_t ndevices, armilla_cuda_devices **made);
void armilla_cuda_devices_free(armilla_cuda_devices *devices); /* NULL is allowed */
armilla_cuda_needs armilla_cuda_devices_needs(const armilla_cuda_devices *devices, int64_t ntrans);
armilla_status armilla_cuda_devices_run(const armilla_cuda_devices *devices,
                                        const armilla_cuda_call *call);

#endif
