/* Files: HEALPix maps, alm and spectra in FITS as healpy and HEALPix write them, and pictures.
 *
 * Every write goes to a temporary name in the target's directory and is renamed when it is whole
 * and on disk: a failure or a kill leaves no file, or the old one, under the asked name. A target
 * that is no regular file (a directory, a device) is refused. Missing pixels are ARMILLA_UNSEEN in
 * files and NaN-free in memory: NaN in a file is read as ARMILLA_UNSEEN. */
#ifndef ARMILLA_IO_H
#define ARMILLA_IO_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_UNSEEN       (-1.6375e30) /* HEALPix' mark of a missing pixel */
#define ARMILLA_IO_NAME_SIZE 72           /* longest FITS keyword value + 1, rounded up */

typedef enum armilla_io_type { /* storage type of a column */
                               ARMILLA_IO_DOUBLE = 0,
                               ARMILLA_IO_FLOAT = 1,
                               ARMILLA_IO_INT16 = 2,
                               ARMILLA_IO_INT32 = 3,
                               ARMILLA_IO_INT64 = 4 /* exact up to 2^53 */
} armilla_io_type;

typedef enum armilla_io_order { ARMILLA_IO_RING = 0, ARMILLA_IO_NESTED = 1 } armilla_io_order;

/* One column of a map file. values is in the order of the map struct (RING after a read). */
typedef struct armilla_field {
    char name[ARMILLA_IO_NAME_SIZE]; /* TTYPE, such as "TEMPERATURE"; "" when unknown */
    char unit[ARMILLA_IO_NAME_SIZE]; /* TUNIT, such as "mK"; "" when unknown */
    armilla_io_type type;            /* type in the file */
    double *values;                  /* npix values, missing = ARMILLA_UNSEEN */
} armilla_field;

/* A HEALPix map in memory: always full sky and in RING order after a read. */
typedef struct armilla_map {
    int64_t nside, npix, nfields;
    armilla_field *fields;  /* nfields of them */
    armilla_io_order order; /* order in the file (read), or to be written (write) */
    int partial;            /* file holds / shall hold only the observed pixels (EXPLICIT) */
    int iau;                /* file says POLCCONV = IAU; U was (read) or will be (write) negated */
    char coordsys;          /* 'G', 'E', 'C', or 0 when unknown */
} armilla_map;

/* Reads a HEALPix map.
 * Given:    path;  hdu  1 = first extension, or 0 for the first table that holds a map;
 *           nfields, fields: column numbers from 0 (the PIXEL column of a partial map does not
 *           count); fields = NULL: all columns.
 * Returned: *map  new; free with armilla_map_free.
 * Errors:   IO, FORMAT, ARGUMENT (a column the file does not have), MEMORY, UNSUPPORTED. */
ARMILLA_API armilla_status armilla_map_read(const char *path, int hdu, int64_t nfields,
                                            const int64_t *fields, armilla_map **map);

/* A map of zeros, fields named as HEALPix names 1, 2, 3 or 6 columns, type float, RING. */
ARMILLA_API armilla_status armilla_map_new(int64_t nside, int64_t nfields, armilla_map **map);
ARMILLA_API void armilla_map_free(armilla_map *map);

/* Writes a map; values are in RING order in memory whatever map->order says.
 * Given:    path;  map;  overwrite  0: refuse an existing file. */
ARMILLA_API armilla_status armilla_map_write(const char *path, const armilla_map *map,
                                             int overwrite);

/* Coefficients of ncomp fields (T; or T, E, B), triangular layout, component after component. */
typedef struct armilla_alm_file {
    int64_t lmax, mmax, ncomp;
    armilla_io_type type; /* ARMILLA_IO_DOUBLE or ARMILLA_IO_FLOAT */
    double *alm;          /* ncomp * armilla_alm_size(lmax, mmax) complex numbers */
    char coordsys;        /* 'G', 'E', 'C' or 0 */
} armilla_alm_file;

/* Rows in any order; omitted rows are 0.
 * Given:    path;  hdu  0 = all alm tables of the file, else this one.
 * Returned: *alm  new; free with armilla_alm_file_free.
 * Errors:   IO, FORMAT, ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_alm_read(const char *path, int hdu, armilla_alm_file **alm);
ARMILLA_API armilla_status armilla_alm_file_new(int64_t lmax, int64_t mmax, int64_t ncomp,
                                                armilla_alm_file **alm);
ARMILLA_API void armilla_alm_file_free(armilla_alm_file *alm);
ARMILLA_API armilla_status armilla_alm_write(const char *path, const armilla_alm_file *alm,
                                             int overwrite);

/* Power spectra, spectrum after spectrum; cl[i * (lmax + 1) + l], unit^2. */
typedef struct armilla_cl_file {
    int64_t lmax, nspectra;
    char (*names)[ARMILLA_IO_NAME_SIZE]; /* "TEMPERATURE", "GRADIENT", ... or "TT", ... */
    char unit[ARMILLA_IO_NAME_SIZE];
    armilla_io_type type;
    double *cl;
} armilla_cl_file;

/* Reads a FITS table or a text table. Text: columns l, TT, ... separated by blanks or commas, '#'
 * comments; l must rise by one from its first value, degrees below are 0. A header comment
 * "l TT EE" names the columns; "l TT EE in uK^2", or a comment "unit: uK^2", tells the unit, too.
 * A header comment that names D_l or Dl, or l(l+1)C_l/2pi, marks columns of
 * D_l = l (l + 1) C_l / 2 pi, which are converted to C_l. Either may begin at any l up to 10^6, but
 * not with more than 1024 degrees for each of its rows where these make more than 2^24 numbers. */
ARMILLA_API armilla_status armilla_cl_read(const char *path, armilla_cl_file **cl);
ARMILLA_API armilla_status armilla_cl_file_new(int64_t lmax, int64_t nspectra,
                                               armilla_cl_file **cl);
ARMILLA_API void armilla_cl_file_free(armilla_cl_file *cl);
ARMILLA_API armilla_status armilla_cl_write(const char *path, const armilla_cl_file *cl,
                                            int overwrite);

/* What a FITS file holds, table after table, as text for people: kind (map, alm, cl), nside,
 * ordering, columns with type, unit, minimum, maximum, number of missing pixels. The text is
 * allocated: free with armilla_io_text_free. */
ARMILLA_API armilla_status armilla_io_describe(const char *path, char **text);
ARMILLA_API void armilla_io_text_free(char *text);

/* --- Pictures --------------------------------------------------------------------------------- */

typedef struct armilla_picture_options {
    size_t size;    /* set by _init */
    int64_t width;  /* pixels; default 1600 */
    double minimum; /* colour scale; NaN (default): from the data (0.5 % and 99.5 % quantile) */
    double maximum;
    const char *title; /* may be NULL */
    const char *unit;  /* below the colour bar; may be NULL */
    int64_t nthreads;  /* 0 (default): all available to the process */
} armilla_picture_options;

ARMILLA_API void armilla_picture_options_init(armilla_picture_options *options);

/* Mollweide picture of a HEALPix RING map: longitude 0 in the centre, growing to the left (east
 * left, as astronomers do), colour bar with numbers, missing pixels grey.
 * Given:    path of the PNG;  nside;  values  12 nside^2 doubles;  options or NULL;
 *           overwrite  0: refuse an existing file.
 * Errors:   ARGUMENT, IO, MEMORY. */
ARMILLA_API armilla_status armilla_picture_write(const char *path, int64_t nside,
                                                 const double *values,
                                                 const armilla_picture_options *options,
                                                 int overwrite);

#ifdef __cplusplus
}
#endif
#endif
