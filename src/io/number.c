/* Reads decimal numbers from fields of text in the same way in every locale. A field that passes a
 * small grammar is brought into C's notation, and only then does strtod see it, in the C locale. */
#include "io/number.h"

#include "base/platform.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_SIZE = 512 };

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **text, size_t *length)
{
    while (*length && is_blank(**text)) ++*text, --*length;
    while (*length && is_blank((*text)[*length - 1])) --*length;
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

static const char *skip_sign(const char *text)
{
    return text + (*text == '+' || *text == '-');
}

/* Where the exponent of [sign] digits [. digits] [exponent] begins; NULL: no number. Only this
 * grammar reaches strtod, which would also take hexadecimal, inf and nan. */
static const char *find_exponent(const char *field)
{
    const char *at = skip_sign(field);
    size_t digits = count_digits(at);
    at += digits;
    if (*at == '.') {
        size_t fraction = count_digits(at + 1);
        digits += fraction;
        at += 1 + fraction;
    }
    return digits ? at : NULL;
}

/* Mantissa and exponent in C's notation; 0: no number. */
static int normalise(const char *field, char *number)
{
    const char *at = find_exponent(field);
    if (!at) return 0;
    size_t length = (size_t)(at - field);
    memcpy(number, field, length);
    number[length] = '\0';
    if (!*at) return 1;
    if (strchr("eEdD", *at))
        at++;
    else if (*at != '+' && *at != '-')
        return 0;
    size_t digits = count_digits(skip_sign(at));
    if (!digits || skip_sign(at)[digits]) return 0;
    number[length] = 'e';
    memcpy(number + length + 1, at, strlen(at) + 1);
    return 1;
}

static int copy_field(const char *text, size_t length, char field[FIELD_SIZE])
{
    trim(&text, &length);
    if (length == 0 || length >= FIELD_SIZE || memchr(text, '\0', length)) return 0;
    memcpy(field, text, length);
    field[length] = '\0';
    return 1;
}

int armilla_parse_number(const char *text, size_t length, double *value)
{
    char field[FIELD_SIZE], number[FIELD_SIZE + 1];
    if (!copy_field(text, length, field) || !normalise(field, number)) return 0;
    armilla_c_locale scope;
    armilla_c_locale_enter(&scope);
    double parsed = strtod(number, NULL);
    armilla_c_locale_leave(&scope);
    if (!isfinite(parsed)) return 0;
    *value = parsed;
    return 1;
}

int armilla_parse_integer(const char *text, size_t length, int64_t *value)
{
    char field[FIELD_SIZE];
    if (!copy_field(text, length, field)) return 0;
    const char *digits = skip_sign(field);
    if (*digits && digits[count_digits(digits)] == '\0') {
        errno = 0;
        long long parsed = strtoll(field, NULL, 10);
        if (errno) return 0;
        *value = parsed;
        return 1;
    }
    double real;
    if (!armilla_parse_number(field, strlen(field), &real)) return 0;
    if (fabs(real) > 9007199254740992.0 || real != floor(real)) return 0;
    *value = (int64_t)real;
    return 1;
}
