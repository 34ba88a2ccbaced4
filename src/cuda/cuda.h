/* The door to GPUs: tables of functions, one for each thing that other folders may ask of this one.
 * The tables are in the headers of those things. A library without CUDA has none of them, and says
 * so in one sentence (absent/absent.c). */
#ifndef ARMILLA_CUDA_CUDA_H
#define ARMILLA_CUDA_CUDA_H

#include "armilla/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct armilla_cuda_tables {
    const struct armilla_cuda_device_table *gpus;         /* cuda/runtime/device.h */
    const struct armilla_cuda_shape_table *shape;         /* cuda/stages/shape.h */
    const struct armilla_cuda_transform_table *transform; /* cuda/transform.h */
    const struct armilla_cuda_share_table *share;         /* cuda/share.h */
    const struct armilla_cuda_radial_table *radial;       /* cuda/radial.h */
    const struct armilla_cuda_points_table *points;       /* cuda/points_group.h */
    const struct armilla_cuda_lensing_table *lensing;     /* cuda/pointing.h */
    const struct armilla_cuda_missing_table *missing;     /* cuda/missing.h */
    const struct armilla_cuda_delegate_table *delegate;   /* cuda/delegate.h */
} armilla_cuda_tables;

/* NULL in a library without CUDA; whoever comes behind armilla_cuda_check_devices, or has something
 * that was made on a GPU, need not ask whether it is. */
const armilla_cuda_tables *armilla_cuda(void);

/* Can the GPUs of a list be used? Without a list (ndevices = 0): can any? Errors: UNSUPPORTED (no
 * GPU can be used: says why not), ARGUMENT (a number that no GPU has: names it as the options do).
 */
armilla_status armilla_cuda_check_devices(const int *devices, int64_t ndevices);

/* How everything begins that is made here for others to keep. */
typedef struct armilla_cuda_object {
    void (*free)(void *object);
    int device;    /* the number of its GPU; of several, the first one */
    int64_t bytes; /* that it takes there; of several, of the GPU that has to hold most */
} armilla_cuda_object;

/* object: one of them, or NULL, which has nothing. */
static inline int64_t armilla_cuda_bytes(const void *object)
{
    return object ? ((const armilla_cuda_object *)object)->bytes : 0;
}

static inline int armilla_cuda_device(const void *object)
{
    return object ? ((const armilla_cuda_object *)object)->device : 0;
}

static inline void armilla_cuda_free(void *object)
{
    if (object) ((const armilla_cuda_object *)object)->free(object);
}

#endif
