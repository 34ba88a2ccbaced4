/* Reading one power spectrum of a file, and writing one. */
#ifndef ARMILLA_CLI_SPECTRA_H
#define ARMILLA_CLI_SPECTRA_H

#include <armilla/armilla.h>

typedef struct spectrum {
    armilla_cl_file *file;
    int64_t lmax;
    const double *values; /* lmax + 1, belongs to file */
} spectrum;

/* Reads the spectrum called name ("TT", "EE", ... or as in the file), or the one of that number
 * from 0; name NULL: number 0. Returns an exit code, after a message unless CLI_OK. */
int spectrum_read(const char *path, const char *name, spectrum *self);
void spectrum_free(spectrum *self);

/* The unit of a map with this spectrum: "uK" for "uK^2"; "" when unknown. */
void spectrum_map_unit(const spectrum *self, char unit[ARMILLA_IO_NAME_SIZE]);

/* Writes cl[0 .. lmax]: FITS, or text with columns l and cl where path ends in ".txt". */
int spectrum_write(const char *path, int64_t lmax, const double *cl, const char *name,
                   const char *unit, int overwrite);

#endif
