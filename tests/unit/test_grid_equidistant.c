/* Checks that equidistant, custom and partial grids have the rings, weights and band limits that
 * their definitions say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "grid/grid.h"
#include <math.h>
#include <string.h>

static armilla_ring ring_of(const armilla_grid *grid, int64_t index)
{
    armilla_ring ring;
    assert_int_equal(armilla_grid_ring(grid, index, &ring), ARMILLA_OK);
    return ring;
}

static armilla_grid *equidistant(armilla_grid_kind kind, int64_t nrings)
{
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_equidistant(kind, nrings, 4, &grid), ARMILLA_OK);
    return grid;
}

static void colatitudes_follow_the_definitions(void **state)
{
    (void)state;
    for (int64_t n = 2; n < 50; n += 5)
        for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
            armilla_grid *grid = equidistant(kind, n);
            for (int64_t i = 0; i < n; i++) {
                double places[] = {(double)i / (n - 1),         (i + 0.5) / n,
                                   (i + 1.0) / (n + 1),         (double)i / n,
                                   (2 * i + 1.0) / (2 * n - 1), (double)i / (n - 1),
                                   2.0 * i / (2 * n - 1)};
                armilla_ring ring = ring_of(grid, i);
                assert_true(fabs(ring.theta - M_PI * places[kind - ARMILLA_GRID_CC]) < 1e-15);
                assert_true(ring.theta >= 0 && ring.theta <= M_PI);
                assert_true(ring.nphi == 4 && ring.phi0 == 0 && ring.stride == 1);
                assert_int_equal(ring.offset, 4 * i);
            }
            armilla_grid_free(grid);
        }
}

/* Largest K such that cos(k theta), k < K, is integrated with sin(theta) over [0, pi]. */
static int64_t exact_frequencies(const armilla_grid *grid)
{
    int64_t nrings = armilla_grid_nrings(grid);
    for (int64_t k = 0;; k++) {
        double sum = 0, expected = k % 2 ? 0 : 2 / (1 - (double)k * k);
        for (int64_t r = 0; r < nrings; r++) {
            armilla_ring ring = ring_of(grid, r);
            sum += 4 * ring.weight / (2 * M_PI) * cos((double)k * ring.theta);
        }
        if (!(fabs(sum - expected) < 1e-14)) return k;
    }
}

/* n points on a half circle tell at least as many cosines apart as each kind promises. */
static void weights_integrate_every_frequency_that_the_rings_resolve(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 40; n++)
        for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
            int both_poles = kind == ARMILLA_GRID_CC || kind == ARMILLA_GRID_MWSS;
            if ((n == 1 && both_poles) || (n == 1 && kind == ARMILLA_GRID_DH)) continue;
            armilla_grid *grid = equidistant(kind, n);
            int64_t expected = kind == ARMILLA_GRID_DH ? n - 1 : n;
            assert_true(exact_frequencies(grid) >= expected);
            int64_t exact = armilla_grid_exact_lmax(grid);
            if (kind == ARMILLA_GRID_F2 || kind == ARMILLA_GRID_DH)
                assert_true(exact_frequencies(grid) > 2 * exact);
            armilla_grid_free(grid);
        }
}

static void exact_band_limits_are_those_of_the_definitions(void **state)
{
    (void)state;
    for (int64_t n = 2; n < 20; n++) {
        int64_t expected[] = {n - 2, n - 1, (n - 1) / 2, (n - 2) / 2, n - 1, n - 2, n - 1};
        for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
            armilla_grid *grid = equidistant(kind, n);
            assert_int_equal(armilla_grid_exact_lmax(grid), expected[kind - ARMILLA_GRID_CC]);
            assert_int_equal(armilla_grid_get_kind(grid), kind);
            armilla_grid_free(grid);
        }
    }
}

static void equidistant_grids_refuse_wrong_arguments(void **state)
{
    (void)state;
    armilla_grid *grid = NULL;
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 1, 4, &grid), 1);
    assert_string_equal(armilla_status_message(), "nrings = 1: must be at least 2");
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_MWSS, 1, 4, &grid), 1);
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_F1, 0, 4, &grid), 1);
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_F1, 3, 0, &grid), 1);
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_HEALPIX, 3, 4, &grid), 1);
    assert_int_equal(armilla_grid_new_equidistant((armilla_grid_kind)77, 3, 4, &grid), 1);
    assert_null(grid);
}

