/* armilla lens: coefficients of a field and of a lensing potential -> lensed map. */
#include "commands.h"
#include "mapfile.h"
#include "message.h"
#include "paths.h"
#include "points.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "rotation.h"
#include "transform_ranks.h"

#include <armilla/armilla.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    common base;
    const char *phi;
    grid_choice grid;
    double epsilon;
    int store_double, any_deflection;
} arguments;

static const double MOST_ARCMIN = 60;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"phi", OPTION_INPUT, AT(phi), "FILE", "coefficients of the lensing potential", 0, 0},
    {"grid", OPTION_GRID, AT(grid), "NAME", PIXEL_GRID_HELP, 0, 0},
    {"nside", OPTION_NSIDE, AT(grid), "N", NULL, 1, MAX_NSIDE},
    {"nsmax", OPTION_NSIDE, AT(grid), "N", NULL, 1, MAX_NSIDE},
    {"epsilon", OPTION_TOLERANCE, AT(epsilon), "E", "accuracy, 1e-13 to 0.1; default 1e-7", 0, 0},
    {"any-deflection", OPTION_FLAG, AT(any_deflection), "",
     "allow deflections whose rms is above a degree", 0, 0},
    {"double", OPTION_FLAG, AT(store_double), "", "store the map in 64 bits instead of 32", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    ((arguments *)self)->epsilon = POINTS_EPSILON;
}

