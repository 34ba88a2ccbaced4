/* Checks the theta stage for batches of rows: every kind of equidistant rings and any rings behind
 * them against direct sums, harmonics, the transpose, lists of orders, entries that do not exist.
 * Every instruction set that this machine has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "oracle/lambda_oracle.h"
#include "theta/choose.h"
#include "unit/test_theta_scene.h"

static const armilla_grid_kind kinds[] = {ARMILLA_GRID_CC, ARMILLA_GRID_F1, ARMILLA_GRID_MW,
                                          ARMILLA_GRID_MWFLIP};
enum { NKINDS = sizeof kinds / sizeof *kinds };

/* Rings next to poles and equator and others, some with mirror images, some closer together than
 * samples: not sorted. */
enum { NANGLES = 41 };
static void fill_angles(double *theta)
{
    static const double near[] = {0, 1e-300, 1e-12, 1e-6, 1e-3, M_PI_2, M_PI_2 - 1e-9, M_PI};
    uint64_t stream = 5;
    for (int i = 0; i < NANGLES; i++)
        theta[i] = i < 8 ? near[i] : M_PI * ((double)i - 7.5 + 0.3 * random_next(&stream)) / 34;
    for (int i = 8; i < 20; i++) theta[NANGLES + 7 - i] = M_PI - theta[i];
}

/* Largest error of rows of random numbers, over the rms of the rows. */
static double forward_error(const scene *s, int64_t count, const int64_t *orders)
{
    scene_rows r = rows_open(s, count, orders);
    double *expected = doubles(r.to_size), worst = 0;
    random_fill(17, r.from_size, r.from);
    armilla_theta_to_far(s->theta, &r.batch, s->scratch);
    direct_forward(s, &r, expected);
    long double square = 0;
    for (int64_t i = 0; i < r.to_size; i++) {
        worst = larger_or_nan(worst, fabs(r.to[i] - expected[i]));
        square += (long double)expected[i] * expected[i];
    }
    armilla_release(expected);
    rows_close(&r);
    return worst / sqrt((double)(square / (long double)r.to_size));
}

/* Lengths of the circle: products of small primes, with a factor 11, twice a prime, odd. */
static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 16, 17, 22, 23, 33, 37, 49, 64, 65, 101};
enum { NSIZES = sizeof sizes / sizeof *sizes };

static int needs_two(armilla_grid_kind kind)
{
    return kind == ARMILLA_GRID_CC;
}

static void random_samples_match_direct_sums(void **state)
{
    (void)state;
    static const int64_t orders[] = {3, 4, 8, 10, 12, 14, 15, 900, 0, 1, 2};
    double theta[NANGLES];
    fill_angles(theta);
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int kind = 0; kind < NKINDS && armilla_isa_usable(isa); kind++)
            for (int i = needs_two(kinds[kind]); i < NSIZES; i += checks_quick() ? 3 : 1) {
                const int64_t spin = i % 2, count = 3 + i % 9;
                scene s;
                scene_open(&s, isa, kinds[kind], sizes[i], -1, spin, NANGLES, theta);
                check_at_most(forward_error(&s, count, orders), 6e-14, "%s, %s, %d rings",
                              armilla_isa_label(isa), armilla_grid_kind_name(kinds[kind]),
                              (int)sizes[i]);
                scene_close(&s);
            }
}

/* Bands below that of the circle. */
static void narrow_bands_match_direct_sums(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1};
    double theta[NANGLES];
    fill_angles(theta);
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int64_t band = 0; band <= 60 && armilla_isa_usable(isa); band += 1 + band / 2) {
            scene s;
            scene_open(&s, isa, ARMILLA_GRID_F1, 63, band, 1, NANGLES, theta);
            check_at_most(forward_error(&s, 2, orders), 3e-14, "%s, band %d",
                          armilla_isa_label(isa), (int)band);
            scene_close(&s);
        }
}

/* --- Frequencies above half of the circle ------------------------------------------------------
 */

