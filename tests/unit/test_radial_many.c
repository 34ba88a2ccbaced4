/* Checks the convolution of the same maps with several kernels: it is what one call for each kernel
 * gives, rings are transformed once for all of them, and wrong lists of plans are refused. */
#include "test_radial_scene.h"

#include "base/integer.h"
#include "base/memory.h"
#include "radial/mixing/spectra.h"
#include "radial/plan.h"
#include "radial/sums.h"
#include "unit/test_watcher.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

static const int kernels[] = {1, 2, 4, 5, 3, 10, 6, 9};
enum { KERNELS = sizeof kernels / sizeof *kernels, GAP = 3, NTRANS = 5 };

typedef struct {
    radial_scene s;
    int64_t ncomp;
    armilla_radial *radials[KERNELS];
} plans;

/* Plans of every kernel, all by one method. */
static plans open_plans(radial_scene s, armilla_radial_method method, armilla_radial_mode mode,
                        int64_t spin)
{
    plans p = {.s = s, .ncomp = spin ? 2 : 1};
    for (int i = 0; i < KERNELS; i++) {
        radial_case c = radial_case_number(kernels[i], s.pixel);
        armilla_radial_options options = options_of(&c, ARMILLA_RADIAL_AUTO, method);
        if (i % 3 == 1 && kernels[i] != 4) options.normalization = ARMILLA_RADIAL_SUM;
        if (kernels[i] == 10 || kernels[i] == 5) options.normalization = ARMILLA_RADIAL_NONE;
        options.mode = mode, options.spin = spin;
        p.radials[i] = plan_of(&s, &c, &options);
        close_case(&c);
    }
    return p;
}

static void close_plans(plans *p)
{
    for (int i = 0; i < KERNELS; i++) armilla_radial_free(p->radials[i]);
}

static const armilla_radial *const *list_of(const plans *p)
{
    return (const armilla_radial *const *)p->radials;
}

/* One map of a plan by itself: equal bits where nothing is shared, else to rounding. */
static void compare(const plans *p, int kernel, const double *map, const double *out)
{
    const int64_t size = p->s.npix;
    const int alone = !strcmp(described(p->radials[kernel]).method, "pixels");
    double *expected = checked_calloc(p->ncomp * size, 8), most = 0;
    armilla_exec exec = one_thread();
    check_ok(armilla_radial_convolve(p->radials[kernel], map, expected, &exec));
    for (int64_t i = 0; i < p->ncomp * size; i++) most = larger_or_nan(most, fabs(expected[i]));
    for (int64_t c = 0; c < p->ncomp; c++)
        for (int64_t i = 0; i < size; i++)
            check_at_most(fabs(out[c * (size + GAP) + i] - expected[c * size + i]),
                          alone ? 0 : 1e-14 * most, "kernel %d, component %d, pixel %d",
                          kernels[kernel], (int)c, (int)i);
    free(expected);
}

static void check_many(const plans *p)
{
    const int64_t distance = p->s.npix + GAP, all = NTRANS * p->ncomp * distance;
    double *map = checked_malloc(all, 8), *out = checked_malloc(KERNELS * all, 8);
    double *one = checked_malloc(p->ncomp * p->s.npix, 8);
    random_fill(7, all, map);
    for (int64_t i = 0; i < KERNELS * all; i++) out[i] = 123;
    armilla_exec exec = one_thread();
    exec.ntrans = NTRANS, exec.map_distance = distance, exec.nthreads = 2;
    check_ok(armilla_radial_convolve_many(list_of(p), KERNELS, map, out, &exec));
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int t = 0; t < NTRANS; t += NTRANS - 1) {
            const int64_t from = t * p->ncomp * distance;
            for (int64_t c = 0; c < p->ncomp; c++)
                memcpy(one + c * p->s.npix, map + from + c * distance, (size_t)p->s.npix * 8);
            compare(p, kernel, one, out + kernel * all + from);
        }
    for (int64_t i = p->s.npix; i < KERNELS * all; i += distance)
        for (int k = 0; k < GAP; k++) assert_true(out[i + k] == 123);
    free(map), free(out), free(one);
}

