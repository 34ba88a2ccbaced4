/* Checks HEALPix maps in another order and at another nside, and interpolation. Judges are pixels
 * one by one, means in long double, and what linear interpolation must hold: the weights' mean
 * colatitude and longitude are those of the point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Orders ------------------------------------------------------------------------------------
 */

static void check_order(int64_t nside, int width, int threads)
{
    int64_t npix = 12 * nside * nside;
    unsigned char *ring = checked_malloc(npix, 16), *nest = checked_malloc(npix, 16);
    unsigned char *back = checked_malloc(npix, 16);
    for (int64_t i = 0; i < npix * width; i++) ring[i] = (unsigned char)(i * 2654435761u >> 13);
    check_ok(armilla_healpix_reorder(nside, 1, width, ring, nest, threads));
    for (int64_t i = 0; i < npix; i++)
        assert_memory_equal(nest + i * width, ring + armilla_healpix_nest_to_ring(nside, i) * width,
                            width);
    check_ok(armilla_healpix_reorder(nside, 0, width, nest, back, threads));
    assert_memory_equal(back, ring, (size_t)(npix * width));
    free(ring);
    free(nest);
    free(back);
}

static void maps_are_reordered_pixel_by_pixel(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 256; nside *= 2)
        for (int width = 1; width <= 16; width *= 2) check_order(nside, width, 0);
    for (int threads = 1; threads <= 3; threads++) check_order(512, 4, threads);
}

/* --- Sizes -------------------------------------------------------------------------------------
 */

static armilla_healpix_map map_of(int64_t nside, int nested, int is_float)
{
    return (armilla_healpix_map){.nside = nside,
                                 .nested = nested,
                                 .is_float = is_float,
                                 .values = checked_malloc(12 * nside * nside, sizeof(double))};
}

/* Value of a NESTED pixel. */
static double value_of(const armilla_healpix_map *map, int64_t nest)
{
    int64_t i = map->nested ? nest : armilla_healpix_nest_to_ring(map->nside, nest);
    return map->is_float ? (double)((const float *)map->values)[i]
                         : ((const double *)map->values)[i];
}

static void fill(armilla_healpix_map *map, int with_gaps)
{
    uint64_t stream = (uint64_t)(map->nside * 4 + map->nested);
    for (int64_t i = 0; i < 12 * map->nside * map->nside; i++) {
        double value = random_next(&stream), chance = random_next(&stream);
        if (with_gaps && chance < -0.3) value = ARMILLA_HEALPIX_MISSING * (1 + 4e-6 * value);
        if (with_gaps && chance > 0.95) value = chance > 0.97 ? NAN : INFINITY;
        if (map->is_float)
            ((float *)map->values)[i] = (float)value;
        else
            ((double *)map->values)[i] = value;
    }
}

static int is_missing(double value)
{
    return fabs(value / ARMILLA_HEALPIX_MISSING - 1) < 1e-5;
}

static double judge_mean(const armilla_healpix_map *from, int64_t size, int64_t place, int strict,
                         double factor)
{
    long double sum = 0;
    int64_t good = 0, strange = 0;
    for (int64_t k = 0; k < size; k++) {
        double value = value_of(from, place * size + k);
        if (is_missing(value)) continue;
        if (isfinite(value)) {
            sum += (long double)value;
            good++;
        } else
            strange++;
    }
    if (good == 0 || (strict && good < size)) return ARMILLA_HEALPIX_MISSING;
    return strange ? NAN : (double)(sum / (long double)good) * factor;
}

static void check_equal(double made, double judge, double bound, int64_t place)
{
    if (isnan(judge))
        assert_true(isnan(made));
    else if (is_missing(judge))
        assert_true(is_missing(made));
    else if (made != judge) /* infinite ones are the same */
        check_at_most(fabs(made - judge), bound, "pixel %lld", (long long)place);
}

static void check_coarser(armilla_healpix_map *from, armilla_healpix_map *to, int strict)
{
    int64_t ratio = from->nside / to->nside;
    double bound = from->is_float || to->is_float ? 3e-7 : 4e-15;
    for (int power = -2; power <= 2; power += 2) {
        double factor = pow((double)to->nside / (double)from->nside, power);
        check_ok(armilla_healpix_change_nside(from, to, strict, power, 0));
        for (int64_t i = 0; i < 12 * to->nside * to->nside; i++)
            check_equal(value_of(to, i), judge_mean(from, ratio * ratio, i, strict, factor),
                        bound * fmax(1, factor), i);
    }
}

