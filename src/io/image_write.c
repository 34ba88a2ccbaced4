/* Maps into FITS images, in the projection CAR: the first row is the ring furthest south, and
 * longitudes fall along a row, as the sky is seen from inside. The reference point is in the middle
 * of the equator, so that no longitude of CAR is beyond 180 deg, which some programs refuse.
 * Missing pixels are NaN. */
#include "base/memory.h"
#include "io/image_map.h"
#include "io/image_planes.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct writer {
    const armilla_map_layout *layout;
    const armilla_map *map;
    armilla_output output;
    int64_t width, height;
    armilla_image_rows rows;
    double phi0; /* radians */
    int planes_are;
    double *row;
} writer;

/* --- Checks ----------------------------------------------------------------------------------- */

static armilla_status check_grid(writer *w)
{
    const armilla_grid *grid = w->map->grid;
    armilla_ring ring;
    w->height = armilla_grid_nrings(grid);
    if (!grid || armilla_grid_ring(grid, 0, &ring) || !*w->layout->ring_grid.name ||
        !armilla_image_rows_of(armilla_grid_get_kind(grid), w->height, &w->rows))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->image = 1: an image holds a map on equidistant rings (cc, "
                            "f1, f2, dh, mw, mwss, mwflip), not this map's grid %s: set it to 0 "
                            "for a table",
                            *w->map->grid_name ? w->map->grid_name : "without a name");
    w->width = ring.nphi;
    w->phi0 = w->layout->ring_grid.phi0;
    return ARMILLA_OK;
}

static armilla_status check_fields(const armilla_map *map)
{
    const armilla_io_type type = map->fields[0].type;
    for (int64_t i = 0; i < map->nfields; i++) {
        const armilla_field *field = &map->fields[i];
        if (type != field->type || (type != ARMILLA_IO_DOUBLE && type != ARMILLA_IO_FLOAT))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "map->fields[%lld].type = %s: the fields of an image must all be "
                                "double, or all float",
                                (long long)i, armilla_type_name(field->type));
        if (strcmp(field->unit, map->fields[0].unit) != 0)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "map->fields[%lld].unit = \"%.71s\": an image has one unit, and "
                                "field 0 has \"%.71s\"",
                                (long long)i, field->unit, map->fields[0].unit);
    }
    return ARMILLA_OK;
}

static armilla_status check_keywords(const armilla_map_layout *layout)
{
    static const char *const scales[] = {"BSCALE", "BZERO", NULL};
    armilla_status status =
        armilla_keywords_refuse(&layout->options, scales, "would change the values in the image");
    for (int64_t i = 0; !status && i < layout->map->nfields; i++) {
        char card[ARMILLA_IO_NAME_SIZE];
        armilla_image_plane_card(i, card);
        status = armilla_keywords_refuse(&layout->options, (const char *const[]){card, NULL},
                                         "names a plane, which the name of the map's field does");
    }
    return status;
}

static armilla_status check_map(const armilla_map_layout *layout)
{
    const armilla_map *map = layout->map;
    if (map->partial)
        return armilla_fail_argument("map->partial", map->partial, "must be 0 for an image");
    if (layout->options.integers)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->integers: must be NULL for an image, which has no columns");
    if (!map->coordsys)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "map->coordsys = 0: an image says in which coordinates it is: must be "
                            "'G', 'E' or 'C'");
    const armilla_status status = check_fields(map);
    return status ? status : check_keywords(layout);
}

/* --- Cards ------------------------------------------------------------------------------------ */

static armilla_status write_axis(writer *w, int axis, const char *type, const double numbers[3])
{
    static const char *const cards[2][5] = {{"CTYPE1", "CUNIT1", "CRVAL1", "CRPIX1", "CDELT1"},
                                            {"CTYPE2", "CUNIT2", "CRVAL2", "CRPIX2", "CDELT2"}};
    static const char *const notes[3] = {"at the reference pixel", "reference pixel, from 1",
                                         "from pixel to pixel"};
    armilla_status status = armilla_output_text(&w->output, cards[axis][0], type, "plate carree");
    if (!status) status = armilla_output_text(&w->output, cards[axis][1], "deg", "unit");
    for (int i = 0; !status && i < 3; i++)
        status = armilla_output_number(&w->output, cards[axis][2 + i], numbers[i], notes[i]);
    return status;
}

static armilla_status write_sky(writer *w)
{
    const char *const *name = armilla_image_axes(w->map->coordsys);
    const double n = (double)w->width, start = w->phi0 * 180 / M_PI;
    const double middle = start - 360 * floor(start / 360) + (n - 1) * 180 / n;
    const double row = (double)w->height - w->rows.span / 2 + w->rows.first;
    armilla_status status =
        write_axis(w, 0, name[0], (const double[]){middle, (n + 1) / 2, -360 / n});
    if (!status) status = write_axis(w, 1, name[1], (const double[]){0, row, 180 / w->rows.span});
    if (!status)
        status = armilla_output_number(&w->output, "LONPOLE", 0, "[deg] of the north pole");
    if (!status)
        status = armilla_output_number(&w->output, "LATPOLE", 90, "[deg] of the north pole");
    return status;
}

/* Has the image an axis of planes? A plane alone that is I needs none. */
static int has_planes(const writer *w)
{
    return w->map->nfields > 1 || w->planes_are > 1;
}

/* Is one of the planes U, of which the header says the sign? */
static int has_u(const writer *w)
{
    return w->planes_are > 0 && w->planes_are <= 3 && w->planes_are + w->map->nfields > 3;
}