static void many_kernels_are_as_one_by_one(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(21, 42, &grid));
    radial_scene scenes[] = {healpix_scene(8), open_scene(grid)};
    for (int i = 0; i < 2; i++) {
        for (int method = 0; method <= LAST_METHOD; method++)
            for (int64_t spin = 0; spin <= 2; spin += 2) {
                if (method == ARMILLA_RADIAL_RINGS && i == 0) continue; /* kernels that jump */
                plans p = open_plans(scenes[i], (armilla_radial_method)method, ARMILLA_RADIAL_EXACT,
                                     spin);
                check_many(&p);
                close_plans(&p);
            }
        plans p = open_plans(scenes[i], ARMILLA_RADIAL_FASTEST, ARMILLA_RADIAL_STANDARD, 0);
        check_many(&p);
        close_plans(&p);
        close_scene(&scenes[i]);
    }
}

/* --- Rings are transformed once ----------------------------------------------------------------
 */

/* A call with spectra that were made before: the map may then have become another one. */
static void run_with(const armilla_radial *radial, const armilla_mixing_spectra *spectra,
                     double *map, double *out)
{
    armilla_progress progress;
    armilla_progress_start(&progress, NULL, NULL, 1);
    const int64_t npix = armilla_grid_npix(radial->grid);
    const armilla_maps maps = {{map, 0}, {out, 0}, npix, npix};
    const armilla_radial_call call = {
        .radial = radial, .nmaps = 1, .nthreads = 2, .progress = &progress, .spectra = spectra};
    check_ok(armilla_radial_sum(&call, &maps));
}

static void read_map(const armilla_mixing_spectra *spectra, double *map, int64_t npix)
{
    armilla_progress progress;
    armilla_progress_start(&progress, NULL, NULL, 1);
    armilla_work work = {.nthreads = 1, .progress = &progress};
    work.scratch_size = armilla_mixing_scratch_size(spectra->reader);
    check_ok(armilla_allocate(&work.scratch, work.scratch_size, sizeof(double)));
    const armilla_maps maps = {{map, 0}, {NULL, 0}, npix, npix};
    armilla_mixing_spectra_read(spectra, &maps, 1, &work);
    armilla_release(work.scratch);
}

/* Gaussians of 0.3, 0.31 and 0.5 radians: the last one has fewer orders in all, but more next to
 * the poles. */
static void rings_are_transformed_once(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    radial_scene s = healpix_scene(40);
    armilla_radial *radials[COUNT];
    const double widths[COUNT] = {0.3, 0.31, 0.5};
    const armilla_mixing *mixings[COUNT];
    for (int i = 0; i < COUNT; i++) {
        radial_case c = gaussian_case(widths[i], M_PI);
        const armilla_radial_options options =
            options_of(&c, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_RINGS);
        radials[i] = plan_of(&s, &c, &options);
        assert_string_equal(described(radials[i]).method, "rings");
        mixings[i] = radials[i]->mixing;
        close_case(&c);
    }
    armilla_mixing_spectra spectra;
    check_ok(armilla_mixing_spectra_make(COUNT, mixings, 1, &spectra));
    double *changed = checked_malloc(s.npix, 8), *expected = checked_calloc(s.npix, 8), most = 0;
    for (int64_t p = 0; p < s.npix; p++) changed[p] = 7;
    read_map(&spectra, s.map, s.npix);
    for (int i = 0; i < COUNT; i++) {
        run_with(radials[i], &spectra, changed, s.out);
        check_ok(armilla_radial_convolve(radials[i], s.map, expected, NULL));
        for (int64_t p = 0; p < s.npix; p++) most = larger_or_nan(most, fabs(expected[p]));
        for (int64_t p = 0; p < s.npix; p++)
            check_at_most(fabs(s.out[p] - expected[p]), 1e-14 * most, "pixel %d", (int)p);
    }
    armilla_mixing_spectra_clear(&spectra);
    for (int i = 0; i < COUNT; i++) armilla_radial_free(radials[i]);
    free(changed), free(expected);
    close_scene(&s);
}

/* --- Floats, progress, errors ----------------------------------------------------------------- */

