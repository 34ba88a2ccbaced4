/* The samples of one ring of a map in NESTED order (base/nested.h), between the map (double or
 * float) and every step'th double of a buffer, where step is 1 or 2. */
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
                          const double *buffer, int step);

/* map[ring] += scale * buffer[0, 2, 4, ...] */
void armilla_nested_add(armilla_array map, const armilla_nested_ring *ring, double scale,
                        const double *buffer);

/* buffer[0, step, 2 step, ...] = map[ring] */
void armilla_nested_read(armilla_array map, const armilla_nested_ring *ring, double *buffer,
                         int step);

/* All samples of some rings, one behind the other in memory: to the map, or from it. Rings that are
 * neighbours share cache lines of the map, and go together through these. */
typedef struct armilla_nested_row {
    int64_t number, count; /* of the ring, -1: none; its samples */
    double *samples;
} armilla_nested_row;

void armilla_nested_move_rows(armilla_array map, const armilla_scheme *scheme, int64_t nrows,
                              const armilla_nested_row *rows, int to_map);

#endif
