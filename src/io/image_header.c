/* Reads the cards that say how a FITS image covers the sky, and finds the grid whose rings its rows
 * are. Only whole skies in CAR about a point on the equator are maps here; what else there may be
 * (parts of the sky, other projections, rotations) is refused by the name of its card. */
#include "io/image_header.h"

#include "io/file_error.h"
#include "io/fits_table.h"
#include "io/image_planes.h"
#include "io/map_header.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE 1e-3 /* of a pixel: what cards with few digits may be off */
#define REMEDY                                                                                     \
    "in Python armilla.Grid.from_wcs takes such an image, and armilla_map_read takes whole skies " \
    "in CAR"

enum { MOST_PLANES = 998 };

/* --- Single cards ----------------------------------------------------------------------------- */

static armilla_status need_number(const armilla_fits *fits, const char *card, double *value)
{
    if (armilla_fits_number(fits, card, value) && isfinite(*value)) return ARMILLA_OK;
    return armilla_fits_refuse(fits, card, "it must be a number: " REMEDY);
}

/* Cards that would turn or bend the image, with the value that does not. */
static armilla_status check_plain(const armilla_fits *fits)
{
    static const struct {
        const char *card;
        double value;
    } cards[] = {{"CRVAL2", 0}, {"LONPOLE", 0}, {"PC1_2", 0},  {"PC2_1", 0}, {"CD1_2", 0},
                 {"CD2_1", 0},  {"CROTA1", 0},  {"CROTA2", 0}, {"PV1_0", 0}, {"PV1_1", 0},
                 {"PV1_2", 0},  {"PV1_3", 0},   {"PV2_0", 0},  {"PV2_1", 0}};
    double value;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        if (armilla_fits_number(fits, cards[i].card, &value) &&
            !(fabs(value - cards[i].value) <= 1e-9))
            return armilla_fits_refuse(fits, cards[i].card,
                                       "must be 0, so that rows are rings of latitude: " REMEDY);
    if (armilla_fits_number(fits, "LATPOLE", &value) && value < 0)
        return armilla_fits_refuse(fits, "LATPOLE",
                                   "must not be negative, so that north is up: " REMEDY);
    return ARMILLA_OK;
}

/* Degrees, unless something else is said. */
static armilla_status check_units(const armilla_fits *fits)
{
    static const char *const cards[] = {"CUNIT1", "CUNIT2"};
    char text[ARMILLA_IO_NAME_SIZE];
    for (int i = 0; i < 2; i++)
        if (armilla_fits_text(fits, cards[i], text) && *text && !armilla_text_is(text, "deg") &&
            !armilla_text_is(text, "degree") && !armilla_text_is(text, "degrees"))
            return armilla_fits_refuse(fits, cards[i], "must be deg");
    return ARMILLA_OK;
}

/* Degrees from one pixel to the next: CDELT PC, or CD. */
static armilla_status read_step(const armilla_fits *fits, int axis, double *step)
{
    static const char *const cards[] = {"CDELT1", "CDELT2"}, *const pc[] = {"PC1_1", "PC2_2"};
    static const char *const cd[] = {"CD1_1", "CD2_2"};
    double factor = 1;
    if (armilla_fits_number(fits, cd[axis], step)) {
        if (isfinite(*step) && *step != 0) return ARMILLA_OK;
        return armilla_fits_refuse(fits, cd[axis], "must be the degrees from pixel to pixel");
    }
    const armilla_status status = need_number(fits, cards[axis], step);
    armilla_fits_number(fits, pc[axis], &factor);
    *step *= factor;
    if (status || (isfinite(*step) && *step != 0)) return status;
    return armilla_fits_refuse(fits, cards[axis], "must be the degrees from pixel to pixel");
}

const char *const *armilla_image_axes(char coordsys)
{
    static const char *const names[][2] = {
        {"RA---CAR", "DEC--CAR"}, {"GLON-CAR", "GLAT-CAR"}, {"ELON-CAR", "ELAT-CAR"}};
    return names[coordsys == 'C' ? 0 : coordsys == 'G' ? 1 : 2];
}

