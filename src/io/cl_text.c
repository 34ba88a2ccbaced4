/* Power spectra out of text tables.
 *
 *     # unit: uK^2
 *     # l  TT  EE  BB  TE        comments; the last one with a word per column names the spectra;
 *                                it may end in "in uK^2", which is a unit, too
 *     2  1.0e3, 2.0D-1 ...       numbers separated by blanks, tabs or commas
 *
 * l rises by one from line to line; degrees below the first are 0. */
#include "io/cl_table.h"

#include "base/memory.h"
#include "io/file_error.h"
#include "io/fits_file.h"
#include "io/gzip_file.h"
#include "io/number.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_UNIT = 68 }; /* characters, as in a FITS header */

typedef struct text_table {
    const char *path;
    const char *text;
    int64_t size;
    int64_t lines, rows;
    int64_t ncolumns; /* of numbers, l included; 0: no row yet */
    int64_t start;    /* first l */
    int is_dl;
    const char *names; /* comment that names the columns, and its length; NULL: none */
    size_t names_length;
    const char *unit; /* comment that names the unit, and its length; NULL: none */
    size_t unit_length;
    armilla_cl_file *cl; /* NULL in the first pass, which only counts */
} text_table;

/* --- Words ------------------------------------------------------------------------------------ */

static int is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == '\r' || c == '\f';
}

/* Next word of *at .. end; NULL at the end. */
static const char *next_word(const char **at, const char *end, size_t *length)
{
    while (*at < end && is_separator(**at)) ++*at;
    const char *word = *at;
    while (*at < end && !is_separator(**at)) ++*at;
    *length = (size_t)(*at - word);
    return *length ? word : NULL;
}

static int64_t count_words(const char *at, const char *end)
{
    size_t length;
    int64_t count = 0;
    while (next_word(&at, end, &length)) count++;
    return count;
}

/* --- D_l -------------------------------------------------------------------------------------- */

/* "Dl", "D_l", "D_ell", "DL" as a word, or with names of fields after it: "DlTT", "D_l^EE". */
static int is_dl_word(const char *word, size_t length)
{
    size_t at = 1;
    if (length < 2 || word[0] != 'D') return 0;
    if (word[at] == '_' || word[at] == '{') at++;
    if (at < length && word[at] == '{') at++;
    if (length - at >= 3 && (!memcmp(word + at, "ell", 3) || !memcmp(word + at, "ELL", 3)))
        at += 3;
    else if (at < length && (word[at] == 'l' || word[at] == 'L'))
        at++;
    else
        return 0;
    return at == length || !isalpha((unsigned char)word[at]) || strchr("TEBPK", word[at]);
}

static int has_dl_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        int begins = i == 0 || !isalnum((unsigned char)text[i - 1]);
        if (begins && is_dl_word(text + i, length - i)) return 1;
    }
    return 0;
}

/* "l(l+1)C_l/2pi" without its brackets and blanks, in small letters, ell and Greek made plain. */
static void squeeze(const char *text, size_t length, char plain[128])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used < 127; i++) {
        unsigned char c = (unsigned char)text[i];
        if (i + 1 < length && !memcmp(text + i, "\xcf\x80", 2)) {
            plain[used++] = 'p';
            c = 'i';
            i++;
        } else if (i + 2 < length && !memcmp(text + i, "\xe2\x84\x93", 3)) {
            c = 'l';
            i += 2;
        } else if (i + 2 < length && !memcmp(text + i, "ell", 3)) {
            c = 'l';
            i += 2;
        }
        if (used < 127 && (isalnum(c) || c == '+' || c == '/')) plain[used++] = (char)tolower(c);
    }
    plain[used] = '\0';
}

