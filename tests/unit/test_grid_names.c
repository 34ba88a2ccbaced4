/* Checks names of grids: each names the grid that it should, each named grid tells its name, and
 * what is no name is refused with the nearest one. Names of other programs are the grids that they
 * are there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <math.h>
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

/* Names of other programs: the grid in Armilla's words, and where rows and meridians begin.
 * Latitudes: CDI, gridGenYvals (rows of rNXxNY without a first latitude go from south to north, by
 * 180 / NY from half a step on where NY is even, by 180 / (NY - 1) from the pole on where it is
 * odd); CDO 2.6, grid_from_name.cc (global, hp, t; ntr_to_nlat in mpim_grid.cc); ECMWF's archive,
 * keyword grid (0.25/0.25 from 90 north to 90 south). Truncations: OpenIFS, Horizontal Resolution
 * and Configurations (TCo1279 O1280, TL1279 N640, TL639 N320, TL255 N128, TL159 N80, TQ63 with 96
 * rings); ECHAM6 and CESM (T63 192 x 96, T42 128 x 64, T85 256 x 128, T31 96 x 48). */
static const struct {
    const char *name, *is;
    int south_first;
    double first_latitude, last_latitude, longitude; /* degrees; 99: Gauss' */
} foreign[] = {
    {"0.25", "cc:721x1440", 0, 90, -90, 0},
    {"0.25x0.25", "cc:721x1440", 0, 90, -90, 0},
    {"0.25/0.25", "cc:721x1440", 0, 90, -90, 0},
    {".25", "cc:721x1440", 0, 90, -90, 0},
    {"1", "cc:181x360", 0, 90, -90, 0},
    {"1X1.0", "cc:181x360", 0, 90, -90, 0},
    {"1/0.5", "cc:361x360", 0, 90, -90, 0},
    {"2.5", "cc:73x144", 0, 90, -90, 0},
    {"1.125", "cc:161x320", 0, 90, -90, 0},
    {"0.28125", "cc:641x1280", 0, 90, -90, 0},
    {"10", "cc:19x36", 0, 90, -90, 0},
    {"r360x180", "f1:180x360", 1, -89.5, 89.5, 0},
    {"R360/180", "f1:180x360", 1, -89.5, 89.5, 0},
    {"r360_180", "f1:180x360", 1, -89.5, 89.5, 0},
    {"r1440x720", "f1:720x1440", 1, -89.875, 89.875, 0},
    {"r360x181", "cc:181x360", 1, -90, 90, 0},
    {"r1440x721", "cc:721x1440", 1, -90, 90, 0},
    {"r9x4", "f1:4x9", 1, -67.5, 67.5, 0},
    {"global", "f1:180x360", 1, -89.5, 89.5, -179.5},
    {"global_0.5", "f1:360x720", 1, -89.75, 89.75, -179.75},
    {"GLOBAL_2.5", "f1:72x144", 1, -88.75, 88.75, -178.75},
    {"T63", "F48", 0, 99, 99, 0},
    {"t63grid", "F48", 0, 99, 99, 0},
    {"t62grid", "gl:94x192", 0, 99, 99, 0},
    {"T62", "gl:94x192", 0, 99, 99, 0},
    {"t14grid", "gl:22x48", 0, 99, 99, 0},
    {"t117grid", "gl:176x360", 0, 99, 99, 0},
    {"T42", "F32", 0, 99, 99, 0},
    {"T85", "F64", 0, 99, 99, 0},
    {"T31", "F24", 0, 99, 99, 0},
    {"T21", "F16", 0, 99, 99, 0},
    {"T106", "F80", 0, 99, 99, 0},
    {"T170", "F128", 0, 99, 99, 0},
    {"t255grid", "F192", 0, 99, 99, 0},
    {"tl63grid", "F32", 0, 99, 99, 0},
    {"tl255grid", "F128", 0, 99, 99, 0},
    {"tc63grid", "gl:128x272", 0, 99, 99, 0},
    {"TL255", "N128", 0, 99, 99, 0},
    {"TL639", "N320", 0, 99, 99, 0},
    {"tl1279", "N640", 0, 99, 99, 0},
    {"TL159", "N80", 0, 99, 99, 0},
    {"TL95", "N48", 0, 99, 99, 0},
    {"TCo1279", "O1280", 0, 99, 99, 0},
    {"tco95", "O96", 0, 99, 99, 0},
    {"TCo31", "O32", 0, 99, 99, 0},
};

