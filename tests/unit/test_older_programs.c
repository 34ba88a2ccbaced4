/* Checks that programs compiled with older headers, whose structs of options are shorter, go on to
 * work: filling these with defaults writes nothing behind them, and calls take them. Structs of
 * newer programs, which the library does not know, are refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    const char *name;
    size_t whole, shorter; /* the size today, and without the last field */
    void (*fill)(void *options, size_t size);
} kind;

#define KIND(type, last)                                                                           \
    static void fill_##type(void *options, size_t size)                                            \
    {                                                                                              \
        armilla_##type##_init_sized(options, size);                                                \
        if (!options) armilla_##type##_init(NULL);                                                 \
    }                                                                                              \
    static const kind of_##type = {#type, sizeof(armilla_##type), offsetof(armilla_##type, last),  \
                                   fill_##type};

KIND(deflection, nthreads)
KIND(distributed_options, chunk_bytes)
KIND(distribution_options, count_resampling)
KIND(exec, missing)
KIND(grid_layout, nested)
KIND(interpolation_options, isa)
KIND(leg_problem, progress)
KIND(leg_rings, progress)
KIND(picture_options, nthreads)
KIND(points_options, nthreads)
KIND(pseudo_options, guess)
KIND(radial_options, spin)
KIND(radial_stream, fill)
KIND(redistribution_options, chunk_bytes)
KIND(sht_options, delegate)
KIND(solid_options, epsilon)
KIND(vector_options, sht)
KIND(write_options, integers)

static const kind *const KINDS[] = {
    &of_deflection,      &of_distributed_options,    &of_distribution_options, &of_exec,
    &of_grid_layout,     &of_interpolation_options,  &of_leg_problem,          &of_leg_rings,
    &of_picture_options, &of_points_options,         &of_pseudo_options,       &of_radial_options,
    &of_radial_stream,   &of_redistribution_options, &of_sht_options,          &of_solid_options,
    &of_vector_options,  &of_write_options};
enum { NKINDS = sizeof KINDS / sizeof *KINDS };

