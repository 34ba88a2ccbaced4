/* For the tests of maps in pieces: maps of all types of fields, files compared. */
#ifndef TEST_IO_STREAM_SCENE_H
#define TEST_IO_STREAM_SCENE_H

#include "test_io_support.h"

#include <math.h>

enum { SEED = 20250117 };

static const armilla_io_type every_type[] = {ARMILLA_IO_DOUBLE, ARMILLA_IO_FLOAT, ARMILLA_IO_INT16,
                                             ARMILLA_IO_INT32,  ARMILLA_IO_INT64, ARMILLA_IO_UINT8,
                                             ARMILLA_IO_BOOL};

/* Values with both signs, both marks of missing pixels, and no fraction in integer fields. */
static inline armilla_map *make_map(int64_t nside, int64_t nfields, const armilla_io_type *types)
{
    armilla_map *map;
    uint64_t state = SEED;
    assert_works(armilla_map_new(nside, nfields, &map));
    for (int64_t f = 0; f < nfields; f++) {
        map->fields[f].type = types[f];
        for (int64_t i = 0; i < map->npix; i++) {
            const double value = (double)draw_below(&state, 20001) - 10000;
            const int is_byte = types[f] == ARMILLA_IO_UINT8 || types[f] == ARMILLA_IO_BOOL;
            map->fields[f].values[i] = is_byte                        ? (double)(i % 2)
                                       : i % 37 == 5                  ? ARMILLA_UNSEEN
                                       : i % 41 == 6                  ? (double)NAN
                                       : types[f] <= ARMILLA_IO_FLOAT ? value / 7
                                                                      : value;
        }
    }
    return map;
}

static inline void assert_same_files(const char *a, const char *b)
{
    size_t na, nb;
    unsigned char *x = get_bytes(a, &na), *y = get_bytes(b, &nb);
    assert_int_equal(na, nb);
    for (size_t i = 0; i < na; i++)
        if (x[i] != y[i]) fail_msg("byte %zu of %s and %s: %d, %d", i, a, b, x[i], y[i]);
    free(x);
    free(y);
}

static inline armilla_write_options default_options(void)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    return options;
}

#endif
