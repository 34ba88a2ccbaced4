/* The ring stage of the emulated GPU against that of the processor, whose own tests are direct sums
 * in long double: on every grid, sample by sample and entry by entry; and adjointness. What is no
 * sample of a ring, and what is no entry of leg, stays as it is: entries that do not exist are not
 * numbers before and after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_ringfft_scene.h"

/* Largest error over largest value: measured 8.0e-16, most of it of unequal rings; maps of floats
 * agree to the bit, but one unit in the last place may change. */
static const double bound = 1.6e-15, float_bound = 1.2e-7;

/* --- Maps ------------------------------------------------------------------------------------ */

static void cpu_to_map(const scene *s, int64_t pass, double *leg, void *map)
{
    run_cpu(s, armilla_ringfft_to_maps, pass, leg, map);
}

static void compare_maps(const scene *s, void *map, void *expected)
{
    const armilla_array a = {map, s->c->is_float}, b = {expected, s->c->is_float};
    double error = 0, size = 0;
    for (int64_t i = 0; i < s->map_size; i++) {
        const double value = armilla_array_get(a, i), other = armilla_array_get(b, i);
        if (other == OTHER_SAMPLE) {
            assert_true(value == OTHER_SAMPLE);
            continue;
        }
        error = larger_or_nan(fabs(value - other), error);
        size = larger_or_nan(fabs(other), size);
    }
    check_at_most(error / size, s->c->is_float ? float_bound : bound, "synthesis, %s", s->c->name);
}

static void check_maps(scene *s)
{
    for (s->weighted = 0; s->weighted < 2; s->weighted++) {
        void *map = synthesise(s), *expected = make_map(s, cpu_to_map);
        compare_maps(s, map, expected);
        free(map), free(expected);
    }
}

/* --- Legs ------------------------------------------------------------------------------------ */

typedef struct {
    const scene *s;
    const double *leg, *expected;
    double error, size;
    int64_t entries;
} comparison;

static void compare_entry(int64_t set, int64_t m, int64_t pair, int64_t place, void *data)
{
    comparison *c = data;
    const double *entry = c->leg + place, *expected = c->expected + place;
    (void)set, (void)m;
    for (int i = 0; i < 4; i++) {
        c->error = larger_or_nan(fabs(entry[i] - expected[i]), c->error);
        c->size = larger_or_nan(fabs(expected[i]), c->size);
        if ((i < 2 ? c->s->pairs.north : c->s->pairs.south)[pair] < 0) assert_true(entry[i] == 0);
    }
    c->entries++;
}

static int64_t count_numbers(int64_t size, const double *values)
{
    int64_t count = 0;
    for (int64_t i = 0; i < size; i++) count += !isnan(values[i]);
    return count;
}

static void check_pass(const scene *s, int64_t pass)
{
    double *leg = analyse(s, pass, 29), *expected = new_leg(s, pass);
    void *map = new_map(s, 29);
    comparison c = {s, leg, expected, 0, 0, 0};
    run_cpu(s, armilla_ringfft_from_maps, pass, expected, map);
    each_entry(s, pass, compare_entry, &c);
    check_at_most(c.error / c.size, bound, "analysis, %s", s->c->name);
    assert_int_equal(count_numbers(leg_size(s, pass), leg), 4 * c.entries);
    armilla_release(leg), armilla_release(expected), free(map);
}

static void check_legs(scene *s)
{
    for (s->weighted = 0; s->weighted < 2; s->weighted++)
        for (int64_t pass = 0; pass < s->passes.count; pass++) check_pass(s, pass);
}

/* --- Adjointness ----------------------------------------------------------------------------- */

/* <Y leg, map> = <leg, Y^T map>; measured 1.7e-16 */
static void check_adjoint(scene *s)
{
    if (s->c->is_float) return;
    double *map = synthesise(s), *other = new_map(s, 31), left = 0, size = 0;
    product right = {NULL, 0};
    for (int64_t i = 0; i < s->map_size; i++)
        if (map[i] != OTHER_SAMPLE) left += map[i] * other[i], size += fabs(map[i] * other[i]);
    for (int64_t pass = 0; pass < s->passes.count; pass++) {
        double *leg = analyse(s, pass, 31);
        right.leg = leg;
        each_entry(s, pass, add_product, &right);
        armilla_release(leg);
    }
    check_at_most(fabs(left - right.sum) / size, 4e-16, "adjoint, %s", s->c->name);
    free(map), free(other);
}

/* --- Tests ----------------------------------------------------------------------------------- */

static void run_case(const ring_case *c, void (*check)(scene *s))
{
    scene s;
    set_up(&s, c, PLENTY);
    check(&s);
    tear_down(&s);
}

static void each_case(void (*check)(scene *s))
{
    for (int i = 0; i < CASES; i++) run_case(&cases[i], check);
    for (int i = 0; i < SMOOTH_CASES; i++) {
        const ring_case c = smooth_case(i);
        run_case(&c, check);
    }
    run_case(&shared_length, check);
    run_case(&every_way, check);
    run_case(&few_orders, check);
    run_case(&fewest_orders, check);
    run_case(&every_way_in_passes, check);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

static void maps_are_those_of_the_processor(void **state)
{
    (void)state;
    each_case(check_maps);
}

static void legs_are_those_of_the_processor(void **state)
{
    (void)state;
    each_case(check_legs);
}

static void directions_are_adjoint(void **state)
{
    (void)state;
    each_case(check_adjoint);
}

/* Callers make room for their most sets, and come with fewer at last. */
static void check_scratch(const ring_case *c, int64_t most)
{
    scene s;
    set_up(&s, c, most);
    for (int64_t nsets = 2; nsets <= 40; nsets++)
        assert_true(armilla_cuda_ringfft_scratch(s.cuda, nsets) >=
                    armilla_cuda_ringfft_scratch(s.cuda, nsets - 1));
    tear_down(&s);
}

static void scratch_falls_nowhere_with_sets(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene s;
        set_up(&s, &cases[i], PLENTY);
        const int64_t one = armilla_cuda_ringfft_scratch(s.cuda, 1);
        tear_down(&s);
        for (int64_t room = 2; room <= 8; room++) check_scratch(&cases[i], room * one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_those_of_the_processor),
        cmocka_unit_test(legs_are_those_of_the_processor),
        cmocka_unit_test(directions_are_adjoint),
        cmocka_unit_test(scratch_falls_nowhere_with_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
