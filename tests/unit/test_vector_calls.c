/* Checks what plans for vector fields refuse, and by which name, that what goes wrong leaves the
 * output alone, and what the plans tell of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/progress.h"
#include "unit/test_vector_scene.h"

enum { LMAX = 6, MOST_ALLOCATIONS = 5000 };

static const armilla_status refused = ARMILLA_ERROR_ARGUMENT;

static armilla_status try_options(const armilla_vector_options *options, int64_t lmax)
{
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, LMAX, LMAX, 0, 0);
    armilla_vector *vector = NULL;
    const armilla_status status = armilla_vector_new(grid, lmax, lmax, options, &vector);
    assert_true(!status || !vector);
    armilla_vector_free(vector);
    armilla_grid_free(grid);
    return status;
}

static void options_are_checked(void **state)
{
    (void)state;
    armilla_vector_options good, options;
    armilla_sht_options sht;
    armilla_vector_options_init(&good);
    check_ok(try_options(NULL, LMAX));
    check_ok(try_options(&good, 1));
    check_error(try_options(&good, 0), refused, "lmax = 0: must be at least 1");
    options = good, options.form = ARMILLA_VECTOR_COMPONENTS;
    check_error(try_options(&options, LMAX), refused, "options->form = 3");
    options = good, options.components = (armilla_vector_components)2;
    check_error(try_options(&options, LMAX), refused, "options->components = 2");
    options = good, options.mean = (armilla_mean)2;
    check_error(try_options(&options, LMAX), refused, "options->mean = 2");
    options = good, options.radius = 0;
    check_error(try_options(&options, LMAX), refused, "options->radius = 0");
    options.radius = NAN;
    check_error(try_options(&options, LMAX), refused, "options->radius");
    options = good, options.size = 8;
    check_error(try_options(&options, LMAX), refused, "armilla_vector_options_init first");
    armilla_sht_options_init(&sht);
    options = good, options.sht = &sht;
    check_ok(try_options(&options, LMAX));
    sht.spin = 1;
    check_error(try_options(&options, LMAX), refused, "options->spin = 1");
    sht.spin = 0, sht.mode = ARMILLA_SHT_DERIVATIVES;
    check_error(try_options(&options, LMAX), refused, "options->mode");
    sht.mode = ARMILLA_SHT_STANDARD, sht.device = ARMILLA_CUDA;
    check_error(try_options(&options, LMAX), ARMILLA_ERROR_UNSUPPORTED, "options->sht->device");
    sht.device = ARMILLA_CPU, sht.isa = "none";
    check_error(try_options(&options, LMAX), ARMILLA_ERROR_UNSUPPORTED, "none");
    armilla_grid *grid = healpix_grid(2);
    check_error(armilla_vector_new(grid, 1, 1, NULL, NULL), refused, "vector = NULL");
    armilla_vector *vector;
    check_error(armilla_vector_new(NULL, 1, 1, NULL, &vector), refused, "grid = NULL");
    armilla_grid_free(grid);
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct scene {
    armilla_grid *grid;
    armilla_vector *vector;
    int64_t nalm, nmap;
    double *alm, *map, *made, *untouched;
} scene;

static void open_scene(scene *s, int radial)
{
    armilla_vector_options options;
    armilla_vector_options_init(&options);
    options.radial = radial;
    s->grid = exact_grid(ARMILLA_GRID_CC, LMAX, LMAX, 0, 0);
    s->vector = new_vector(s->grid, LMAX, &options);
    s->nalm = 2 * (radial ? 3 : 2) * armilla_alm_size(LMAX, LMAX);
    s->nmap = (radial ? 3 : 2) * armilla_grid_npix(s->grid);
    s->alm = checked_calloc(s->nalm, 8), s->map = checked_calloc(s->nmap, 8);
    s->made = checked_malloc(s->nmap + s->nalm, 8);
    s->untouched = checked_malloc(s->nmap + s->nalm, 8);
    random_fill(1, s->nmap + s->nalm, s->untouched);
    memcpy(s->made, s->untouched, (size_t)(s->nmap + s->nalm) * 8);
    random_fill(2, s->nmap, s->map);
}

static void close_scene(scene *s)
{
    free(s->untouched), free(s->made), free(s->map), free(s->alm);
    armilla_vector_free(s->vector);
    armilla_grid_free(s->grid);
}

static void check_untouched(const scene *s)
{
    assert_memory_equal(s->made, s->untouched, (size_t)(s->nmap + s->nalm) * 8);
}

static void a_mean_vorticity_is_refused(void **state)
{
    (void)state;
    for (int radial = 0; radial < 2; radial++) {
        scene s;
        open_scene(&s, radial);
        const int64_t component = 2 * armilla_alm_size(LMAX, LMAX);
        double *vorticity = s.alm + radial * component, *divergence = vorticity + component;
        vorticity[2] = divergence[4] = 1;
        if (radial) s.alm[0] = 1; /* a mean of the radial component is a field */
        check_ok(armilla_vector_synthesis(s.vector, s.alm, s.made, NULL));
        memcpy(s.made, s.untouched, (size_t)(s.nmap + s.nalm) * 8);
        vorticity[0] = 1;
        check_error(armilla_vector_synthesis(s.vector, s.alm, s.made, NULL), refused,
                    "vorticity: a_00 = 1");
        vorticity[0] = (double)NAN;
        check_error(armilla_vector_synthesis(s.vector, s.alm, s.made, NULL), refused,
                    "vorticity: a_00 = nan: must be finite");
        vorticity[0] = 0, divergence[0] = -2e-5;
        check_error(armilla_vector_synthesis(s.vector, s.alm, s.made, NULL), refused,
                    "divergence: a_00 = -2e-05");
        check_untouched(&s);
        check_ok(armilla_vector_adjoint_analysis(s.vector, s.alm, s.made, NULL));
        divergence[0] = 1e-6;
        check_ok(armilla_vector_synthesis(s.vector, s.alm, s.made, NULL));
        divergence[0] = divergence[4] = 1e-17; /* rounding alone, beside a vorticity of 1 */
        check_ok(armilla_vector_synthesis(s.vector, s.alm, s.made, NULL));
        close_scene(&s);
    }
}

