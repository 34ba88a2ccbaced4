/* Maps in RING and in NESTED order beside each other, for the tests of grids in NESTED order. */
#ifndef ARMILLA_TESTS_NESTED_SCENE_H
#define ARMILLA_TESTS_NESTED_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <string.h>

static inline armilla_grid *nested_of(const armilla_grid *grid)
{
    const armilla_grid_layout layout = {.size = sizeof layout, .nested = 1};
    armilla_grid *made;
    check_ok(armilla_grid_new_laid_out(grid, &layout, &made));
    return made;
}

static inline armilla_grid *nested_grid(int64_t nside)
{
    armilla_grid *ring = healpix_grid(nside), *made = nested_of(ring);
    armilla_grid_free(ring);
    return made;
}

/* `count` maps of items of `size` bytes, one behind the other, from RING order to NESTED. */
static inline void to_nested(int64_t nside, int64_t count, size_t size, const void *ring,
                             void *nested)
{
    const int64_t npix = armilla_healpix_npix(nside);
    for (int64_t i = 0; i < count * npix; i++) {
        const int64_t at = i / npix * npix + armilla_healpix_ring_to_nest(nside, i % npix);
        memcpy((char *)nested + (size_t)at * size, (const char *)ring + (size_t)i * size, size);
    }
}

/* Fails unless the maps in NESTED order are those in RING order, bit for bit. */
static inline void check_moved(int64_t nside, int64_t count, size_t size, const void *ring,
                               const void *nested, const char *what)
{
    const int64_t npix = armilla_healpix_npix(nside);
    for (int64_t i = 0; i < count * npix; i++) {
        const int64_t at = i / npix * npix + armilla_healpix_ring_to_nest(nside, i % npix);
        if (memcmp((const char *)nested + (size_t)at * size, (const char *)ring + (size_t)i * size,
                   size) == 0)
            continue;
        print_error("nside %lld, pixel %lld (RING): %s\n", (long long)nside, (long long)i, what);
        fail();
    }
}

#endif