static void check_degrees(double radians, double degrees)
{
    assert_true(fabs(radians * (180 / M_PI) - degrees) < 1e-12 * 180);
}

/* The rows of a map, and the first pixel. */
static void check_place(const armilla_grid *grid, size_t i, const armilla_grid_layout *layout)
{
    armilla_ring first, last;
    const int64_t n = armilla_grid_nrings(grid), south = layout->south_first ? n - 1 : 0;
    check_ok(armilla_grid_ring(grid, south, &first));
    check_ok(armilla_grid_ring(grid, n - 1 - south, &last));
    assert_int_equal(first.offset, 0);
    check_degrees(first.phi0, foreign[i].longitude);
    if (foreign[i].first_latitude > 90) return;
    check_degrees(M_PI / 2 - first.theta, foreign[i].first_latitude);
    check_degrees(M_PI / 2 - last.theta, foreign[i].last_latitude);
}

/* The same rings as Armilla's own name has, and the sizes that are told without a grid. */
static void names_of_other_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        armilla_grid_sizes sizes = {.size = sizeof sizes}, own = {.size = sizeof own};
        char told[ARMILLA_GRID_NAME_SIZE];
        armilla_grid_layout layout;
        armilla_grid *grid = named(foreign[i].name), *plain;
        armilla_grid_layout_init(&layout);
        check_ok(armilla_grid_get_layout(grid, &layout));
        assert_int_equal(layout.south_first != 0, foreign[i].south_first);
        check_place(grid, i, &layout);
        check_ok(armilla_grid_new_laid_out(grid, NULL, &plain));
        if (layout.phi0 == 0) {
            check_ok(armilla_grid_name(plain, told));
            assert_string_equal(told, foreign[i].is);
        }
        check_ok(armilla_grid_read_name(foreign[i].name, &sizes));
        check_ok(armilla_grid_read_name(foreign[i].is, &own));
        assert_int_equal(sizes.kind, own.kind);
        assert_int_equal(sizes.nrings, own.nrings);
        assert_int_equal(sizes.nphi, own.nphi);
        assert_int_equal(sizes.south_first, layout.south_first);
        assert_true(sizes.phi0 == layout.phi0);
        armilla_grid_free(plain);
        armilla_grid_free(grid);
    }
}

/* CDO 2.6, grid_from_name.cc: hp<nside>, hpz<zoom>, hpr<refinement level>, each NESTED unless
 * "_ring" follows. */
