/* Fourier coefficients of the rings of a few maps, made once for the plans of several kernels, with
 * as many orders as any of them reads. */
#ifndef ARMILLA_RADIAL_MIXING_SPECTRA_H
#define ARMILLA_RADIAL_MIXING_SPECTRA_H

#include "leg/leg.h"
#include "radial/mixing/mixing.h"

typedef struct armilla_mixing_spectra {
    const armilla_mixing *reader; /* borrowed: the plan that has most orders, whose ring stage
                                     transforms; NULL: there is nothing to read */
    int64_t nsets;
    armilla_ring_pairs pairs; /* those that it reads */
    int64_t *place;           /* of each pair of the grid in these, -1: not there */
    armilla_leg_layout layout;
    double *values; /* a leg of nsets */
} armilla_mixing_spectra;

/* Room for the coefficients of up to nsets maps.
 * Given:  count  plans of one grid, some of which may be NULL; they outlive *spectra;  nsets  0: to
 *         ask for bytes alone.
 * Errors: MEMORY; *spectra is empty then. */
armilla_status armilla_mixing_spectra_make(int64_t count, const armilla_mixing *const *mixings,
                                           int64_t nsets, armilla_mixing_spectra *spectra);
/* Bytes of what armilla_mixing_spectra_make takes for so many maps. */
int64_t armilla_mixing_spectra_bytes(const armilla_mixing_spectra *spectra, int64_t nsets);
void armilla_mixing_spectra_clear(armilla_mixing_spectra *spectra); /* an empty one is allowed */

/* Transforms the rings of nmaps <= nsets maps, weighted. Given: work, whose scratch of a thread has
 * armilla_mixing_scratch_size(reader) doubles or more. */
void armilla_mixing_spectra_read(const armilla_mixing_spectra *spectra, const armilla_maps *maps,
                                 int64_t nmaps, const armilla_work *work);

/* Pairs of the grid, as a side of a plan has them. */
typedef struct armilla_mixing_range {
    const int64_t *place; /* of each pair in those of leg, -1: not there */
    int64_t first, end;
} armilla_mixing_range;

/* Fills a plan's leg, of one block, with the pairs of a range. Returned: 0 where not all that leg
 * has of them was read; it is then as it was. */
int armilla_mixing_spectra_get(const armilla_mixing_spectra *spectra,
                               const armilla_mixing_range *range, const armilla_leg *leg,
                               int nthreads);

#endif