/* Equidistant rings on both sides; what frequency k of `transform` is divided by. */
static void scene_open_equidistant(scene *s, armilla_isa isa, int64_t nfrom, int64_t nto,
                                   int64_t band, int64_t spin, const double *transform)
{
    double *from = equidistant_rings(ARMILLA_GRID_F1, nfrom);
    double *to = equidistant_rings(ARMILLA_GRID_F1, nto);
    *s = (scene){.circle = armilla_grid_circle(ARMILLA_GRID_F1, nfrom), .spin = spin, .band = band};
    s->from = all_pairs(nfrom, from, LARGEST_ORDER);
    s->to = all_pairs(nto, to, LARGEST_ORDER);
    const armilla_theta_problem problem = {.machine = armilla_machine_with(isa),
                                           .spin = spin,
                                           .band = band,
                                           .from = &s->from,
                                           .to = &s->to,
                                           .circle_length = s->circle.length,
                                           .half_shifted = 1,
                                           .to_length = 2 * nto,
                                           .to_transform = transform};
    check_ok(armilla_theta_new(&problem, &s->theta));
    s->scratch = doubles(armilla_theta_scratch_size(s->theta));
    armilla_release(from);
    armilla_release(to);
}

/* The values of one row on the rings `to`, by direct sums. */
static double error_of_row(const scene *s, const scene_rows *r, int64_t row,
                           const double *transform)
{
    long double *c = checked_malloc(2 * (s->band + 1), sizeof *c);
    const int odd = (r->batch.orders[row] + s->spin) % 2 != 0;
    double worst = 0;
    for (int part = 0; part < 2; part++) {
        direct_coefficients(s, r->from + 4 * row * s->from.count, part, odd, c);
        for (int64_t i = 0; i < 2 * (s->band + 1); i++) c[i] /= (long double)transform[i / 2];
        for (int64_t i = 0; i < 2 * s->to.count; i++) {
            const long double theta = s->to.theta[i / 2];
            const long double value = direct_value(s->band, c, i % 2 ? PI - theta : theta);
            const double made = r->to[4 * (row * s->to.count + i / 2) + 2 * (i % 2) + part];
            worst = larger_or_nan(worst, fabs(made - (double)value));
        }
    }
    free(c);
    return worst;
}

static void check_above_half(armilla_isa isa, int64_t nfrom, int64_t band, int64_t spin)
{
    enum { NTO = 120, COUNT = 5 };
    static const int64_t orders[COUNT] = {0, 3, 4, 6, 9};
    double *transform = doubles(band + 1);
    for (int64_t k = 0; k <= band; k++) transform[k] = k % 7 == 6 ? INFINITY : 1 + 0.1 * (double)k;
    scene s;
    scene_open_equidistant(&s, isa, nfrom, NTO, band, spin, transform);
    scene_rows r = rows_open(&s, COUNT, orders), back = rows_open(&s, COUNT, orders);
    random_fill(3, r.from_size, r.from);
    armilla_theta_to_far(s.theta, &r.batch, s.scratch);
    for (int64_t row = 0; row < COUNT; row++)
        check_at_most(error_of_row(&s, &r, row, transform), 2e-14, "%s, %d rings, band %d",
                      armilla_isa_label(isa), (int)nfrom, (int)band);
    random_fill(5, back.to_size, back.to);
    armilla_theta_to_near(s.theta, &back.batch, s.scratch);
    const double a = dot_maps(r.to_size, r.to, back.to);
    const double b = dot_maps(r.from_size, r.from, back.from);
    const double scale =
        sqrt(dot_maps(r.to_size, r.to, r.to) * dot_maps(r.to_size, back.to, back.to));
    check_at_most(fabs(a - b) / scale, 1e-14, "transpose, %d rings, band %d", (int)nfrom,
                  (int)band);
    rows_close(&back);
    rows_close(&r);
    scene_close(&s);
    armilla_release(transform);
}

/* They have the samples' coefficients, as their images below half of the circle have. */
static void frequencies_above_half_the_circle(void **state)
{
    (void)state;
    static const int64_t rings[] = {16, 20, 49, 63, 70};
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int i = 0; i < 5 && armilla_isa_usable(isa); i++)
            for (int64_t band = rings[i] - 1; band < 2 * rings[i] && band < 120;
                 band += 1 + rings[i] / 6)
                check_above_half(isa, rings[i], band, band % 2);
}

/* --- Harmonics ------------------------------------------------------------------------------- */

