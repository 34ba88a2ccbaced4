/* Chooses the range of values that a picture's colours span, and how values share it: linearly,
 * logarithmically, by asinh(value / threshold), or by their ranks within the map. Unless the caller
 * asks for another one, the range is that of the 0.5 % and 99.5 % quantiles of the seen pixels: a
 * few hot pixels do not take the colours away from all others. Quantiles come from every n-th
 * pixel, n such that at most SAMPLES_MOST are kept (their error, some 1e-4 in rank, is far below a
 * colour step), by selection (Hoare 1961), not sorting. */
#include "picture/scale.h"

#include "base/memory.h"
#include "base/unseen.h"
#include <math.h>
#include <stdlib.h>

enum { SAMPLES_MOST = 1 << 21 };

static const double QUANTILE = 0.005;
static const double LARGEST = 1e300;   /* ends are clipped here: no difference of two overflows */
static const double FARTHEST = 1e100;  /* from the ends of a scale to a threshold, as a factor */
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

static void take_survey(int64_t npix, const double *values, double above, survey *s)
{
    int64_t step = (npix + SAMPLES_MOST - 1) / SAMPLES_MOST;
    s->count = 0, s->smallest = INFINITY, s->largest = -INFINITY;
    for (int64_t i = 0; i < npix; i++) {
        if (!isfinite(values[i]) || armilla_picture_missing(values[i]) || values[i] <= above)
            continue;
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

static armilla_status data_range(int64_t npix, const double *values, double above, double *low,
                                 double *high)
{
    survey s;
    armilla_status status =
        armilla_allocate(&s.samples, npix < SAMPLES_MOST ? npix : SAMPLES_MOST, sizeof(double));
    if (status) return status;
    take_survey(npix, values, above, &s);
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

armilla_status armilla_picture_range(int64_t npix, const double *values, double above,
                                     double *minimum, double *maximum)
{
    armilla_status status = check_range(*minimum, *maximum);
    if (status) return status;
    double low = *minimum, high = *maximum, data_low = 0.0, data_high = 0.0;
    if (isnan(low) || isnan(high)) status = data_range(npix, values, above, &data_low, &data_high);
    if (status) return status;
    if (isnan(low)) low = isnan(high) ? data_low : fmin(data_low, high);
    if (isnan(high)) high = fmax(data_high, low);
    low = fmin(fmax(low, -LARGEST), LARGEST);
    high = fmin(fmax(high, -LARGEST), LARGEST);
    widen(&low, &high);
    *minimum = low, *maximum = high;
    return ARMILLA_OK;
}

/* --- Values and their share of the scale ------------------------------------------------------ */

static double moved(const armilla_scale *s, double value)
{
    if (s->kind == ARMILLA_SCALE_LOG) return log(fmax(value, 1e-300));
    return s->kind == ARMILLA_SCALE_SYMLOG ? asinh(value / s->threshold) : value;
}

/* The part of the ranks below a value, between two of them in proportion. */
static double rank_share(const double *ranks, double value)
{
    int low = 0, high = ARMILLA_SCALE_RANKS;
    if (value <= ranks[0]) return 0.0;
    if (value >= ranks[high]) return 1.0;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (ranks[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return (low + (value - ranks[low]) / (ranks[high] - ranks[low])) / ARMILLA_SCALE_RANKS;
}

double armilla_scale_share(const armilla_scale *s, double value)
{
    if (value <= s->minimum) return 0.0;
    if (value >= s->maximum) return 1.0;
    if (s->kind == ARMILLA_SCALE_EQUALISED) return rank_share(s->ranks, value);
    return (moved(s, value) - s->low) / (s->high - s->low);
}

double armilla_scale_value(const armilla_scale *s, double share)
{
    const double at = s->low + share * (s->high - s->low);
    if (s->kind == ARMILLA_SCALE_LOG) return exp(at);
    if (s->kind == ARMILLA_SCALE_SYMLOG) return s->threshold * sinh(at);
    if (s->kind != ARMILLA_SCALE_EQUALISED) return at;
    const double place = share * ARMILLA_SCALE_RANKS;
    const int i = (int)fmin(fmax(floor(place), 0.0), ARMILLA_SCALE_RANKS - 1.0);
    return s->ranks[i] + (place - i) * (s->ranks[i + 1] - s->ranks[i]);
}

static int by_size(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The value at a part 0 .. 1 of sorted samples, between two of them in proportion. */
static double quantile(const double *samples, int64_t count, double part)
{
    const double place = part * (double)(count - 1);
    const int64_t i = (int64_t)place;
    if (i + 1 >= count) return samples[count - 1];
    return samples[i] + (place - (double)i) * (samples[i + 1] - samples[i]);
}

/* Quantiles of the values within the scale, ends included. */
static void fill_ranks(armilla_scale *s, const survey *all)
{
    int64_t count = 0;
    for (int64_t i = 0; i < all->count; i++)
        if (all->samples[i] >= s->minimum && all->samples[i] <= s->maximum)
            all->samples[count++] = all->samples[i];
    qsort(all->samples, (size_t)count, sizeof *all->samples, by_size);
    for (int i = 0; i <= ARMILLA_SCALE_RANKS; i++) {
        const double part = (double)i / ARMILLA_SCALE_RANKS;
        s->ranks[i] = count ? quantile(all->samples, count, part)
                            : s->minimum + part * (s->maximum - s->minimum);
    }
    s->ranks[0] = s->minimum, s->ranks[ARMILLA_SCALE_RANKS] = s->maximum;
}

static armilla_status make_ranks(int64_t npix, const double *values, armilla_scale *s)
{
    survey all;
    armilla_status status =
        armilla_allocate(&all.samples, npix < SAMPLES_MOST ? npix : SAMPLES_MOST, sizeof(double));
    if (status) return status;
    take_survey(npix, values, -INFINITY, &all);
    fill_ranks(s, &all);
    armilla_release(all.samples);
    return ARMILLA_OK;
}

static armilla_status check_kind(const armilla_scale *s)
{
    const int64_t kind = (int64_t)s->kind;
    if (kind < 0 || kind > ARMILLA_SCALE_EQUALISED)
        return armilla_fail_argument("scale", kind, "must be one of armilla_color_scale");
    if (s->kind == ARMILLA_SCALE_LOG && (s->minimum <= 0.0 || s->maximum <= 0.0))
        return armilla_fail(
            ARMILLA_ERROR_ARGUMENT, "%s = %g: must be positive on a logarithmic scale",
            s->minimum <= 0.0 ? "minimum" : "maximum", s->minimum <= 0.0 ? s->minimum : s->maximum);
    if (s->kind == ARMILLA_SCALE_SYMLOG && !isnan(s->threshold) &&
        !(s->threshold > 0.0 && isfinite(s->threshold)))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "threshold = %g: must be positive, or NaN",
                            s->threshold);
    return ARMILLA_OK;
}

/* Shares are numbers where neither value / threshold nor threshold / value leaves the doubles. */
static armilla_status check_threshold(const armilla_scale *s)
{
    const double end = fmax(fabs(s->minimum), fabs(s->maximum));
    if (s->threshold >= end / FARTHEST && s->threshold / FARTHEST <= end) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "threshold = %g: must be within 1e-100 and 1e100 times the largest end of "
                        "the scale, %g",
                        s->threshold, end);
}

/* On a logarithmic scale the widest range starts at a positive number, whatever the data are. */
static void keep_positive(armilla_scale *s)
{
    if (s->minimum > 0.0) return;
    if (s->maximum <= 0.0) s->maximum = 1.0;
    s->minimum = 1e-3 * s->maximum;
}

armilla_status armilla_scale_make(int64_t npix, const double *values, armilla_scale *s)
{
    const int is_log = s->kind == ARMILLA_SCALE_LOG;
    armilla_status status = check_kind(s);
    if (!status)
        status =
            armilla_picture_range(npix, values, is_log ? 0.0 : -INFINITY, &s->minimum, &s->maximum);
    if (status) return status;
    if (is_log) keep_positive(s);
    if (isnan(s->threshold)) s->threshold = 0.01 * fmax(fabs(s->minimum), fabs(s->maximum));
    if (s->kind == ARMILLA_SCALE_SYMLOG) status = check_threshold(s);
    if (status) return status;
    s->low = moved(s, s->minimum), s->high = moved(s, s->maximum);
    return s->kind == ARMILLA_SCALE_EQUALISED ? make_ranks(npix, values, s) : ARMILLA_OK;
}
