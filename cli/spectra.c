/* See spectra.h. */
#include "spectra.h"

#include "message.h"
#include "number.h"
#include "paths.h"
#include "textfile.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Names that mean the same, here and in HEALPix. */
static const char *const synonyms[][2] = {
    {"TT", "TEMPERATURE"}, {"EE", "GRADIENT"}, {"BB", "CURL"},
    {"TE", "G-T"},         {"TB", "C-T"},      {"EB", "C-G"},
};

static const char *canonical(const char *name)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcasecmp(name, synonyms[i][1]) == 0) return synonyms[i][0];
    return name;
}

/* Number of the spectrum that name means, or -1. */
static int64_t find(const armilla_cl_file *file, const char *name)
{
    int64_t number;
    if (!name) return 0;
    for (int64_t i = 0; i < file->nspectra; i++)
        if (strcasecmp(canonical(file->names[i]), canonical(name)) == 0) return i;
    if (number_integer(name, &number) == NULL && number >= 0 && number < file->nspectra)
        return number;
    return -1;
}

static int not_found(const armilla_cl_file *file, const char *path, const char *name)
{
    char list[256] = "";
    size_t used = 0;
    for (int64_t i = 0; i < file->nspectra && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 file->names[i]);
    return usage_error("--spectrum \"%s\": \"%s\" has the spectra %s (numbers 0 to %lld)", name,
                       path, list, (long long)file->nspectra - 1);
}

int spectrum_read(const char *path, const char *name, spectrum *self)
{
    armilla_cl_file *file;
    armilla_status status = armilla_cl_read(path, &file);
    if (status) return data_error(status, path);
    int64_t index = find(file, name);
    if (index < 0) {
        int code = not_found(file, path, name);
        armilla_cl_file_free(file);
        return code;
    }
    self->file = file;
    self->lmax = file->lmax;
    self->values = file->cl + index * (file->lmax + 1);
    return CLI_OK;
}

void spectrum_free(spectrum *self)
{
    armilla_cl_file_free(self->file);
    self->file = NULL;
}

void spectrum_map_unit(const spectrum *self, char unit[ARMILLA_IO_NAME_SIZE])
{
    const char *square = self->file->unit, *end = strstr(square, "^2");
    unit[0] = '\0';
    if (!end || end[2]) return;
    int bracketed = square[0] == '(' && end > square + 1 && end[-1] == ')';
    int length = (int)(end - square) - 2 * bracketed;
    snprintf(unit, ARMILLA_IO_NAME_SIZE, "%.*s", length, square + bracketed);
}

static int write_fits(const char *path, int64_t lmax, const double *cl, const char *name,
                      const char *unit, int overwrite)
{
    armilla_cl_file *file;
    armilla_status status = armilla_cl_file_new(lmax, 1, &file);
    if (status) return data_error(status, NULL);
    snprintf(file->names[0], ARMILLA_IO_NAME_SIZE, "%s", name);
    snprintf(file->unit, ARMILLA_IO_NAME_SIZE, "%s", unit);
    memcpy(file->cl, cl, (size_t)(lmax + 1) * sizeof *cl);
    status = armilla_cl_write(path, file, overwrite);
    armilla_cl_file_free(file);
    return status ? data_error(status, path) : CLI_OK;
}

static int write_text(const char *path, int64_t lmax, const double *cl, const char *name,
                      const char *unit, int overwrite)
{
    textfile text;
    int code = textfile_open(path, overwrite, &text);
    if (code != CLI_OK) return code;
    char column[ARMILLA_IO_NAME_SIZE]; /* one word, as armilla_cl_read wants it */
    snprintf(column, sizeof column, "%s", canonical(name));
    for (char *c = column; *c; c++)
        if (strchr(" \t,#", *c)) *c = '_';
    fprintf(text.stream, "# l %s%s%s\n", column, *unit ? " in " : "", unit);
    for (int64_t l = 0; l <= lmax; l++) fprintf(text.stream, "%lld %.17g\n", (long long)l, cl[l]);
    return textfile_close(&text);
}

int spectrum_write(const char *path, int64_t lmax, const double *cl, const char *name,
                   const char *unit, int overwrite)
{
    int text = path_ends_in(path, ".txt");
    return (text ? write_text : write_fits)(path, lmax, cl, name, unit, overwrite);
}
