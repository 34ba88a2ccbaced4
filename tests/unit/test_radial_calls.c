/* Checks that plans of radial convolution remember nothing and serve many threads, that progress
 * ends with the work, and that describe says what it takes. What all calls promise: tests/contract.
 */
#include "test_radial_scene.h"

#include "unit/test_watcher.h"
#include <pthread.h>

static const int kernels[] = {0, 3, 4, 6, 9, 11};
enum { KERNELS = sizeof kernels / sizeof *kernels, OPERATORS = 2 };

typedef armilla_status (*operator_double)(const armilla_radial *, const double *, double *,
                                          const armilla_exec *);
static const operator_double doubles[OPERATORS] = {armilla_radial_convolve, armilla_radial_adjoint};

/* Every method and two normalizations of a few kernels on a scene. */
static void for_plans(radial_scene *s, void (*check)(radial_scene *, const armilla_radial *))
{
    for (int i = 0; i < KERNELS; i++) {
        radial_case c = radial_case_number(kernels[i], s->pixel);
        for (int method = 0; method <= LAST_METHOD; method++) {
            armilla_radial_options options =
                options_of(&c, ARMILLA_RADIAL_AUTO, (armilla_radial_method)method);
            if (i % 2 && kernels[i] != 4) options.normalization = ARMILLA_RADIAL_SUM;
            armilla_radial *radial = plan_of(s, &c, &options);
            check(s, radial);
            armilla_radial_free(radial);
        }
        close_case(&c);
    }
}

static radial_scene patch_scene(void)
{
    armilla_grid *whole, *part;
    check_ok(armilla_grid_new_healpix(7, &whole));
    check_ok(armilla_grid_new_subset(whole, 3, 18, 0, &part));
    armilla_grid_free(whole);
    return open_scene(part);
}

static void for_scenes(void (*check)(radial_scene *, const armilla_radial *))
{
    radial_scene whole = healpix_scene(checks_quick() ? 5 : 9), patch = patch_scene();
    for_plans(&whole, check);
    for_plans(&patch, check);
    close_scene(&patch);
    close_scene(&whole);
}

/* The plan keeps the workspace of its last call: nothing of a map of NaN may be left in it. */
static void check_workspace(radial_scene *s, const armilla_radial *radial)
{
    const size_t bytes = (size_t)s->npix * sizeof(double);
    double *spoilt = checked_malloc(s->npix, 8), *before = checked_calloc(s->npix, 8);
    for (int64_t p = 0; p < s->npix; p++) spoilt[p] = (double)NAN;
    for (int which = 0; which < OPERATORS; which++) {
        memset(s->out, 0, bytes);
        memset(before, 0, bytes);
        check_ok(doubles[which](radial, s->map, before, NULL));
        for (int other = 0; other < OPERATORS; other++)
            check_ok(doubles[other](radial, spoilt, s->out, NULL));
        memset(s->out, 0, bytes);
        check_ok(doubles[which](radial, s->map, s->out, NULL));
        assert_memory_equal(before, s->out, bytes);
    }
    free(before);
    free(spoilt);
}

static void workspace_remembers_nothing(void **state)
{
    (void)state;
    for_scenes(check_workspace);
}

/* One pixel that is not finite spoils all that is within the support and, pixel by pixel, nothing
 * that is further away by two pixels: between them it may meet a value of 0. */
static void pixels_that_are_not_finite_stay_where_they_are(void **state)
{
    (void)state;
    static const int64_t places[][2] = {{0, 1}, {7, 3}, {15, 20}, {16, 31}, {30, 2}};
    radial_scene s = healpix_scene(8);
    radial_case c = gaussian_case(3 * s.pixel, 7.3 * s.pixel);
    const armilla_radial_options options =
        options_of(&c, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_PIXELS);
    armilla_radial *radial = plan_of(&s, &c, &options);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const armilla_ring *ring = &s.rings[places[i][0]];
        double *pixel = &s.map[ring->offset + places[i][1]], kept = *pixel;
        *pixel = i % 2 ? (double)NAN : (double)INFINITY;
        check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
        *pixel = kept;
        for (int64_t r = 0; r < s.nrings; r++)
            for (int64_t j = 0; j < s.rings[r].nphi; j++) {
                const long double angle = oracle_radial_angle(ring, places[i][1], &s.rings[r], j);
                const int finite = isfinite(s.out[s.rings[r].offset + j]);
                if (finite ? angle <= (long double)c.support : angle > c.support + 2 * s.pixel)
                    fail_msg("pixel %lld of ring %lld: %g at %Lg of the support", (long long)j,
                             (long long)r, s.out[s.rings[r].offset + j], angle / c.support);
            }
    }
    armilla_radial_free(radial);
    close_case(&c);
    close_scene(&s);
}