static void healpix_of_other_programs(void **state)
{
    (void)state;
    static const char *const names_of_both[][2] = {
        {"hp64", "H64n"},     {"HP64_nested", "H64n"}, {"hp64_ring", "H64"},
        {"hp12_ring", "H12"}, {"hpz6", "H64n"},        {"hpz6_ring", "H64"},
        {"hpr3", "H8n"},      {"hpr3_RING", "H8"},     {"hpz0_nested", "H1n"},
    };
    for (size_t i = 0; i < sizeof names_of_both / sizeof *names_of_both; i++) {
        char told[ARMILLA_GRID_NAME_SIZE];
        armilla_grid *grid = named(names_of_both[i][0]);
        check_ok(armilla_grid_name(grid, told));
        assert_string_equal(told, names_of_both[i][1]);
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

static const char *const wrong[][2] = {
    {"", "no grid has such a name"},
    {"O", "no grid has such a name"},
    {"Q16", "the nearest are O16, F16 and H16"},
    {"q16x", "no grid has such a name; names are"},
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
    {"gauss", "gl:257x512, or F128"},
    {"xyz:4", "names are O1280"},
    {"mercator", "names are O1280"},
    {"radial:4", "names are O1280"},
    {"reduced_gg", "N320, O1280, or rgl:257:256"},
    {"regular_ll", "0.25, or cc:721x1440"},
    {"dcw:de", "names are O1280"},
    {"R360", "r takes NLONxNLAT, such as r360x180"},
    {"r360:180", "r takes NLONxNLAT"},
    {"r360x180x", "r takes NLONxNLAT"},
    {"r360x", "r takes NLONxNLAT"},
    {"r360x0", "at least 1"},
    {"r360x1", "nrings = 1"},
    {"r9999999999x180", "at most 2^30"},
    {"0", "a letter or word must say which grid"},
    {"0.25deg", "a letter or word must say which grid"},
    {"0.25x", "a letter or word must say which grid"},
    {".", "no grid has such a name"},
    {"0.123456789", "a letter or word must say which grid"},
    {"10.1", "degrees are at most 10, as in 0.25"},
    {"181x360", "cc:181x360 or f1:181x360"},
    {"360x180", "written r360x180"},
    {"0.7", "360 and 180 degrees are not whole numbers of such steps; the nearest is cc:258x514"},
    {"1.6", "the nearest is cc:114x225"},
    {"1x0.5", "which of unequal steps is which? Rings and pixels are clear, such as "
              "cc:361x360 or cc:181x720"},
    {"9.99999999x9.99999998", "which of unequal steps"},
    {"0.00000001", "at most 2^30"},
    {"99999999999999999999.99999999", "a letter or word"},
    {"global_0.7", "global takes degrees, at most 10"},
    {"global_", "global takes degrees"},
    {"global:1", "global takes degrees"},
    {"hp64_xy", "behind the number may be _ring or _nested, as in hp64_ring"},
    {"hpz6i", "as in hpz6_ring"},
    {"hpz29", "the power of two must be at most 28"},
    {"hp0", "at least 1"},
    {"hp12", "power of two"},
    {"hpx64", "RING or NESTED; write H64 or H64n"},
    {"hp", "no grid has such a name"},
    {"gme24", "its pixels are not on rings"},
    {"ERA5", "published at 0.25 degrees and was made on N320; the grids are 0.25 or N320"},
    {"era5-land", "the whole grid is 0.1"},
    {"ERA-Interim", "0.75 or N128"},
    {"T255", "quadratic in some models and linear in ECMWF's; the grids are F192 or TL255"},
    {"T1279", "F960 or TL1279"},
    {"T127", "F96 or TL127"},
    {"T63spec", "behind the number may be grid, as in t63grid"},
    {"tco63grid", "behind the number may be grid"},
    {"TL256", "has no published grid; the nearest that has is TL255"},
    {"TL161", "the nearest that has is TL159"},
    {"TQ213", "may be a reduced or a full grid; write N160 or F160"},
    {"TQ1279", "write F960"},
    {"TC1279", "may be a classic or an octahedral grid; write N1280 or O1280"},
    {"TC95", "write N96 or O96"},
    {"TC100", "write O101"},
    {"TCo", "written TCo1279"},
    {"TCo99999999999", "at most 2^30"},
    {"t", "names are O1280"},
};

static void wrong_names_are_refused(void **state)
{
    (void)state;
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
        cmocka_unit_test(names_of_other_programs),
        cmocka_unit_test(healpix_of_other_programs),
        cmocka_unit_test(names_tell_sizes_without_a_grid),
        cmocka_unit_test(lists_are_recognised),
        cmocka_unit_test(other_grids_have_no_name),
        cmocka_unit_test(wrong_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
