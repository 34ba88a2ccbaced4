/* Between spectra of masks [nmasks][lmask + 1] and the nodes [nmasks][pairs][2]. */
#ifndef ARMILLA_COUPLING_MASKS_H
#define ARMILLA_COUPLING_MASKS_H

#include "coupling/plan.h"

/* weight: 2 pi, the weight of the node, and xi_w. Errors: MEMORY. */
armilla_status armilla_coupling_weigh(const armilla_coupling *coupling, const double *masks,
                                      double *weight);

/* The adjoint, of values that have the weights of their nodes; degrees above 2 lmax become 0.
 * Errors: MEMORY. */
armilla_status armilla_coupling_collect(const armilla_coupling *coupling, const double *values,
                                        double *masks);

#endif
