/* A plan's transforms on several GPUs: each has all tables, and the transforms of a call are dealt
 * out among them. Where the library is built without CUDA, absent/ has these functions. */
#ifndef ARMILLA_CUDA_DEVICES_H
#define ARMILLA_CUDA_DEVICES_H

#include "cuda/transform.h"

/* Errors: UNSUPPORTED (no GPU can be used), ARGUMENT (a number that no GPU has: names the field of
 * `options`). */
armilla_status armilla_cuda_check_devices(const int *devices, int64_t ndevices);

/* Puts "GPU 3: " before the message of an error, but for ARGUMENT and CANCELLED. Returned: status.
 */
armilla_status armilla_cuda_name_device(int device, armilla_status status);

/* Does a call of a plan on several GPUs ask for what only one of them could do? `name` is that of
 * an array, or NULL. Errors: ARGUMENT (an array or exec->memory: not of the host; exec->stream). */
armilla_status armilla_cuda_check_shared_array(const char *name, const void *values);
armilla_status armilla_cuda_check_shared_call(armilla_memory memory, const void *stream);

/* A stream of its own on a device, which does not wait for the default one. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_stream_new(int device, void **stream);
void armilla_cuda_stream_free(int device, void *stream); /* NULL is allowed */

typedef struct armilla_cuda_transforms armilla_cuda_transforms;

/* Given:    problem   as for `first`, which is on devices[0] and outlives the result;
 *           devices   ndevices >= 2 numbers, each once.
 * Errors:   MEMORY, UNSUPPORTED: names the GPU. */
armilla_status armilla_cuda_transforms_new(const armilla_cuda_problem *problem,
                                           const armilla_cuda_transform *first, const int *devices,
                                           int64_t ndevices, armilla_cuda_transforms **transforms);
void armilla_cuda_transforms_free(armilla_cuda_transforms *transforms); /* NULL is allowed */

/* As for one transform, of the GPU that has to hold most, or has most of a call's transforms. */
int64_t armilla_cuda_transforms_bytes(const armilla_cuda_transforms *transforms);
armilla_cuda_needs armilla_cuda_transforms_needs(const armilla_cuda_transforms *transforms,
                                                 int64_t ntrans);

/* Deals the call's transforms out, neighbours to the same GPU, and waits for all GPUs. Results have
 * the bits of `first` alone. Errors: as for armilla_cuda_transform_run, names the GPU; ARGUMENT
 * (arrays of a GPU, a stream). Thread rule: any number of calls at once. */
armilla_status armilla_cuda_transforms_run(const armilla_cuda_transforms *transforms,
                                           const armilla_cuda_call *call);

#endif
