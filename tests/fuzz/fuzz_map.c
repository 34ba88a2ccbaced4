/* armilla_map_read, and armilla_map_input_read, which must say the same. The last byte of the file,
 * which is padding, chooses the HDU and whether all fields or two named ones are read. */
#include "support.h"

#include <string.h>
#include <strings.h>

enum { REFUSED = 32 << 20, SMALL = 1 << 20, EXPANSION = 64, PIECE = 500 };

static int has_word(const uint8_t *data, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (!strncasecmp((const char *)data + i, word, length)) return 1;
    return 0;
}

/* Is there a card with the name of a column that holds the numbers of pixels? */
static int names_pixels(const uint8_t *data, size_t size)
{
    enum { CARD = 80 };
    for (size_t i = 0; i + CARD <= size; i++)
        if (!memcmp(data + i, "TTYPE", 5) && has_word(data + i, CARD, "PIXEL")) return 1;
    return 0;
}

/* The full sky of a partial map may be much larger than its file: armilla/io.h promises it. A file
 * without any of these words can be no partial map. */
static int may_be_partial(const uint8_t *data, size_t size)
{
    return has_word(data, size, "PARTIAL") || has_word(data, size, "EXPLICIT") ||
           has_word(data, size, "FIRSTPIX") || has_word(data, size, "LASTPIX") ||
           has_word(data, size, "GRAIN") || names_pixels(data, size);
}

static void check_map(const armilla_map *map)
{
    fuzz_require(map->nside >= 1 && map->npix == 12 * map->nside * map->nside, "npix");
    fuzz_require(map->nfields >= 1, "a map without fields");
    fuzz_require(map->order == ARMILLA_IO_RING || map->order == ARMILLA_IO_NESTED, "order");
    fuzz_require(!map->coordsys || strchr("GEC", map->coordsys) != NULL, "coordsys");
    for (int64_t i = 0; i < map->nfields; i++) {
        const armilla_field *field = &map->fields[i];
        fuzz_require(memchr(field->name, 0, sizeof field->name) != NULL, "name without an end");
        fuzz_require(memchr(field->unit, 0, sizeof field->unit) != NULL, "unit without an end");
        fuzz_require(fuzz_count_nans(map->npix, field->values) == 0, "NaN in a map");
    }
}

/* map: the same file read at once, all fields, or NULL. */
static void check_piece(const armilla_map_input *input, int64_t field, int64_t first, int64_t count,
                        const armilla_map *map)
{
    double values[PIECE];
    armilla_status status = armilla_map_input_read(input, field, first, count, values);
    fuzz_require_outcome(status, status ? NULL : values);
    if (!map) return;
    fuzz_require(!status, "a map that can be read only at once");
    fuzz_require(!memcmp(values, map->fields[field].values + first, (size_t)count * sizeof *values),
                 "a piece with other values");
}

/* The beginning, the middle and the end of each field. size: of the file. */
static void check_pieces(const char *path, size_t size, int hdu, const armilla_map *map)
{
    armilla_map_input *input = NULL;
    fuzz_memory_begin(INT64_MAX);
    armilla_status status = armilla_map_input_open(path, hdu, &input);
    fuzz_require(fuzz_memory_asked() <= SMALL + EXPANSION * (int64_t)size, "memory of pieces");
    fuzz_require_outcome(status, input);
    if (!input) return;
    const armilla_map *told = armilla_map_input_map(input);
    const int64_t count = told->npix < PIECE ? told->npix : PIECE;
    fuzz_require(!map || (map->npix == told->npix && map->nfields == told->nfields), "other sizes");
    for (int64_t i = 0; i < told->nfields; i++) {
        check_piece(input, i, 0, count, map);
        check_piece(input, i, (told->npix - count) / 2, count, map);
        check_piece(input, i, told->npix - count, count, map);
    }
    armilla_map_input_free(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t two_fields[] = {1, 0};
    if (size == 0) return 0;
    const char *path = fuzz_file(data, size);
    int choice = data[size - 1], hdu = choice & 3, some = choice >> 2 & 1;
    armilla_map *map = NULL;
    fuzz_memory_begin(REFUSED);
    armilla_status status = armilla_map_read(path, hdu, 2, some ? two_fields : NULL, &map);
    int64_t asked = fuzz_memory_asked();
    fuzz_require_outcome(status, map);
    if (map) check_map(map);
    check_pieces(path, size, hdu, some ? NULL : map);
    armilla_map_free(map);
    if (asked > SMALL + EXPANSION * (int64_t)size)
        fuzz_require(may_be_partial(data, size), "memory out of proportion");
    return 0;
}
