/* Checks that convergence, shear and rotation are the derivatives of deflection and of deflected
 * directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_lensing_scene.h"

enum { FIELDS = 4, MARK = 77 };

static lensing_scene open_scene(lensing_grid kind, double rms)
{
    const spin_case c = {.lmax = 4, .mmax = 4};
    lensing_scene s;
    lensing_scene_open(&s, kind, &c, 1e-3, rms);
    return s;
}

static double *distortion(const lensing_scene *s, armilla_distortion_kind kind)
{
    const int64_t count = FIELDS * armilla_grid_npix(s->grid);
    double *map = checked_malloc(count, sizeof *map);
    for (int64_t i = 0; i < count; i++) map[i] = MARK;
    check_ok(armilla_lensing_distortion(s->grid, &s->deflection, kind, map));
    return map;
}

/* --- The judge: differences of directions that are walked to from neighbours -------------------
 */

/* alpha at directions, [2][count]: grad phi + curl Omega by derivatives on rings of one pixel. */
static double *deflections_at(const lensing_scene *s, int64_t count, const armilla_ring *rings)
{
    const spin_case c = {.lmax = DEFLECTION_LMAX,
                         .mmax = DEFLECTION_MMAX,
                         .spin = 1,
                         .mode = ARMILLA_SHT_DERIVATIVES};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(count, rings, &grid));
    armilla_sht *sht = spin_plan(grid, &c);
    double *alpha = checked_malloc(4 * count, sizeof *alpha), *curl = alpha + 2 * count;
    check_ok(armilla_sht_synthesis(sht, s->deflection.gradient, alpha, NULL));
    check_ok(armilla_sht_synthesis(sht, s->deflection.curl, curl, NULL));
    for (int64_t i = 0; i < count; i++) {
        alpha[i] -= curl[i + count];
        alpha[i + count] += curl[i];
    }
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return alpha;
}

/* A direction and its neighbours at distances of +-STEP along e_theta and e_phi. */
enum { NEIGHBOURS = 5 };
static const double STEP = 2e-5;

static void fill_neighbours(double theta, double phi, armilla_ring *rings)
{
    const double across = STEP / sin(theta);
    const double shifts[NEIGHBOURS][2] = {{0, 0}, {STEP, 0}, {-STEP, 0}, {0, across}, {0, -across}};
    for (int i = 0; i < NEIGHBOURS; i++)
        rings[i] = (armilla_ring){.theta = theta + shifts[i][0],
                                  .phi0 = phi + shifts[i][1],
                                  .nphi = 1,
                                  .offset = i,
                                  .stride = 1,
                                  .weight = 1};
}

/* kappa, gamma1, gamma2, omega at one direction. */
static void differences(const lensing_scene *s, double theta, double phi, double field[FIELDS])
{
    armilla_ring rings[NEIGHBOURS];
    walk ways[NEIGHBOURS];
    fill_neighbours(theta, phi, rings);
    double *alpha = deflections_at(s, NEIGHBOURS, rings);
    for (int i = 0; i < NEIGHBOURS; i++)
        ways[i] = walk_from(rings[i].theta, rings[i].phi0, alpha[i], alpha[i + NEIGHBOURS]);
    const vector axes[2] = {ways[0].carried, cross(ways[0].n, ways[0].carried)};
    const double steps[2] = {2 * sin(STEP), 2 * sin(theta) * sin(STEP / sin(theta))}; /* chords */
    double a[2][2];
    for (int j = 0; j < 2; j++) {
        const vector step = combine(1, ways[1 + 2 * j].n, -1, ways[2 + 2 * j].n);
        for (int i = 0; i < 2; i++) a[i][j] = (double)dot(step, axes[i]) / steps[j];
    }
    field[0] = 1 - 0.5 * (a[0][0] + a[1][1]), field[1] = -0.5 * (a[0][0] - a[1][1]);
    field[2] = -0.5 * (a[0][1] + a[1][0]), field[3] = 0.5 * (a[0][1] - a[1][0]);
    free(alpha);
}

/* Errors of differences are STEP^2 times third derivatives: measured 5.5e-8 of the length. Without
 * the terms of alpha in walk() they are 4.5e-4 of it, where the length is 1e-3. */
static void exact_distortions_are_differences_of_directions(void **state)
{
    (void)state;
    const double lengths[] = {1e-3, 0.02, 0.7};
    for (int k = 0; k < 3; k++) {
        lensing_scene s = open_scene(HEALPIX_GRID, lengths[k]);
        const int64_t npix = armilla_grid_npix(s.grid);
        double *map = distortion(&s, ARMILLA_DISTORTION_EXACT);
        for (int r = 0; r < 31; r += 3)
            for (int64_t j = 0; j < s.rings[r].nphi; j += 5) {
                const int64_t place = s.rings[r].offset + j;
                const double phi = s.rings[r].phi0 + 2 * M_PI * (double)j / (double)s.rings[r].nphi;
                double field[FIELDS];
                differences(&s, s.rings[r].theta, phi, field);
                for (int i = 0; i < FIELDS; i++)
                    check_at_most(fabs(field[i] - map[place + i * npix]), 2e-7 * lengths[k],
                                  "rms %g, pixel %d, field %d", lengths[k], (int)place, i);
            }
        free(map);
        lensing_scene_close(&s);
    }
}

