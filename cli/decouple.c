/* Powers of bands without a mask: masks of both maps are transformed, what they do to each pair of
 * T and of E and B is asked of the library, and the bands of the masked map's spectra are solved
 * for. See decouple.h. */
#include "decouple.h"

#include "columns.h"
#include "covariance.h"
#include "message.h"
#include "number.h"
#include "paths.h"
#include "progress.h"
#include "ranks.h"
#include "spectra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS = COVARIANCE_MAPS, FIELDS = COVARIANCE_FIELDS, PAIRS = COVARIANCE_PAIRS, FIRST = 2 };

/* A call: bands, and coefficients of the masks. */
typedef struct {
    const decouple_options *options;
    const analysis_options *analysis;
    const common *arguments;
    const transform *sht;
    const sky *maps;
    int64_t nmaps;
    double *const *alm;
    int64_t *begin, *end;
    double *factor;
    armilla_bands bands;
    transform of_masks;
    double *masks[MAPS * FIELDS]; /* of the first map, then of the second */
    double *matrix[PAIRS];
    decoupled made;
} work;

/* --- Bands -------------------------------------------------------------------------------------
 */

int decouple_check(decouple_options *options)
{
    double width;
    if (!options->is_wanted) {
        const char *other = options->bands        ? "bands"
                            : options->dl         ? "dl"
                            : options->errors     ? "errors"
                            : options->covariance ? "covariance"
                            : options->cl         ? "cl"
                                                  : NULL;
        return other ? usage_error("--%s: needs --decouple", other) : CLI_OK;
    }
    if (options->cl && !options->errors && !options->covariance)
        return usage_error(
            "--cl: needs --errors or --covariance, which are computed from these spectra");
    if (!options->bands)
        return usage_error("--decouple: needs --bands: a width in degrees, or a file of first and "
                           "last degrees");
    if (number_real(options->bands, &width)) { /* a file */
        const named_path file = {"--bands", options->bands};
        return paths_check_input(&file);
    }
    if (!(width >= 1 && width <= MAX_DEGREE && width == floor(width)))
        return usage_error("--bands %s: must be a whole number of degrees, 1 or more, or a file",
                           options->bands);
    options->width = (int64_t)width;
    return CLI_OK;
}

static const char *check_row(const double *row)
{
    if (row[0] != floor(row[0]) || row[1] != floor(row[1]) || !(row[0] >= 0))
        return "must hold two degrees, whole numbers";
    return row[0] <= row[1] ? NULL : "must hold the first degree of a band, then the last";
}

static int take_room(work *w, int64_t nbands)
{
    w->begin = malloc((size_t)nbands * sizeof *w->begin);
    w->end = malloc((size_t)nbands * sizeof *w->end);
    w->bands.nbands = nbands, w->bands.begin = w->begin, w->bands.end = w->end;
    return w->begin && w->end ? CLI_OK : memory_error();
}

static int read_bands(work *w)
{
    enum { MOST = 1000000 };
    columns file = {.path = w->options->bands,
                    .names = "first and last degrees of bands",
                    .width = 2,
                    .most = MOST,
                    .check = check_row};
    int code = columns_read(&file);
    if (code == CLI_OK && file.count == 0)
        code = work_error("\"%s\": holds no band", w->options->bands);
    if (code == CLI_OK) code = take_room(w, file.count);
    for (int64_t i = 0; i < file.count && code == CLI_OK; i++) {
        w->begin[i] = (int64_t)file.rows[2 * i];
        w->end[i] = (int64_t)file.rows[2 * i + 1] + 1;
        if (w->end[i] - 1 > w->sht->lmax)
            code = work_error("\"%s\": band %lld ends at l = %lld, beyond lmax = %lld",
                              w->options->bands, (long long)i + 1, (long long)w->end[i] - 1,
                              (long long)w->sht->lmax);
    }
    free(file.rows);
    return code;
}

/* Whole bands from l = 2 on. */
static int make_bands(work *w)
{
    const int64_t width = w->options->width, nbands = (w->sht->lmax + 1 - FIRST) / width;
    if (nbands < 1)
        return work_error(
            "--bands %lld: no band of so many degrees fits between %d and lmax = %lld",
            (long long)width, FIRST, (long long)w->sht->lmax);
    const int code = take_room(w, nbands);
    for (int64_t i = 0; i < nbands && code == CLI_OK; i++)
        w->begin[i] = FIRST + i * width, w->end[i] = w->begin[i] + width;
    return code;
}