static armilla_status write_planes(writer *w)
{
    static const char *const cards[] = {"CRVAL3", "CRPIX3", "CDELT3"};
    const int is_stokes = w->planes_are != ARMILLA_PLANES_OTHER;
    const double numbers[] = {is_stokes ? w->planes_are : 1, 1, 1};
    armilla_status status =
        armilla_output_text(&w->output, "CTYPE3", is_stokes ? "STOKES" : "FIELD",
                            is_stokes ? "I, Q, U, V are numbers 1, 2, 3, 4" : "fields of the map");
    for (int i = 0; !status && i < 3; i++)
        status = armilla_output_number(&w->output, cards[i], numbers[i], NULL);
    return status;
}

/* Cards of names that a reader would not know without them. A plane alone always has its card:
 * without one, a reader takes the name of the extension. */
static armilla_status write_names(writer *w)
{
    const armilla_map *map = w->map;
    const armilla_image_header header = {.planes = map->nfields,
                                         .planes_are =
                                             has_planes(w) ? w->planes_are : ARMILLA_PLANES_UNTOLD};
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; !status && i < map->nfields; i++) {
        char known[ARMILLA_IO_NAME_SIZE], card[ARMILLA_IO_NAME_SIZE];
        armilla_image_plane_name(&header, i, known);
        armilla_image_plane_card(i, card);
        if (*map->fields[i].name && (map->nfields == 1 || strcmp(known, map->fields[i].name) != 0))
            status = armilla_output_text(&w->output, card, map->fields[i].name, "name of a plane");
    }
    return status;
}

static armilla_status write_cards(writer *w)
{
    const armilla_map *map = w->map;
    const char coordsys[2] = {map->coordsys, '\0'};
    armilla_output *output = &w->output;
    armilla_status status = write_sky(w);
    if (!status && has_planes(w)) status = write_planes(w);
    if (!status) status = write_names(w);
    if (!status && *map->fields[0].unit)
        status = armilla_output_text(output, "BUNIT", map->fields[0].unit, "unit of the pixels");
    if (!status)
        status = armilla_output_text(output, "GRID", w->layout->ring_grid.name,
                                     "Armilla's name of "
                                     "the grid");
    if (!status && w->phi0 != 0)
        status = armilla_output_number(output, "PHI0", w->phi0, "[rad] of pixel 0 of a ring");
    if (!status)
        status = armilla_output_text(output, "COORDSYS", coordsys,
                                     "Ecliptic, Galactic or Celestial (equatorial)");
    if (!status && has_u(w))
        status = armilla_output_text(output, "POLCCONV", map->iau ? "IAU" : "COSMO",
                                     "Sign of U: COSMO or IAU");
    if (!status)
        status = armilla_output_text(output, "CREATOR", "Armilla " ARMILLA_VERSION,
                                     "Software creating the FITS file");
    return status ? status : armilla_output_keywords(output, &w->layout->options);
}

/* --- Values ----------------------------------------------------------------------------------- */

/* A ring into a row of the image. Returned: the first pixel that does not fit, or -1. */
static int64_t put_ring(const writer *w, int64_t field, const double *ring)
{
    const int is_float = w->map->fields[field].type == ARMILLA_IO_FLOAT;
    const double sign = has_u(w) && w->map->iau && w->planes_are + field == 3 ? -1 : 1;
    for (int64_t j = 0; j < w->width; j++) {
        const double value = ring[j];
        if (is_float && isfinite(value) && value != ARMILLA_UNSEEN && fabs(value) > (double)FLT_MAX)
            return j;
        w->row[w->width - 1 - j] = value == ARMILLA_UNSEEN ? (double)NAN : sign * value;
    }
    return -1;
}

static armilla_status write_plane(writer *w, int64_t field)
{
    for (int64_t y = 0; y < w->height; y++) {
        const int64_t first = (w->height - 1 - y) * w->width;
        const double *values = w->map->fields[field].values;
        const int64_t wrong = put_ring(w, field, values + first);
        if (wrong >= 0)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "map->fields[%lld].values[%lld] = %g: does not fit into the type "
                                "float",
                                (long long)field, (long long)(first + wrong),
                                values[first + wrong]);
        int code = 0;
        fits_write_img(w->output.fits.handle, TDOUBLE, (field * w->height + y) * w->width + 1,
                       w->width, w->row, &code);
        if (code) return armilla_fits_fail(&w->output.fits, "write the image", code);
    }
    return ARMILLA_OK;
}

static armilla_status write_file(writer *w)
{
    const int is_float = w->map->fields[0].type == ARMILLA_IO_FLOAT;
    LONGLONG axes[3] = {w->width, w->height, w->map->nfields};
    int code = 0;
    fits_resize_imgll(w->output.fits.handle, is_float ? FLOAT_IMG : DOUBLE_IMG,
                      has_planes(w) ? 3 : 2, axes, &code);
    if (code) return armilla_fits_fail(&w->output.fits, "write the image", code);
    armilla_status status = write_cards(w);
    for (int64_t i = 0; !status && i < w->map->nfields; i++) status = write_plane(w, i);
    return status;
}

armilla_status armilla_image_write(const char *path, const armilla_map_layout *layout)
{
    writer w = {
        .layout = layout, .map = layout->map, .planes_are = armilla_image_planes_of(layout->map)};
    armilla_status status = check_grid(&w);
    if (!status) status = check_map(layout);
    if (!status) status = armilla_allocate(&w.row, w.width, sizeof *w.row);
    if (!status) status = armilla_output_begin(path, layout->options.overwrite, &w.output);
    if (!status) status = armilla_output_end(&w.output, write_file(&w));
    armilla_release(w.row);
    return status;
}