/* A constant: the vorticity of no wind. */
static void maps_with_a_mean_are_refused(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, 0);
    for (int64_t i = 0; i < s.nmap; i++) s.map[i] = 1;
    check_error(armilla_vector_convert_map(s.vector, ARMILLA_VECTOR_VORTICITY_DIVERGENCE, s.map,
                                           ARMILLA_VECTOR_COMPONENTS, s.made, NULL),
                refused, "vorticity: a_00 = ");
    check_untouched(&s);
    check_ok(armilla_vector_convert_map(s.vector, ARMILLA_VECTOR_STREAM_POTENTIAL, s.map,
                                        ARMILLA_VECTOR_COMPONENTS, s.made, NULL));
    for (int64_t i = 0; i < s.nmap; i++) check_at_most(fabs(s.made[i]), 1e-13, "a calm");
    armilla_vector_free(s.vector);
    armilla_vector_options options;
    armilla_vector_options_init(&options);
    options.mean = ARMILLA_MEAN_IGNORE;
    s.vector = new_vector(s.grid, LMAX, &options);
    check_ok(armilla_vector_convert_map(s.vector, ARMILLA_VECTOR_VORTICITY_DIVERGENCE, s.map,
                                        ARMILLA_VECTOR_COMPONENTS, s.made, NULL));
    for (int64_t i = 0; i < s.nmap; i++) check_at_most(fabs(s.made[i]), 1e-13, "a calm");
    close_scene(&s);
}

static void check_conversion(scene *s, int source, int target, const char *words)
{
    check_error(armilla_vector_convert_map(s->vector, (armilla_vector_form)source, s->map,
                                           (armilla_vector_form)target, s->made, NULL),
                refused, words);
    check_untouched(s);
}