/* lambda_lm on the rings of one side, real parts of degree lmax and imaginary parts of degree m. */
static void fill_harmonics(double *row, const armilla_ring_pairs *pairs, int64_t lmax, int64_t m)
{
    double *lambda = doubles(lmax + 1);
    for (int64_t i = 0; i < pairs->count; i++) {
        oracle_lambda_long(m, lmax, pairs->theta[i], lambda);
        const double sign = (lmax - m) % 2 ? -1 : 1, parts[2] = {lambda[lmax - m], lambda[0]};
        for (int side = 0; side < 2; side++) {
            const int there = (side ? pairs->south[i] : pairs->north[i]) >= 0;
            row[4 * i + 2 * side] = there ? (side ? sign : 1) * parts[0] : 0;
            row[4 * i + 2 * side + 1] = there ? parts[1] : 0;
        }
    }
    armilla_release(lambda);
}

static void check_harmonics(int64_t lmax, int64_t band, int64_t m)
{
    double theta[NANGLES], largest = 0;
    fill_angles(theta);
    const int64_t nrings = armilla_theta_coarse_rings(band);
    assert_true(nrings > band && nrings < band + 8);
    scene s;
    scene_open(&s, ARMILLA_ISA_SCALAR, ARMILLA_GRID_F1, nrings, band, 0, NANGLES, theta);
    scene_rows r = rows_open(&s, 1, &m);
    double *expected = doubles(r.to_size);
    fill_harmonics(r.from, &s.from, lmax, m);
    fill_harmonics(expected, &s.to, lmax, m);
    armilla_theta_to_far(s.theta, &r.batch, s.scratch);
    for (int64_t i = 0; i < r.to_size; i++) largest = larger_or_nan(largest, fabs(expected[i]));
    for (int64_t i = 0; i < r.to_size; i++)
        check_at_most(fabs(r.to[i] - expected[i]), 1e-15 * (double)(lmax + 100) * largest,
                      "lmax %d, m %d, entry %d", (int)lmax, (int)m, (int)i);
    armilla_release(expected);
    rows_close(&r);
    scene_close(&s);
}

static void harmonics_are_carried_over(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1, 2, 37, 100, 180, 220, 240, 254, 255};
    for (int i = 0; i < 10; i++) {
        check_harmonics(255, 255, orders[i]);
        check_harmonics(255, armilla_theta_band(255, orders[i]), orders[i]);
    }
    assert_true(armilla_theta_band(255, 240) < 200);
    assert_int_equal(armilla_theta_band(255, 0), 255);
}

/* --- The transpose --------------------------------------------------------------------------- */

static double dot(int64_t count, const double *a, const double *b)
{
    long double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (long double)a[i] * b[i];
    return (double)sum;
}

/* Random rows. The transpose writes 0 for rings that are missing: so does forward, and their random
 * numbers count for nothing on either side. */
static void check_adjoint(const scene *s, int64_t count, const int64_t *orders)
{
    scene_rows a = rows_open(s, count, orders), b = rows_open(s, count, orders);
    random_fill(3, a.from_size, a.from);
    random_fill(4, b.to_size, b.to);
    armilla_theta_to_far(s->theta, &a.batch, s->scratch);
    armilla_theta_to_near(s->theta, &b.batch, s->scratch);
    const double left = dot(a.to_size, a.to, b.to), right = dot(a.from_size, a.from, b.from);
    const double size = sqrt(dot(a.to_size, a.to, a.to) * dot(b.to_size, b.to, b.to));
    const double other = sqrt(dot(a.from_size, a.from, a.from) * dot(a.from_size, b.from, b.from));
    /* of odd columns, two rings on the poles leave rounding only */
    const double given = 0.01 * sqrt(dot(a.from_size, a.from, a.from) * dot(b.to_size, b.to, b.to));
    check_at_most(fabs(left - right), 1.2e-15 * larger_or_nan(given, larger_or_nan(size, other)),
                  "%d rings, %d orders", (int)s->from.count, (int)count);
    rows_close(&a);
    rows_close(&b);
}

static void other_direction_is_the_transpose(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 5, 7, 9, 11, 13};
    double theta[NANGLES];
    fill_angles(theta);
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int kind = 0; kind < NKINDS && armilla_isa_usable(isa); kind++)
            for (int i = needs_two(kinds[kind]); i < NSIZES; i++)
                for (int64_t count = 1; count < 18; count += 5) {
                    scene s;
                    scene_open(&s, isa, kinds[kind], sizes[i], -1, i / 2 % 2, i % 3 ? NANGLES : 1,
                               theta);
                    check_adjoint(&s, count, orders);
                    scene_close(&s);
                }
}

/* --- Orders and entries ---------------------------------------------------------------------- */

