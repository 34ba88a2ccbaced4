/* Checks that points in a part of the sky cost that part, and that their values are as right as
 * those of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "oracle/spin_oracle.h"
#include "oracle/transform_oracle.h"
#include "points/sampling.h"
#include "unit/test_points_scene.h"

/* Colatitudes, longitudes. */
typedef struct {
    const char *name;
    double north, south, west, east;
} patch;

static const patch patches[] = {
    {"on the north pole", 0, 0.2, 0, 6.3},
    {"beside the north pole", 0.1, 0.3, 1, 2},
    {"ring around the north pole", 0.2, 0.21, 0, 6.3},
    {"across phi = 0", 0.7, 0.9, -0.2, 0.2},
    {"at the equator", 1.45, 1.7, 3, 3.3},
    {"north of the equator", 1.2, 1.45, 3, 3.3},
    {"across the equator", 1.2, 1.6, 5, 5.5},
    {"in the south", 2.2, 2.4, 4, 4.2},
    {"beside the south pole", 2.9, 3.1, 0, 6.3},
    {"on the south pole", 3, M_PI, 0, 6.3},
    {"one place", 1.1, 1.1, 2, 2},
    {"the north pole", 0, 0, 0, 6.3},
    {"the equator", M_PI_2, M_PI_2, 0, 6.3},
};
enum { PATCHES = sizeof patches / sizeof *patches, COUNT = 120 };

/* The corners, and points in between. */
static double *points_of(const patch *p, int64_t count)
{
    double *points = checked_malloc(2 * count, sizeof *points);
    uint64_t stream = 3;
    for (int64_t i = 0; i < count; i++) {
        const double a = 0.5 + 0.5 * random_next(&stream), b = 0.5 + 0.5 * random_next(&stream);
        points[2 * i] = i == 0   ? p->north
                        : i == 1 ? p->south
                                 : p->north + (p->south - p->north) * a;
        points[2 * i + 1] = p->west + (p->east - p->west) * (i < 2 ? (double)i : b);
    }
    return points;
}

static armilla_points_description describe(const armilla_points *plan)
{
    armilla_points_description d = {.size = sizeof d};
    check_ok(armilla_points_describe(plan, 1, &d));
    return d;
}

/* --- Accuracy ----------------------------------------------------------------------------------
 */

/* A plan for the whole sphere has all rings; these must not. Margins are wide where epsilon is
 * small. */
static void check_is_smaller(const points_scene *s, const patch *p)
{
    const armilla_points_description d = describe(s->plan);
    if (!checks_quick() && d.epsilon > 1e-9 && d.south - d.north > M_PI - 0.1)
        fail_msg("%s, epsilon %g: the whole sphere is made", p->name, d.epsilon);
    assert_true(d.north <= p->north && d.south >= p->south);
}

static void every_patch(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 60 : 200;
    for (int i = 0; i < PATCHES; i++)
        for (int64_t spin = 0; spin <= 3; spin++) {
            const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = spin};
            double *exact = NULL;
            for (int digits = 1 + (int)(i + spin) % 3; digits <= 13; digits += 3) {
                const double epsilon = pow(10, -digits);
                const double bound = fmax(epsilon, 2e-16 * (double)(lmax + 10));
                points_scene s;
                points_scene_open_at(&s, &c, epsilon, COUNT, points_of(&patches[i], COUNT));
                if (!exact) exact = exact_values(&s);
                check_is_smaller(&s, &patches[i]);
                check_at_most(points_error(&s, exact), bound, "%s, spin %d, epsilon %g",
                              patches[i].name, (int)spin, epsilon);
                points_scene_close(&s);
            }
            free(exact);
        }
}

/* Against sums in long double. */
static void direct_sums(void **state)
{
    (void)state;
    enum { LMAX = 70, FEW = 24 };
    for (int i = 0; i < PATCHES; i += 2)
        for (int64_t spin = 0; spin <= 3; spin++) {
            const spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spin};
            points_scene s;
            points_scene_open_at(&s, &c, 1e-7, FEW, points_of(&patches[i], FEW));
            double wanted[2 * FEW];
            armilla_grid *grid = grid_of_points(FEW, s.points);
            armilla_ring *rings = grid_rings(grid);
            const oracle_spin_problem p = {
                .nrings = FEW, .rings = rings, .lmax = LMAX, .mmax = LMAX, .spin = spin};
            if (spin)
                oracle_spin_synthesis(&p, s.alm, wanted, wanted + FEW);
            else
                oracle_synthesis(FEW, rings, LMAX, LMAX, s.alm, wanted);
            check_at_most(points_error(&s, wanted), 1e-7, "%s, spin %d", patches[i].name,
                          (int)spin);
            free(rings);
            armilla_grid_free(grid);
            points_scene_close(&s);
        }
}

