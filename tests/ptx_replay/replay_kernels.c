/* Every kernel for CUDA judged by what nvcc makes of it: the emulation runs all of them, in each
 * precision, shape and number of sets, and from each launch on PTX runs on the same memory
 * (judge.h).
 *
 *     replay_kernels FOLDER BOUNDS [REPORT]     FOLDER: files *.ptx, as tools/ptxas_check.py --keep
 *                                               leaves them; BOUNDS: the list of kernels whose
 *                                               results may differ; the table goes to REPORT too
 *     replay_kernels FOLDER --plants            faults in the text: each must be found
 *
 * Exits with 77 where the folder has no PTX. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/every_kernel.h"
#include "ptx_replay/judge.h"

static const char *folder, *bounds, *report;

static void ignore_begin(void)
{
}

static void ignore_end(const char *what)
{
    (void)what;
}

/* --- All kernels ------------------------------------------------------------------------------ */

/* The last test: all that ran before counts. */
static void results_agree(void **state)
{
    (void)state;
    ptx_judge_end();
    ptx_judge_report(report);
    assert_int_equal(ptx_judge_problems(bounds, 1), 0);
}

static int replay_all(void)
{
    const struct CMUnitTest tests[] = {EVERY_KERNEL, cmocka_unit_test(results_agree)};
    if (!ptx_judge_begin(folder, NULL)) return 77;
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}

/* --- Planted faults --------------------------------------------------------------------------- */

static void run_small_plans(void)
{
    armilla_sht_options options = on_gpu();
    options.device_shape = "v4w4t";
    recorded_plan plan = plan_open(gauss(40, 4), LONG_LMAX, 1, 4, &options);
    run_operators(&plan, 2, 0, "tensor cores");
    plan_close(&plan);
    options = on_gpu();
    plan = plan_open(gauss(40, 4), LONG_LMAX, 1, 2, &options);
    run_operators(&plan, 2, 0, "few rings");
    plan_close(&plan);
    options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
    plan = plan_open(gauss(40, 4), LONG_LMAX, 1, 5, &options);
    run_operators(&plan, 2, 1, "halves");
    plan_close(&plan);
    options = on_gpu();
    plan = plan_open(ring_lengths_grid(6, 9), 3, 3, 1, &options); /* 211 to 421 samples */
    run_operators(&plan, 2, 0, "rings of many lengths");
    plan_close(&plan);
    plan = plan_open(gauss(3, 420), 3, 3, 1, &options);
    run_operators(&plan, 2, 0, "a smooth length");
    plan_close(&plan);
}

/* Returned: was something wrong? */
static int finds(const ptx_plant *plant)
{
    assert_int_not_equal(ptx_judge_begin(folder, plant), 0);
    run_small_plans();
    ptx_judge_end();
    return ptx_judge_problems(NULL, plant->number != 0) > 0;
}

static const struct {
    const char *kind;
    ptx_plant plant;
} plants[] = {
    {"a wrong lane",
     {"legendre_analysis", "(shfl.sync.bfly.b32\\s+%r\\d+\\|%p\\d+, %r\\d+), %r\\d+,", "$1, 3,",
      1}},
    {"a wrong lane",
     {"tensor_analysis", "(shfl.sync.bfly.b32\\s+%r\\d+\\|%p\\d+, %r\\d+), %r\\d+,", "$1, 31,",
      PTX_PLANT_ALL}},
    {"a missing lane", {"legendre_analysis", "(shfl.sync.bfly[^;]*), %r\\d+;", "$1, 65535;", 1}},
    {"a missing barrier", {"ringfft_shared", "bar.sync[^;]*;", "", 1}},
    {"a missing barrier", {"ringfft_shared", "bar.sync[^;]*;", "", 2}},
    {"a missing barrier", {"ringfft_smooth", "bar.sync[^;]*;", "", 1}},
    {"a missing barrier", {"ringfft_smooth", "bar.sync[^;]*;", "", 2}},
    {"a wrong sign", {"ringfft_smooth", "sub.f64", "add.f64", 9}},
    {"a missing barrier", {"tensor_synthesis", "bar.sync[^;]*;", "", 1}},
    {"a misaligned vector", {"ringfft_shared", "(st.shared.v2.f64\\s+\\[%r\\d+)\\]", "$1+8]", 1}},
    {"a misaligned vector",
     {"legendre_synthesis", "(st.shared.v2.f64\\s+\\[%r\\d+)\\]", "$1+8]", 1}},
    {"a wrong fragment",
     {"tensor_synthesis", "(mma[^{]*\\{[^}]*\\}, \\{)(%fd\\d+), (%fd\\d+)(\\}, \\{%fd\\d+\\},)",
      "$1$3, $2$4", PTX_PLANT_ALL}},
    {"a wrong fragment",
     {"tensor_analysis", "(mma[^{]*\\{[^}]*\\}, \\{%fd\\d+, )(%fd\\d+)(\\}, \\{)(%fd\\d+)(\\})",
      "$1$4$3$2$5", PTX_PLANT_ALL}},
    {"a wrong fragment",
     {"halves_synthesis", "(mma[^{]*\\{[^}]*\\}, \\{)(%r\\d+), (%r\\d+)", "$1$3, $2",
      PTX_PLANT_ALL}},
    {"a matrix not turned", {"halves_analysis", "x4.trans", "x4", 1}},
    {"a missing barrier", {"halves_analysis", "bar.sync[^;]*;", "", 5}},
    {"a wrong sign", {"ringfft_shared", "sub.f64", "add.f64", 5}},
    {"a register without a value", {"ringfft_shared", "cvta.to.global[^;]*;", "", 1}},
};

static void each_plant_is_found(void **state)
{
    (void)state;
    int missed = 0;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        const ptx_plant none = {plants[i].plant.file, "", "", 0};
        if (finds(&none)) fail_msg("%s: faults without a plant", none.file);
        print_message("%s in %s:\n", plants[i].kind, none.file);
        if (finds(&plants[i].plant)) continue;
        print_error("not found\n");
        missed++;
    }
    assert_int_equal(missed, 0);
}

static int replay_plants(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_plant_is_found)};
    const ptx_plant none = {"", "", "", 0};
    if (!ptx_judge_begin(folder, &none)) return 77;
    return cmocka_run_group_tests_name("plants", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    kernels_watched.begin = ignore_begin, kernels_watched.end = ignore_end;
    folder = argv[1], bounds = argv[2], report = argc > 3 ? argv[3] : NULL;
    return strcmp(bounds, "--plants") == 0 ? replay_plants() : replay_all();
}
