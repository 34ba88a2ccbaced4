/* Reads the names that other programs give to grids, each with the meaning that it has there:
 *
 *     0.25  0.25x0.25  1/0.5      degrees between meridians and parallels, both poles     (ECMWF)
 *     r360x180  r360x181          longitudes x latitudes, from south to north              (CDO)
 *     global_0.5                  degrees, no poles, from south to north, from -180        (CDO)
 *     hp64  hpz6  hpr6  _ring     HEALPix, NESTED unless it says RING                      (CDO)
 *     t63grid  tl63grid  tc63grid full Gaussian grids of a truncation                      (CDO)
 *     TCo1279  TL639  T63         grids of a truncation                                    (IFS)
 *
 * A grid of 2 N rings is for the largest degree T, with 4 N points on its longest ring, where
 *
 *     4 N >= 2 (T + 1) linear,    4 N >= 3 T + 1 quadratic,    N = T + 1 cubic.
 *
 * CDO's latitudes of rNXxNY are those of CDI for rows without a first one: with an odd number the
 * first and the last are the poles, with an even one the poles are half a step away.
 * References: CDO User Guide, Horizontal grids; CDI, gridGenYvals; OpenIFS, Horizontal Resolution
 * and Configurations; Metview, connection between spectral truncation and Gaussian grids. */
#include "grid/classic.h"
#include "grid/name.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int has_digit(const char *text)
{
    return isdigit((unsigned char)*text) != 0;
}

/* A name that means two grids; one may be "". */
static armilla_status fail_both(const char *name, const char *rule, const char *one,
                                const char *other)
{
    char nearest[64];
    snprintf(nearest, sizeof nearest, "%s%s%s", one, *one ? " or " : "", other);
    return armilla_name_fail(name, rule, nearest);
}

static armilla_name_read rectangle(armilla_grid_kind kind, int64_t nrings, int64_t nphi)
{
    return (armilla_name_read){
        .form = ARMILLA_NAME_RECTANGLE, .kind = kind, .number = nrings, .second = nphi};
}

/* --- Degrees ---------------------------------------------------------------------------------- */

/* A decimal fraction: digits / scale. */
typedef struct {
    int64_t digits, scale;
} decimal;

enum { MOST_DEGREES = 10, MOST_DECIMALS = 8 };

/* Returned: 0: no number, or more decimals than any grid needs. */
static int take_decimal(const char **at, decimal *number)
{
    const int64_t whole = armilla_name_take_number(at);
    *number = (decimal){whole < 0 ? 0 : whole, 1};
    if (**at != '.') return whole >= 0;
    int count = 0;
    for (++*at; has_digit(*at); ++*at, count++) {
        if (count == MOST_DECIMALS) return 0;
        number->digits = 10 * number->digits + (**at - '0');
        number->scale *= 10;
    }
    return whole >= 0 || count > 0;
}

/* Steps of that size in so many degrees. Returned: 0: they do not fill them. */
static int64_t count_steps(int64_t degrees, decimal step)
{
    const int64_t all = degrees * step.scale;
    return all % step.digits ? 0 : all / step.digits;
}

static int64_t nearest_steps(int64_t degrees, decimal step)
{
    return (int64_t)floor((double)(degrees * step.scale) / (double)step.digits + 0.5);
}

static int is_small(decimal step)
{
    return step.digits > 0 && step.digits <= MOST_DEGREES * step.scale;
}

/* Numbers that are too large for degrees, or none. */
static armilla_status fail_numbers(const char *name)
{
    const char *rest = name;
    char nearest[96];
    const int64_t first = armilla_name_take_number(&rest);
    const int separates = tolower((unsigned char)*rest) == 'x' || *rest == '/';
    const int64_t second = separates && rest++ ? armilla_name_take_number(&rest) : -1;
    if (first < 1 || second < 1 || *rest)
        return armilla_name_fail(name, "a letter or word must say which grid: O, N, F or H, as in",
                                 "O1280, or gl, cc, ... as in gl:257x512; degrees are at most 10, "
                                 "as in 0.25");
    if (first > second)
        snprintf(nearest, sizeof nearest, "r%lldx%lld", (long long)first, (long long)second);
    else
        snprintf(nearest, sizeof nearest, "cc:%lldx%lld or f1:%lldx%lld", (long long)first,
                 (long long)second, (long long)first, (long long)second);
    return armilla_name_fail(name, "degrees are at most 10; rings and pixels are written", nearest);
}

