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
