/* Spectra into files: see spectra.h. */
#include "message.h"
#include "paths.h"
#include "spectra.h"
#include "textfile.h"

#include <stdio.h>
#include <string.h>

static int write_fits(const char *path, const armilla_cl_file *file, int overwrite)
{
    armilla_status status = armilla_cl_write(path, file, overwrite);
    return status ? data_error(status, path) : CLI_OK;
}

/* One word, as armilla_cl_read wants it. */
static void print_name(FILE *stream, const char *name)
{
    fputc(' ', stream);
    for (const char *c = spectra_canonical(name); *c; c++)
        fputc(strchr(" \t,#", *c) ? '_' : *c, stream);
}

/* first: what the line of names begins with, "l" for rows that begin with their number. */
static int write_text(const char *path, const armilla_cl_file *file, const char *comment,
                      const char *first, int overwrite)
{
    textfile text;
    int code = textfile_open(path, overwrite, &text);
    if (code != CLI_OK) return code;
    if (comment) fprintf(text.stream, "# %s\n", comment);
    fprintf(text.stream, "#%s", first);
    for (int64_t i = 0; i < file->nspectra; i++) print_name(text.stream, file->names[i]);
    fprintf(text.stream, "%s%s\n", *file->unit ? " in " : "", file->unit);
    for (int64_t l = 0; l <= file->lmax; l++) {
        if (*first) fprintf(text.stream, "%lld", (long long)l);
        for (int64_t i = 0; i < file->nspectra; i++)
            fprintf(text.stream, "%s%.17g", *first || i > 0 ? " " : "",
                    file->cl[i * (file->lmax + 1) + l]);
        fputc('\n', text.stream);
    }
    return textfile_close(&text);
}

int spectra_write(const char *path, const armilla_cl_file *file, int overwrite)
{
    return path_is_text(path) ? write_text(path, file, NULL, " l", overwrite)
                              : write_fits(path, file, overwrite);
}

int spectra_write_bands(const char *path, const armilla_cl_file *file, const char *text,
                        int overwrite)
{
    return path_is_text(path) ? write_text(path, file, text, "", overwrite)
                              : write_fits(path, file, overwrite);
}