/* Points of two patches, alternating. */
static double *points_of_two(const patch *a, const patch *b, int64_t count)
{
    double *points = points_of(a, count), *other = points_of(b, count);
    for (int64_t i = 1; i < count; i += 2) {
        points[2 * i] = other[2 * i], points[2 * i + 1] = other[2 * i + 1];
    }
    free(other);
    return points;
}

static void two_patches(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 60 : 250;
    for (int i = 0; i < PATCHES; i++)
        for (int j = 0; j < i; j++) {
            const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = (i + j) % 3};
            const double epsilon = pow(10, -2 - (i + 3 * j) % 10);
            points_scene s;
            points_scene_open_at(&s, &c, epsilon, COUNT,
                                 points_of_two(&patches[i], &patches[j], COUNT));
            double *exact = exact_values(&s);
            check_at_most(points_error(&s, exact), epsilon, "%s and %s", patches[i].name,
                          patches[j].name);
            free(exact);
            points_scene_close(&s);
        }
}

/* --- Adjoint -----------------------------------------------------------------------------------
 */

static void check_adjoint(const spin_case *c, double epsilon, int64_t count, double *points,
                          const char *name)
{
    points_scene s;
    points_scene_open_at(&s, c, epsilon, count, points);
    const int64_t n = points_values(&s);
    double *values = checked_malloc(n, 8), *other = checked_malloc(n, 8);
    double *alm = checked_malloc(s.size, 8);
    random_fill(3, n, other);
    for (int64_t i = 0; i < s.size; i++) alm[i] = NAN; /* all must be written */
    check_ok(armilla_points_synthesis(s.plan, s.alm, values, NULL));
    check_ok(armilla_points_adjoint_synthesis(s.plan, other, alm, NULL));
    const double a = dot_maps(n, values, other), b = spin_dot_alm(c, s.alm, alm);
    const double scale = sqrt(dot_maps(n, values, values) * dot_maps(n, other, other));
    check_at_most(fabs(a - b) / scale, 1e-13, "%s, spin %d, epsilon %g", name, (int)c->spin,
                  epsilon);
    free(alm);
    free(other);
    free(values);
    points_scene_close(&s);
}

static void adjoint(void **state)
{
    (void)state;
    const double accuracies[] = {1e-1, 1e-4, 1e-8, 1e-12};
    const int64_t lmax = checks_quick() ? 60 : 200;
    for (int i = 0; i < PATCHES; i++)
        for (int64_t spin = 0; spin <= 3; spin++)
            for (int j = (int)(i + spin) % 2; j < 4; j += 2) {
                const spin_case c = {.lmax = lmax, .mmax = i % 2 ? lmax : lmax / 2, .spin = spin};
                check_adjoint(&c, accuracies[j], COUNT, points_of(&patches[i], COUNT),
                              patches[i].name);
            }
    const int64_t large = checks_quick() ? 150 : 900; /* several strips, some without points */
    for (int i = 0; i < PATCHES; i += 2) {
        const spin_case c = {.lmax = large, .mmax = large, .spin = i % 4};
        check_adjoint(&c, 1e-6, 5000, points_of_two(&patches[i], &patches[1], 5000), "two");
    }
}

/* Orders that no point needs are zero, floats as well, with any layout. */
static void orders_left_out(void **state)
{
    (void)state;
    enum { LMAX = 200 };
    int64_t mstart[LMAX + 1];
    for (int64_t m = 0; m <= LMAX; m++) mstart[m] = m * (LMAX + 1);
    armilla_alm_layout *square;
    check_ok(armilla_alm_layout_new_custom(LMAX, LMAX, mstart, 1, &square));
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.layout = square;
    armilla_points *plan;
    double *points = points_of(&patches[0], COUNT);
    check_ok(armilla_points_new(LMAX, LMAX, COUNT, points, &options, &plan));
    const int64_t last = describe(plan).highest_order, size = armilla_alm_layout_size(square);
    assert_in_range(last, 40, 100); /* lmax sin(0.2) = 40 */
    float values[COUNT], *alm = checked_malloc(2 * size, sizeof *alm);
    for (int64_t i = 0; i < COUNT; i++) values[i] = (float)(i % 7);
    for (int64_t i = 0; i < 2 * size; i++) alm[i] = NAN;
    check_ok(armilla_points_adjoint_synthesis_float(plan, values, alm, NULL));
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++) {
            const float *a = alm + 2 * (mstart[m] + l);
            assert_true(isfinite(a[0]) && isfinite(a[1]));
            if (m > last) assert_true(a[0] == 0 && a[1] == 0);
        }
    free(alm);
    free(points);
    armilla_points_free(plan);
    armilla_alm_layout_free(square);
}