static void coarser_pixels_are_means(void **state)
{
    (void)state;
    for (int variant = 0; variant < 64; variant++) {
        armilla_healpix_map from = map_of(16, variant & 1, variant >> 1 & 1);
        int64_t nside = (int64_t)1 << (variant >> 4 & 3);
        armilla_healpix_map to = map_of(nside, variant >> 2 & 1, variant >> 3 & 1);
        for (int gaps = 0; gaps <= 1; gaps++) {
            fill(&from, gaps);
            check_coarser(&from, &to, gaps);
            check_coarser(&from, &to, 0);
        }
        free(from.values);
        free(to.values);
    }
}

static void finer_pixels_repeat_values(void **state)
{
    (void)state;
    for (int variant = 0; variant < 12; variant++) {
        armilla_healpix_map from = map_of(4, variant & 1, 0);
        armilla_healpix_map to = map_of((int64_t)4 << variant / 4, variant >> 1 & 1, 0);
        int64_t ratio = to.nside / from.nside, size = ratio * ratio;
        fill(&from, 1);
        check_ok(armilla_healpix_change_nside(&from, &to, 1, 0, 0));
        for (int64_t i = 0; i < 12 * to.nside * to.nside; i++) {
            double made = value_of(&to, i), judge = value_of(&from, i / size);
            assert_true(isnan(judge) ? isnan(made) : made == judge);
        }
        check_ok(armilla_healpix_change_nside(&from, &to, 0, 2, 0));
        for (int64_t i = 0; i < 12 * to.nside * to.nside; i++) {
            double judge = value_of(&from, i / size);
            if (!is_missing(judge)) judge *= (double)size;
            check_equal(value_of(&to, i), judge, 1e-12, i);
        }
        free(from.values);
        free(to.values);
    }
}

/* --- Interpolation -----------------------------------------------------------------------------
 */

enum { POINTS = 30000 };

static double theta[POINTS], phi[POINTS], weights[4 * POINTS], values[POINTS];
static int64_t four[4 * POINTS];

static void draw_points(void)
{
    uint64_t stream = 11;
    for (int64_t i = 0; i < POINTS; i++) {
        theta[i] = acos(random_next(&stream));
        phi[i] = 20 * random_next(&stream);
        if (i % 5 == 0) theta[i] *= 1e-3;
        if (i % 5 == 1) theta[i] = M_PI - theta[i] * 1e-3;
        if (i < 20) theta[i] = i % 2 ? 0 : M_PI;
    }
}

static double turned(double angle)
{
    return angle - 2 * M_PI * floor(angle / (2 * M_PI) + 0.5);
}

/* On two rings: what the weights make of theta and phi is theta and phi. */
static void check_between_rings(int64_t i, const double *at_theta, const double *at_phi)
{
    double sum = 0, apart = 0;
    for (int k = 0; k < 4; k++) sum += weights[k * POINTS + i] * at_theta[k];
    check_at_most(fabs(sum - theta[i]), 2e-15, "theta of point %lld", (long long)i);
    for (int pair = 0; pair < 4; pair += 2) {
        assert_true(at_theta[pair] == at_theta[pair + 1]);
        apart = weights[pair * POINTS + i] * turned(at_phi[pair] - phi[i]) +
                weights[(pair + 1) * POINTS + i] * turned(at_phi[pair + 1] - phi[i]);
        check_at_most(fabs(apart), 1e-14, "phi of point %lld", (long long)i);
    }
}

/* Beyond the last ring: with the pole's value being the mean of the ring, the mean of theta. */
static void check_at_pole(int64_t nside, int nested, int64_t i, const double *at_theta)
{
    int64_t base = theta[i] < 1 ? 0 : 12 * nside * nside - 4, seen = 0;
    double share = 0, pole = theta[i] < 1 ? 0 : M_PI;
    for (int k = 0; k < 4; k++) {
        int64_t pixel = four[k * POINTS + i];
        seen |= 1 << ((nested ? armilla_healpix_nest_to_ring(nside, pixel) : pixel) - base);
    }
    assert_int_equal(seen, 15);
    for (int k = 0; k < 4; k++) share = fmax(share, -weights[k * POINTS + i]);
    assert_true(share < 1e-15);
    /* The least weight is the quarter of the pole's share. */
    double least = 1, part = (theta[i] - at_theta[0]) / (pole - at_theta[0]);
    for (int k = 0; k < 4; k++) least = fmin(least, weights[k * POINTS + i]);
    check_at_most(fabs(least - part / 4), 1e-12, "share of the pole, point %lld", (long long)i);
}

