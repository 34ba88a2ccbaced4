/* Reads whole numbers, decimal numbers, angles with a unit and ranges from text. Digits, point and
 * exponent are counted here before strtod converts them, so that nothing but a plain decimal number
 * passes. */
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Length of the decimal number at the start of text: [+-] digits [. digits] [e [+-] digits]; 0 if
 * there is none. Kept apart from strtod, which also takes hexadecimal, blanks, nan and infinity. */
static size_t scan_real(const char *text)
{
    size_t n = text[0] == '+' || text[0] == '-';
    size_t whole = count_digits(text + n), fraction = 0;
    n += whole;
    if (text[n] == '.') {
        fraction = count_digits(text + n + 1);
        n += 1 + fraction;
    }
    if (whole + fraction == 0) return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        size_t digits = count_digits(text + n + 1 + sign);
        if (digits) n += 1 + sign + digits;
    }
    return n;
}

/* The number in the first length characters. */
static const char *convert_real(const char *text, size_t length, double *value)
{
    char copy[LONGEST];
    if (length >= sizeof copy) return "too many digits";
    memcpy(copy, text, length);
    copy[length] = '\0';
    double number = strtod(copy, NULL);
    if (!isfinite(number)) return "too large";
    *value = number;
    return NULL;
}

const char *number_integer(const char *text, int64_t *value)
{
    size_t sign = text[0] == '+' || text[0] == '-';
    size_t digits = count_digits(text + sign);
    if (digits == 0 || text[sign + digits]) return "must be a whole number";
    errno = 0;
    long long number = strtoll(text, NULL, 10);
    if (errno) return "too large";
    *value = number;
    return NULL;
}

const char *number_unsigned(const char *text, uint64_t *value)
{
    size_t digits = count_digits(text);
    if (digits == 0 || text[digits]) return "must be a whole number, 0 or larger";
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno) return "too large: at most 18446744073709551615";
    *value = number;
    return NULL;
}

const char *number_real(const char *text, double *value)
{
    size_t length = scan_real(text);
    if (length == 0 || text[length]) return "must be a number";
    return convert_real(text, length, value);
}

static const struct {
    const char *name;
    double radians;
} units[] = {
    {"deg", M_PI / 180},
    {"\u00b0", M_PI / 180}, /* the sign of degrees */
    {"arcmin", M_PI / 180 / 60},
    {"'", M_PI / 180 / 60},
    {"\u2032", M_PI / 180 / 60}, /* a prime */
    {"arcsec", M_PI / 180 / 3600},
    {"\"", M_PI / 180 / 3600},
    {"\u2033", M_PI / 180 / 3600}, /* a double prime */
    {"rad", 1},
};

const char *number_unit(const char *name, double *radians)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(name, units[i].name) != 0) continue;
        *radians = units[i].radians;
        return NULL;
    }
    return "unknown unit; the units are deg, arcmin, arcsec and rad";
}

static const char *unit_missing(const char *number)
{
    static char text[4 * LONGEST + 60];
    if (strlen(number) >= LONGEST) return "too many digits";
    snprintf(text, sizeof text, "no unit; write %sdeg, %sarcmin, %sarcsec or %srad", number, number,
             number, number);
    return text;
}

const char *number_angle(const char *text, double *radians)
{
    double number;
    size_t length = scan_real(text);
    if (length == 0) return "must be an angle, such as 1deg or 4.7arcmin";
    const char *wrong = convert_real(text, length, &number);
    if (wrong) return wrong;
    const char *unit = text + length + strspn(text + length, " ");
    if (!*unit) return unit_missing(text);
    double one;
    wrong = number_unit(unit, &one);
    if (wrong) return wrong;
    if (!isfinite(number * one)) return "too large";
    *radians = number * one;
    return NULL;
}

const char *number_range(const char *text, double *range)
{
    static const char form[] = "must be two numbers A,B, such as -300,300";
    size_t first = scan_real(text);
    if (first == 0 || text[first] != ',') return form;
    size_t second = scan_real(text + first + 1);
    if (second == 0 || text[first + 1 + second]) return form;
    double ends[2];
    const char *wrong = convert_real(text, first, &ends[0]);
    if (!wrong) wrong = convert_real(text + first + 1, second, &ends[1]);
    if (wrong) return wrong;
    if (ends[0] >= ends[1]) return "must rise: the first number is the lower end";
    range[0] = ends[0], range[1] = ends[1];
    return NULL;
}