/* --- Many threads on one plan ----------------------------------------------------------------- */

enum { THREADS = 4 };

typedef struct {
    const armilla_radial *radial;
    const double *map;
    double *out;
    int which;
    armilla_status status;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    armilla_exec exec = one_thread();
    exec.nthreads = 1 + j->which;
    for (int repeat = 0; repeat < 3 && j->status == ARMILLA_OK; repeat++)
        j->status = doubles[j->which](j->radial, j->map, j->out, &exec);
    return NULL;
}

static void check_concurrent(radial_scene *s, const armilla_radial *radial)
{
    pthread_t thread[THREADS];
    job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){radial, s->map, checked_calloc(s->npix, 8), i % OPERATORS, ARMILLA_OK};
        assert_int_equal(pthread_create(&thread[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(jobs[i].status, ARMILLA_OK);
        memset(s->out, 0, (size_t)s->npix * 8);
        check_ok(doubles[jobs[i].which](radial, s->map, s->out, NULL));
        assert_memory_equal(s->out, jobs[i].out, (size_t)s->npix * 8);
        free(jobs[i].out);
    }
}

static void one_plan_serves_many_threads(void **state)
{
    (void)state;
    for_scenes(check_concurrent);
}

/* --- Progress --------------------------------------------------------------------------------- */

static armilla_status run_weighted(const armilla_radial *radial, const double *map, double *out,
                                   const armilla_exec *exec)
{
    double *weights = checked_calloc(exec->map_distance, sizeof *weights);
    for (int64_t i = 0; i < exec->map_distance; i++) weights[i] = 1;
    const armilla_status status =
        armilla_radial_convolve_weighted(radial, map, weights, 0.5, 0, out, exec);
    free(weights);
    return status;
}

/* Few of the reports say that all is done, the last ones: a total that is too small would say
 * so from the middle of the call on. */
static void check_ends(const armilla_radial *radial, int64_t npix, int64_t ncomp)
{
    static const operator_double operators[] = {armilla_radial_convolve, armilla_radial_adjoint,
                                                run_weighted};
    enum { MAPS = 9 };
    double *map = checked_calloc(MAPS * ncomp * npix, 8),
           *out = checked_calloc(MAPS * ncomp * npix, 8);
    for (size_t which = 0; which < 3; which++)
        for (int64_t ntrans = 1; ntrans <= MAPS; ntrans += 2) {
            watcher w = {.stop = 0};
            armilla_exec exec = one_thread();
            exec.progress = watch, exec.progress_data = &w;
            exec.ntrans = ntrans, exec.map_distance = npix;
            check_ok(operators[which](radial, map, out, &exec));
            if (w.bad || w.last != 1 || w.ends > w.calls / 8)
                fail_msg("operator %zu, %lld maps: of %d reports %d say 1, the last %g", which,
                         (long long)ntrans, w.calls, w.ends, w.last);
        }
    free(map);
    free(out);
}

static void progress_ends_with_the_work(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(16);
    radial_case c = gaussian_case(0.3, 1);
    for (int64_t spin = 0; spin <= 2; spin += 2)
        for (int method = 0; method <= LAST_METHOD; method++)
            for (int sum = 0; sum < 2; sum++) {
                armilla_radial_options options =
                    options_of(&c, sum ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_NONE,
                               (armilla_radial_method)method);
                options.spin = spin;
                armilla_radial *radial = plan_of(&s, &c, &options);
                check_ends(radial, s.npix, spin ? 2 : 1);
                armilla_radial_free(radial);
            }
    close_case(&c);
    close_scene(&s);
}

/* --- Describe --------------------------------------------------------------------------------- */

/* Ordered pairs of pixels within the support. */
static int64_t count_pairs(const radial_scene *s, double support)
{
    int64_t pairs = 0;
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t i = 0; i < s->rings[r].nphi; i++)
            for (int64_t q = 0; q < s->nrings; q++)
                for (int64_t j = 0; j < s->rings[q].nphi; j++)
                    pairs += oracle_radial_angle(&s->rings[r], i, &s->rings[q], j) <= support;
    return pairs;
}

