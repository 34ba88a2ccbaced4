/* How many Fourier coefficients K_m(theta_p, theta_q) of a radial kernel matter, found from the
 * kernel itself. */
#ifndef ARMILLA_RADIAL_MIXING_BAND_H
#define ARMILLA_RADIAL_MIXING_BAND_H

#include "radial/mixing/dispatch.h"

enum { ARMILLA_MIXING_KNOTS = 32 };

typedef struct armilla_mixing_band {
    int smooth;    /* has the kernel a band limit? */
    int64_t least; /* orders of the poles: 0; of spin 2: 2 */
    /* orders that matter on a ring with sin(theta) = i / KNOTS */
    int64_t limit[ARMILLA_MIXING_KNOTS + 1];
} armilla_mixing_band;

/* Given: most, a band limit beyond which the kernel counts as not smooth. Errors: ARGUMENT,
 * MEMORY. */
armilla_status armilla_mixing_band_find(const armilla_mixing_kernels *kernels,
                                        const armilla_profile *profile, int64_t most,
                                        armilla_mixing_band *band);

/* The largest order that matters on a ring, for a smooth kernel. It grows with sine. */
int64_t armilla_mixing_band_limit(const armilla_mixing_band *band, double sine);

#endif
