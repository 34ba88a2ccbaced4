/* Checks that the functions of HEALPix pixels in arrays, maps and regions stand random arguments:
 * right ones work, wrong ones are refused by name. */
#include "test_api_random.h"

enum { MOST = 6 };

/* nside and an order that it has. */
static void draw_nside(trial *t, int64_t *nside, int *nested)
{
    *nested = (int)below(t, 2);
    *nside = *nested ? INT64_C(1) << below(t, 30) : between(t, 1, 876706528);
    if (*nested && spoil(t, "nside")) *nside = 3 * between(t, 1, 1 << 20);
    if (spoil(t, "nside")) *nside = outside(t, 1, 876706528);
}

static void try_directions(trial *t)
{
    int64_t nside, found[MOST], *target = found, count = between(t, 1, MOST);
    int nested, nthreads = (int)below(t, 4);
    double theta[MOST], phi[MOST];
    const double *given = theta;
    draw_nside(t, &nside, &nested);
    for (int i = 0; i < MOST; i++) {
        theta[i] = M_PI * (double)below(t, 1001) / 1000;
        phi[i] = any_finite(t);
    }
    if (spoil(t, "theta[")) theta[below(t, count)] = below(t, 2) ? -1e-300 : not_finite(t);
    if (spoil(t, "phi[")) phi[below(t, count)] = not_finite(t);
    if (spoil(t, "theta = NULL")) given = NULL;
    if (spoil(t, "pixels")) target = NULL;
    if (spoil(t, "nthreads")) nthreads = outside_int(t, 0, INT32_MAX);
    if (spoil(t, "npixels")) count = -count;
    memset(found, 0x5a, sizeof found);
    uint64_t before = checksum(found, sizeof found);
    if (!judge(t,
               armilla_healpix_ang_to_pixels(nside, nested, count, given, phi, target, nthreads)))
        assert_unchanged(t, before, found, sizeof found);
    else
        for (int64_t i = 0; i < count; i++)
            assert_true(found[i] >= 0 && found[i] < armilla_healpix_npix(nside));
}

static void try_disc(trial *t)
{
    int64_t nside, fact;
    int nested;
    double centre[3] = {1, 0.1 * (double)below(t, 5), -0.2};
    const double *given = centre;
    draw_nside(t, &nside, &nested);
    double radius = 5.0 / (double)(nside > 0 ? nside : 1);
    fact = nside > 0 && nside < INT64_C(1) << 26 ? INT64_C(1) << below(t, 3) : below(t, 2);
    if (spoil(t, "centre")) centre[below(t, 3)] = not_finite(t);
    if (spoil(t, "centre")) given = NULL;
    if (spoil(t, "radius")) radius = NAN;
    if (spoil(t, "fact")) fact = below(t, 2) ? -1 : INT64_MAX;
    armilla_healpix_ranges *ranges = NULL;
    if (!judge(t, armilla_healpix_query_disc(nside, nested, given, radius, fact, &ranges)))
        assert_null(ranges);
    else
        assert_true(armilla_healpix_ranges_npixels(ranges) < 1000);
    int64_t npixels = ranges ? armilla_healpix_ranges_npixels(ranges) : -1, pixels[1000],
            count = -1;
    armilla_healpix_ranges_free(ranges);
    if (!judge(t, armilla_healpix_query_disc_pixels(nside, nested, given, radius, fact, 1000,
                                                    &count, pixels)))
        assert_int_equal(count, -1);
    else
        assert_int_equal(count, npixels);
}

static void try_order(trial *t)
{
    int64_t nside = INT64_C(1) << below(t, 3);
    int width = 1 << below(t, 5), nthreads = (int)below(t, 4);
    static unsigned char map[192 * 16], made[192 * 16];
    const void *given = map;
    void *target = made;
    if (spoil(t, "nside")) nside = below(t, 2) ? 3 : outside(t, 1, 876706528);
    if (spoil(t, "width")) width = below(t, 2) ? 3 : outside_int(t, 1, 16);
    if (spoil(t, "map")) given = NULL;
    if (spoil(t, "reordered")) target = NULL;
    if (spoil(t, "nthreads")) nthreads = outside_int(t, 0, INT32_MAX);
    memset(made, 0x5a, sizeof made);
    uint64_t before = checksum(made, sizeof made);
    if (!judge(t, armilla_healpix_reorder(nside, (int)below(t, 2), width, given, target, nthreads)))
        assert_unchanged(t, before, made, sizeof made);
}

static void pixels_and_maps_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_directions, 3000);
    try_often(try_disc, 3000);
    try_often(try_order, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pixels_and_maps_name_a_wrong_argument)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}
