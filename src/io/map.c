/* Maps in memory. */
#include "armilla/io.h"

#include "armilla/grid.h"
#include "base/memory.h"
#include "io/map_header.h"

enum { MAX_FIELDS = 998 }; /* FITS allows 999 columns, one may be PIXEL */

static armilla_status fill_fields(armilla_map *map)
{
    armilla_status status = armilla_allocate_zero(&map->fields, map->nfields, sizeof *map->fields);
    for (int64_t i = 0; !status && i < map->nfields; i++) {
        armilla_field *field = &map->fields[i];
        armilla_map_column_name(map->nfields, i, field->name);
        field->type = ARMILLA_IO_FLOAT;
        status = armilla_allocate_zero(&field->values, map->npix, sizeof *field->values);
    }
    return status;
}

armilla_status armilla_map_new(int64_t nside, int64_t nfields, armilla_map **map)
{
    int64_t npix = armilla_healpix_npix(nside);
    if (npix < 0)
        return armilla_fail_argument("nside", nside, "must be at least 1 and 12 nside^2 must fit");
    if (nfields < 1 || nfields > MAX_FIELDS)
        return armilla_fail_argument("nfields", nfields, "must be from 1 to 998");
    armilla_map *new = NULL;
    armilla_status status = armilla_check_given("map", map);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->nside = nside;
    new->npix = npix;
    new->nfields = nfields;
    status = fill_fields(new);
    if (status)
        armilla_map_free(new);
    else
        *map = new;
    return status;
}

void armilla_map_free(armilla_map *map)
{
    if (!map) return;
    for (int64_t i = 0; map->fields && i < map->nfields; i++)
        armilla_release(map->fields[i].values);
    armilla_release(map->fields);
    armilla_release(map);
}
