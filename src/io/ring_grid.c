/* Says in the cards of a FITS table on which grid of rings its map is, lists the rings of grids
 * without a name in a table of their own, and reads both back. What does not fit together is
 * refused: a map on the wrong grid would look like a map. */
#include "io/ring_grid.h"

#include "base/memory.h"
#include "io/file_error.h"
#include "io/fits_table.h"
#include <math.h>
#include <string.h>

#define LIST "RINGS"
#define FEWEST_RINGS                                                                               \
    ((int64_t)1 << 20) /* that any grid may have, however few pixels are listed                    \
                        */

/* --- Grids ------------------------------------------------------------------------------------ */

armilla_status armilla_ring_grid_check(const armilla_grid *grid)
{
    int64_t next = 0;
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        armilla_ring ring = {.stride = 1};
        const armilla_status status = armilla_grid_ring(grid, r, &ring);
        if (status) return status;
        if (ring.offset != next || (ring.stride != 1 && ring.nphi > 1))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "grid: ring %lld is not stored behind the ring before it, as the "
                                "map of a file has it: make the grid by armilla_grid_new_laid_out "
                                "with the default layout, and put the values into its order",
                                (long long)r);
        next += ring.nphi;
    }
    return ARMILLA_OK;
}

/* Have both grids the same rings, bit by bit? Weights need not agree where has_weights is 0. */
static int is_alike(const armilla_grid *a, const armilla_grid *b, int has_weights)
{
    if (armilla_grid_nrings(a) != armilla_grid_nrings(b)) return 0;
    if (armilla_grid_npix(a) != armilla_grid_npix(b)) return 0;
    for (int64_t r = 0; r < armilla_grid_nrings(a); r++) {
        armilla_ring x, y;
        if (armilla_grid_ring(a, r, &x) || armilla_grid_ring(b, r, &y)) return 0;
        if (x.theta != y.theta || x.nphi != y.nphi || x.phi0 != y.phi0) return 0;
        if (x.offset != y.offset || (has_weights && x.weight != y.weight)) return 0;
    }
    return 1;
}

armilla_status armilla_ring_grid_nside(const armilla_grid *grid, int64_t *nside)
{
    armilla_grid *plain = NULL;
    const int64_t found = armilla_healpix_nside(armilla_grid_npix(grid));
    *nside = 0;
    if (armilla_grid_get_kind(grid) != ARMILLA_GRID_HEALPIX || found < 1) return ARMILLA_OK;
    const armilla_status status = armilla_grid_new_healpix(found, &plain);
    if (!status && is_alike(grid, plain, 0)) *nside = found;
    armilla_grid_free(plain);
    return status;
}

armilla_status armilla_ring_grid_copy(const armilla_grid *grid, armilla_grid **copy)
{
    return armilla_grid_new_laid_out(grid, NULL, copy);
}

armilla_status armilla_ring_grid_name(const armilla_grid *grid, char name[ARMILLA_GRID_NAME_SIZE])
{
    const armilla_status status = armilla_grid_name(grid, name);
    if (status) name[0] = '\0';
    return status == ARMILLA_ERROR_ARGUMENT ? ARMILLA_OK : status;
}

/* The grid with phi0 added to its longitudes. */
static armilla_status turn(const armilla_grid *grid, double phi0, armilla_grid **turned)
{
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.phi0 = phi0;
    return armilla_grid_new_laid_out(grid, &layout, turned);
}

/* The grid that cards name. */
static armilla_status make_named(const armilla_ring_grid *told, armilla_grid **grid)
{
    armilla_grid *plain = NULL;
    armilla_status status = armilla_grid_new_named(told->name, &plain);
    if (status || told->phi0 == 0) {
        *grid = plain;
        return status;
    }
    status = turn(plain, told->phi0, grid);
    armilla_grid_free(plain);
    return status;
}

