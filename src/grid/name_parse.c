/* Reads names of grids, with one grammar for the library, its languages and the command:
 *
 *     O1280 N320 F640 H512 H512n                  a letter and a number (n: NESTED)
 *     healpix:512  healpix:512:nested             a word and a number
 *     gl:257x512  cc:721x1440  f1 f2 dh mw ...    a word, rings, pixels of a ring
 *     rgl:128:127                                 rings, and the lmax that sets their lengths
 *
 * Letters and words may be in upper or lower case. name_foreign.c reads the names that other
 * programs have. */
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

armilla_status armilla_name_fail(const char *name, const char *rule, const char *example)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "name = \"%.48s\": %s %s", name, rule, example);
}

int64_t armilla_name_take_number(const char **at)
{
    if (!isdigit((unsigned char)**at)) return -1;
    int64_t value = 0;
    for (; isdigit((unsigned char)**at); ++*at) {
        value = 10 * value + (**at - '0');
        if (value > ARMILLA_GRID_COUNT_LIMIT) value = ARMILLA_GRID_COUNT_LIMIT + 1;
    }
    return value;
}

int armilla_name_begins(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if (tolower((unsigned char)*text) != *word) return 0;
    return 1;
}

int armilla_name_is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && armilla_name_begins(text, word);
}

/* --- A word, a colon, numbers ----------------------------------------------------------------- */

/* Letters that a text has in common with the beginning of a word. */
static size_t common_beginning(const char *text, const char *word)
{
    size_t i = 0;
    while (word[i] && tolower((unsigned char)text[i]) == word[i]) i++;
    return i;
}

/* Words for a family that is not called so here. Those of families of two letters stand here as
 * well: by their first letter they would be found in words of other things. */
static const struct {
    const char *begins, *nearest;
} kin[] = {
    {"gau", "gl:257x512, or F128"},
    {"leg", "gl:257x512"},
    {"clen", "cc:721x1440"},
    {"car", "cc:721x1440 or f1:720x1440"},
    {"fej", "f1:720x1440 or f2:719x1440"},
    {"dri", "dh:720x1440"},
    {"equi", "cc:721x1440"},
    {"reg", "0.25, or cc:721x1440"},
    {"lat", "0.25, or cc:721x1440"},
    {"lon", "0.25, r1440x720, or cc:721x1440"},
    {"ll", "0.25, or cc:721x1440"},
    {"oct", "O1280"},
    {"tco", "TCo1279"},
    {"cla", "N320"},
    {"red", "N320, O1280, or rgl:257:256"},
};
enum { NKIN = sizeof kin / sizeof *kin };

static const char *nearest_name(const char *name)
{
    size_t most = 1; /* one letter says nothing */
    const char *nearest = NULL;
    for (int i = 0; i < NKIN; i++)
        if (armilla_name_begins(name, kin[i].begins)) return kin[i].nearest;
    for (int i = 0; i < NWORDS; i++) {
        const size_t common = common_beginning(name, words[i].word);
        if (common > most) most = common, nearest = words[i].example;
    }
    return nearest;
}

/* A letter and a number, such as Q16. */
static armilla_status fail_letter(const char *name, int64_t n)
{
    char nearest[80];
    snprintf(nearest, sizeof nearest, "O%lld, F%lld and H%lld", (long long)n, (long long)n,
             (long long)n);
    return armilla_name_fail(name, "no grid has such a name; the nearest are", nearest);
}

/* The names of the family that this one most likely means, if it is clear. */
static armilla_status fail_word(const char *name)
{
    const char *rest = name + 1, *nearest = nearest_name(name);
    if (isalpha((unsigned char)*name) && isdigit((unsigned char)*rest)) {
        const int64_t n = armilla_name_take_number(&rest);
        if (!*rest && n >= 1 && n <= ARMILLA_GRID_COUNT_LIMIT) return fail_letter(name, n);
    }
    if (nearest)
        return armilla_name_fail(name, "no grid has such a name; the nearest is written", nearest);
    return armilla_name_fail(name, "no grid has such a name;",
                             "names are O1280, N320, F640, H512, H512n, healpix:512, rgl:257:256, "
                             "0.25, r1440x720, TCo1279, TL639, hp512, and gl, cc, f1, f2, dh, mw, "
                             "mwss, mwflip with NRINGSxNPHI, such as gl:257x512");
}