static void calls_name_what_is_wrong(void **state)
{
    (void)state;
    scene s;
    armilla_exec exec;
    armilla_exec_init(&exec);
    open_scene(&s, 0);
    check_conversion(&s, ARMILLA_VECTOR_ROTATIONAL, 0, "source = 4");
    check_conversion(&s, 9, 0, "source = 9");
    check_conversion(&s, 0, FORMS, "target = 6");
    check_error(armilla_vector_convert_map(NULL, 0, s.map, 0, s.made, NULL), refused,
                "vector = NULL");
    check_error(armilla_vector_convert_map(s.vector, 0, NULL, 0, s.made, NULL), refused,
                "in = NULL");
    check_error(armilla_vector_convert_map(s.vector, 0, s.map, 0, NULL, NULL), refused,
                "out = NULL");
    check_error(armilla_vector_analysis(s.vector, NULL, s.made, NULL), refused, "map = NULL");
    check_error(armilla_vector_synthesis(s.vector, NULL, s.made, NULL), refused, "alm = NULL");
    check_error(armilla_vector_synthesis(NULL, s.alm, s.made, NULL), refused, "vector = NULL");
    exec.ntrans = 0;
    check_error(armilla_vector_synthesis(s.vector, s.alm, s.made, &exec), refused, "ntrans = 0");
    exec.ntrans = 1, exec.map_distance = 3;
    check_error(armilla_vector_analysis(s.vector, s.map, s.made, &exec), refused,
                "map_distance = 3");
    exec.map_distance = 0, exec.missing = ARMILLA_MISSING_ERROR;
    s.map[s.nmap - 1] = NAN;
    check_error(armilla_vector_analysis(s.vector, s.map, s.made, &exec), refused, "missing");
    check_error(armilla_vector_convert_map(s.vector, 3, s.map, 0, s.made, &exec), refused,
                "missing");
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.guess = s.alm;
    check_error(armilla_vector_pseudo_analysis(s.vector, s.map, s.made, &options, NULL, NULL),
                refused, "options->guess");
    check_untouched(&s);
    close_scene(&s);
    open_scene(&s, 1);
    check_conversion(&s, 3, 0, "without radial component");
    close_scene(&s);
}

static void coefficients_are_converted_in_place(void **state)
{
    (void)state;
    const int64_t size = armilla_alm_size(LMAX, LMAX);
    double *alm = checked_malloc(4 * size, 8), *made = checked_malloc(4 * size, 8);
    for (int c = 0; c < 2; c++) {
        random_alm_triangle((uint64_t)c, LMAX, LMAX, alm + 2 * c * size);
        alm[2 * c * size] = 0;
    }
    for (int source = 0; source < 3; source++)
        for (int target = 0; target < 3; target++) {
            const armilla_vector_form from = (armilla_vector_form)source;
            const armilla_vector_form to = (armilla_vector_form)target;
            check_ok(armilla_vector_convert_alm(LMAX, LMAX, 3, 0, from, alm, to, made));
            check_ok(armilla_vector_convert_alm(LMAX, LMAX, 3, 0, to, made, from, made));
            check_at_most(largest_error(4 * size, alm, made), 1e-15, "%d, %d", source, target);
        }
    check_ok(armilla_vector_convert_alm(LMAX, LMAX, 3, 0, 1, alm, 0, made));
    check_at_most(fabs(made[2] + 2 * alm[2] / 9), 1e-16, "vorticity of psi");
    alm[2 * size] = 1;
    check_error(armilla_vector_convert_alm(LMAX, LMAX, 3, 0, 0, alm, 1, made), refused,
                "divergence: a_00 = 1");
    check_ok(armilla_vector_convert_alm(LMAX, LMAX, 3, 1, 0, alm, 1, made));
    check_ok(armilla_vector_convert_alm(LMAX, LMAX, 3, 0, 0, alm, 0, made));
    assert_true(made[2 * size] == 1);
    check_error(armilla_vector_convert_alm(LMAX, LMAX, 3, 0, 3, alm, 0, made), refused,
                "source = 3");
    check_error(armilla_vector_convert_alm(LMAX, LMAX, 3, 0, 0, alm, 4, made), refused,
                "target = 4");
    check_error(armilla_vector_convert_alm(LMAX, LMAX, 0, 0, 0, alm, 1, made), refused,
                "radius = 0");
    check_error(armilla_vector_convert_alm(LMAX, LMAX, 1, 2, 0, alm, 1, made), refused, "mean = 2");
    check_error(armilla_vector_convert_alm(LMAX, LMAX, 1, 0, 0, NULL, 1, made), refused, "alm");
    check_error(armilla_vector_convert_alm(LMAX, LMAX, 1, 0, 0, alm, 1, NULL), refused, "result");
    free(made), free(alm);
}

