/* Potentials at points of similar radii, by interpolation between spheres. */
#ifndef ARMILLA_SOLID_SHELLS_H
#define ARMILLA_SOLID_SHELLS_H

#include "alm/layout.h"
#include "base/progress.h"
#include "solid/choose.h"
#include "solid/places.h"

typedef struct armilla_solid_shells {
    const armilla_solid_places *places;
    const int64_t *number; /* the caller's, of points with rising radius */
    const double *log_r;
    const armilla_alm_layout *layout;
    const armilla_solid_options *options;
    const double *alm; /* [ntrans], alm_distance complex numbers apart */
    double *values;    /* [ntrans][ncomp], distance apart */
    int64_t ntrans, ncomp, alm_distance, distance;
    int nthreads;
    armilla_progress *progress;
} armilla_solid_shells;

/* Errors: MEMORY, CANCELLED. */
armilla_status armilla_solid_shells_run(const armilla_solid_shells *shells,
                                        const armilla_solid_shell *shell);

#endif
