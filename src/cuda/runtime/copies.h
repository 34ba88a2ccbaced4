/* Copies between arrays of the host and the device. Those of the host go through two pinned buffers
 * and a stream of their own, so that what the next batch of transforms needs comes, and what the
 * last one has made leaves, while the kernels of this one run. */
#ifndef ARMILLA_CUDA_RUNTIME_COPIES_H
#define ARMILLA_CUDA_RUNTIME_COPIES_H

#include "base/status.h"
#include "cuda/runtime/work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More devices than a machine has; those beyond do without a copier and a memory pool. */
enum { ARMILLA_CUDA_MOST_DEVICES = 64 };

/* A device's buffers, stream and events. Calls use them one after the other. */
typedef struct armilla_cuda_copier armilla_cuda_copier;

/* For a call that copies `bytes` at once at most. Returned: the device's copier, the call's own
 * from now on, so that it copies beside kernels; NULL: there are few bytes, or the driver has no
 * more pinned memory, or another call has the copier: copies are put on the stream of the kernels.
 * Given: a plan of the device is open (device_pool.h), and the device is the current one. */
armilla_cuda_copier *armilla_cuda_copier_take(int device, int64_t bytes);

/* Frees the device's copier, which no call has. The device is the current one. */
void armilla_cuda_copier_close(int device);

/* Begins copies of the call that has it: what the stream has been given so far, its memory too,
 * comes before all of them. */
void armilla_cuda_copier_begin(armilla_cuda_copier *copier, armilla_cuda_work *work);

/* Ends them: what the stream gets from now on comes after all copies; another call may have the
 * copier. */
void armilla_cuda_copier_end(armilla_cuda_copier *copier, armilla_cuda_work *work);

/* Copies on the device alternate between two slots, 0 and 1. The stream of kernels waits for the
 * copies so far; copies from now on wait for what the stream has been given for the slot. Nothing
 * where copies are not beside kernels. */
void armilla_cuda_copier_arrive(armilla_cuda_copier *copier, armilla_cuda_work *work);
void armilla_cuda_copier_computed(armilla_cuda_copier *copier, int slot, armilla_cuda_work *work);
void armilla_cuda_copier_wait(armilla_cuda_copier *copier, int slot, armilla_cuda_work *work);

/* The components of transforms on the host. On the device they lie one behind the other. */
typedef struct armilla_cuda_copied {
    int64_t size, distance; /* bytes: of a component, from one to the next */
    int64_t ncomp, step;    /* components of a transform, from one transform to the next */
    int pinned;             /* is the host's memory pinned? */
} armilla_cuda_copied;

/* Copies `count` transforms. The host's arrays are read when it returns; they are written then, or,
 * if they are pinned or copies are not beside kernels, when the device has been waited for. copier:
 * NULL or the call's own, between _begin and _end. */
void armilla_cuda_copy_to_device(armilla_cuda_copier *copier, const armilla_cuda_copied *copied,
                                 int64_t count, char *device, const char *host,
                                 armilla_cuda_work *work);
void armilla_cuda_copy_to_host(armilla_cuda_copier *copier, const armilla_cuda_copied *copied,
                               int64_t count, char *host, char *device, armilla_cuda_work *work);

/* Bytes of a buffer. */
int64_t armilla_cuda_copier_buffer(void);

/* For tests: the bytes of a buffer, and the least that go through buffers; 0, 0: the usual ones.
 * Must not be called while a plan exists. */
void armilla_cuda_copier_set_sizes(int64_t buffer, int64_t least);

#ifdef __cplusplus
}
#endif
#endif