static void check_weights(int64_t nside, int nested)
{
    check_ok(
        armilla_healpix_interpolation_weights(nside, nested, POINTS, theta, phi, four, weights, 0));
    for (int64_t i = 0; i < POINTS; i++) {
        int64_t of[4];
        double at_theta[4], at_phi[4], sum = 0;
        for (int k = 0; k < 4; k++) {
            of[k] = four[k * POINTS + i];
            sum += weights[k * POINTS + i];
            assert_true(weights[k * POINTS + i] > -1e-12);
        }
        check_at_most(fabs(sum - 1), 1e-15, "sum of weights");
        check_ok(armilla_healpix_pixels_to_ang(nside, nested, 4, of, at_theta, at_phi, 1));
        if (at_theta[0] != at_theta[2])
            check_between_rings(i, at_theta, at_phi);
        else
            check_at_pole(nside, nested, i, at_theta);
    }
}

static void weights_interpolate_theta_and_phi(void **state)
{
    (void)state;
    draw_points();
    static const int64_t nsides[] = {1, 2, 3, 5, 8, 64, 1000};
    for (int k = 0; k < 7; k++) check_weights(nsides[k], 0);
    for (int64_t nside = 1; nside <= 1024; nside *= 8) check_weights(nside, 1);
}

static void values_are_sums_of_weights(void **state)
{
    (void)state;
    draw_points();
    for (int variant = 0; variant < 4; variant++) {
        armilla_healpix_map map = map_of(64, variant & 1, variant >> 1);
        fill(&map, 0);
        check_ok(armilla_healpix_interpolate(&map, POINTS, theta, phi, values, 0));
        check_ok(armilla_healpix_interpolation_weights(64, map.nested, POINTS, theta, phi, four,
                                                       weights, 0));
        for (int64_t i = 0; i < POINTS; i++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                int64_t pixel = four[k * POINTS + i];
                sum +=
                    weights[k * POINTS + i] * (map.is_float ? (double)((float *)map.values)[pixel]
                                                            : ((double *)map.values)[pixel]);
            }
            check_at_most(fabs(values[i] - sum), 1e-15, "value %lld", (long long)i);
        }
        free(map.values);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    double in[48] = {0}, out[48] = {7};
    armilla_healpix_map from = {2, 0, 0, in}, to = {1, 0, 0, out}, bad = {3, 0, 0, in};
    armilla_healpix_map none = {2, 0, 0, NULL};
    check_error(armilla_healpix_reorder(3, 1, 8, in, out, 0), ARMILLA_ERROR_ARGUMENT, "nside = 3");
    check_error(armilla_healpix_reorder(2, 1, 3, in, out, 0), ARMILLA_ERROR_ARGUMENT, "width = 3");
    check_error(armilla_healpix_reorder(2, 1, 32, in, out, 0), ARMILLA_ERROR_ARGUMENT, "width");
    check_error(armilla_healpix_reorder(2, 1, 8, NULL, out, 0), ARMILLA_ERROR_ARGUMENT, "map");
    check_error(armilla_healpix_reorder(2, 1, 8, in, NULL, 0), ARMILLA_ERROR_ARGUMENT, "reordered");
    check_error(armilla_healpix_reorder(2, 1, 8, in, out, -1), ARMILLA_ERROR_ARGUMENT, "nthreads");
    check_error(armilla_healpix_change_nside(&bad, &to, 0, 0, 0), ARMILLA_ERROR_ARGUMENT,
                "from->nside = 3");
    check_error(armilla_healpix_change_nside(&from, &bad, 0, 0, 0), ARMILLA_ERROR_ARGUMENT,
                "to->nside = 3");
    check_error(armilla_healpix_change_nside(NULL, &to, 0, 0, 0), ARMILLA_ERROR_ARGUMENT, "from");
    check_error(armilla_healpix_change_nside(&none, &to, 0, 0, 0), ARMILLA_ERROR_ARGUMENT, "from");
    check_error(armilla_healpix_change_nside(&from, &to, 0, NAN, 0), ARMILLA_ERROR_ARGUMENT,
                "power");
    check_error(armilla_healpix_interpolate(NULL, 1, in, in, out, 0), ARMILLA_ERROR_ARGUMENT,
                "map");
    check_error(armilla_healpix_interpolate(&none, 1, in, in, out, 0), ARMILLA_ERROR_ARGUMENT,
                "map->values");
    in[0] = 4;
    check_error(armilla_healpix_interpolate(&from, 1, in, in, out, 0), ARMILLA_ERROR_ARGUMENT,
                "theta[0] = 4");
    check_error(armilla_healpix_interpolation_weights(0, 0, 1, in, in, four, weights, 0),
                ARMILLA_ERROR_ARGUMENT, "nside = 0");
    assert_true(out[0] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_reordered_pixel_by_pixel),
        cmocka_unit_test(coarser_pixels_are_means),
        cmocka_unit_test(finer_pixels_repeat_values),
        cmocka_unit_test(weights_interpolate_theta_and_phi),
        cmocka_unit_test(values_are_sums_of_weights),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
