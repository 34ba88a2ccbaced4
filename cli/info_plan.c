/* Says how a transform would run on this machine: its memory and the choices of its plan, before
 * anything is transformed. */
#include "info_plan.h"
#include "message.h"
#include "report.h"

#include <armilla/armilla.h>
#include <stdio.h>
#include <string.h>

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

/* Without --lmax: what the pixels of HEALPix hold well, elsewhere what analysis recovers. */
static int64_t usual_lmax(const armilla_grid *grid)
{
    const int64_t exact = armilla_grid_exact_lmax_for(grid, -1);
    return exact >= 0 ? exact : (armilla_grid_nrings(grid) + 1) / 2; /* 4 nside - 1 rings */
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
    const int64_t lmax = asked->lmax < 0 ? usual_lmax(grid) : asked->lmax;
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
