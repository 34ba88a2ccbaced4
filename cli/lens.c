/* armilla lens: coefficients of a field and of a lensing potential -> lensed map. */
#include "commands.h"
#include "mapfile.h"
#include "message.h"
#include "paths.h"
#include "points.h"
#include "progress.h"
#include "report.h"
#include "rotation.h"
#include "transform.h"

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
     "also lens by deflections whose rms is above a degree", 0, 0},
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
        return usage_error("--phi FILE is missing: coefficients of which potential shall deflect?");
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

/* What is read, and the map. */
typedef struct sheet {
    armilla_alm_file *alm, *phi;
    pixel_share pixels; /* all of them */
    armilla_map *map;
    reals values[TRANSFORM_FIELDS]; /* of its fields */
} sheet;

/* Root mean square of the deflections, arc minutes: the mean of |grad phi|^2 is the sum of
 * l (l + 1) |phi_lm|^2 over all l and m, over 4 pi. */
static double deflection_arcmin(const armilla_alm_file *phi)
{
    double sum = 0;
    for (int64_t m = 0; m <= phi->mmax; m++)
        for (int64_t l = m; l <= phi->lmax; l++) {
            const double *a = phi->alm + 2 * armilla_alm_index(phi->lmax, l, m);
            const double square = m ? 2 * (a[0] * a[0] + a[1] * a[1]) : a[0] * a[0];
            sum += (double)l * ((double)l + 1) * square;
        }
    return sqrt(sum / (4 * M_PI)) * (180 / M_PI) * 60;
}

/* --- Lensing ---------------------------------------------------------------------------------- */

static int lens_field(const arguments *a, const armilla_lensing *lensing, const double *alm,
                      double *map)
{
    const armilla_exec exec = points_exec(a->base.threads);
    armilla_status status = armilla_lensing_alm2lenmap(lensing, alm, map, &exec);
    return status ? data_error(status, NULL) : CLI_OK;
}

/* E and B, which follow T -> Q and U. */
static int lens_polarisation(const arguments *a, const sheet *s, const armilla_lensing *scalar)
{
    const size_t npix = (size_t)s->map->npix;
    const armilla_points_options options = points_options(2, a->epsilon, &a->base);
    armilla_lensing *polar;
    armilla_status status =
        armilla_lensing_new_beside(scalar, s->alm->lmax, s->alm->mmax, &options, &polar);
    if (status) return data_error(status, NULL);
    double *both = malloc(2 * npix * sizeof *both);
    int code =
        both ? lens_field(a, polar, s->alm->alm + 2 * armilla_alm_size(s->alm->lmax, s->alm->mmax),
                          both)
             : memory_error();
    for (size_t i = 0; i < 2 && code == CLI_OK; i++)
        memcpy(s->map->fields[i + 1].values, both + i * npix, npix * sizeof *both);
    free(both);
    armilla_lensing_free(polar);
    return code;
}

static int lens_all(const arguments *a, const sheet *s)
{
    armilla_lensing *lensing;
    armilla_deflection deflection;
    const armilla_points_options options = points_options(0, a->epsilon, &a->base);
    armilla_deflection_init(&deflection);
    deflection.lmax = s->phi->lmax, deflection.mmax = s->phi->mmax;
    deflection.gradient = s->phi->alm;
    deflection.nthreads = (int)a->base.threads;
    progress_stage("lensing", 0, a->base.pol ? 0.3 : 1); /* spin 2 takes twice as long */
    armilla_status status = armilla_lensing_new(s->pixels.on.grid, &deflection, s->alm->lmax,
                                                s->alm->mmax, &options, &lensing);
    if (status) return data_error(status, NULL);
    int code = lens_field(a, lensing, s->alm->alm, s->map->fields[0].values);
    progress_stage("lensing", 0.3, 1);
    if (code == CLI_OK && a->base.pol) code = lens_polarisation(a, s, lensing);
    armilla_lensing_free(lensing);
    return code;
}

/* --- Files ------------------------------------------------------------------------------------ */

static int check_files(const arguments *a, const sheet *s)
{
    const int64_t ncomp = a->base.pol ? 3 : 1;
    if (s->alm->ncomp < ncomp)
        return usage_error("--pol: \"%s\" has %lld table%s of coefficients; T, E and B are needed; "
                           "without --pol the command takes the first one",
                           a->base.files[0], (long long)s->alm->ncomp,
                           s->alm->ncomp == 1 ? "" : "s");
    if (a->base.pol && s->alm->lmax < 2)
        return usage_error("--pol: \"%s\" ends at l = %lld; E and B begin with 2", a->base.files[0],
                           (long long)s->alm->lmax);
    if (s->phi->lmax < 1)
        return usage_error("--phi \"%s\": ends at l = 0, which deflects nothing", a->phi);
    return rotation_check_same("--phi", a->phi, s->phi->coordsys, a->base.files[0],
                               s->alm->coordsys);
}