/* --- Memory, progress ------------------------------------------------------------------------- */

static armilla_status run(int operation, scene *s)
{
    switch (operation) {
    case 0:
        return armilla_vector_synthesis(s->vector, s->alm, s->made, NULL);
    case 1:
        return armilla_vector_analysis(s->vector, s->map, s->made, NULL);
    case 2:
        return armilla_vector_convert_alm(LMAX, LMAX, 1, 0, 0, s->alm, 1, s->made);
    default:
        return armilla_vector_convert_map(s->vector, 3, s->map, 0, s->made, NULL);
    }
}

static void failing_allocations_leave_the_output_alone(void **state)
{
    (void)state;
    for (int operation = 0; operation < 7; operation++) {
        scene s;
        open_scene(&s, operation > 4);
        s.alm[s.nalm - 2] = 1;
        int64_t n = 0;
        for (; n < MOST_ALLOCATIONS; n++) {
            armilla_memory_fail_after(n);
            const armilla_status status = run(operation > 4 ? operation - 5 : operation, &s);
            armilla_memory_fail_after(-1);
            if (!status) break;
            check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
            check_untouched(&s);
        }
        assert_true(n > 0 && n < MOST_ALLOCATIONS);
        close_scene(&s);
    }
    armilla_grid *grid = healpix_grid(2);
    armilla_vector *vector = NULL;
    for (int64_t n = 0; !vector; n++) {
        armilla_memory_fail_after(n);
        const armilla_status status = armilla_vector_new(grid, 4, 4, NULL, &vector);
        armilla_memory_fail_after(-1);
        if (status) check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
    }
    armilla_vector_free(vector);
    armilla_grid_free(grid);
}

static int stop_at(void *data, double fraction)
{
    double *most = data;
    assert_true(fraction >= *most && fraction <= 1);
    *most = fraction;
    return fraction > 0.6;
}

static void conversions_tell_and_stop(void **state)
{
    (void)state;
    scene s;
    armilla_exec exec;
    double most = 0;
    open_scene(&s, 0);
    armilla_exec_init(&exec);
    exec.progress = stop_at, exec.progress_data = &most;
    armilla_progress_set_interval(0);
    const armilla_status status = armilla_vector_convert_map(s.vector, 3, s.map, 0, s.made, &exec);
    armilla_progress_set_interval(0.05);
    assert_int_equal(status, ARMILLA_ERROR_CANCELLED);
    assert_true(most > 0.6);
    close_scene(&s);
}

static void count_choice(void *data, const armilla_choice *choice)
{
    int *count = data;
    *count += !strncmp(choice->name, "polar.", 6) || !strncmp(choice->name, "scalar.", 7);
}

static void plans_tell_what_they_are(void **state)
{
    (void)state;
    for (int radial = 0; radial < 2; radial++) {
        scene s;
        open_scene(&s, radial);
        armilla_sht_description told = {.size = sizeof told};
        check_ok(armilla_vector_describe(s.vector, 1, &told));
        assert_int_equal(told.ncomp, radial ? 3 : 2);
        assert_int_equal(told.alm_ncomp, radial ? 3 : 2);
        assert_int_equal(told.exact, 1);
        assert_true(told.workspace_bytes > 8 * s.nalm);
        int count = 0;
        check_ok(armilla_vector_explain(s.vector, count_choice, &count));
        assert_true(count > 4);
        close_scene(&s);
    }
    check_error(armilla_vector_describe(NULL, 1, NULL), refused, "vector = NULL");
    check_error(armilla_vector_explain(NULL, count_choice, NULL), refused, "vector = NULL");
    armilla_vector_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(a_mean_vorticity_is_refused),
        cmocka_unit_test(maps_with_a_mean_are_refused),
        cmocka_unit_test(calls_name_what_is_wrong),
        cmocka_unit_test(coefficients_are_converted_in_place),
        cmocka_unit_test(failing_allocations_leave_the_output_alone),
        cmocka_unit_test(conversions_tell_and_stop),
        cmocka_unit_test(plans_tell_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
