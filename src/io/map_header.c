/* Reads the keywords that say how a FITS table holds a map, and checks them against one another and
 * against the table. Maps on other grids than HEALPix say so by PIXTYPE (ring_grid.h). HEALPix' own
 * files, healpy's and the older Fortran ones differ in which of them they write. INDXSCHM, else
 * OBJECT, else GRAIN decide whether pixels are listed (EXPLICIT); a missing ORDERING means RING, as
 * healpy takes it; a missing NSIDE follows from the number of values, but only in RING order, where
 * nothing else depends on it. NPIX is not looked at: masks of Planck that are right have that of
 * another resolution. */
#include "io/map_header.h"

#include "armilla/grid.h"
#include "io/file_error.h"
#include "io/ring_grid.h"
#include <stdio.h>
#include <string.h>

#define MAX_NSIDE ((int64_t)1 << 29) /* pixel numbers fit 64 bits */

static armilla_status fail_keyword(const armilla_fits *fits, const char *keyword, const char *value,
                                   const char *rule)
{
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: %s = '%s': %s", armilla_path_shown(fits->path),
                        keyword, value, rule);
}

/* --- Single keywords -------------------------------------------------------------------------- */

/* Have its pixels several sizes, each with a number UNIQ = 4 NSIDE^2 + that in NESTED order? */
static int is_multi_order(const armilla_fits *fits, const armilla_table *table)
{
    char text[ARMILLA_IO_NAME_SIZE];
    if (armilla_fits_text(fits, "ORDERING", text))
        return armilla_text_is(text, "NUNIQ") || armilla_text_is(text, "UNIQ");
    return armilla_table_find(table, "UNIQ") >= 0 && !armilla_fits_text(fits, "NSIDE", text);
}

static armilla_status read_order(const armilla_fits *fits, const armilla_table *table,
                                 armilla_io_order *order)
{
    char text[ARMILLA_IO_NAME_SIZE];
    *order = ARMILLA_IO_RING;
    if (is_multi_order(fits, table))
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: a multi-order table (NUNIQ), whose pixels have several sizes: "
                            "make a map of one NSIDE of it first, with ligo-skymap-flatten of "
                            "ligo.skymap, or with mhealpy",
                            armilla_path_shown(fits->path));
    if (!armilla_fits_text(fits, "ORDERING", text) || armilla_text_is(text, "RING"))
        return ARMILLA_OK;
    *order = ARMILLA_IO_NESTED;
    if (armilla_text_is(text, "NESTED") || armilla_text_is(text, "NEST")) return ARMILLA_OK;
    return fail_keyword(fits, "ORDERING", text, "must be RING or NESTED");
}

/* What the keywords say of the pixels; -1: nothing. */
typedef struct scheme {
    int is_explicit; /* are they listed? */
    int is_full;     /* is it the whole sky? */
} scheme;

/* OBJECT may also name what is seen. */
static void read_coverage(const armilla_fits *fits, scheme *found)
{
    char object[ARMILLA_IO_NAME_SIZE] = "";
    armilla_fits_text(fits, "OBJECT", object);
    found->is_full = armilla_text_is(object, "PARTIAL")   ? 0
                     : armilla_text_is(object, "FULLSKY") ? 1
                                                          : -1;
}

/* GRAIN: the pixels that a pixel number stands for; 0: there are no numbers. */
static armilla_status read_grain(const armilla_fits *fits, scheme *found)
{
    int64_t grain = 0;
    if (!armilla_fits_integer(fits, "GRAIN", &grain)) return ARMILLA_OK;
    const char *shown = armilla_path_shown(fits->path);
    if (found->is_explicit >= 0 && found->is_explicit != (grain > 0))
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: GRAIN = %lld: contradicts %s map", shown,
                            (long long)grain, found->is_explicit ? "an EXPLICIT" : "an IMPLICIT");
    if (grain > 1)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%s: GRAIN = %lld: only one pixel number per pixel can be read", shown,
                            (long long)grain);
    found->is_explicit = grain > 0;
    return ARMILLA_OK;
}

