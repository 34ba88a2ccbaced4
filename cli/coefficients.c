/* Reads the coefficients that a command starts from. A file that holds a map is analyzed with the
 * command's options; one that holds coefficients is read as it is, and options that only a map has
 * a use for are refused. */
#include "coefficients.h"

#include "hdu.h"
#include "mapfile.h"
#include "message.h"
#include "progress.h"
#include "ranks.h"
#include "sky.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 512 };

static armilla_status look_for_map(const char *path, int hdu)
{
    armilla_map_input *input = NULL;
    const armilla_status status = armilla_map_input_open(path, hdu, &input);
    armilla_map_input_free(input);
    return status == ARMILLA_ERROR_UNSUPPORTED ? ARMILLA_OK : status; /* partial */
}

static int has_coefficients(const char *path, int hdu)
{
    armilla_alm_input *input = NULL;
    const armilla_status status = armilla_alm_input_open(path, hdu, &input);
    armilla_alm_input_free(input);
    return status == ARMILLA_OK;
}

static int make_room(const pixel_share *pixels, int64_t lmax, int64_t mmax, int64_t ncomp,
                     const common *base, coefficients *self)
{
    const int code = transform_new_coefficients(pixels, lmax, mmax, ncomp, base, &self->sht);
    if (code != CLI_OK) return code;
    self->alm = (armilla_alm_file){
        .lmax = lmax, .mmax = mmax, .ncomp = ncomp, .alm = transform_alm(&self->sht)};
    return self->alm.alm ? CLI_OK : CLI_FAILED;
}

static int analyze(const char *path, int pol, analysis_options options, const common *base,
                   double share, coefficients *self)
{
    sky map = {.map = NULL};
    transform sht = {.grid = NULL};
    const sky_request request = analysis_request(path, pol, 0, &options);
    int code = sky_read(&request, &map);
    if (code == CLI_OK) code = analysis_check(&options, &map.share.on);
    if (code == CLI_OK)
        code = transform_new(
            &map.share, options.lmax, options.mmax, map.nfields, options.ring_weights,
            &(common){.threads = base->threads, .device = base->device, .devices = base->devices},
            &sht);
    if (code == CLI_OK) {
        sky_weight(&map);
        self->is_map = 1;
        code = make_room(&map.share, sht.lmax, sht.mmax, sht.ncomp, base, self);
    }
    progress_stage("analysis", 0, share);
    if (code == CLI_OK) code = transform_analysis(&sht, &options, map.values, self->alm.alm);
    if (code == CLI_OK) transform_note_lmax(&sht, &options);
    transform_free(&sht);
    sky_free(&map);
    return code;
}

/* Options that would have no effect. */
static int check_options(const char *path, const analysis_options *options)
{
    if (options->lmax < 0 && options->mmax < 0 && options->iterations == STEPS_DEFAULT &&
        !(options->tolerance > 0) && !options->mask && !options->field && !options->hdu)
        return CLI_OK;
    return usage_error(
        "\"%s\" holds coefficients: --lmax, --iter, --tol, --mask, --field and --hdu "
        "are for maps",
        path);
}

/* Adds to the error of a file that has no coefficients why it is no map: what cards contradict. */
static void explain_map(const char *path)
{
    char first[MOST_TEXT], both[2 * MOST_TEXT];
    snprintf(first, sizeof first, "%s", armilla_status_message());
    if (!strstr(first, "holds no coefficients")) return;
    const char *separator = look_for_map(path, 0) ? "; " : "";
    snprintf(both, sizeof both, "%s%s%s", first, separator,
             *separator ? armilla_status_message() : "");
    armilla_status_record(ARMILLA_ERROR_FORMAT, both);
}

int coefficients_find_spin(const char *path, const analysis_options *options, int64_t *spin)
{
    static const char *const names[] = {"Q", "U"};
    const sky_request request = analysis_request(path, 0, 0, options);
    char name[ARMILLA_IO_NAME_SIZE];
    int64_t column = 0;
    int hdu = 0, code = hdu_find(path, options->hdu, &hdu);
    *spin = 2;
    if (code != CLI_OK || look_for_map(path, hdu)) return code;
    code = sky_find_column(&request, hdu, &column);
    for (int64_t i = 0; i < 2 && code == CLI_OK; i++)
        if (mapfile_column_name(path, hdu, column + 1 + i, name) || !sky_name_means(names[i], name))
            *spin = 0;
    return code;
}

static int read_file(const char *path, const armilla_alm_input *input, const common *base,
                     coefficients *self)
{
    const armilla_alm_file *file = armilla_alm_input_alm(input);
    int code = ranks_check_alike(file->lmax, path, "lmax");
    if (code == CLI_OK) code = ranks_check_alike(file->mmax, path, "mmax");
    if (code == CLI_OK) code = ranks_check_alike(file->ncomp, path, "components");
    if (code == CLI_OK) code = make_room(NULL, file->lmax, file->mmax, file->ncomp, base, self);
    return code == CLI_OK ? transform_read_alm(&self->sht, path, input, self->alm.alm) : code;
}

/* What the file holds, a map or else coefficients, for which an input is made. */
static int open_file(const char *path, int64_t spin, const analysis_options *options, int *is_map,
                     armilla_alm_input **input)
{
    int hdu = 0;
    const int code = hdu_find(path, options->hdu, &hdu);
    if (code != CLI_OK) return code;
    *is_map = look_for_map(path, hdu) == ARMILLA_OK;
    if (*is_map && spin != 0 && spin != 2)
        return usage_error("--spin %lld: \"%s\" is a map; Q and U have spin 2", (long long)spin,
                           path);
    if (*is_map) return CLI_OK;
    if (hdu != 0 && !has_coefficients(path, hdu)) return data_error(look_for_map(path, hdu), path);
    const armilla_status status = armilla_alm_input_open(path, spin ? 0 : 1, input);
    if (status == ARMILLA_ERROR_FORMAT) explain_map(path);
    return status ? data_error(status, path) : check_options(path, options);
}

int coefficients_read(const char *path, int64_t spin, const analysis_options *options,
                      const common *base, double share, coefficients *self)
{
    armilla_alm_input *input = NULL;
    int is_map = 0;
    *self = (coefficients){.is_map = 0};
    int code = ranks_agree(open_file(path, spin, options, &is_map, &input));
    if (code == CLI_OK) code = ranks_check_alike(is_map, path, "what it holds");
    if (code == CLI_OK)
        code = is_map ? analyze(path, spin != 0, *options, base, share, self)
                      : read_file(path, input, base, self);
    armilla_alm_input_free(input);
    return code;
}

void coefficients_free(coefficients *self)
{
    free(self->alm.alm);
    transform_free(&self->sht);
    *self = (coefficients){.is_map = 0};
}
