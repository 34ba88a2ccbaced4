/* Leg <-> values at points: sums over orders, where rings have points of any longitude and FFTs
 * would be of no use; docs/mathematics.md (7.9). */
#ifndef ARMILLA_POINTS_WAVES_H
#define ARMILLA_POINTS_WAVES_H

#include "base/array.h"
#include "base/work.h"
#include "leg/leg.h"
#include "points/dispatch.h"
#include "points/jet.h"
#include "points/latitudes.h"

typedef struct armilla_wave_field {
    const armilla_leg *leg; /* one block of pairs; NULL: the field is 0 */
    int64_t set, nsets;     /* of transform t: set + t nsets */
} armilla_wave_field;

typedef struct armilla_waves {
    const armilla_points_kernels *kernels;
    const armilla_latitudes *latitudes;
    int64_t mmax, nfields;
    int64_t ntrans; /* that share the phases of points */
    armilla_wave_field field[ARMILLA_JET_FIELDS];
    const double (*mixing)[ARMILLA_JET_FIELDS];
    armilla_array values; /* component c of transform t at the caller's point i is number
                             (t nfields + c) distance + i */
    int64_t distance;
    double *shared; /* armilla_waves_shared doubles, 64-byte aligned */
} armilla_waves;

int64_t armilla_waves_shared(const armilla_points_kernels *kernels, int64_t mmax, int64_t npoints,
                             int64_t ntrans);
int64_t armilla_waves_scratch(int64_t mmax); /* of a thread */

/* The points of the pairs first_pair .. first_pair + npairs - 1, which all legs have.
 * to_points: their values are written. from_points: all entries of the legs that exist are. */
void armilla_waves_to_points(const armilla_waves *waves, int64_t first_pair, int64_t npairs,
                             const armilla_work *work);
void armilla_waves_from_points(const armilla_waves *waves, int64_t first_pair, int64_t npairs,
                               const armilla_work *work);

#endif
