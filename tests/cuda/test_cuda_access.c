/* How well the kernels use memory: requests of warps at HEALPix nside 512, lmax 1023, counted by
 * the recorder of the emulated GPU, and held against tests/cuda/access_budget.txt. Addresses do not
 * depend on numbers, so that some blocks of each launch are enough; what the transforms give is
 * wrong. ARMILLA_TEST_VERBOSE=1 prints each kernel and the lines that move more than they ask for,
 * ARMILLA_TEST_BUDGET=1 a budget of just this size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/cleared_orders.h"
#include "cuda/kernel_list.h"
#include "cuda/lensing_run.h"
#include "cuda/one_rank.h"
#include "cuda/radial_run.h"
#include "cuda/ring_lengths.h"
#include "cuda/strips_scene.h"
#include "cuda/points_scene.h"
#include "cuda/test_cuda_scene.h"
#include "cuda/theta_circle_scene.h"
#include "emulation.h"

enum { NSIDE = 512, LMAX = 1023, BLOCKS = 24, MOST_LINES = 96 };

/* --- What is measured ------------------------------------------------------------------------- */

typedef struct {
    char name[KERNEL_NAME];
    int64_t asked, moved;              /* bytes of global memory */
    int64_t requests, conflicts;       /* of shared memory */
    double least_used, most_conflicts; /* in a budget: per cent, conflicts for 100 requests */
} kernel_use;

typedef struct {
    int count;
    kernel_use kernel[MOST_LINES];
} kernel_table;

static kernel_use *find_kernel(kernel_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (!strcmp(table->kernel[i].name, name)) return &table->kernel[i];
    return NULL;
}

static kernel_use *add_kernel_use(kernel_table *table, const char *name)
{
    assert_true(table->count < MOST_LINES);
    kernel_use *use = &table->kernel[table->count++];
    memset(use, 0, sizeof *use);
    snprintf(use->name, sizeof use->name, "%s", name);
    return use;
}

static void add_access(const cuda_emulation_access *access, void *context)
{
    kernel_table *table = context;
    kernel_use *use = find_kernel(table, access->kernel);
    if (!use) use = add_kernel_use(table, access->kernel);
    if (access->is_shared)
        use->requests += access->requests, use->conflicts += access->conflicts;
    else
        use->asked += access->asked, use->moved += access->moved;
    if (!getenv("ARMILLA_TEST_VERBOSE")) return;
    if (access->is_shared ? access->conflicts : 10 * access->asked < 9 * access->moved)
        print_message("%-26s %s:%d %s %s: %lld requests, %lld of %lld bytes, %lld conflicts\n",
                      access->kernel, access->file, access->line,
                      access->is_shared ? "shared" : "global", access->is_write ? "write" : "read",
                      (long long)access->requests, (long long)access->asked,
                      (long long)access->moved, (long long)access->conflicts);
}

static double used_of(const kernel_use *use)
{
    return use->moved ? 100.0 * (double)use->asked / (double)use->moved : 100;
}

static double conflicts_of(const kernel_use *use)
{
    return use->requests ? 100.0 * (double)use->conflicts / (double)use->requests : 0;
}

/* Takes the grid. Synthesis and its adjoint: each kernel of both directions. */
static void run_both(armilla_grid *grid, int64_t lmax, const armilla_sht_options *options,
                     int64_t ntrans, int is_float)
{
    const int64_t components = options->spin ? 2 : 1;
    const int64_t nalm = 2 * armilla_alm_size(lmax, lmax) * components * ntrans;
    const int64_t nmap = armilla_grid_npix(grid) * components * ntrans;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, lmax, options, &sht));
    void *alm = checked_malloc(nalm, sizeof(double)), *map = checked_malloc(nmap, sizeof(double));
    memset(alm, 0, (size_t)nalm * sizeof(double));
    memset(map, 0, (size_t)nmap * sizeof(double));
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    for (int operation = 0; operation < 2; operation++)
        if (is_float)
            check_ok(
                operate_float(operation, sht, operation ? map : alm, operation ? alm : map, &exec));
        else
            check_ok(operate(operation, sht, operation ? map : alm, operation ? alm : map, &exec));
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* Takes the grid. Sixteen sets, with arrays of the device: with others fewer go together. */
static void run_halves(armilla_grid *grid, const armilla_sht_options *given)
{
    armilla_sht_options options = *given;
    const int64_t ntrans = 16, bytes = 2 * sizeof(float) * armilla_alm_size(LMAX, LMAX) * ntrans;
    const int64_t of_maps = (int64_t)sizeof(float) * armilla_grid_npix(grid) * ntrans;
    armilla_sht *sht;
    armilla_exec exec;
    float *alm, *map;
    options.device_bytes = (int64_t)3 << 29;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    check_ok(armilla_sht_new(grid, LMAX, LMAX, &options, &sht));
    assert_int_equal(cudaMalloc((void **)&alm, (size_t)bytes), 0);
    assert_int_equal(cudaMalloc((void **)&map, (size_t)of_maps), 0);
    for (int operation = 0; operation < 2; operation++)
        check_ok(
            operate_float(operation, sht, operation ? map : alm, operation ? alm : map, &exec));
    assert_int_equal(cudaDeviceSynchronize(), 0);
    assert_int_equal(cudaFree(map), 0);
    assert_int_equal(cudaFree(alm), 0);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* Rings of smooth lengths, and some of few samples that are not smooth. */
static void run_short_rings(const armilla_sht_options *options, int is_float)
{
    armilla_grid *classic;
    check_ok(armilla_grid_new_classic(320, &classic));
    run_both(classic, 319, options, 1, is_float);
    run_both(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 127, 5, 0, 11), 127, options, 1, is_float);
}