static void floats_are_rounded_doubles(void **state)
{
    (void)state;
    plans p = open_plans(healpix_scene(4), ARMILLA_RADIAL_FASTEST, ARMILLA_RADIAL_EXACT, 0);
    const int64_t npix = p.s.npix;
    float *from = checked_malloc(npix, 4), *to = checked_malloc(KERNELS * npix, 4);
    double *out = checked_malloc(KERNELS * npix, 8), most = 0;
    for (int64_t i = 0; i < npix; i++) from[i] = (float)p.s.map[i], p.s.map[i] = (double)from[i];
    check_ok(armilla_radial_convolve_many(list_of(&p), KERNELS, p.s.map, out, NULL));
    check_ok(armilla_radial_convolve_many_float(list_of(&p), KERNELS, from, to, NULL));
    for (int64_t i = 0; i < KERNELS * npix; i++) most = larger_or_nan(most, fabs(out[i]));
    for (int64_t i = 0; i < KERNELS * npix; i++)
        check_at_most(fabs((double)to[i] - out[i]), 1.2e-7 * fabs(out[i]) + 1e-14 * most,
                      "value %d", (int)i);
    free(from), free(to), free(out);
    close_plans(&p);
    close_scene(&p.s);
}

static void progress_ends_with_the_work_or_cancels_it(void **state)
{
    (void)state;
    plans p = open_plans(healpix_scene(6), ARMILLA_RADIAL_FASTEST, ARMILLA_RADIAL_EXACT, 0);
    double *out = checked_malloc(KERNELS * p.s.npix, 8);
    for (int stop = 0; stop < 2; stop++) {
        watcher w = {.stop = 3 * stop};
        armilla_exec exec = one_thread();
        exec.progress = watch, exec.progress_data = &w;
        const armilla_status status =
            armilla_radial_convolve_many(list_of(&p), KERNELS, p.s.map, out, &exec);
        assert_false(w.bad);
        if (stop)
            check_error(status, ARMILLA_ERROR_CANCELLED, "progress");
        else
            check_ok(status), check_at_most(fabs(w.last - 1), 0, "the last report");
        if (w.ends > 1 + w.calls / 8) fail_msg("%d of %d reports say 1", w.ends, w.calls);
    }
    free(out);
    close_plans(&p);
    close_scene(&p.s);
}

static void wrong_lists_are_refused(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(2), other = healpix_scene(3);
    radial_case c = gaussian_case(1, 0);
    armilla_radial_options options = options_of(&c, 0, ARMILLA_RADIAL_FASTEST);
    armilla_radial *first = plan_of(&s, &c, &options), *larger = plan_of(&other, &c, &options);
    options.spin = 2;
    armilla_radial *turned = plan_of(&s, &c, &options);
    const armilla_radial *lists[][2] = {{first, NULL}, {first, larger}, {first, turned}};
    static const char *const texts[] = {"radials[1]: is NULL", "radials[1]: has another grid",
                                        "radials[1]: has another spin"};
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    s.out[0] = 123;
    for (int i = 0; i < 3; i++)
        check_error(armilla_radial_convolve_many(lists[i], 2, s.map, s.out, NULL), wrong, texts[i]);
    check_error(armilla_radial_convolve_many(NULL, 1, s.map, s.out, NULL), wrong, "radials");
    check_error(armilla_radial_convolve_many(lists[0], 0, s.map, s.out, NULL), wrong, "nradials");
    check_error(armilla_radial_convolve_many(lists[0], 1, NULL, s.out, NULL), wrong, "map");
    check_error(armilla_radial_convolve_many(lists[0], 1, s.map, NULL, NULL), wrong, "out");
    int64_t bytes;
    for (int i = 0; i < 3; i++)
        check_error(armilla_radial_many_bytes(lists[i], 2, NULL, &bytes, &bytes), wrong, texts[i]);
    check_error(armilla_radial_many_bytes(lists[0], 1, NULL, NULL, &bytes), wrong, "bytes");
    check_error(armilla_radial_many_bytes(lists[0], 1, NULL, &bytes, NULL), wrong, "device_bytes");
    s.map[5] = (double)NAN;
    armilla_exec exec = one_thread();
    exec.missing = ARMILLA_MISSING_ERROR;
    check_error(armilla_radial_convolve_many(lists[0], 1, s.map, s.out, &exec), wrong, "map");
    assert_true(s.out[0] == 123);
    armilla_radial_free(first), armilla_radial_free(larger), armilla_radial_free(turned);
    close_case(&c);
    close_scene(&s), close_scene(&other);
}