/* --- Identities --------------------------------------------------------------------------------
 */

/* Deflections take the sky to the sky: the mean of det A is 1, its sign included, whatever they are
 * (a map of the sphere that can be shrunk to none). */
static void areas_of_the_whole_sky_stay(void **state)
{
    (void)state;
    const double lengths[] = {1e-3, 0.05, 0.2};
    for (int k = 0; k < 3; k++) {
        lensing_scene s = open_scene(GAUSS_GRID, lengths[k]);
        armilla_grid_free(s.grid);
        free(s.rings);
        check_ok(armilla_grid_new_gauss_legendre(120, 240, &s.grid));
        s.rings = grid_rings(s.grid);
        const int64_t npix = armilla_grid_npix(s.grid);
        double *map = distortion(&s, ARMILLA_DISTORTION_EXACT), sum = 0;
        for (int64_t r = 0; r < 120; r++)
            for (int64_t i = s.rings[r].offset; i < s.rings[r].offset + 240; i++) {
                const double kappa = map[i], omega = map[i + 3 * npix];
                const double shear = hypot(map[i + npix], map[i + 2 * npix]);
                const double det = (1 - kappa) * (1 - kappa) + omega * omega - shear * shear;
                sum += s.rings[r].weight * det;
            }
        check_at_most(fabs(sum / (4 * M_PI) - 1), 1e-12, "rms %g", lengths[k]);
        free(map);
        lensing_scene_close(&s);
    }
}

/* The linear ones by derivatives of the potentials: Laplacians, and (f_tt - f_pp, 2 f_tp). */
static void linear_distortions_are_derivatives_of_the_potentials(void **state)
{
    (void)state;
    const double power_of_laplacian = -0.5;
    for (int kind = 0; kind < LENSING_GRIDS; kind++) {
        lensing_scene s = open_scene((lensing_grid)kind, 0.3);
        const int64_t npix = armilla_grid_npix(s.grid);
        const int64_t size = 2 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
        double *map = distortion(&s, ARMILLA_DISTORTION_LINEAR), window[DEFLECTION_LMAX + 1];
        double *expected = checked_malloc(2 * FIELDS * npix, sizeof *expected);
        for (int64_t i = 0; i < 2 * FIELDS * npix; i++) expected[i] = MARK;
        for (int l = 0; l <= DEFLECTION_LMAX; l++) window[l] = -l * (l + 1.0);
        for (int part = 0; part < 2; part++) {
            double *result = expected + part * FIELDS * npix;
            const double *alm = part ? s.deflection.curl : s.deflection.gradient;
            spin_case c = {.lmax = DEFLECTION_LMAX, .mmax = DEFLECTION_MMAX, .spin = 2};
            c.mode = ARMILLA_SHT_DERIVATIVES;
            armilla_sht *sht = spin_plan(s.grid, &c);
            check_ok(armilla_sht_synthesis(sht, alm, result + npix, NULL));
            armilla_sht_free(sht);
            double *laplacian = checked_malloc(size, sizeof *laplacian);
            memcpy(laplacian, alm, (size_t)size * sizeof *alm);
            check_ok(armilla_alm_multiply_window(DEFLECTION_LMAX, DEFLECTION_MMAX,
                                                 DEFLECTION_LMAX + 1, window, laplacian));
            c = (spin_case){.lmax = DEFLECTION_LMAX, .mmax = DEFLECTION_MMAX};
            sht = spin_plan(s.grid, &c);
            check_ok(armilla_sht_synthesis(sht, laplacian, result, NULL));
            armilla_sht_free(sht);
            free(laplacian);
        }
        const double *phi = expected, *omega = expected + FIELDS * npix;
        for (int64_t i = 0; i < npix; i++) {
            if (phi[i] == MARK) { /* no pixel */
                for (int f = 0; f < FIELDS; f++) assert_true(map[i + f * npix] == MARK);
                continue;
            }
            const double judge[FIELDS] = {
                power_of_laplacian * phi[i], -0.5 * (phi[i + npix] - omega[i + 2 * npix]),
                -0.5 * (phi[i + 2 * npix] + omega[i + npix]), power_of_laplacian * omega[i]};
            for (int f = 0; f < FIELDS; f++)
                check_at_most(fabs(map[i + f * npix] - judge[f]), 1e-13, "grid %d, place %d, %d",
                              kind, (int)i, f);
        }
        free(expected);
        free(map);
        lensing_scene_close(&s);
    }
}

static void check_same_maps(int64_t count, const double *map, const double *other, double bound)
{
    for (int64_t i = 0; i < count; i++)
        check_at_most(fabs(map[i] - other[i]), bound, "value %d", (int)i);
}

