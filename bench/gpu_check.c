/* What there is to know about transforms on this machine's GPU, step by step: is every kernel
 * right, do transforms agree with the processor's, how long does each stage take.
 * tools/gpu_check_run.sh runs each step as a process of its own.
 *
 *   gpu_check [--small] [--results FILE] STEP     appends rows to FILE (gpu_report.h)
 *   gpu_check --list                              the steps, one a line
 *
 * --small: sizes for an emulated GPU. Exits with 1 where a result is wrong, 2 where something
 * failed.
 */
#include "armilla/armilla.h"
#include "gpu_steps.h"

#include <string.h>

typedef struct step {
    const char *name;
    void (*run)(int small);
} step;

static const step steps[] = {
    {"ceilings", gpu_step_ceilings},
    {"kernels-scalar", gpu_step_scalar},
    {"kernels-spin-sums", gpu_step_spin_sums},
    {"kernels-spin", gpu_step_spin},
    {"kernels-single", gpu_step_single},
    {"kernels-rings", gpu_step_rings},
    {"kernels-theta", gpu_step_theta},
    {"cases", gpu_step_cases},
    {"cases-large", gpu_step_cases_large},
    {"times-gauss", gpu_step_times_gauss},
    {"times-healpix", gpu_step_times_healpix},
    {"times-many", gpu_step_times_many},
    {"times-host", gpu_step_times_host},
    {"times-grids", gpu_step_times_grids},
    {"times-float", gpu_step_times_float},
    {"times-huge", gpu_step_times_huge},
    {"shapes", gpu_step_shapes},
    {"profile", gpu_step_profile},
    {"sanitize-scalar", gpu_step_sanitize_scalar},
    {"sanitize-spin", gpu_step_sanitize_spin},
    {"threads", gpu_step_threads},
    {"capture", gpu_step_capture},
};
enum { STEPS = sizeof steps / sizeof *steps };

static int list_steps(void)
{
    for (int i = 0; i < STEPS; i++) printf("%s\n", steps[i].name);
    return GPU_RIGHT;
}

static int run_step(const step *s, const char *results, int small)
{
    armilla_device_description device = {.size = sizeof device};
    gpu_report_open(s->name, results);
    if (armilla_device_describe(ARMILLA_CUDA, &device))
        gpu_report_stop("%s", armilla_status_message());
    s->run(small);
    return gpu_report_outcome();
}

/* Visible outside the library that the bundle has it in (bench/CMakeLists.txt). */
ARMILLA_API int gpu_check_main(int argc, char **argv);

int gpu_check_main(int argc, char **argv)
{
    const char *results = NULL, *name = NULL;
    int small = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--list")) return list_steps();
        if (!strcmp(argv[i], "--small"))
            small = 1;
        else if (!strcmp(argv[i], "--results") && i + 1 < argc)
            results = argv[++i];
        else
            name = argv[i];
    }
    for (int i = 0; name && i < STEPS; i++)
        if (!strcmp(name, steps[i].name)) return run_step(&steps[i], results, small);
    fprintf(stderr, "usage: gpu_check [--small] [--results FILE] STEP | gpu_check --list\n");
    return GPU_FAILED;
}