static armilla_status read_sky(const armilla_fits *fits, armilla_image_header *header)
{
    char first[ARMILLA_IO_NAME_SIZE] = "", second[ARMILLA_IO_NAME_SIZE] = "";
    armilla_fits_text(fits, "CTYPE1", first);
    armilla_fits_text(fits, "CTYPE2", second);
    for (int i = 0; i < 3; i++) {
        const char *const *names = armilla_image_axes("CGE"[i]);
        if (!armilla_text_is(first, names[0])) continue;
        header->coordsys = "CGE"[i];
        if (armilla_text_is(second, names[1])) return ARMILLA_OK;
        return armilla_fits_refuse(fits, "CTYPE2",
                                   "must be the latitude that belongs to CTYPE1, in CAR");
    }
    return armilla_fits_refuse(fits, "CTYPE1",
                               "must be RA---CAR, GLON-CAR or ELON-CAR (plate carree): " REMEDY);
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static armilla_status read_axes(const armilla_fits *fits, armilla_image_header *header)
{
    int64_t naxis = 0, length;
    armilla_fits_integer(fits, "NAXIS", &naxis);
    armilla_fits_integer(fits, "NAXIS1", &header->width);
    armilla_fits_integer(fits, "NAXIS2", &header->height);
    header->planes = 1;
    if (naxis < 2)
        return armilla_fits_refuse(fits, "NAXIS", "an image of the sky has two axes or more");
    if (header->width < 1) return armilla_fits_refuse(fits, "NAXIS1", "a row must have pixels");
    if (header->height < 1) return armilla_fits_refuse(fits, "NAXIS2", "an image must have rows");
    for (int64_t i = 3; i <= naxis && i < 1000; i++) {
        char card[16];
        snprintf(card, sizeof card, "NAXIS%d", (int)i);
        length = 0;
        armilla_fits_integer(fits, card, &length);
        if (length < 1 || length > MOST_PLANES || header->planes * length > MOST_PLANES)
            return armilla_fits_refuse(fits, card, "a map has 1 to 998 planes");
        header->planes *= length;
    }
    return ARMILLA_OK;
}

/* The header promises so many bytes: no allocation trusts it before the file has them. */
static armilla_status check_size(const armilla_fits *fits, const armilla_image_header *header)
{
    LONGLONG start = 0, data = 0, end = 0;
    int64_t bits = 8;
    int code = 0;
    armilla_fits_integer(fits, "BITPIX", &bits);
    fits_get_hduaddrll(fits->handle, &start, &data, &end, &code);
    if (code) return armilla_fits_fail(fits, "find the image", code);
    const double needed = (double)header->width * (double)header->height * (double)header->planes *
                          fabs((double)bits) / 8;
    if (needed <= (double)(fits->size - data)) return ARMILLA_OK;
    char text[ARMILLA_SIZE_TEXT];
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: truncated: the image has %s, which the file has not: copy or "
                        "download it again",
                        armilla_path_shown(fits->path), armilla_size_text(needed, text));
}

static armilla_status read_type(const armilla_fits *fits, armilla_io_type *type)
{
    int64_t stored = 0;
    int bits = 0, code = 0;
    armilla_fits_integer(fits, "BITPIX", &stored);
    fits_get_img_equivtype(fits->handle, &bits, &code);
    if (code) return armilla_fits_fail(fits, "find the type of the image", code);
    *type = ARMILLA_IO_DOUBLE;
    if (bits == FLOAT_IMG && stored == bits) *type = ARMILLA_IO_FLOAT;
    if (bits == BYTE_IMG || bits == SBYTE_IMG || bits == SHORT_IMG) *type = ARMILLA_IO_INT16;
    if (bits == USHORT_IMG || bits == LONG_IMG) *type = ARMILLA_IO_INT32;
    if (bits == ULONG_IMG || bits == LONGLONG_IMG) *type = ARMILLA_IO_INT64;
    return ARMILLA_OK;
}

/* --- Rows ------------------------------------------------------------------------------------- */

int armilla_image_rows_of(armilla_grid_kind kind, int64_t n, armilla_image_rows *rows)
{
    static const struct {
        armilla_grid_kind kind;
        double first, more; /* span = n + more */
        int64_t fewest;
    } families[] = {{ARMILLA_GRID_F1, 0.5, 0, 1},    {ARMILLA_GRID_CC, 0, -1, 2},
                    {ARMILLA_GRID_DH, 0, 0, 1},      {ARMILLA_GRID_F2, 1, 1, 1},
                    {ARMILLA_GRID_MW, 0.5, -0.5, 1}, {ARMILLA_GRID_MWFLIP, 0, -0.5, 1},
                    {ARMILLA_GRID_MWSS, 0, -1, 2}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (families[i].kind != kind || n < families[i].fewest) continue;
        *rows = (armilla_image_rows){kind, families[i].first, (double)n + families[i].more};
        return 1;
    }
    return 0;
}

/* The family whose rings are at these latitudes, north and south the outermost ones, and as wide as
 * the rows; degrees. */
