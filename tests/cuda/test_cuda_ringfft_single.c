/* The ring stage of the emulated GPU in single precision, and in either precision with legs of
 * floats, against that of the processor in double precision on the same numbers: on every grid,
 * with lengths of rings for every way there is; adjointness; which precision runs, and the memory
 * that each takes. cuFFT of floats is one of doubles here, rounded at the end.
 * ARMILLA_TEST_VERBOSE=1 prints errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/stages/ringfft_layout.h"
#include "cuda/test_cuda_ringfft_scene.h"

/* Bounds of the rms error over rms and of the largest error over rms, numbers being of one size.
 * Measured: single precision 2.5e-7, 1.8e-6 (convolutions of 3072 numbers; by cuFFT alone 6e-8,
 * 5.3e-7); double precision 7.6e-16, 4.2e-15; a leg of floats is one rounding away, 2.7e-8, 2.8e-7.
 */
typedef struct {
    double rms, largest;
} two_bounds;
static const two_bounds in_single = {4e-7, 3e-6}, in_double = {1e-15, 1e-14},
                        rounded_once = {4e-8, 6e-7};

/* Bluestein's algorithm by cuFFT, in one part and in four, which takes more than 12288 samples
 * where orders are few. */
static const ring_case long_rings = {"long rings", UNEQUAL, 9, 12301, 40, 1, 0, 0};

/* The scene of the device, of floats or of doubles, and the same one of doubles. */
typedef struct {
    ring_case case_of_device, case_of_processor;
    scene device, processor;
    int single;
} two_scenes;

static void open_scenes(two_scenes *t, const ring_case *c, int single, int float_leg)
{
    t->case_of_device = t->case_of_processor = *c;
    t->case_of_device.is_float = single, t->case_of_processor.is_float = 0;
    t->single = single;
    set_up_in(&t->device, &t->case_of_device, PLENTY, single);
    set_up(&t->processor, &t->case_of_processor, PLENTY);
    t->device.float_leg = float_leg;
}

static void close_scenes(two_scenes *t)
{
    tear_down(&t->device), tear_down(&t->processor);
}

typedef struct {
    double largest, error_squares, squares;
    int64_t count;
} errors;

static void add_error(errors *e, double value, double wanted)
{
    e->largest = larger_or_nan(fabs(value - wanted), e->largest);
    e->error_squares += (value - wanted) * (value - wanted), e->squares += wanted * wanted;
    e->count++;
}

static void check_errors(const errors *e, two_bounds bounds, const two_scenes *t, const char *what)
{
    const double rms = sqrt(e->error_squares / e->squares);
    const double largest = e->largest / sqrt(e->squares / (double)e->count);
    const char *leg = t->device.float_leg ? "floats" : "doubles";
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("%s, %s, single %d, leg of %s: rms %.2g, largest %.2g\n", t->device.c->name,
                      what, t->single, leg, rms, largest);
    check_at_most(rms, bounds.rms, "%s, %s, single %d, leg of %s, rms", t->device.c->name, what,
                  t->single, leg);
    check_at_most(largest, bounds.largest, "%s, %s, single %d, leg of %s", t->device.c->name, what,
                  t->single, leg);
}

/* --- Maps and legs ---------------------------------------------------------------------------- */

static void cpu_to_map(const scene *s, int64_t pass, double *leg, void *map)
{
    run_cpu(s, armilla_ringfft_to_maps, pass, leg, map);
}

static void check_maps(const two_scenes *t)
{
    armilla_array made = {synthesise(&t->device), t->single};
    double *wanted = make_map(&t->processor, cpu_to_map);
    errors e = {0, 0, 0, 0};
    for (int64_t i = 0; i < t->device.map_size; i++) {
        const double value = armilla_array_get(made, i);
        if (wanted[i] == OTHER_SAMPLE)
            assert_true(value == OTHER_SAMPLE);
        else
            add_error(&e, value, wanted[i]);
    }
    check_errors(&e, t->single ? in_single : in_double, t, "synthesis");
    free(made.values), free(wanted);
}

typedef struct {
    const scene *s;
    const double *leg, *wanted;
    errors e;
} comparison;

static void compare_entry(int64_t set, int64_t m, int64_t pair, int64_t place, void *data)
{
    comparison *c = data;
    (void)set, (void)m;
    for (int i = 0; i < 4; i++) {
        add_error(&c->e, c->leg[place + i], c->wanted[place + i]);
        if ((i < 2 ? c->s->pairs.north : c->s->pairs.south)[pair] < 0)
            assert_true(c->leg[place + i] == 0);
    }
}

static int64_t count_numbers(int64_t size, const double *values)
{
    int64_t count = 0;
    for (int64_t i = 0; i < size; i++) count += !isnan(values[i]);
    return count;
}

/* What is no entry stays NaN. */
static void check_legs(const two_scenes *t)
{
    comparison c = {.s = &t->device};
    int64_t numbers = 0;
    for (int64_t pass = 0; pass < t->device.passes.count; pass++) {
        double *leg = analyse(&t->device, pass, 29), *wanted = new_leg(&t->processor, pass);
        void *map = new_map(&t->processor, 29);
        run_cpu(&t->processor, armilla_ringfft_from_maps, pass, wanted, map);
        c.leg = leg, c.wanted = wanted;
        each_entry(&t->device, pass, compare_entry, &c);
        numbers += count_numbers(leg_size(&t->device, pass), leg);
        armilla_release(leg), armilla_release(wanted), free(map);
    }
    assert_int_equal(numbers, c.e.count);
    check_errors(&c.e, t->single ? in_single : rounded_once, t, "analysis");
}

