/* How many launches a call of points on a GPU has, by its memory: what the plan tells is what
 * happens, a synthesis has 25 at most where the GPU has the memory, and so it is by default, also
 * for a plan too large to be run here, whose bytes are known before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/stages/points.h"
#include "cuda/points_group_plan.h"
#include "cuda/points_plan_scene.h"
#include "points/cores.h"
#include "points/device.h"

/* --- What is told is what happens ------------------------------------------------------------- */

static armilla_status operate(const points_scene *s, int to_points, double *alm, double *values)
{
    return to_points ? armilla_points_synthesis(s->plan, alm, values, NULL)
                     : armilla_points_adjoint_synthesis(s->plan, values, alm, NULL);
}

/* Returned: of a synthesis. */
static int64_t check_launches(const plan_case *of)
{
    points_scene s;
    int64_t launches[2];
    plan_open(&s, of);
    double *host = checked_calloc(points_values(&s) + 1, 8);
    double *alm = put_there(s.alm, 8 * s.size), *values = put_there(host, 8 * points_values(&s));
    free(host);
    for (int to_points = 0; to_points < 2; to_points++) {
        cuda_emulation_launches();
        check_ok(operate(&s, to_points, alm, values));
        launches[to_points] = cuda_emulation_launches();
        assert_int_equal(launches[to_points],
                         armilla_points_device_needs(s.plan).launches[to_points]);
    }
    assert_int_equal(cudaFree(alm), cudaSuccess);
    assert_int_equal(cudaFree(values), cudaSuccess);
    points_scene_close(&s);
    return launches[1];
}

/* From one lot and one strip to one order, one column and strips of two bands. */
static void launches_are_told(void **state)
{
    (void)state;
    static const int64_t bytes[] = {0, 3000000, 1000000, 400000, 1};
    for (int64_t spin = 0; spin <= 2; spin++) {
        int64_t before = 0;
        for (int i = spin == 1; i < 5; i += 1 + (spin == 1)) {
            const plan_case of = {.c = {.lmax = 64, .mmax = 64, .spin = spin},
                                  .epsilon = 1e-6,
                                  .npoints = 300,
                                  .device_bytes = bytes[i]};
            const int64_t launches = check_launches(&of);
            assert_true(launches >= before);
            before = launches;
            if (!bytes[i]) assert_int_equal(launches, spin ? 13 : 11);
            if (bytes[i] == 1) assert_true(launches > 100);
        }
    }
}

/* Points near a pole need few orders, and all in a tile make pieces. */
static void launches_of_few_orders_and_heavy_tiles(void **state)
{
    (void)state;
    const plan_case cap = {
        .c = {.lmax = 40, .mmax = 40}, .epsilon = 1e-6, .kind = AT_POLES, .npoints = 50};
    const plan_case heavy = {
        .c = {.lmax = 12, .mmax = 12}, .epsilon = 1e-2, .kind = PATCH, .npoints = 1500};
    const plan_case none = {.c = {.lmax = 12, .mmax = 12}, .epsilon = 1e-2};
    check_launches(&cap), check_launches(&heavy), check_launches(&none);
}

/* armilla_choice_fn: keeps what is told of launches. */
static void keep_launches(void *data, const armilla_choice *choice)
{
    if (!strcmp(choice->name, "points.launches")) snprintf(data, 80, "%s", choice->value);
}

static void launches_are_explained(void **state)
{
    (void)state;
    const plan_case of = {.c = {.lmax = 12, .mmax = 12}, .epsilon = 1e-2, .npoints = 50};
    points_scene s;
    char told[80] = "", wanted[80];
    plan_open(&s, &of);
    check_ok(armilla_points_explain(s.plan, keep_launches, told));
    snprintf(wanted, sizeof wanted, "%d launches in synthesis, %d in its adjoint",
             (int)armilla_points_device_needs(s.plan).launches[1],
             (int)armilla_points_device_needs(s.plan).launches[0]);
    assert_string_equal(told, wanted);
    points_scene_close(&s);
}

/* --- By default ------------------------------------------------------------------------------- */

enum { LMAX = 6067 };
static const int64_t GB = 1000000000;

static int64_t array_bytes(int64_t spin, int64_t npoints)
{
    return (spin ? 2 : 1) * (16 * armilla_alm_size(LMAX, LMAX) + 8 * npoints);
}

/* lmax 6067, 7.4e7 points on an empty GPU with so much memory: all of a plan but the points. */
static armilla_points large_plan(int64_t spin, double epsilon, int64_t memory, int64_t device_bytes)
{
    const armilla_points_extent all = {0, M_PI, 0, 1};
    armilla_points_options options;
    armilla_machine machine;
    armilla_points made = {.order.count = 74000000};
    armilla_points_options_init(&options);
    options.epsilon = epsilon, options.spin = spin, options.device = ARMILLA_CUDA;
    check_ok(armilla_machine_choose(NULL, &machine));
    cuda_emulation_set_memory(memory);
    armilla_points_core given = armilla_points_core_given(LMAX, LMAX, &options, &machine);
    armilla_sampling sampling;
    check_ok(armilla_points_choose_sampling(&given, LMAX, made.order.count, &all, &sampling));
    check_ok(armilla_points_device_budget(&given, &sampling, array_bytes(spin, made.order.count),
                                          &given.device_bytes));
    if (device_bytes) given.device_bytes = device_bytes;
    check_ok(armilla_points_core_new(&given, &sampling, &made.core));
    check_ok(armilla_alm_layout_new(LMAX, LMAX, &made.core->layout));
    check_ok(armilla_points_core_make(made.core));
    return made;
}

static void close_plan(armilla_points *plan)
{
    armilla_points_core_release(plan->core);
    cuda_emulation_set_memory((int64_t)1 << 30);
}

/* Arrays on the device, sorted points, tables, and what a call takes. */
static double all_bytes(const armilla_points *plan)
{
    const armilla_cuda_points_problem problem = armilla_points_device_problem(plan->core);
    const int64_t count = plan->order.count;
    return (double)(array_bytes(plan->core->spin, count) +
                    armilla_cuda_points_bytes(&problem, count) + cuda_emulation_live_bytes() +
                    armilla_points_device_needs(plan).bytes);
}

/* One strip and one lot where an H100, or 40 GB of memory, have the room; within 5.6 GB of all, and
 * on a smaller GPU, more than one, and still no more than 25 launches. */
static void a_large_plan_has_few_launches(void **state)
{
    (void)state;
    static const struct {
        int64_t spin, memory, device_bytes, launches, strips;
        double epsilon, bytes;
    } cases[] = {
        {0, 80, 0, 11, 1, 1e-6, 7e9},
        {0, 80, 2570, 20, 2, 1e-6, 5.6e9},
        {2, 80, 0, 13, 1, 1e-10, 15e9},
        {2, 40, 0, 17, 2, 1e-10, 11e9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        armilla_points plan = large_plan(cases[i].spin, cases[i].epsilon, cases[i].memory * GB,
                                         cases[i].device_bytes * 1000000);
        assert_int_equal(armilla_points_device_needs(&plan).launches[1], cases[i].launches);
        assert_int_equal(plan.core->nstrips, cases[i].strips);
        assert_true(armilla_points_device_needs(&plan).bytes <= plan.core->device_bytes);
        check_at_most(all_bytes(&plan), cases[i].bytes, "bytes of the device, case %d", (int)i);
        close_plan(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_told),
        cmocka_unit_test(launches_of_few_orders_and_heavy_tiles),
        cmocka_unit_test(launches_are_explained),
        cmocka_unit_test(a_large_plan_has_few_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