int armilla_text_names_dl(const char *text, size_t length)
{
    char plain[128];
    if (has_dl_word(text, length)) return 1;
    /* pieces of the line, which may be longer than `plain`; they overlap, so as to miss nothing */
    for (size_t i = 0; i < length; i += 64) {
        size_t rest = length - i;
        squeeze(text + i, rest < 160 ? rest : 160, plain);
        if (strstr(plain, "ll+1cl/2pi") || strstr(plain, "ll+1/2pi")) return 1;
    }
    return 0;
}

/* --- Lines ------------------------------------------------------------------------------------ */

static armilla_status fail_line(const text_table *t, const char *what)
{
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: line %lld: %s", armilla_path_shown(t->path),
                        (long long)t->lines, what);
}

static armilla_status fail_word(const text_table *t, const char *word, size_t length)
{
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: line %lld: '%.*s' is no number",
                        armilla_path_shown(t->path), (long long)t->lines,
                        (int)(length < 40 ? length : 40), word);
}

static armilla_status take_degree(text_table *t, const char *word, size_t length)
{
    int64_t l;
    if (!armilla_parse_integer(word, length, &l)) return fail_word(t, word, length);
    if (t->rows == 0) t->start = l;
    if (l < 0 || t->start > ARMILLA_CL_MAX_START)
        return fail_line(t, "l must begin with a number from 0 to 1000000");
    return l == t->start + t->rows ? ARMILLA_OK : fail_line(t, "l must rise by one");
}

static armilla_status take_numbers(text_table *t, const char *at, const char *end)
{
    size_t length;
    const char *word = next_word(&at, end, &length);
    armilla_status status = take_degree(t, word, length);
    for (int64_t i = 0; !status && (word = next_word(&at, end, &length)); i++) {
        double value;
        if (!armilla_parse_number(word, length, &value)) return fail_word(t, word, length);
        if (t->cl) t->cl->cl[i * (t->cl->lmax + 1) + t->start + t->rows] = value;
    }
    t->rows++;
    return status;
}

static void take_comment(text_table *t, const char *at, const char *end)
{
    size_t length = (size_t)(end - at);
    if (armilla_text_names_dl(at, length)) t->is_dl = 1;
    if (t->rows > 0 || !count_words(at, end)) return;
    char first[16] = "";
    const char *from = at, *word = next_word(&from, end, &length);
    snprintf(first, sizeof first, "%.*s", (int)(length < 15 ? length : 15), word);
    if (armilla_text_is(first, "unit:")) t->unit = from, t->unit_length = (size_t)(end - from);
    if (!armilla_text_is_degree(first)) return;
    t->names = at;
    t->names_length = (size_t)(end - at);
}

static armilla_status take_line(text_table *t, const char *at, const char *end)
{
    t->lines++;
    const char *comment = memchr(at, '#', (size_t)(end - at));
    if (comment) {
        const char *text = comment;
        while (text < end && *text == '#') text++;
        take_comment(t, text, end);
        end = comment;
    }
    int64_t words = count_words(at, end);
    if (words == 0) return ARMILLA_OK;
    if (words < 2) return fail_line(t, "needs at least two columns: l and a spectrum");
    if (words > ARMILLA_CL_MAX_SPECTRA + 1) return fail_line(t, "has more than 999 columns");
    if (t->ncolumns && words != t->ncolumns)
        return fail_line(t, "has another number of columns than the lines before");
    t->ncolumns = words;
    return take_numbers(t, at, end);
}

static armilla_status take_lines(text_table *t)
{
    const char *at = t->text, *end = t->text + t->size;
    armilla_status status = ARMILLA_OK;
    t->lines = t->rows = 0;
    if (t->size >= 3 && !memcmp(at, "\xef\xbb\xbf", 3)) at += 3; /* mark of UTF-8 */
    while (!status && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        status = take_line(t, at, stop);
        at = stop + 1;
    }
    if (!status && t->rows == 0)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: no numbers: expected columns l, C_l, ...",
                            armilla_path_shown(t->path));
    return status;
}

/* --- Names and unit --------------------------------------------------------------------------- */

