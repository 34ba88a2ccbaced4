/* Choices of the ring stage by name: each one can be forced, is told, and changes results by
 * rounding alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "ringfft/way.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96, MMAX = 40, NRINGS = 32, LEG = 4 * (MMAX + 1) };

static armilla_ringfft *plan_with(const char *text, armilla_forced *forced)
{
    armilla_ring rings[NRINGS];
    armilla_isa isa;
    armilla_ringfft *ringfft;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    assert_int_equal(armilla_forced_read("forced", text, forced), ARMILLA_OK);
    for (int64_t i = 0; i < NRINGS; i++) {
        const int is_ours = i == 1 || i == NRINGS - 2;
        rings[i] = (armilla_ring){1, N, is_ours ? 0.3 : M_PI / N, i, NRINGS, 1};
    }
    const armilla_ringfft_problem problem = {
        armilla_machine_with(isa), NRINGS, rings, MMAX, 1, forced};
    assert_int_equal(armilla_ringfft_new(&problem, &ringfft), ARMILLA_OK);
    return ringfft;
}

/* What the plan tells of a name; empty: nothing. */
typedef struct {
    const char *name;
    char value[64];
} told;

static void take(void *data, const armilla_choice *choice)
{
    told *t = data;
    assert_true(strlen(choice->why) > 20);
    if (!strcmp(t->name, choice->name)) strncpy(t->value, choice->value, sizeof t->value - 1);
}

static void check_told(const armilla_ringfft *ringfft, const char *name, const char *value)
{
    told t = {.name = name};
    const armilla_teller teller = {.take = take, .data = &t};
    armilla_ringfft_tell(ringfft, &teller);
    assert_int_equal(strncmp(t.value, value, strlen(value)), 0);
}

/* The map and a part's leg of the pair of rings with a shift of their own, one behind the other. */
static void run(const armilla_ringfft *ringfft, double *results)
{
    const armilla_ring_pair pair = {1, NRINGS - 2, MMAX};
    double leg[LEG], *scratch;
    for (int i = 0; i < LEG; i++) leg[i] = i == 1 || i == 3 ? 0 : sin(i);
    assert_int_equal(
        armilla_allocate(&scratch, armilla_ringfft_scratch_size(ringfft), sizeof *scratch),
        ARMILLA_OK);
    armilla_ring_batch batch = {.ringfft = ringfft,
                                .sets = {.count = 1, .row_length = 4},
                                .count = 1,
                                .pairs = &pair,
                                .leg = leg,
                                .map = {results, 0},
                                .scratch = scratch};
    armilla_ring_way_alone.run(&batch, 1);
    batch.mode.part = ARMILLA_ORDERS_SECOND, batch.leg = results + N * NRINGS;
    armilla_ring_way_parts.run(&batch, 0);
    armilla_release(scratch);
}

/* The value that is told begins with the number that is forced. */
static void check_forced(const char *text)
{
    enum { SIZE = N * NRINGS + LEG };
    static double chosen[SIZE], other[SIZE];
    armilla_forced none, forced;
    armilla_ringfft *plans[2] = {plan_with("", &none), plan_with(text, &forced)};
    assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_OK);
    check_told(plans[1], forced.name[0], strchr(text, '=') + 1);
    run(plans[0], chosen), run(plans[1], other);
    for (int i = 0; i < SIZE; i++) assert_true(fabs(chosen[i] - other[i]) < 1e-11);
    armilla_ringfft_free(plans[0]), armilla_ringfft_free(plans[1]);
}

static void each_choice_can_be_forced(void **state)
{
    (void)state;
    check_forced("ring.lanes=0");
    check_forced("ring.fours=0");
    check_forced("ring.fours=1");
    check_forced("ring.part_kind=0");
    check_forced("ring.part_kind=1");
    check_forced("ring.part_kind=2");
    check_forced("ring.roots=0");
    check_forced("ring.roots=1");
}

static void lanes_and_their_groups_can_be_forced(void **state)
{
    (void)state;
    armilla_forced forced;
    armilla_ringfft *ringfft = plan_with("ring.lanes=1,ring.groups=1", &forced);
    if (armilla_ringfft_lanes(ringfft)) {
        assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_OK);
        check_told(ringfft, "ring.groups", "1");
    }
    armilla_ringfft_free(ringfft);
}

static void what_is_not_possible_is_refused(void **state)
{
    (void)state;
    armilla_forced forced;
    armilla_ringfft_free(plan_with("ring.part_kind=3", &forced));
    assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_ERROR_ARGUMENT);
    armilla_ringfft_free(plan_with("ring.lines=1", &forced));
    assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_choice_can_be_forced),
        cmocka_unit_test(lanes_and_their_groups_can_be_forced),
        cmocka_unit_test(what_is_not_possible_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