static armilla_status fail_steps(const char *name, decimal east, decimal south)
{
    char nearest[48];
    snprintf(nearest, sizeof nearest, "cc:%lldx%lld", (long long)nearest_steps(180, south) + 1,
             (long long)nearest_steps(360, east));
    return armilla_name_fail(
        name, "360 and 180 degrees are not whole numbers of such steps; the nearest is", nearest);
}

/* With x it depends on who writes it which number comes first. */
static armilla_status fail_unequal(const char *name, decimal first, decimal second)
{
    char nearest[64];
    snprintf(nearest, sizeof nearest, "cc:%lldx%lld or cc:%lldx%lld",
             (long long)nearest_steps(180, second) + 1, (long long)nearest_steps(360, first),
             (long long)nearest_steps(180, first) + 1, (long long)nearest_steps(360, second));
    return armilla_name_fail(
        name, "which of unequal steps is which? Rings and pixels are clear, such as", nearest);
}

/* Longitude before latitude, as in ECMWF's archive. */
static armilla_status parse_degrees(const char *name, armilla_name_read *read)
{
    const char *rest = name;
    decimal east, south;
    if (!take_decimal(&rest, &east)) return fail_numbers(name);
    south = east;
    const char between = *rest;
    if (tolower((unsigned char)between) == 'x' || between == '/') {
        rest++;
        if (!take_decimal(&rest, &south)) return fail_numbers(name);
    }
    if (*rest || !is_small(east) || !is_small(south)) return fail_numbers(name);
    if (between != '/' && east.digits * south.scale != south.digits * east.scale)
        return fail_unequal(name, east, south);
    const int64_t nphi = count_steps(360, east), nrings = count_steps(180, south);
    if (!nphi || !nrings) return fail_steps(name, east, south);
    *read = rectangle(ARMILLA_GRID_CC, nrings + 1, nphi);
    return ARMILLA_OK;
}

/* --- CDO's longitudes and latitudes ----------------------------------------------------------- */

static armilla_status parse_regular(const char *name, armilla_name_read *read)
{
    const char *rest = name + 1;
    const int64_t nphi = armilla_name_take_number(&rest);
    const int separates = *rest && strchr("xX/_", *rest) != NULL;
    const int64_t nrings = separates && rest++ ? armilla_name_take_number(&rest) : -1;
    if (nrings < 0 || *rest)
        return armilla_name_fail(name, "r takes NLONxNLAT, such as", "r360x180");
    *read = rectangle(nrings % 2 ? ARMILLA_GRID_CC : ARMILLA_GRID_F1, nrings, nphi);
    read->south_first = 1;
    return ARMILLA_OK;
}

static armilla_status parse_global(const char *name, armilla_name_read *read)
{
    const char *rest = name + strlen("global");
    decimal step = {1, 1};
    int right = !*rest;
    if (*rest == '_') {
        rest++;
        right = take_decimal(&rest, &step) && !*rest && is_small(step);
    }
    const int64_t nrings = right ? count_steps(180, step) : 0;
    if (!nrings)
        return armilla_name_fail(name,
                                 "global takes degrees, at most 10, of which 180 are a "
                                 "multiple, such as",
                                 "global_0.5");
    *read = rectangle(ARMILLA_GRID_F1, nrings, 2 * nrings);
    read->south_first = 1;
    read->phi0 = -M_PI + M_PI / (double)(2 * nrings);
    return ARMILLA_OK;
}

/* --- CDO's HEALPix ---------------------------------------------------------------------------- */

/* hpx<n>, which astronomers write. */
static armilla_status fail_hpx(const char *name)
{
    const char *rest = name + 3;
    char ring[24], nested[24];
    const long long n = (long long)armilla_name_take_number(&rest);
    snprintf(ring, sizeof ring, "H%lld", n);
    snprintf(nested, sizeof nested, "H%lldn", n);
    return fail_both(name, "does not say the order of pixels, RING or NESTED; write", ring, nested);
}

