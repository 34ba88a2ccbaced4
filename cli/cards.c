/* Takes the header of a table apart, card by card. */
#include "cards.h"

#include "message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARD = 81, HISTORY = 400 };

/* Words that are not kept; # is a number, that of a column or an axis. OBJECT says FULLSKY or
 * PARTIAL in maps. Those of images say where their rows and columns are. */
static const char *const dropped[] = {
    "SIMPLE",   "XTENSION", "BITPIX",   "NAXIS",    "NAXIS#",   "PCOUNT",   "GCOUNT",  "TFIELDS",
    "THEAP",    "TFORM#",   "TBCOL#",   "TSCAL#",   "TZERO#",   "TNULL#",   "TDIM#",   "TTYPE#",
    "TUNIT#",   "TDISP#",   "TDMIN#",   "TDMAX#",   "TLMIN#",   "TLMAX#",   "END",     "PIXTYPE",
    "ORDERING", "NSIDE",    "FIRSTPIX", "LASTPIX",  "NPIX",     "INDXSCHM", "OBJECT",  "COORDSYS",
    "POLCCONV", "BAD_DATA", "EXTNAME",  "CREATOR",  "DATE",     "CHECKSUM", "DATASUM", "GRAIN",
    "WCSAXES",  "CTYPE#",   "CRPIX#",   "CRVAL#",   "CDELT#",   "CUNIT#",   "CROTA#",  "PC1_#",
    "PC2_#",    "CD1_#",    "CD2_#",    "LONPOLE",  "LATPOLE",  "BUNIT",    "BSCALE",  "BZERO",
    "BLANK",    "POLAR",    "OBS_NPIX", "CONTINUE", "LONGSTRN", "EXTEND",   "EXTVER",  "FIRSTROW",
    "LASTROW",  "GRID",     "PHI0",     "NRINGS",   "PV1_#",    "PV2_#",    "PLANE#",
};

static int is_dropped(const char *name)
{
    char stem[CARD];
    size_t length = strlen(name);
    if (length == 0) return 1;
    while (length > 0 && isdigit((unsigned char)name[length - 1])) length--;
    snprintf(stem, sizeof stem, "%.*s#", (int)length, name);
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (strcmp(dropped[i], name) == 0 || (name[length] && strcmp(dropped[i], stem) == 0))
            return 1;
    return 0;
}

/* Removes blanks from both ends. */
static char *trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') text[--length] = '\0';
    return text + strspn(text, " ");
}

/* The end of a value: behind the quotes of a text, or in front of a slash. */
static char *end_of_value(char *value)
{
    if (*value != '\'') return value + strcspn(value, "/");
    for (value++; *value; value++) {
        if (*value != '\'') continue;
        if (value[1] != '\'') return value + 1;
        value++;
    }
    return value;
}

static int is_commentary(const char *line)
{
    return strncmp(line, "COMMENT ", 8) == 0 || strncmp(line, "HISTORY ", 8) == 0;
}

/* Takes a line apart, in its place. Returns 0 if it is not kept. A text that goes on in the next
 * card ends in &, and is not. */
static int take(char *line, armilla_keyword *keyword)
{
    *keyword = (armilla_keyword){.value = ""};
    if (is_commentary(line)) {
        line[7] = '\0';
        keyword->name = line, keyword->value = line + 8;
        return 1;
    }
    char *equals = strchr(line, '=');
    if (!equals) return 0;
    *equals = '\0';
    char *name = trim(line);
    if (strncmp(name, "HIERARCH ", 9) == 0) name = trim(name + 9);
    if (is_dropped(name)) return 0;
    char *value = equals + 1 + strspn(equals + 1, " ");
    char *end = end_of_value(value), *slash = strchr(end, '/');
    keyword->name = name;
    if (slash) keyword->comment = trim(slash + 1);
    *end = '\0';
    keyword->value = trim(value);
    const size_t length = strlen(keyword->value);
    return length < 2 || strcmp(keyword->value + length - 2, "&'") != 0;
}

static void take_lines(cards *self)
{
    for (char *line = self->text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        if (take(line, &self->keywords[self->count])) self->count++;
    }
}

static int64_t count_lines(const char *text)
{
    int64_t count = 1;
    for (; *text; text++) count += *text == '\n';
    return count;
}

void cards_find(const char *header, const char *name, char value[80])
{
    const size_t length = strlen(name);
    value[0] = '\0';
    for (const char *line = header; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0 || (line[length] != ' ' && line[length] != '='))
            continue;
        const char *from = line + strcspn(line, "=\n");
        if (*from != '=') continue;
        from += 1 + strspn(from + 1, " '");
        size_t size = strcspn(from, "'/\n");
        while (size > 0 && from[size - 1] == ' ') size--;
        if (size > 79) size = 79;
        memcpy(value, from, size);
        value[size] = '\0';
        return;
    }
}

int cards_read(const char *path, int hdu, const char *history, cards *self)
{
    char *header;
    armilla_status status = armilla_io_header(path, hdu == ARMILLA_IO_PRIMARY ? 0 : hdu, &header);
    if (status) return data_error(status, path);
    const size_t length = strlen(header);
    *self = (cards){.text = malloc(length + 1 + HISTORY)};
    self->keywords = calloc((size_t)count_lines(header) + 1, sizeof *self->keywords);
    if (!self->text || !self->keywords) {
        armilla_io_text_free(header);
        return memory_error();
    }
    memcpy(self->text, header, length + 1);
    armilla_io_text_free(header);
    take_lines(self);
    char *line = self->text + length + 1;
    snprintf(line, HISTORY, "%s", history);
    for (char *c = line; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    self->keywords[self->count++] = (armilla_keyword){.name = "HISTORY", .value = line};
    return CLI_OK;
}

void cards_free(cards *self)
{
    free(self->keywords);
    free(self->text);
    memset(self, 0, sizeof *self);
}
