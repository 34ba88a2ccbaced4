/* Means over weights on a GPU for plans whose sums of weights are maps of their own, as the method
 * RINGS and the mode STANDARD have them:
 *
 *     sums of weights, and of ones --> divisors        once for all maps of a call
 *     map times weights --a plan's sums--> over the divisors, or fill
 *
 * and what a call has to know of weights that are in the memory of a GPU. Where the library is
 * built without CUDA, absent/ has these functions. */
#ifndef ARMILLA_CUDA_RADIAL_MEANS_H
#define ARMILLA_CUDA_RADIAL_MEANS_H

#include "armilla/device.h"
#include "base/array.h"
#include "base/status.h"
#include "cuda/radial.h"

/* One field, on the device; the sums lie apart from it. */
typedef struct armilla_cuda_sums {
    int scalar; /* one component, by the kernel that sums weights */
    armilla_array in, out;
    int64_t in_distance, out_distance; /* from one component to the next */
    void *stream;
} armilla_cuda_sums;

/* Puts a plan's sums, without divisors, on the stream; pixels of no ring stay as they are. */
typedef armilla_status (*armilla_cuda_sums_fn)(const void *plan, const armilla_cuda_sums *sums);

typedef struct armilla_cuda_means_call {
    armilla_cuda_sums_fn sum;
    const void *plan;
    int device;
    int64_t npix, samples, ncomp;               /* of a map, of its rings; components */
    const armilla_cuda_radial_weights *weights; /* on the host, or on the device */
    double scale;                               /* of weights beside maps */
    armilla_array map, out;
    int64_t ntrans, distance;
    armilla_memory memory;
    void *stream;
    armilla_progress_fn progress;
    void *progress_data;
} armilla_cuda_means_call;

/* Waits for the result. Device bytes beside what the plan's sums take: 8 npix for each of the
 * weights, if they are on the host, the divisors, the sums of ones and the components of a map.
 * Errors: ARGUMENT, MEMORY, UNSUPPORTED (an error of CUDA; a stream that is captured), CANCELLED.
 */
armilla_status armilla_cuda_means_run(const armilla_cuda_means_call *call);

/* Looks at weights in the memory of the device, and waits for that.
 * Given:    weights[count]  at the order of the stream.
 * Returned: *largest.
 * Errors:   ARGUMENT (one is negative or not finite: names it), MEMORY, UNSUPPORTED (an error of
 *           CUDA; a stream that is captured). */
armilla_status armilla_cuda_weights_look_at(int device, const double *weights, int64_t count,
                                            void *stream, double *largest);

/* Copies them to the host. Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_cuda_weights_take(int device, const double *weights, int64_t count,
                                         void *stream, double *host);

#endif
