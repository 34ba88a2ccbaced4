/* Makes grids from their names, and finds the name of a grid. */
#include "grid/name.h"

#include "base/options.h"
#include "grid/classic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- From a name ------------------------------------------------------------------------------ */

static int64_t count_rings(const armilla_name_read *read)
{
    if (read->form == ARMILLA_NAME_HEALPIX) return 4 * read->number - 1;
    return read->form >= ARMILLA_NAME_REDUCED ? read->number : 2 * read->number;
}

static int64_t count_pixels(const armilla_name_read *read)
{
    if (read->form == ARMILLA_NAME_FULL) return 4 * read->number;
    return read->form == ARMILLA_NAME_RECTANGLE ? read->second : 0;
}

armilla_status armilla_grid_read_name(const char *name, armilla_grid_sizes *sizes)
{
    armilla_name_read read;
    armilla_status status = armilla_name_parse(name, &read);
    if (status) return status;
    const armilla_grid_sizes told = {
        .kind = read.kind,
        .nrings = count_rings(&read),
        .nphi = count_pixels(&read),
        .nside = read.form == ARMILLA_NAME_HEALPIX ? read.number : 0,
        .nested = read.nested,
        .south_first = read.south_first,
        .phi0 = read.phi0,
    };
    return armilla_description_give("sizes", "armilla_grid_sizes", &told, sizeof told, sizes);
}

/* The pixels of the name, one ring after the other from north to south. */
static armilla_status make_plain(const armilla_name_read *read, armilla_grid **grid)
{
    switch (read->form) {
    case ARMILLA_NAME_OCTAHEDRAL:
        return armilla_grid_new_octahedral(read->number, grid);
    case ARMILLA_NAME_CLASSIC:
        return armilla_grid_new_classic(read->number, grid);
    case ARMILLA_NAME_FULL:
        return armilla_grid_new_gauss_legendre(2 * read->number, 4 * read->number, grid);
    case ARMILLA_NAME_HEALPIX:
        return armilla_grid_new_healpix(read->number, grid);
    case ARMILLA_NAME_REDUCED:
        return armilla_grid_new_reduced_gauss_legendre(read->number, read->second, grid);
    case ARMILLA_NAME_RECTANGLE:
        break;
    }
    if (read->kind == ARMILLA_GRID_GAUSS_LEGENDRE)
        return armilla_grid_new_gauss_legendre(read->number, read->second, grid);
    return armilla_grid_new_equidistant(read->kind, read->number, read->second, grid);
}

armilla_status armilla_grid_new_named(const char *name, armilla_grid **grid)
{
    armilla_name_read read;
    armilla_grid *plain = NULL;
    armilla_grid_layout layout;
    armilla_status status = armilla_name_parse(name, &read);
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = make_plain(&read, &plain);
    if (status) return status;
    if (!read.nested && !read.south_first && read.phi0 == 0) {
        *grid = plain;
        return ARMILLA_OK;
    }
    armilla_grid_layout_init(&layout);
    layout.nested = read.nested;
    layout.south_first = read.south_first;
    layout.phi0 = read.phi0;
    status = armilla_grid_new_laid_out(plain, &layout, grid);
    armilla_grid_free(plain);
    return status;
}

/* --- To a name -------------------------------------------------------------------------------- */

static int has_lengths_of(const armilla_grid *grid, const armilla_grid *other)
{
    for (int64_t r = 0; r < grid->nrings; r++)
        if (grid->rings[r].nphi != other->rings[r].nphi) return 0;
    return 1;
}

static int is_octahedral(const armilla_grid *grid)
{
    for (int64_t r = 0; 2 * r < grid->nrings; r++)
        if (grid->rings[r].nphi != armilla_octahedral_length(r) ||
            grid->rings[grid->nrings - 1 - r].nphi != armilla_octahedral_length(r))
            return 0;
    return grid->nrings % 2 == 0;
}

/* Names the grid if another one, made from that name, has the same pixels. */
static armilla_status try_name(const armilla_grid *grid, const char *name, int *found)
{
    armilla_grid *other;
    const armilla_status status = armilla_grid_new_named(name, &other);
    if (status) return status;
    *found = other->npix == grid->npix && has_lengths_of(grid, other);
    armilla_grid_free(other);
    return ARMILLA_OK;
}

/* Empty where there is none. */
static armilla_status name_reduced(const armilla_grid *grid, char name[ARMILLA_GRID_NAME_SIZE])
{
    const int64_t half = grid->nrings / 2;
    armilla_status status;
    int found = is_octahedral(grid);
    snprintf(name, ARMILLA_GRID_NAME_SIZE, "O%lld", (long long)half);
    if (found) return ARMILLA_OK;
    if (grid->nrings % 2 == 0 && armilla_classic_find(half)) {
        snprintf(name, ARMILLA_GRID_NAME_SIZE, "N%lld", (long long)half);
        if ((status = try_name(grid, name, &found)) || found) return status;
    }
    snprintf(name, ARMILLA_GRID_NAME_SIZE, "rgl:%lld:%lld", (long long)grid->nrings,
             (long long)grid->exact_lmax);
    status = try_name(grid, name, &found);
    if (!found) name[0] = 0;
    return status;
}

static armilla_status name_kind(const armilla_grid *grid, char name[ARMILLA_GRID_NAME_SIZE])
{
    const long long nrings = grid->nrings, nphi = grid->rings[0].nphi, nside = grid->nside;
    const double equal = M_PI / (3.0 * (double)grid->nside * (double)grid->nside);
    name[0] = 0;
    if (grid->kind == ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE) return name_reduced(grid, name);
    if (grid->kind == ARMILLA_GRID_HEALPIX) {
        for (int64_t r = 0; r < grid->nrings; r++)
            if (grid->rings[r].weight != equal) return ARMILLA_OK;
        snprintf(name, ARMILLA_GRID_NAME_SIZE, "H%lld%s", nside, grid->layout.nested ? "n" : "");
    } else if (grid->kind == ARMILLA_GRID_GAUSS_LEGENDRE && nphi == 2 * nrings && nrings % 2 == 0) {
        snprintf(name, ARMILLA_GRID_NAME_SIZE, "F%lld", nrings / 2);
    } else if (armilla_name_word(grid->kind)) {
        snprintf(name, ARMILLA_GRID_NAME_SIZE, "%s:%lldx%lld", armilla_name_word(grid->kind),
                 nrings, nphi);
    }
    return ARMILLA_OK;
}

/* Does the map lie as the families have it? */
static int is_plain(const armilla_grid *grid)
{
    const armilla_grid_layout *l = &grid->layout;
    const int is_square = !l->nested && armilla_grid_has_equal_rings(grid);
    const int64_t dense = is_square ? grid->rings[0].nphi : 0;
    return grid->has_layout && l->phi0 == 0 && !l->south_first && !l->west_first &&
           !l->theta_contiguous && l->ring_stride == dense && l->pixel_stride == 1;
}

armilla_status armilla_grid_name(const armilla_grid *grid, char name[ARMILLA_GRID_NAME_SIZE])
{
    char text[ARMILLA_GRID_NAME_SIZE] = "";
    armilla_status status = armilla_check_given("grid", grid);
    if (!status) status = armilla_check_given("name", name);
    if (!status && is_plain(grid)) status = name_kind(grid, text);
    if (status) return status;
    if (!text[0])
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "grid: has no name, as its rings, weights or layout are its own");
    memcpy(name, text, sizeof text);
    return ARMILLA_OK;
}