/* `rest` is what stands behind the colon. */
static armilla_status parse_word(const char *name, int i, const char *rest, armilla_name_read *read)
{
    static const char *const rules[] = {
        [ARMILLA_NAME_HEALPIX] = "healpix takes NSIDE, or NSIDE:nested, such as",
        [ARMILLA_NAME_REDUCED] = "rgl takes NRINGS:LMAX, such as",
        [ARMILLA_NAME_RECTANGLE] = "this family takes NRINGSxNPHI, such as"};
    *read = (armilla_name_read){.form = words[i].form, .kind = words[i].kind};
    read->number = armilla_name_take_number(&rest);
    int right = read->number >= 0;
    if (right && read->form == ARMILLA_NAME_HEALPIX) {
        read->nested = armilla_name_is_word(rest, strlen(rest), ":nested");
        right = !*rest || read->nested || armilla_name_is_word(rest, strlen(rest), ":ring");
    } else if (right) {
        const char between = read->form == ARMILLA_NAME_RECTANGLE ? 'x' : ':';
        right = tolower((unsigned char)*rest++) == between;
        read->second = right ? armilla_name_take_number(&rest) : -1;
        right = read->second >= 0 && !*rest;
    }
    return right ? ARMILLA_OK : armilla_name_fail(name, rules[read->form], words[i].example);
}

/* --- A letter and a number -------------------------------------------------------------------- */

static armilla_status check_classic(const char *name, int64_t n)
{
    char nearest[24];
    if (armilla_classic_find(n)) return ARMILLA_OK;
    snprintf(nearest, sizeof nearest, "N%lld", (long long)armilla_classic_nearest(n));
    return armilla_name_fail(name, "has no published table; the nearest that has is", nearest);
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
    read->number = armilla_name_take_number(&rest);
    if (letter == 'H' && armilla_name_is_word(rest, strlen(rest), "n")) read->nested = 1, rest++;
    if (*rest) {
        snprintf(nearest, sizeof nearest, "%c%lld", letter, (long long)read->number);
        return armilla_name_fail(name, "nothing may stand behind the number; the nearest is",
                                 nearest);
    }
    return letter == 'N' ? check_classic(name, read->number) : ARMILLA_OK;
}

/* "f1" and "f2" could mean Fejer's rings. */
static armilla_status check_plain(const char *name)
{
    if (strcmp(name, "f1") == 0 || strcmp(name, "f2") == 0)
        return armilla_name_fail(name, "Fejer's rings are written f1:NRINGSxNPHI,",
                                 "and the Gaussian grids F1 and F2 with a large letter");
    return ARMILLA_OK;
}

static armilla_status check_numbers(const char *name, const armilla_name_read *read)
{
    const int64_t least = read->form == ARMILLA_NAME_REDUCED ? 0 : 1;
    const int has_second = read->form >= ARMILLA_NAME_REDUCED;
    if (read->number < 1 || (has_second && read->second < least))
        return armilla_name_fail(name, "its numbers must be", "at least 1");
    if (read->number > ARMILLA_GRID_COUNT_LIMIT || read->second > ARMILLA_GRID_COUNT_LIMIT)
        return armilla_name_fail(name, "its numbers must be", "at most 2^30");
    return ARMILLA_OK;
}

static armilla_status parse_own(const char *name, armilla_name_read *read)
{
    const size_t length = strcspn(name, ":");
    const char letter = (char)toupper((unsigned char)*name);
    if (name[length]) {
        int i = 0;
        while (i < NWORDS && !armilla_name_is_word(name, length, words[i].word)) i++;
        return i < NWORDS ? parse_word(name, i, name + length + 1, read) : fail_word(name);
    }
    if (letter && strchr("ONFH", letter) && isdigit((unsigned char)name[1]))
        return parse_letter(name, letter, name + 1, read);
    return fail_word(name);
}

armilla_status armilla_name_parse(const char *name, armilla_name_read *read)
{
    int is_foreign = 0;
    armilla_status status = armilla_check_given("name", name);
    if (!status) status = check_plain(name);
    if (!status) status = armilla_name_parse_foreign(name, read, &is_foreign);
    if (!status && !is_foreign) status = parse_own(name, read);
    return status ? status : check_numbers(name, read);
}
