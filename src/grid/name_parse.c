/* Reads names of grids, with one grammar for the library, its languages and the command:
 *
 *     O1280 N320 F640 H512 H512n                  a letter and a number (n: NESTED)
 *     healpix:512  healpix:512:nested             a word and a number
 *     gl:257x512  cc:721x1440  f1 f2 dh mw ...    a word, rings, pixels of a ring
 *     rgl:128:127                                 rings, and the lmax that sets their lengths
 *
 * Letters and words may be in upper or lower case. */
#include "grid/classic.h"
#include "grid/name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    armilla_name_form form;
    armilla_grid_kind kind;
    const char *example;
} words[] = {
    {"healpix", ARMILLA_NAME_HEALPIX, ARMILLA_GRID_HEALPIX, "healpix:512"},
    {"gl", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_GAUSS_LEGENDRE, "gl:257x512"},
    {"cc", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_CC, "cc:721x1440"},
    {"f1", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_F1, "f1:720x1440"},
    {"f2", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_F2, "f2:719x1440"},
    {"dh", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_DH, "dh:720x1440"},
    {"mw", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_MW, "mw:256x511"},
    {"mwss", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_MWSS, "mwss:257x512"},
    {"mwflip", ARMILLA_NAME_RECTANGLE, ARMILLA_GRID_MWFLIP, "mwflip:256x511"},
    {"rgl", ARMILLA_NAME_REDUCED, ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, "rgl:257:256"},
};
enum { NWORDS = sizeof words / sizeof *words };

const char *armilla_name_word(armilla_grid_kind kind)
{
    for (int i = 0; i < NWORDS; i++)
        if (words[i].kind == kind) return words[i].word;
    return NULL;
}

static armilla_status fail_name(const char *name, const char *rule, const char *example)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "name = \"%.48s\": %s %s", name, rule, example);
}

/* Digits from *at on, which moves behind them. Returned: -1 if there are none; what is too large
 * for any grid comes as one more than that. */
static int64_t take_number(const char **at)
{
    if (!isdigit((unsigned char)**at)) return -1;
    int64_t value = 0;
    for (; isdigit((unsigned char)**at); ++*at) {
        value = 10 * value + (**at - '0');
        if (value > ARMILLA_GRID_COUNT_LIMIT) value = ARMILLA_GRID_COUNT_LIMIT + 1;
    }
    return value;
}

static int is_word(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length) return 0;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)text[i]) != word[i]) return 0;
    return 1;
}

/* --- A word, a colon, numbers ----------------------------------------------------------------- */

/* Letters that a text has in common with the beginning of a word. */
static size_t common_beginning(const char *text, const char *word)
{
    size_t i = 0;
    while (word[i] && tolower((unsigned char)text[i]) == word[i]) i++;
    return i;
}

/* A letter and a number, such as Q16, but for T42, which is a truncation. */
static armilla_status fail_letter(const char *name, int64_t n)
{
    char nearest[80];
    snprintf(nearest, sizeof nearest, "O%lld, F%lld and H%lld", (long long)n, (long long)n,
             (long long)n);
    return fail_name(name, "no grid has such a name; the nearest are", nearest);
}

/* The known word that begins most like this one. */
static armilla_status fail_word(const char *name)
{
    const char *rest = name + 1;
    if (isalpha((unsigned char)*name) && toupper((unsigned char)*name) != 'T' &&
        isdigit((unsigned char)*rest)) {
        const int64_t n = take_number(&rest);
        if (!*rest && n >= 1 && n <= ARMILLA_GRID_COUNT_LIMIT) return fail_letter(name, n);
    }
    size_t most = 0;
    const char *nearest = NULL;
    for (int i = 0; i < NWORDS; i++) {
        const size_t common = common_beginning(name, words[i].word);
        if (common > most) most = common, nearest = words[i].example;
    }
    if (nearest) return fail_name(name, "no grid has such a name; the nearest is written", nearest);
    return fail_name(name, "no grid has such a name;",
                     "names are O1280, N320, F640, H512, H512n, healpix:512, rgl:257:256, and "
                     "gl, cc, f1, f2, dh, mw, mwss, mwflip with NRINGSxNPHI, such as gl:257x512");
}

