/* Checks that alm -> leg -> map in two steps gives what plans give, which put the stages together
 * in another way; that each step has an exact adjoint; and that any order of rings and orders,
 * floats, threads, errors and failing allocations leave it so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include "unit/test_watcher.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t spin;
    armilla_sht_mode mode;
} kind;

static const kind kinds[] = {{0, ARMILLA_SHT_STANDARD},    {1, ARMILLA_SHT_STANDARD},
                             {2, ARMILLA_SHT_STANDARD},    {-2, ARMILLA_SHT_STANDARD},
                             {5, ARMILLA_SHT_STANDARD},    {2, ARMILLA_SHT_GRADIENT_ONLY},
                             {1, ARMILLA_SHT_DERIVATIVES}, {2, ARMILLA_SHT_DERIVATIVES}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct {
    armilla_grid *grid;
    armilla_ring *rings;
    double *theta;
    int64_t lmax, mmax, nrings, npix;
    int64_t nalm, ncomp, alm_size, leg_size; /* sizes of all components, complex numbers */
    armilla_leg_problem problem;
    armilla_leg_rings places;
    double *alm, *leg, *map;
} bench;

static void set_up(bench *b, armilla_grid *grid, int64_t lmax, int64_t mmax, kind k)
{
    *b = (bench){.grid = grid, .lmax = lmax, .mmax = mmax};
    b->nrings = armilla_grid_nrings(grid), b->npix = armilla_grid_npix(grid);
    b->rings = grid_rings(grid);
    b->theta = checked_malloc(b->nrings, sizeof(double));
    for (int64_t i = 0; i < b->nrings; i++) b->theta[i] = b->rings[i].theta, b->rings[i].weight = 1;
    b->ncomp = k.spin ? 2 : 1;
    b->nalm = k.mode == ARMILLA_SHT_STANDARD ? b->ncomp : 1;
    b->alm_size = b->nalm * armilla_alm_size(lmax, mmax);
    b->leg_size = b->ncomp * b->nrings * (mmax + 1);
    armilla_leg_problem_init(&b->problem);
    b->problem.lmax = lmax, b->problem.norders = mmax + 1;
    b->problem.nrings = b->nrings, b->problem.theta = b->theta;
    b->problem.spin = k.spin, b->problem.mode = k.mode;
    armilla_leg_rings_init(&b->places);
    b->places.ncomp = b->ncomp, b->places.mmax = mmax;
    b->places.nrings = b->nrings, b->places.rings = b->rings;
    b->alm = checked_malloc(2 * b->alm_size, sizeof(double));
    b->leg = checked_malloc(2 * b->leg_size, sizeof(double));
    b->map = checked_malloc(b->ncomp * b->npix, sizeof(double));
    random_fill(3, 2 * b->alm_size, b->alm);
    random_fill(4, 2 * b->leg_size, b->leg);
    random_fill(5, b->ncomp * b->npix, b->map);
}

static void tear_down(bench *b)
{
    void *parts[] = {b->alm, b->leg, b->map, b->theta, b->rings};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
    armilla_grid_free(b->grid);
}

static armilla_grid *with_poles(void)
{
    return exact_grid(ARMILLA_GRID_CC, 20, 13, 0, 0);
}

/* --- Against plans ---------------------------------------------------------------------------- */

static void check_with_plan(bench *b)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    armilla_sht_options_init(&options);
    options.spin = b->problem.spin, options.mode = b->problem.mode;
    check_ok(armilla_sht_new(b->grid, b->lmax, b->mmax, &options, &sht));
    int64_t size = b->alm_size / b->nalm;
    for (int64_t i = 0; i < b->nalm; i++)
        for (int64_t l = 0; l <= b->lmax; l++) b->alm[2 * (i * size + l) + 1] = 0;
    double *map = checked_malloc(b->ncomp * b->npix, sizeof *map);
    double *judge = checked_malloc(b->ncomp * b->npix, sizeof *map);
    double *alm = checked_malloc(2 * b->alm_size, sizeof *alm);
    double *leg = checked_malloc(2 * b->leg_size, sizeof *leg);
    check_ok(armilla_sht_synthesis(sht, b->alm, judge, &exec));
    check_ok(armilla_leg_from_alm(&b->problem, b->alm, leg));
    check_ok(armilla_leg_to_map(&b->places, leg, map));
    check_at_most(rms_error(b->ncomp * b->npix, judge, map), 1e-13, "map, spin %lld, mode %d",
                  (long long)b->problem.spin, (int)b->problem.mode);
    check_ok(armilla_leg_from_map(&b->places, b->map, leg));
    check_ok(armilla_leg_to_alm(&b->problem, leg, alm));
    double *judge_alm = checked_malloc(2 * b->alm_size, sizeof *alm);
    check_ok(armilla_sht_adjoint_synthesis(sht, b->map, judge_alm, &exec));
    check_at_most(rms_error(2 * b->alm_size, judge_alm, alm), 1e-13, "alm, spin %lld, mode %d",
                  (long long)b->problem.spin, (int)b->problem.mode);
    void *parts[] = {map, judge, alm, leg, judge_alm};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
    armilla_sht_free(sht);
}