/* A unit that FITS can hold; others are left out. */
static void set_unit(armilla_cl_file *cl, const char *text, size_t length)
{
    while (length && is_separator(*text)) text++, length--;
    while (length && is_separator(text[length - 1])) length--;
    if (length == 0 || length > MAX_UNIT) return;
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~') return;
    snprintf(cl->unit, sizeof cl->unit, "%.*s", (int)length, text);
}

/* Orders that CAMB and healpy share; where programs differ, no guess. */
static void default_names(armilla_cl_file *cl)
{
    static const char *const names[] = {"TT", "EE", "BB", "TE", "EB", "TB"};
    int is_known = cl->nspectra == 1 || cl->nspectra == 4 || cl->nspectra == 6;
    for (int64_t i = 0; i < cl->nspectra; i++)
        if (is_known)
            snprintf(cl->names[i], sizeof cl->names[i], "%s", names[i]);
        else
            snprintf(cl->names[i], sizeof cl->names[i], "COLUMN_%lld", (long long)i + 1);
}

static void name_spectra(const text_table *t)
{
    default_names(t->cl);
    if (!t->names) return;
    size_t length;
    const char *at = t->names, *end = at + t->names_length, *word;
    for (int64_t i = 0; i < t->ncolumns; i++)
        if (!next_word(&at, end, &length)) return;
    if ((word = next_word(&at, end, &length))) {
        if (length != 2 || memcmp(word, "in", 2)) return;
        set_unit(t->cl, at, (size_t)(end - at));
        end = word;
    }
    at = t->names;
    next_word(&at, end, &length);
    for (int64_t i = 0; (word = next_word(&at, end, &length)); i++)
        snprintf(t->cl->names[i], sizeof t->cl->names[i], "%.*s", (int)(length < 68 ? length : 68),
                 word);
}

/* --- File ------------------------------------------------------------------------------------- */

static armilla_status load(const char *path, const armilla_plain_file *plain, char **text)
{
    armilla_status status = armilla_allocate(text, plain->size, 1);
    if (status) return status;
    errno = 0;
    FILE *stream = fopen(plain->name, "rb");
    int is_read = stream && fread(*text, 1, (size_t)plain->size, stream) == (size_t)plain->size;
    int error = errno;
    if (stream) fclose(stream);
    if (is_read) return ARMILLA_OK;
    armilla_release(*text);
    return armilla_fail_file(path, "read it", error ? error : EIO);
}

static armilla_status fill_spectra(text_table *t)
{
    armilla_status status = take_lines(t);
    if (!status) status = armilla_cl_check_extent(t->path, t->start, t->rows, t->ncolumns - 1);
    if (!status) status = armilla_cl_file_new(t->start + t->rows - 1, t->ncolumns - 1, &t->cl);
    if (!status) status = take_lines(t);
    if (status) return status;
    name_spectra(t);
    if (t->unit) set_unit(t->cl, t->unit, t->unit_length);
    for (int64_t i = 0; t->is_dl && i < t->cl->nspectra; i++)
        armilla_cl_from_dl(t->cl->lmax, t->cl->cl + i * (t->cl->lmax + 1));
    return ARMILLA_OK;
}

armilla_status armilla_cl_read_text(const char *path, const armilla_file_look *look,
                                    armilla_cl_file **cl)
{
    char *text = NULL;
    armilla_plain_file plain;
    armilla_status status = armilla_plain_open(path, look->size, look->packing, &plain);
    if (status) return status;
    status = load(path, &plain, &text);
    armilla_plain_close(&plain);
    if (status) return status;
    text_table table;
    memset(&table, 0, sizeof table);
    table.path = path;
    table.text = text;
    table.size = plain.size;
    status = fill_spectra(&table);
    armilla_release(text);
    if (status)
        armilla_cl_file_free(table.cl);
    else
        *cl = table.cl;
    return status;
}
