/* Transforms whose Legendre stage works on fewer rings than the grid has: lmax + 2 equidistant
 * ones, from which theta_resample makes the columns of the grid's rings (docs/mathematics.md 6).
 *
 *     alm --legendre--> coarse rows --theta_resample--> leg --ringfft--> map
 *
 * A resampled column has all rings, so that a pass holds all rings and a part of the orders: one of
 * the two parts of the ring FFT (ringfft/ringfft.h), whose rows have even and odd orders in turn,
 * as the resampling wants them. Rings near the poles need few orders: leg is cut into blocks of
 * ring pairs, each with the rows that matter there:
 *
 *     leg = for each block: [row of the part][set][pair of the block][4]  */
#ifndef ARMILLA_SHT_FEWER_RINGS_H
#define ARMILLA_SHT_FEWER_RINGS_H

#include "sht/run.h"
#include "sht/theta_resample.h"

typedef struct armilla_fewer_rings armilla_fewer_rings;

/* Is that cheaper than the Legendre stage on every ring? */
int armilla_fewer_rings_pay(const armilla_grid *grid, int64_t lmax);

/* Errors: MEMORY. */
armilla_status armilla_fewer_rings_new(armilla_isa isa, const armilla_grid *grid, int64_t lmax,
                                       int64_t mmax, int64_t spin, armilla_fewer_rings **fewer);
void armilla_fewer_rings_free(armilla_fewer_rings *fewer);

/* The equidistant rings, for the Legendre stage. */
int64_t armilla_fewer_rings_count(const armilla_fewer_rings *fewer);
const double *armilla_fewer_rings_theta(const armilla_fewer_rings *fewer);

/* Tells where the Legendre stage has put each of its pairs. Errors: MEMORY. */
armilla_status armilla_fewer_rings_place(armilla_fewer_rings *fewer,
                                         const armilla_legendre *legendre);

/* Doubles of leg, of scratch per thread beyond that of the other stages; bytes held. */
int64_t armilla_fewer_rings_leg_size(const armilla_fewer_rings *fewer, int64_t sets);
int64_t armilla_fewer_rings_scratch_size(const armilla_fewer_rings *fewer, int64_t sets);
int64_t armilla_fewer_rings_bytes(const armilla_fewer_rings *fewer);

/* All passes of one batch of transforms; the plan has this way to run. */
void armilla_fewer_rings_run(armilla_run *r, int to_map);

#endif