static armilla_status find_family(const armilla_fits *fits, int64_t n, double north, double south,
                                  double width, armilla_grid_kind *kind)
{
    static const armilla_grid_kind kinds[] = {ARMILLA_GRID_F1, ARMILLA_GRID_CC,
                                              ARMILLA_GRID_DH, ARMILLA_GRID_F2,
                                              ARMILLA_GRID_MW, ARMILLA_GRID_MWFLIP};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        armilla_image_rows rows;
        if (!armilla_image_rows_of(kinds[i], n, &rows)) continue;
        const double step = 180 / rows.span, last = rows.first + (double)(n - 1);
        *kind = kinds[i];
        if (fabs(90 - rows.first * step - north) <= TOLERANCE * step &&
            fabs(90 - last * step - south) <= TOLERANCE * step &&
            fabs(width - step) * (double)n <= TOLERANCE * step)
            return ARMILLA_OK;
    }
    return armilla_fail(
        ARMILLA_ERROR_FORMAT,
        "%s: CRPIX2, CDELT2: the %lld rows go from latitude %.9g to %.9g deg, as "
        "those of no grid of the whole sky (cc, f1, f2, dh, mw, mwflip) do: " REMEDY,
        armilla_path_shown(fits->path), (long long)n, north, south);
}

/* GRID, if it is there, must name these rows and columns; it tells mwss from cc. */
static armilla_status apply_name(const armilla_fits *fits, const armilla_image_header *header,
                                 armilla_grid_kind *kind)
{
    char name[ARMILLA_IO_NAME_SIZE];
    armilla_grid_sizes sizes = {.size = sizeof sizes};
    if (!armilla_fits_text(fits, "GRID", name) || strlen(name) >= ARMILLA_GRID_NAME_SIZE)
        return ARMILLA_OK;
    if (armilla_grid_read_name(name, &sizes) || !strchr(name, ':'))
        return ARMILLA_OK; /* another program's card: ours of such rings are as cc:181x360 */
    const int is_same =
        sizes.kind == *kind || (sizes.kind == ARMILLA_GRID_MWSS && *kind == ARMILLA_GRID_CC);
    *kind = sizes.kind;
    if (is_same && sizes.nrings == header->height && sizes.nphi == header->width) return ARMILLA_OK;
    return armilla_fits_refuse(fits, "GRID",
                               "contradicts NAXIS1, NAXIS2, CRPIX2 or CDELT2: correct the card, "
                               "or remove it");
}

static armilla_status find_rows(const armilla_fits *fits, armilla_image_header *header,
                                armilla_grid_kind *kind)
{
    double step, pixel;
    armilla_status status = read_step(fits, 1, &step);
    if (!status) status = need_number(fits, "CRPIX2", &pixel);
    if (status) return status;
    const double first = step * (1 - pixel), last = step * ((double)header->height - pixel);
    header->is_north_first = step < 0;
    status = find_family(fits, header->height, step < 0 ? first : last, step < 0 ? last : first,
                         fabs(step), kind);
    return status ? status : apply_name(fits, header, kind);
}

/* --- Columns ---------------------------------------------------------------------------------- */

static armilla_status check_round(const armilla_fits *fits, int64_t width, double step)
{
    const double more = (double)width - 360 / fabs(step);
    if (fabs(more) <= TOLERANCE) return ARMILLA_OK;
    return armilla_fail(
        ARMILLA_ERROR_FORMAT,
        "%s: CDELT1 = %.9g: %lld columns of this width cover %.9g deg of longitude "
        "and not 360%s: " REMEDY,
        armilla_path_shown(fits->path), step, (long long)width, fabs(step) * (double)width,
        fabs(more - 1) <= TOLERANCE ? ", as the last column repeats the first one: cut it off, or"
                                    : "");
}

/* Where pixel 0 of each ring is: the one with the smallest longitude, or that of PHI0.
 * Returned: *phi0  its longitude, radians. */
static armilla_status find_start(const armilla_fits *fits, double longitude,
                                 armilla_image_header *header, double *phi0)
{
    const double width = (double)header->width, degrees = 180 / M_PI;
    const int has_start = armilla_fits_number(fits, "PHI0", phi0) && isfinite(*phi0);
    const double turns = (longitude - (has_start ? *phi0 * degrees : 0)) / 360;
    const double place = (turns - floor(turns)) * width; /* of the first column, in pixels */
    if (!isfinite(place))
        return armilla_fits_refuse(fits, "CRVAL1", "is too large, or CRPIX1 or PHI0 is");
    double whole = floor(place), rest = place - whole;
    if (rest >= 1 - TOLERANCE) whole++, rest = 0;
    if (rest <= TOLERANCE) rest = 0;
    if (has_start && rest != 0)
        return armilla_fits_refuse(fits, "PHI0",
                                   "contradicts CRVAL1, CRPIX1 or CDELT1: correct the card, or "
                                   "remove it");
    if (!has_start) *phi0 = rest * 2 * M_PI / width;
    const int64_t pixel = (int64_t)whole % header->width;
    header->column = header->is_westward ? pixel : (header->width - pixel) % header->width;
    return ARMILLA_OK;
}

