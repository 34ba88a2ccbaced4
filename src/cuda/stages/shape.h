/* Shapes: the ways in which the kernels of the Legendre stage on a GPU can share their work, by
 * name, and which of them a GPU can run. */
#ifndef ARMILLA_CUDA_STAGES_SHAPE_H
#define ARMILLA_CUDA_STAGES_SHAPE_H

#include "armilla/status.h"

#include <stdint.h>

/* A thread has up to `vectors` ring pairs, a warp `lanes` as many, a block of threads `warps`
 * warps. The results of two shapes differ by rounding; those of one are the same bits from run to
 * run. */
typedef struct armilla_cuda_shape {
    const char *name; /* "v4w4": four vectors, four warps */
    int64_t lanes, vectors;
    int32_t warps;
    int32_t tensor; /* sums of two and more sets by FP64 tensor cores; "t" in the name */
} armilla_cuda_shape;

/* The shapes that there are, from number 0 on; NULL behind the last one. */
const armilla_cuda_shape *armilla_cuda_shape_at(int64_t number);
/* The one to take for so many pairs where nothing was measured. two_floats: are calls of doubles in
 * two floats? */
const armilla_cuda_shape *armilla_cuda_default_shape(int64_t npairs, int two_floats);

/* suits: does the library have kernels of the shape with bodies for the calling thread's current
 * GPU? Errors: UNSUPPORTED (a CUDA error). */
armilla_status armilla_cuda_shape_suits(const armilla_cuda_shape *shape, int *suits);

/* Errors: UNSUPPORTED, where the current GPU has no kernels of the shape: names it as
 * options->device_shape. */
armilla_status armilla_cuda_check_shape(const armilla_cuda_shape *shape);

/* Errors: UNSUPPORTED, where the current GPU has no kernels whose sums are products of halves:
 * names options->device_precision. */
armilla_status armilla_cuda_check_halves(void);

typedef struct armilla_cuda_shape_table {
    const armilla_cuda_shape *(*at)(int64_t number); /* armilla_cuda_shape_at */
    /* armilla_cuda_default_shape */
    const armilla_cuda_shape *(*usual)(int64_t npairs, int two_floats);
    /* The shape of a name. Errors: ARGUMENT, names options->device_shape; those of
     * armilla_cuda_check_shape. */
    armilla_status (*find)(const char *name, const armilla_cuda_shape **shape);
    armilla_status (*check_halves)(void); /* armilla_cuda_check_halves */
} armilla_cuda_shape_table;

extern const armilla_cuda_shape_table armilla_cuda_shape_functions;

#endif
