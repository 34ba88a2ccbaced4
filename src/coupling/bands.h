/* Bands of degrees, as the functions of a plan take them. */
#ifndef ARMILLA_COUPLING_BANDS_H
#define ARMILLA_COUPLING_BANDS_H

#include "coupling/plan.h"

/* *bands = the caller's. Errors: ARGUMENT, which names a band, or a degree. */
armilla_status armilla_bands_take(const armilla_bands *given, int64_t lmax, armilla_bands *bands);

static inline double armilla_bands_weight(const armilla_bands *bands, int64_t l)
{
    return bands->weights ? bands->weights[l] : 1;
}

static inline double armilla_bands_factor(const armilla_bands *bands, int64_t l)
{
    return bands->factor ? bands->factor[l] : 1;
}

/* The sum of a band's weights. */
double armilla_bands_sum(const armilla_bands *bands, int64_t band);

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

/* Bands of a pair of masks, as vectors of a product; two spins take them in twos, and the last of
 * an odd number is followed by an empty one. */
static inline int64_t armilla_coupling_band_vectors(const armilla_coupling *coupling,
                                                    int64_t nbands)
{
    return coupling->nkinds == 2 ? (nbands + 1) / 2 * 2 : nbands;
}

#endif
