/* What plans share: makes it of a call's options, counts its users, frees it. */
#ifndef ARMILLA_POINTS_CORES_H
#define ARMILLA_POINTS_CORES_H

#include "points/plan.h"

/* What of a core has no memory, by checked options. */
armilla_points_core armilla_points_core_given(int64_t lmax, int64_t mmax,
                                              const armilla_points_options *options,
                                              const armilla_machine *machine);

/* The cheapest for so many points of such an extent. mmax: of the layout. Errors: ARGUMENT, if the
 * upsampling and taps that were asked for cannot reach epsilon. */
armilla_status armilla_points_choose_sampling(const armilla_points_core *given, int64_t mmax,
                                              int64_t npoints, const armilla_points_extent *extent,
                                              armilla_sampling *sampling);

/* A core with what is given and a sampling: without a layout, to be made. Errors: MEMORY. */
armilla_status armilla_points_core_new(const armilla_points_core *given,
                                       const armilla_sampling *sampling,
                                       armilla_points_core **core);

/* One that is made, with a copy of the layout; NULL: the triangle of given->mmax. Errors: MEMORY.
 */
armilla_status armilla_points_core_whole(const armilla_points_core *given,
                                         const armilla_alm_layout *layout,
                                         const armilla_sampling *sampling,
                                         armilla_points_core **core);

/* Gives one share of it back; the last one frees it. NULL is allowed. */
void armilla_points_core_release(armilla_points_core *core);

#endif