static void description_says_what_is_so(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(6);
    for (int number = 0; number < RADIAL_CASES; number++) {
        radial_case c = radial_case_number(number, s.pixel);
        const armilla_radial_options options =
            options_of(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_PIXELS);
        armilla_radial *radial = plan_of(&s, &c, &options);
        const armilla_radial_description d = described(radial);
        double support = c.support, error;
        if (support == 0)
            check_ok(armilla_kernel_choose_support(c.kernel, 1e-7, 0, NULL, &support));
        assert_true(d.support == support);
        check_ok(armilla_kernel_truncation_error(c.kernel, support, 0, NULL, &error));
        check_at_most(fabs(d.truncation_error - error), 1e-12, "%s: truncation", c.name);
        const double integral =
            (double)oracle_kernel_integral(&c.judge, d.support, c.nbreaks, c.breaks);
        check_at_most(fabs(d.integral - integral), 1e-13 * fmax(1, fabs(integral)), "%s: integral",
                      c.name);
        check_at_most(fabs(d.pixel - s.pixel), 1e-15, "pixel");
        assert_int_equal(d.nrings, s.nrings);
        assert_int_equal(d.npix, s.npix);
        assert_string_equal(d.method, "pixels");
        const int64_t pairs = count_pairs(&s, d.support);
        if (d.pairs < pairs || d.pairs > 2 * pairs + 8 * s.npix)
            fail_msg("%s: %lld pairs, counted %lld", c.name, (long long)d.pairs, (long long)pairs);
        assert_true(d.plan_bytes > 0 && d.workspace_bytes >= 0);
        armilla_radial_free(radial);
        close_case(&c);
    }
    close_scene(&s);
}

/* Where |K| first falls to half: known for beams that are narrow, and for discs. */
static void description_knows_the_width(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(2);
    const double fwhm = 0.5 * DEGREE;
    /* (2 - x^2) exp(-x^2 / 2) = 1 at x = 0.81834..., by bisection */
    double low = 0.5, high = 1;
    for (int i = 0; i < 60; i++) {
        const double x = (low + high) / 2, y = (2 - x * x) * exp(-x * x / 2);
        *(y > 1 ? &low : &high) = x;
    }
    radial_case cases[] = {gaussian_case(fwhm, 0), mexican_hat_case(fwhm, 0), tophat_case(0.3, 0),
                           table_case(1, 0)};
    const double widths[] = {fwhm / 2, low * fwhm / sqrt(8 * log(2)), 0.3, 0.2 + 0.005};
    for (int i = 0; i < 4; i++) {
        const armilla_radial_options options =
            options_of(&cases[i], ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_FASTEST);
        armilla_radial *radial = plan_of(&s, &cases[i], &options);
        check_at_most(fabs(described(radial).width / widths[i] - 1), i == 3 ? 0.02 : 1e-4,
                      "width of %s", cases[i].name);
        armilla_radial_free(radial);
        close_case(&cases[i]);
    }
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workspace_remembers_nothing),
        cmocka_unit_test(pixels_that_are_not_finite_stay_where_they_are),
        cmocka_unit_test(one_plan_serves_many_threads),
        cmocka_unit_test(progress_ends_with_the_work),
        cmocka_unit_test(description_says_what_is_so),
        cmocka_unit_test(description_knows_the_width),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}
