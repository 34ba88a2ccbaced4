/* armilla rotate: coefficients of a rotated field, or of a field in other coordinates. */
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "rotation.h"

#include <armilla/armilla.h>
#include <stdio.h>

typedef struct arguments {
    common base;
    const char *coord, *euler;
    armilla_rotation rotation;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"coord", OPTION_TEXT, AT(coord), "FROM,TO", "systems of the sky: G, E or C, as in G,E", 0, 0},
    {"euler", OPTION_TEXT, AT(euler), "A,B,C", "instead: angles psi, theta, phi with units", 0, 0},
    {"threads", OPTION_INTEGER, AT(base.threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {.name = NULL},
};

static int check(void *self)
{
    arguments *a = self;
    int code = rotation_parse(a->coord, a->euler, &a->rotation);
    if (code != CLI_OK) return code;
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int write_alm(const arguments *a, const armilla_alm_file *alm)
{
    char about[64] = "";
    if (progress_stopped()) return CLI_FAILED;
    armilla_status status = armilla_alm_write(a->base.output, alm, a->base.overwrite);
    if (status) return library_error(status, a->base.output);
    if (a->coord) snprintf(about, sizeof about, " from %c to %c", a->coord[0], a->coord[2]);
    report_integer("components", alm->ncomp);
    report_integer("lmax", alm->lmax);
    report_integer("mmax", alm->mmax);
    note("wrote %s: rotated%s, %lld component%s, lmax %lld, mmax %lld", a->base.output, about,
         (long long)alm->ncomp, alm->ncomp == 1 ? "" : "s", (long long)alm->lmax,
         (long long)alm->mmax);
    return CLI_OK;
}

static int rotate(const arguments *a, const armilla_alm_file *file)
{
    armilla_alm_file *out = NULL;
    armilla_exec exec;
    if (rotation_check_file(a->coord, a->base.files[0], file->coordsys) != CLI_OK) return CLI_USAGE;
    armilla_status status = armilla_alm_file_new(file->lmax, file->lmax, file->ncomp, &out);
    if (status) return library_error(status, NULL);
    out->type = file->type;
    out->coordsys = a->coord ? a->coord[2] : file->coordsys;
    armilla_exec_init(&exec);
    exec.nthreads = (int)a->base.threads;
    exec.ntrans = file->ncomp;
    exec.progress = progress_report;
    progress_stage("rotation", 0, 1);
    status = armilla_alm_rotate(&a->rotation, file->lmax, file->mmax, file->alm, out->lmax,
                                out->alm, &exec);
    int code = status ? library_error(status, NULL) : write_alm(a, out);
    armilla_alm_file_free(out);
    return code;
}

static int work(void *self)
{
    const arguments *a = self;
    armilla_alm_file *file = NULL;
    armilla_status status = armilla_alm_read(a->base.files[0], 0, &file);
    if (status) return data_error(status, a->base.files[0]);
    int code = rotate(a, file);
    armilla_alm_file_free(file);
    return code;
}

const command rotate_command = {
    .name = "rotate",
    .summary = "rotate spherical harmonic coefficients",
    .usage = "rotate ALM -o alm.fits (--coord FROM,TO | --euler A,B,C) [options]",
    .text = "Rotates the field of a coefficient file: T alone, or T, E and B. --coord takes it\n"
            "from one J2000 system to another and says so in COORDSYS. --euler turns it about z\n"
            "by A, then about the original y by B, then about the original z by C, each to the\n"
            "right as seen along the axis; COORDSYS is kept. The result has all orders m <= l.",
    .example = "armilla rotate alm.fits -o ecliptic.fits --coord G,E",
    .report = "components, lmax, mmax",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the file ALM of coefficients is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .check = check,
    .work = work,
};