/* The sky's own potential deflects by 2.5 arcmin; a temperature taken for one, by degrees if it is
 * in K, by turns around the sphere if it is in uK. */
static int check_deflection(const arguments *a, const sheet *s)
{
    const double arcmin = deflection_arcmin(s->phi);
    if (a->any_deflection || arcmin <= MOST_ARCMIN) return CLI_OK;
    return usage_error(
        "--phi \"%s\": deflects by %.3g arcmin (rms), which no lensing potential of the "
        "sky does (2.5 arcmin): is it one, and has it no unit? --any-deflection "
        "lenses by it nevertheless",
        a->phi, arcmin);
}

static int write_map(const arguments *a, const sheet *s)
{
    if (progress_stopped()) return CLI_FAILED;
    for (int64_t i = 0; i < s->map->nfields && a->store_double; i++)
        s->map->fields[i].type = ARMILLA_IO_DOUBLE;
    s->map->coordsys = s->alm->coordsys;
    const int code =
        mapfile_write(a->base.output, &s->pixels, s->map, s->values, a->base.overwrite);
    if (code != CLI_OK) return code;
    report_integer("fields", s->map->nfields);
    pixel_grid_report(&s->pixels.on);
    report_integer("lmax", s->alm->lmax);
    report_integer("mmax", s->alm->mmax);
    report_integer("phi_lmax", s->phi->lmax);
    report_real("deflection", deflection_arcmin(s->phi) * (M_PI / 180 / 60));
    report_real("epsilon", a->epsilon);
    note("wrote %s: %s%s, lensed from lmax %lld, mmax %lld, by deflections of rms %.4g "
         "arcmin from lmax %lld, epsilon %g",
         a->base.output, s->map->nfields > 1 ? "I, Q and U, " : "", s->pixels.on.text,
         (long long)s->alm->lmax, (long long)s->alm->mmax, deflection_arcmin(s->phi),
         (long long)s->phi->lmax, a->epsilon);
    return CLI_OK;
}

static int make_map(const arguments *a, sheet *s)
{
    int code = check_files(a, s);
    if (code == CLI_OK) code = check_deflection(a, s);
    if (code != CLI_OK) return code;
    code = share_choose(&a->grid, &s->pixels);
    if (code == CLI_OK) code = mapfile_new(&s->pixels, a->base.pol ? 3 : 1, 0, &s->map, s->values);
    if (code == CLI_OK) code = lens_all(a, s);
    return code == CLI_OK ? write_map(a, s) : code;
}

static int work(void *self)
{
    const arguments *a = self;
    sheet s = {.alm = NULL};
    armilla_status status = armilla_alm_read(a->base.files[0], a->base.pol ? 0 : 1, &s.alm);
    int code = status ? data_error(status, a->base.files[0]) : CLI_OK;
    if (code == CLI_OK && (status = armilla_alm_read(a->phi, 1, &s.phi)))
        code = data_error(status, a->phi);
    if (code == CLI_OK) code = make_map(a, &s);
    mapfile_free(s.map, s.values);
    share_free(&s.pixels);
    armilla_alm_file_free(s.phi);
    armilla_alm_file_free(s.alm);
    return code;
}

const command lens_command = {
    .name = "lens",
    .summary = "spherical harmonic coefficients to a lensed map",
    .usage = "lens ALM --phi FILE -o map.fits --grid NAME [options]",
    .text = "Sums the harmonics of a coefficient file where the light of each pixel of a map\n"
            "came from: the pixel's direction, moved along a great circle by the gradient of\n"
            "the potential whose coefficients are the first table of --phi. Of the first table of\n"
            "ALM, the temperature, or with --pol of T, E and B, which make I, Q and U; these are\n"
            "turned as they are carried along. --epsilon is the largest rms error of values,\n"
            "relative to the field's rms over the sphere. Potentials that deflect by more than a\n"
            "degree (rms) are refused, unless --any-deflection says that they are "
            "meant.\n" PIXEL_GRID_NAMES,
    .example = "armilla lens alm.fits --phi phi.fits -o lensed.fits --grid healpix:2048 --pol",
    .report =
        "fields (1, or 3: I, Q, U), nside (of HEALPix), grid (its name), lmax, mmax, phi_lmax,\n"
        "deflection (rms, radians), epsilon",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the file ALM of coefficients is missing",
    .tables = {table, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};
