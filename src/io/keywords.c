/* Options of writing, and keywords of one's own in the headers of files. */
#include "armilla/io.h"
#include "base/memory.h"
#include "base/options.h"
#include "io/fits_output.h"
#include <stdio.h>
#include <string.h>

/* --- Options ---------------------------------------------------------------------------------- */

void armilla_write_options_init_sized(armilla_write_options *options, size_t size)
{
    const armilla_write_options defaults = {.nkeywords = 0};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_write_options, keywords),
                                  ARMILLA_END_OF(armilla_write_options, integers),
                                  sizeof(armilla_write_options), 0};

armilla_status armilla_write_options_take(const armilla_write_options *given,
                                          armilla_write_options *options)
{
    armilla_write_options_init(options);
    armilla_status status =
        armilla_options_copy("options", "armilla_write_options", given, VERSIONS, options);
    if (status) return status;
    if (options->row_pixels < 0)
        return armilla_fail_argument("options->row_pixels", options->row_pixels,
                                     "must not be negative");
    if (options->nkeywords < 0 || (options->nkeywords > 0 && !options->keywords))
        return armilla_fail_argument("options->nkeywords", options->nkeywords,
                                     "must be the number of options->keywords");
    return ARMILLA_OK;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static int is_printable(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~') return 0;
    return 1;
}

/* Is the name one of the words, which end with NULL? Behind a word with a mark stands a number. */
static int is_one_of(const char *name, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        size_t length = strcspn(words[i], "#");
        char stem[16];
        if (strlen(name) >= sizeof stem) return 0;
        snprintf(stem, sizeof stem, "%s", name);
        if (words[i][length]) stem[strcspn(stem, "0123456789")] = '\0';
        if (strlen(stem) == length && !strncmp(stem, words[i], length)) return 1;
    }
    return 0;
}

/* Does it say where the bytes of a table are? */
static int is_structure(const char *name)
{
    static const char *const words[] = {
        "SIMPLE", "XTENSION", "BITPIX", "NAXIS#", "PCOUNT", "GCOUNT", "TFIELDS", "THEAP",
        "TFORM#", "TBCOL#",   "TSCAL#", "TZERO#", "TNULL#", "TDIM#",  "END",     NULL};
    return is_one_of(name, words);
}

armilla_status armilla_keywords_refuse(const armilla_write_options *options,
                                       const char *const *words, const char *why)
{
    for (int64_t i = 0; i < options->nkeywords; i++) {
        const char *name = options->keywords[i].name;
        if (name && is_one_of(name, words))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "options->keywords[%lld] (%.60s): %s: leave it out", (long long)i,
                                name, why);
    }
    return ARMILLA_OK;
}

static int is_commentary(const char *name)
{
    return !strcmp(name, "COMMENT") || !strcmp(name, "HISTORY");
}

static armilla_status check_keyword(const armilla_keyword *keyword, int64_t index)
{
    const char *name = keyword->name, *value = keyword->value;
    const char *wrong = NULL;
    if (!name || !value)
        wrong = "must have a name and a value";
    else if (!*name || !is_printable(name) || strchr(name, '=') || strlen(name) > 60)
        wrong = "its name cannot be one: use letters, digits, - and _";
    else if (is_structure(name))
        wrong = "describes the table and cannot be set";
    else if (!is_printable(value) || (keyword->comment && !is_printable(keyword->comment)))
        wrong = "holds a character that is no printable ASCII";
    else if (*value != '\'' && !is_commentary(name) && strlen(value) >= FLEN_VALUE)
        wrong = "its value is too long";
    if (!wrong) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->keywords[%lld] (%.60s): %s",
                        (long long)index, name ? name : "NULL", wrong);
}

/* The text between quotes, in which '' stands for one. */
static void unquote(const char *quoted, char *text)
{
    for (const char *from = quoted + 1; *from; from++) {
        if (*from == '\'' && *++from != '\'') break;
        *text++ = *from;
    }
    *text = '\0';
}

static armilla_status write_text(fitsfile *handle, const armilla_keyword *keyword,
                                 const char *comment, int *code)
{
    char *text = NULL;
    armilla_status status = armilla_allocate(&text, (int64_t)strlen(keyword->value) + 1, 1);
    if (status) return status;
    unquote(keyword->value, text);
    fits_update_key_longstr(handle, keyword->name, text, comment, code);
    armilla_release(text);
    return ARMILLA_OK;
}

static void write_value(fitsfile *handle, const armilla_keyword *keyword, char *comment, int *code)
{
    char card[FLEN_CARD], name[FLEN_KEYWORD], value[FLEN_VALUE];
    snprintf(name, sizeof name, "%s", keyword->name);
    snprintf(value, sizeof value, "%s", keyword->value);
    fits_make_key(name, value, comment, card, code);
    /* for no value at all cfitsio would write '', an empty text */
    if (!*value && strlen(name) <= 8)
        snprintf(card, sizeof card, "%-8.8s=%22s%.48s", name, *comment ? " / " : "", comment);
    fits_update_card(handle, keyword->name, card, code);
}

/* cfitsio says "wrong format" of a keyword that FITS cannot hold. Here that is an argument of the
 * caller. */
static armilla_status refuse(armilla_output *output, const armilla_keyword *keyword, int64_t index,
                             int code)
{
    char reason[FLEN_STATUS];
    armilla_status status = armilla_fits_fail(&output->fits, "write a keyword", code);
    if (status != ARMILLA_ERROR_FORMAT) return status;
    fits_get_errstatus(code, reason);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "options->keywords[%lld] (%.60s): FITS cannot hold it: %s",
                        (long long)index, keyword->name, reason);
}

static armilla_status write_keyword(armilla_output *output, const armilla_keyword *keyword,
                                    int64_t index)
{
    fitsfile *handle = output->fits.handle;
    char comment[FLEN_COMMENT] = "", old[FLEN_VALUE];
    int code = 0, absent = 0;
    armilla_status status = ARMILLA_OK;
    if (keyword->comment)
        snprintf(comment, sizeof comment, "%s", keyword->comment);
    else
        fits_read_keyword(handle, keyword->name, old, comment, &absent);
    if (!strcmp(keyword->name, "COMMENT"))
        fits_write_comment(handle, keyword->value, &code);
    else if (!strcmp(keyword->name, "HISTORY"))
        fits_write_history(handle, keyword->value, &code);
    else if (*keyword->value == '\'')
        status = write_text(handle, keyword, comment, &code);
    else
        write_value(handle, keyword, comment, &code);
    return code ? refuse(output, keyword, index, code) : status;
}

armilla_status armilla_output_keywords(armilla_output *output, const armilla_write_options *options)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; !status && i < options->nkeywords; i++) {
        status = check_keyword(&options->keywords[i], i);
        if (!status) status = write_keyword(output, &options->keywords[i], i);
    }
    return status;
}