/* `rest` is what stands behind the colon. */
static armilla_status parse_word(const char *name, int i, const char *rest, armilla_name_read *read)
{
    static const char *const rules[] = {
        [ARMILLA_NAME_HEALPIX] = "healpix takes NSIDE, or NSIDE:nested, such as",
        [ARMILLA_NAME_REDUCED] = "rgl takes NRINGS:LMAX, such as",
        [ARMILLA_NAME_RECTANGLE] = "this family takes NRINGSxNPHI, such as"};
    *read = (armilla_name_read){.form = words[i].form, .kind = words[i].kind};
    read->number = take_number(&rest);
    int right = read->number >= 0;
    if (right && read->form == ARMILLA_NAME_HEALPIX) {
        read->nested = is_word(rest, strlen(rest), ":nested");
        right = !*rest || read->nested || is_word(rest, strlen(rest), ":ring");
    } else if (right) {
        const char between = read->form == ARMILLA_NAME_RECTANGLE ? 'x' : ':';
        right = tolower((unsigned char)*rest++) == between;
        read->second = right ? take_number(&rest) : -1;
        right = read->second >= 0 && !*rest;
    }
    return right ? ARMILLA_OK : fail_name(name, rules[read->form], words[i].example);
}

/* --- A letter and a number -------------------------------------------------------------------- */

static armilla_status check_classic(const char *name, int64_t n)
{
    char nearest[24];
    if (armilla_classic_find(n)) return ARMILLA_OK;
    snprintf(nearest, sizeof nearest, "N%lld", (long long)armilla_classic_nearest(n));
    return fail_name(name, "has no published table; the nearest that has is", nearest);
}

/* Behind the number: nothing, or n for NESTED. */
static armilla_status parse_letter(const char *name, char letter, const char *rest,
                                   armilla_name_read *read)
{
    static const char letters[] = "ONFH"; /* in the sequence of the forms */
    static const armilla_grid_kind kinds[] = {ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE,
                                              ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE,
                                              ARMILLA_GRID_GAUSS_LEGENDRE, ARMILLA_GRID_HEALPIX};
    const int form = (int)(strchr(letters, letter) - letters);
    char nearest[32];
    *read = (armilla_name_read){.form = (armilla_name_form)form, .kind = kinds[form]};
    read->number = take_number(&rest);
    if (letter == 'H' && is_word(rest, strlen(rest), "n")) read->nested = 1, rest++;
    if (*rest) {
        snprintf(nearest, sizeof nearest, "%c%lld", letter, (long long)read->number);
        return fail_name(name, "nothing may stand behind the number; the nearest is", nearest);
    }
    return letter == 'N' ? check_classic(name, read->number) : ARMILLA_OK;
}

/* "f1" and "f2" could mean Fejer's rings, and a number alone anything. */
static armilla_status check_plain(const char *name)
{
    if (strcmp(name, "f1") == 0 || strcmp(name, "f2") == 0)
        return fail_name(name, "Fejer's rings are written f1:NRINGSxNPHI,",
                         "and the Gaussian grids F1 and F2 with a large letter");
    if (isdigit((unsigned char)*name))
        return fail_name(name, "a letter or word must say which grid: O, N, F or H, as in",
                         "O1280, or gl, cc, ... as in gl:257x512");
    return ARMILLA_OK;
}

static armilla_status check_numbers(const char *name, const armilla_name_read *read)
{
    const int64_t least = read->form == ARMILLA_NAME_REDUCED ? 0 : 1;
    const int has_second = read->form >= ARMILLA_NAME_REDUCED;
    if (read->number < 1 || (has_second && read->second < least))
        return fail_name(name, "its numbers must be", "at least 1");
    if (read->number > ARMILLA_GRID_COUNT_LIMIT || read->second > ARMILLA_GRID_COUNT_LIMIT)
        return fail_name(name, "its numbers must be", "at most 2^30");
    return ARMILLA_OK;
}

armilla_status armilla_name_parse(const char *name, armilla_name_read *read)
{
    armilla_status status = armilla_check_given("name", name);
    if (status || (status = check_plain(name))) return status;
    const size_t length = strcspn(name, ":");
    const char letter = (char)toupper((unsigned char)*name);
    if (name[length]) {
        int i = 0;
        while (i < NWORDS && !is_word(name, length, words[i].word)) i++;
        status = i < NWORDS ? parse_word(name, i, name + length + 1, read) : fail_word(name);
    } else if (letter && strchr("ONFH", letter) && isdigit((unsigned char)name[1])) {
        status = parse_letter(name, letter, name + 1, read);
    } else {
        status = fail_word(name);
    }
    return status ? status : check_numbers(name, read);
}