static int prepare_bands(work *w)
{
    armilla_bands_init(&w->bands);
    const int code = w->options->width ? make_bands(w) : read_bands(w);
    if (code != CLI_OK || !w->options->dl) return code;
    w->factor = malloc((size_t)(w->sht->lmax + 1) * sizeof *w->factor);
    if (!w->factor) return memory_error();
    for (int64_t l = 0; l <= w->sht->lmax; l++)
        w->factor[l] = (double)(l * (l + 1)) / (2 * acos(-1));
    w->bands.factor = w->factor;
    return CLI_OK;
}

/* --- Masks -------------------------------------------------------------------------------------
 */

/* The mask of a field, with 0 where its pixels are missing. */
static int transform_mask(const work *w, const sky *map, int64_t field, double **alm)
{
    const reals mask = reals_new(w->of_masks.single, map->npix);
    int code = ranks_agree(reals_are_there(mask) ? CLI_OK : memory_error());
    if (code == CLI_OK) covariance_mask(map, field, mask);
    *alm = code == CLI_OK ? transform_alm(&w->of_masks) : NULL;
    if (code == CLI_OK)
        code = *alm ? transform_analysis(&w->of_masks, w->analysis, &mask, *alm) : CLI_FAILED;
    reals_free(mask);
    return code;
}

static int transform_masks(work *w)
{
    const int64_t most = pixel_grid_lmax(&w->maps->share.on), twice = 2 * w->sht->lmax;
    const int64_t lmask = twice < most ? twice : most, nfields = w->maps->nfields > 1 ? 2 : 1;
    int code = transform_new(&w->maps[0].share, lmask, lmask, 1, w->analysis->ring_weights,
                             w->arguments, &w->of_masks);
    for (int64_t i = 0; i < w->nmaps && code == CLI_OK; i++)
        for (int64_t f = 0; f < nfields && code == CLI_OK; f++) {
            const double done = (double)(i * nfields + f), all = (double)(w->nmaps * nfields);
            progress_stage("masks", done / all, (done + 1) / all);
            code = transform_mask(w, &w->maps[i], f, &w->masks[i * FIELDS + f]);
        }
    return code;
}

/* --- Powers ------------------------------------------------------------------------------------
 */

/* Spectra of a pair of fields, and of their masks: mask, then coupled; on all ranks. */
static int correlate(const work *w, int pair, double *mask, double *coupled)
{
    const transform *sht = w->sht;
    const covariance_pair *p = &covariance_pairs[pair];
    const double *first = w->alm[0], *second = w->alm[w->nmaps - 1];
    int code = transform_spectrum(&w->of_masks, w->masks[p->field[0]],
                                  w->masks[(w->nmaps - 1) * FIELDS + p->field[1]], mask);
    for (int64_t i = 0; i < p->nspectra && code == CLI_OK; i++) {
        const int *parts = p->parts[i];
        code = transform_spectrum(sht, first + 2 * parts[0] * sht->alm_size,
                                  second + 2 * parts[1] * sht->alm_size,
                                  coupled + i * (sht->lmax + 1));
    }
    return code;
}

/* Not collective. */
static armilla_status solve(const work *w, int pair, const double *mask, const double *coupled,
                            double *powers)
{
    const covariance_pair *p = &covariance_pairs[pair];
    const int64_t nbands = w->bands.nbands;
    armilla_coupling *coupling = NULL;
    armilla_exec exec;
    double condition = 0, *matrix = w->matrix[pair];
    armilla_exec_init(&exec);
    exec.nthreads = w->sht->nthreads;
    armilla_status status = covariance_coupling(w->sht, &w->of_masks, pair, mask, &coupling);
    if (!status) status = armilla_coupling_windows(coupling, &w->bands, NULL, matrix, &exec);
    if (!status)
        status =
            armilla_coupling_decouple(coupling, &w->bands, matrix, coupled, powers, &condition);
    armilla_coupling_free(coupling);
    for (int64_t i = 0; i < p->nspectra && !status; i++)
        if (p->column[i] >= 0)
            memcpy(w->made.powers->cl + (DECOUPLE_EDGES + p->column[i]) * nbands,
                   powers + i * nbands, (size_t)nbands * sizeof *powers);
    if (!status && condition > 1e10 && ranks_is_first())
        warning("the mask makes the bands of %s nearly indistinguishable (condition %.1e): powers "
                "have few digits; take wider bands",
                spectra_names[p->column[0]], condition);
    return status;
}

static int run_pair(work *w, int pair)
{
    const int64_t nbands = w->bands.nbands, length = w->sht->lmax + 1;
    const int64_t n = covariance_pairs[pair].nspectra;
    double *mask = malloc((size_t)(w->of_masks.lmax + 1 + n * (length + nbands)) * sizeof *mask);
    double *matrix = malloc((size_t)(2 * nbands * nbands) * sizeof *matrix);
    double *coupled = mask ? mask + w->of_masks.lmax + 1 : NULL;
    w->matrix[pair] = matrix;
    int code = ranks_agree(mask && matrix ? CLI_OK : memory_error());
    if (code == CLI_OK) code = correlate(w, pair, mask, coupled);
    if (code == CLI_OK) {
        const armilla_status status = solve(w, pair, mask, coupled, coupled + n * length);
        code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    }
    free(mask);
    return code;
}