/* Every allocation of a call fails in turn: an error, nothing leaks, and the plans stay usable. */
static void allocations_may_fail(void **state)
{
    (void)state;
    plans p = open_plans(healpix_scene(4), ARMILLA_RADIAL_FASTEST, ARMILLA_RADIAL_EXACT, 0);
    double *out = checked_malloc(KERNELS * p.s.npix, 8);
    int failures = 0;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (int64_t n = 0; status; n++, failures++) {
        const armilla_exec exec = one_thread();
        armilla_memory_fail_after(n);
        status = armilla_radial_convolve_many(list_of(&p), KERNELS, p.s.map, out, &exec);
        armilla_memory_fail_after(-1);
        if (status) check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
    }
    assert_true(failures > 4);
    free(out);
    close_plans(&p);
    close_scene(&p.s);
}

/* Bytes that the process has in use; 0 where nobody counts them. */
static int64_t bytes_in_use(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 m = mallinfo2();
    return (int64_t)(m.uordblks + m.hblkhd);
#else
    return 0;
#endif
}

/* Plans of the normalization SUM have made sums, and keep what these took. */
static void forget_workspace(const armilla_radial *radial)
{
    armilla_workspace_store *other;
    check_ok(armilla_workspace_store_new(&other));
    armilla_workspace_move(radial->workspace, other);
    armilla_workspace_store_free(other);
}

/* What plans keep, and the coefficients that they share: a few bytes more for each block, which are
 * all too small for large pages. */
static void check_bytes(plans *p, int64_t ntrans)
{
    const int64_t nmaps = armilla_smaller(ntrans * p->ncomp, ARMILLA_RADIAL_MAPS);
    const int64_t count = ntrans * p->ncomp * p->s.npix;
    double *map = checked_malloc(count, 8), *out = checked_malloc(KERNELS * count, 8);
    const armilla_mixing *mixings[KERNELS];
    armilla_mixing_spectra spectra;
    armilla_exec exec = one_thread();
    int64_t told, device_told;
    exec.ntrans = ntrans;
    random_fill(3, count, map);
    for (int i = 0; i < KERNELS; i++) mixings[i] = p->radials[i]->mixing;
    for (int i = 0; i < KERNELS; i++) forget_workspace(p->radials[i]);
    int64_t before = bytes_in_use();
    check_ok(armilla_mixing_spectra_make(KERNELS, mixings, nmaps, &spectra));
    const int64_t shared = bytes_in_use() - before;
    const int64_t shared_told = armilla_mixing_spectra_bytes(&spectra, nmaps);
    const int64_t reading = spectra.reader ? 8 * armilla_mixing_scratch_size(spectra.reader) : 0;
    armilla_mixing_spectra_clear(&spectra);
    check_ok(armilla_radial_many_bytes(list_of(p), KERNELS, &exec, &told, &device_told));
    assert_int_equal(device_told, 0);
    before = bytes_in_use();
    check_ok(armilla_radial_convolve_many(list_of(p), KERNELS, map, out, &exec));
    const int64_t kept = bytes_in_use() - before;
    if (before > 0) { /* a sanitizer counts elsewhere */
        const double slack = 256 * (KERNELS + 8);
        check_at_most(fabs((double)(shared - shared_told)), slack, "coefficients");
        check_at_most(fabs((double)(kept + shared_told + reading - told)), slack, "in all");
    }
    assert_true(told > shared_told);
    free(map), free(out);
}

static void bytes_are_told(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2)
        for (int method = 1; method <= 2; method++) {
            plans p = open_plans(healpix_scene(16), (armilla_radial_method)method,
                                 ARMILLA_RADIAL_EXACT, spin);
            check_bytes(&p, 1);
            close_plans(&p);
            close_scene(&p.s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_kernels_are_as_one_by_one),
        cmocka_unit_test(rings_are_transformed_once),
        cmocka_unit_test(floats_are_rounded_doubles),
        cmocka_unit_test(progress_ends_with_the_work_or_cancels_it),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(allocations_may_fail),
        cmocka_unit_test(bytes_are_told),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}
