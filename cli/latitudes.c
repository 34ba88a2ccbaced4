/* Makes a grid of the latitudes in a text file, and finds the family that has them. */
#include "latitudes.h"

#include "columns.h"
#include "message.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEGINNING "latitudes:"

enum { MOST_RINGS = 1 << 24, MOST_PIXELS = 1 << 30 };

int latitudes_is(const char *text)
{
    return strncmp(text, BEGINNING, strlen(BEGINNING)) == 0;
}

const char *latitudes_wrong(const char *text)
{
    static const char *const wrong =
        "must be latitudes:FILE:NPHI, where NPHI is the number of pixels in each ring";
    const char *file = text + strlen(BEGINNING), *colon = strrchr(file, ':');
    int64_t nphi = 0;
    if (!colon || colon == file || number_integer(colon + 1, &nphi)) return wrong;
    return nphi < 1 || nphi > MOST_PIXELS ? wrong : NULL;
}

static const char *check_latitude(const double *row)
{
    return fabs(row[0]) <= 90 ? NULL : "the latitude must be -90 to 90, in degrees";
}

/* Rings without weights, from north to south. */
static armilla_status make_rings(const columns *file, int64_t nphi, armilla_grid **grid)
{
    const int64_t count = file->count;
    const int rises = count > 1 && file->rows[0] < file->rows[1];
    armilla_ring *rings = malloc((size_t)(count + 1) * sizeof *rings);
    if (!rings) return ARMILLA_ERROR_MEMORY;
    for (int64_t r = 0; r < count; r++) {
        const double latitude = file->rows[rises ? count - 1 - r : r];
        rings[r] = (armilla_ring){
            .theta = (90 - latitude) * (M_PI / 180), .nphi = nphi, .offset = r * nphi, .stride = 1};
    }
    const armilla_status status = armilla_grid_new_custom(count, rings, grid);
    free(rings);
    return status;
}

/* Replaces the grid by that of the family which has its rings. */
static armilla_status find_family(int64_t nphi, armilla_grid **grid)
{
    const armilla_grid_kind kind = armilla_grid_lost_rule(*grid, 0, 0);
    const int64_t nrings = armilla_grid_nrings(*grid);
    if (kind == ARMILLA_GRID_CUSTOM) return ARMILLA_OK;
    armilla_grid_free(*grid);
    *grid = NULL;
    return kind == ARMILLA_GRID_GAUSS_LEGENDRE
               ? armilla_grid_new_gauss_legendre(nrings, nphi, grid)
               : armilla_grid_new_equidistant(kind, nrings, nphi, grid);
}

static int check_order(const columns *file)
{
    const double *rows = file->rows;
    for (int64_t r = 1; r < file->count; r++)
        if (rows[r] == rows[r - 1] || (rows[r] < rows[r - 1]) != (rows[1] < rows[0]))
            return work_error(
                "\"%s\": latitude %lld, %g: latitudes must rise, or fall, from line to "
                "line",
                file->path, (long long)(r + 1), rows[r]);
    return CLI_OK;
}

int latitudes_new(const char *text, armilla_grid **grid)
{
    const char *begin = text + strlen(BEGINNING), *colon = strrchr(begin, ':');
    char *path = strdup(begin);
    columns file = {.path = path,
                    .names = "a latitude",
                    .width = 1,
                    .most = MOST_RINGS,
                    .check = check_latitude};
    armilla_status status = ARMILLA_OK;
    int64_t nphi = 0;
    *grid = NULL;
    if (path) path[colon - begin] = '\0';
    number_integer(colon + 1, &nphi);
    int code = path ? columns_read(&file) : memory_error();
    if (code == CLI_OK) code = check_order(&file);
    if (code == CLI_OK) status = make_rings(&file, nphi, grid);
    if (code == CLI_OK && !status) status = find_family(nphi, grid);
    if (status) code = data_error(status, path);
    free(file.rows);
    free(path);
    return code;
}