static armilla_status find_columns(const armilla_fits *fits, armilla_image_header *header,
                                   double *phi0)
{
    double step, pixel, value;
    armilla_status status = read_step(fits, 0, &step);
    if (!status) status = need_number(fits, "CRPIX1", &pixel);
    if (!status) status = need_number(fits, "CRVAL1", &value);
    if (!status) status = check_round(fits, header->width, step);
    if (status) return status;
    header->is_westward = step < 0;
    const double exact = (step < 0 ? -360 : 360) / (double)header->width;
    return find_start(fits, value + exact * (1 - pixel), header, phi0);
}

/* --- All of it -------------------------------------------------------------------------------- */

static armilla_status make_grid(const armilla_image_header *header, armilla_grid_kind kind,
                                double phi0, armilla_grid **grid)
{
    armilla_grid *plain = NULL;
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.phi0 = phi0;
    armilla_status status =
        armilla_grid_new_equidistant(kind, header->height, header->width, &plain);
    if (!status) status = armilla_grid_new_laid_out(plain, &layout, grid);
    armilla_grid_free(plain);
    return status;
}

static armilla_status find_grid(const armilla_fits *fits, armilla_image_header *header)
{
    armilla_grid_kind kind = ARMILLA_GRID_CC;
    double phi0 = 0;
    armilla_status status = read_sky(fits, header);
    if (!status) status = check_units(fits);
    if (!status) status = need_number(fits, "CRVAL2", &phi0);
    if (!status) status = check_plain(fits);
    if (!status) status = find_columns(fits, header, &phi0);
    if (!status) status = find_rows(fits, header, &kind);
    return status ? status : make_grid(header, kind, phi0, &header->grid);
}

armilla_status armilla_image_header_read(const armilla_fits *fits, armilla_image_header *header)
{
    int code = 0;
    memset(header, 0, sizeof *header);
    if (fits_is_compressed_image(fits->handle, &code))
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%s: the image is compressed: unpack it first, with funpack",
                            armilla_path_shown(fits->path));
    armilla_status status = read_axes(fits, header);
    if (!status) status = check_size(fits, header);
    if (!status) status = read_type(fits, &header->type);
    if (!status) status = find_grid(fits, header);
    if (!status) status = armilla_image_planes_read(fits, header);
    armilla_fits_text(fits, "BUNIT", header->unit);
    if (status) armilla_image_header_clear(header);
    return status;
}

void armilla_image_header_clear(armilla_image_header *header)
{
    armilla_grid_free(header->grid);
    header->grid = NULL;
}

/* --- Finding it ------------------------------------------------------------------------------- */

static int is_image(const armilla_fits *fits, int hdu)
{
    int type;
    int64_t naxis = 0;
    if (hdu >= fits->count || armilla_fits_move(fits, hdu, &type) || type != IMAGE_HDU) return 0;
    armilla_fits_integer(fits, "NAXIS", &naxis);
    return naxis >= 2;
}

/* Also where memory is too short to know, which who reads the table will find. */
static int is_map_table(const armilla_fits *fits, int hdu)
{
    armilla_table table;
    int type;
    if (armilla_fits_move(fits, hdu, &type) || type == IMAGE_HDU) return 0;
    const armilla_status status = armilla_table_open(fits, type, &table);
    if (status) return status == ARMILLA_ERROR_MEMORY;
    const int is_map = armilla_map_header_fits(fits, &table);
    armilla_table_clear(&table);
    return is_map;
}

/* Do its axes say that it is an image of the sky, in whatever projection? */
static int is_sky(const armilla_fits *fits)
{
    static const char *const longitudes[] = {"RA--", "GLON", "ELON"};
    char text[ARMILLA_IO_NAME_SIZE];
    if (!armilla_fits_text(fits, "CTYPE1", text)) return 0;
    for (int i = 0; i < 3; i++)
        if (!strncmp(text, longitudes[i], 4)) return 1;
    return 0;
}

int armilla_image_find(const armilla_fits *fits, int hdu)
{
    int sky = -1, any = -1, has_tables = 0, type;
    if (hdu == ARMILLA_IO_PRIMARY) return 0;
    if (hdu != 0) return hdu > 0 && is_image(fits, hdu) ? hdu : -1;
    for (int i = 0; i < fits->count; i++) {
        if (!is_image(fits, i)) continue;
        if (any < 0) any = i;
        if (sky < 0 && is_sky(fits)) sky = i;
    }
    for (int i = 1; any >= 0 && i < fits->count; i++) {
        if (is_map_table(fits, i)) return -1;
        if (!armilla_fits_move(fits, i, &type) && type != IMAGE_HDU) has_tables = 1;
    }
    return sky >= 0 || has_tables ? sky : any;
}
