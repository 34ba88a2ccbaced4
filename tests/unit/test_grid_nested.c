/* Checks grids whose maps are HEALPix maps in NESTED order: where their pixels are, what is
 * refused, and that what the library does with such a map is, bit for bit, what it does with the
 * map in RING order. */
#include "test_nested_scene.h"

#include <math.h>
#include <stdlib.h>

#define PLAIN .size = sizeof(armilla_grid_layout)

static const armilla_grid_layout nested_layout = {PLAIN, .nested = 1};

/* --- Grids ------------------------------------------------------------------------------------ */

static void rings_stay_and_pixels_move(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 16; nside *= 2) {
        armilla_grid *plain = healpix_grid(nside), *grid = nested_of(plain);
        armilla_grid_layout told;
        armilla_grid_layout_init(&told);
        assert_int_equal(armilla_grid_get_kind(grid), ARMILLA_GRID_HEALPIX);
        assert_int_equal(armilla_grid_npix(grid), armilla_grid_npix(plain));
        for (int64_t r = 0; r < armilla_grid_nrings(plain); r++) {
            armilla_ring old, now;
            check_ok(armilla_grid_ring(plain, r, &old));
            check_ok(armilla_grid_ring(grid, r, &now));
            assert_int_equal(now.stride, 0); /* no common distance */
            assert_int_equal(now.offset, armilla_healpix_ring_to_nest(nside, old.offset));
            now.stride = old.stride, now.offset = old.offset;
            assert_memory_equal(&now, &old, sizeof now);
        }
        check_ok(armilla_grid_get_layout(grid, &told));
        assert_true(told.nested == 1 && told.ring_stride == 0 && told.pixel_stride == 1);
        check_ok(armilla_grid_get_layout(plain, &told));
        assert_int_equal(told.nested, 0);
        armilla_grid_free(grid);
        armilla_grid_free(plain);
    }
}

static void layouts_of_nested_grids(void **state)
{
    (void)state;
    const armilla_grid_layout turn = {PLAIN, .phi0 = 0.25};
    armilla_grid_layout told;
    armilla_grid *weighted, *grid, *again, *back, *turned;
    armilla_ring ring, first;
    armilla_grid_layout_init(&told);
    check_ok(armilla_grid_new_healpix_weighted(8, 16, &weighted));
    grid = nested_of(weighted);
    check_ok(armilla_grid_ring(weighted, 3, &first));
    check_ok(armilla_grid_ring(grid, 3, &ring));
    assert_true(ring.weight == first.weight);
    check_ok(armilla_grid_get_layout(grid, &told)); /* what is told is a layout */
    check_ok(armilla_grid_new_laid_out(grid, &told, &again));
    check_ok(armilla_grid_get_layout(again, &told));
    assert_int_equal(told.nested, 1);
    check_ok(armilla_grid_new_laid_out(grid, NULL, &back));
    check_ok(armilla_grid_ring(back, 3, &ring));
    assert_memory_equal(&ring, &first, sizeof ring);
    check_ok(armilla_grid_new_laid_out(weighted, &turn, &turned));
    armilla_grid_free(again);
    again = nested_of(turned); /* longitudes count */
    check_ok(armilla_grid_ring(again, 3, &ring));
    assert_true(ring.phi0 == first.phi0 + 0.25);
    armilla_grid_free(turned);
    armilla_grid_free(back);
    armilla_grid_free(again);
    armilla_grid_free(grid);
    armilla_grid_free(weighted);
}

static void wrong_grids_are_refused_by_name(void **state)
{
    (void)state;
    static const armilla_grid_layout wrong[] = {
        {PLAIN, .nested = 1, .phi0 = 0.1},       {PLAIN, .nested = 1, .south_first = 1},
        {PLAIN, .nested = 1, .west_first = 1},   {PLAIN, .nested = 1, .ring_stride = 100},
        {PLAIN, .nested = 1, .pixel_stride = 2},
    };
    armilla_grid *healpix = healpix_grid(4), *odd = healpix_grid(3), *equal, *part, *made = NULL;
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 5, 8, &equal));
    check_ok(armilla_grid_new_subset(healpix, 0, armilla_grid_nrings(healpix), 1, &part));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_error(armilla_grid_new_laid_out(healpix, &wrong[i], &made), ARMILLA_ERROR_ARGUMENT,
                    "layout->nested = 1: must be 0 where any other field");
    check_error(armilla_grid_new_laid_out(odd, &nested_layout, &made), ARMILLA_ERROR_ARGUMENT,
                "layout->nested = 1: must be 0 for nside = 3");
    check_error(armilla_grid_new_laid_out(equal, &nested_layout, &made), ARMILLA_ERROR_ARGUMENT,
                "layout->nested = 1: must be 0 for a grid that is not the whole of HEALPix");
    check_error(armilla_grid_new_laid_out(part, &nested_layout, &made), ARMILLA_ERROR_ARGUMENT,
                "layout->nested");
    assert_null(made);
    armilla_grid_free(part);
    armilla_grid_free(equal);
    armilla_grid_free(odd);
    armilla_grid_free(healpix);
}

/* Rings that are handed on keep no places that they have not. */
static void parts_are_in_ring_order_or_refused(void **state)
{
    (void)state;
    armilla_grid *plain = healpix_grid(8), *grid = nested_of(plain), *part, *wanted, *custom = NULL;
    check_error(armilla_grid_new_subset(grid, 2, 9, 0, &part), ARMILLA_ERROR_UNSUPPORTED,
                "grid: is in NESTED order, which a subset that keeps the places");
    check_ok(armilla_grid_new_subset(grid, 2, 9, 1, &part));
    check_ok(armilla_grid_new_subset(plain, 2, 9, 1, &wanted));
    armilla_ring *rings = grid_rings(part), *other = grid_rings(wanted), *all = grid_rings(grid);
    assert_memory_equal(rings, other, 9 * sizeof *rings);
    check_error(armilla_grid_new_custom(armilla_grid_nrings(grid), all, &custom),
                ARMILLA_ERROR_ARGUMENT, "stride: must not be 0");
    free(all);
    free(other);
    free(rings);
    armilla_grid_free(wanted);
    armilla_grid_free(part);
    armilla_grid_free(grid);
    armilla_grid_free(plain);
}

static void directions_find_nested_pixels(void **state)
{
    (void)state;
    enum { N = 200 };
    const int64_t nside = 16;
    armilla_grid *grid = nested_grid(nside);
    double theta[N], phi[N], draws[2 * N];
    int64_t found[N], wanted[N];
    random_fill(5, 2 * N, draws);
    for (int i = 0; i < N; i++) theta[i] = acos(draws[2 * i]), phi[i] = 9 * draws[2 * i + 1];
    check_ok(armilla_grid_pixels_at(grid, N, theta, phi, found));
    check_ok(armilla_healpix_ang_to_pixels(nside, 1, N, theta, phi, wanted, 1));
    assert_memory_equal(found, wanted, sizeof found);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_stay_and_pixels_move),
        cmocka_unit_test(layouts_of_nested_grids),
        cmocka_unit_test(wrong_grids_are_refused_by_name),
        cmocka_unit_test(parts_are_in_ring_order_or_refused),
        cmocka_unit_test(directions_find_nested_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