static void failing_allocations_leave_the_output_untouched(void **state)
{
    (void)state;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (int64_t n = 0; status; n++) {
        armilla_grid *grid = NULL;
        armilla_memory_fail_after(n);
        status = armilla_grid_new_equidistant(ARMILLA_GRID_MW, 9, 8, &grid);
        armilla_memory_fail_after(-1);
        assert_int_equal(grid != NULL, status == ARMILLA_OK);
        assert_true(status == ARMILLA_OK || status == ARMILLA_ERROR_MEMORY);
        armilla_grid_free(grid);
    }
}

/* --- custom grids ---------------------------------------------------------------------------- */

static void custom_grids_copy_their_rings(void **state)
{
    (void)state;
    armilla_ring rings[] = {{0.5, 4, 0.1, 3, 2, 0.25}, {3, 3, -7, 4, 2, 0}, {0, 1, 0, 11, -5, 1}};
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_custom(3, rings, &grid), ARMILLA_OK);
    assert_int_equal(armilla_grid_npix(grid), 12);
    assert_int_equal(armilla_grid_exact_lmax(grid), -1);
    armilla_ring copy = ring_of(grid, 1);
    assert_memory_equal(&copy, &rings[1], sizeof copy);
    assert_int_equal(armilla_grid_ring(grid, 3, &copy), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_ring(grid, -1, &copy), ARMILLA_ERROR_ARGUMENT);
    armilla_grid_free(grid);
}

