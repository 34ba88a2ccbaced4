/* Checks rings, pixel numbers and ring weights of HEALPix grids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/grid.h"
#include "base/memory.h"
#include <math.h>

/* pi / q, rounded once */
static double pi_over(int64_t q)
{
    return (double)(3.14159265358979323846264338L / q);
}

static armilla_ring ring_of(const armilla_grid *grid, int64_t index)
{
    armilla_ring ring;
    assert_int_equal(armilla_grid_ring(grid, index, &ring), ARMILLA_OK);
    return ring;
}

static armilla_grid *healpix(int64_t nside)
{
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_healpix(nside, &grid), ARMILLA_OK);
    return grid;
}

/* Gorski et al. 2005, eqs. 4-9, with z in long double. */
static void rings_follow_the_definition(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 2, 3, 7, 16, 1000};
    for (int k = 0; k < 6; k++) {
        int64_t n = nsides[k], npix = 0;
        armilla_grid *grid = healpix(n);
        assert_int_equal(armilla_grid_nrings(grid), 4 * n - 1);
        for (int64_t i = 1; i < 4 * n; i++) {
            armilla_ring ring = ring_of(grid, i - 1);
            int64_t north = i < 2 * n ? i : 4 * n - i;
            int cap = north < n;
            long double z = cap ? 1 - (long double)(north * north) / (3 * n * n)
                                : (long double)(4 * n - 2 * north) / (3 * n);
            long double gap = cap ? (long double)(north * north) / (6 * n * n) : (1 - z) / 2;
            long double theta = 2 * asinl(sqrtl(gap));
            if (i == north)
                assert_true(fabsl(ring.theta / theta - 1) < 2.3e-16L);
            else
                assert_true(ring.theta == M_PI - ring_of(grid, north - 1).theta);
            assert_int_equal(ring.nphi, 4 * (cap ? north : n));
            int64_t shifted = cap || (i - n) % 2 == 0;
            assert_true(ring.phi0 == shifted * pi_over(ring.nphi));
            assert_int_equal(ring.offset, npix);
            npix += ring.nphi;
        }
        assert_int_equal(npix, 12 * n * n);
        assert_int_equal(armilla_grid_npix(grid), npix);
        armilla_grid_free(grid);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    const int64_t largest = (int64_t)12 * 876706528 * 876706528;
    armilla_grid *grid = NULL;
    assert_int_equal(armilla_grid_new_healpix(0, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "nside = 0: must be at least 1");
    assert_int_equal(armilla_grid_new_healpix(INT64_MAX, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_null(grid);
    assert_int_equal(armilla_healpix_npix(0), -1);
    assert_int_equal(armilla_healpix_npix(3), 108);
    assert_int_equal(armilla_healpix_npix(876706528), largest);
    assert_int_equal(armilla_healpix_npix(876706529), -1);
    assert_int_equal(armilla_healpix_nside(108), 3);
    assert_int_equal(armilla_healpix_nside(109), -1);
    assert_int_equal(armilla_healpix_nside(-12), -1);
    assert_int_equal(armilla_healpix_nside(0), -1);
    assert_int_equal(armilla_healpix_nside(largest), 876706528);
    assert_int_equal(armilla_healpix_nside(INT64_MAX), -1);
}

static void ring_and_nest_numbers_are_inverse_permutations(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 64; nside *= 2)
        for (int64_t pixel = 0; pixel < 12 * nside * nside; pixel++) {
            int64_t ring = armilla_healpix_nest_to_ring(nside, pixel);
            assert_true(ring >= 0 && ring < 12 * nside * nside);
            assert_int_equal(armilla_healpix_ring_to_nest(nside, ring), pixel);
        }
    int64_t nside = (int64_t)1 << 29, npix = 12 * nside * nside;
    for (int64_t i = 0; i < 100000; i++) {
        int64_t pixel = i < 50 ? i : i < 100 ? npix - 1 - (i - 50) : npix / 100000 * i + 7 * i;
        int64_t nest = armilla_healpix_ring_to_nest(nside, pixel);
        assert_true(nest >= 0 && nest < npix);
        assert_int_equal(armilla_healpix_nest_to_ring(nside, nest), pixel);
    }
}

/* Nested numbers at nside 2 and 4 agree: the four children of a pixel lie around it. This and the
 * base pixels (one per face, which begin at longitude 45, 0 and 45 degrees) fix the scheme. */
static void nested_pixels_contain_their_children(void **state)
{
    (void)state;
    for (int64_t face = 0; face < 12; face++)
        assert_int_equal(armilla_healpix_nest_to_ring(1, face), face);
    for (int64_t nside = 1; nside <= 16; nside *= 2) {
        armilla_grid *grid = healpix(2 * nside);
        for (int64_t r = 0, pixel = 0; r < armilla_grid_nrings(grid); r++) {
            armilla_ring ring = ring_of(grid, r);
            for (int64_t j = 0; j < ring.nphi; j++, pixel++) {
                double phi = ring.phi0 + 2 * M_PI * (double)j / (double)ring.nphi;
                int64_t parent = armilla_healpix_ang_to_ring(nside, ring.theta, phi);
                int64_t nest = armilla_healpix_ring_to_nest(2 * nside, pixel);
                int64_t expected = armilla_healpix_nest_to_ring(nside, nest / 4);
                assert_int_equal(parent, expected);
            }
        }
        armilla_grid_free(grid);
    }
}

static void centres_lie_in_their_pixels(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 40; nside += 3) {
        armilla_grid *grid = healpix(nside);
        for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
            armilla_ring ring = ring_of(grid, r);
            for (int64_t j = 0; j < ring.nphi; j++) {
                double phi = ring.phi0 + 2 * M_PI * (double)j / (double)ring.nphi;
                for (int turn = -1; turn <= 1; turn++)
                    assert_int_equal(
                        armilla_healpix_ang_to_ring(nside, ring.theta, phi + turn * 2 * M_PI),
                        ring.offset + j);
            }
        }
        armilla_grid_free(grid);
    }
    assert_int_equal(armilla_healpix_ang_to_ring(3, 0, 0), 0);
    assert_int_equal(armilla_healpix_ang_to_ring(3, M_PI, 6.28), 107);
    assert_int_equal(armilla_healpix_ang_to_ring(3, 1, -1e-300),
                     armilla_healpix_ang_to_ring(3, 1, 0));
}

