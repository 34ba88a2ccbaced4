/* Makes and frees maps in memory, on HEALPix and on other grids of rings. */
#include "armilla/io.h"

#include "armilla/grid.h"
#include "base/memory.h"
#include "io/map_header.h"
#include "io/ring_grid.h"
#include <stdio.h>

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

void armilla_map_name_healpix(armilla_map *map)
{
    snprintf(map->grid_name, sizeof map->grid_name, "healpix:%lld", (long long)map->nside);
}

armilla_status armilla_map_set_grid(armilla_map *map, const armilla_grid *grid)
{
    const armilla_status status = armilla_ring_grid_copy(grid, &map->grid);
    return status ? status : armilla_ring_grid_name(map->grid, map->grid_name);
}

/* grid = NULL: HEALPix. */
static armilla_status new_map(int64_t nside, const armilla_grid *grid, int64_t nfields,
                              armilla_map **map)
{
    armilla_map *new = NULL;
    if (nfields < 1 || nfields > MAX_FIELDS)
        return armilla_fail_argument("nfields", nfields, "must be from 1 to 998");
    armilla_status status = armilla_check_given("map", map);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->nside = nside;
    new->npix = grid ? armilla_grid_npix(grid) : armilla_healpix_npix(nside);
    new->nfields = nfields;
    if (grid)
        status = armilla_map_set_grid(new, grid);
    else
        armilla_map_name_healpix(new);
    if (!status) status = fill_fields(new);
    if (status)
        armilla_map_free(new);
    else
        *map = new;
    return status;
}

armilla_status armilla_map_new(int64_t nside, int64_t nfields, armilla_map **map)
{
    if (armilla_healpix_npix(nside) < 0)
        return armilla_fail_argument("nside", nside, "must be at least 1 and 12 nside^2 must fit");
    return new_map(nside, NULL, nfields, map);
}

armilla_status armilla_map_new_grid(const armilla_grid *grid, int64_t nfields, armilla_map **map)
{
    int64_t nside = 0;
    armilla_status status = armilla_check_given("grid", grid);
    if (!status) status = armilla_ring_grid_check(grid);
    if (!status) status = armilla_ring_grid_nside(grid, &nside);
    return status ? status : new_map(nside, nside ? NULL : grid, nfields, map);
}

void armilla_map_free(armilla_map *map)
{
    if (!map) return;
    for (int64_t i = 0; map->fields && i < map->nfields; i++)
        armilla_release(map->fields[i].values);
    armilla_release(map->fields);
    armilla_grid_free(map->grid);
    armilla_release(map);
}