/* The name of the grid without what its layout adds to the longitudes; "": none. */
static armilla_status find_name(const armilla_grid *grid, armilla_ring_grid *found)
{
    armilla_grid_layout layout;
    armilla_grid *plain = NULL;
    armilla_grid_layout_init(&layout);
    const armilla_grid_kind kind = armilla_grid_get_kind(grid);
    if (kind == ARMILLA_GRID_CUSTOM || kind == ARMILLA_GRID_HEALPIX) return ARMILLA_OK;
    if (armilla_grid_get_layout(grid, &layout)) return ARMILLA_OK;
    found->phi0 = layout.phi0;
    armilla_status status = turn(grid, -layout.phi0, &plain);
    if (!status) status = armilla_ring_grid_name(plain, found->name);
    armilla_grid_free(plain);
    return status;
}

armilla_status armilla_ring_grid_describe(const armilla_grid *grid, armilla_ring_grid *found)
{
    armilla_grid *again = NULL;
    memset(found, 0, sizeof *found);
    armilla_status status = find_name(grid, found);
    if (status || !*found->name) return status;
    status = make_named(found, &again);
    if (!status && !is_alike(grid, again, 1)) memset(found, 0, sizeof *found);
    armilla_grid_free(again);
    return status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

armilla_status armilla_ring_grid_write(const armilla_grid *grid, const armilla_ring_grid *told,
                                       armilla_output *output)
{
    armilla_status status =
        armilla_output_text(output, "PIXTYPE", ARMILLA_RING_GRID, "Pixels on rings of latitude");
    if (!status && *told->name)
        status = armilla_output_text(output, "GRID", told->name, "Name of the grid");
    if (!status && *told->name && told->phi0 != 0)
        status = armilla_output_number(output, "PHI0", told->phi0,
                                       "[rad] added to the longitudes of GRID");
    if (!status)
        status = armilla_output_integer(output, "NRINGS", armilla_grid_nrings(grid),
                                        "Number of rings, from north to south");
    if (!status)
        status = armilla_output_integer(output, "NPIX", armilla_grid_npix(grid),
                                        "Number of pixels of the full sky");
    return status;
}

enum { LIST_COLUMNS = 4, LIST_ROW = 32, BLOCK_ROWS = 1024 };

static armilla_status list_rows(const armilla_grid *grid, armilla_output *output,
                                unsigned char *bytes)
{
    const int64_t nrings = armilla_grid_nrings(grid);
    armilla_status status = ARMILLA_OK;
    for (int64_t first = 0; !status && first < nrings; first += BLOCK_ROWS) {
        const int64_t count = nrings - first < BLOCK_ROWS ? nrings - first : BLOCK_ROWS;
        for (int64_t i = 0; !status && i < count; i++) {
            unsigned char *row = bytes + i * LIST_ROW;
            armilla_ring ring;
            status = armilla_grid_ring(grid, first + i, &ring);
            if (status) return status;
            armilla_real_store(ARMILLA_IO_DOUBLE, ring.theta, row);
            armilla_integer_store(ARMILLA_IO_INT64, ring.nphi, row + 8);
            armilla_real_store(ARMILLA_IO_DOUBLE, ring.phi0, row + 16);
            armilla_real_store(ARMILLA_IO_DOUBLE, ring.weight, row + 24);
        }
        status = armilla_output_rows(output, first, count, bytes);
    }
    return status;
}

armilla_status armilla_ring_grid_list(const armilla_grid *grid, armilla_output *output)
{
    armilla_output_column columns[LIST_COLUMNS] = {
        {.name = "THETA", .unit = "rad", .type = ARMILLA_IO_DOUBLE, .repeat = 1},
        {.name = "NPHI", .unit = "", .type = ARMILLA_IO_INT64, .repeat = 1},
        {.name = "PHI0", .unit = "rad", .type = ARMILLA_IO_DOUBLE, .repeat = 1},
        {.name = "WEIGHT", .unit = "sr", .type = ARMILLA_IO_DOUBLE, .repeat = 1}};
    unsigned char *bytes = NULL;
    armilla_status status = armilla_allocate(&bytes, BLOCK_ROWS, LIST_ROW);
    if (!status)
        status = armilla_output_table(output, armilla_grid_nrings(grid), LIST_COLUMNS, columns);
    if (!status)
        status = armilla_output_text(output, "EXTNAME", LIST, "The rings of the map's grid");
    if (!status) status = list_rows(grid, output, bytes);
    armilla_release(bytes);
    return status;
}

/* --- Reading: cards --------------------------------------------------------------------------- */

static armilla_status refuse_number(const armilla_fits *fits, const char *card, int64_t value,
                                    int64_t due)
{
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: %s = %lld: the grid that the file names or lists has %lld: correct "
                        "the card, or GRID",
                        armilla_path_shown(fits->path), card, (long long)value, (long long)due);
}

