/* A map as the commands work on it: the temperature, or I, Q and U, and which pixels are missing.
 * Over ranks each has the pixels of its share, and all calls that read, write or sum are
 * collective.
 */
#ifndef ARMILLA_CLI_SKY_H
#define ARMILLA_CLI_SKY_H

#include "reals.h"
#include "share.h"

#include <armilla/armilla.h>
#include <math.h>

enum { SKY_FIELDS = 3 };

typedef struct sky {
    armilla_map *map;         /* nfields fields, RING; U has the sign of COSMO */
    pixel_share share;        /* which pixels are here, and of which grid */
    int64_t npix, all;        /* npix: pixels that are here; all: of the map */
    int64_t nfields;          /* 1; or 3: I, Q, U */
    int64_t column;           /* of the file: of the first field */
    reals values[SKY_FIELDS]; /* npix values each, of map; floats where these were asked for */
    /* npix flags each. Q and U share theirs: a pixel without one of them has no polarisation. */
    unsigned char *missing[SKY_FIELDS];
    int64_t nmissing[SKY_FIELDS]; /* of the map */
    reals weights;                /* of a mask, npix; none without one */
    const char *path;
} sky;

/* NaN, or the mark of a missing pixel: files store it in float or double, so that it is equal to
 * 1e-5, as in HEALPix. */
static inline int sky_is_missing(double value)
{
    return isnan(value) || fabs(value - ARMILLA_UNSEEN) <= 1e-5 * fabs(ARMILLA_UNSEEN);
}

/* Have two maps that are combined the same grid, and, where both name theirs, the same system of
 * coordinates? label: what names the second, such as "--mask"; "" for an argument. Returned:
 * CLI_OK, or CLI_USAGE after a message. */
int sky_check_same(const char *label, const char *path, const armilla_map *map,
                   const char *first_path, const armilla_map *first);

/* Says that a pixel of a mask is negative, and what a mask is. Returned: the exit code. */
int sky_mask_is_negative(const char *label, const char *path, int64_t pixel);

/* What to read: a column of a map file, by its number from 0, by its name, or by the first letter
 * of a name such as Q_POLARISATION. */
typedef struct sky_request {
    const char *path;
    const char *field; /* NULL: column 0 */
    const char *mask;  /* a map file or NULL; pixels where its first column is 0 (or missing) become
                          missing */
    const char *hdu;   /* extension of the map: number or name; NULL: the first that holds one */
    int pol;           /* the column is I, and the two that follow are Q and U */
    int single;        /* hold floats */
} sky_request;

/* Returns an exit code, after a message if it is not CLI_OK. Free with sky_free in any case. */
int sky_read(const sky_request *request, sky *self);
void sky_free(sky *self); /* a sky of zeros is allowed */

/* The number of the column that the field of a request means, in this extension (0: the first that
 * holds a map). In sky_column.c. */
int sky_find_column(const sky_request *request, int hdu, int64_t *column);

/* The exit code, after a message that lists the columns of the file, where those of a request are
 * not among them. Not collective; likewise there. */
int sky_lacks_columns(const sky_request *request);

/* Does `wanted` mean a column of this name, as above: "Q" does Q_POLARISATION. Likewise there. */
int sky_name_means(const char *wanted, const char *name);

/* Subtracts the monopole of the first field, and with dipole != 0 the dipole too, fitted together
 * to the pixels that are not missing, each with weight 1 whatever the mask's value there (as
 * HEALPix does), or on other grids its weight of quadrature. In multipoles.c. */
int sky_remove_multipoles(sky *self, int dipole);

/* Makes the map ready for a transform: missing pixels become 0, others are multiplied by the mask.
 */
void sky_weight(sky *self);

/* Marks the missing pixels with ARMILLA_UNSEEN. */
void sky_mark_missing(sky *self);

/* Writes the map in RING order, missing pixels marked: as double where the file had that, else as
 * float. Returns an exit code, after a message unless CLI_OK. */
int sky_write(sky *self, const char *path, int overwrite);

/* The same for --json: "missing", an array of a number for each field. */
void sky_report_missing(const sky *self);

/* How many pixels are missing: "12", or "12 (I), 14 (Q, U)"; in a static buffer. */
const char *sky_missing_text(const sky *self);

#endif