/* --- What is made ------------------------------------------------------------------------------
 */

static armilla_points_description described(int64_t lmax, double north, double south)
{
    const patch p = {"", north, south, 0, 6.3};
    double *points = points_of(&p, COUNT);
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.epsilon = 1e-6;
    armilla_points *plan;
    check_ok(armilla_points_new(lmax, lmax, COUNT, points, &options, &plan));
    const armilla_points_description d = describe(plan);
    armilla_points_free(plan);
    free(points);
    return d;
}

/* 4 % and 0.5 % of the sky take a part of the rings and of the orders that the sphere has. */
static void described_parts(void **state)
{
    (void)state;
    const int64_t lmax = 2000;
    const armilla_points_description whole = described(lmax, 0, M_PI);
    assert_true(whole.north == 0 && fabs(whole.south - M_PI) < 1e-15);
    assert_int_equal(whole.highest_order, lmax);
    assert_in_range(whole.near_rings, lmax + 1, lmax + 60);
    const armilla_points_description cap = described(lmax, 0, 0.403),
                                     small = described(lmax, 0, 0.1415);
    assert_true(cap.north == 0 && cap.south < 0.6);
    assert_in_range(cap.highest_order, 785, 900); /* lmax sin(0.403) = 784 */
    assert_in_range(cap.near_rings, 260, 450);    /* lmax 0.403 / pi = 257 */
    assert_in_range(small.highest_order, 282, 370);
    assert_in_range(small.near_rings, 90, 220);
    assert_true(small.workspace_bytes * 10 < whole.workspace_bytes);
    const armilla_points_description equator = described(lmax, 1.37, 1.77);
    assert_int_equal(equator.highest_order, lmax);
    assert_in_range(equator.near_rings, 260, 500);
    assert_true(fabs(equator.north + equator.south - M_PI) < 1e-12); /* rings mirror each other */
    const armilla_points_description south = described(lmax, 2.3, 2.79); /* -42 to -70 degrees */
    assert_true(south.north > 2.1 && south.south < 3.0);
    assert_in_range(south.highest_order, 1492, 1640); /* lmax sin(2.3) = 1491 */
    assert_true(2 * south.nrings < whole.nrings);
}

/* Far apart, but near the poles: few orders, all rings. */
static void both_poles(void **state)
{
    (void)state;
    double points[] = {0.1, 1, M_PI - 0.1, 2, 0.05, 3, 3.1, 4};
    armilla_points *plan;
    check_ok(armilla_points_new(1000, 1000, 4, points, NULL, &plan));
    const armilla_points_description d = describe(plan);
    assert_in_range(d.highest_order, 99, 200); /* lmax sin(0.1) = 99.8 */
    assert_true(d.nphi < 700);
    armilla_points_free(plan);
}

/* A caller of an older version knows fewer fields. */
static void older_descriptions(void **state)
{
    (void)state;
    armilla_points_description d = {
        .size = offsetof(armilla_points_description, north), .north = -5, .highest_order = -7};
    double points[] = {0.1, 1};
    armilla_points *plan;
    check_ok(armilla_points_new(100, 100, 1, points, NULL, &plan));
    check_ok(armilla_points_describe(plan, 1, &d));
    assert_int_equal(d.npoints, 1);
    assert_true(d.north == -5 && d.highest_order == -7);
    armilla_points_free(plan);
}

/* --- Plans beside each other -------------------------------------------------------------------
 */

static void check_beside(const points_scene *s, const patch *p, const char *what)
{
    double *points = points_of(p, COUNT);
    armilla_points *other;
    check_ok(armilla_points_new_beside(s->plan, COUNT, points, &other));
    points_scene beside = *s;
    beside.points = points, beside.npoints = COUNT, beside.plan = other;
    double *exact = exact_values(&beside);
    check_at_most(points_error(&beside, exact), 1e-9, "%s: %s", what, p->name);
    armilla_points_free(other);
    free(exact);
    free(points);
}