/* A name costs nothing, and the grid may be huge: it must not have more rings than pixels. */
static armilla_status check_name(const armilla_fits *fits, const char *name, int64_t most)
{
    armilla_grid_sizes sizes = {.size = sizeof sizes};
    const char *shown = armilla_path_shown(fits->path);
    if (strlen(name) >= ARMILLA_GRID_NAME_SIZE || armilla_grid_read_name(name, &sizes))
        return armilla_fits_refuse(
            fits, "GRID",
            "no name of a grid: must be one such as O160 or cc:181x360, or be absent "
            "beside a table RINGS");
    if (sizes.nside)
        return armilla_fits_refuse(fits, "GRID", "a HEALPix map has PIXTYPE = 'HEALPIX' and NSIDE");
    if (sizes.south_first)
        return armilla_fits_refuse(
            fits, "GRID",
            "names rows from south to north, and those of a map file go from north to "
            "south, as in f1:180x360");
    if (sizes.nrings <= most || sizes.nrings <= FEWEST_RINGS) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: GRID = %s: has %lld rings, the table only %lld pixels", shown, name,
                        (long long)sizes.nrings, (long long)most);
}

static armilla_status check_sizes(const armilla_fits *fits, const armilla_grid *grid)
{
    const int64_t nrings = armilla_grid_nrings(grid), npix = armilla_grid_npix(grid);
    int64_t value;
    if (armilla_fits_integer(fits, "NRINGS", &value) && value != nrings)
        return refuse_number(fits, "NRINGS", value, nrings);
    if (armilla_fits_integer(fits, "NPIX", &value) && value != npix)
        return refuse_number(fits, "NPIX", value, npix);
    return ARMILLA_OK;
}

/* --- Reading: the table RINGS ----------------------------------------------------------------- */

/* The rings of a table, ring after ring. */
typedef struct ring_list {
    armilla_table table;
    const armilla_column *columns[LIST_COLUMNS];
    armilla_ring *rings;
} ring_list;

static armilla_status find_columns(const armilla_fits *fits, ring_list *list)
{
    static const char *const names[LIST_COLUMNS] = {"THETA", "NPHI", "PHI0", "WEIGHT"};
    for (int i = 0; i < LIST_COLUMNS; i++) {
        const int64_t at = armilla_table_find(&list->table, names[i]);
        const armilla_column *column = at < 0 ? NULL : &list->table.columns[at];
        const int is_wrong = !column || column->repeat != 1 || !armilla_column_is_number(column);
        if (list->table.is_text || is_wrong || (i == 1 && !armilla_column_is_integer(column)))
            return armilla_fail(ARMILLA_ERROR_FORMAT,
                                "%s: the table " LIST ": column %s: must hold one %s for each ring",
                                armilla_path_shown(fits->path), names[i],
                                i == 1 ? "whole number" : "number");
        list->columns[i] = column;
    }
    return ARMILLA_OK;
}

