/* armilla info: what a file holds; how a transform would run; or, without either, what this build
 * and machine can do. */
#include "commands.h"
#include "info_json.h"
#include "info_plan.h"
#include "message.h"
#include "paths.h"
#include "report.h"

#include <armilla/armilla.h>
#include <stddef.h>
#include <stdio.h>

static void describe_gpu(void)
{
    armilla_device_description gpu = {.size = sizeof gpu};
    if (armilla_device_describe(ARMILLA_CUDA, &gpu)) {
        printf("GPU: none; %s\n", armilla_status_message());
        return;
    }
    printf("GPU: %s, %.1f GB (%.1f GB free), compute capability %d.%d, CUDA %d.%d, driver %d.%d\n",
           gpu.name, 1e-9 * (double)gpu.memory_bytes, 1e-9 * (double)gpu.free_bytes,
           (int)gpu.compute_capability / 10, (int)gpu.compute_capability % 10,
           (int)gpu.runtime_version / 1000, (int)gpu.runtime_version % 1000 / 10,
           (int)gpu.driver_version / 1000, (int)gpu.driver_version % 1000 / 10);
}

static int describe_machine(void)
{
    printf("armilla %s\ninstruction sets:", armilla_version());
    for (int i = 0; armilla_isa_available(i); i++) printf(" %s", armilla_isa_available(i));
    printf(" (used: %s)\n", armilla_isa_name());
    printf("threads: %d\n", armilla_thread_count());
    describe_gpu();
    puts("MPI: none in this command; armilla-mpi, libarmilla_mpi (make MPI=1) and armilla.mpi have "
         "it");
    return finish_stdout(CLI_OK);
}

static int report_machine(void)
{
    armilla_device_description gpu = {.size = sizeof gpu};
    const int has_gpu = !armilla_device_describe(ARMILLA_CUDA, &gpu);
    report_open("instruction_sets", '[');
    for (int i = 0; armilla_isa_available(i); i++) report_text(NULL, armilla_isa_available(i));
    report_close();
    report_text("instruction_set", armilla_isa_name());
    report_integer("threads", armilla_thread_count());
    report_text("gpu", has_gpu ? gpu.name : NULL);
    report_integer("gpu_bytes", has_gpu ? gpu.memory_bytes : 0);
    return CLI_OK;
}

/* --- Files ------------------------------------------------------------------------------------ */

static armilla_status describe_file(const char *path, int is_first)
{
    char *text;
    if (report_is_wanted()) return info_json_file(path);
    armilla_status status = armilla_io_describe(path, &text);
    if (status) return status;
    if (!is_first) putchar('\n');
    message_write(stdout, text);
    armilla_io_text_free(text);
    return ARMILLA_OK;
}

/* The text first, which holds what is wrong as well. */
static int describe(const char *path, int is_first)
{
    const named_path file = {"", path};
    int code = paths_check_input(&file);
    if (code != CLI_OK) return code;
    report_open(NULL, '{');
    armilla_status status = describe_file(path, is_first);
    code = status ? CLI_OK : finish_stdout(CLI_OK);
    if (!status) status = armilla_io_verify(path);
    report_text("problem", status ? armilla_status_message() : NULL);
    report_close();
    return status ? data_error(status, path) : code;
}

/* The others are described where one cannot be. Returned: the code of the first that failed. */
static int describe_files(const common *base)
{
    int code = CLI_OK;
    report_open("files", '[');
    for (int64_t i = 0; i < base->nfiles; i++) {
        const int one = describe(base->files[i], i == 0);
        if (code == CLI_OK) code = one;
    }
    report_close();
    return code;
}

typedef struct arguments {
    common base;
    info_plan plan;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"plan", OPTION_GRID_NAME, AT(plan.grid), "GRID",
     "report how transforms of this grid run: healpix:512, O1280, N320, F640, cc:721x1440, ...", 0,
     0},
    {"lmax", OPTION_INTEGER, AT(plan.lmax), "L",
     "with --plan: largest degree; default: 2 NSIDE, or the largest exact one", 0, MAX_DEGREE},
    {"spin", OPTION_INTEGER, AT(plan.spin), "S", "with --plan: spin of the field; default: 0",
     -1024, 1024},
    {"threads", OPTION_INTEGER, AT(plan.threads), "N",
     "with --plan; default: ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 1, 4096},
    {"choices", OPTION_TEXT, AT(plan.choices), "NAME=N,...", "with --plan: choices to force", 0, 0},
    {"json", OPTION_FLAG, AT(base.json), "", "report as JSON, with all digits; see below", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    ((arguments *)self)->plan.lmax = -1;
}

static int check(void *self)
{
    const arguments *a = self;
    const int of_plan = a->plan.lmax >= 0 || a->plan.spin || a->plan.choices || a->plan.threads;
    if (a->plan.grid && a->base.nfiles)
        return usage_error(
            "--plan: reports on a transform, and FILE on a file; give only one of them");
    if (!a->plan.grid && of_plan)
        return usage_error("--lmax, --spin, --threads and --choices belong to --plan");
    return CLI_OK;
}

static int work(void *self)
{
    const arguments *a = self;
    const common *base = &a->base;
    if (a->plan.grid) return info_plan_print(&a->plan);
    if (base->nfiles > 0) return describe_files(base);
    return report_is_wanted() ? report_machine() : describe_machine();
}

const command info_command = {
    .name = "info",
    .summary = "describe FITS files; without a file, this build and machine",
    .usage = "info [FILE... | --plan GRID [options]]",
    .text =
        "Reports what kind of file each FILE is, with its columns, units, smallest and largest\n"
        "values. A truncated or damaged file is reported as an error, after what could be read "
        "from\n"
        "it; the remaining files are described all the same.\n"
        "Without FILE: version, instruction sets and threads.\n"
        "With --plan: how much memory transforms of a grid take, and how they run, choice by "
        "choice,\n"
        "with the reasons. GRID is O1280, N320 or F640 (octahedral, classic reduced and full "
        "Gaussian\n"
        "grids), H512 or healpix:512, rgl:257:256 (rings, lmax), or gl, cc, f1, f2, dh, mw, mwss,\n"
        "mwflip with the numbers of rings and of pixels in each, such as cc:721x1440.",
    .example = "armilla info --plan O1280 --lmax 1279 --spin 1",
    .report =
        "--json writes an object: command, version, and then\n"
        "for files: files (an array: path, hdus, problem (a text, or null)); a hdu has hdu (its\n"
        "  number), name and kind: map (nside (of HEALPix), grid (its name), npix,\n"
        "  ordering, partial, coordinates, polarisation, columns: name, unit, type, minimum,\n"
        "  maximum, missing), alm (lmax, mmax, type, coordinates), cl (lmax, unit, spectra),\n"
        "  table (rows, ncolumns) or image;\n"
        "for --plan: grid (its name), nside (of HEALPix), nrings, npix, exact (1: analysis "
        "inverts\n"
        "  synthesis, 0: not with this lmax, -1: the grid has no exact rule), lmax, mmax, spin,\n"
        "  backend, instruction_set, map_bytes, alm_bytes, plan_bytes, call_bytes,\n"
        "  choices (an array: name, value, why);\n"
        "for the machine: instruction_sets, instruction_set, threads, gpu, gpu_bytes.",
    .reports_failure = 1,
    .max_files = MANY_FILES,
    .tables = {table},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};