static void check_refused(armilla_ring ring, const char *message)
{
    armilla_ring rings[] = {{0.5, 4, 0, 0, 1, 1}, ring};
    armilla_grid *grid = NULL;
    assert_int_equal(armilla_grid_new_custom(2, rings, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_null(grid);
    if (strncmp(armilla_status_message(), message, strlen(message)) != 0)
        fail_msg("%s, not %s", armilla_status_message(), message);
}

static void custom_grids_name_the_field_that_is_wrong(void **state)
{
    (void)state;
    const armilla_ring good = {1, 4, 0, 10, 1, 1};
    armilla_ring bad = good;
    double nowhere[] = {NAN, -1e-9, 3.1415928, INFINITY};
    for (int i = 0; i < 4; i++) {
        bad.theta = nowhere[i];
        check_refused(bad, "rings[1].theta");
    }
    bad = good, bad.nphi = 0;
    check_refused(bad, "rings[1].nphi");
    bad.nphi = INT64_MAX;
    check_refused(bad, "rings[1].nphi");
    bad = good, bad.phi0 = NAN;
    check_refused(bad, "rings[1].phi0");
    bad = good, bad.weight = INFINITY;
    check_refused(bad, "rings[1].weight");
    bad = good, bad.offset = -1;
    check_refused(bad, "rings[1].offset");
    bad.offset = INT64_MAX, bad.nphi = 1; /* one more than the largest index is the size of a map */
    check_refused(bad, "rings[1].offset");
    bad.nphi = 4, bad.stride = -1;
    check_refused(bad, "rings[1].offset");
    bad = good, bad.stride = 0;
    check_refused(bad, "rings[1].stride");
    bad.stride = INT64_MAX / 2;
    check_refused(bad, "rings[1].stride");
    bad.stride = -4;
    check_refused(bad, "rings[1].stride");
    bad.stride = INT64_MIN;
    check_refused(bad, "rings[1].stride");
    armilla_grid *grid = NULL;
    assert_int_equal(armilla_grid_new_custom(0, &good, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_custom(1, NULL, &grid), ARMILLA_ERROR_ARGUMENT);
}

static armilla_ring pixels(int64_t nphi, int64_t offset, int64_t stride)
{
    return (armilla_ring){1, nphi, 0, offset, stride, 1};
}

static void shared_pixels_are_found_in_dense_and_sparse_maps(void **state)
{
    (void)state;
    const int64_t far = (int64_t)1 << 60;
    armilla_grid *grid;
    armilla_ring transposed[] = {pixels(5, 2, 3), pixels(5, 0, 3), pixels(5, 13, -3)};
    assert_int_equal(armilla_grid_new_custom(3, transposed, &grid), ARMILLA_OK);
    assert_int_equal(armilla_grid_npix(grid), 15);
    armilla_grid_free(grid);
    transposed[2] = pixels(5, 12, -3);
    assert_int_equal(armilla_grid_new_custom(3, transposed, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "rings: two pixels share the index 12");
    armilla_ring sparse[] = {pixels(3, 0, far), pixels(3, far + 1, 1), pixels(2, 7, far)};
    assert_int_equal(armilla_grid_new_custom(3, sparse, &grid), ARMILLA_OK);
    armilla_grid_free(grid);
    sparse[2] = pixels(2, 3, far);
    assert_int_equal(armilla_grid_new_custom(3, sparse, &grid), ARMILLA_ERROR_ARGUMENT);
    armilla_ring touching[] = {pixels(4, 4, 1), pixels(4, 7, 1), pixels(4, 0, 1)};
    assert_int_equal(armilla_grid_new_custom(3, touching, &grid), ARMILLA_ERROR_ARGUMENT);
    touching[1].offset = 8;
    assert_int_equal(armilla_grid_new_custom(3, touching, &grid), ARMILLA_OK);
    armilla_grid_free(grid);
}

static void subsets_keep_or_renumber_their_pixels(void **state)
{
    (void)state;
    armilla_grid *grid, *part;
    assert_int_equal(armilla_grid_new_healpix(4, &grid), ARMILLA_OK);
    assert_int_equal(armilla_grid_new_subset(grid, 2, 5, 0, &part), ARMILLA_OK);
    assert_int_equal(armilla_grid_npix(part), armilla_grid_npix(grid));
    assert_int_equal(armilla_grid_get_kind(part), ARMILLA_GRID_CUSTOM);
    assert_int_equal(armilla_grid_exact_lmax(part), -1);
    for (int64_t r = 0; r < 5; r++) {
        armilla_ring a = ring_of(grid, r + 2), b = ring_of(part, r);
        assert_memory_equal(&a, &b, sizeof a);
    }
    armilla_grid_free(part);
    assert_int_equal(armilla_grid_new_subset(grid, 2, 5, 1, &part), ARMILLA_OK);
    int64_t expected = 0;
    for (int64_t r = 0; r < 5; r++) {
        armilla_ring a = ring_of(grid, r + 2), b = ring_of(part, r);
        assert_int_equal(b.offset, expected);
        assert_true(a.theta == b.theta && a.phi0 == b.phi0 && a.weight == b.weight);
        expected += b.nphi;
    }
    assert_int_equal(armilla_grid_npix(part), expected);
    armilla_grid_free(part);
    int64_t wrong[][2] = {{-1, 2}, {15, 1}, {3, 0}, {3, 13}, {3, INT64_MAX}};
    for (int i = 0; i < 5; i++)
        assert_int_equal(armilla_grid_new_subset(grid, wrong[i][0], wrong[i][1], 1, &part),
                         ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_subset(NULL, 0, 1, 1, &part), ARMILLA_ERROR_ARGUMENT);
    armilla_grid_free(grid);
    armilla_grid_free(NULL);
}

static void fractions_of_pi_are_the_nearest_doubles(void **state)
{
    (void)state;
    for (int64_t q = 1; q < 300; q++)
        for (int64_t p = 0; p <= q; p++) {
            double value = armilla_grid_pi_fraction(p, q);
            long double exact = 3.14159265358979323846264338L * p / q;
            assert_true(fabsl(value - exact) <= 0.501L * (nextafter(value, 4) - value) ||
                        fabsl(value - exact) <= 0.501L * (value - nextafter(value, -1)));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colatitudes_follow_the_definitions),
        cmocka_unit_test(weights_integrate_every_frequency_that_the_rings_resolve),
        cmocka_unit_test(exact_band_limits_are_those_of_the_definitions),
        cmocka_unit_test(equidistant_grids_refuse_wrong_arguments),
        cmocka_unit_test(failing_allocations_leave_the_output_untouched),
        cmocka_unit_test(custom_grids_copy_their_rings),
        cmocka_unit_test(custom_grids_name_the_field_that_is_wrong),
        cmocka_unit_test(shared_pixels_are_found_in_dense_and_sparse_maps),
        cmocka_unit_test(subsets_keep_or_renumber_their_pixels),
        cmocka_unit_test(fractions_of_pi_are_the_nearest_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
