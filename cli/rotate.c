/* armilla rotate: coefficients of a rotated field, or of a field in other coordinates. */
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "rotation.h"
#include "transform.h"

#include <armilla/armilla.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct arguments {
    common base;
    const char *coord, *euler;
    armilla_rotation rotation;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"coord", OPTION_TEXT, AT(coord), "FROM,TO", "coordinate systems: G, E or C, as in G,E", 0, 0},
    {"euler", OPTION_TEXT, AT(euler), "A,B,C",
     "instead of --coord: angles psi, theta, phi with units", 0, 0},
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

static int write_alm(const arguments *a, const transform *sht, char coordsys, const double *alm)
{
    char about[64] = "";
    if (progress_stopped()) return CLI_FAILED;
    const int code = transform_write_alm(sht, a->base.output, a->coord ? a->coord[2] : coordsys,
                                         alm, a->base.overwrite);
    if (code != CLI_OK) return code;
    if (a->coord) snprintf(about, sizeof about, " from %c to %c", a->coord[0], a->coord[2]);
    report_integer("components", sht->ncomp);
    report_integer("lmax", sht->lmax);
    report_integer("mmax", sht->mmax);
    note("wrote %s: rotated%s, %lld component%s, lmax %lld, mmax %lld", a->base.output, about,
         (long long)sht->ncomp, sht->ncomp == 1 ? "" : "s", (long long)sht->lmax,
         (long long)sht->mmax);
    return CLI_OK;
}

static int rotate_all(const arguments *a, const armilla_alm_input *input, transform *sht)
{
    const armilla_alm_file *file = armilla_alm_input_alm(input);
    double *alm = transform_alm(sht);
    if (!alm) return CLI_FAILED;
    sht->stored = file->type;
    int code = transform_read_alm(sht, a->base.files[0], input, alm);
    progress_stage("rotation", 0, 1);
    if (code == CLI_OK) code = transform_rotate(sht, &a->rotation, alm);
    if (code == CLI_OK) code = write_alm(a, sht, file->coordsys, alm);
    free(alm);
    return code;
}

static int rotate(const arguments *a, const armilla_alm_input *input)
{
    transform sht = {.grid = NULL};
    const armilla_alm_file *file = armilla_alm_input_alm(input);
    int code = ranks_agree(rotation_check_file(a->coord, a->base.files[0], file->coordsys));
    if (code == CLI_OK) code = ranks_check_alike(file->lmax, a->base.files[0], "lmax");
    if (code == CLI_OK) code = ranks_check_alike(file->ncomp, a->base.files[0], "components");
    if (code == CLI_OK)
        code =
            transform_new_coefficients(NULL, file->lmax, file->lmax, file->ncomp, &a->base, &sht);
    if (code == CLI_OK) code = rotate_all(a, input, &sht);
    transform_free(&sht);
    return code;
}

static int work(void *self)
{
    const arguments *a = self;
    armilla_alm_input *input = NULL;
    armilla_status status = armilla_alm_input_open(a->base.files[0], 0, &input);
    int code = ranks_agree(status ? data_error(status, a->base.files[0]) : CLI_OK);
    if (code == CLI_OK) code = rotate(a, input);
    armilla_alm_input_free(input);
    return code;
}

const command rotate_command = {
    .name = "rotate",
    .summary = "rotate spherical harmonic coefficients",
    .usage = "rotate ALM -o alm.fits (--coord FROM,TO | --euler A,B,C) [options]",
    .text = "Rotates the field of a coefficient file: only T, or T, E and B. --coord takes it from "
            "one\n"
            "J2000 system to another and records this in COORDSYS. --euler turns it by A about z, "
            "then by\n"
            "B about the original y, then by C about the original z, each to the right as seen "
            "along the\n"
            "axis; COORDSYS is kept. The result has all orders m <= l.",
    .example = "armilla rotate alm.fits -o ecliptic.fits --coord G,E",
    .report = "components, lmax, mmax",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the file ALM of coefficients is missing",
    .over_ranks = 1,
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .check = check,
    .work = work,
};