static armilla_status read_scheme(const armilla_fits *fits, scheme *found)
{
    char text[ARMILLA_IO_NAME_SIZE] = "";
    armilla_fits_text(fits, "INDXSCHM", text);
    read_coverage(fits, found);
    found->is_explicit = armilla_text_is(text, "EXPLICIT")   ? 1
                         : armilla_text_is(text, "IMPLICIT") ? 0
                                                             : -1;
    if (*text && found->is_explicit < 0)
        return fail_keyword(fits, "INDXSCHM", text, "must be IMPLICIT or EXPLICIT");
    if (found->is_explicit > 0 && found->is_full > 0)
        return fail_keyword(fits, "INDXSCHM", text, "contradicts OBJECT = 'FULLSKY'");
    if (found->is_explicit < 0 && found->is_full >= 0) found->is_explicit = !found->is_full;
    return read_grain(fits, found);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

const char *armilla_map_header_sky(const armilla_map_header *header, char text[ARMILLA_SKY_TEXT])
{
    char name[ARMILLA_GRID_NAME_SIZE];
    if (!header->grid)
        snprintf(text, ARMILLA_SKY_TEXT, "NSIDE = %lld", (long long)header->nside);
    else if (!armilla_grid_name(header->grid, name))
        snprintf(text, ARMILLA_SKY_TEXT, "GRID = '%s'", name);
    else
        snprintf(text, ARMILLA_SKY_TEXT, "the grid of %lld rings",
                 (long long)armilla_grid_nrings(header->grid));
    return text;
}

/* The column named PIXEL, which may hold whole numbers as reals; else the first one, which healpy
 * takes. */
static armilla_status find_pixel_column(const armilla_fits *fits, const armilla_table *table,
                                        int is_explicit, int64_t *pixel)
{
    *pixel = -1;
    if (!is_explicit) return ARMILLA_OK;
    *pixel = armilla_table_find(table, "PIXEL");
    if (*pixel < 0 && is_explicit > 0 && table->ncolumns > 0) *pixel = 0;
    if (*pixel < 0) return ARMILLA_OK;
    const armilla_column *column = &table->columns[*pixel];
    const int is_named = armilla_text_is(column->name, "PIXEL");
    if (armilla_column_is_integer(column)) return ARMILLA_OK;
    if (is_named && armilla_column_is_number(column) && column->form != 'L') return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: a partial map needs a column PIXEL of whole numbers, column %lld "
                        "('%s') holds others",
                        armilla_path_shown(fits->path), (long long)*pixel + 1, column->name);
}

/* The column that tells how many pixels a row has: PIXEL where pixels are listed; else the first
 * column of numbers with as many values as the sky has pixels, or the first one of numbers. Text,
 * bits, lists and columns of other lengths may stand beside the map. -1: there is none. */
static int64_t find_size_column(const armilla_fits *fits, const armilla_table *table,
                                const armilla_map_header *header)
{
    int64_t nside = 0, found = header->pixel;
    if (found >= 0) return found;
    armilla_fits_integer(fits, "NSIDE", &nside);
    int64_t npix = nside > 0 && nside <= MAX_NSIDE ? 12 * nside * nside : -1;
    if (header->grid) npix = header->npix;
    for (int64_t i = 0; i < table->ncolumns; i++) {
        const armilla_column *column = &table->columns[i];
        if (!armilla_column_is_number(column)) continue;
        if (table->rows * column->repeat == npix) return i;
        if (found < 0) found = i;
    }
    return found;
}

/* What the keywords say of the number of pixels; -1: nothing. */
typedef struct pixel_cards {
    int64_t first, last, observed;
} pixel_cards;

static pixel_cards read_pixel_cards(const armilla_fits *fits)
{
    pixel_cards cards = {-1, -1, -1};
    armilla_fits_integer(fits, "FIRSTPIX", &cards.first);
    armilla_fits_integer(fits, "LASTPIX", &cards.last);
    armilla_fits_integer(fits, "OBS_NPIX", &cards.observed);
    return cards;
}

