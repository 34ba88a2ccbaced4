/* Power spectra in files: TT alone, or the six of T, E and B. */
#ifndef ARMILLA_CLI_SPECTRA_H
#define ARMILLA_CLI_SPECTRA_H

#include <armilla/armilla.h>

enum { SPECTRA_MAX = 6 };

/* Six spectra in their order in files, TT EE BB TE TB EB, as HEALPix has it. */
extern const char *const spectra_names[SPECTRA_MAX];

/* The two fields (T 0, E 1, B 2) of each. */
extern const int spectra_fields[SPECTRA_MAX][2];

typedef struct spectra {
    armilla_cl_file *file;
    int64_t lmax;
    const double *values[SPECTRA_MAX]; /* lmax + 1 each, belong to file; NULL: not in the file */
    const char *path;
} spectra;

/* Reads the spectrum called name ("TT", "EE", ... or as in the file), or the one of that number
 * from 0, into values[0]; name NULL: number 0. label: the option that gave it. Returns an exit
 * code, after a message unless CLI_OK. Free with spectra_free. */
int spectra_read(const char *path, const char *label, const char *name, spectra *self);

/* Reads TT, EE, BB and TE, and TB and EB if the file has them: by their names, or in this order
 * where the names tell nothing (the library names columns of text that have no names). */
int spectra_read_polarised(const char *path, spectra *self);
void spectra_free(spectra *self);

/* The covariance of T, E and B, degrees 0 .. lmax, as armilla_alm_random_correlated takes it:
 * matrix[3][3][lmax + 1], free with free. E and B begin at l = 2, what files hold below is ignored.
 * Refuses spectra that no sky has. */
int spectra_covariance(const spectra *self, int64_t lmax, double **matrix);

/* The unit of a map with these spectra: "uK" for "uK^2"; "" when unknown. */
void spectra_map_unit(const spectra *self, char unit[ARMILLA_IO_NAME_SIZE]);

/* Writes spectra: FITS, or text with columns l, TT, ... where path ends in .txt or .dat. */
int spectra_write(const char *path, const armilla_cl_file *file, int overwrite);

/* The same of powers of bands, a row for each, without a column for its number. text: a comment of
 * text files, or NULL. */
int spectra_write_bands(const char *path, const armilla_cl_file *file, const char *text,
                        int overwrite);

/* Another name of the same spectrum, such as "TT" for "TEMPERATURE"; name itself if there is none.
 */
const char *spectra_canonical(const char *name);

#endif