static void run_all(void)
{
    armilla_sht_options options = on_gpu();
    cuda_emulation_set_memory((int64_t)4 << 30);
    cuda_emulation_set_blocks(BLOCKS);
    cuda_emulation_record(CUDA_EMULATION_REQUESTS);
    run_both(healpix_grid(NSIDE), LMAX, &options, 1, 0);
    one_rank_run(healpix_grid(NSIDE), LMAX, &options);
    options.method = ARMILLA_SHT_RESAMPLE;
    run_both(healpix_grid(NSIDE), LMAX, &options, 1, 0);
    options = on_gpu();
    run_both(ring_lengths_grid(0, RING_LENGTHS), 127, &options, 1, 0);
    run_short_rings(&options, 0);
    options.device_shape = "v4w4t", options.device_bytes = (int64_t)2 << 30;
    run_both(healpix_grid(NSIDE), LMAX, &options, 4, 0); /* no set is left over */
    options = on_gpu();
    options.device_precision = ARMILLA_DEVICE_PRECISION_SINGLE;
    run_both(healpix_grid(NSIDE), LMAX, &options, 1, 1);
    run_both(ring_lengths_grid(0, RING_LENGTHS), 127, &options, 1, 1);
    run_short_rings(&options, 1);
    options.device_precision = ARMILLA_DEVICE_PRECISION_TWO_FLOATS;
    run_both(healpix_grid(NSIDE), LMAX, &options, 1, 0);
    options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
    run_halves(healpix_grid(NSIDE), &options);
    options.device_precision = ARMILLA_DEVICE_PRECISION_DOUBLE;
    options.spin = 2, options.spin_method = ARMILLA_SPIN_RECURRENCE;
    run_both(healpix_grid(NSIDE), LMAX, &options, 1, 0);
    circle_run_all(LMAX);
    cleared_orders_run(LMAX, 0);
    strip_run_all(64, 3 * (LMAX + 1), 1, 0);
    for (int kind = 0; kind < POINTS_KINDS; kind++) points_run_kind(kind, 64, 5000);
    radial_run(healpix_grid(NSIDE), 0.005, ARMILLA_RADIAL_NONE);
    for (int64_t spin = 0; spin <= 2; spin += 2)
        radial_run_rings(healpix_grid(64), 0.1, spin, ARMILLA_RADIAL_SUM);
    radial_run_nested("healpix:64:nested", 0.1);
    lensing_run(healpix_grid(NSIDE), LMAX);
    cuda_emulation_record(0);
    cuda_emulation_set_blocks(0);
}

/* --- The budget ------------------------------------------------------------------------------- */

/* A line: kernel, least per cent of the bytes that move that are asked for, most conflicts for 100
 * requests of shared memory. */
static kernel_table read_budget(void)
{
    kernel_table budget = {.count = 0};
    char *text = read_text(ARMILLA_SOURCE "/tests/cuda/access_budget.txt"), *rest = text;
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        char name[KERNEL_NAME];
        double used, conflicts;
        if (sscanf(line, "%63[^# ] %lf %lf", name, &used, &conflicts) != 3) {
            if (line[0] != '#') fail_msg("not a line of a budget: %s", line);
            continue;
        }
        if (find_kernel(&budget, name)) fail_msg("two lines for %s", name);
        kernel_use *use = add_kernel_use(&budget, name);
        use->least_used = used, use->most_conflicts = conflicts;
    }
    free(text);
    return budget;
}

static int compare(kernel_table *measured, kernel_table *budget)
{
    int problems = 0;
    for (int i = 0; i < measured->count; i++) {
        const kernel_use *use = &measured->kernel[i];
        const kernel_use *bound = find_kernel(budget, use->name);
        const double used = used_of(use), conflicts = conflicts_of(use);
        if (getenv("ARMILLA_TEST_VERBOSE") || getenv("ARMILLA_TEST_BUDGET"))
            print_message("%-30s %5.1f %5.1f\n", use->name, used, conflicts);
        if (bound && used >= bound->least_used && conflicts <= bound->most_conflicts) continue;
        problems++;
        if (!bound)
            print_error("%s: no line in the budget\n", use->name);
        else
            print_error("%s: %.1f %% of what moves is used, %.1f conflicts for 100 requests; the "
                        "budget is %.1f and %.1f\n",
                        use->name, used, conflicts, bound->least_used, bound->most_conflicts);
    }
    for (int i = 0; i < budget->count; i++)
        if (!find_kernel(measured, budget->kernel[i].name)) {
            print_error("%s: in the budget, but no such kernel\n", budget->kernel[i].name);
            problems++;
        }
    return problems;
}

static void kernels_keep_their_budget(void **state)
{
    (void)state;
    kernel_table measured = {.count = 0}, budget = read_budget();
    run_all();
    cuda_emulation_each_access(add_access, &measured);
    assert_int_equal(compare(&measured, &budget), 0);
    const kernel_list kernels = all_kernels();
    for (int i = 0; i < kernels.count; i++)
        if (!find_kernel(&measured, kernels.name[i])) fail_msg("%s did not run", kernels.name[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_keep_their_budget)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
