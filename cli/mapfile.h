/* Map files: read and written at once where this process is alone, and in windows over ranks, whose
 * fields hold the pixels of their share alone. Values are apart from the map, since they may be
 * floats: those of all fields are then neighbours, and the fields of the map have none. All calls
 * are collective. */
#ifndef ARMILLA_CLI_MAPFILE_H
#define ARMILLA_CLI_MAPFILE_H

#include "reals.h"
#include "share.h"

#include <armilla/armilla.h>

/* Which columns of a file are read. */
typedef struct mapfile_request {
    const char *path;
    int hdu; /* 0: the first that holds a map */
    int64_t ncolumns;
    const int64_t *columns;
    int single; /* as floats, of a process that is alone */
    /* the message of an error of the library, in place of data_error's; returns the exit code */
    int (*fail)(armilla_status status, const void *data);
    const void *data;
} mapfile_request;

/* Reads columns. Returned: *share  which pixels are here, *map  with the grid of the file, values
 * of each field; an exit code, after a message unless CLI_OK. Free all in any case. */
int mapfile_read(const mapfile_request *request, pixel_share *share, armilla_map **map,
                 reals *values);

/* A map of zeros, as armilla_map_new_grid makes it. */
int mapfile_new(const pixel_share *share, int64_t nfields, int single, armilla_map **map,
                reals *values);
void mapfile_free(armilla_map *map, const reals *values);

/* Writes a map in RING order. */
int mapfile_write(const char *path, const pixel_share *share, const armilla_map *map,
                  const reals *values, int overwrite);

/* Over ranks: the exit code, after a message, where a file does not hold all pixels of a map, or in
 * an image. */
int mapfile_is_partial(const char *path);

/* The name of a column that holds pixels. Errors: as armilla_map_read of it; ARGUMENT: there are no
 * more columns. Not collective. */
armilla_status mapfile_column_name(const char *path, int hdu, int64_t column,
                                   char name[ARMILLA_IO_NAME_SIZE]);

#endif
