/* The conventions of coefficients by name, and what they may not combine. */
#include "alm/convention.h"

#include "base/status.h"
#include <ctype.h>
#include <string.h>

typedef struct named {
    const char *name;
    armilla_convention convention;
} named;

/* Sources: the manuals of healpy, ducc0, SHTns, SHTOOLS, SSHT, s2fft and torch-harmonics; ICGEM's
 * description of its format (Barthelmes & Foerste 2011); the IGRF's and the WMM's tables; the IFS
 * documentation, part III, and WMO's GRIB; ambiX (Nachbar et al. 2011). */
static const named names[] = {
    {"armilla",
     {ARMILLA_NORM_ORTHONORMAL, 1, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_ORDERS, 0, 0}},
    {"healpy",
     {ARMILLA_NORM_ORTHONORMAL, 1, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_ORDERS, 0, 0}},
    {"ducc",
     {ARMILLA_NORM_ORTHONORMAL, 1, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_ORDERS, 0, 0}},
    {"shtns",
     {ARMILLA_NORM_ORTHONORMAL, 1, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_ORDERS, 0, 0}},
    {"ifs", {ARMILLA_NORM_FOUR_PI, 0, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_ORDERS, 0, 0}},
    {"grib", {ARMILLA_NORM_FOUR_PI, 0, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_ORDERS, 0, 0}},
    {"shtools", {ARMILLA_NORM_FOUR_PI, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_PLANES, 0, 0}},
    {"shtools-vector",
     {ARMILLA_NORM_FOUR_PI, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_VECTOR, 0, 0}},
    {"icgem", {ARMILLA_NORM_FOUR_PI, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_DEGREES, 0, 0}},
    {"igrf", {ARMILLA_NORM_SCHMIDT, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_DEGREES, 0, 0}},
    {"wmm", {ARMILLA_NORM_SCHMIDT, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_DEGREES, 0, 0}},
    {"acn-n3d", {ARMILLA_NORM_FOUR_PI, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_ACN, 0, 0}},
    {"acn-sn3d", {ARMILLA_NORM_SCHMIDT, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_ACN, 0, 0}},
    {"ambix", {ARMILLA_NORM_SCHMIDT, 0, ARMILLA_HARMONICS_REAL, ARMILLA_PACKING_ACN, 0, 0}},
    {"ssht", {ARMILLA_NORM_ORTHONORMAL, 1, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_ACN, 0, 0}},
    {"s2fft",
     {ARMILLA_NORM_ORTHONORMAL, 1, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_CENTRED, 0, 0}},
    {"torch-harmonics",
     {ARMILLA_NORM_ORTHONORMAL, 1, ARMILLA_HARMONICS_COMPLEX, ARMILLA_PACKING_RECTANGLE, 0, 1}},
};
enum { NAMES = sizeof names / sizeof *names };

const char *armilla_convention_name(int64_t number)
{
    return number < 0 || number >= NAMES ? NULL : names[number].name;
}

/* Is the first part of a text, up to a colon or the end, this word in letters of any case? */
static int is_word(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if (tolower((unsigned char)*text) != *word) return 0;
    return *text == '\0' || *text == ':';
}

/* What a word behind a colon sets; a name has one of each kind. */
typedef enum word_kind { WORD_NORM, WORD_SIGN, WORD_HARMONICS, WORD_FIELD, WORD_KINDS } word_kind;

typedef struct word {
    const char *text;
    word_kind kind;
    int value;
} word;

static const word words[] = {
    {"ortho", WORD_NORM, ARMILLA_NORM_ORTHONORMAL},
    {"4pi", WORD_NORM, ARMILLA_NORM_FOUR_PI},
    {"fourpi", WORD_NORM, ARMILLA_NORM_FOUR_PI},
    {"schmidt", WORD_NORM, ARMILLA_NORM_SCHMIDT},
    {"unnorm", WORD_NORM, ARMILLA_NORM_UNNORMALIZED},
    {"cs", WORD_SIGN, 1},
    {"nocs", WORD_SIGN, 0},
    {"complex", WORD_HARMONICS, ARMILLA_HARMONICS_COMPLEX},
    {"real", WORD_HARMONICS, ARMILLA_HARMONICS_REAL},
    {"real-norm", WORD_HARMONICS, ARMILLA_HARMONICS_REAL_CONJUGATE},
    {"complex-field", WORD_FIELD, 1},
};
enum { WORDS = sizeof words / sizeof *words };

