/* Checks that values at points have the accuracy that was asked for, and not much more, and that
 * the adjoint is exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/spin_oracle.h"
#include "oracle/transform_oracle.h"
#include "unit/test_points_scene.h"

static double error_of(const points_scene *s)
{
    double *exact = exact_values(s);
    const double error = points_error(s, exact);
    free(exact);
    return error;
}

/* The law of rounding of armilla/points.h. */
static double rounding(int64_t lmax)
{
    return 2e-16 * (double)(lmax + 10);
}

static void every_accuracy(void **state)
{
    (void)state;
    const int64_t spins[] = {0, 2, 1, 3, -2};
    const int64_t lmax = checks_quick() ? 40 : 120;
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = spins[i]};
        for (int digits = 1; digits <= 13; digits++) {
            const double epsilon = pow(10, -digits);
            points_scene s;
            points_scene_open(&s, &c, epsilon, RANDOM, 600);
            const double error = error_of(&s);
            check_at_most(error, fmax(epsilon, rounding(lmax)), "spin %d, epsilon %g",
                          (int)spins[i], epsilon);
            if (digits < 12) /* fields of high degrees alone have ten times the error */
                check_at_most(epsilon / error, 150, "epsilon %g: more than asked", epsilon);
            points_scene_close(&s);
        }
    }
}

static void every_kind_of_points(void **state)
{
    (void)state;
    for (int kind = 0; kind < POINT_KINDS; kind++)
        for (int64_t spin = 0; spin <= 2; spin++) {
            const spin_case c = {.lmax = 90, .mmax = 70, .spin = spin};
            points_scene s;
            points_scene_open(&s, &c, 1e-8, (point_kind)kind, 300);
            /* of 1e7 turns, a double knows 2e-9 */
            const double bound = kind == FAR_TURNS ? 3e-7 : 1e-8;
            check_at_most(error_of(&s), bound, "points of kind %d, spin %d", kind, (int)spin);
            points_scene_close(&s);
        }
}

static void small_band_limits(void **state)
{
    (void)state;
    const int64_t limits[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {5, 5}, {33, 2}, {64, 64}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int64_t spin = 0; spin <= 3 && spin <= limits[i][0]; spin++) {
            const spin_case c = {.lmax = limits[i][0], .mmax = limits[i][1], .spin = spin};
            points_scene s;
            points_scene_open(&s, &c, 1e-11, RANDOM, 100);
            check_at_most(error_of(&s), 1e-11, "lmax %d, mmax %d, spin %d", (int)c.lmax,
                          (int)c.mmax, (int)spin);
            points_scene_close(&s);
        }
}

static void every_mode(void **state)
{
    (void)state;
    for (int64_t spin = 1; spin <= 2; spin++)
        for (int mode = 1; mode <= 2; mode++) {
            const spin_case c = {
                .lmax = 50, .mmax = 50, .spin = spin, .mode = (armilla_sht_mode)mode};
            points_scene s;
            points_scene_open(&s, &c, 1e-9, RANDOM, 300);
            check_at_most(error_of(&s), 1e-9, "mode %d, spin %d", mode, (int)spin);
            points_scene_close(&s);
        }
}

/* --- Against sums in long double ---------------------------------------------------------------
 */

static void direct_sums(void **state)
{
    (void)state;
    enum { LMAX = 24, COUNT = 60 };
    for (int64_t spin = 0; spin <= 3; spin++) {
        const spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spin};
        points_scene s;
        points_scene_open(&s, &c, 1e-12, RANDOM, COUNT);
        double wanted[2 * COUNT];
        armilla_grid *grid = grid_of_points(COUNT, s.points);
        armilla_ring *rings = grid_rings(grid);
        const oracle_spin_problem p = {
            .nrings = COUNT, .rings = rings, .lmax = LMAX, .mmax = LMAX, .spin = spin};
        if (spin)
            oracle_spin_synthesis(&p, s.alm, wanted, wanted + COUNT);
        else
            oracle_synthesis(COUNT, rings, LMAX, LMAX, s.alm, wanted);
        check_at_most(points_error(&s, wanted), 1e-12, "spin %d", (int)spin);
        free(rings);
        armilla_grid_free(grid);
        points_scene_close(&s);
    }
}

/* --- Adjoint -----------------------------------------------------------------------------------
 */

static void check_adjoint(const spin_case *c, double epsilon, point_kind kind, int64_t npoints)
{
    points_scene s;
    points_scene_open(&s, c, epsilon, kind, npoints);
    const int64_t count = points_values(&s);
    double *values = checked_malloc(count, 8), *other = checked_malloc(count, 8);
    double *alm = checked_malloc(s.size, 8);
    random_fill(3, count, other);
    check_ok(armilla_points_synthesis(s.plan, s.alm, values, NULL));
    check_ok(armilla_points_adjoint_synthesis(s.plan, other, alm, NULL));
    const double a = dot_maps(count, values, other), b = spin_dot_alm(c, s.alm, alm);
    const double scale = sqrt(dot_maps(count, values, values) * dot_maps(count, other, other));
    check_at_most(fabs(a - b) / scale, 1e-13, "spin %d, epsilon %g, kind %d", (int)c->spin, epsilon,
                  (int)kind);
    free(alm);
    free(other);
    free(values);
    points_scene_close(&s);
}

static void adjoint(void **state)
{
    (void)state;
    const int64_t spins[] = {0, 1, 2, 3, -1};
    const double accuracies[] = {1e-1, 1e-3, 1e-6, 1e-9, 1e-12};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++)
        for (size_t j = 0; j < sizeof accuracies / sizeof *accuracies; j++) {
            const spin_case c = {.lmax = 45, .mmax = 40, .spin = spins[i]};
            for (int kind = 0; kind < POINT_KINDS; kind++)
                check_adjoint(&c, accuracies[j], (point_kind)kind, 200);
        }
    const int64_t large = checks_quick() ? 150 : 600; /* several strips */
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        const spin_case c = {.lmax = large, .mmax = large, .spin = spin};
        check_adjoint(&c, 1e-6, RANDOM, 20000);
    }
}

/* --- Instruction sets, threads -----------------------------------------------------------------
 */

static void every_instruction_set(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 100, .mmax = 100, .spin = 2};
    for (int i = 0; armilla_isa_available(i); i++) {
        setenv("ARMILLA_ISA", armilla_isa_available(i), 1);
        for (int digits = 2; digits <= 12; digits += 2) {
            points_scene s;
            points_scene_open(&s, &c, pow(10, -digits), RANDOM, 400);
            armilla_points_description d = {.size = sizeof d};
            check_ok(armilla_points_describe(s.plan, 1, &d));
            assert_string_equal(d.isa, armilla_isa_available(i));
            check_at_most(error_of(&s), pow(10, -digits), "%s, digits %d", d.isa, digits);
            points_scene_close(&s);
            check_adjoint(&c, pow(10, -digits), RANDOM, 400);
        }
    }
    unsetenv("ARMILLA_ISA");
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 130 : 500;
    const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = 1};
    points_scene s;
    points_scene_open(&s, &c, 1e-5, RANDOM, 30000);
    check_points_threads(&s, 7);
    points_scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_accuracy),        cmocka_unit_test(every_kind_of_points),
        cmocka_unit_test(small_band_limits),     cmocka_unit_test(every_mode),
        cmocka_unit_test(direct_sums),           cmocka_unit_test(adjoint),
        cmocka_unit_test(every_instruction_set), cmocka_unit_test(threads_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
