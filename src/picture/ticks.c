/* Chooses the round numbers that label a scale, and writes them: plain, or as powers of ten. */
#include "picture/ticks.h"

#include "picture/font.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TICK_SLACK =
    1e-9; /* of the range: ticks at its very ends count, rounded or not */

/* Smallest 1, 2, 5 times a power of ten that puts at most `most` multiples on the scale. */
static double tick_step(double minimum, double maximum, int most)
{
    double rough = (maximum - minimum) / most;
    double power = pow(10.0, floor(log10(rough))), slack = TICK_SLACK * (maximum - minimum);
    static const double FACTORS[] = {1.0, 2.0, 5.0, 10.0, 20.0};
    for (int i = 0; i < 4; i++) {
        double step = FACTORS[i] * power;
        if (floor((maximum + slack) / step) - ceil((minimum - slack) / step) < most) return step;
    }
    return FACTORS[4] * power;
}

/* printf's number with a true minus sign, and a point as decimal mark in every locale. */
static char *write_number(double value, int decimals, char *label)
{
    char raw[ARMILLA_TICK_LABEL_SIZE];
    snprintf(raw, sizeof raw, "%.*f", decimals, value);
    for (const char *s = raw; *s; s++) {
        if (*s == '-') {
            memcpy(label, "\xE2\x88\x92", 3), label += 3;
        } else {
            *label++ = *s >= '0' && *s <= '9' ? *s : '.';
        }
    }
    *label = '\0';
    return label;
}

/* Labels of one scale share their exponent and their number of decimals. */
static void write_labels(double step, armilla_ticks *ticks)
{
    double largest = 0.0;
    for (int i = 0; i < ticks->count; i++) largest = fmax(largest, fabs(ticks->values[i]));
    int scientific = largest >= 1e5 || (largest > 0.0 && largest < 1e-3);
    int exponent = scientific ? (int)floor(log10(largest) + 1e-9) : 0;
    int decimals = exponent - (int)floor(log10(step) + 1e-9);
    for (int i = 0; i < ticks->count; i++) {
        double value = ticks->values[i];
        int plain = value == 0.0 || !scientific;
        char *end = write_number(plain ? value : value / pow(10.0, exponent),
                                 value == 0.0 || decimals < 0 ? 0 : decimals, ticks->labels[i]);
        if (!plain) *end++ = 'e', write_number(exponent, 0, end);
        ticks->widest = fmax(ticks->widest, armilla_font_width(ticks->labels[i]));
    }
}

void armilla_ticks_make(double minimum, double maximum, int most, armilla_ticks *ticks)
{
    double step = tick_step(minimum, maximum, most);
    ticks->count = 0, ticks->widest = 0.0;
    if (!isnormal(step)) return; /* where the doubles end: an axis without numbers */
    double slack = TICK_SLACK * (maximum - minimum);
    double first = ceil((minimum - slack) / step);
    while (ticks->count < ARMILLA_TICKS_MOST && (first + ticks->count) * step <= maximum + slack) {
        int i = ticks->count++;
        ticks->values[i] = (first + i) * step;
    }
    write_labels(step, ticks);
}

/* --- Powers of ten ---------------------------------------------------------------------------- */

static const char *const SUPERSCRIPTS[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                           "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};

/* 0.01, 1, 1000, and 10 to a power beyond. */
static void write_power(int exponent, double sign, char *label)
{
    char digits[16];
    if (sign < 0) memcpy(label, "\xE2\x88\x92", 4), label += 3;
    if (exponent >= -2 && exponent <= 4) {
        snprintf(label, 16, "%.*f", exponent < 0 ? -exponent : 0, pow(10.0, exponent));
        for (; *label; label++)
            if (*label == ',') *label = '.';
        return;
    }
    strcpy(label, exponent < 0 ? "10\u207B" : "10");
    snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *digit = digits; *digit; digit++) strcat(label, SUPERSCRIPTS[*digit - '0']);
}

static void add_power(armilla_ticks *ticks, int exponent, double sign)
{
    if (ticks->count == ARMILLA_TICKS_MOST) return;
    char *label = ticks->labels[ticks->count];
    ticks->values[ticks->count++] = sign * pow(10.0, exponent);
    write_power(exponent, sign, label);
    ticks->widest = fmax(ticks->widest, armilla_font_width(label));
}

/* Every n-th power of ten within first .. last, n such that there are at most `most`. */
static void add_powers(armilla_ticks *ticks, int first, int last, int most, double sign)
{
    const int step = (last - first) / (most > 1 ? most : 1) + 1;
    for (int e = first; e <= last; e++)
        if (e % step == 0) add_power(ticks, e, sign);
}

void armilla_ticks_make_log(double minimum, double maximum, int most, armilla_ticks *ticks)
{
    const int first = (int)ceil(log10(minimum) - 1e-9), last = (int)floor(log10(maximum) + 1e-9);
    ticks->count = 0, ticks->widest = 0.0;
    if (last - first >= 1)
        add_powers(ticks, first, last, most, 1.0);
    else
        armilla_ticks_make(minimum, maximum, most, ticks);
}

/* --- Scales of colours ------------------------------------------------------------------------ */

static void make_symlog(const armilla_scale *s, int most, armilla_ticks *ticks)
{
    const int first = (int)ceil(log10(s->threshold) - 1e-9);
    ticks->count = 0, ticks->widest = 0.0;
    if (s->minimum < 0.0)
        add_powers(ticks, first, (int)floor(log10(-s->minimum) + 1e-9), most / 2, -1.0);
    if (s->minimum <= 0.0 && s->maximum >= 0.0 && ticks->count < ARMILLA_TICKS_MOST) {
        ticks->values[ticks->count] = 0.0;
        strcpy(ticks->labels[ticks->count++], "0");
    }
    if (s->maximum > 0.0)
        add_powers(ticks, first, (int)floor(log10(s->maximum) + 1e-9), most / 2, 1.0);
    if (ticks->count < 2) armilla_ticks_make(s->minimum, s->maximum, most, ticks);
}

/* Values at equal shares, to three digits. */
static void make_ranked(const armilla_scale *s, int most, armilla_ticks *ticks)
{
    const int parts = most < 5 ? most - 1 : 4;
    ticks->count = 0, ticks->widest = 0.0;
    for (int i = 0; i <= parts; i++) {
        const double value = armilla_scale_value(s, (double)i / parts);
        char *label = ticks->labels[ticks->count], raw[ARMILLA_TICK_LABEL_SIZE];
        ticks->values[ticks->count++] = value;
        snprintf(raw, sizeof raw, "%.3g", value);
        for (const char *at = raw; *at; at++) {
            if (*at == '-')
                memcpy(label, "\xE2\x88\x92", 3), label += 3;
            else if (*at != '+')
                *label++ = *at == ',' ? '.' : *at;
        }
        *label = '\0';
        ticks->widest = fmax(ticks->widest, armilla_font_width(ticks->labels[i]));
    }
}

void armilla_ticks_of_scale(const armilla_scale *s, int most, armilla_ticks *ticks)
{
    if (s->kind == ARMILLA_SCALE_LOG)
        armilla_ticks_make_log(s->minimum, s->maximum, most, ticks);
    else if (s->kind == ARMILLA_SCALE_SYMLOG)
        make_symlog(s, most, ticks);
    else if (s->kind == ARMILLA_SCALE_EQUALISED)
        make_ranked(s, most, ticks);
    else
        armilla_ticks_make(s->minimum, s->maximum, most, ticks);
}
