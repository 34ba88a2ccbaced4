/* Maps of floats in files, for mapfile.c: of a process that is alone. */
#ifndef ARMILLA_CLI_MAPFILE_FLOAT_H
#define ARMILLA_CLI_MAPFILE_FLOAT_H

#include "mapfile.h"

/* As mapfile_read and mapfile_write. */
int mapfile_read_floats(const mapfile_request *request, pixel_share *share, armilla_map **map,
                        reals *values);
int mapfile_write_floats(const char *path, const pixel_share *share, const armilla_map *map,
                         const reals *values, int overwrite);

/* In mapfile.c: a map whose fields are the columns of `like` (columns NULL: the first ones), and
 * zeros for their values, which are neighbours. */
int mapfile_new_part(const pixel_share *share, const armilla_map *like,
                     const mapfile_request *request, armilla_map **map, reals *values);

/* Likewise: opens the file and looks at the columns. UNSUPPORTED: it is not read in pieces. */
armilla_status mapfile_open(const mapfile_request *request, armilla_map_input **input);

#endif