/* size bytes that end where memory that nobody may touch begins. */
static char *before_the_wall(char **pages, size_t *page, size_t size)
{
    *page = (size_t)sysconf(_SC_PAGESIZE);
    *pages = mmap(NULL, 2 * *page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(*pages != MAP_FAILED && size <= *page);
    assert_int_equal(mprotect(*pages + *page, *page, PROT_NONE), 0);
    memset(*pages, 0x5a, *page);
    return *pages + *page - size;
}

static size_t size_in(const char *options)
{
    size_t size;
    memcpy(&size, options, sizeof size);
    return size;
}

static void check_filled(const kind *what, const char *whole, size_t size)
{
    size_t page;
    char *pages, *options = before_the_wall(&pages, &page, size);
    what->fill(options, size);
    if (size >= sizeof size && size_in(options) != size)
        fail_msg("%s of %zu bytes: size becomes %zu", what->name, size, size_in(options));
    for (size_t i = sizeof size; i < size && i < what->shorter; i++)
        if (options[i] != whole[i])
            fail_msg("%s of %zu bytes: byte %zu is not the default", what->name, size, i);
    for (size_t i = what->whole; i < size; i++) assert_int_equal(options[i], 0);
    assert_int_equal(options[-1], 0x5a);
    munmap(pages, 2 * page);
}

static void defaults_stay_within_the_struct(void **state)
{
    (void)state;
    for (int i = 0; i < NKINDS; i++) {
        char whole[512] = {0};
        assert_true(KINDS[i]->whole < sizeof whole);
        KINDS[i]->fill(whole, KINDS[i]->whole);
        assert_int_equal(size_in(whole), KINDS[i]->whole);
        check_filled(KINDS[i], whole, KINDS[i]->shorter);
        check_filled(KINDS[i], whole, KINDS[i]->whole);
        check_filled(KINDS[i], whole, KINDS[i]->whole + 24); /* a newer program's */
        check_filled(KINDS[i], whole, sizeof(size_t));
        KINDS[i]->fill(NULL, KINDS[i]->whole);
        char little[sizeof(size_t)];
        memset(little, 0x5a, sizeof little);
        KINDS[i]->fill(little, sizeof little - 1); /* no room for the size itself */
        for (size_t j = 0; j < sizeof little; j++) assert_int_equal(little[j], 0x5a);
    }
}

/* What the macros call is the size of the struct that the program was compiled with. */
static void macros_give_the_size(void **state)
{
    (void)state;
    struct {
        armilla_exec exec;
        char behind[8];
    } older = {.behind = "behind"};
    armilla_exec_init(&older.exec);
    assert_int_equal(older.exec.size, sizeof(armilla_exec));
    assert_int_equal(older.exec.ntrans, 1);
    assert_string_equal(older.behind, "behind");
    armilla_pseudo_options pseudo, *chosen = &pseudo;
    armilla_pseudo_options_init(chosen + 0); /* any expression */
    assert_true(pseudo.size == sizeof pseudo && pseudo.tolerance > 0);
}

/* A transform as a program calls it that knows neither host_bytes nor missing. */
static void an_older_program_transforms(void **state)
{
    (void)state;
    size_t page;
    char *pages[2];
    armilla_sht_options *options =
        (void *)before_the_wall(&pages[0], &page, of_sht_options.shorter);
    armilla_exec *exec = (void *)before_the_wall(&pages[1], &page, of_exec.shorter);
    armilla_sht_options_init_sized(options, of_sht_options.shorter);
    armilla_exec_init_sized(exec, of_exec.shorter);
    armilla_grid *grid;
    armilla_sht *sht;
    assert_int_equal(armilla_grid_new_healpix(4, &grid), ARMILLA_OK);
    assert_int_equal(armilla_sht_new(grid, 8, 8, options, &sht), ARMILLA_OK);
    double alm[2 * 45] = {1}, map[192];
    assert_int_equal(armilla_sht_synthesis(sht, alm, map, exec), ARMILLA_OK);
    for (int i = 0; i < 192; i++) assert_float_equal(map[i], 0.28209479177387814, 1e-15);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    for (int i = 0; i < 2; i++) munmap(pages[i], 2 * page);
}

/* Potentials in space, called by a program that knows sums alone. */
static void an_older_program_sums_solid_harmonics(void **state)
{
    (void)state;
    size_t page;
    char *pages;
    const size_t shorter = of_solid_options.shorter;
    const double points[3] = {0.5, 0.5, 2};
    double alm[6] = {1}, value = 0, sum[6];
    armilla_solid_options *options = (void *)before_the_wall(&pages, &page, shorter);
    armilla_solid_options_init_sized(options, shorter);
    assert_int_equal(armilla_solid_evaluate(1, 1, 1, points, options, alm, &value, NULL),
                     ARMILLA_OK);
    assert_float_equal(value, 0.5 * 0.28209479177387814, 1e-15);
    assert_int_equal(armilla_solid_adjoint_evaluate(1, 1, 1, points, options, &value, sum, NULL),
                     ARMILLA_OK);
    options->size = shorter - 1;
    assert_int_equal(armilla_solid_evaluate(1, 1, 1, points, options, alm, &value, NULL),
                     ARMILLA_ERROR_ARGUMENT);
    munmap(pages, 2 * page);
}

static void check_refused(armilla_status status, const char *size, const char *type)
{
    assert_int_equal(status, ARMILLA_ERROR_ARGUMENT);
    const char *message = armilla_status_message();
    if (!strstr(message, size) || !strstr(message, type)) fail_msg("%s", message);
}

/* A struct larger than the library's has fields that the library would have to ignore. */
static void a_newer_program_is_refused(void **state)
{
    (void)state;
    struct {
        armilla_sht_options options;
        int64_t added;
    } options;
    struct {
        armilla_exec exec;
        int64_t added;
    } exec;
    armilla_sht_options_init_sized(&options.options, sizeof options);
    armilla_exec_init_sized(&exec.exec, sizeof exec);
    armilla_grid *grid;
    armilla_sht *sht = NULL;
    assert_int_equal(armilla_grid_new_healpix(4, &grid), ARMILLA_OK);
    check_refused(armilla_sht_new(grid, 8, 8, &options.options, &sht), "options->size",
                  "armilla_sht_options");
    assert_null(sht);
    assert_int_equal(armilla_sht_new(grid, 8, 8, NULL, &sht), ARMILLA_OK);
    double alm[2 * 45] = {1}, map[192] = {7};
    check_refused(armilla_sht_synthesis(sht, alm, map, &exec.exec), "exec->size", "armilla_exec");
    assert_true(map[0] == 7);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* --- Sizes of no version -------------------------------------------------------------------- */

typedef struct {
    const armilla_grid *grid;
    const armilla_sht *sht;
} subject;

static armilla_status open_sht(const subject *s, const void *options)
{
    armilla_sht *sht = NULL;
    const armilla_status status = armilla_sht_new(s->grid, 8, 8, options, &sht);
    armilla_sht_free(sht);
    return status;
}

static armilla_status open_exec(const subject *s, const void *exec)
{
    double alm[2 * 45] = {1}, map[192];
    return armilla_sht_synthesis(s->sht, alm, map, exec);
}

static armilla_status open_pseudo(const subject *s, const void *options)
{
    double alm[2 * 45], map[192] = {1};
    return armilla_sht_pseudo_analysis(s->sht, map, alm, options, NULL, NULL);
}

static armilla_status open_points(const subject *s, const void *options)
{
    const double points[] = {1, 2};
    armilla_points *plan = NULL;
    (void)s;
    const armilla_status status = armilla_points_new(8, 8, 1, points, options, &plan);
    armilla_points_free(plan);
    return status;
}

static armilla_status open_solid(const subject *s, const void *options)
{
    const double points[] = {1, 2, 3}, alm[6] = {1};
    double value;
    (void)s;
    return armilla_solid_evaluate(1, 1, 1, points, options, alm, &value, NULL);
}

static armilla_status open_radial(const subject *s, const void *options)
{
    armilla_kernel *kernel;
    armilla_radial *radial = NULL;
    armilla_status status = armilla_kernel_new_gaussian(1, &kernel);
    if (!status) status = armilla_radial_new(s->grid, kernel, options, &radial);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    return status;
}

static armilla_status open_description(const subject *s, const void *description)
{
    return armilla_sht_describe(s->sht, 1, (armilla_sht_description *)description);
}

static void fill_description(void *description, size_t size)
{
    memset(description, 0, size);
    memcpy(description, &size, sizeof size);
}

static const kind of_description = {"description", sizeof(armilla_sht_description), 16,
                                    fill_description};

static const struct {
    const kind *what;
    armilla_status (*open)(const subject *s, const void *options);
    int versions; /* how many sizes its versions had; a description takes any whole fields */
} doors[] = {{&of_sht_options, open_sht, 12},
             {&of_exec, open_exec, 3},
             {&of_pseudo_options, open_pseudo, 2},
             {&of_points_options, open_points, 7},
             {&of_solid_options, open_solid, 3},
             {&of_radial_options, open_radial, 6},
             {&of_description, open_description, sizeof(armilla_sht_description) / 8 - 1}};

/* Half of a pointer was followed where a size cut it. */
static void sizes_that_no_version_had_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid;
    armilla_sht *sht;
    char options[512] = {0};
    assert_int_equal(armilla_grid_new_healpix(4, &grid), ARMILLA_OK);
    assert_int_equal(armilla_sht_new(grid, 8, 8, NULL, &sht), ARMILLA_OK);
    const subject s = {grid, sht};
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        const kind *what = doors[i].what;
        int taken = 0;
        for (size_t size = 0; size <= what->whole + 16; size++) {
            what->fill(options, what->whole);
            memcpy(options, &size, sizeof size);
            const armilla_status status = doors[i].open(&s, options);
            taken += !status;
            if (!status && (size % 8 || size > what->whole)) fail_msg("%s %zu", what->name, size);
            if (status) check_refused(status, "->size = ", what->name);
        }
        if (taken != doors[i].versions) fail_msg("%s: %d sizes are taken", what->name, taken);
    }
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* What the library describes goes into as much as the caller's struct has. */
static void descriptions_stay_within_the_struct(void **state)
{
    (void)state;
    size_t page;
    const size_t shorter = offsetof(armilla_sht_description, device_precision);
    char *pages;
    armilla_sht_description *told = (void *)before_the_wall(&pages, &page, shorter);
    armilla_grid *grid;
    armilla_sht *sht;
    assert_int_equal(armilla_grid_new_healpix(4, &grid), ARMILLA_OK);
    assert_int_equal(armilla_sht_new(grid, 8, 8, NULL, &sht), ARMILLA_OK);
    told->size = shorter;
    assert_int_equal(armilla_sht_describe(sht, 1, told), ARMILLA_OK);
    assert_true(told->size == shorter && told->npix == 192);
    told->size = sizeof *told + 8;
    check_refused(armilla_sht_describe(sht, 1, told), "description->size",
                  "armilla_sht_description");
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    munmap(pages, 2 * page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_stay_within_the_struct),
        cmocka_unit_test(macros_give_the_size),
        cmocka_unit_test(an_older_program_transforms),
        cmocka_unit_test(an_older_program_sums_solid_harmonics),
        cmocka_unit_test(a_newer_program_is_refused),
        cmocka_unit_test(sizes_that_no_version_had_are_refused),
        cmocka_unit_test(descriptions_stay_within_the_struct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
