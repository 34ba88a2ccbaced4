/* Checks that real files of other programs are read right, where they are at hand. */
#include "test_io_support.h"

#define MAP ARMILLA_SHARED_DATA "/wmap_band_iqumap_r9_7yr_W_v4_udgraded32"

static const char cl_path[] =
    ARMILLA_SHARED_DATA "/cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_IQU_lmax64_rmmono_3iter.fits";

static void real_maps_survive_a_round_trip(void **state)
{
    (void)state;
    const char *paths[] = {MAP ".fits", MAP "_smoothed10deg_fortran.fits"};
    const char *names[] = {"U_STOKES", "U-POLARISATION"};
    if (access(paths[0], R_OK)) skip();
    for (int k = 0; k < 2; k++) {
        armilla_map *map, *back;
        assert_works(armilla_map_read(paths[k], 0, 0, NULL, &map));
        assert_int_equal(map->nside, 32);
        assert_int_equal(map->nfields, 3);
        assert_int_equal(map->fields[0].type, ARMILLA_IO_FLOAT);
        assert_string_equal(map->fields[2].name, names[k]);
        map->order = ARMILLA_IO_NESTED;
        assert_works(armilla_map_write("map.fits", map, 0));
        assert_works(armilla_map_read("map.fits", 0, 0, NULL, &back));
        for (int f = 0; f < 3; f++)
            assert_same_values(map->fields[f].values, back->fields[f].values, map->npix);
        armilla_map_free(back);
        armilla_map_free(map);
        assert_int_equal(unlink("map.fits"), 0);
    }
}

static void real_spectra_are_read(void **state)
{
    (void)state;
    if (access(cl_path, R_OK)) skip();
    const char *names[] = {"TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G"};
    armilla_cl_file *cl;
    assert_works(armilla_cl_read(cl_path, &cl));
    assert_int_equal(cl->lmax, 64);
    assert_int_equal(cl->nspectra, 6);
    for (int i = 0; i < 6; i++) assert_string_equal(cl->names[i], names[i]);
    for (int l = 2; l <= 64; l++) { /* |TE|^2 <= TT EE */
        double tt = cl->cl[l], ee = cl->cl[65 + l], te = cl->cl[3 * 65 + l];
        assert_true(tt > 0 && ee > 0 && te * te <= tt * ee);
    }
    armilla_cl_file_free(cl);
}

static void real_files_are_described(void **state)
{
    (void)state;
    if (access(cl_path, R_OK)) skip();
    char *text;
    assert_works(armilla_io_describe(cl_path, &text));
    assert_non_null(strstr(text, "power spectra, l from 0 to 64, 6 column(s)"));
    assert_non_null(strstr(text, "GRADIENT"));
    armilla_io_text_free(text);
    assert_works(armilla_io_describe(MAP ".fits", &text));
    assert_non_null(strstr(text, "HEALPix map, nside 32 (12288 pixels), RING, full sky"));
    armilla_io_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(real_maps_survive_a_round_trip),
        IN_DIRECTORY(real_spectra_are_read),
        IN_DIRECTORY(real_files_are_described),
    };
    if (access(cl_path, R_OK)) print_message("no files in %s: skipping\n", ARMILLA_SHARED_DATA);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