static void stages_together_are_the_plan(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        armilla_grid *grids[] = {healpix_grid(7), with_poles()};
        for (size_t g = 0; g < 2; g++) {
            bench b;
            set_up(&b, grids[g], 20, g ? 13 : 20, kinds[i]);
            check_with_plan(&b);
            tear_down(&b);
        }
    }
}

/* --- Adjointness ------------------------------------------------------------------------------ */

static double complex dot(int64_t count, const double *a, const double *b)
{
    double complex sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (a[2 * i] - I * a[2 * i + 1]) * (b[2 * i] + I * b[2 * i + 1]);
    return sum;
}

/* For complex numbers, also where a real field has none: the imaginary parts of m = 0. The stages
 * of spin are real combinations of E, i B and so on: the adjoint of i is -i. */
static void leg_and_alm_are_adjoint(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        bench b;
        set_up(&b, i % 2 ? healpix_grid(7) : with_poles(), 20, 13, kinds[i]);
        double *leg = checked_malloc(2 * b.leg_size, sizeof *leg);
        double *alm = checked_malloc(2 * b.alm_size, sizeof *alm);
        check_ok(armilla_leg_from_alm(&b.problem, b.alm, leg));
        check_ok(armilla_leg_to_alm(&b.problem, b.leg, alm));
        double complex left = dot(b.leg_size, leg, b.leg), right = dot(b.alm_size, b.alm, alm);
        double scale =
            sqrt(creal(dot(b.leg_size, leg, leg)) * creal(dot(b.leg_size, b.leg, b.leg)));
        check_at_most(cabs(left - right), 1e-13 * scale, "spin %lld", (long long)kinds[i].spin);
        free(alm);
        free(leg);
        tear_down(&b);
    }
}

static void map_and_leg_are_adjoint(void **state)
{
    (void)state;
    bench b;
    set_up(&b, healpix_grid(7), 40, 40,
           kinds[1]); /* rings shorter than 2 mmax + 1, an odd number */
    double *leg = checked_malloc(2 * b.leg_size, sizeof *leg);
    double *map = checked_malloc(b.ncomp * b.npix, sizeof *map);
    for (int64_t r = 0; r < b.nrings; r++) b.rings[r].weight = 0.5 + (double)(r % 3);
    check_ok(armilla_leg_to_map(&b.places, b.leg, map));
    check_ok(armilla_leg_from_map(&b.places, b.map, leg));
    double left = dot_maps(b.ncomp * b.npix, map, b.map), right = 0;
    for (int64_t i = 0; i < b.leg_size; i++) {
        int64_t m = i % (b.mmax + 1);
        right += (m ? 2 : 1) * b.leg[2 * i] * leg[2 * i];
        right += m ? 2 * b.leg[2 * i + 1] * leg[2 * i + 1] : 0;
    }
    double scale = sqrt(dot_maps(b.ncomp * b.npix, map, map));
    check_at_most(fabs(left - right),
                  1e-13 * scale * sqrt(dot_maps(b.ncomp * b.npix, b.map, b.map)), "weights");
    free(map);
    free(leg);
    tear_down(&b);
}

/* --- Any order, any place --------------------------------------------------------------------- */

