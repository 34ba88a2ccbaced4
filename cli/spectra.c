/* Reads power spectra from files and finds in them those that a command wants, by number, by any of
 * the names that HEALPix and CAMB use, or by their order where the names tell nothing. Writing is
 * in spectra_write.c, the covariance in spectra_covariance.c. */
#include "spectra.h"

#include "message.h"
#include "number.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *const spectra_names[SPECTRA_MAX] = {"TT", "EE", "BB", "TE", "TB", "EB"};
const int spectra_fields[SPECTRA_MAX][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

enum { NEEDED = 4 }; /* of the six */

/* Names that mean the same: HEALPix' (G and C are gradient and curl), CAMB's. */
static const char *const synonyms[][2] = {
    {"TT", "TEMPERATURE"},
    {"EE", "GRADIENT"},
    {"BB", "CURL"},
    {"TE", "G-T"},
    {"TB", "C-T"},
    {"EB", "C-G"},
    {"TE", "T-G"},
    {"TB", "T-C"},
    {"EB", "G-C"},
    {"TE", "E-T"},
    {"TB", "B-T"},
    {"EB", "B-E"},
    {"TE", "T-E"},
    {"TB", "T-B"},
    {"EB", "E-B"},
    {"TE", "ET"},
    {"TB", "BT"},
    {"EB", "BE"},
    {"EE", "E-MODE"},
    {"BB", "B-MODE"},
    {"EE", "E-POLARISATION"},
    {"TT", "T"},
    {"BB", "B-POLARISATION"},
};

const char *spectra_canonical(const char *name)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcasecmp(name, synonyms[i][1]) == 0) return synonyms[i][0];
    return name;
}

/* Number of the spectrum of that name in the file, or -1. */
static int64_t find_name(const armilla_cl_file *file, const char *name)
{
    const char *wanted = spectra_canonical(name);
    for (int64_t i = 0; i < file->nspectra; i++)
        if (strcasecmp(spectra_canonical(file->names[i]), wanted) == 0) return i;
    return -1;
}

/* Number of the spectrum that name means, or -1. */
static int64_t find(const armilla_cl_file *file, const char *name)
{
    int64_t number;
    if (!name) return 0;
    int64_t index = find_name(file, name);
    if (index < 0 && number_integer(name, &number) == NULL && number >= 0 &&
        number < file->nspectra)
        index = number;
    return index;
}

static const char *list_names(const armilla_cl_file *file)
{
    static char list[256];
    size_t used = 0;
    list[0] = '\0';
    for (int64_t i = 0; i < file->nspectra && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 file->names[i]);
    return list;
}

static int open_file(const char *path, spectra *self)
{
    armilla_status status = armilla_cl_read(path, &self->file);
    if (status) return data_error(status, path);
    self->lmax = self->file->lmax;
    self->path = path;
    return CLI_OK;
}

int spectra_read(const char *path, const char *label, const char *name, spectra *self)
{
    int code = open_file(path, self);
    if (code != CLI_OK) return code;
    int64_t index = find(self->file, name);
    if (index < 0)
        return usage_error("%s \"%s\": \"%s\" has the spectra %s (numbers 0 to %lld)", label, name,
                           path, list_names(self->file), (long long)self->file->nspectra - 1);
    self->values[0] = self->file->cl + index * (self->lmax + 1);
    return CLI_OK;
}

/* Does the file call any of its spectra by a name that is known? */
static int has_names(const armilla_cl_file *file)
{
    for (int i = 0; i < SPECTRA_MAX; i++)
        if (find_name(file, spectra_names[i]) >= 0) return 1;
    return 0;
}

int spectra_read_polarised(const char *path, spectra *self)
{
    int code = open_file(path, self);
    if (code != CLI_OK) return code;
    int named = has_names(self->file);
    for (int i = 0; i < SPECTRA_MAX; i++) {
        int64_t index = named ? find_name(self->file, spectra_names[i]) : i;
        if (index >= 0 && index < self->file->nspectra)
            self->values[i] = self->file->cl + index * (self->lmax + 1);
        else if (i < NEEDED)
            return usage_error("--pol: \"%s\" has the spectra %s: %s is missing; TT, EE, BB and TE "
                               "are needed (columns of zeros where there is no power)",
                               path, list_names(self->file), spectra_names[i]);
    }
    return CLI_OK;
}

void spectra_free(spectra *self)
{
    armilla_cl_file_free(self->file);
    memset(self, 0, sizeof *self);
}

void spectra_map_unit(const spectra *self, char unit[ARMILLA_IO_NAME_SIZE])
{
    const char *square = self->file->unit, *end = strstr(square, "^2");
    unit[0] = '\0';
    if (!end || end[2]) return;
    int bracketed = square[0] == '(' && end > square + 1 && end[-1] == ')';
    int length = (int)(end - square) - 2 * bracketed;
    snprintf(unit, ARMILLA_IO_NAME_SIZE, "%.*s", length, square + bracketed);
}
