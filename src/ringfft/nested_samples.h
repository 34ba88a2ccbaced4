/* The samples of one ring of a map in NESTED order (base/nested.h), between the map (double or
 * float) and every step'th double of a buffer. */
#ifndef ARMILLA_RINGFFT_NESTED_SAMPLES_H
#define ARMILLA_RINGFFT_NESTED_SAMPLES_H

#include "base/array.h"
#include "base/healpix.h"

/* The samples first .. first + count - 1 of a ring. */
typedef struct armilla_nested_ring {
    armilla_scheme scheme;
    int64_t number; /* of the ring, 0 is the northernmost */
    int64_t first, count;
} armilla_nested_ring;

/* map[ring] = scale * buffer[0, step, 2 step, ...] */
void armilla_nested_write(armilla_array map, const armilla_nested_ring *ring, double scale,
                          const double *buffer, int64_t step);

/* map[ring] += scale * buffer[0, step, 2 step, ...] */
void armilla_nested_add(armilla_array map, const armilla_nested_ring *ring, double scale,
                        const double *buffer, int64_t step);

/* buffer[0, step, 2 step, ...] = map[ring] */
void armilla_nested_read(armilla_array map, const armilla_nested_ring *ring, double *buffer,
                         int64_t step);

#endif
