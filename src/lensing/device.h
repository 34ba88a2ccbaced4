/* Lensing on a GPU: the deflection, the directions and the values that turn stay there; points are
 * those of a plan for points on the same GPU. What the kernels do is in src/cuda/pointing.h. With
 * several GPUs the first one makes the directions, which go by the host to those whose strips see
 * them, and values turn on the GPU that has them (src/cuda/points_group.h). */
#ifndef ARMILLA_LENSING_DEVICE_H
#define ARMILLA_LENSING_DEVICE_H

#include "lensing/plan.h"

/* Is the GPU one that a plan can be on? Returns ARMILLA_OK for the processor. Errors: ARGUMENT
 * (options->points_memory: the plan makes the points), UNSUPPORTED. */
armilla_status armilla_lensing_check_device(const armilla_points_options *options);

/* Directions into *pointing, whose grid and count are there: in the memory of the GPU of
 * options->devices, or without a list of the calling thread's current one; with several GPUs on the
 * host. The coefficients may be in the memory of the GPU, the first one of several. Errors:
 * ARGUMENT (names the pixel whose deflection is not finite), MEMORY, UNSUPPORTED. */
armilla_status armilla_pointing_make_device(armilla_pointing *pointing,
                                            const armilla_deflection *deflection,
                                            const armilla_points_options *options);

/* Are these the GPUs of the directions? Without a list they are. Errors: ARGUMENT. */
armilla_status armilla_pointing_check_list(const armilla_pointing *pointing,
                                           const armilla_points_options *options);

/* Points of the directions, on their GPUs. Errors: as armilla_points_new. */
armilla_status armilla_lensing_make_device(armilla_lensing *lensing, int64_t lmax, int64_t mmax,
                                           const armilla_points_options *options);

/* Device bytes that a call takes beside what its points take: of the direction that takes more,
 * without copies of host arrays. */
int64_t armilla_lensing_device_workspace(const armilla_lensing *lensing);

#endif
