/* Reads what the planes of an image are from the cards of its third axis (or of a later one, where
 * that is the one that has several planes), and judges the names of fields that become planes. */
#include "io/image_planes.h"

#include "io/map_header.h"
#include <stdio.h>
#include <string.h>

static const char *const stokes[] = {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION",
                                     "V_POLARISATION"};
enum { STOKES = sizeof stokes / sizeof *stokes };

/* --- From cards ------------------------------------------------------------------------------- */

/* The axis that has several planes; 3 where none has; 0 where several have. */
static int find_axis(const armilla_fits *fits)
{
    int64_t naxis = 0, length;
    int found = 0;
    armilla_fits_integer(fits, "NAXIS", &naxis);
    for (int axis = 3; axis <= naxis && axis < 1000; axis++) {
        char card[20];
        snprintf(card, sizeof card, "NAXIS%d", axis);
        length = 1;
        armilla_fits_integer(fits, card, &length);
        if (length > 1 && found) return 0;
        if (length > 1) found = axis;
    }
    return found ? found : 3;
}

/* The number of the first plane of an axis of Stokes parameters. */
static armilla_status read_first(const armilla_fits *fits, int axis, int64_t planes, int *first)
{
    char card[3][16];
    static const char *const names[] = {"CRVAL", "CRPIX", "CDELT"};
    double number[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        snprintf(card[i], sizeof card[i], "%s%d", names[i], axis);
        armilla_fits_number(fits, card[i], &number[i]);
    }
    const double value = number[0] + number[2] * (1 - number[1]);
    for (*first = 1; *first + planes - 1 <= STOKES; ++*first)
        if (value == *first && (number[2] == 1 || planes == 1)) return ARMILLA_OK;
    return armilla_fits_refuse(fits, card[0],
                               "planes of STOKES must be some of I, Q, U, V, numbers 1 to 4");
}

/* IAU, unless a card says COSMO; some write the card with one C. */
static armilla_status read_sign(const armilla_fits *fits, int *iau)
{
    char text[ARMILLA_IO_NAME_SIZE];
    if (armilla_fits_text(fits, "POLCCONV", text) && *text) return ARMILLA_OK;
    *iau = 1;
    if (!armilla_fits_text(fits, "POLCONV", text) || armilla_text_is(text, "IAU"))
        return ARMILLA_OK;
    *iau = 0;
    return armilla_text_is(text, "COSMO")
               ? ARMILLA_OK
               : armilla_fits_refuse(fits, "POLCONV", "must be COSMO or IAU");
}

armilla_status armilla_image_planes_read(const armilla_fits *fits, armilla_image_header *header)
{
    char card[16], text[ARMILLA_IO_NAME_SIZE];
    const int axis = find_axis(fits);
    armilla_status status = armilla_map_header_signs(fits, &header->iau);
    if (status) return status;
    snprintf(card, sizeof card, "CTYPE%d", axis ? axis : 3);
    header->planes_are = axis ? ARMILLA_PLANES_UNTOLD : ARMILLA_PLANES_OTHER;
    if (axis && armilla_fits_text(fits, card, text) && *text) {
        header->planes_are = ARMILLA_PLANES_OTHER;
        if (armilla_text_is(text, "STOKES")) {
            status = read_first(fits, axis, header->planes, &header->planes_are);
            return status ? status : read_sign(fits, &header->iau);
        }
    }
    if (header->planes_are == ARMILLA_PLANES_OTHER) header->iau = 0;
    return ARMILLA_OK;
}

void armilla_image_plane_name(const armilla_image_header *header, int64_t plane,
                              char name[ARMILLA_IO_NAME_SIZE])
{
    if (header->planes_are > 0)
        snprintf(name, ARMILLA_IO_NAME_SIZE, "%s", stokes[header->planes_are - 1 + plane]);
    else if (header->planes_are == ARMILLA_PLANES_UNTOLD)
        armilla_map_column_name(header->planes, plane, name);
    else
        snprintf(name, ARMILLA_IO_NAME_SIZE, "COLUMN_%lld", (long long)plane + 1);
}

/* --- From names ------------------------------------------------------------------------------- */

/* "U_POLARISATION", "Q", "I-POL", "Temperature": the number of the Stokes parameter; 0: none. */
static int stokes_of(const char *name)
{
    static const char *const words[] = {"I", "Q", "U", "V", "T", "TEMPERATURE", "INTENSITY"};
    char word[ARMILLA_IO_NAME_SIZE];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "_- "), name);
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        if (armilla_text_is(word, words[i])) return i < STOKES ? i + 1 : 1;
    return 0;
}

void armilla_image_plane_card(int64_t plane, char card[ARMILLA_IO_NAME_SIZE])
{
    snprintf(card, ARMILLA_IO_NAME_SIZE, "PLANE%lld", (long long)plane + 1);
}

void armilla_image_plane_read(const armilla_fits *fits, const armilla_image_header *header,
                              int64_t plane, char name[ARMILLA_IO_NAME_SIZE])
{
    char told[ARMILLA_IO_NAME_SIZE] = "", card[ARMILLA_IO_NAME_SIZE];
    armilla_image_plane_name(header, plane, name);
    armilla_image_plane_card(plane, card);
    int has_name = armilla_fits_text(fits, card, told) && *told;
    if (!has_name && header->planes == 1)
        has_name =
            armilla_fits_text(fits, "EXTNAME", told) && *told && !armilla_text_is(told, "PRIMARY");
    const int fits_it = header->planes_are < 1 || stokes_of(told) == header->planes_are + plane;
    if (has_name && fits_it) memcpy(name, told, sizeof told);
}

int armilla_image_planes_of(const armilla_map *map)
{
    const int first = stokes_of(map->fields[0].name);
    for (int64_t i = 0; i < map->nfields; i++)
        if (!first || stokes_of(map->fields[i].name) != first + i) return ARMILLA_PLANES_OTHER;
    return first;
}