static void take_block(ring_list *list, const armilla_rows *rows, double *values, int64_t *numbers)
{
    armilla_ring *rings = list->rings + rows->first;
    armilla_rows_decode(rows, list->columns[0], values);
    for (int64_t i = 0; i < rows->count; i++) rings[i].theta = values[i];
    armilla_rows_decode_integer(rows, list->columns[1], numbers);
    for (int64_t i = 0; i < rows->count; i++) rings[i].nphi = numbers[i];
    armilla_rows_decode(rows, list->columns[2], values);
    for (int64_t i = 0; i < rows->count; i++) rings[i].phi0 = values[i];
    armilla_rows_decode(rows, list->columns[3], values);
    for (int64_t i = 0; i < rows->count; i++) rings[i].weight = values[i];
}

static armilla_status read_rows(const armilla_fits *fits, ring_list *list)
{
    armilla_rows rows;
    double *values = NULL;
    int64_t *numbers = NULL;
    armilla_status status = armilla_rows_begin(fits, &list->table, &rows);
    if (!status) status = armilla_allocate(&values, rows.capacity, sizeof *values);
    if (!status) status = armilla_allocate(&numbers, rows.capacity, sizeof *numbers);
    if (!status) status = armilla_rows_next(&rows);
    while (!status && rows.count > 0) {
        take_block(list, &rows, values, numbers);
        status = armilla_rows_next(&rows);
    }
    armilla_release(values);
    armilla_release(numbers);
    armilla_rows_end(&rows);
    return status;
}

/* Lengths that cannot be are left to armilla_grid_new_custom, which names the ring. */
static void place_rings(int64_t nrings, armilla_ring *rings)
{
    const int64_t limit = (int64_t)1 << 31;
    for (int64_t r = 0, next = 0; r < nrings; r++) {
        rings[r].stride = 1;
        rings[r].offset = next;
        if (rings[r].nphi > 0 && rings[r].nphi < limit && next < INT64_MAX / 2)
            next += rings[r].nphi;
    }
}

/* Rings at the nodes of Gauss, with numbers of pixels of their own: the grid that has their exact
 * rule, if its rings have the same bits. *grid is left alone where they have not. */
static armilla_status prefer_reduced(int64_t nrings, const armilla_ring *rings, armilla_grid **grid)
{
    armilla_grid *reduced = NULL;
    int64_t *nphi = NULL;
    armilla_status status = armilla_allocate(&nphi, nrings, sizeof *nphi);
    for (int64_t r = 0; !status && r < nrings; r++) nphi[r] = rings[r].nphi;
    if (!status) status = armilla_grid_new_reduced(nrings, nphi, &reduced);
    armilla_release(nphi);
    if (status || !is_alike(*grid, reduced, 1)) {
        armilla_grid_free(reduced);
        return status;
    }
    armilla_grid_free(*grid);
    *grid = reduced;
    return ARMILLA_OK;
}

static armilla_status make_listed(const armilla_fits *fits, const ring_list *list,
                                  armilla_grid **grid)
{
    const int64_t nrings = list->table.rows;
    place_rings(nrings, list->rings);
    armilla_status status = armilla_grid_new_custom(nrings, list->rings, grid);
    if (status == ARMILLA_ERROR_ARGUMENT) {
        char why[512]; /* the next message takes the place of this one */
        snprintf(why, sizeof why, "%s", armilla_status_message());
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: the table " LIST ": %s",
                            armilla_path_shown(fits->path), why);
    }
    return status ? status : prefer_reduced(nrings, list->rings, grid);
}

static armilla_status read_list(const armilla_fits *fits, int type, armilla_grid **grid)
{
    ring_list list;
    memset(&list, 0, sizeof list);
    armilla_status status = armilla_table_open(fits, type, &list.table);
    if (!status) status = find_columns(fits, &list);
    if (!status) status = armilla_allocate_zero(&list.rings, list.table.rows, sizeof *list.rings);
    if (!status) status = read_rows(fits, &list);
    if (!status) status = make_listed(fits, &list, grid);
    armilla_release(list.rings);
    armilla_table_clear(&list.table);
    return status;
}

/* Moves to the first table RINGS behind HDU `map` and before another map. Returned: *type, or -1:
 * there is none. */
