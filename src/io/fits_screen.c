/* Walks through the headers of a FITS file before cfitsio sees them, checks the cards that say how
 * large each HDU is, and notes where each one begins.
 *
 * An HDU is a header of 2880-byte blocks of 80-byte cards, up to the card END, and data of GCOUNT
 * (PCOUNT + NAXIS1 ... NAXISn) |BITPIX| / 8 bytes, filled up to whole blocks. The cards that matter
 * come first and in this order (FITS standard 4.0, section 4.4.1):
 *
 *     SIMPLE | XTENSION,  BITPIX,  NAXIS,  NAXIS1 ... NAXISn,  PCOUNT,  GCOUNT,  TFIELDS
 *
 * The walk is needed since cfitsio (4.0 to 4.6, ffgttb) goes on after any of these that it does not
 * like (a negative NAXIS1, NAXIS2 = 12., a TFIELDS beyond 999) as if all were well, with a number
 * of columns that was never set. So nothing may pass here that does not pass there, and fits_file.c
 * makes sure that both find the HDUs at the same places. */
#include "io/fits_screen.h"

#include "base/memory.h"
#include "io/file_error.h"
#include "io/number.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { CARD = 80, BLOCK = 2880, CARDS = BLOCK / CARD, MAX_AXES = 999, MAX_COLUMNS = 999 };

typedef struct screener {
    FILE *stream;
    char block[BLOCK];
    int next; /* card of the block */
} screener;

static int read_block(screener *s)
{
    s->next = 0;
    return fread(s->block, 1, BLOCK, s->stream) == BLOCK;
}

/* The next card; NULL at the end of the file. */
static const char *next_card(screener *s)
{
    if (s->next == CARDS && !read_block(s)) return NULL;
    return s->block + CARD * s->next++;
}

/* --- Cards ------------------------------------------------------------------------------------ */

/* Text of the value: what is between "KEYWORD = " and the comment. */
static const char *value_of(const char *card, const char *keyword, size_t *length)
{
    char name[9];
    snprintf(name, sizeof name, "%-8s", keyword);
    if (!card || memcmp(card, name, 8) || memcmp(card + 8, "= ", 2)) return NULL;
    const char *value = card + 10, *comment = memchr(value, '/', CARD - 10);
    *length = comment ? (size_t)(comment - value) : CARD - 10;
    return value;
}

/* Digits, perhaps after a sign, between blanks: no other way to write a whole number is common to
 * cfitsio and armilla_parse_integer. */
static int is_plain_integer(const char *text, size_t length)
{
    size_t at = 0, digits;
    while (at < length && text[at] == ' ') at++;
    if (at < length && (text[at] == '+' || text[at] == '-')) at++;
    for (digits = at; at < length && text[at] >= '0' && text[at] <= '9';) at++;
    if (at == digits) return 0;
    while (at < length && text[at] == ' ') at++;
    return at == length;
}

/* The next card must be this keyword with a whole number from low to high. */
static int take_integer(screener *s, const char *keyword, int64_t low, int64_t high, int64_t *value)
{
    size_t length;
    const char *text = value_of(next_card(s), keyword, &length);
    return text && is_plain_integer(text, length) && armilla_parse_integer(text, length, value) &&
           *value >= low && *value <= high;
}

static int take_bitpix(screener *s, int is_table, int64_t *bytes)
{
    int64_t bitpix;
    if (!take_integer(s, "BITPIX", -64, 64, &bitpix)) return 0;
    *bytes = (bitpix < 0 ? -bitpix : bitpix) / 8;
    int is_known = bitpix == 8 || bitpix == 16 || bitpix == 32 || bitpix == 64 || bitpix == -32 ||
                   bitpix == -64;
    return is_table ? bitpix == 8 : is_known;
}

/* *product *= factor, unless it would pass 2^62. */
static int multiply(int64_t *product, int64_t factor)
{
    if (factor > 0 && *product > ((int64_t)1 << 62) / factor) return 0;
    *product *= factor;
    return 1;
}

static int take_axes(screener *s, int is_table, int64_t *values)
{
    int64_t naxis, length;
    if (!take_integer(s, "NAXIS", is_table ? 2 : 0, is_table ? 2 : MAX_AXES, &naxis)) return 0;
    *values = naxis > 0;
    for (int64_t i = 1; i <= naxis; i++) {
        char keyword[32];
        snprintf(keyword, sizeof keyword, "NAXIS%d", (int)i);
        if (!take_integer(s, keyword, 0, INT64_MAX, &length) || !multiply(values, length)) return 0;
    }
    return 1;
}

/* --- HDUs ------------------------------------------------------------------------------------- */

static void skip_blanks(const char **text, size_t *length)
{
    while (*length && **text == ' ') ++*text, --*length;
}

/* What the quotes of XTENSION begin with, blanks aside: cfitsio takes no notice of them. NULL: no
 * text. */
