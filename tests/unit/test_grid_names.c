/* Checks names of grids: each names the grid that it should, each named grid tells its name, and
 * what is no name is refused with the nearest one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <stdlib.h>
#include <string.h>

static armilla_grid *named(const char *name)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_named(name, &grid));
    return grid;
}

static const struct {
    const char *name, *told; /* told: NULL where it is the name itself */
    armilla_grid_kind kind;
    int64_t nrings, nphi, npix, nside;
    int nested;
} names[] = {
    {"O32", NULL, ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 64, 0, 5248, 0, 0},
    {"o1280", "O1280", ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 2560, 0, 6599680, 0, 0},
    {"N32", NULL, ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 64, 0, 6114, 0, 0},
    {"n320", "N320", ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 640, 0, 542080, 0, 0},
    {"F64", NULL, ARMILLA_GRID_GAUSS_LEGENDRE, 128, 256, 32768, 0, 0},
    {"F1", NULL, ARMILLA_GRID_GAUSS_LEGENDRE, 2, 4, 8, 0, 0},
    {"H3", NULL, ARMILLA_GRID_HEALPIX, 11, 0, 108, 3, 0},
    {"h16", "H16", ARMILLA_GRID_HEALPIX, 63, 0, 3072, 16, 0},
    {"H16n", NULL, ARMILLA_GRID_HEALPIX, 63, 0, 3072, 16, 1},
    {"healpix:16", "H16", ARMILLA_GRID_HEALPIX, 63, 0, 3072, 16, 0},
    {"HEALPix:16:RING", "H16", ARMILLA_GRID_HEALPIX, 63, 0, 3072, 16, 0},
    {"healpix:16:nested", "H16n", ARMILLA_GRID_HEALPIX, 63, 0, 3072, 16, 1},
    {"gl:257x512", NULL, ARMILLA_GRID_GAUSS_LEGENDRE, 257, 512, 257 * 512, 0, 0},
    {"gl:64x128", "F32", ARMILLA_GRID_GAUSS_LEGENDRE, 64, 128, 8192, 0, 0},
    {"GL:3X7", "gl:3x7", ARMILLA_GRID_GAUSS_LEGENDRE, 3, 7, 21, 0, 0},
    {"cc:721x1440", NULL, ARMILLA_GRID_CC, 721, 1440, 721 * 1440, 0, 0},
    {"f1:12x24", NULL, ARMILLA_GRID_F1, 12, 24, 288, 0, 0},
    {"f2:11x24", NULL, ARMILLA_GRID_F2, 11, 24, 264, 0, 0},
    {"dh:12x24", NULL, ARMILLA_GRID_DH, 12, 24, 288, 0, 0},
    {"mw:12x23", NULL, ARMILLA_GRID_MW, 12, 23, 276, 0, 0},
    {"mwss:13x24", NULL, ARMILLA_GRID_MWSS, 13, 24, 312, 0, 0},
    {"mwflip:12x23", NULL, ARMILLA_GRID_MWFLIP, 12, 23, 276, 0, 0},
    {"rgl:61:60", NULL, ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 61, 0, 0, 0, 0},
    {"rgl:61:0", NULL, ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 61, 1, 61, 0, 0},
};

static void names_are_those_of_grids(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char told[ARMILLA_GRID_NAME_SIZE];
        armilla_grid_layout layout;
        armilla_grid *grid = named(names[i].name);
        armilla_grid_layout_init(&layout);
        assert_int_equal(armilla_grid_get_kind(grid), names[i].kind);
        assert_int_equal(armilla_grid_nrings(grid), names[i].nrings);
        if (names[i].npix) assert_int_equal(armilla_grid_npix(grid), names[i].npix);
        check_ok(armilla_grid_get_layout(grid, &layout));
        assert_int_equal(layout.nested != 0, names[i].nested);
        check_ok(armilla_grid_name(grid, told));
        assert_string_equal(told, names[i].told ? names[i].told : names[i].name);
        armilla_grid_free(grid);
    }
}

static void names_tell_sizes_without_a_grid(void **state)
{
    (void)state;
    armilla_grid_sizes sizes = {.size = sizeof sizes};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_ok(armilla_grid_read_name(names[i].name, &sizes));
        assert_int_equal(sizes.kind, names[i].kind);
        assert_int_equal(sizes.nrings, names[i].nrings);
        if (names[i].npix != 61) assert_int_equal(sizes.nphi, names[i].nphi);
        assert_int_equal(sizes.nside, names[i].nside);
        assert_int_equal(sizes.nested, names[i].nested);
    }
    check_ok(armilla_grid_read_name("H268435456", &sizes));
    assert_int_equal(sizes.nrings, 4 * ((int64_t)1 << 28) - 1);
    check_error(armilla_grid_read_name("O8", NULL), ARMILLA_ERROR_ARGUMENT, "sizes = NULL");
    sizes.size = 1;
    check_error(armilla_grid_read_name("O8", &sizes), ARMILLA_ERROR_ARGUMENT, "sizes");
}