static armilla_status find_list(const armilla_fits *fits, int map, int *type)
{
    char name[ARMILLA_IO_NAME_SIZE];
    armilla_status status = ARMILLA_OK;
    for (int hdu = map + 1; !status && hdu < fits->count; hdu++) {
        status = armilla_fits_move(fits, hdu, type);
        if (!status && armilla_fits_text(fits, "EXTNAME", name) && armilla_text_is(name, LIST))
            return ARMILLA_OK;
        if (!status && armilla_fits_text(fits, "PIXTYPE", name)) break;
    }
    *type = -1;
    return status;
}

/* --- Reading: both ---------------------------------------------------------------------------- */

static armilla_status read_named(const armilla_fits *fits, int64_t most, armilla_grid **grid)
{
    armilla_ring_grid told = {.phi0 = 0};
    char name[ARMILLA_IO_NAME_SIZE] = "", text[ARMILLA_IO_NAME_SIZE];
    armilla_fits_text(fits, "GRID", name);
    armilla_status status = check_name(fits, name, most);
    if (status) return status;
    if (armilla_fits_text(fits, "PHI0", text) &&
        (!armilla_fits_number(fits, "PHI0", &told.phi0) || !isfinite(told.phi0)))
        return armilla_fits_refuse(fits, "PHI0", "must be an angle in radians");
    memcpy(told.name, name, sizeof told.name);
    return make_named(&told, grid);
}

/* Where a name and a list are both there, they must speak of the same rings; the last bits of
 * colatitudes and weights depend on who computed them. */
static armilla_status compare(const armilla_fits *fits, const armilla_grid *named,
                              const armilla_grid *listed)
{
    const double tolerance = 1e-9;
    int64_t r = 0;
    const int64_t nrings = armilla_grid_nrings(named);
    int is_same = armilla_grid_nrings(listed) == nrings;
    for (; is_same && r < nrings; r++) {
        armilla_ring a, b;
        armilla_grid_ring(named, r, &a);
        armilla_grid_ring(listed, r, &b);
        is_same = a.nphi == b.nphi && fabs(a.theta - b.theta) <= tolerance &&
                  fabs(a.phi0 - b.phi0) <= tolerance && fabs(a.weight - b.weight) <= tolerance;
    }
    if (is_same) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: the table " LIST " contradicts GRID at ring %lld: remove the table, "
                        "or the card",
                        armilla_path_shown(fits->path), (long long)(r > 0 ? r - 1 : 0));
}

static armilla_status combine(const armilla_fits *fits, armilla_grid *listed, armilla_grid **grid)
{
    armilla_status status = ARMILLA_OK;
    if (!*grid && !listed)
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: PIXTYPE = '" ARMILLA_RING_GRID "': the grid is missing: neither "
                            "the card GRID nor a table " LIST " says which it is",
                            armilla_path_shown(fits->path));
    if (*grid && listed) status = compare(fits, *grid, listed);
    if (!*grid) {
        *grid = listed;
        return ARMILLA_OK;
    }
    armilla_grid_free(listed);
    return status;
}

armilla_status armilla_ring_grid_read(const armilla_fits *fits, int64_t most, armilla_grid **grid)
{
    armilla_grid *found = NULL, *listed = NULL;
    char name[ARMILLA_IO_NAME_SIZE];
    int type = -1, map = 0, back;
    armilla_status status = ARMILLA_OK;
    fits_get_hdu_num(fits->handle, &map);
    if (armilla_fits_text(fits, "GRID", name)) status = read_named(fits, most, &found);
    if (!status) status = find_list(fits, map - 1, &type);
    if (!status && type >= 0) status = read_list(fits, type, &listed);
    const armilla_status moved = armilla_fits_move(fits, map - 1, &back);
    if (!status) status = moved;
    if (status)
        armilla_grid_free(listed);
    else
        status = combine(fits, listed, &found);
    if (!status) status = check_sizes(fits, found);
    if (status)
        armilla_grid_free(found);
    else
        *grid = found;
    return status;
}
