/* A plan tells the choices that its calls follow, a forced choice changes both, and no choice that
 * the last bits depend on comes from the machine that the plan is made on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/machine.h"
#include "oracle/checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Scene ------------------------------------------------------------------------------------ */

enum { MOST_CHOICES = 64, TEXT = 160 };

typedef struct {
    int count;
    char name[MOST_CHOICES][TEXT], value[MOST_CHOICES][TEXT];
    int forced[MOST_CHOICES]; /* as the reason says */
} told;

static void take(void *data, const armilla_choice *choice)
{
    told *t = data;
    assert_in_range(t->count, 0, MOST_CHOICES - 1);
    assert_true(strlen(choice->why) > 8);
    assert_true(strlen(choice->name) < TEXT && strlen(choice->value) < TEXT);
    t->forced[t->count] = strncmp(choice->why, "forced; ", 8) == 0;
    strcpy(t->name[t->count], choice->name), strcpy(t->value[t->count++], choice->value);
}

static int place_of(const told *t, const char *name)
{
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->name[i], name) == 0) return i;
    fail_msg("no choice %s", name);
    return 0;
}

static int says(const told *t, const char *name, const char *begin)
{
    return strncmp(t->value[place_of(t, name)], begin, strlen(begin)) == 0;
}

typedef struct {
    int64_t lmax, spin;
    enum { GAUSS, HEALPIX, MW } grid;
    const char *isa;  /* NULL: the best */
    const char *also; /* choices that every plan is made with; NULL: none */
} problem;

static armilla_grid *grid_of(const problem *p)
{
    armilla_grid *grid;
    if (p->grid == GAUSS)
        check_ok(armilla_grid_new_gauss_legendre(p->lmax + 1, 2 * p->lmax + 2, &grid));
    else if (p->grid == HEALPIX)
        check_ok(armilla_grid_new_healpix(p->lmax / 2, &grid));
    else
        check_ok(
            armilla_grid_new_equidistant(ARMILLA_GRID_MW, p->lmax + 1, 2 * p->lmax + 1, &grid));
    return grid;
}

/* Made with choices that are forced, or NULL. */
static armilla_sht *plan_of(const problem *p, const char *choices)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_grid *grid = grid_of(p);
    armilla_sht_options_init(&options);
    char forced[2 * TEXT];
    snprintf(forced, sizeof forced, "%s%s%s", p->also ? p->also : "", p->also && choices ? "," : "",
             choices ? choices : "");
    options.spin = p->spin, options.choices = forced, options.isa = p->isa;
    check_ok(armilla_sht_new(grid, p->lmax, p->lmax, &options, &sht));
    armilla_grid_free(grid);
    return sht;
}

