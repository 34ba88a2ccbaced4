/* Says how a transform would run on this machine: its memory and the choices of its plan, before
 * anything is transformed. */
#include "info_plan.h"
#include "message.h"
#include "pixel_grid.h"
#include "report.h"

#include <armilla/armilla.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The same for --json. */
static void report_sizes(const armilla_sht_description *is, const info_plan *asked)
{
    armilla_grid_sizes sizes = {.size = sizeof sizes};
    report_text("grid", asked->grid);
    if (!armilla_grid_read_name(asked->grid, &sizes) && sizes.nside)
        report_integer("nside", sizes.nside);
    report_integer("nrings", is->nrings);
    report_integer("npix", is->npix);
    report_integer("exact", is->exact);
    report_integer("lmax", is->lmax);
    report_integer("mmax", is->mmax);
    report_integer("spin", asked->spin);
    report_text("backend", is->backend);
    report_text("instruction_set", is->isa);
    report_integer("map_bytes", 8 * is->ncomp * is->npix);
    report_integer("alm_bytes", 16 * is->alm_ncomp * is->alm_size);
    report_integer("plan_bytes", is->plan_bytes);
    report_integer("call_bytes", is->workspace_bytes);
}

/* Threads and memory of one transform of doubles. */
static armilla_status print_sizes(const armilla_sht *plan, const info_plan *asked)
{
    armilla_sht_description is = {.size = sizeof is};
    armilla_status status = armilla_sht_describe(plan, (int)asked->threads, &is);
    if (status) return status;
    report_sizes(&is, asked);
    if (report_is_wanted()) return ARMILLA_OK;
    const double maps = 8e-6 * (double)(is.ncomp * is.npix);
    const double alm = 16e-6 * (double)(is.alm_ncomp * is.alm_size);
    printf("plan: %s, lmax %lld, mmax %lld, spin %lld, %s, %s\n", asked->grid, (long long)is.lmax,
           (long long)is.mmax, (long long)asked->spin, is.backend, is.isa);
    printf("memory: map %.1f MB, coefficients %.1f MB, plan %.1f MB, a call %.1f MB\n", maps, alm,
           1e-6 * (double)is.plan_bytes, 1e-6 * (double)is.workspace_bytes);
    return ARMILLA_OK;
}

static void print_choice(void *data, const armilla_choice *choice)
{
    (void)data;
    report_open(NULL, '{');
    report_text("name", choice->name);
    report_text("value", choice->value);
    report_text("why", choice->why);
    report_close();
    if (report_is_wanted()) return;
    printf("  %-25s %s\n  %-25s    (%s)\n", choice->name, choice->value, "", choice->why);
}

/* Bytes of memory of this machine; 0: unknown. */
static double machine_memory(void)
{
#ifdef _SC_PHYS_PAGES
    const double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? bytes : 0;
#else
    return 0;
#endif
}

/* Large plans and calls take this part of map and coefficients (docs/architecture.md 1). Systems
 * that promise memory they do not have would end the process while the plan is made. */
static int check_memory(const info_plan *asked, const armilla_grid *grid, int64_t lmax)
{
    const double components = asked->spin ? 2 : 1, degrees = (double)lmax + 1;
    const double arrays =
        components * (8 * (double)armilla_grid_npix(grid) + 8 * degrees * degrees);
    const double needed = 0.45 * arrays, machine = machine_memory();
    if (machine <= 0 || needed <= machine) return CLI_OK;
    return work_error("--plan %s: a plan with lmax %lld and a call take %.1f GB, in addition to "
                      "%.1f GB of map and coefficients; this machine has %.1f GB",
                      asked->grid, (long long)lmax, needed / 1e9, arrays / 1e9, machine / 1e9);
}

/* Status of a library call -> exit code, after a message. */
static int finish(armilla_status status)
{
    const char *message = armilla_status_message(), *prefix = "options->";
    if (!status) return finish_stdout(CLI_OK);
    if (strncmp(message, prefix, strlen(prefix)) == 0) /* --choices, --spin */
        return usage_error("--%s", message + strlen(prefix));
    return library_error(status, NULL);
}

int info_plan_print(const info_plan *asked)
{
    armilla_sht_options options;
    armilla_grid *grid = NULL;
    armilla_sht *plan = NULL;
    armilla_sht_options_init(&options);
    options.spin = asked->spin, options.choices = asked->choices;
    armilla_status status = armilla_grid_new_named(asked->grid, &grid);
    const int64_t lmax = asked->lmax < 0 ? pixel_grid_usual_lmax(grid) : asked->lmax;
    const int code = status ? CLI_OK : check_memory(asked, grid, lmax);
    if (code != CLI_OK) {
        armilla_grid_free(grid);
        return code;
    }
    if (!status) status = armilla_sht_new(grid, lmax, lmax, &options, &plan);
    if (!status) status = print_sizes(plan, asked);
    if (!status) {
        if (!report_is_wanted()) puts("choices:");
        report_open("choices", '[');
        status = armilla_sht_explain(plan, print_choice, NULL);
        report_close();
    }
    armilla_sht_free(plan);
    armilla_grid_free(grid);
    return finish(status);
}