static armilla_status parse_hp(const char *name, armilla_name_read *read)
{
    const char letter = (char)tolower((unsigned char)name[2]), *rest = name + 2;
    const int is_power = letter == 'z' || letter == 'r';
    if (letter == 'x') return fail_hpx(name);
    if (is_power) rest++;
    const int64_t number = armilla_name_take_number(&rest);
    const int ring = armilla_name_is_word(rest, strlen(rest), "_ring");
    if (*rest && !ring && !armilla_name_is_word(rest, strlen(rest), "_nested"))
        return armilla_name_fail(name, "behind the number may be _ring or _nested, as in",
                                 is_power ? "hpz6_ring" : "hp64_ring");
    if (is_power && number > 28)
        return armilla_name_fail(name, "the power of two must be at most 28, as in", "hpz6");
    *read = (armilla_name_read){.form = ARMILLA_NAME_HEALPIX,
                                .kind = ARMILLA_GRID_HEALPIX,
                                .number = is_power ? (int64_t)1 << number : number,
                                .nested = !ring};
    return ARMILLA_OK;
}

/* --- Truncations ------------------------------------------------------------------------------ */

static armilla_name_read gaussian(armilla_name_form form, int64_t n)
{
    return (armilla_name_read){.form = form,
                               .kind = form == ARMILLA_NAME_FULL
                                           ? ARMILLA_GRID_GAUSS_LEGENDRE
                                           : ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE,
                               .number = n};
}

static int64_t quadratic_n(int64_t t)
{
    return (3 * t + 4) / 4;
}

/* Pixels of a ring of CDO's and NCEP's full grids of nlat rings: 2 nlat, or the next even number
 * without other factors than 2, 3, 5 and one 7, which CDO's nlat2nlon comes to. */
static int64_t pixels_of_ring(int64_t nlat)
{
    for (int64_t nphi = 2 * nlat; nphi < 2 * nlat + 1000; nphi += 2) {
        int64_t rest = nphi;
        for (int64_t factor = 2; factor <= 5; factor++)
            while (rest % factor == 0) rest /= factor;
        if (rest == 1 || rest == 7) return nphi;
    }
    return 2 * nlat;
}

static armilla_name_read full_of(int64_t n)
{
    return rectangle(ARMILLA_GRID_GAUSS_LEGENDRE, 2 * n, pixels_of_ring(2 * n));
}

/* TL<t>: the classic reduced grid with t = 2 n - 1. */
static armilla_status parse_linear(const char *name, int64_t t, armilla_name_read *read)
{
    const int64_t n = (t + 1) / 2;
    char nearest[24];
    if (t % 2 == 1 && armilla_classic_find(n)) {
        *read = gaussian(ARMILLA_NAME_CLASSIC, n);
        return ARMILLA_OK;
    }
    snprintf(nearest, sizeof nearest, "TL%lld", 2 * (long long)armilla_classic_nearest(n) - 1);
    return armilla_name_fail(name, "has no published grid; the nearest that has is", nearest);
}

/* T<t>: quadratic, unless ECMWF's archive calls a linear grid so, which it does from T95 on. */
static armilla_status parse_quadratic(const char *name, int64_t t, armilla_name_read *read)
{
    char full[24], linear[24];
    const int64_t n = quadratic_n(t);
    *read = full_of(n);
    if (t < 95 || t % 2 == 0 || !armilla_classic_find((t + 1) / 2)) return ARMILLA_OK;
    snprintf(full, sizeof full, "F%lld", (long long)n);
    snprintf(linear, sizeof linear, "TL%lld", (long long)t);
    return fail_both(name, "is quadratic in some models and linear in ECMWF's; the grids are", full,
                     linear);
}