static armilla_status make_result(work *w)
{
    static const char *const names[DECOUPLE_EDGES] = {"L_FIRST", "L_LAST", "L_MEAN"};
    const int64_t nbands = w->bands.nbands, nspectra = w->maps->nfields > 1 ? SPECTRA_MAX : 1;
    const int64_t ncolumns = DECOUPLE_EDGES + nspectra * (w->options->errors ? 2 : 1);
    const armilla_status status = armilla_cl_file_new(nbands - 1, ncolumns, &w->made.powers);
    if (status) return status;
    w->made.nspectra = nspectra;
    for (int64_t i = 0; i < ncolumns; i++) {
        const int64_t spectrum = (i - DECOUPLE_EDGES) % nspectra;
        snprintf(w->made.powers->names[i], sizeof *w->made.powers->names, "%s%s",
                 i < DECOUPLE_EDGES ? names[i] : spectra_names[spectrum],
                 i < DECOUPLE_EDGES + nspectra ? "" : "_ERROR");
    }
    for (int64_t b = 0; b < nbands; b++) {
        double *cl = w->made.powers->cl + b;
        cl[0] = (double)w->begin[b];
        cl[nbands] = (double)(w->end[b] - 1);
        cl[2 * nbands] = 0.5 * (double)(w->begin[b] + w->end[b] - 1);
    }
    return ARMILLA_OK;
}

/* --- Covariance --------------------------------------------------------------------------------
 */

/* Columns of standard deviations. A mask too small for the bands can make a variance negative. */
static void write_errors(const work *w, const double *cov)
{
    const int64_t nbands = w->bands.nbands, n = w->made.nspectra * nbands;
    double *errors = w->made.powers->cl + (DECOUPLE_EDGES + w->made.nspectra) * nbands;
    int64_t nwrong = 0;
    for (int64_t i = 0; i < n; i++) {
        nwrong += cov[i * (n + 1)] < 0;
        errors[i] = sqrt(cov[i * (n + 1)]);
    }
    if (nwrong && ranks_is_first())
        warning("%lld variances are negative, and their errors NaN: the bands are too narrow for "
                "the mask",
                (long long)nwrong);
}

static int add_covariance(work *w)
{
    const covariance_given given = {.cl = w->options->cl,
                                    .analysis = w->analysis,
                                    .sht = w->sht,
                                    .of_masks = &w->of_masks,
                                    .maps = w->maps,
                                    .nmaps = w->nmaps,
                                    .alm = w->alm,
                                    .mask_alm = w->masks,
                                    .bands = &w->bands,
                                    .matrices = {w->matrix[0], w->matrix[1], w->matrix[2]}};
    double *cov;
    int code = covariance_compute(&given, &cov);
    if (code == CLI_OK && w->options->errors) write_errors(w, cov);
    if (code == CLI_OK && w->options->covariance) {
        w->made.covariance = covariance_table(w->made.nspectra, w->bands.nbands, cov);
        code = ranks_agree(w->made.covariance ? CLI_OK : CLI_FAILED);
    }
    free(cov);
    return code;
}

void decoupled_free(decoupled *self)
{
    armilla_cl_file_free(self->powers);
    armilla_cl_file_free(self->covariance);
}

static int run(work *w)
{
    int code = ranks_agree(prepare_bands(w));
    if (code == CLI_OK) {
        const armilla_status status = make_result(w);
        code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    }
    if (code == CLI_OK) code = transform_masks(w);
    for (int i = 0; i < (w->maps->nfields > 1 ? PAIRS : 1) && code == CLI_OK; i++)
        code = run_pair(w, i);
    if (code == CLI_OK && (w->options->errors || w->options->covariance)) code = add_covariance(w);
    return code;
}

int decouple(const decouple_options *options, const analysis_options *analysis,
             const common *arguments, const transform *sht, const sky *maps, int64_t nmaps,
             double *const *alm, decoupled *made)
{
    work w = {.options = options,
              .analysis = analysis,
              .arguments = arguments,
              .sht = sht,
              .maps = maps,
              .nmaps = nmaps,
              .alm = alm};
    const int code = run(&w);
    for (int i = 0; i < MAPS * FIELDS; i++) free(w.masks[i]);
    for (int i = 0; i < PAIRS; i++) free(w.matrix[i]);
    transform_free(&w.of_masks);
    free(w.begin), free(w.end), free(w.factor);
    *made = w.made;
    return code;
}
