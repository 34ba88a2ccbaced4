/* Powers of bands without a mask: masks of both maps are transformed, what they do to each pair of
 * T and of E and B is asked of the library, and the bands of the masked map's spectra are solved
 * for. See decouple.h. */
#include "decouple.h"

#include "columns.h"
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

enum { MAPS = 2, FIELDS = 2, PAIRS = 3, MOST_SPECTRA = 4, FIRST = 2 };

/* Pairs of fields that masks mix among themselves: T and T, T and E or B, E or B and E or B. */
static const struct {
    int mask[MAPS]; /* of T 0, of E and B 1 */
    int64_t spin[MAPS], nspectra;
    int fields[MOST_SPECTRA][MAPS]; /* T 0, E 1, B 2 */
    int column[MOST_SPECTRA];       /* in spectra_names; -1: is not written */
} pairs[PAIRS] = {{{0, 0}, {0, 0}, 1, {{0, 0}}, {0}},
                  {{0, 1}, {0, 2}, 2, {{0, 1}, {0, 2}}, {3, 4}},
                  {{1, 1}, {2, 2}, 4, {{1, 1}, {1, 2}, {2, 1}, {2, 2}}, {1, 5, -1, 2}}};

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
    double *masks[MAPS][FIELDS];
    armilla_cl_file *made;
} work;

/* --- Bands -------------------------------------------------------------------------------------
 */

