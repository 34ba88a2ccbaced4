/* Reads and writes the samples of one ring in a map of NESTED order, face by face. Single pixels
 * are two integer steps apart; where x is a multiple of eight, eight pixels are in two blocks of 8
 * x 8 pixels, 64 neighbours in the map each:
 *
 *     pixel k of the eight: x = k, y = s - k modulo 8, in the upper block while k <= s
 *
 * with the same s, y modulo 8, all along the face, for which each loop is compiled. */
#include "ringfft/nested_samples.h"

#include "base/compiler.h"
#include "base/integer.h"
#include "base/nested.h"

enum { WRITE, ADD, READ, BLOCK = 8, WINDOW = 1024 /* samples of a ring, by measurement */ };

/* Dilated numbers (base/nested.h): 7 and 8 of x, 7 and 8 of y. */
static const uint64_t X_LOW = 0x15, X_BLOCK = 0x40, Y_LOW = 0x2a, Y_BLOCK = 0x80;

/* Between a buffer and the items of a map; constants but for the pointers where it is compiled. */
typedef struct {
    double scale;
    int act, is_float, step;
} transfer;

ARMILLA_ALWAYS_INLINE void move_pixel(const transfer t, void *values, uint64_t pixel,
                                      double *restrict sample)
{
    double *restrict d = (double *)values + pixel;
    float *restrict f = (float *)values + pixel;
    if (t.act == WRITE && t.is_float)
        *f = (float)(t.scale * *sample);
    else if (t.act == WRITE)
        *d = t.scale * *sample;
    else if (t.act == ADD && t.is_float)
        *f += (float)(t.scale * *sample);
    else if (t.act == ADD)
        *d += t.scale * *sample;
    else
        *sample = t.is_float ? (double)*f : *d;
}

/* Pixels one by one. */
ARMILLA_ALWAYS_INLINE void move_single(const transfer t, void *values, int64_t count,
                                       armilla_nested_run *run, double **buffer)
{
    for (int64_t k = 0; k < count; k++, *buffer += t.step) {
        move_pixel(t, values, run->x | run->y, *buffer);
        armilla_nested_step(run);
    }
    run->count -= count;
}

ARMILLA_ALWAYS_INLINE uint64_t place_in_block(int k, int s)
{
    const int y = (s - k) & (BLOCK - 1);
    return (uint64_t)((k & 1) | (k & 2) << 1 | (k & 4) << 2 | (y & 1) << 1 | (y & 2) << 2 |
                      (y & 4) << 3);
}

/* Eights of pixels. */
ARMILLA_ALWAYS_INLINE void move_eights(const transfer t, void *values, int64_t eights,
                                       armilla_nested_run *run, double **buffer, const int s)
{
    uint64_t x = run->x, y = run->y & ~Y_LOW;
    double *samples = *buffer;
    for (int64_t i = 0; i < eights; i++, samples += BLOCK * t.step) {
        const uint64_t below = (y - Y_BLOCK) & ARMILLA_NESTED_ODD, upper = x | y, lower = x | below;
        for (int k = 0; k <= s; k++)
            move_pixel(t, values, upper + place_in_block(k, s), samples + k * t.step);
        for (int k = s + 1; k < BLOCK; k++)
            move_pixel(t, values, lower + place_in_block(k, s), samples + k * t.step);
        x = ((x | ARMILLA_NESTED_ODD) + X_BLOCK) & ARMILLA_NESTED_EVEN, y = below;
    }
    *buffer = samples;
    run->x = x, run->y = y | (run->y & Y_LOW), run->count -= BLOCK * eights;
}