static void rings_and_orders_in_any_order(void **state)
{
    (void)state;
    const int64_t orders[] = {9, 2, 0, 13, 7}, count = 5, stride = -2;
    for (size_t i = 0; i < KINDS; i++) {
        bench b;
        set_up(&b, healpix_grid(7), 20, 13, kinds[i]);
        int64_t mstart[5], distance = 500, size = 2 * b.nalm * distance;
        double *theta = checked_malloc(b.nrings, sizeof *theta);
        double *alm = checked_calloc(size, sizeof *alm);
        double *leg = checked_malloc(2 * b.leg_size, sizeof *leg);
        double *part = checked_malloc(2 * b.leg_size, sizeof *part);
        for (int64_t r = 0; r < b.nrings; r++) theta[r] = b.theta[r * 5 % b.nrings];
        for (int64_t k = 0; k < count; k++) {
            mstart[k] = 45 + 50 * k;
            for (int64_t c = 0; c < b.nalm; c++)
                for (int64_t l = orders[k]; l <= b.lmax; l++)
                    memcpy(alm + 2 * (c * distance + mstart[k] + l * stride),
                           b.alm + 2 * (c * b.alm_size / b.nalm +
                                        armilla_alm_index(b.lmax, l, orders[k])),
                           2 * sizeof *alm);
        }
        check_ok(armilla_leg_from_alm(&b.problem, b.alm, leg));
        armilla_leg_problem other = b.problem;
        other.theta = theta, other.orders = orders, other.norders = count;
        other.mstart = mstart, other.stride = stride, other.alm_distance = distance;
        assert_int_equal(armilla_leg_alm_size(&other), 45 + 200 - 14 + 1);
        check_ok(armilla_leg_from_alm(&other, alm, part));
        double largest = 0;
        for (int64_t c = 0; c < b.ncomp; c++)
            for (int64_t r = 0; r < b.nrings; r++)
                for (int64_t k = 0; k < 2 * count; k++) {
                    int64_t row = c * b.nrings + r * 5 % b.nrings;
                    double judge = leg[2 * (row * (b.mmax + 1) + orders[k / 2]) + k % 2];
                    double made = part[(c * b.nrings + r) * 2 * count + k];
                    largest = larger_or_nan(largest, fabs(made - judge));
                }
        check_at_most(largest, 0, "spin %lld", (long long)kinds[i].spin);
        void *parts[] = {theta, alm, leg, part};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) free(parts[k]);
        tear_down(&b);
    }
}

/* Next to a pole high orders are below rounding: they are zeros, not what was in memory. */
static void small_entries_are_zeros(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bench b;
        set_up(&b, healpix_grid(40), 150, 150, kinds[i]);
        check_ok(armilla_leg_from_alm(&b.problem, b.alm, b.leg));
        int64_t zeros = 0;
        for (int64_t m = 0; m <= b.mmax; m++) {
            check_at_most(fabs(b.leg[2 * m]), m < 60 ? 100 : 0, "m = %lld", (long long)m);
            zeros += b.leg[2 * m] == 0 && b.leg[2 * m + 1] == 0;
        }
        assert_in_range(zeros, 90, 150);
        tear_down(&b);
    }
}

static void other_places_stay(void **state)
{
    (void)state;
    const int64_t order = 3, start = 5;
    const double theta = 1, leg[2] = {1, 2};
    double alm[2 * 40];
    armilla_leg_problem problem;
    armilla_leg_problem_init(&problem);
    problem.lmax = 8, problem.norders = 1, problem.nrings = 1, problem.theta = &theta;
    problem.orders = &order, problem.mstart = &start, problem.stride = 3;
    for (int i = 0; i < 80; i++) alm[i] = 7;
    check_ok(armilla_leg_to_alm(&problem, leg, alm));
    for (int64_t i = 0; i < 40; i++) {
        int64_t l = (i - start) / 3;
        int used = i >= start && (i - start) % 3 == 0 && l >= 3 && l <= 8;
        assert_int_equal(used, alm[2 * i] != 7);
    }
}

/* --- Precision, threads, errors --------------------------------------------------------------- */