/* Origin of the numbers: healpy 1.20.1, nest2ring and ang2pix, nside 2^20 and 1000. */
static void pixel_numbers_agree_with_healpy(void **state)
{
    (void)state;
    const int64_t nside = (int64_t)1 << 20;
    static const int64_t nested[][2] = {
        {10621320900620, 11090144762507}, {10660083514437, 10198080322629},
        {6799277357472, 8131727731570},   {3770903287696, 1493390923820},
        {711569212353, 2174719978579},    {5058222505813, 6530566804359},
    };
    for (int i = 0; i < 6; i++)
        assert_int_equal(armilla_healpix_nest_to_ring(nside, nested[i][0]), nested[i][1]);
    static const struct {
        double theta, phi;
        int64_t fine, coarse;
    } directions[] = {
        {1.75489, 5.5656, 7804699586772, 7101543},   {2.71276, 5.23423, 12596787343046, 11455727},
        {2.6963, 2.43291, 12550823301034, 11414393}, {0.057415, 3.05674, 10870452369, 9796},
        {1.26113, 4.19547, 4586673454101, 4172671},  {2.13055, 0.376977, 10099961878273, 9186240},
        {1.70127, 3.4447, 7455375562337, 6780193},   {0.322732, 1.683, 340591023930, 310106},
    };
    for (int i = 0; i < 8; i++) {
        double theta = directions[i].theta, phi = directions[i].phi;
        assert_int_equal(armilla_healpix_ang_to_ring(nside, theta, phi), directions[i].fine);
        assert_int_equal(armilla_healpix_ang_to_ring(1000, theta, phi), directions[i].coarse);
    }
}

static void wrong_pixels_are_refused(void **state)
{
    (void)state;
    assert_int_equal(armilla_healpix_nest_to_ring(3, 0), -1);
    assert_int_equal(armilla_healpix_ring_to_nest(12, 0), -1);
    assert_int_equal(armilla_healpix_nest_to_ring(0, 0), -1);
    assert_int_equal(armilla_healpix_nest_to_ring(-4, 0), -1);
    assert_int_equal(armilla_healpix_nest_to_ring(4, 192), -1);
    assert_int_equal(armilla_healpix_ring_to_nest(4, -1), -1);
    assert_int_equal(armilla_healpix_ring_to_nest((int64_t)1 << 62, 0), -1);
    assert_int_equal(armilla_healpix_ang_to_ring(4, -0.1, 0), -1);
    assert_int_equal(armilla_healpix_ang_to_ring(4, 3.2, 0), -1);
    assert_int_equal(armilla_healpix_ang_to_ring(4, NAN, 0), -1);
    assert_int_equal(armilla_healpix_ang_to_ring(4, 1, NAN), -1);
    assert_int_equal(armilla_healpix_ang_to_ring(4, 1, INFINITY), -1);
    assert_int_equal(armilla_healpix_ang_to_ring(0, 1, 1), -1);
}

