/* No kernel has a race: all of them, in each precision, shape and number of sets, run under the
 * recorder of the emulated GPU (tests/cuda_emulation/recorder_races.cpp). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/every_kernel.h"
#include "cuda/kernel_list.h"
#include "emulation.h"

static void begin_recording(void)
{
    cuda_emulation_record(CUDA_EMULATION_RACES);
}

static void end_recording(const char *what)
{
    cuda_emulation_record(0);
    const int64_t races = cuda_emulation_races();
    if (races) fail_msg("%lld races: %s", (long long)races, what);
}

/* --- Nothing is left out ---------------------------------------------------------------------- */

static int missed;

static void note_missed(const char *function)
{
    print_error("never launched: %s\n", function);
    missed++;
}

/* The last test: all that ran before counts. */
static void every_kernel_was_recorded(void **state)
{
    (void)state;
    const kernel_list kernels = all_kernels();
    int functions = 0;
    for (int i = 0; i < kernels.count; i++) {
        const int variants = cuda_emulation_recorded(kernels.name[i], note_missed);
        if (!variants) fail_msg("the program has no kernel %s", kernels.name[i]);
        functions += variants;
    }
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("%d kernels, %d functions\n", kernels.count, functions);
    assert_int_equal(missed, 0);
}

/* --- Barriers --------------------------------------------------------------------------------- */

enum { SMALL_PLANS = 7, IN_FLOATS = 6 };

/* Few rings, but each kernel that has a barrier, and each loop around one. */
static void open_small_plans(recorded_plan *plans)
{
    armilla_sht_options options = on_gpu();
    plans[0] = plan_open(gauss(40, 11), LONG_LMAX, 1, 1, &options); /* direct sums */
    options.spin = 2;
    plans[1] = plan_open(gauss(40, 36), LONG_LMAX, 1, 1, &options);
    options.spin = 4;
    plans[2] = plan_open(gauss(40, 4), LONG_LMAX, 1, 1, &options);
    options.spin = 0, options.device_shape = "v4w4t";
    plans[3] = plan_open(gauss(40, 4), LONG_LMAX, 1, 2, &options);
    options = on_gpu();
    plans[4] = plan_open(ring_lengths_grid(15, 3), 2, 2, 1, &options); /* of some 615 samples */
    options.device_precision = ARMILLA_DEVICE_PRECISION_TWO_FLOATS;
    plans[5] = plan_open(gauss(280, 4), 20, 1, 2, &options); /* several warps, two sets */
    options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
    plans[IN_FLOATS] = plan_open(gauss(80, 4), LONG_LMAX, 1, 9, &options);
}

static int64_t races_of_points(void)
{
    int64_t races = 0;
    for (int kind = 0; kind < POINTS_KINDS && !races; kind++) {
        cuda_emulation_record(CUDA_EMULATION_RACES);
        points_run_kind(kind, 32, 700); /* keys of two warps */
        cuda_emulation_record(0);
        races = cuda_emulation_races();
    }
    return races;
}

static int64_t races_of_operator(const recorded_plan *plan, int operation, int is_float)
{
    cuda_emulation_record(CUDA_EMULATION_RACES);
    run_operator(plan, operation, is_float);
    cuda_emulation_record(0);
    return cuda_emulation_races();
}

static int64_t races_of_plans(const recorded_plan *plans)
{
    int64_t races = 0;
    for (int i = 0; i < SMALL_PLANS && !races; i++)
        for (int operation = 0; operation < 2 && !races; operation++)
            races = races_of_operator(&plans[i], operation, i == IN_FLOATS);
    if (races) return races;
    cuda_emulation_record(CUDA_EMULATION_RACES);
    radial_run(gauss(3, 300), 1, ARMILLA_RADIAL_NONE);
    radial_run_rings(gauss(4, 400), 0, 0, ARMILLA_RADIAL_NONE);
    cuda_emulation_record(0);
    return cuda_emulation_races();
}

/* Without any one of them there are races, and with all of them none. */
static void every_barrier_is_needed(void **state)
{
    (void)state;
    const kernel_list barriers = all_barriers();
    recorded_plan plans[SMALL_PLANS];
    open_small_plans(plans);
    for (int i = 0; i < barriers.count; i++) {
        cuda_emulation_ignore_barrier(barriers.name[i], barriers.line[i]);
        const int of_points = !strncmp(barriers.name[i], "points_", 7);
        const int64_t races = of_points ? races_of_points() : races_of_plans(plans);
        const int64_t met = cuda_emulation_ignore_barrier("", 0);
        if (!met) fail_msg("%s:%d: no block met there", barriers.name[i], barriers.line[i]);
        if (!races) fail_msg("%s:%d: not needed", barriers.name[i], barriers.line[i]);
    }
    assert_int_equal(races_of_plans(plans) + races_of_points(), 0);
    for (int i = 0; i < SMALL_PLANS; i++) plan_close(&plans[i]);
}

int main(void)
{
    kernels_watched.begin = begin_recording, kernels_watched.end = end_recording;
    const struct CMUnitTest tests[] = {
        EVERY_KERNEL,
        cmocka_unit_test(every_kernel_was_recorded),
        cmocka_unit_test(every_barrier_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
