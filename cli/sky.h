/* A map as the commands work on it: one field, and which of its pixels are missing. */
#ifndef ARMILLA_CLI_SKY_H
#define ARMILLA_CLI_SKY_H

#include <armilla/armilla.h>

typedef struct sky {
    armilla_map *map; /* one field, RING */
    int64_t nside, npix, nmissing;
    double *values;         /* of that field; belongs to map */
    unsigned char *missing; /* npix flags */
    double *weights;        /* of a mask, npix; NULL without one */
    const char *path;
} sky;

/* Reads field (from 0) of a map file. On success free with sky_free. Returns an exit code, after a
 * message if it is not CLI_OK. */
int sky_read(const char *path, int64_t field, sky *self);
void sky_free(sky *self); /* a sky of zeros is allowed */

/* Reads field 0 of path as a mask: pixels where it is 0 (or missing) become missing in self. Exit
 * code as above; path NULL: nothing happens. */
int sky_read_mask(sky *self, const char *path);

/* Subtracts the monopole, and with dipole != 0 the dipole too, fitted together to the pixels that
 * are not missing, each with weight 1 whatever the mask's value there (as HEALPix does). */
int sky_remove_multipoles(sky *self, int dipole);

/* Makes the map ready for a transform: missing pixels become 0, others are multiplied by the mask.
 */
void sky_weight(sky *self);

/* Marks the missing pixels with ARMILLA_UNSEEN. */
void sky_mark_missing(sky *self);

#endif