/* CDO's t<t>grid, tl<t>grid, tc<t>grid, which are full grids. */
static armilla_name_read full_grid(char letter, int64_t t)
{
    if (letter == 'l') return full_of((t + 2) / 2);
    if (letter == 'c') return rectangle(ARMILLA_GRID_GAUSS_LEGENDRE, 2 * t + 2, 4 * t + 20);
    return full_of(quadratic_n(t));
}

/* Reduced or full, classic or octahedral: such a name does not say it. */
static armilla_status fail_truncation(const char *name, char letter, int64_t t)
{
    char classic[24] = "", other[24];
    const int64_t n = letter == 'c' ? t + 1 : quadratic_n(t);
    if (armilla_classic_find(n)) snprintf(classic, sizeof classic, "N%lld", (long long)n);
    snprintf(other, sizeof other, letter == 'c' ? "O%lld" : "F%lld", (long long)n);
    return fail_both(name,
                     letter == 'c' ? "may be a classic or an octahedral grid; write"
                                   : "may be a reduced or a full grid; write",
                     classic, other);
}

/* Letters behind the T that are followed by a number: "", "l", "q", "c" or "co"; NULL: others. */
static const char *truncation_letters(const char *name)
{
    static const char *const known[] = {"co", "c", "l", "q", ""};
    for (int i = 0; i < 5; i++)
        if (armilla_name_begins(name + 1, known[i]) && has_digit(name + 1 + strlen(known[i])))
            return known[i];
    return NULL;
}

static armilla_status parse_truncation(const char *name, const char *letters,
                                       armilla_name_read *read)
{
    const char *rest = name + 1 + strlen(letters);
    const int64_t t = armilla_name_take_number(&rest);
    const int is_full = armilla_name_is_word(rest, strlen(rest), "grid");
    const char letter = letters[0];
    if (is_full && letter != 'q' && strlen(letters) < 2) {
        *read = full_grid(letter, t);
        return ARMILLA_OK;
    }
    if (*rest)
        return armilla_name_fail(name, "behind the number may be grid, as in",
                                 "t63grid, tl63grid or tc63grid");
    if (letter == 'l') return parse_linear(name, t, read);
    if (!letter) return parse_quadratic(name, t, read);
    if (letter == 'q' || !letters[1]) return fail_truncation(name, letter, t);
    *read = gaussian(ARMILLA_NAME_OCTAHEDRAL, t + 1);
    return ARMILLA_OK;
}

/* --- Names that mean two grids ---------------------------------------------------------------- */

static const struct {
    const char *begins, *rule, *nearest;
} both[] = {
    {"era5-land", "is published on land only, at 0.1 degrees; the whole grid is", "0.1"},
    {"era5", "is published at 0.25 degrees and was made on N320; the grids are", "0.25 or N320"},
    {"era-interim", "is published at 0.75 degrees and was made on N128; the grids are",
     "0.75 or N128"},
    {"gme", "its pixels are not on rings; the nearest is HEALPix,", "H64"},
    {"ico", "its pixels are not on rings; the nearest is HEALPix,", "H64"},
};
enum { NBOTH = sizeof both / sizeof *both };

static int is_hp(const char *name)
{
    const int has_letter = armilla_name_begins(name, "hp") && name[2] && strchr("zZrRxX", name[2]);
    return armilla_name_begins(name, "hp") && has_digit(name + 2 + has_letter);
}

armilla_status armilla_name_parse_foreign(const char *name, armilla_name_read *read, int *is_one)
{
    const char first = (char)tolower((unsigned char)*name);
    const char *letters = first == 't' ? truncation_letters(name) : NULL;
    *is_one = 1;
    for (int i = 0; i < NBOTH; i++)
        if (armilla_name_begins(name, both[i].begins))
            return armilla_name_fail(name, both[i].rule, both[i].nearest);
    if (letters) return parse_truncation(name, letters, read);
    if (has_digit(name) || (first == '.' && has_digit(name + 1))) return parse_degrees(name, read);
    if (first == 'r' && has_digit(name + 1)) return parse_regular(name, read);
    if (armilla_name_begins(name, "global")) return parse_global(name, read);
    if (is_hp(name)) return parse_hp(name, read);
    *is_one = 0;
    return ARMILLA_OK;
}