static void single_precision(void **state)
{
    (void)state;
    bench b;
    set_up(&b, healpix_grid(7), 20, 20, kinds[2]);
    int64_t nalm = 2 * b.alm_size, nleg = 2 * b.leg_size, nmap = b.ncomp * b.npix;
    int64_t most = nleg > nmap ? nleg : nmap;
    float *in = checked_malloc(most, sizeof *in), *out = checked_malloc(most, sizeof *out);
    double *judge = checked_malloc(most, sizeof *judge), *wide = checked_malloc(most, 8);
    for (int step = 0; step < 4; step++) {
        const double *given = step == 0 ? b.alm : step == 3 ? b.map : b.leg;
        int64_t count = step == 0 || step == 3 ? nleg : step == 1 ? nalm : nmap;
        to_float(step == 0 ? nalm : step == 3 ? nmap : nleg, given, in);
        armilla_status status[2];
        if (step == 0)
            status[0] = armilla_leg_from_alm_float(&b.problem, in, out),
            status[1] = armilla_leg_from_alm(&b.problem, given, judge);
        else if (step == 1)
            status[0] = armilla_leg_to_alm_float(&b.problem, in, out),
            status[1] = armilla_leg_to_alm(&b.problem, given, judge);
        else if (step == 2)
            status[0] = armilla_leg_to_map_float(&b.places, in, out),
            status[1] = armilla_leg_to_map(&b.places, given, judge);
        else
            status[0] = armilla_leg_from_map_float(&b.places, in, out),
            status[1] = armilla_leg_from_map(&b.places, given, judge);
        check_ok(status[0]);
        check_ok(status[1]);
        to_double(count, out, wide);
        check_at_most(rms_error(count, judge, wide), 3e-7, "step %d", step);
    }
    void *parts[] = {in, out, judge, wide};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) free(parts[k]);
    tear_down(&b);
}

static armilla_status step_of(const bench *b, int step, double *made)
{
    return step == 0   ? armilla_leg_from_alm(&b->problem, b->alm, made)
           : step == 1 ? armilla_leg_to_alm(&b->problem, b->leg, made)
           : step == 2 ? armilla_leg_to_map(&b->places, b->leg, made)
                       : armilla_leg_from_map(&b->places, b->map, made);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    bench b;
    set_up(&b, healpix_grid(16), 40, 40, kinds[2]);
    int64_t size = b.leg_size > b.ncomp * b.npix ? 2 * b.leg_size : 2 * b.ncomp * b.npix;
    double *one = checked_calloc(size, sizeof *one), *many = checked_calloc(size, sizeof *many);
    for (int step = 0; step < 4; step++)
        for (int nthreads = 0; nthreads < 4; nthreads++) {
            double *made = nthreads == 1 ? one : many;
            if (nthreads == 0) continue;
            b.problem.nthreads = b.places.nthreads = nthreads;
            check_ok(step_of(&b, step, made));
            if (nthreads > 1) assert_memory_equal(one, many, (size_t)size * sizeof *one);
            if (nthreads == 1) memcpy(many, one, (size_t)size * sizeof *one);
        }
    free(many);
    free(one);
    tear_down(&b);
}

/* Every step tells how far it is, and stops when it is asked to. */
static void progress_is_told_and_stops(void **state)
{
    bench b;
    set_up(&b, healpix_grid(16), 40, 40, kinds[2]);
    report_every_unit(state);
    int64_t size = b.leg_size > b.ncomp * b.npix ? 2 * b.leg_size : 2 * b.ncomp * b.npix;
    double *made = checked_calloc(size, sizeof *made);
    b.problem.nthreads = b.places.nthreads = 1; /* of several, the first may find nothing to do */
    b.problem.progress = b.places.progress = watch;
    for (int step = 0; step < 4; step++) {
        watcher seen = {.last = 0}, stopping = {.stop = 2};
        b.problem.progress_data = b.places.progress_data = &seen;
        check_ok(step_of(&b, step, made));
        assert_true(seen.calls > 1 && !seen.bad);
        assert_float_equal(seen.last, 1, 1e-12);
        b.problem.progress_data = b.places.progress_data = &stopping;
        check_error(step_of(&b, step, made), ARMILLA_ERROR_CANCELLED, "stopped");
        assert_int_equal(stopping.calls, 2);
    }
    armilla_progress_set_interval(0.05);
    free(made);
    tear_down(&b);
}