ARMILLA_ALWAYS_INLINE void move_blocks(const transfer t, void *values, int64_t eights,
                                       armilla_nested_run *run, double **buffer)
{
    switch (run->y & Y_LOW) {
    case 0x00:
        move_eights(t, values, eights, run, buffer, 0);
        break;
    case 0x02:
        move_eights(t, values, eights, run, buffer, 1);
        break;
    case 0x08:
        move_eights(t, values, eights, run, buffer, 2);
        break;
    case 0x0a:
        move_eights(t, values, eights, run, buffer, 3);
        break;
    case 0x20:
        move_eights(t, values, eights, run, buffer, 4);
        break;
    case 0x22:
        move_eights(t, values, eights, run, buffer, 5);
        break;
    case 0x28:
        move_eights(t, values, eights, run, buffer, 6);
        break;
    default:
        move_eights(t, values, eights, run, buffer, 7);
        break;
    }
}

ARMILLA_ALWAYS_INLINE void move_ring(const transfer t, armilla_array map,
                                     const armilla_nested_ring *ring, double *buffer)
{
    const int64_t end = ring->first + ring->count;
    for (int64_t j = ring->first; j < end;) {
        armilla_nested_run run = armilla_nested_run_at(&ring->scheme, ring->number, j, end - j);
        void *values = (char *)map.values + run.face * armilla_array_item_size(map);
        j += run.count;
        int64_t head = 0;
        for (uint64_t x = run.x; (x & X_LOW) && head < run.count; head++)
            x = (x - ARMILLA_NESTED_EVEN) & ARMILLA_NESTED_EVEN;
        move_single(t, values, head, &run, &buffer);
        if (run.count >= BLOCK) move_blocks(t, values, run.count / BLOCK, &run, &buffer);
        move_single(t, values, run.count, &run, &buffer);
    }
}

/* Steps of 1 and 2 are constants, too. */
#define MOVE_RING(act, is_float, scale, buffer)                                                    \
    do {                                                                                           \
        if (step == 1)                                                                             \
            move_ring((transfer){scale, act, is_float, 1}, map, ring, buffer);                     \
        else                                                                                       \
            move_ring((transfer){scale, act, is_float, 2}, map, ring, buffer);                     \
    } while (0)

void armilla_nested_write(armilla_array map, const armilla_nested_ring *ring, double scale,
                          const double *buffer, int step)
{
    if (map.is_float)
        MOVE_RING(WRITE, 1, scale, (double *)buffer);
    else
        MOVE_RING(WRITE, 0, scale, (double *)buffer);
}

void armilla_nested_add(armilla_array map, const armilla_nested_ring *ring, double scale,
                        const double *buffer)
{
    if (map.is_float)
        move_ring((transfer){scale, ADD, 1, 2}, map, ring, (double *)buffer);
    else
        move_ring((transfer){scale, ADD, 0, 2}, map, ring, (double *)buffer);
}

void armilla_nested_read(armilla_array map, const armilla_nested_ring *ring, double *buffer,
                         int step)
{
    if (map.is_float)
        MOVE_RING(READ, 1, 1, buffer);
    else
        MOVE_RING(READ, 0, 1, buffer);
}

/* Samples of a window of a quarter of a ring: quarters of neighbours begin next to each other. */
static void move_window(armilla_array map, const armilla_scheme *scheme,
                        const armilla_nested_row *row, int64_t quarter, int64_t first, int to_map)
{
    const int64_t length = row->count / 4, start = quarter * length + first;
    if (row->number < 0 || first >= length) return;
    const armilla_nested_ring ring = {*scheme, row->number, start,
                                      armilla_smaller(length - first, WINDOW)};
    if (to_map)
        armilla_nested_write(map, &ring, 1, row->samples + start, 1);
    else
        armilla_nested_read(map, &ring, row->samples + start, 1);
}

void armilla_nested_move_rows(armilla_array map, const armilla_scheme *scheme, int64_t nrows,
                              const armilla_nested_row *rows, int to_map)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < nrows; i++) longest = armilla_larger(longest, rows[i].count);
    for (int64_t quarter = 0; quarter < 4; quarter++)
        for (int64_t first = 0; 4 * first < longest; first += WINDOW)
            for (int64_t i = 0; i < nrows; i++)
                move_window(map, scheme, &rows[i], quarter, first, to_map);
}
