/* Maps that are read and written in pieces, so that a command needs no room for all of their
 * pixels. In memory a missing value (NaN, infinite or UNSEEN in the file) is NaN, and pixels are in
 * RING order. Partial maps are read as a whole, and written so if they are to be partial or NESTED.
 */
#ifndef ARMILLA_CLI_PIECES_H
#define ARMILLA_CLI_PIECES_H

#include "cards.h"

#include <armilla/armilla.h>

typedef struct map_source {
    const char *path;
    int hdu;                  /* of the map */
    armilla_map_input *input; /* or else whole */
    armilla_map *whole;
    const armilla_map *map; /* what there is; values only of whole */
} map_source;

/* hdu: number or name; NULL: the first with a map. Exit codes, after a message unless CLI_OK; free
 * in any case. */
int source_open(const char *path, const char *hdu, map_source *self);
int source_read(const map_source *self, int64_t column, int64_t first, int64_t count,
                double *values);
void source_free(map_source *self); /* zeros are allowed, as below */

/* The number of a column by its number as text or its name, or -1. */
int64_t source_find_column(const map_source *self, const char *name);

typedef struct map_target {
    const char *path;
    armilla_map
        map; /* nside or grid, npix, nfields, fields, order, partial, coordsys: what is to be */
    armilla_map_output *output; /* or else whole */
    armilla_map *whole;
    cards kept;
    int64_t missing; /* values that are, so far */
} map_target;

/* Begins a map as `map` says, whose fields are copied; cards are those of source, and HISTORY. */
int target_open(const char *path, int overwrite, const armilla_map *map, const map_source *source,
                const char *history, map_target *self);

/* Changes values: missing ones become UNSEEN. */
int target_write(map_target *self, int64_t field, int64_t first, int64_t count, double *values);
int target_finish(map_target *self, int overwrite);
void target_free(map_target *self);

/* A map of zeros with the grid, the fields, the order and the coordinates of another one, for what
 * the library does not write in pieces; armilla_map_free. */
armilla_status map_new_like(const armilla_map *like, armilla_map **map);

/* How many pixels are worked on together: some 10^5, or for NESTED files some 64 rings. */
int64_t piece_size(const map_source *source);

#endif
