/* WMAP 7 year W band at nside 32 against HEALPix 3.11 (Fortran): the map smoothed with 10 degrees,
 * and the power spectrum outside the analysis mask, both for lmax 64 and three iterations. The
 * files are not ours to distribute: without them the test is skipped. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "armilla/armilla.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAP "wmap_band_iqumap_r9_7yr_W_v4_udgraded32"

enum { NSIDE = 32, NPIX = 12288, LMAX = 64, NALM = (LMAX + 1) * (LMAX + 2) / 2 };

static const char map_file[] = ARMILLA_SHARED_DATA "/" MAP ".fits";
static const char smooth_file[] = ARMILLA_SHARED_DATA "/" MAP "_smoothed10deg_fortran.fits";
static const char cl_file[] = ARMILLA_SHARED_DATA "/cl_" MAP "_IQU_lmax64_rmmono_3iter.fits";
static const char mask_file[] =
    ARMILLA_SHARED_DATA "/wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits";

static armilla_map *read_temperature(const char *path)
{
    const int64_t field = 0;
    armilla_map *map = NULL;
    assert_int_equal(armilla_map_read(path, 0, 1, &field, &map), ARMILLA_OK);
    assert_int_equal(map->nside, NSIDE);
    return map;
}

static armilla_sht *new_transform(void)
{
    armilla_grid *grid = NULL;
    armilla_sht *sht = NULL;
    assert_int_equal(armilla_grid_new_healpix(NSIDE, &grid), ARMILLA_OK);
    assert_int_equal(armilla_sht_new(grid, LMAX, LMAX, NULL, &sht), ARMILLA_OK);
    armilla_grid_free(grid);
    return sht;
}

/* Three iterations, as the Fortran programs were told to make. */
static void analyze(const armilla_sht *sht, const double *map, double *alm)
{
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.method = ARMILLA_PSEUDO_JACOBI;
    options.max_iterations = 3;
    assert_int_equal(armilla_sht_pseudo_analysis(sht, map, alm, &options, NULL, NULL), ARMILLA_OK);
}

static void smoothing_agrees_with_fortran_to_2e_7_of_the_rms(void **state)
{
    (void)state;
    static double alm[2 * NALM], window[LMAX + 1];
    armilla_map *map = read_temperature(map_file), *fortran = read_temperature(smooth_file);
    armilla_sht *sht = new_transform();
    double *values = map->fields[0].values;
    analyze(sht, values, alm);
    assert_int_equal(armilla_spectrum_gaussian_beam(10 * M_PI / 180, 0, LMAX, window), ARMILLA_OK);
    assert_int_equal(armilla_alm_multiply_window(LMAX, LMAX, LMAX + 1, window, alm), ARMILLA_OK);
    assert_int_equal(armilla_sht_synthesis(sht, alm, values, NULL), ARMILLA_OK);
    double difference = 0, power = 0;
    for (int i = 0; i < NPIX; i++) {
        double expected = fortran->fields[0].values[i];
        difference += (values[i] - expected) * (values[i] - expected);
        power += expected * expected;
    }
    print_message("smoothing: rms difference / rms = %.2e\n", sqrt(difference / power));
    assert_true(sqrt(difference / power) <= 2e-7);
    armilla_sht_free(sht);
    armilla_map_free(fortran);
    armilla_map_free(map);
}

/* Subtracts the mean of the pixels that the mask keeps and sets the others to 0. */
static void remove_monopole(double *values, const double *mask)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < NPIX; i++)
        if (mask[i] > 0) sum += values[i], count++;
    for (int i = 0; i < NPIX; i++) values[i] = mask[i] > 0 ? values[i] - sum / count : 0;
}

/* The reference has 8 decimal digits, so that a single degree may be off by 2e-7 or a little more.
 */
static void spectrum_agrees_with_fortran_to_2e_7(void **state)
{
    (void)state;
    static double alm[2 * NALM], cl[LMAX + 1];
    armilla_map *map = read_temperature(map_file), *mask = read_temperature(mask_file);
    armilla_cl_file *fortran = NULL;
    armilla_sht *sht = new_transform();
    assert_int_equal(armilla_cl_read(cl_file, &fortran), ARMILLA_OK);
    assert_int_equal(fortran->lmax, LMAX);
    remove_monopole(map->fields[0].values, mask->fields[0].values);
    analyze(sht, map->fields[0].values, alm);
    assert_int_equal(armilla_spectrum_compute(LMAX, LMAX, alm, alm, cl), ARMILLA_OK);
    double squares = 0, largest = 0;
    for (int l = 2; l <= LMAX; l++) {
        double deviation = fabs(cl[l] / fortran->cl[l] - 1);
        squares += deviation * deviation;
        largest = fmax(largest, deviation);
    }
    double rms = sqrt(squares / (LMAX - 1));
    print_message("spectrum: relative difference rms %.2e, largest %.2e\n", rms, largest);
    assert_true(rms <= 2e-7);
    assert_true(largest <= 4e-7);
    armilla_sht_free(sht);
    armilla_cl_file_free(fortran);
    armilla_map_free(mask);
    armilla_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoothing_agrees_with_fortran_to_2e_7_of_the_rms),
        cmocka_unit_test(spectrum_agrees_with_fortran_to_2e_7),
    };
    if (access(map_file, R_OK) != 0) {
        printf("skipped: no %s\n", map_file);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