/* Transforms both ways. Returned: free with free; *size bytes. */
static double *results_of(const armilla_sht *sht, int nthreads, size_t *size)
{
    armilla_sht_description is = {.size = sizeof is};
    armilla_exec exec;
    enum { NTRANS = 3 };
    check_ok(armilla_sht_describe(sht, 1, &is));
    armilla_exec_init(&exec);
    exec.nthreads = nthreads, exec.ntrans = NTRANS;
    const size_t nalm = (size_t)(2 * NTRANS * is.alm_ncomp * is.alm_size),
                 nmap = (size_t)(NTRANS * is.ncomp * is.npix);
    double *values = calloc(2 * nalm + nmap, sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < nalm; i++) values[i] = (double)(i * 37 % 101) / 101 - 0.4;
    check_ok(armilla_sht_synthesis(sht, values, values + nalm, &exec));
    check_ok(armilla_sht_analysis(sht, values + nalm, values + nalm + nmap, &exec));
    *size = (2 * nalm + nmap) * sizeof *values;
    return values;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void choices_have_names_of_their_own(void **state)
{
    (void)state;
    const problem problems[] = {{63, 0, GAUSS, NULL, NULL},
                                {checks_quick() ? 200 : 600, 2, HEALPIX, NULL, NULL},
                                {40, 1, MW, NULL, NULL},
                                {60, 5, GAUSS, NULL, NULL}};
    for (int p = 0; p < 4; p++) {
        told t = {0};
        armilla_sht *sht = plan_of(&problems[p], NULL);
        check_ok(armilla_sht_explain(sht, take, &t));
        assert_true(t.count > 8);
        for (int i = 0; i < t.count; i++)
            for (int k = 0; k < i; k++) assert_string_not_equal(t.name[i], t.name[k]);
        armilla_sht_free(sht);
    }
}

/* By its name and a number, which the value begins with; bits: whether results differ. */
static void check_forced(const problem *p, const char *name, int64_t number, int bits)
{
    char choice[TEXT], begin[TEXT];
    size_t sizes[2];
    told t = {0};
    snprintf(choice, sizeof choice, "%s=%lld", name, (long long)number);
    snprintf(begin, sizeof begin, "%lld", (long long)number);
    armilla_sht *plain = plan_of(p, NULL), *forced = plan_of(p, choice);
    check_ok(armilla_sht_explain(plain, take, &t));
    assert_false(says(&t, name, begin) || t.forced[place_of(&t, name)]);
    t.count = 0;
    check_ok(armilla_sht_explain(forced, take, &t));
    assert_true(says(&t, name, begin) && t.forced[place_of(&t, name)]);
    double *a = results_of(plain, 1, &sizes[0]), *b = results_of(forced, 1, &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_int_equal(memcmp(a, b, sizes[0]) != 0, bits);
    for (size_t i = 0; i < sizes[0] / sizeof *a; i++) assert_true(fabs(a[i] - b[i]) < 1e-8);
    free(a), free(b);
    armilla_sht_free(plain), armilla_sht_free(forced);
}

/* On the grid's rings passes have 256 pairs or more; elsewhere each has half of the orders, which
 * leaves their bits alone. Analysis adds what passes have. */
static void check_passes(void)
{
    check_forced(&(problem){600, 0, GAUSS, NULL, NULL}, "sht.passes", 2, 1);
    check_forced(&(problem){100, 0, HEALPIX, NULL, "sht.flow=1"}, "sht.passes", 2, 1);
    check_forced(&(problem){61, 0, MW, NULL, "sht.flow=1"}, "sht.passes", 2, 0);
    check_forced(&(problem){100, 0, HEALPIX, NULL, "sht.flow=1,sht.passes=2"}, "sht.parking", 0, 1);
}

static void forced_choices_are_told_and_followed(void **state)
{
    (void)state;
    const problem small = {31, 0, GAUSS, NULL, NULL}, healpix = {120, 0, HEALPIX, NULL, NULL};
    check_forced(&small, "legendre.matrices", 32, 1);
    check_forced(&small, "legendre.tables", 0, 1); /* without tables there are no matrices */
    check_forced(&small, "legendre.recurrences", 0, 0);
    check_forced(&small, "legendre.starts", 0, 1); /* nor without starts */
    check_forced(&healpix, "sht.flow", 1, 1);
    check_forced(&(problem){31, 0, MW, NULL, "sht.flow=1"}, "theta.circle", 0, 1);
    check_forced(&healpix, "ring.roots", 0, 1);
    check_forced(&(problem){31, 2, GAUSS, NULL, NULL}, "legendre.links", 0, 0);
    check_forced(&(problem){31, 2, GAUSS, NULL, NULL}, "legendre.spin_recurrences", 0, 0);
    check_passes();
    if (!checks_quick())
        check_forced(&(problem){1023, 0, GAUSS, NULL, NULL}, "legendre.starts", 0, 1);
    if (!strncmp(armilla_isa_name(), "avx", 3)) check_forced(&small, "ring.lanes", 0, 1);
}

/* Each choice whose value begins with a number can be forced to be as it is: the plan says the same
 * and has the same results. */
static void check_all_as_they_are(const problem *p)
{
    told t = {0};
    size_t sizes[2];
    armilla_sht *plain = plan_of(p, NULL);
    check_ok(armilla_sht_explain(plain, take, &t));
    double *wanted = results_of(plain, 1, &sizes[0]);
    for (int i = 0; i < t.count; i++) {
        char choice[2 * TEXT], *end;
        told again = {0};
        const long long number = strtoll(t.value[i], &end, 10);
        if (end == t.value[i] || (p->also && strstr(p->also, t.name[i]))) continue;
        snprintf(choice, sizeof choice, "%s=%lld", t.name[i], number);
        armilla_sht *forced = plan_of(p, choice);
        check_ok(armilla_sht_explain(forced, take, &again));
        assert_int_equal(again.count, t.count);
        for (int k = 0; k < t.count; k++) assert_string_equal(again.value[k], t.value[k]);
        assert_true(again.forced[i]);
        double *made = results_of(forced, 1, &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(wanted, made, sizes[0]);
        free(made), armilla_sht_free(forced);
    }
    free(wanted), armilla_sht_free(plain);
}

static void all_numbers_can_be_forced_as_they_are(void **state)
{
    (void)state;
    const problem problems[] = {{31, 0, GAUSS, NULL, NULL},
                                {40, 2, GAUSS, NULL, NULL},
                                {60, 5, GAUSS, NULL, NULL},
                                {40, 0, HEALPIX, NULL, NULL},
                                {40, 1, HEALPIX, NULL, "sht.flow=1"},
                                {40, 1, HEALPIX, NULL, "sht.flow=1,sht.passes=2"},
                                {600, 0, GAUSS, NULL, "sht.passes=2"},
                                {31, 0, MW, NULL, NULL},
                                {31, 2, MW, NULL, NULL},
                                {31, 2, MW, NULL, "sht.flow=1"},
                                {31, 0, GAUSS, "scalar", NULL}};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (problems[i].lmax < 600 || !checks_quick()) check_all_as_they_are(&problems[i]);
}

/* A name with its group is that of one flow only. */
static void flows_can_be_forced_one_by_one(void **state)
{
    (void)state;
    told t = {0};
    armilla_sht *sht =
        plan_of(&(problem){31, 2, MW, NULL, NULL}, "weighted.legendre.spin_recurrences=0,"
                                                   "weighted.sht.passes=2,legendre.starts=0,"
                                                   "weighted.legendre.starts=2");
    check_ok(armilla_sht_explain(sht, take, &t));
    assert_false(says(&t, "legendre.spin_recurrences", "0"));
    assert_true(says(&t, "weighted.legendre.spin_recurrences", "0"));
    assert_true(says(&t, "sht.passes", "1") && says(&t, "weighted.sht.passes", "2"));
    assert_true(says(&t, "legendre.starts", "0") && says(&t, "weighted.legendre.starts", "2"));
    size_t size;
    free(results_of(sht, 2, &size));
    armilla_sht_free(sht);
}

static void flows_with_weights_are_told_too(void **state)
{
    (void)state;
    told t = {0};
    armilla_sht *sht = plan_of(&(problem){31, 0, MW, NULL, NULL}, "legendre.matrices=32");
    check_ok(armilla_sht_explain(sht, take, &t));
    assert_true(says(&t, "legendre.matrices", "32"));
    assert_true(says(&t, "weighted.legendre.matrices", "32"));
    assert_true(t.forced[place_of(&t, "weighted.legendre.matrices")]);
    assert_true(says(&t, "weighted.theta.circle", "0")); /* 63 rings and images */
    armilla_sht_free(sht);
}

static void both_transforms_of_polarised_maps_are_told(void **state)
{
    (void)state;
    told t = {0};
    armilla_iqu *iqu;
    armilla_sht_options options;
    armilla_grid *grid = grid_of(&(problem){31, 0, MW, NULL, NULL});
    armilla_sht_options_init(&options);
    options.choices = "legendre.starts=0";
    check_ok(armilla_iqu_new(grid, 31, 31, &options, &iqu));
    check_ok(armilla_iqu_explain(iqu, take, &t));
    assert_true(says(&t, "scalar.legendre.starts", "0"));
    assert_true(t.forced[place_of(&t, "polar.weighted.legendre.starts")]);
    place_of(&t, "ring.lanes"), place_of(&t, "polar.legendre.links");
    for (int i = 0; i < t.count; i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(t.name[i], t.name[k]);
    assert_int_equal(armilla_iqu_explain(iqu, NULL, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_iqu_explain(NULL, take, &t), ARMILLA_ERROR_ARGUMENT);
    armilla_iqu_free(iqu), armilla_grid_free(grid);
}

static void plans_for_points_and_convolutions_are_told(void **state)
{
    (void)state;
    told t = {0};
    armilla_points *points;
    armilla_radial *radial;
    armilla_kernel *kernel;
    const double places[4] = {0.2, 1, 0.4, 2};
    armilla_grid *grid = grid_of(&(problem){64, 0, HEALPIX, NULL, NULL});
    check_ok(armilla_points_new(63, 63, 2, places, NULL, &points));
    check_ok(armilla_points_explain(points, take, &t));
    assert_true(says(&t, "points.samples", "on ") && says(&t, "theta.circle", "1"));
    place_of(&t, "points.zone"), place_of(&t, "legendre.starts"), place_of(&t, "ring.lanes");
    assert_int_equal(armilla_points_explain(points, NULL, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_points_explain(NULL, take, &t), ARMILLA_ERROR_ARGUMENT);
    check_ok(armilla_kernel_new_gaussian(0.2, &kernel));
    check_ok(armilla_radial_new(grid, kernel, NULL, &radial));
    check_ok(armilla_radial_explain(radial, take, &t));
    assert_true(says(&t, "radial.method", "of 127 rings "));
    assert_true(says(&t, "radial.support", "the kernel") &&
                says(&t, "radial.normalization", "integral"));
    assert_int_equal(armilla_radial_explain(radial, NULL, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_radial_explain(NULL, take, &t), ARMILLA_ERROR_ARGUMENT);
    armilla_points_free(points), armilla_radial_free(radial);
    armilla_kernel_free(kernel), armilla_grid_free(grid);
}

/* Planes of three spins, whose Legendre stages differ. */
static void plans_of_beams_tell_all_planes(void **state)
{
    (void)state;
    told t = {0}, sampled = {0};
    armilla_beams *beams;
    armilla_points *points;
    armilla_points_options options;
    const double pointings[6] = {0.2, 1, 0, 0.4, 2, 1}, places[4] = {0.2, 1, 0.4, 2};
    armilla_points_options_init(&options);
    options.spin = 2;
    check_ok(armilla_beams_new(63, 63, 2, 2, pointings, NULL, &beams));
    check_ok(armilla_points_new(63, 63, 2, places, &options, &points));
    check_ok(armilla_beams_explain(beams, take, &t));
    check_ok(armilla_points_explain(points, take, &sampled));
    for (int i = 0; i < sampled.count; i++)
        assert_string_equal(t.value[place_of(&t, sampled.name[i])], sampled.value[i]);
    place_of(&t, "k0.legendre.matrices"), place_of(&t, "k1.legendre.spin");
    place_of(&t, "k1.theta.circle");
    for (int i = 0; i < t.count; i++) {
        assert_true(i < sampled.count || t.name[i][0] == 'k');
        for (int k = 0; k < i; k++) assert_string_not_equal(t.name[i], t.name[k]);
    }
    assert_int_equal(armilla_beams_explain(beams, NULL, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_beams_explain(NULL, take, &t), ARMILLA_ERROR_ARGUMENT);
    armilla_beams_free(beams), armilla_points_free(points);
}

static void check_refused(const char *choices, const char *message)
{
    armilla_sht_options options;
    armilla_sht *sht = NULL;
    const problem p = {31, 0, GAUSS, NULL, NULL};
    armilla_grid *grid = grid_of(&p);
    armilla_sht_options_init(&options);
    options.choices = choices;
    assert_int_equal(armilla_sht_new(grid, 31, 31, &options, &sht), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), message));
    assert_null(sht);
    armilla_grid_free(grid);
}

static void wrong_choices_are_refused_by_name(void **state)
{
    (void)state;
    check_refused("legendre.matrices=33", "legendre.matrices = 33: must be 0 to 32");
    check_refused("legendre.tables=1,sht.speed=9", "no choice \"sht.speed\"");
    check_refused("legendre.tables", "options->choices = \"legendre.tables\"");
    check_refused("legendre.tables=x", "name=number");
    check_refused("=1", "name=number");
    check_refused("legendre.tables=1;sht.flow=0", "name=number");
    check_refused("legendre.tables,sht.flow=0", "name=number");
    check_refused("sht.flow=0,sht.flow=1", "different choices");
    check_refused("sht.flow=0,", "name=number");
    check_refused("a_name_that_is_longer_than_any_of_them_with_the_group_in_front_of=1",
                  "name=number");
    check_refused("a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1,q=1", "16");
    check_refused("legendre.spin=1", "no choice \"legendre.spin\" that can be forced");
    armilla_sht *sht = plan_of(&(problem){31, 0, GAUSS, NULL, NULL}, "");
    assert_int_equal(armilla_sht_explain(sht, NULL, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_sht_explain(NULL, take, NULL), ARMILLA_ERROR_ARGUMENT);
    armilla_sht_free(sht);
}

static void check_machines(const problem *p)
{
    static const armilla_machine machines[] = {
        {.is_amd = 0, .cache_bytes = 1 << 20, .third_level_bytes = 1 << 18},
        {.is_amd = 0, .cache_bytes = 2 << 20, .third_level_bytes = INT64_MAX},
        {.is_amd = 1, .cache_bytes = 8 << 20, .third_level_bytes = 32 << 20},
        {.is_amd = 1, .cache_bytes = 16 << 20, .third_level_bytes = 64 << 20}};
    double *first = NULL;
    size_t size = 0, other;
    for (int i = 0; i < 4; i++) {
        armilla_machine_pretend(&machines[i]);
        armilla_sht *sht = plan_of(p, NULL);
        double *values = results_of(sht, 1 + i % 2, &other);
        if (first)
            assert_true(other == size && memcmp(first, values, size) == 0);
        else
            first = values, size = other;
        if (values != first) free(values);
        armilla_sht_free(sht);
    }
    armilla_machine_pretend(NULL);
    free(first);
}

static void bits_do_not_depend_on_the_machine(void **state)
{
    (void)state;
    static const int64_t lmax[] = {127, 31, 107, 180, 260};
    const int quick = checks_quick();
    for (int isa = 0; armilla_isa_available(isa) && !quick; isa++)
        for (int64_t spin = 0; spin < 3; spin++) {
            const char *name = armilla_isa_available(isa);
            for (int i = 0; i < 5; i++)
                check_machines(&(problem){lmax[i], spin, GAUSS, name, NULL});
            check_machines(&(problem){128, spin, HEALPIX, name, NULL});
            check_machines(&(problem){100, spin, MW, name, NULL});
        }
    if (!quick)
        check_machines(&(problem){700, 0, HEALPIX, NULL, NULL}); /* past the caches, or not */
    if (quick) check_machines(&(problem){127, 1, GAUSS, NULL, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_have_names_of_their_own),
        cmocka_unit_test(forced_choices_are_told_and_followed),
        cmocka_unit_test(flows_with_weights_are_told_too),
        cmocka_unit_test(all_numbers_can_be_forced_as_they_are),
        cmocka_unit_test(flows_can_be_forced_one_by_one),
        cmocka_unit_test(both_transforms_of_polarised_maps_are_told),
        cmocka_unit_test(plans_for_points_and_convolutions_are_told),
        cmocka_unit_test(plans_of_beams_tell_all_planes),
        cmocka_unit_test(wrong_choices_are_refused_by_name),
        cmocka_unit_test(bits_do_not_depend_on_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
