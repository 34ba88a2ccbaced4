/* Makes the grids of the cases by name: named grids, and custom ones of rings with other numbers of
 * samples, in other sequences, of a part of the sphere. */
#include "ranks/cases.h"

#include <stdio.h>
#include <string.h>

enum { MOST_RINGS = 128 };

/* Gauss-Legendre rings with 2 nrings samples, or `least`, and `more` for each ring nearer to the
 * pole. Those from number `first` on are taken, in the sequence first, first + step, ... modulo
 * their number. */
static armilla_grid *custom_grid(int64_t nrings, int64_t first, int64_t step, int64_t least,
                                 int64_t more)
{
    armilla_grid *whole, *grid = NULL;
    armilla_ring rings[MOST_RINGS];
    const int64_t nphi = 2 * nrings, count = nrings - first;
    int64_t end = 0;
    if (nrings > MOST_RINGS || armilla_grid_new_gauss_legendre(nrings, nphi, &whole)) return NULL;
    for (int64_t i = 0; i < count; i++) {
        const int64_t number = first + i * step % count;
        const int64_t from_pole = number < nrings - 1 - number ? number : nrings - 1 - number;
        armilla_grid_ring(whole, number, &rings[i]);
        if (least) rings[i].nphi = least + more * from_pole;
        rings[i].weight *= (double)nphi / (double)rings[i].nphi;
        rings[i].offset = end, rings[i].stride = 1;
        end += rings[i].nphi;
    }
    if (armilla_grid_new_custom(count, rings, &grid)) grid = NULL;
    armilla_grid_free(whole);
    return grid;
}

/* Gauss-Legendre rings, the southernmost first in memory, each with one sample in each meridian. */
static armilla_grid *columns(int64_t nrings)
{
    armilla_grid *whole, *grid = NULL;
    armilla_ring rings[MOST_RINGS];
    if (nrings > MOST_RINGS || armilla_grid_new_gauss_legendre(nrings, 2 * nrings, &whole))
        return NULL;
    for (int64_t i = 0; i < nrings; i++) {
        armilla_grid_ring(whole, i, &rings[i]);
        rings[i].offset = nrings - 1 - i, rings[i].stride = nrings;
    }
    if (armilla_grid_new_custom(nrings, rings, &grid)) grid = NULL;
    armilla_grid_free(whole);
    return grid;
}

static armilla_grid *patch(int64_t nside)
{
    armilla_grid *whole, *grid = NULL;
    if (armilla_grid_new_healpix(nside, &whole)) return NULL;
    if (armilla_grid_new_subset(whole, nside / 2, 2 * nside, 0, &grid)) grid = NULL;
    armilla_grid_free(whole);
    return grid;
}

static armilla_grid *nested(int64_t nside)
{
    armilla_grid_layout layout;
    armilla_grid *whole, *grid = NULL;
    armilla_grid_layout_init(&layout);
    layout.nested = 1;
    if (armilla_grid_new_healpix(nside, &whole)) return NULL;
    if (armilla_grid_new_laid_out(whole, &layout, &grid)) grid = NULL;
    armilla_grid_free(whole);
    return grid;
}

int64_t ranks_pixel(const armilla_grid *grid, const armilla_ring *ring, int64_t j)
{
    const int64_t nside = (armilla_grid_nrings(grid) + 1) / 4;
    if (ring->stride) return ring->offset + j * ring->stride;
    return armilla_healpix_ring_to_nest(nside,
                                        armilla_healpix_nest_to_ring(nside, ring->offset) + j);
}

armilla_grid *ranks_grid(const char *name, int64_t lmax)
{
    static const struct {
        const char *name;
        armilla_grid_kind kind;
    } kinds[] = {{"cc", ARMILLA_GRID_CC},        {"f1", ARMILLA_GRID_F1},
                 {"dh", ARMILLA_GRID_DH},        {"mw", ARMILLA_GRID_MW},
                 {"mwss", ARMILLA_GRID_MWSS},    {"f2", ARMILLA_GRID_F2},
                 {"mwflip", ARMILLA_GRID_MWFLIP}};
    char kind[32];
    long long n;
    armilla_grid *grid = NULL;
    armilla_status status = ARMILLA_ERROR_ARGUMENT;
    if (sscanf(name, "%31s %lld", kind, &n) != 2) return NULL;
    if (!strcmp(kind, "gl")) status = armilla_grid_new_gauss_legendre(n, 2 * lmax + 1, &grid);
    if (!strcmp(kind, "healpix")) status = armilla_grid_new_healpix(n, &grid);
    if (!strcmp(kind, "octahedral")) return custom_grid(2 * n, 0, 1, 20, 4);
    if (!strcmp(kind, "nested")) return nested(n);
    if (!strcmp(kind, "patch")) return patch(n);
    if (!strcmp(kind, "columns")) return columns(n);
    if (!strcmp(kind, "equal")) return custom_grid(22, 0, 1, n, 0);
    if (!strcmp(kind, "odd")) return custom_grid(n, 0, 1, 11, 2);
    if (!strcmp(kind, "long")) return custom_grid(n, 0, 1, 3079, 4);
    if (!strcmp(kind, "shuffled")) return custom_grid(n, 1, 5, 0, 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i].name))
            status = armilla_grid_new_equidistant(kinds[i].kind, n, 2 * lmax + 2, &grid);
    return status ? NULL : grid;
}
