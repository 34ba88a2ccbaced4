/* Plans for points on a GPU: their stages and sorted points there (src/cuda/points_transform.h),
 * made of what a plan on the processor is made of, and calls, in which no number leaves the device
 * unless the caller's arrays are on the host. Whoever needs values at points that a kernel has made
 * (src/lensing) makes a plan with options.points_memory = DEVICE and calls it with
 * exec->memory = DEVICE. */
#ifndef ARMILLA_POINTS_DEVICE_H
#define ARMILLA_POINTS_DEVICE_H

#include "points/plan.h"

/* Is the device one, and here, like all of a list? Errors: ARGUMENT, UNSUPPORTED (says why no GPU
 * can be used). */
armilla_status armilla_points_device_check(const armilla_points_options *options);

/* Bytes that a call may take by default: what all stages of one transform need where nothing goes
 * piece by piece, if the GPU has so much to spare (of several, the one that has least); else twice
 * what alm and values take, and 512 MiB at least. Given: what of a core has no memory; a sampling.
 * Errors: UNSUPPORTED. */
armilla_status armilla_points_device_budget(const armilla_points_core *given,
                                            const armilla_sampling *sampling, int64_t array_bytes,
                                            int64_t *bytes);

/* Strips: as few as have room one by one, as many for each GPU, and so few that the last one has
 * two bands where there are several. Given: what of a core comes before its strips. */
int64_t armilla_points_device_strips(const armilla_points_core *core);

/* Vectors of the GPU's kernels, for the Legendre stage of near rings. */
armilla_status armilla_points_device_begin(armilla_points_core *core,
                                           armilla_legendre_problem *problem);

/* The stages, behind all else of a core. Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_points_device_make(armilla_points_core *core,
                                          const armilla_theta_problem *theta);
void armilla_points_device_free(armilla_points_device *device); /* NULL is allowed */

/* --- Points ---------------------------------------------------------------------------------- */

/* Are the points in memory of the current device? Then *points becomes their address there, and
 * they are looked at there. Several GPUs take points of the host alone. Given: what of a core has
 * no memory. Errors: ARGUMENT (names the first point that is wrong), MEMORY, UNSUPPORTED. */
armilla_status armilla_points_device_see(const armilla_points_core *given, int64_t npoints,
                                         const double **points, armilla_memory memory, int *there,
                                         armilla_points_extent *extent);

/* What sorted points are made of. Given: what of a core comes before its strips. */
armilla_cuda_points_problem armilla_points_device_problem(const armilla_points_core *core);

/* Sorts them. Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_points_device_sort(const armilla_points_core *core, int64_t npoints,
                                          const double *points, int there,
                                          armilla_cuda_points_shares **sorted);
/* --- Calls ----------------------------------------------------------------------------------- */

/* Errors: as the `run` of cuda/points_group.h. Given: exec resolved. */
armilla_status armilla_points_device_run(const armilla_points *plan, int to_points,
                                         armilla_array alm, armilla_array values,
                                         const armilla_exec *exec);

/* The number of the plan's GPU, the first one of several. */
int armilla_points_device_number(const armilla_points_core *core);

/* What a call takes besides the arrays; of a plan on the processor, nothing. */
armilla_cuda_points_needs armilla_points_device_needs(const armilla_points *plan);

#endif
