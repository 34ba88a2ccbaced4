/* Reads and writes the samples of one ring in a map of NESTED order, face by face, where two
 * integer steps lead from pixel to pixel. */
#include "ringfft/nested_samples.h"

#include "base/compiler.h"
#include "base/nested.h"

enum { WRITE, ADD, READ };

/* The loop over a run; all but the run and the pointers are constants where it is compiled. */
#define FOR_PIXELS(type, statement)                                                                \
    do {                                                                                           \
        type *values = (type *)map.values + run.face;                                              \
        for (int64_t k = 0; k < run.count; k++, buffer += step) {                                  \
            type *value = &values[run.x | run.y];                                                  \
            statement;                                                                             \
            armilla_nested_step(&run);                                                             \
        }                                                                                          \
    } while (0)

ARMILLA_ALWAYS_INLINE void move_run(armilla_array map, armilla_nested_run run, double scale,
                                    double *buffer, int64_t step, const int act)
{
    if (act == WRITE && map.is_float)
        FOR_PIXELS(float, *value = (float)(scale * *buffer));
    else if (act == WRITE)
        FOR_PIXELS(double, *value = scale * *buffer);
    else if (act == ADD && map.is_float)
        FOR_PIXELS(float, *value += (float)(scale * *buffer));
    else if (act == ADD)
        FOR_PIXELS(double, *value += scale * *buffer);
    else if (map.is_float)
        FOR_PIXELS(float, *buffer = (double)*value);
    else
        FOR_PIXELS(double, *buffer = *value);
}

ARMILLA_ALWAYS_INLINE void move_ring(armilla_array map, const armilla_nested_ring *ring,
                                     double scale, double *buffer, int64_t step, const int act)
{
    const int64_t end = ring->first + ring->count;
    for (int64_t j = ring->first; j < end;) {
        const armilla_nested_run run =
            armilla_nested_run_at(&ring->scheme, ring->number, j, end - j);
        move_run(map, run, scale, buffer, step, act);
        j += run.count, buffer += run.count * step;
    }
}

void armilla_nested_write(armilla_array map, const armilla_nested_ring *ring, double scale,
                          const double *buffer, int64_t step)
{
    move_ring(map, ring, scale, (double *)buffer, step, WRITE);
}

void armilla_nested_add(armilla_array map, const armilla_nested_ring *ring, double scale,
                        const double *buffer, int64_t step)
{
    move_ring(map, ring, scale, (double *)buffer, step, ADD);
}

void armilla_nested_read(armilla_array map, const armilla_nested_ring *ring, double *buffer,
                         int64_t step)
{
    move_ring(map, ring, 1, buffer, step, READ);
}
