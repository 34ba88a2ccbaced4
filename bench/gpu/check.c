/* Checks this machine's GPU, step by step: is every kernel right, do transforms agree with the
 * processor's, how long does each stage take. tools/gpu_check_run.sh runs each step as a process
 * of its own.
 *
 *   gpu_check [--small] [--results FILE] STEP     appends rows to FILE (check.h)
 *   gpu_check --list                              the steps, one a line
 *   gpu_check --keys                              keys of times and plans, one a line
 *
 * --small: sizes for an emulated GPU. Exits with 1 where a result is wrong, 2 where something
 * failed.
 */
#include "armilla/armilla.h"
#include "check.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- What is found, each row by one write ------------------------------------------------------
 */

enum { LONGEST = 4000 };

static const char *step_name = "";
static int file = -1;
static int wrong;

void gpu_report_open(const char *name, const char *path)
{
    step_name = name;
    if (!path) return;
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file >= 0) return;
    perror(path);
    exit(GPU_FAILED);
}

/* The text as it stands inside a JSON string. */
static void escape(const char *text, size_t size, char *escaped)
{
    size_t used = 0;
    for (; *text && used + 3 < size; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') escaped[used++] = '\\';
        escaped[used++] = c < ' ' ? ' ' : *text;
    }
    escaped[used] = 0;
}

static void write_row(const char *members)
{
    char row[LONGEST + 200];
    if (file < 0) return;
    const int length =
        snprintf(row, sizeof row, "{\"step\": \"%s\", %.*s}\n", step_name, (int)LONGEST, members);
    if (length > 0 && write(file, row, (size_t)length) != length) perror("gpu_check: results");
}

void gpu_report_row(const char *format, ...)
{
    char members[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(members, sizeof members, format, arguments);
    va_end(arguments);
    write_row(members);
}

/* JSON knows no NaN. */
void gpu_report_figure(const gpu_figure *f)
{
    char value[40] = "null";
    const int more = f->more && *f->more;
    if (isfinite(f->value)) snprintf(value, sizeof value, "%.6g", f->value);
    gpu_report_row("\"key\": \"%s\", \"value\": %s, \"unit\": \"%s\"%s%s", f->key, value, f->unit,
                   more ? ", " : "", more ? f->more : "");
    gpu_report_line(f->headline ? '=' : ' ', "%s: %.4g %s", f->key, f->value, f->unit);
}

static void print_line(char mark, const char *format, va_list arguments)
{
    printf("%c ", mark);
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
}

void gpu_report_line(char mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(mark, format, arguments);
    va_end(arguments);
}

static void report_wrong(const char *format, va_list arguments)
{
    char text[1000], escaped[2000];
    vsnprintf(text, sizeof text, format, arguments);
    escape(text, sizeof escaped, escaped);
    gpu_report_row("\"wrong\": \"%s\"", escaped);
    gpu_report_line('!', "%s", text);
    wrong = 1;
}

void gpu_report_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_wrong(format, arguments);
    va_end(arguments);
}

void gpu_report_stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_wrong(format, arguments);
    va_end(arguments);
    exit(GPU_FAILED);
}

gpu_outcome gpu_report_outcome(void)
{
    return wrong ? GPU_WRONG : GPU_RIGHT;
}

/* --- The steps -------------------------------------------------------------------------------- */

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
    {"kernels-points", gpu_step_points},
    {"radial", gpu_step_radial},
    {"radial-rings", gpu_step_radial_rings},
    {"lensing", gpu_step_lensing},
    {"cases", gpu_step_cases},
    {"cases-large", gpu_step_cases_large},
    {"times-gauss", gpu_step_times_gauss},
    {"times-healpix", gpu_step_times_healpix},
    {"times-many", gpu_step_times_many},
    {"times-host", gpu_step_times_host},
    {"times-o1280", gpu_step_times_o1280},
    {"times-grids", gpu_step_times_grids},
    {"times-float", gpu_step_times_float},
    {"times-huge", gpu_step_times_huge},
    {"times-points", gpu_step_times_points},
    {"shapes", gpu_step_shapes},
    {"profile-legendre", gpu_step_profile_legendre},
    {"profile-tensor", gpu_step_profile_tensor},
    {"profile-rings", gpu_step_profile_rings},
    {"profile-points", gpu_step_profile_points},
    {"profile-radial", gpu_step_profile_radial},
    {"sanitize-scalar", gpu_step_sanitize_scalar},
    {"sanitize-spin", gpu_step_sanitize_spin},
    {"sanitize-points", gpu_step_sanitize_points},
    {"sanitize-streams", gpu_step_sanitize_streams},
    {"threads", gpu_step_threads},
    {"capture", gpu_step_capture},
};
enum { STEPS = sizeof steps / sizeof *steps };

static int list_steps(void)
{
    for (int i = 0; i < STEPS; i++) printf("%s\n", steps[i].name);
    return GPU_RIGHT;
}

static int list_keys(void)
{
    gpu_list_keys();
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
        if (!strcmp(argv[i], "--keys")) return list_keys();
        if (!strcmp(argv[i], "--small"))
            small = 1;
        else if (!strcmp(argv[i], "--results") && i + 1 < argc)
            results = argv[++i];
        else
            name = argv[i];
    }
    for (int i = 0; name && i < STEPS; i++)
        if (!strcmp(name, steps[i].name)) return run_step(&steps[i], results, small);
    fprintf(stderr,
            "usage: gpu_check [--small] [--results FILE] STEP | gpu_check --list | --keys\n");
    return GPU_FAILED;
}