/* sqrt(2 l + 1) / (4 pi) times the sum over pixels of weight P_l(cos theta) */
static double condition(const armilla_grid *grid, int64_t l)
{
    double sum = 0;
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        armilla_ring ring = ring_of(grid, r);
        double x = cos(ring.theta), p = 1, before = 0;
        for (int64_t k = 0; k < l; k++) {
            double next = ((2.0 * k + 1) * x * p - (double)k * before) / (k + 1.0);
            before = p;
            p = next;
        }
        sum += (double)ring.nphi * ring.weight * p;
    }
    return sqrt(2.0 * l + 1) * sum / (4 * M_PI);
}

static void ring_weights_satisfy_every_condition(void **state)
{
    (void)state;
    static const int64_t cases[][2] = {{1, 2},  {2, 4},   {3, 10},   {8, 16},
                                       {8, 30}, {32, 64}, {64, 191}, {100, 350}};
    for (int i = 0; i < 8; i++) {
        int64_t nside = cases[i][0], lmax = cases[i][1];
        armilla_grid *grid;
        assert_int_equal(armilla_grid_new_healpix_weighted(nside, lmax, &grid), ARMILLA_OK);
        for (int64_t l = 0; l <= lmax; l++)
            if (!(fabs(condition(grid, l) - (l == 0)) < 1e-13))
                fail_msg("nside %lld lmax %lld l %lld: %g", (long long)nside, (long long)lmax,
                         (long long)l, condition(grid, l));
        assert_int_equal(armilla_grid_get_kind(grid), ARMILLA_GRID_HEALPIX);
        armilla_grid_free(grid);
    }
}

/* The least-norm change is the band-limited one: for nside 1 and lmax 2 there is one condition
 * beyond the constant, and d_r = mu P_2(z_r) solves it; z = 2/3 on 4 pixels, 0 on 4. */
static void smallest_change_has_the_closed_form_at_nside_1(void **state)
{
    (void)state;
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_healpix_weighted(1, 2, &grid), ARMILLA_OK);
    double cap = 0.5 * (3 * 4.0 / 9 - 1), belt = -0.5; /* P_2 */
    /* 8 (1 + a) cap + 4 (1 + b) belt = 0 and 8 a + 4 b = 0 */
    double a = -(8 * cap + 4 * belt) / (8 * cap - 8 * belt), b = -2 * a;
    assert_true(fabs(ring_of(grid, 0).weight - (1 + a) * M_PI / 3) < 1e-15);
    assert_true(fabs(ring_of(grid, 1).weight - (1 + b) * M_PI / 3) < 1e-15);
    assert_true(fabs(ring_of(grid, 2).weight - (1 + a) * M_PI / 3) < 1e-15);
    armilla_grid_free(grid);
}

/* healpy's ring weights (weight_ring_n00032.fits) change the weights by 5.5e-3 (rms over pixels);
 * the least change for the same degrees must not be larger. */
static void ring_weights_are_close_to_the_plain_ones(void **state)
{
    (void)state;
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_healpix_weighted(32, 64, &grid), ARMILLA_OK);
    double sum = 0, plain = M_PI / (3 * 32 * 32);
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        armilla_ring ring = ring_of(grid, r);
        double change = ring.weight / plain - 1;
        sum += (double)ring.nphi * change * change;
        assert_true(fabs(change) < 0.1);
    }
    assert_true(sqrt(sum / (12 * 32 * 32)) < 3e-3);
    armilla_grid_free(grid);
}

static void impossible_ring_weights_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid = NULL;
    assert_int_equal(armilla_grid_new_healpix_weighted(4, -1, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_healpix_weighted(4, 15, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_healpix_weighted(0, 0, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_healpix_weighted(128, 510, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_null(grid);
}

static void failing_allocations_leave_the_output_untouched(void **state)
{
    (void)state;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (int64_t n = 0; status; n++) {
        armilla_grid *grid = NULL;
        armilla_memory_fail_after(n);
        status = armilla_grid_new_healpix_weighted(4, 8, &grid);
        armilla_memory_fail_after(-1);
        assert_int_equal(grid != NULL, status == ARMILLA_OK);
        assert_true(status == ARMILLA_OK || status == ARMILLA_ERROR_MEMORY);
        armilla_grid_free(grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_follow_the_definition),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(ring_and_nest_numbers_are_inverse_permutations),
        cmocka_unit_test(nested_pixels_contain_their_children),
        cmocka_unit_test(centres_lie_in_their_pixels),
        cmocka_unit_test(pixel_numbers_agree_with_healpy),
        cmocka_unit_test(wrong_pixels_are_refused),
        cmocka_unit_test(ring_weights_satisfy_every_condition),
        cmocka_unit_test(smallest_change_has_the_closed_form_at_nside_1),
        cmocka_unit_test(ring_weights_are_close_to_the_plain_ones),
        cmocka_unit_test(impossible_ring_weights_are_refused),
        cmocka_unit_test(failing_allocations_leave_the_output_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
