/* Bands of degrees, as the functions of a plan take them. */
#ifndef ARMILLA_COUPLING_BANDS_H
#define ARMILLA_COUPLING_BANDS_H

#include "coupling/plan.h"

/* *bands = the caller's. Errors: ARGUMENT, which names a band, or a degree. */
armilla_status armilla_bands_take(const armilla_bands *given, int64_t lmax, armilla_bands *bands);

/* How much a spectrum counts in the mean of a band at each degree of the band: row[lmax + 1], other
 * degrees are left as they are. */
void armilla_bands_fill(const armilla_bands *bands, int64_t band, double *row);

/* Adds a kind to M+ and M-, or sets the only one. `of` is where that of M+ is, and `next` numbers
 * on that of M-. */
static inline void armilla_coupling_add_kind(int64_t nkinds, int kind, int64_t next, double value,
                                             double *of)
{
    if (nkinds == 1)
        *of = value;
    else if (kind == 0)
        of[0] = of[next] = 0.5 * value;
    else
        of[0] += 0.5 * value, of[next] -= 0.5 * value;
}

/* Errors: ARGUMENT, which names the first value that is not finite by its spectrum and degree. */
armilla_status armilla_coupling_check_spectra(const char *name, int64_t count, int64_t lmax,
                                              const double *cl);

/* exec, or its defaults, for a plan of the host. Errors: ARGUMENT. */
armilla_status armilla_coupling_check(const armilla_coupling *coupling, const armilla_exec *exec,
                                      armilla_exec *resolved);

#endif
