/* For the tests of map files on grids of rings: grids whose layout adds to the longitudes, and
 * whether two grids are the same. */
#ifndef TEST_IO_GRIDS_H
#define TEST_IO_GRIDS_H

#include "test_io_support.h"

static inline void assert_same_rings(const armilla_grid *a, const armilla_grid *b)
{
    assert_int_equal(armilla_grid_nrings(a), armilla_grid_nrings(b));
    assert_int_equal(armilla_grid_npix(a), armilla_grid_npix(b));
    assert_int_equal(armilla_grid_exact_lmax(a), armilla_grid_exact_lmax(b));
    for (int64_t r = 0; r < armilla_grid_nrings(a); r++) {
        armilla_ring x, y;
        assert_works(armilla_grid_ring(a, r, &x));
        assert_works(armilla_grid_ring(b, r, &y));
        assert_int_equal(x.nphi, y.nphi);
        assert_int_equal(x.offset, y.offset);
        assert_true(bits_of(x.theta) == bits_of(y.theta) && bits_of(x.phi0) == bits_of(y.phi0));
        assert_true(bits_of(x.weight) == bits_of(y.weight));
    }
}

static inline armilla_grid *new_turned(const char *name, double phi0)
{
    armilla_grid *plain = NULL, *grid = NULL;
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.phi0 = phi0;
    assert_works(armilla_grid_new_named(name, &plain));
    assert_works(armilla_grid_new_laid_out(plain, &layout, &grid));
    armilla_grid_free(plain);
    return grid;
}

#endif