/* Orders one by one, and in one call: any list, in any sequence. */
static void check_batch(armilla_isa isa, int64_t count)
{
    static const int64_t orders[] = {7, 2, 4, 6, 8, 10, 12, 14, 16, 18, 1, 3, 5, 20, 22, 9, 24};
    double theta[NANGLES];
    fill_angles(theta);
    scene s;
    scene_open(&s, isa, ARMILLA_GRID_F1, 52, -1, 1, NANGLES, theta);
    scene_rows all = rows_open(&s, count, orders);
    random_fill(8, all.from_size, all.from);
    armilla_theta_to_far(s.theta, &all.batch, s.scratch);
    for (int64_t row = 0; row < count; row++) {
        scene_rows one = rows_open(&s, 1, orders + row);
        memcpy(one.from, all.from + row * one.from_size, (size_t)one.from_size * sizeof(double));
        armilla_theta_to_far(s.theta, &one.batch, s.scratch);
        for (int64_t i = 0; i < one.to_size; i++)
            check_at_most(fabs(one.to[i] - all.to[row * one.to_size + i]), 4e-14, "row %d of %d",
                          (int)row, (int)count);
        rows_close(&one);
    }
    rows_close(&all);
    scene_close(&s);
}

static void batches_agree_with_single_orders(void **state)
{
    (void)state;
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int64_t count = 1; count < 18 && armilla_isa_usable(isa); count++)
            check_batch(isa, count);
}

/* Only some of the entries near the poles, as limits of the pairs. */
static void set_limits(armilla_ring_pairs *pairs, int64_t limited)
{
    for (int64_t i = 0; i < pairs->count; i++)
        pairs->limit[i] = i < limited ? i / 2 : LARGEST_ORDER;
}

/* NaN for entries that do not exist, and for rings that are missing; or zeros. */
static void spoil(const armilla_ring_pairs *pairs, int64_t count, const int64_t *orders,
                  double *rows, double value)
{
    for (int64_t i = 0; i < count * pairs->count; i++) {
        const int64_t pair = i % pairs->count, m = orders[i / pairs->count];
        const int64_t rings[2] = {pairs->north[pair], pairs->south[pair]};
        for (int part = 0; part < 4; part++)
            if (m > pairs->limit[pair] || rings[part / 2] < 0) rows[4 * i + part] = value;
    }
}

static void check_existence(const scene *s, int to_far)
{
    enum { COUNT = 9 };
    static const int64_t orders[COUNT] = {0, 5, 6, 3, 12, 7, 9, 2, 30};
    scene_rows clean = rows_open(s, COUNT, orders), spoilt = rows_open(s, COUNT, orders);
    const armilla_ring_pairs *in = to_far ? &s->from : &s->to, *out = to_far ? &s->to : &s->from;
    const int64_t size = to_far ? clean.from_size : clean.to_size;
    double *a = to_far ? clean.from : clean.to, *b = to_far ? spoilt.from : spoilt.to;
    double *x = to_far ? clean.to : clean.from, *y = to_far ? spoilt.to : spoilt.from;
    random_fill(21, size, a);
    memcpy(b, a, (size_t)size * sizeof *a);
    spoil(in, COUNT, orders, a, 0);
    spoil(in, COUNT, orders, b, NAN);
    for (int64_t i = 0; i < 4 * COUNT * out->count; i++) y[i] = NAN;
    (to_far ? armilla_theta_to_far : armilla_theta_to_near)(s->theta, &clean.batch, s->scratch);
    (to_far ? armilla_theta_to_far : armilla_theta_to_near)(s->theta, &spoilt.batch, s->scratch);
    for (int64_t i = 0; i < 4 * COUNT * out->count; i++) {
        const int64_t pair = i / 4 % out->count, m = orders[i / 4 / out->count];
        const int there = (i % 4 < 2 ? out->north[pair] : out->south[pair]) >= 0;
        if (m > out->limit[pair])
            assert_true(isnan(y[i]));
        else
            assert_true(there ? x[i] == y[i] : y[i] == 0);
    }
    rows_close(&clean);
    rows_close(&spoilt);
}

static void entries_that_do_not_exist_are_left_alone(void **state)
{
    (void)state;
    double theta[NANGLES];
    fill_angles(theta);
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int kind = 0; kind < NKINDS && armilla_isa_usable(isa); kind++)
            for (int64_t limited = 0; limited < 36; limited += 7) {
                scene s;
                scene_open(&s, isa, kinds[kind], 33, -1, 0, NANGLES, theta);
                set_limits(&s.from, limited);
                set_limits(&s.to, limited / 2);
                check_existence(&s, 1);
                check_existence(&s, 0);
                scene_close(&s);
            }
}

