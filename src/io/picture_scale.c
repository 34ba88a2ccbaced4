/* Chooses the range of values that a picture's colours span, and the round numbers that label it.
 * Unless the caller asks for another one, the range is that of the 0.5 % and 99.5 % quantiles of
 * the seen pixels: a few hot pixels do not take the colours away from all others. Quantiles come
 * from every n-th pixel, n such that at most SAMPLES_MOST are kept (their error, some 1e-4 in rank,
 * is far below a colour step), by selection (Hoare 1961), not sorting. */
#include "io/picture_scale.h"

#include "armilla/io.h"
#include "base/memory.h"
#include "base/unseen.h"
#include "io/font.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES_MOST = 1 << 21 };

static const double QUANTILE = 0.005;
static const double LARGEST = 1e300;   /* ends are clipped here: no difference of two overflows */
static const double SMALLEST = 1e-290; /* narrower ranges count as empty: no tick underflows */

int armilla_picture_missing(double value)
{
    return isnan(value) || armilla_is_unseen(value);
}

/* --- Range --------------------------------------------------------------------------------------
 */

typedef struct {
    double *samples;
    int64_t count;
    double smallest, largest; /* of all finite pixels, not of the samples only */
} survey;

static void take_survey(int64_t npix, const double *values, survey *s)
{
    int64_t step = (npix + SAMPLES_MOST - 1) / SAMPLES_MOST;
    s->count = 0, s->smallest = INFINITY, s->largest = -INFINITY;
    for (int64_t i = 0; i < npix; i++) {
        if (!isfinite(values[i]) || armilla_picture_missing(values[i])) continue;
        if (values[i] < s->smallest) s->smallest = values[i];
        if (values[i] > s->largest) s->largest = values[i];
        if (i % step == 0) s->samples[s->count++] = values[i];
    }
}

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b, *b = t;
}

/* The value that would stand at index `rank` after sorting; reorders the samples. */
static double select_rank(double *samples, int64_t count, int64_t rank)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = samples[low + (high - low) / 2];
        int64_t i = low - 1, j = high + 1;
        for (;;) {
            do i++;
            while (samples[i] < pivot);
            do j--;
            while (samples[j] > pivot);
            if (i >= j) break;
            swap(&samples[i], &samples[j]);
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return samples[rank];
}

/* Where the two quantiles agree (a point source on zeros), the whole range serves. */
static void survey_range(survey *s, double *low, double *high)
{
    *low = s->smallest, *high = s->largest;
    if (s->smallest > s->largest) *low = *high = 0.0;
    if (s->count == 0) return;
    int64_t rank = (int64_t)(QUANTILE * (double)(s->count - 1));
    double first = select_rank(s->samples, s->count, rank);
    double last = select_rank(s->samples, s->count, s->count - 1 - rank);
    if (first < last) *low = first, *high = last;
}

static armilla_status data_range(int64_t npix, const double *values, double *low, double *high)
{
    survey s;
    armilla_status status =
        armilla_allocate(&s.samples, npix < SAMPLES_MOST ? npix : SAMPLES_MOST, sizeof(double));
    if (status) return status;
    take_survey(npix, values, &s);
    survey_range(&s, low, high);
    armilla_release(s.samples);
    return ARMILLA_OK;
}

static armilla_status check_range(double minimum, double maximum)
{
    if (isinf(minimum) || isinf(maximum))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = %g: must be finite, or NaN for automatic",
                            isinf(minimum) ? "minimum" : "maximum",
                            isinf(minimum) ? minimum : maximum);
    if (minimum > maximum)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "minimum = %g: must not be larger than maximum = %g", minimum, maximum);
    return ARMILLA_OK;
}

/* A range that is empty, or too small for the doubles in it, becomes a readable one around it. */
static void widen(double *low, double *high)
{
    double size = fmax(fabs(*low), fabs(*high));
    if (*high - *low > fmax(1e-12 * size, SMALLEST)) return;
    double margin = size > SMALLEST ? 0.5 * size : 1.0;
    *low -= margin, *high += margin;
}

armilla_status armilla_picture_range(int64_t npix, const double *values, double *minimum,
                                     double *maximum)
{
    armilla_status status = check_range(*minimum, *maximum);
    if (status) return status;
    double low = *minimum, high = *maximum, data_low = 0.0, data_high = 0.0;
    if (isnan(low) || isnan(high)) status = data_range(npix, values, &data_low, &data_high);
    if (status) return status;
    if (isnan(low)) low = isnan(high) ? data_low : fmin(data_low, high);
    if (isnan(high)) high = fmax(data_high, low);
    low = fmin(fmax(low, -LARGEST), LARGEST);
    high = fmin(fmax(high, -LARGEST), LARGEST);
    widen(&low, &high);
    *minimum = low, *maximum = high;
    return ARMILLA_OK;
}

/* --- Ticks --------------------------------------------------------------------------------------
 */

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
    double slack = TICK_SLACK * (maximum - minimum);
    double first = ceil((minimum - slack) / step);
    ticks->count = 0, ticks->widest = 0.0;
    while (ticks->count < ARMILLA_TICKS_MOST && (first + ticks->count) * step <= maximum + slack) {
        int i = ticks->count++;
        ticks->values[i] = (first + i) * step;
    }
    write_labels(step, ticks);
}