static int check(void *self)
{
    const arguments *a = self;
    if (!a->phi)
        return usage_error("--phi FILE is missing: name the file of the lensing potential");
    int code = pixel_grid_check(&a->grid);
    if (code == CLI_OK) code = points_check_epsilon(a->epsilon);
    if (code != CLI_OK) return code;
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--phi", a->phi}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

/* Coefficients of one component or of T, E and B. */
typedef struct source {
    const char *path;
    armilla_alm_input *input;
    const armilla_alm_file *file; /* what it says that it holds */
    transform sht;                /* without plans: which coefficients are here */
    double *alm;
} source;

/* What is read, and the map. */
typedef struct sheet {
    source field, phi;
    double deflection;  /* root mean square, arc minutes */
    pixel_share pixels; /* those that are here */
    armilla_map *map;
    reals values[TRANSFORM_FIELDS]; /* of its fields */
} sheet;

/* A plan of this process, or over ranks. */
typedef struct plan {
    armilla_lensing *alone;
    armilla_distributed_lensing *ranks;
} plan;

/* Root mean square of the deflections, arc minutes: the mean of |grad phi|^2 is the sum of
 * l (l + 1) (2 l + 1) C_l over 4 pi. */
static int find_deflection(sheet *s)
{
    const int64_t lmax = s->phi.sht.lmax;
    double sum = 0, *cl = malloc((size_t)(lmax + 1) * sizeof *cl);
    int code = ranks_agree(cl ? CLI_OK : memory_error());
    if (code == CLI_OK) code = transform_spectrum(&s->phi.sht, s->phi.alm, s->phi.alm, cl);
    for (int64_t l = 0; l <= lmax && code == CLI_OK; l++)
        sum += (double)l * ((double)l + 1) * (2 * (double)l + 1) * cl[l];
    s->deflection = sqrt(sum / (4 * M_PI)) * (180 / M_PI) * 60;
    free(cl);
    return code;
}

/* --- Lensing ---------------------------------------------------------------------------------- */

static void plan_free(plan *self)
{
    armilla_lensing_free(self->alone);
    armilla_distributed_lensing_free(self->ranks);
    *self = (plan){.alone = NULL};
}

/* beside: NULL, or a plan for the same deflection. */
static armilla_status new_alone(const arguments *a, const sheet *s,
                                const armilla_points_options *options,
                                const armilla_lensing *beside, armilla_lensing **result)
{
    armilla_deflection deflection;
    if (beside)
        return armilla_lensing_new_beside(beside, s->field.sht.lmax, s->field.sht.mmax, options,
                                          result);
    armilla_deflection_init(&deflection);
    deflection.lmax = s->phi.sht.lmax, deflection.mmax = s->phi.sht.mmax;
    deflection.gradient = s->phi.alm;
    deflection.nthreads = (int)a->base.threads;
    return armilla_lensing_new(s->pixels.on.grid, &deflection, s->field.sht.lmax, s->field.sht.mmax,
                               options, result);
}

/* beside: NULL, or a plan for the same deflection. */
static armilla_status new_over_ranks(const sheet *s, const armilla_points_options *options,
                                     const armilla_distributed_lensing *beside,
                                     armilla_distributed_lensing **result)
{
    const armilla_distribution *of_field = s->field.sht.ranks->distribution;
    armilla_distributed_deflection deflection;
    if (beside)
        return armilla_distributed_lensing_new_beside(beside, ranks_transport(), of_field, options,
                                                      NULL, result);
    armilla_distributed_deflection_init(&deflection);
    deflection.distribution = s->phi.sht.ranks->distribution;
    deflection.gradient = s->phi.alm;
    return armilla_distributed_lensing_new(ranks_transport(), of_field, &deflection, options, NULL,
                                           result);
}

/* Makes the plan for a spin out of one for another, whose directions it takes over, or of zeros. */
static int plan_make(const arguments *a, const sheet *s, int64_t spin, plan *self)
{
    const armilla_points_options options = points_options(spin, a->epsilon, &a->base);
    plan made = {.alone = NULL};
    const armilla_status status = ranks_transport()
                                      ? new_over_ranks(s, &options, self->ranks, &made.ranks)
                                      : new_alone(a, s, &options, self->alone, &made.alone);
    plan_free(self);
    *self = made;
    return status ? data_error(status, NULL) : CLI_OK;
}

static int lens_field(const arguments *a, const plan *lensing, const double *alm, double *map)
{
    const armilla_exec exec = points_exec(a->base.threads);
    const armilla_status status =
        lensing->ranks ? armilla_distributed_lensing_alm2lenmap(lensing->ranks, alm, map, &exec)
                       : armilla_lensing_alm2lenmap(lensing->alone, alm, map, &exec);
    return status ? data_error(status, NULL) : CLI_OK;
}

/* E and B, which follow T -> Q and U. */
static int lens_polarisation(const arguments *a, const sheet *s, const plan *lensing)
{
    const size_t npix = (size_t)s->pixels.npix;
    double *both = malloc((2 * npix + 1) * sizeof *both);
    int code = ranks_agree(both ? CLI_OK : memory_error());
    if (code == CLI_OK)
        code = lens_field(a, lensing, s->field.alm + 2 * s->field.sht.alm_size, both);
    for (size_t i = 0; i < 2 && code == CLI_OK; i++)
        memcpy(s->values[i + 1].doubles, both + i * npix, npix * sizeof *both);
    free(both);
    return code;
}

static int lens_all(const arguments *a, const sheet *s)
{
    plan lensing = {.alone = NULL};
    progress_stage("lensing", 0, a->base.pol ? 0.3 : 1); /* spin 2 takes twice as long */
    int code = plan_make(a, s, 0, &lensing);
    if (code == CLI_OK) code = lens_field(a, &lensing, s->field.alm, s->values[0].doubles);
    progress_stage("lensing", 0.3, 1);
    if (code == CLI_OK && a->base.pol) code = plan_make(a, s, 2, &lensing);
    if (code == CLI_OK && a->base.pol) code = lens_polarisation(a, s, &lensing);
    plan_free(&lensing);
    return code;
}

/* --- Files ------------------------------------------------------------------------------------ */

static int check_files(const arguments *a, const sheet *s)
{
    const int64_t ncomp = a->base.pol ? 3 : 1;
    if (s->field.file->ncomp < ncomp)
        return usage_error("--pol: \"%s\" has %lld table%s of coefficients; T, E and B are needed; "
                           "without --pol the command takes the first one",
                           a->base.files[0], (long long)s->field.file->ncomp,
                           s->field.file->ncomp == 1 ? "" : "s");
    if (a->base.pol && s->field.file->lmax < 2)
        return usage_error("--pol: \"%s\" ends at l = %lld; E and B begin at l = 2",
                           a->base.files[0], (long long)s->field.file->lmax);
    if (s->phi.file->lmax < 1)
        return usage_error("--phi \"%s\": ends at l = 0, which deflects nothing", a->phi);
    return rotation_check_same("--phi", a->phi, s->phi.file->coordsys, a->base.files[0],
                               s->field.file->coordsys);
}

/* The sky's own potential deflects by 2.5 arcmin; a temperature taken for one, by degrees if it is
 * in K, by turns around the sphere if it is in uK. */
static int check_deflection(const arguments *a, const sheet *s)
{
    if (a->any_deflection || s->deflection <= MOST_ARCMIN) return CLI_OK;
    return usage_error("--phi \"%s\": deflects by %.3g arcmin (rms), which no lensing potential of "
                       "the sky does (2.5 arcmin); is it a potential, and without a unit? "
                       "--any-deflection uses it all the same",
                       a->phi, s->deflection);
}

static int write_map(const arguments *a, const sheet *s)
{
    if (progress_stopped()) return CLI_FAILED;
    for (int64_t i = 0; i < s->map->nfields && a->store_double; i++)
        s->map->fields[i].type = ARMILLA_IO_DOUBLE;
    s->map->coordsys = s->field.file->coordsys;
    const int code =
        mapfile_write(a->base.output, &s->pixels, s->map, s->values, a->base.overwrite);
    if (code != CLI_OK) return code;
    report_integer("fields", s->map->nfields);
    pixel_grid_report(&s->pixels.on);
    report_integer("lmax", s->field.file->lmax);
    report_integer("mmax", s->field.file->mmax);
    report_integer("phi_lmax", s->phi.file->lmax);
    report_real("deflection", s->deflection * (M_PI / 180 / 60));
    report_real("epsilon", a->epsilon);
    note("wrote %s: %s%s, lensed from lmax %lld, mmax %lld, by deflections of rms %.4g "
         "arcmin from lmax %lld, epsilon %g",
         a->base.output, s->map->nfields > 1 ? "I, Q and U, " : "", s->pixels.on.text,
         (long long)s->field.file->lmax, (long long)s->field.file->mmax, s->deflection,
         (long long)s->phi.file->lmax, a->epsilon);
    return CLI_OK;
}

static int source_open(const char *path, int hdu, source *self)
{
    self->path = path;
    const armilla_status status = armilla_alm_input_open(path, hdu, &self->input);
    self->file = armilla_alm_input_alm(self->input);
    int code = ranks_agree(status ? data_error(status, path) : CLI_OK);
    if (code == CLI_OK) code = ranks_check_alike(self->file->lmax, path, "lmax");
    return code == CLI_OK ? ranks_check_alike(self->file->mmax, path, "mmax") : code;
}

/* Reads what this rank has of it: rings are those of the map. */
static int source_read(const pixel_share *pixels, int64_t ncomp, const common *base, source *self)
{
    const int code = transform_new_coefficients(pixels, self->file->lmax, self->file->mmax, ncomp,
                                                base, &self->sht);
    if (code != CLI_OK) return code;
    self->alm = transform_alm(&self->sht);
    return self->alm ? transform_read_alm(&self->sht, self->path, self->input, self->alm)
                     : CLI_FAILED;
}

static void source_free(source *self)
{
    free(self->alm);
    transform_free(&self->sht);
    armilla_alm_input_free(self->input);
}

static int make_map(const arguments *a, sheet *s)
{
    const int64_t ncomp = a->base.pol ? 3 : 1;
    int code = ranks_agree(check_files(a, s));
    if (code == CLI_OK) code = share_choose(&a->grid, &s->pixels);
    if (code == CLI_OK) code = source_read(&s->pixels, ncomp, &a->base, &s->field);
    if (code == CLI_OK) code = source_read(&s->pixels, 1, &a->base, &s->phi);
    if (code == CLI_OK) code = find_deflection(s);
    if (code == CLI_OK) code = check_deflection(a, s);
    if (code == CLI_OK) code = mapfile_new(&s->pixels, ncomp, 0, &s->map, s->values);
    if (code == CLI_OK) code = lens_all(a, s);
    return code == CLI_OK ? write_map(a, s) : code;
}

static int work(void *self)
{
    const arguments *a = self;
    sheet s = {.map = NULL};
    int code = source_open(a->base.files[0], a->base.pol ? 0 : 1, &s.field);
    if (code == CLI_OK) code = source_open(a->phi, 1, &s.phi);
    if (code == CLI_OK) code = make_map(a, &s);
    mapfile_free(s.map, s.values);
    source_free(&s.phi);
    source_free(&s.field);
    share_free(&s.pixels);
    return code;
}

const command lens_command = {
    .name = "lens",
    .summary = "make a lensed map from spherical harmonic coefficients",
    .usage = "lens ALM --phi FILE -o map.fits --grid NAME [options]",
    .text =
        "Evaluates the field of a coefficient file at the deflected direction of each pixel of a "
        "map:\n"
        "the pixel's direction, moved along a great circle by the gradient of the potential whose\n"
        "coefficients are the first table of --phi. Uses the first table of ALM, the temperature, "
        "or\n"
        "with --pol T, E and B, which make I, Q and U; Q and U are rotated on the way. --epsilon "
        "is\n"
        "the largest rms error of values, relative to the field's rms over the sphere. Potentials\n"
        "that deflect by more than a degree (rms) are refused, unless --any-deflection says that "
        "they\n"
        "are intended.\n" PIXEL_GRID_NAMES,
    .example = "armilla lens alm.fits --phi phi.fits -o lensed.fits --grid healpix:2048 --pol",
    .report =
        "fields (1, or 3: I, Q, U), nside (of HEALPix), grid (its name), lmax, mmax, phi_lmax,\n"
        "deflection (rms, radians), epsilon",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the file ALM of coefficients is missing",
    .over_ranks = 1,
    .tables = {table, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};