/* --- Plans ----------------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    armilla_ring_pairs none = {.count = 0};
    armilla_theta *theta = NULL;
    armilla_theta_problem problem = {.from = &none, .to = &none, .circle_length = 8, .band = 5};
    check_error(armilla_theta_new(&problem, &theta), ARMILLA_ERROR_ARGUMENT, "circle_length = 8");
    problem.band = -1;
    check_error(armilla_theta_new(&problem, &theta), ARMILLA_ERROR_ARGUMENT, "band = -1");
    problem.band = 0, problem.circle_length = 0;
    check_error(armilla_theta_new(&problem, &theta), ARMILLA_ERROR_ARGUMENT, "circle_length = 0");
    assert_null(theta);
    problem.circle_length = 1; /* no rings at all are allowed */
    check_ok(armilla_theta_new(&problem, &theta));
    assert_ptr_equal(armilla_theta_near(theta), &none);
    armilla_theta_free(theta);
    armilla_theta_free(NULL);
}

/* What the rings `to` may have depends on whether they are samples; the GPU refuses the same. */
static void what_rings_are_not_for_is_refused(void **state)
{
    (void)state;
    enum { N = 16 };
    const double numbers[N] = {1};
    double *rings = equidistant_rings(ARMILLA_GRID_F1, N);
    armilla_ring_pairs pairs = all_pairs(N, rings, 9);
    const armilla_theta_problem good = {.from = &pairs,
                                        .to = &pairs,
                                        .band = N - 1,
                                        .circle_length = 2 * N,
                                        .half_shifted = 1,
                                        .to_length = 2 * N};
    armilla_theta_problem problem = good;
    armilla_theta *theta = NULL;
    problem.to_factor = numbers;
    check_error(armilla_theta_new(&problem, &theta), ARMILLA_ERROR_ARGUMENT, "to_factor");
    problem = good, problem.to_length = 0, problem.to_transform = numbers;
    check_error(armilla_theta_new(&problem, &theta), ARMILLA_ERROR_ARGUMENT, "to_transform");
    problem = good, problem.band = 4, problem.to_length = 2 * N - 4;
    check_error(armilla_theta_new(&problem, &theta), ARMILLA_ERROR_ARGUMENT, "to_length = 28");
    assert_null(theta);
    check_ok(armilla_theta_new(&good, &theta));
    armilla_theta_free(theta);
    armilla_ring_pairs_clear(&pairs);
    armilla_release(rings);
}

static void failing_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    double theta[NANGLES];
    fill_angles(theta);
    for (int64_t nrings = 32; nrings < 34;
         nrings++) { /* with and without a transform of the circle */
        double *rings = equidistant_rings(ARMILLA_GRID_F1, nrings);
        armilla_ring_pairs from = all_pairs(nrings, rings, 9), to = all_pairs(NANGLES, theta, 9);
        const armilla_theta_problem problem = {
            .from = &from, .to = &to, .circle_length = 2 * nrings, .half_shifted = 1, .band = 30};
        armilla_status status = ARMILLA_ERROR_MEMORY;
        for (int64_t n = 0; status; n++) {
            armilla_theta *made = NULL;
            armilla_memory_fail_after(n);
            status = armilla_theta_new(&problem, &made);
            armilla_memory_fail_after(-1);
            if (status) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            assert_int_equal(status == ARMILLA_OK, made != NULL);
            if (!status) assert_true(n > 10 && armilla_theta_bytes(made) > 0);
            armilla_theta_free(made);
        }
        armilla_ring_pairs_clear(&from);
        armilla_ring_pairs_clear(&to);
        armilla_release(rings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_samples_match_direct_sums),
        cmocka_unit_test(narrow_bands_match_direct_sums),
        cmocka_unit_test(frequencies_above_half_the_circle),
        cmocka_unit_test(harmonics_are_carried_over),
        cmocka_unit_test(other_direction_is_the_transpose),
        cmocka_unit_test(batches_agree_with_single_orders),
        cmocka_unit_test(entries_that_do_not_exist_are_left_alone),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(what_rings_are_not_for_is_refused),
        cmocka_unit_test(failing_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