/* Points within the patch of another plan, outside of it, anywhere. */
static void plans_beside(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 150, .mmax = 150};
    for (int i = 0; i < PATCHES; i++) {
        points_scene s;
        points_scene_open_at(&s, &c, 1e-9, COUNT, points_of(&patches[i], COUNT));
        for (int j = i % 3; j < PATCHES; j += 3) check_beside(&s, &patches[j], patches[i].name);
        points_scene_close(&s);
    }
}

/* In the same cap, the tables are shared: nothing is chosen anew. */
static void same_patch_is_shared(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 150, .mmax = 150};
    points_scene s;
    points_scene_open_at(&s, &c, 1e-9, COUNT, points_of(&patches[0], COUNT));
    const patch inside = {"", 0.05, 0.19, 0, 3}, outside = {"", 0.05, 0.25, 0, 3};
    armilla_points *other[2];
    double *points[2] = {points_of(&inside, 40), points_of(&outside, COUNT)};
    check_ok(armilla_points_new_beside(s.plan, 40, points[0], &other[0]));
    check_ok(armilla_points_new_beside(s.plan, COUNT, points[1], &other[1]));
    const armilla_points_description mine = describe(s.plan), shared = describe(other[0]);
    assert_true(shared.south == mine.south && shared.taps == mine.taps);
    assert_true(describe(other[1]).south > mine.south);
    for (int i = 0; i < 2; i++) armilla_points_free(other[i]), free(points[i]);
    points_scene_close(&s);
}

/* --- Threads, memory ---------------------------------------------------------------------------
 */

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 130 : 600;
    for (int p = 0; p < PATCHES; p += 3) {
        const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = p % 2};
        points_scene s;
        points_scene_open_at(&s, &c, 1e-5, 3000, points_of(&patches[p], 3000));
        check_points_threads(&s, 5);
        points_scene_close(&s);
    }
}

static void every_allocation_fails(void **state)
{
    (void)state;
    double *points = points_of(&patches[7], COUNT), *others = points_of(&patches[1], COUNT);
    armilla_points *plan;
    armilla_memory_fail_after(-1);
    check_ok(armilla_points_new(120, 120, COUNT, points, NULL, &plan));
    const int64_t count = armilla_memory_fail_after(-1);
    for (int64_t i = 0; i < count; i++) {
        armilla_points *failed = NULL;
        armilla_memory_fail_after(i);
        armilla_status status = armilla_points_new(120, 120, COUNT, points, NULL, &failed);
        armilla_memory_fail_after(-1);
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_null(failed);
        armilla_memory_fail_after(i); /* other tables */
        status = armilla_points_new_beside(plan, COUNT, others, &failed);
        armilla_memory_fail_after(-1);
        if (status == ARMILLA_OK) armilla_points_free(failed);
        if (i < count / 2) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
    }
    armilla_points_free(plan);
    free(others);
    free(points);
}

/* --- How frequencies fade ----------------------------------------------------------------------
 */

static void frequencies_fade_smoothly(void **state)
{
    (void)state;
    for (int digits = 1; digits <= 13; digits += 4) {
        armilla_window rise;
        armilla_sampling_make_rise(pow(10, -digits), &rise);
        double slope = 0;
        for (int i = 0; i <= 200; i++) {
            const long double x = 0.01L * (i - 100), h = 1e-4L;
            const double value = (double)armilla_window_rise(&rise, x);
            const double mirrored = (double)armilla_window_rise(&rise, -x);
            check_at_most(fabs(value + mirrored - 1), 1e-15, "at %g", (double)x);
            if (i == 0) check_at_most(fabs(value), 1e-17, "begin");
            if (i == 0 || i == 200) continue;
            const long double step =
                armilla_window_rise(&rise, x + h) - armilla_window_rise(&rise, x - h);
            const double wanted = (double)(armilla_window_psi(&rise, x) / rise.mu);
            check_at_most(fabs((double)(step / (2 * h)) - wanted), 2e-6 * (1 + slope), "slope");
            slope = wanted;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_patch),
        cmocka_unit_test(direct_sums),
        cmocka_unit_test(two_patches),
        cmocka_unit_test(adjoint),
        cmocka_unit_test(orders_left_out),
        cmocka_unit_test(described_parts),
        cmocka_unit_test(both_poles),
        cmocka_unit_test(older_descriptions),
        cmocka_unit_test(plans_beside),
        cmocka_unit_test(same_patch_is_shared),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(frequencies_fade_smoothly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