/* --- Adjointness ------------------------------------------------------------------------------ */

/* <Y leg, map> = <leg, Y^T map> */
static void check_adjoint(const two_scenes *t)
{
    const scene *s = &t->device;
    const armilla_array map = {synthesise(s), t->single}, other = {new_map(s, 31), t->single};
    product right = {NULL, 0};
    double left = 0, size = 0;
    for (int64_t i = 0; i < s->map_size; i++) {
        const double value = armilla_array_get(map, i) * armilla_array_get(other, i);
        if (armilla_array_get(map, i) != OTHER_SAMPLE) left += value, size += fabs(value);
    }
    for (int64_t pass = 0; pass < s->passes.count; pass++) {
        double *leg = analyse(s, pass, 31);
        right.leg = leg;
        each_entry(s, pass, add_product, &right);
        armilla_release(leg);
    }
    check_at_most(fabs(left - right.sum) / size, t->single ? 1e-7 : 3e-8, "adjoint, %s",
                  s->c->name);
    free(map.values), free(other.values);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void check_case(const ring_case *c, int single, int float_leg)
{
    two_scenes t;
    open_scenes(&t, c, single, float_leg);
    for (t.device.weighted = 0; t.device.weighted < 2; t.device.weighted++) {
        t.processor.weighted = t.device.weighted;
        check_maps(&t), check_legs(&t), check_adjoint(&t);
    }
    close_scenes(&t);
}

/* A length of three in four parts, and others in one, none of them with a cuFFT of its own. */
static void long_rings_are_convolutions_by_cufft(void **state)
{
    (void)state;
    int64_t pairs[ARMILLA_CUDA_RING_METHODS], all = 0;
    scene s;
    set_up_in(&s, &long_rings, PLENTY, 1);
    armilla_cuda_ringfft_methods(s.cuda, pairs);
    for (int i = 0; i < ARMILLA_CUDA_RING_METHODS; i++) all += pairs[i];
    assert_int_equal(pairs[ARMILLA_CUDA_RING_BLUESTEIN], all);
    tear_down(&s);
}

static void check_cases(int single, int float_leg)
{
    for (int i = 0; i < CASES; i++) check_case(&cases[i], single, float_leg);
    for (int i = 0; i < SMOOTH_CASES; i++) {
        const ring_case c = smooth_case(i);
        check_case(&c, single, float_leg);
    }
    check_case(&every_way, single, float_leg);
    check_case(&few_orders, single, float_leg);
    check_case(&shared_length, single, float_leg);
    check_case(&every_way_in_passes, single, float_leg);
    check_case(&long_rings, single, float_leg);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

static void single_precision(void **state)
{
    (void)state;
    check_cases(1, 0);
}

static void single_precision_with_legs_of_floats(void **state)
{
    (void)state;
    check_cases(1, 1);
}

static void double_precision_with_legs_of_floats(void **state)
{
    (void)state;
    check_cases(0, 1);
}

/* --- Which precision runs --------------------------------------------------------------------- */

static int64_t singles, doubles; /* launches */

static double count_launch(const char *from)
{
    if (strstr(from, "= float"))
        singles++;
    else if (strstr(from, "= double"))
        doubles++;
    return 0;
}

static void check_launches(const ring_case *c, int single, int is_float)
{
    ring_case of = *c;
    scene s;
    of.is_float = is_float;
    set_up_in(&s, &of, PLENTY, single);
    singles = doubles = 0;
    cuda_emulation_set_cost(count_launch);
    free(synthesise(&s));
    cuda_emulation_set_cost(NULL);
    assert_true(single && is_float ? singles >= 5 && !doubles : doubles >= 5 && !singles);
    tear_down(&s);
}

static void calls_of_floats_alone_are_in_single_precision(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) check_launches(&every_way, i / 2, i % 2);
}

/* Filters and roots of half the bytes are there besides those in double precision; in a call half
 * of the bytes of double precision are enough, which it takes. */
static void tables_of_both_are_counted(void **state)
{
    (void)state;
    scene s, both;
    set_up(&s, &every_way, PLENTY), set_up_in(&both, &every_way, PLENTY, 1);
    const int64_t before = armilla_cuda_ringfft_bytes(s.cuda);
    const int64_t lists = before - 2 * (armilla_cuda_ringfft_bytes(both.cuda) - before);
    assert_int_equal(cuda_emulation_live_bytes(), before + armilla_cuda_ringfft_bytes(both.cuda));
    assert_true(lists > 0 && lists < before / 8); /* slots and filters */
    assert_int_equal(armilla_cuda_ringfft_scratch(both.cuda, 2),
                     armilla_cuda_ringfft_scratch(s.cuda, 2));
    tear_down(&s), tear_down(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_rings_are_convolutions_by_cufft),
        cmocka_unit_test(single_precision),
        cmocka_unit_test(single_precision_with_legs_of_floats),
        cmocka_unit_test(double_precision_with_legs_of_floats),
        cmocka_unit_test(calls_of_floats_alone_are_in_single_precision),
        cmocka_unit_test(tables_of_both_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