/* Vector fields mean their potentials; without a curl omega is 0 (EXACT: what curvature leaves). */
static void kinds_of_coefficients_mean_the_same(void **state)
{
    (void)state;
    lensing_scene s = open_scene(GRID_WITH_GAPS, 0.3);
    const int64_t npix = armilla_grid_npix(s.grid);
    const int64_t size = 2 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
    double *vectors = new_vectors(s.potentials);
    for (int kind = 0; kind < 2; kind++) {
        double *map = distortion(&s, (armilla_distortion_kind)kind);
        const armilla_deflection given = s.deflection;
        s.deflection = deflection_of(vectors);
        s.deflection.kind = ARMILLA_DEFLECTION_VECTOR;
        double *other = distortion(&s, (armilla_distortion_kind)kind);
        check_same_maps(FIELDS * npix, map, other, 1e-13);
        s.deflection = given;
        free(map), free(other);
    }
    memset(s.potentials + size, 0, (size_t)size * sizeof *s.potentials);
    double *map = distortion(&s, ARMILLA_DISTORTION_LINEAR);
    s.deflection.curl = NULL;
    double *other = distortion(&s, ARMILLA_DISTORTION_LINEAR);
    check_same_maps(FIELDS * npix, map, other, 1e-13);
    for (int64_t i = 3 * npix; i < FIELDS * npix; i++)
        assert_true(other[i] == 0 || other[i] == MARK);
    free(map), free(other), free(vectors);
    lensing_scene_close(&s);
}

/* A dipole moves all directions towards a point: no shear, kappa = cos of the distance from it
 * times the amplitude. */
static void dipoles_do_not_shear(void **state)
{
    (void)state;
    lensing_scene s = open_scene(HEALPIX_GRID, 0.3);
    const int64_t npix = armilla_grid_npix(s.grid);
    const double dipole[6] = {5, 0, 0.2, 0}; /* l = 0 deflects nothing */
    s.deflection =
        (armilla_deflection){.size = sizeof s.deflection, .lmax = 1, .mmax = 1, .gradient = dipole};
    double *map = distortion(&s, ARMILLA_DISTORTION_LINEAR);
    for (int r = 0; r < 31; r++)
        for (int64_t i = s.rings[r].offset; i < s.rings[r].offset + s.rings[r].nphi; i++) {
            const double kappa = 0.2 * sqrt(3 / (4 * M_PI)) * cos(s.rings[r].theta);
            check_at_most(fabs(map[i] - kappa), 1e-15, "pixel %d", (int)i);
            for (int f = 1; f < FIELDS; f++) assert_true(map[i + f * npix] == 0);
        }
    free(map);
    lensing_scene_close(&s);
}

/* --- Calls -------------------------------------------------------------------------------------
 */

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    lensing_scene s = open_scene(HEALPIX_GRID, 0.3);
    double *maps[2];
    for (int i = 0; i < 2; i++) {
        s.deflection.nthreads = i ? 5 : 1;
        maps[i] = distortion(&s, ARMILLA_DISTORTION_EXACT);
    }
    assert_memory_equal(maps[0], maps[1], FIELDS * 8 * (size_t)armilla_grid_npix(s.grid));
    free(maps[0]), free(maps[1]);
    lensing_scene_close(&s);
}

static void every_failing_allocation_is_an_error(void **state)
{
    (void)state;
    lensing_scene s = open_scene(HEALPIX_GRID, 0.3);
    double *map = distortion(&s, ARMILLA_DISTORTION_LINEAR);
    armilla_status status = ARMILLA_ERROR_MEMORY;
    int64_t n = 0;
    for (; status; n++) {
        armilla_memory_fail_after(n);
        status = armilla_lensing_distortion(s.grid, &s.deflection, ARMILLA_DISTORTION_EXACT, map);
        armilla_memory_fail_after(-1);
        if (status) check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
        assert_true(n < 500);
    }
    assert_true(n > 5);
    free(map);
    lensing_scene_close(&s);
}

static void wrong_arguments_are_named(void **state)
{
    (void)state;
    lensing_scene s = open_scene(HEALPIX_GRID, 0.3);
    const armilla_deflection good = s.deflection;
    armilla_deflection d = good;
    double map[FIELDS * MOST_PIXELS];
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    check_error(armilla_lensing_distortion(NULL, &good, 0, map), wrong, "grid");
    check_error(armilla_lensing_distortion(s.grid, NULL, 0, map), wrong, "deflection");
    check_error(armilla_lensing_distortion(s.grid, &good, 0, NULL), wrong, "map");
    check_error(armilla_lensing_distortion(s.grid, &good, (armilla_distortion_kind)2, map), wrong,
                "kind = 2");
    d.lmax = 0, d.mmax = 0;
    check_error(armilla_lensing_distortion(s.grid, &d, 0, map), wrong, "deflection->lmax = 0");
    d = good, s.potentials[6] = NAN;
    check_error(armilla_lensing_distortion(s.grid, &d, 0, map), wrong, "must be finite");
    lensing_scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_distortions_are_differences_of_directions),
        cmocka_unit_test(areas_of_the_whole_sky_stay),
        cmocka_unit_test(linear_distortions_are_derivatives_of_the_potentials),
        cmocka_unit_test(kinds_of_coefficients_mean_the_same),
        cmocka_unit_test(dipoles_do_not_shear),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(every_failing_allocation_is_an_error),
        cmocka_unit_test(wrong_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