static void wrong_problems(void **state)
{
    (void)state;
    const int64_t order = 4, start = 1, twice[] = {2, 0, 2};
    const double theta[] = {1, 4};
    double alm[64] = {0}, leg[64];
    armilla_leg_problem good, p;
    armilla_leg_problem_init(&good);
    good.lmax = 3, good.norders = 2, good.nrings = 1, good.theta = theta;
    check_ok(armilla_leg_from_alm(&good, alm, leg));
#define WRONG(change, text)                                                                        \
    p = good, change, check_error(armilla_leg_from_alm(&p, alm, leg), ARMILLA_ERROR_ARGUMENT, text)
    WRONG(p.size = 3, "problem->size");
    WRONG(p.lmax = -1, "lmax = -1");
    WRONG(p.norders = 5, "norders = 5");
    WRONG((p.orders = &order, p.norders = 1), "orders[0] = 4");
    WRONG((p.orders = twice, p.norders = 3), "orders[2] = 2");
    WRONG(p.nrings = 0, "nrings = 0");
    WRONG(p.nrings = 2, "theta[1] = 4");
    WRONG(p.theta = NULL, "theta = NULL");
    WRONG(p.stride = 2, "stride = 2");
    WRONG((p.mstart = &start, p.norders = 1, p.stride = -1), "mstart[0] = 1");
    WRONG((p.mstart = &start, p.norders = 1, p.stride = 0), "stride = 0");
    WRONG(p.alm_distance = 3, "alm_distance = 3");
    WRONG(p.spin = 4, "spin = 4");
    WRONG(p.mode = ARMILLA_SHT_DERIVATIVES, "with DERIVATIVES");
    WRONG(p.mode = ARMILLA_SHT_GRADIENT_ONLY, "with GRADIENT_ONLY");
    WRONG(p.nthreads = -1, "nthreads = -1");
    p = good, p.isa = "nonsense";
    check_error(armilla_leg_to_alm(&p, leg, alm), ARMILLA_ERROR_UNSUPPORTED, "nonsense");
    check_error(armilla_leg_to_alm(NULL, leg, alm), ARMILLA_ERROR_ARGUMENT, "problem = NULL");
    check_error(armilla_leg_to_alm(&good, NULL, alm), ARMILLA_ERROR_ARGUMENT, "leg = NULL");
    check_error(armilla_leg_from_alm(&good, NULL, leg), ARMILLA_ERROR_ARGUMENT, "alm = NULL");
    assert_int_equal(armilla_leg_alm_size(NULL), -1);
}

static void wrong_rings(void **state)
{
    (void)state;
    const armilla_ring ring = {.theta = 1, .nphi = 4, .stride = 1, .weight = 1};
    double map[16], leg[16] = {0};
    armilla_leg_rings good, p;
    armilla_leg_rings_init(&good);
    good.nrings = 1, good.rings = &ring, good.mmax = 2;
    check_ok(armilla_leg_to_map(&good, leg, map));
#define WRONG_RINGS(change, text)                                                                  \
    p = good, change, check_error(armilla_leg_to_map(&p, leg, map), ARMILLA_ERROR_ARGUMENT, text)
    WRONG_RINGS(p.size = 3, "rings->size");
    WRONG_RINGS(p.ncomp = 0, "ncomp = 0");
    WRONG_RINGS(p.nrings = 0, "nrings = 0");
    WRONG_RINGS(p.rings = NULL, "rings");
    WRONG_RINGS(p.mmax = -1, "max = -1");
    WRONG_RINGS(p.map_distance = 3, "map_distance = 3");
    WRONG_RINGS(p.nthreads = -1, "nthreads = -1");
    check_error(armilla_leg_to_map(NULL, leg, map), ARMILLA_ERROR_ARGUMENT, "rings = NULL");
    check_error(armilla_leg_to_map(&good, NULL, map), ARMILLA_ERROR_ARGUMENT, "leg = NULL");
    check_error(armilla_leg_from_map(&good, NULL, leg), ARMILLA_ERROR_ARGUMENT, "map = NULL");
}

static void failing_allocations(void **state)
{
    (void)state;
    bench b;
    set_up(&b, healpix_grid(4), 8, 8, kinds[6]);
    b.problem.nthreads = b.places.nthreads = 1;
    for (int step = 0; step < 2; step++) {
        armilla_status status = ARMILLA_ERROR_MEMORY;
        int64_t n = 0;
        for (; status && n < 200; n++) {
            armilla_memory_fail_after(n);
            status = step ? armilla_leg_to_map(&b.places, b.leg, b.map)
                          : armilla_leg_from_alm(&b.problem, b.alm, b.leg);
            armilla_memory_fail_after(-1);
            assert_true(status == ARMILLA_OK || status == ARMILLA_ERROR_MEMORY);
        }
        assert_true(n > 3 && n < 200);
    }
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_together_are_the_plan),
        cmocka_unit_test(leg_and_alm_are_adjoint),
        cmocka_unit_test(map_and_leg_are_adjoint),
        cmocka_unit_test(rings_and_orders_in_any_order),
        cmocka_unit_test(small_entries_are_zeros),
        cmocka_unit_test(other_places_stay),
        cmocka_unit_test(single_precision),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(progress_is_told_and_stops),
        cmocka_unit_test(wrong_problems),
        cmocka_unit_test(wrong_rings),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