static armilla_status fail_count(const armilla_fits *fits, const armilla_map_header *header)
{
    char other[64] = "", sky[ARMILLA_SKY_TEXT];
    const int64_t nside = armilla_healpix_nside(header->count);
    if (nside > 0 && !header->grid)
        snprintf(other, sizeof other, ", as the sky of NSIDE = %lld has", (long long)nside);
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: %s needs %lld pixels, the table has %lld values per column%s",
                        armilla_path_shown(fits->path), armilla_map_header_sky(header, sky),
                        (long long)header->npix, (long long)header->count, other);
}

static armilla_status fail_card(const armilla_fits *fits, const char *keyword, int64_t value,
                                const armilla_map_header *header)
{
    char sky[ARMILLA_SKY_TEXT];
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: %s = %lld: contradicts %s and a table of %lld pixels",
                        armilla_path_shown(fits->path), keyword, (long long)value,
                        armilla_map_header_sky(header, sky), (long long)header->count);
}

/* IMPLICIT, with fewer values than the sky has pixels: FIRSTPIX .. LASTPIX. Where these are all
 * pixels of another NSIDE, and OBJECT does not say PARTIAL, NSIDE may as well be wrong. */
static armilla_status check_range(const armilla_fits *fits, const pixel_cards *cards, int is_full,
                                  armilla_map_header *header)
{
    const int64_t first = cards->first < 0 ? 0 : cards->first, last = cards->last;
    const int is_range = last >= first && last < header->npix && last - first == header->count - 1;
    const int is_other =
        first == 0 && is_full < 0 && (header->grid || armilla_healpix_nside(header->count) > 0);
    if (is_full > 0 || !is_range || is_other) return fail_count(fits, header);
    header->first = first;
    return ARMILLA_OK;
}

/* IMPLICIT: all pixels of the sphere, or a range of them. */
static armilla_status check_implicit(const armilla_fits *fits, const pixel_cards *cards,
                                     int is_full, armilla_map_header *header)
{
    if (header->count != header->npix) return check_range(fits, cards, is_full, header);
    if (!is_full)
        return fail_keyword(fits, "OBJECT", "PARTIAL",
                            "contradicts INDXSCHM = 'IMPLICIT' and a table of all pixels");
    if (cards->first > 0) return fail_card(fits, "FIRSTPIX", cards->first, header);
    if (cards->last >= 0 && cards->last != header->npix - 1)
        return fail_card(fits, "LASTPIX", cards->last, header);
    return ARMILLA_OK;
}

/* Do NSIDE, the number of values and the other keywords go together? Of listed pixels FIRSTPIX and
 * LASTPIX are those of the sky, or of the list. */
static armilla_status check_count(const armilla_fits *fits, const scheme *found,
                                  armilla_map_header *header)
{
    const pixel_cards cards = read_pixel_cards(fits);
    const int is_listed = header->pixel >= 0;
    if (is_listed ? cards.observed >= 0 && cards.observed != header->count
                  : cards.observed > header->npix)
        return fail_card(fits, "OBS_NPIX", cards.observed, header);
    if (!is_listed) return check_implicit(fits, &cards, found->is_full, header);
    if (cards.last >= header->npix) return fail_card(fits, "LASTPIX", cards.last, header);
    return ARMILLA_OK;
}

static armilla_status read_nside(const armilla_fits *fits, armilla_map_header *header)
{
    char text[ARMILLA_IO_NAME_SIZE];
    const char *shown = armilla_path_shown(fits->path);
    int is_nested = header->order == ARMILLA_IO_NESTED;
    if (!armilla_fits_integer(fits, "NSIDE", &header->nside)) {
        if (armilla_fits_text(fits, "NSIDE", text))
            return fail_keyword(fits, "NSIDE", text, "must be a whole number");
        if (is_nested || header->pixel >= 0)
            return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: NSIDE is missing: a %s map needs it",
                                shown, is_nested ? "NESTED" : "partial");
        header->nside = armilla_healpix_nside(header->count);
        if (header->nside < 1)
            return armilla_fail(ARMILLA_ERROR_FORMAT,
                                "%s: no HEALPix map: NSIDE is missing and %lld values are not "
                                "12 NSIDE^2",
                                shown, (long long)header->count);
    }
    if (header->nside < 1 || header->nside > MAX_NSIDE)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: NSIDE = %lld: must be from 1 to 2^29", shown,
                            (long long)header->nside);
    if (is_nested && (header->nside & (header->nside - 1)))
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: NSIDE = %lld: must be a power of two in NESTED order", shown,
                            (long long)header->nside);
    header->npix = 12 * header->nside * header->nside;
    return ARMILLA_OK;
}