static const char *extension_type(const char *card, size_t *length)
{
    const char *value = value_of(card, "XTENSION", length);
    if (!value) return NULL;
    skip_blanks(&value, length);
    if (*length == 0 || *value != '\'') return NULL;
    ++value, --*length;
    skip_blanks(&value, length);
    return value;
}

static int is_table_type(const char *type, size_t length)
{
    static const char *const types[] = {"TABLE", "BINTA", "A3DTA", "3DTAB"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (length >= 5 && !memcmp(type, types[i], 5)) return 1;
    return 0;
}

/* cfitsio (4.0 to 4.6, ffgtbp) copies the name of a column to 70 bytes. A value that has no quotes
 * and fills all 70 columns of its card takes 71, with the end of the string. */
static int overruns_name(const char *card)
{
    return !memcmp(card, "TTYPE", 5) && !memcmp(card + 8, "= ", 2) && card[10] != ' ' &&
           card[10] != '\'';
}

/* Returned: whether the header ends, and holds no card that cfitsio would not survive. */
static int skip_to_end(screener *s, int is_table)
{
    const char *card;
    while ((card = next_card(s))) {
        if (!memcmp(card, "END     ", 8)) return 1;
        if (is_table && overruns_name(card)) return 0;
    }
    return 0;
}

/* Reads a header; its first block is in s->block. *data: bytes that follow. 0: not sound. */
static int read_header(screener *s, int is_primary, int64_t *data)
{
    int64_t bytes, values, heap = 0, groups = 1, columns;
    size_t length;
    const char *type = extension_type(next_card(s), &length);
    int is_table = !is_primary && type && is_table_type(type, length);
    if (!is_primary && !type) return 0;
    if (!take_bitpix(s, is_table, &bytes) || !take_axes(s, is_table, &values)) return 0;
    if (!is_primary && !take_integer(s, "PCOUNT", 0, INT64_MAX / 16, &heap)) return 0;
    if (!is_primary && !take_integer(s, "GCOUNT", 1, is_table ? 1 : INT64_MAX, &groups)) return 0;
    if (is_table && !take_integer(s, "TFIELDS", 0, MAX_COLUMNS, &columns)) return 0;
    if (values > INT64_MAX / 16) return 0;
    values += heap;
    if (!multiply(&values, groups) || !multiply(&values, bytes)) return 0;
    *data = values;
    return skip_to_end(s, is_table);
}

/* Does what follows look like an HDU at all? Anything else after the last one is ignored. */
static int begins_hdu(const char *bytes, size_t length, int is_primary)
{
    static const char primary[] = "SIMPLE  =", extension[] = "XTENSION=";
    size_t mark = sizeof primary - 1;
    return length > 0 &&
           !memcmp(bytes, is_primary ? primary : extension, length < mark ? length : mark);
}

/* Appends to the list, whose room is count rounded up to a power of two. */
static armilla_status append(int64_t position, int count, int64_t **starts)
{
    int64_t *larger;
    if (count & (count - 1)) {
        (*starts)[count] = position;
        return ARMILLA_OK;
    }
    armilla_status status =
        armilla_allocate(&larger, count ? 2 * (int64_t)count : 1, sizeof *larger);
    if (status) return status;
    if (count) memcpy(larger, *starts, (size_t)count * sizeof *larger);
    larger[count] = position;
    armilla_release(*starts);
    *starts = larger;
    return ARMILLA_OK;
}

static armilla_status walk(screener *s, int64_t size, armilla_screen *found)
{
    int64_t position = 0, data = 0;
    while (position < size && found->count < INT32_MAX / 2) {
        if (fseeko(s->stream, (off_t)position, SEEK_SET)) return ARMILLA_OK;
        size_t length = fread(s->block, 1, BLOCK, s->stream);
        s->next = 0;
        if (!begins_hdu(s->block, length, found->count == 0)) return ARMILLA_OK;
        if (length < BLOCK || !read_header(s, found->count == 0, &data)) {
            found->is_cut = 1;
            return ARMILLA_OK;
        }
        armilla_status status = append(position, found->count, &found->starts);
        if (status) return status;
        ++found->count;
        position = (int64_t)ftello(s->stream);
        found->lacking = data > size - position ? data - (size - position) : 0;
        if (found->lacking) return ARMILLA_OK;
        position += (data + BLOCK - 1) / BLOCK * BLOCK;
    }
    return ARMILLA_OK;
}

armilla_status armilla_fits_screen(const char *path, int64_t size, armilla_screen *screen)
{
    screener s;
    *screen = (armilla_screen){.starts = NULL};
    s.stream = fopen(path, "rb");
    if (!s.stream) return armilla_fail_file(path, "open it", errno);
    armilla_status status = walk(&s, size, screen);
    int failed = ferror(s.stream);
    int error = errno;
    fclose(s.stream);
    return failed ? armilla_fail_file(path, "read it", error) : status;
}
