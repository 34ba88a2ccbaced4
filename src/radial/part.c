/* Restricts a plan to the rings of one rank: its maps hold these alone, one behind the other, while
 * rows and lists of rings stay those of the whole grid. */
#include "radial/part.h"

#include "base/memory.h"
#include "grid/grid.h"
#include "radial/standard.h"

void armilla_radial_place_rings(const armilla_grid *grid, const uint8_t *mine, int64_t *places)
{
    int64_t next = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        places[r] = mine[r] ? next : -1;
        if (mine[r]) next += grid->rings[r].nphi;
    }
}

/* The grid of this rank's maps. */
static armilla_status make_grid(const armilla_grid *whole, const int64_t *places,
                                armilla_grid **grid)
{
    armilla_status status = armilla_grid_allocate(ARMILLA_GRID_CUSTOM, whole->nrings, grid);
    if (status) return status;
    (*grid)->nrings = 0;
    for (int64_t r = 0; r < whole->nrings; r++) {
        if (places[r] < 0) continue;
        armilla_ring *ring = &(*grid)->rings[(*grid)->nrings++];
        *ring = whole->rings[r];
        ring->offset = places[r], ring->stride = 1;
        (*grid)->npix += ring->nphi;
    }
    return ARMILLA_OK;
}

static armilla_status take_grid(armilla_radial *radial, const uint8_t *mine, int64_t **places)
{
    armilla_grid *grid;
    armilla_status status = armilla_allocate(places, radial->grid->nrings, sizeof **places);
    if (status) return status;
    armilla_radial_place_rings(radial->grid, mine, *places);
    if ((status = make_grid(radial->grid, *places, &grid))) return status;
    radial->whole = radial->grid, radial->grid = grid;
    return ARMILLA_OK;
}

static armilla_status take_mixing(armilla_radial *radial, const int64_t *places)
{
    const armilla_radial_rows *rows = &radial->pixels.rows;
    uint8_t *wanted;
    armilla_status status = armilla_allocate_zero(&wanted, rows->count, sizeof *wanted);
    if (status) return status;
    for (int64_t i = 0; i < rows->count; i++)
        wanted[rows->row[i].ring[0]] = rows->row[i].elsewhere != 0;
    status = armilla_mixing_take_rings(radial->mixing, radial->isa, wanted, places);
    armilla_release(wanted);
    return status;
}

armilla_status armilla_radial_take_rings(armilla_radial *radial, const uint8_t *mine)
{
    int64_t *places = NULL;
    armilla_status status = ARMILLA_OK;
    radial->mine = mine;
    if (mine) status = take_grid(radial, mine, &places);
    if (!status && radial->standard) status = armilla_radial_standard_take_rings(radial, mine);
    if (!status && radial->mixing) status = take_mixing(radial, places);
    armilla_release(places);
    return status;
}

/* --- Rows ------------------------------------------------------------------------------------ */

static int is_mine(const armilla_radial *radial, int64_t row)
{
    return !radial->mine || radial->mine[radial->pixels.rows.row[row].ring[0]];
}

int armilla_radial_next_run(const armilla_radial *radial, armilla_radial_run *run)
{
    const int64_t count = radial->pixels.rows.nout;
    int64_t first = run->end;
    while (first < count && !is_mine(radial, first)) first++;
    run->first = run->end = first;
    while (run->end < count && is_mine(radial, run->end)) run->end++;
    return run->end > run->first;
}