/* Values that a column has at most. */
static int64_t most_values(const armilla_table *table)
{
    int64_t most = 0;
    for (int64_t i = 0; i < table->ncolumns; i++)
        if (table->rows * table->columns[i].repeat > most)
            most = table->rows * table->columns[i].repeat;
    return most;
}

/* The grid of a map that is no HEALPix map: none of HEALPix' own cards may stand beside it. */
static armilla_status read_grid(const armilla_fits *fits, const armilla_table *table,
                                armilla_map_header *header)
{
    char text[ARMILLA_IO_NAME_SIZE];
    if (header->order != ARMILLA_IO_RING)
        return fail_keyword(fits, "ORDERING", "NESTED",
                            "contradicts PIXTYPE = '" ARMILLA_RING_GRID "': must be RING");
    if (armilla_fits_text(fits, "NSIDE", text))
        return fail_keyword(fits, "NSIDE", text,
                            "contradicts PIXTYPE = '" ARMILLA_RING_GRID "': remove the card, or "
                            "set PIXTYPE = 'HEALPIX' and remove GRID");
    armilla_status status = armilla_ring_grid_read(fits, most_values(table), &header->grid);
    if (!status) header->npix = armilla_grid_npix(header->grid);
    return status;
}

static armilla_status read_pixels(const armilla_fits *fits, const armilla_table *table,
                                  armilla_map_header *header)
{
    char text[ARMILLA_IO_NAME_SIZE];
    if (!armilla_fits_text(fits, "PIXTYPE", text) || armilla_text_is(text, "HEALPIX") || !*text)
        return ARMILLA_OK;
    if (armilla_text_is(text, ARMILLA_RING_GRID)) return read_grid(fits, table, header);
    return fail_keyword(fits, "PIXTYPE", text, "must be HEALPIX or " ARMILLA_RING_GRID);
}

/* The sign of U: COSMO where nothing is said, as healpy has it. */
armilla_status armilla_map_header_signs(const armilla_fits *fits, int *iau)
{
    char text[ARMILLA_IO_NAME_SIZE];
    const int said = armilla_fits_text(fits, "POLCCONV", text) && *text;
    *iau = said && armilla_text_is(text, "IAU");
    if (!said || *iau || armilla_text_is(text, "COSMO")) return ARMILLA_OK;
    return fail_keyword(fits, "POLCCONV", text, "must be COSMO or IAU");
}

static armilla_status read_header(const armilla_fits *fits, const armilla_table *table,
                                  armilla_map_header *header)
{
    scheme found = {-1, -1};
    armilla_status status = read_order(fits, table, &header->order);
    if (!status) status = read_pixels(fits, table, header);
    if (!status) status = read_scheme(fits, &found);
    if (!status) status = find_pixel_column(fits, table, found.is_explicit, &header->pixel);
    if (status) return status;
    header->nfields = table->ncolumns - (header->pixel >= 0);
    const int64_t column = find_size_column(fits, table, header);
    if (table->is_text || header->nfields < 1 || column < 0)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: no HEALPix map: %s",
                            armilla_path_shown(fits->path),
                            table->is_text        ? "the table is an ASCII table"
                            : header->nfields < 1 ? "it has no fields"
                                                  : "none of its columns holds numbers");
    header->repeat = table->columns[column].repeat;
    header->count = table->rows * header->repeat;
    status = header->grid ? ARMILLA_OK : read_nside(fits, header);
    if (!status) status = check_count(fits, &found, header);
    header->coordsys = armilla_fits_coordsys(fits);
    if (!status) status = armilla_map_header_signs(fits, &header->iau);
    header->has_bad = armilla_fits_number(fits, "BAD_DATA", &header->bad);
    return status;
}