int decouple_check(decouple_options *options)
{
    double width;
    if (!options->is_wanted) {
        const char *other = options->bands ? "bands" : options->dl ? "dl" : NULL;
        return other ? usage_error("--%s: needs --decouple", other) : CLI_OK;
    }
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
                    .most = MOST,
                    .check = check_row};
    int code = columns_read(&file);
    if (code == CLI_OK && file.count == 0)
        code = work_error("\"%s\": holds no band", w->options->bands);
    if (code == CLI_OK) code = take_room(w, file.count);
    for (int64_t i = 0; i < file.count && code == CLI_OK; i++) {
        w->begin[i] = (int64_t)file.rows[COLUMNS * i];
        w->end[i] = (int64_t)file.rows[COLUMNS * i + 1] + 1;
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
        return work_error("--bands %lld: no band of so many degrees fits into %d .. lmax = %lld",
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
    double *mask = malloc((size_t)map->npix * sizeof *mask + 1);
    int code = ranks_agree(mask ? CLI_OK : memory_error());
    for (int64_t i = 0; i < map->npix && code == CLI_OK; i++)
        mask[i] = map->missing[field][i] ? 0 : map->weights ? map->weights[i] : 1;
    *alm = code == CLI_OK ? transform_alm(&w->of_masks) : NULL;
    if (code == CLI_OK)
        code = *alm ? transform_analysis(&w->of_masks, w->analysis, &mask, *alm) : CLI_FAILED;
    free(mask);
    return code;
}

static int transform_masks(work *w)
{
    const int64_t most = 3 * w->maps->nside - 1, twice = 2 * w->sht->lmax;
    const int64_t lmask = twice < most ? twice : most, nfields = w->maps->nfields > 1 ? 2 : 1;
    int code = transform_new(&w->maps[0].share, lmask, lmask, 1, w->analysis->ring_weights,
                             w->arguments, &w->of_masks);
    for (int64_t i = 0; i < w->nmaps && code == CLI_OK; i++)
        for (int64_t f = 0; f < nfields && code == CLI_OK; f++) {
            const double done = (double)(i * nfields + f), all = (double)(w->nmaps * nfields);
            progress_stage("masks", done / all, (done + 1) / all);
            code = transform_mask(w, &w->maps[i], f, &w->masks[i][f]);
        }
    return code;
}

/* --- Powers ------------------------------------------------------------------------------------
 */

/* Spectra of a pair of fields, and of their masks: mask, then coupled; on all ranks. */
static int correlate(const work *w, int pair, double *mask, double *coupled)
{
    const transform *sht = w->sht;
    const double *first = w->alm[0], *second = w->alm[w->nmaps - 1];
    const int *of = pairs[pair].mask;
    int code =
        transform_spectrum(&w->of_masks, w->masks[0][of[0]], w->masks[w->nmaps - 1][of[1]], mask);
    for (int64_t i = 0; i < pairs[pair].nspectra && code == CLI_OK; i++) {
        const int *fields = pairs[pair].fields[i];
        code = transform_spectrum(sht, first + 2 * fields[0] * sht->alm_size,
                                  second + 2 * fields[1] * sht->alm_size,
                                  coupled + i * (sht->lmax + 1));
    }
    return code;
}

/* Not collective. */
static armilla_status solve(const work *w, int pair, const double *mask, const double *coupled,
                            double *matrix, double *powers)
{
    const int64_t nbands = w->bands.nbands;
    armilla_coupling_options options;
    armilla_coupling *coupling = NULL;
    armilla_exec exec;
    double condition = 0;
    armilla_coupling_options_init(&options);
    armilla_exec_init(&exec);
    options.spin1 = pairs[pair].spin[0], options.spin2 = pairs[pair].spin[1];
    exec.nthreads = w->sht->nthreads;
    armilla_status status =
        armilla_coupling_new(w->sht->lmax, w->of_masks.lmax, 1, mask, &options, &coupling);
    if (!status) status = armilla_coupling_windows(coupling, &w->bands, NULL, matrix, &exec);
    if (!status)
        status =
            armilla_coupling_decouple(coupling, &w->bands, matrix, coupled, powers, &condition);
    armilla_coupling_free(coupling);
    for (int64_t i = 0; i < pairs[pair].nspectra && !status; i++)
        if (pairs[pair].column[i] >= 0)
            memcpy(w->made->cl + (DECOUPLE_EDGES + pairs[pair].column[i]) * nbands,
                   powers + i * nbands, (size_t)nbands * sizeof *powers);
    if (!status && condition > 1e10 && ranks_is_first())
        warning("the bands of %s are nearly the same to the mask (condition %.1e): powers have few "
                "digits; take wider bands",
                spectra_names[pairs[pair].column[0]], condition);
    return status;
}

static int run_pair(const work *w, int pair)
{
    const int64_t nbands = w->bands.nbands, length = w->sht->lmax + 1;
    const int64_t n = pairs[pair].nspectra;
    double *mask = malloc((size_t)(w->of_masks.lmax + 1 + n * length) * sizeof *mask);
    double *matrix = malloc((size_t)(2 * nbands * nbands + n * nbands) * sizeof *matrix);
    double *coupled = mask ? mask + w->of_masks.lmax + 1 : NULL;
    int code = ranks_agree(mask && matrix ? CLI_OK : memory_error());
    if (code == CLI_OK) code = correlate(w, pair, mask, coupled);
    if (code == CLI_OK) {
        const armilla_status status =
            solve(w, pair, mask, coupled, matrix, matrix + 2 * nbands * nbands);
        code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    }
    free(mask);
    free(matrix);
    return code;
}

static armilla_status make_result(work *w)
{
    static const char *const names[DECOUPLE_EDGES] = {"L_FIRST", "L_LAST", "L_MEAN"};
    const int64_t nbands = w->bands.nbands, nspectra = w->maps->nfields > 1 ? SPECTRA_MAX : 1;
    const armilla_status status =
        armilla_cl_file_new(nbands - 1, DECOUPLE_EDGES + nspectra, &w->made);
    if (status) return status;
    for (int64_t i = 0; i < DECOUPLE_EDGES + nspectra; i++)
        snprintf(w->made->names[i], sizeof *w->made->names, "%s",
                 i < DECOUPLE_EDGES ? names[i] : spectra_names[i - DECOUPLE_EDGES]);
    for (int64_t b = 0; b < nbands; b++) {
        w->made->cl[b] = (double)w->begin[b];
        w->made->cl[nbands + b] = (double)(w->end[b] - 1);
        w->made->cl[2 * nbands + b] = 0.5 * (double)(w->begin[b] + w->end[b] - 1);
    }
    return ARMILLA_OK;
}

int decouple(const decouple_options *options, const analysis_options *analysis,
             const common *arguments, const transform *sht, const sky *maps, int64_t nmaps,
             double *const *alm, armilla_cl_file **powers)
{
    work w = {.options = options,
              .analysis = analysis,
              .arguments = arguments,
              .sht = sht,
              .maps = maps,
              .nmaps = nmaps,
              .alm = alm};
    int code = ranks_agree(prepare_bands(&w));
    if (code == CLI_OK) {
        const armilla_status status = make_result(&w);
        code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    }
    if (code == CLI_OK) code = transform_masks(&w);
    for (int i = 0; i < (maps->nfields > 1 ? PAIRS : 1) && code == CLI_OK; i++)
        code = run_pair(&w, i);
    for (int i = 0; i < MAPS * FIELDS; i++) free(w.masks[i / FIELDS][i % FIELDS]);
    transform_free(&w.of_masks);
    free(w.begin), free(w.end), free(w.factor);
    if (code == CLI_OK)
        *powers = w.made;
    else
        armilla_cl_file_free(w.made);
    return code;
}