/* A list of numbers of pixels has the name of the grid that it is. */
static void lists_are_recognised(void **state)
{
    (void)state;
    static const char *const of[] = {"O8", "N32", "rgl:12:11", NULL};
    for (int i = 0; of[i]; i++) {
        char told[ARMILLA_GRID_NAME_SIZE];
        armilla_grid *grid = named(of[i]), *listed;
        const int64_t nrings = armilla_grid_nrings(grid);
        armilla_ring *rings = grid_rings(grid);
        int64_t *nphi = checked_malloc(nrings, sizeof *nphi);
        for (int64_t r = 0; r < nrings; r++) nphi[r] = rings[r].nphi;
        check_ok(armilla_grid_new_reduced(nrings, nphi, &listed));
        check_ok(armilla_grid_name(listed, told));
        assert_string_equal(told, of[i]);
        armilla_grid_free(listed);
        nphi[1]++;
        check_ok(armilla_grid_new_reduced(nrings, nphi, &listed));
        check_error(armilla_grid_name(listed, told), ARMILLA_ERROR_ARGUMENT, "has no name");
        armilla_grid_free(listed);
        armilla_grid_free(grid);
        free(rings), free(nphi);
    }
}

static void check_nameless(armilla_grid *grid)
{
    char told[ARMILLA_GRID_NAME_SIZE] = "untouched";
    check_error(armilla_grid_name(grid, told), ARMILLA_ERROR_ARGUMENT, "grid: has no name");
    assert_string_equal(told, "untouched");
    armilla_grid_free(grid);
}

static void other_grids_have_no_name(void **state)
{
    (void)state;
    armilla_grid *grid, *plain = named("gl:9x16");
    armilla_grid_layout layout;
    char told[ARMILLA_GRID_NAME_SIZE];
    check_ok(armilla_grid_new_subset(plain, 0, 9, 1, &grid));
    check_nameless(grid);
    check_ok(armilla_grid_new_healpix_weighted(8, 16, &grid));
    check_nameless(grid);
    for (int i = 0; i < 5; i++) {
        armilla_grid_layout_init(&layout);
        layout.phi0 = i == 0, layout.south_first = i == 1, layout.west_first = i == 2;
        layout.theta_contiguous = i == 3, layout.ring_stride = i == 4 ? 17 : 0;
        check_ok(armilla_grid_new_laid_out(plain, &layout, &grid));
        check_nameless(grid);
    }
    check_ok(armilla_grid_new_laid_out(plain, NULL, &grid));
    check_ok(armilla_grid_name(grid, told));
    assert_string_equal(told, "gl:9x16");
    check_error(armilla_grid_name(NULL, told), ARMILLA_ERROR_ARGUMENT, "grid = NULL");
    check_error(armilla_grid_name(grid, NULL), ARMILLA_ERROR_ARGUMENT, "name = NULL");
    armilla_grid_free(grid);
    armilla_grid_free(plain);
}

static void wrong_names_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "no grid has such a name"},
        {"O", "no grid has such a name"},
        {"Q16", "the nearest are O16, F16 and H16"},
        {"q16x", "no grid has such a name; names are"},
        {"T42", "no grid has such a name; names are"},
        {"O0", "at least 1"},
        {"N321", "the nearest that has is N320"},
        {"N1", "the nearest that has is N16"},
        {"N99999999999999999999", "the nearest that has is N8000"},
        {"O1280x", "the nearest is O1280"},
        {"O1280n", "the nearest is O1280"},
        {"F64n", "the nearest is F64"},
        {"H512nn", "the nearest is H512"},
        {"H512 ", "the nearest is H512"},
        {" H512", "no grid has such a name"},
        {"H-1", "no grid has such a name"},
        {"H0", "at least 1"},
        {"H3n", "power of two"},
        {"H1073741825", "at most 2^30"},
        {"H1073741824", "nside = 1073741824"},
        {"O1073741824", "n = 1073741824"},
        {"1280", "O1280"},
        {"f1", "f1:NRINGSxNPHI"},
        {"healpx:512", "healpix:512"},
        {"heal", "healpix:512"},
        {"healpix", "healpix:512"},
        {"healpix:", "healpix takes NSIDE"},
        {"healpix:x", "healpix takes NSIDE"},
        {"healpix:512:nest", "healpix takes NSIDE, or NSIDE:nested"},
        {"mwfip:12x23", "mwflip:256x511"},
        {"gl:257", "NRINGSxNPHI, such as gl:257x512"},
        {"gl:257:512", "NRINGSxNPHI, such as gl:257x512"},
        {"gl:257x", "NRINGSxNPHI"},
        {"gl:257x512x", "NRINGSxNPHI"},
        {"gl:0x4", "at least 1"},
        {"cc:721x0", "at least 1"},
        {"cc:1x4", "nrings = 1"},
        {"cc:721", "NRINGSxNPHI, such as cc:721x1440"},
        {"rgl:128", "rgl takes NRINGS:LMAX"},
        {"rgl:128x4", "rgl takes NRINGS:LMAX"},
        {"gauss", "gl:257x512"},
        {"xyz:4", "names are O1280"},
        {"TCo1279", "no grid has such a name"},
    };
    armilla_grid *grid = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_error(armilla_grid_new_named(wrong[i][0], &grid), ARMILLA_ERROR_ARGUMENT,
                    wrong[i][1]);
    check_error(armilla_grid_new_named(NULL, &grid), ARMILLA_ERROR_ARGUMENT, "name = NULL");
    check_error(armilla_grid_new_named("O8", NULL), ARMILLA_ERROR_ARGUMENT, "grid = NULL");
    assert_null(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_grids),
        cmocka_unit_test(names_tell_sizes_without_a_grid),
        cmocka_unit_test(lists_are_recognised),
        cmocka_unit_test(other_grids_have_no_name),
        cmocka_unit_test(wrong_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
