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

static int write_text(const char *path, const armilla_cl_file *file, int overwrite)
{
    textfile text;
    int code = textfile_open(path, overwrite, &text);
    if (code != CLI_OK) return code;
    fputs("# l", text.stream);
    for (int64_t i = 0; i < file->nspectra; i++) print_name(text.stream, file->names[i]);
    fprintf(text.stream, "%s%s\n", *file->unit ? " in " : "", file->unit);
    for (int64_t l = 0; l <= file->lmax; l++) {
        fprintf(text.stream, "%lld", (long long)l);
        for (int64_t i = 0; i < file->nspectra; i++)
            fprintf(text.stream, " %.17g", file->cl[i * (file->lmax + 1) + l]);
        fputc('\n', text.stream);
    }
    return textfile_close(&text);
}

int spectra_write(const char *path, const armilla_cl_file *file, int overwrite)
{
    return (path_is_text(path) ? write_text : write_fits)(path, file, overwrite);
}