armilla_status armilla_map_header_read(const armilla_fits *fits, const armilla_table *table,
                                       armilla_map_header *header)
{
    memset(header, 0, sizeof *header);
    const armilla_status status = read_header(fits, table, header);
    if (status) armilla_map_header_clear(header);
    return status;
}

void armilla_map_header_clear(armilla_map_header *header)
{
    armilla_grid_free(header->grid);
    header->grid = NULL;
}

int64_t armilla_map_header_column(const armilla_map_header *header, int64_t field)
{
    return field + (header->pixel >= 0 && field >= header->pixel);
}

int armilla_map_header_fits(const armilla_fits *fits, const armilla_table *table)
{
    char text[ARMILLA_IO_NAME_SIZE];
    if (table->is_text || table->ncolumns < 1) return 0;
    if (armilla_fits_text(fits, "PIXTYPE", text))
        return armilla_text_is(text, "HEALPIX") || armilla_text_is(text, ARMILLA_RING_GRID);
    if (armilla_fits_text(fits, "ORDERING", text)) return 1;
    /* NSIDE alone may also stand in tables of coefficients and spectra. */
    armilla_map_header header;
    return armilla_fits_text(fits, "NSIDE", text) && !armilla_map_header_read(fits, table, &header);
}

/* --- Names ------------------------------------------------------------------------------------ */

void armilla_map_column_name(int64_t nfields, int64_t index, char name[ARMILLA_IO_NAME_SIZE])
{
    static const char *const stokes[] = {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    static const char *const covariance[] = {"II", "IQ", "IU", "QQ", "QU", "UU"};
    const char *known = NULL;
    if (nfields == 1 || nfields == 3) known = stokes[index];
    if (nfields == 2) known = stokes[index + 1];
    if (nfields == 6) known = covariance[index];
    if (known)
        snprintf(name, ARMILLA_IO_NAME_SIZE, "%s", known);
    else
        snprintf(name, ARMILLA_IO_NAME_SIZE, "COLUMN_%lld", (long long)index + 1);
}

typedef enum stokes_name { NAME_UNKNOWN, NAME_KEEPS, NAME_FLIPS } stokes_name;

/* "U_POLARISATION", "U-POL", "U_Stokes", "u", "IU_COV": letters, then the end or - or _ . */
static stokes_name judge_name(const char *name)
{
    char letters[4] = "";
    size_t length = 0;
    for (; length < 4 && name[length] && !strchr("_- ", name[length]); length++)
        letters[length < 3 ? length : 3] = name[length];
    if (length == 0 || length > 2) return NAME_UNKNOWN;
    letters[length] = '\0';
    static const char *const flip[] = {"U", "IU", "TU", "QU", "UI", "UT", "UQ"};
    static const char *const keep[] = {"T", "I", "Q", "II", "IQ", "QI", "TT", "TQ", "QQ", "UU"};
    for (size_t i = 0; i < sizeof flip / sizeof *flip; i++)
        if (armilla_text_is(letters, flip[i])) return NAME_FLIPS;
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        if (armilla_text_is(letters, keep[i])) return NAME_KEEPS;
    return NAME_UNKNOWN;
}

static int is_u(const char *const *names, int64_t nfields, int64_t index)
{
    stokes_name judgement = judge_name(names[index]);
    if (judgement != NAME_UNKNOWN) return judgement == NAME_FLIPS;
    for (int64_t i = 0; i < nfields; i++)
        if (judge_name(names[i]) == NAME_FLIPS) return 0;
    return (nfields == 2 && index == 1) || (nfields == 3 && index == 2);
}

int armilla_map_find_u(const char *const *names, int64_t nfields, char *flips)
{
    int found = 0;
    for (int64_t i = 0; i < nfields; i++) {
        flips[i] = (char)is_u(names, nfields, i);
        found = found || flips[i];
    }
    return found;
}