static void apply_word(const word *said, armilla_convention *c)
{
    if (said->kind == WORD_NORM) c->normalization = said->value;
    if (said->kind == WORD_SIGN) c->condon_shortley = said->value;
    if (said->kind == WORD_HARMONICS) c->harmonics = said->value;
    if (said->kind == WORD_FIELD) c->complex_field = said->value;
}

/* Applies all words behind colons. */
static armilla_status apply_words(const char *name, armilla_convention *c)
{
    const word *said[WORD_KINDS] = {NULL};
    for (const char *at = strchr(name, ':'); at; at = strchr(at + 1, ':')) {
        int found = 0;
        while (found < WORDS && !is_word(at + 1, words[found].text)) found++;
        if (found == WORDS)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "name = \"%.60s\": behind a colon must be ortho, 4pi, schmidt, "
                                "unnorm, cs, nocs, complex, real, real-norm or complex-field, not "
                                "\"%.40s\"",
                                name, at + 1);
        const word *before = said[words[found].kind];
        if (before && before->value != words[found].value)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "name = \"%.60s\": \"%s\" and \"%s\" contradict each other", name,
                                before->text, words[found].text);
        said[words[found].kind] = &words[found];
        apply_word(&words[found], c);
    }
    return ARMILLA_OK;
}

static armilla_status fail_unknown(const char *name)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < NAMES; i++) {
        const size_t length = strlen(names[i].name);
        if (used + length + 3 > sizeof list) break;
        if (i > 0) list[used++] = ',', list[used++] = ' ';
        memcpy(list + used, names[i].name, length + 1);
        used += length;
    }
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "name = \"%.60s\": must begin with one of %s", name,
                        list);
}

armilla_status armilla_convention_named(const char *name, armilla_convention *convention)
{
    armilla_status status = armilla_check_given("name", name);
    if (!status) status = armilla_check_given("convention", convention);
    if (status) return status;
    int found = 0;
    while (found < NAMES && !is_word(name, names[found].name)) found++;
    if (found == NAMES) return fail_unknown(name);
    armilla_convention made = names[found].convention;
    status = apply_words(name, &made);
    if (!status) status = armilla_convention_check(&made);
    if (!status) *convention = made;
    return status;
}

static armilla_status check_range(const char *name, int value, int largest)
{
    if (value >= 0 && value <= largest) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "convention->%s = %d: must be from 0 to %d", name,
                        value, largest);
}

armilla_status armilla_convention_check(const armilla_convention *c)
{
    armilla_status status = armilla_check_given("convention", c);
    if (status) return status;
    status = check_range("normalization", c->normalization, ARMILLA_NORM_UNNORMALIZED);
    if (!status) status = check_range("condon_shortley", c->condon_shortley, 1);
    if (!status) status = check_range("harmonics", c->harmonics, ARMILLA_HARMONICS_REAL_CONJUGATE);
    if (!status) status = check_range("packing", c->packing, ARMILLA_PACKING_VECTOR);
    if (!status) status = check_range("complex_field", c->complex_field, 1);
    if (!status) status = check_range("integrals", c->integrals, 1);
    if (status) return status;
    if (c->integrals && c->normalization == ARMILLA_NORM_UNNORMALIZED)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "convention->integrals: must be 0 for unnormalised coefficients");
    const int complex_harmonics = c->harmonics == ARMILLA_HARMONICS_COMPLEX;
    if (c->packing == ARMILLA_PACKING_VECTOR && complex_harmonics)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "convention->harmonics: must be real where the packing is a vector");
    if (c->complex_field && !(complex_harmonics && armilla_packing_is_two_sided(c->packing)))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "convention->complex_field: needs complex harmonics, and a packing "
                            "with both signs of m: planes, ACN or centred");
    return ARMILLA_OK;
}
