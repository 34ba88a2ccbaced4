/* GPUs as such: how many there are, which one is the calling thread's current one, what it is, its
 * streams, and which arrays are in its memory. */
#ifndef ARMILLA_CUDA_RUNTIME_DEVICE_H
#define ARMILLA_CUDA_RUNTIME_DEVICE_H

#include "armilla/device.h"
#include "cuda/cuda.h"

/* GPUs that the process can use. Errors: UNSUPPORTED, also where there is none. */
armilla_status armilla_cuda_count_devices(int *count);

/* The calling thread's current GPU. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_current_device(int *device);

/* Makes a device the calling thread's current one; *before: the one that was. The second call takes
 * that back. Errors: UNSUPPORTED; *before is `device` then, and nothing is to be taken back. */
armilla_status armilla_cuda_enter_device(int device, int *before);
void armilla_cuda_leave_device(int device, int before);

/* The same for what is going to be freed, twice, since the first answer may be an error of work
 * before it. A device that cannot be had any more has nothing to be freed, but the host's memory
 * has; what belongs to the current device alone is to be left then (fft_plans.c). */
void armilla_cuda_enter_to_free(int device, int *before);

/* A stream of its own on a device, which does not wait for the default one. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_stream_new(int device, void **stream);
void armilla_cuda_stream_free(int device, void *stream); /* NULL is allowed */

/* What a plan has on one of its GPUs, made of the same problem as what it has on the others. */
typedef armilla_status (*armilla_cuda_make_fn)(const void *problem, void *member);

/* Calls make while the device is the current one, and makes a stream there. Errors: those of make,
 * UNSUPPORTED; they name the GPU. stream NULL: none is made, and errors have no name. */
armilla_status armilla_cuda_member_make(int device, armilla_cuda_make_fn make, const void *problem,
                                        void *member, void **stream);

/* Is it an array that the host cannot read? Errors: UNSUPPORTED: the driver does not answer. */
armilla_status armilla_cuda_find_device_array(const void *values, int *there);

/* What a call of a plan on several GPUs gives it: two of its arrays, by name. */
typedef struct armilla_cuda_shared {
    const char *name[2]; /* NULL: there is no array */
    const void *values[2];
    armilla_memory memory;
    const void *stream;
} armilla_cuda_shared;

/* Does a call of a plan on several GPUs ask for what only one of them could do? Errors: ARGUMENT
 * (an array or exec->memory: not of the host; exec->stream). */
armilla_status armilla_cuda_check_shared(const armilla_cuda_shared *call);

typedef struct armilla_cuda_device_table {
    armilla_status (*count)(int *count);              /* armilla_cuda_count_devices */
    armilla_status (*current)(int *device);           /* armilla_cuda_current_device */
    armilla_status (*enter)(int device, int *before); /* armilla_cuda_enter_device */
    void (*leave)(int device, int before);            /* armilla_cuda_leave_device */
    armilla_status (*make_member)(int device, armilla_cuda_make_fn make, const void *problem,
                                  void *member, void **stream); /* armilla_cuda_member_make */
    void (*free_stream)(int device, void *stream);              /* armilla_cuda_stream_free */
    armilla_status (*find_array)(const void *values,
                                 int *there); /* armilla_cuda_find_device_array */
    armilla_status (*check_shared)(const armilla_cuda_shared *call); /* armilla_cuda_check_shared */

    /* What calls may take by default of the one of some GPUs that has least (devices NULL: of the
     * current one): half of what is free there now, a quarter of all its memory at most, so that a
     * GPU that is not shared has one answer. Errors: UNSUPPORTED. */
    armilla_status (*spare_bytes)(const int *devices, int64_t ndevices, int64_t *bytes);
    /* Operations in single precision that the current device makes for one in double. Errors:
     * UNSUPPORTED. */
    armilla_status (*precision_ratio)(int *ratio);
    /* Fills all but the size, for the current device. Errors: UNSUPPORTED. */
    armilla_status (*describe)(armilla_device_description *whole);
} armilla_cuda_device_table;

extern const armilla_cuda_device_table armilla_cuda_device_functions;

#endif
