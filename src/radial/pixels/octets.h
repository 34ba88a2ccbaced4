/* Between maps and rows of octets. */
#ifndef ARMILLA_RADIAL_OCTETS_H
#define ARMILLA_RADIAL_OCTETS_H

#include "radial/pixels/pixels.h"

/* A source row, both margins included, from the map of set `set`: times the weights of the grid
 * (adjoint: over the divisors of SUM). Set 0 are the job's weights, if it has any; then the maps.
 */
void armilla_radial_pack(const armilla_radial_job *job, const armilla_maps *maps, int64_t set,
                         int64_t source, double *slot);

/* The sums of a row of output, [set][positions] octets `distance` doubles apart, to the maps.
 * norm: per position the sum of weights and kernel values, for jobs with weights. */
void armilla_radial_unpack(const armilla_radial_job *job, const armilla_maps *maps, int64_t row,
                           const double *sums, int64_t distance, const double *norm);

#endif
