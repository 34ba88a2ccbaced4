/* The samples of one ring, between a map (double or float, any stride) and every second double of a
 * buffer. */
#ifndef ARMILLA_RINGFFT_SAMPLES_H
#define ARMILLA_RINGFFT_SAMPLES_H

#include "ringfft/ringfft.h"

/* map[ring] = scale * buffer[0, 2, 4, ...] */
void armilla_samples_write(armilla_array map, const armilla_ring *ring, double scale,
                           const double *buffer);

/* map[ring] += scale * buffer[0, 2, 4, ...] */
void armilla_samples_add(armilla_array map, const armilla_ring *ring, double scale,
                         const double *buffer);

/* buffer[0, 2, 4, ...] = map[ring], n values; zeros if ring is NULL */
void armilla_samples_read(armilla_array map, const armilla_ring *ring, int64_t n, double *buffer);

#endif
