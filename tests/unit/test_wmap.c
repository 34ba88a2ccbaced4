/* Checks maps of WMAP (7 years, W band, nside 32) against what HEALPix 3.11 (Fortran) makes of
 * them: I, Q and U smoothed with 10 degrees, and the power spectra outside the analysis mask, all
 * for lmax 64 and three iterations. The files are not ours to distribute: without them the test is
 * skipped. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAP "wmap_band_iqumap_r9_7yr_W_v4_udgraded32"

enum { NSIDE = 32, NPIX = 12288, LMAX = 64, NALM = (LMAX + 1) * (LMAX + 2) / 2 };
enum { NFIELDS = 3, NSPECTRA = 6 }; /* I, Q, U; TT, EE, BB, TE, TB, EB */

static const char map_file[] = ARMILLA_SHARED_DATA "/" MAP ".fits";
static const char smooth_file[] = ARMILLA_SHARED_DATA "/" MAP "_smoothed10deg_fortran.fits";
static const char cl_file[] = ARMILLA_SHARED_DATA "/cl_" MAP "_IQU_lmax64_rmmono_3iter.fits";
static const char mask_file[] =
    ARMILLA_SHARED_DATA "/wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits";

/* The first nfields columns, one after the other. */
static void read_map(const char *path, int64_t nfields, double *values)
{
    const int64_t fields[NFIELDS] = {0, 1, 2};
    armilla_map *map = NULL;
    assert_int_equal(armilla_map_read(path, 0, nfields, fields, &map), ARMILLA_OK);
    assert_int_equal(map->nside, NSIDE);
    for (int64_t i = 0; i < nfields; i++)
        memcpy(values + i * NPIX, map->fields[i].values, NPIX * sizeof *values);
    armilla_map_free(map);
}

static armilla_sht *new_transform(int64_t spin)
{
    armilla_grid *grid = NULL;
    armilla_sht *sht = NULL;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = spin;
    assert_int_equal(armilla_grid_new_healpix(NSIDE, &grid), ARMILLA_OK);
    assert_int_equal(armilla_sht_new(grid, LMAX, LMAX, &options, &sht), ARMILLA_OK);
    armilla_grid_free(grid);
    return sht;
}

/* I, Q, U -> T, E, B by three iterations, as the Fortran programs were told to make. */
static void analyze(const double *maps, double *alm)
{
    armilla_sht *scalar = new_transform(0), *polar = new_transform(2);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.method = ARMILLA_PSEUDO_JACOBI;
    options.max_iterations = 3;
    assert_int_equal(armilla_sht_pseudo_analysis(scalar, maps, alm, &options, NULL, NULL),
                     ARMILLA_OK);
    assert_int_equal(armilla_sht_pseudo_analysis(polar, maps + NPIX, alm + (ptrdiff_t)2 * NALM,
                                                 &options, NULL, NULL),
                     ARMILLA_OK);
    armilla_sht_free(polar);
    armilla_sht_free(scalar);
}

/* T, E, B -> I, Q, U. */
static void synthesize(const double *alm, double *maps)
{
    armilla_sht *scalar = new_transform(0), *polar = new_transform(2);
    assert_int_equal(armilla_sht_synthesis(scalar, alm, maps, NULL), ARMILLA_OK);
    assert_int_equal(armilla_sht_synthesis(polar, alm + (ptrdiff_t)2 * NALM, maps + NPIX, NULL),
                     ARMILLA_OK);
    armilla_sht_free(polar);
    armilla_sht_free(scalar);
}

static void smoothing_agrees_with_fortran_to_2e_7_of_the_rms(void **state)
{
    (void)state;
    static double alm[NFIELDS * 2 * NALM], window[LMAX + 1];
    static double maps[NFIELDS * NPIX], fortran[NFIELDS * NPIX];
    read_map(map_file, NFIELDS, maps);
    read_map(smooth_file, NFIELDS, fortran);
    analyze(maps, alm);
    for (int i = 0; i < NFIELDS; i++) {
        assert_int_equal(armilla_spectrum_gaussian_beam(10 * M_PI / 180, i ? 2 : 0, LMAX, window),
                         ARMILLA_OK);
        assert_int_equal(armilla_alm_multiply_window(LMAX, LMAX, LMAX + 1, window,
                                                     alm + (ptrdiff_t)2 * i * NALM),
                         ARMILLA_OK);
    }
    synthesize(alm, maps);
    for (int i = 0; i < NFIELDS; i++) {
        double rms = rms_error(NPIX, fortran + i * NPIX, maps + i * NPIX);
        print_message("smoothing, %c: rms difference / rms = %.2e\n", "IQU"[i], rms);
        assert_true(rms <= 2e-7);
    }
}

/* Subtracts the mean of the pixels of I that the mask keeps; sets the others to 0 in all fields. */
static void prepare(double *maps, const double *mask)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < NPIX; i++)
        if (mask[i] > 0) sum += maps[i], count++;
    for (int i = 0; i < NPIX; i++) {
        maps[i] = mask[i] > 0 ? maps[i] - sum / count : 0;
        for (int field = 1; field < NFIELDS; field++)
            if (!(mask[i] > 0)) maps[field * NPIX + i] = 0;
    }
}

/* TT degree by degree. The reference has 8 decimal digits, so that a single degree may be off by
 * 2e-7 or a little more. */
static void check_degrees(const double *cl, const double *fortran)
{
    double squares = 0, largest = 0;
    for (int l = 2; l <= LMAX; l++) {
        double relative = fabs(cl[l] / fortran[l] - 1);
        squares += relative * relative;
        largest = larger_or_nan(largest, relative);
    }
    double rms = sqrt(squares / (LMAX - 1));
    print_message("TT: relative difference rms %.2e, largest %.2e\n", rms, largest);
    assert_true(rms <= 2e-7);
    assert_true(largest <= 4e-7);
}

static void spectra_agree_with_fortran_to_2e_7(void **state)
{
    (void)state;
    static const int fields[NSPECTRA][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    static double alm[NFIELDS * 2 * NALM], maps[NFIELDS * NPIX], mask[NPIX], cl[LMAX + 1];
    armilla_cl_file *fortran = NULL;
    assert_int_equal(armilla_cl_read(cl_file, &fortran), ARMILLA_OK);
    assert_int_equal(fortran->lmax, LMAX);
    assert_int_equal(fortran->nspectra, NSPECTRA);
    read_map(map_file, NFIELDS, maps);
    read_map(mask_file, 1, mask);
    prepare(maps, mask);
    analyze(maps, alm);
    for (int i = 0; i < NSPECTRA; i++) {
        const double *expected = fortran->cl + (ptrdiff_t)i * (LMAX + 1);
        assert_int_equal(armilla_spectrum_compute(LMAX, LMAX,
                                                  alm + (ptrdiff_t)2 * fields[i][0] * NALM,
                                                  alm + (ptrdiff_t)2 * fields[i][1] * NALM, cl),
                         ARMILLA_OK);
        double rms = rms_error(LMAX - 1, expected + 2, cl + 2);
        print_message("%s: rms difference / rms = %.2e\n", fortran->names[i], rms);
        assert_true(rms <= 2e-7);
        if (i == 0) check_degrees(cl, expected);
    }
    armilla_cl_file_free(fortran);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoothing_agrees_with_fortran_to_2e_7_of_the_rms),
        cmocka_unit_test(spectra_agree_with_fortran_to_2e_7),
    };
    if (access(map_file, R_OK) != 0) {
        printf("skipped: no %s\n", map_file);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
