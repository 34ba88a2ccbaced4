/* FFTs of a pair of rings: samples <-> spectrum, docs/mathematics.md (4.1), (4.4), (4.5). */
#ifndef ARMILLA_RINGFFT_TRANSFORM_H
#define ARMILLA_RINGFFT_TRANSFORM_H

#include "ringfft/plan.h"
#include "ringfft/spectrum.h"

/* A spectrum in scratch to be filled for armilla_ringfft_backward by armilla_spectrum_spread. ring:
 * either of the pair. */
armilla_spectrum armilla_ringfft_empty_spectrum(const armilla_ringfft *ringfft, int64_t ring,
                                                const armilla_ringfft_scratch *scratch);

/* Given:    rows: north and south ring, doubles without gaps, to be filled with samples times
 *           scale; or NULL.
 * Returned: NULL; without rows, north + i south, in scratch, not scaled. */
const double *armilla_ringfft_backward(const armilla_ringfft *ringfft, int64_t ring,
                                       const armilla_spectrum *spectrum, const double scale[2],
                                       double *const *rows, const armilla_ringfft_scratch *scratch);

/* Given:    rows: north and south ring, doubles without gaps; or NULL: scratch->z holds
 *           north + i south.
 * Returned: the spectrum, in scratch. */
armilla_spectrum armilla_ringfft_forward(const armilla_ringfft *ringfft, int64_t ring,
                                         double *const *rows,
                                         const armilla_ringfft_scratch *scratch);

#endif
