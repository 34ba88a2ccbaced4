/* A radial convolution on several GPUs: each has all tables, and makes some of the maps of a call,
 * or some rows of each map. Where the library is built without CUDA, absent/ has these functions.
 */
#ifndef ARMILLA_CUDA_RADIAL_DEVICES_H
#define ARMILLA_CUDA_RADIAL_DEVICES_H

#include "cuda/radial.h"

typedef struct armilla_cuda_radials armilla_cuda_radials;

/* Given:    problem  but for `scalar`;  scalars  of spin 2: the scalar plan's, on the same GPUs,
 *           which outlives the result; else NULL;  devices  ndevices >= 1 numbers, each once, that
 *           there are.
 * Errors:   MEMORY, UNSUPPORTED: names the GPU. */
armilla_status armilla_cuda_radials_new(const armilla_cuda_radial_problem *problem,
                                        const armilla_cuda_radials *scalars, const int *devices,
                                        int64_t ndevices, armilla_cuda_radials **radials);
void armilla_cuda_radials_free(armilla_cuda_radials *radials); /* NULL is allowed */

/* The first GPU's; tables, and bytes of calls, are alike on all of them. */
const armilla_cuda_radial *armilla_cuda_radials_first(const armilla_cuda_radials *radials);

/* Deals the maps of a call out, or where there are fewer of them than GPUs, the rows of all maps,
 * and waits for all GPUs; with one GPU it is armilla_cuda_radial_run. Bits do not depend on how
 * many there are. Given: call  without a range of rows. Errors: as armilla_cuda_radial_run, names
 * the GPU; ARGUMENT (arrays of a GPU, a stream). Thread rule: any number of calls at once. */
armilla_status armilla_cuda_radials_run(const armilla_cuda_radials *radials,
                                        const armilla_cuda_radial_call *call);

#endif
