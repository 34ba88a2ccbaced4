/* Computes normalised associated Legendre functions in MPFR, in long double where whole tables are
 * wanted, and their largest values over theta in double. The formula is that of docs/mathematics.md
 * 2, first line, solved for the next degree:
 *
 *   lambda_mm     = (-1)^m sqrt((2m+1)/(4 pi) prod_{k=1}^m (2k-1)/(2k)) sin^m(theta)
 *   lambda_{l+1}  = (x lambda_l - A_l lambda_{l-1}) / A_{l+1},  A_l = sqrt((l^2-m^2)/(4l^2-1))
 *
 * Upwards in l the recurrence is stable; what a rounding of x = cos(theta) costs grows like
 * l / sin(theta), at most 2^37 for l = 2^17 and theta = 1e-6, and l roundings add at most a factor
 * l^2. 320 bits leave more than 200 of them, 50 digits need 167. MPFR's exponents do not
 * underflow. */
#include "oracle/lambda_oracle.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct {
    int64_t m, l;
    mpfr_t x, previous, current, a_current, a_next, scratch;
} recurrence;

/* a = A_l */
static void set_a(mpfr_t a, int64_t l, int64_t m)
{
    mpfr_set_si(a, (long)((l - m) * (l + m)), MPFR_RNDN);
    mpfr_div_si(a, a, (long)(4 * l * l - 1), MPFR_RNDN);
    mpfr_sqrt(a, a, MPFR_RNDN);
}

/* current = lambda_mm */
static void start_row(recurrence *r, double theta)
{
    mpfr_set_ui(r->current, 1, MPFR_RNDN);
    for (int64_t k = 1; k <= r->m; k++) {
        mpfr_mul_si(r->current, r->current, (long)(2 * k - 1), MPFR_RNDN);
        mpfr_div_si(r->current, r->current, (long)(2 * k), MPFR_RNDN);
    }
    mpfr_mul_si(r->current, r->current, (long)(2 * r->m + 1), MPFR_RNDN);
    mpfr_const_pi(r->scratch, MPFR_RNDN);
    mpfr_div(r->current, r->current, r->scratch, MPFR_RNDN);
    mpfr_div_ui(r->current, r->current, 4, MPFR_RNDN);
    mpfr_sqrt(r->current, r->current, MPFR_RNDN);
    mpfr_set_d(r->x, theta, MPFR_RNDN);
    mpfr_sin(r->scratch, r->x, MPFR_RNDN);
    mpfr_pow_si(r->scratch, r->scratch, (long)r->m, MPFR_RNDN);
    mpfr_mul(r->current, r->current, r->scratch, MPFR_RNDN);
    if (r->m % 2) mpfr_neg(r->current, r->current, MPFR_RNDN);
    mpfr_cos(r->x, r->x, MPFR_RNDN);
    mpfr_set_ui(r->previous, 0, MPFR_RNDN);
    mpfr_set_ui(r->a_current, 0, MPFR_RNDN);
}

static void recurrence_init(recurrence *r, int64_t m, double theta, int precision)
{
    r->m = m;
    r->l = m;
    mpfr_inits2(precision, r->x, r->previous, r->current, r->a_current, r->a_next, r->scratch,
                (mpfr_ptr)0);
    start_row(r, theta);
}

static void recurrence_clear(recurrence *r)
{
    mpfr_clears(r->x, r->previous, r->current, r->a_current, r->a_next, r->scratch, (mpfr_ptr)0);
}

/* current becomes lambda of the next degree. */
static void recurrence_step(recurrence *r)
{
    set_a(r->a_next, r->l + 1, r->m);
    mpfr_mul(r->scratch, r->x, r->current, MPFR_RNDN);
    mpfr_mul(r->previous, r->a_current, r->previous, MPFR_RNDN);
    mpfr_sub(r->scratch, r->scratch, r->previous, MPFR_RNDN);
    mpfr_div(r->scratch, r->scratch, r->a_next, MPFR_RNDN);
    mpfr_swap(r->previous, r->current);
    mpfr_swap(r->current, r->scratch);
    mpfr_swap(r->a_current, r->a_next);
    r->l++;
}

/* A_l and 1 / A_l of the order that was last asked for, l = m + 1, ...: square roots and quotients
 * cost three times as much as the rest of a row, and most callers ask for an order on many rings.
 */
static struct {
    int64_t m, count, room;
    mpfr_t (*a)[2];
} kept;

static void keep_order(int64_t m, int64_t lmax)
{
    if (kept.m != m) kept.count = 0;
    kept.m = m;
    if (kept.room < lmax - m) {
        kept.a = realloc(kept.a, (size_t)(lmax - m) * sizeof *kept.a);
        if (!kept.a) abort();
        for (; kept.room < lmax - m; kept.room++)
            mpfr_inits2(ORACLE_PRECISION, kept.a[kept.room][0], kept.a[kept.room][1], (mpfr_ptr)0);
    }
    for (; kept.count < lmax - m; kept.count++) {
        mpfr_t *a = kept.a[kept.count];
        set_a(a[0], m + 1 + kept.count, m);
        mpfr_ui_div(a[1], 1, a[0], MPFR_RNDN);
    }
}

void oracle_lambda_row(int64_t m, int64_t lmax, double theta, double *value)
{
    recurrence r;
    recurrence_init(&r, m, theta, ORACLE_PRECISION);
    keep_order(m, lmax);
    for (int64_t i = 0;; i++) {
        value[i] = mpfr_get_d(r.current, MPFR_RNDN);
        if (i == lmax - m) break;
        mpfr_mul(r.scratch, r.x, r.current, MPFR_RNDN);
        if (i) {
            mpfr_mul(r.previous, kept.a[i - 1][0], r.previous, MPFR_RNDN);
            mpfr_sub(r.scratch, r.scratch, r.previous, MPFR_RNDN);
        }
        mpfr_swap(r.previous, r.current);
        mpfr_mul(r.current, r.scratch, kept.a[i][1], MPFR_RNDN);
    }
    recurrence_clear(&r);
}

void oracle_lambda_text(int64_t l, int64_t m, double theta, int precision,
                        char text[ORACLE_TEXT_SIZE])
{
    recurrence r;
    recurrence_init(&r, m, theta, precision);
    while (r.l < l) recurrence_step(&r);
    mpfr_snprintf(text, ORACLE_TEXT_SIZE, "%.49Re", r.current);
    recurrence_clear(&r);
}

/* --- Long double: a power of two apart carries the exponent ----------------------------------- */

typedef struct {
    long double value; /* times 2^power */
    int power;
} scaled;

static scaled times(scaled number, long double factor)
{
    int power;
    const long double value = frexpl(number.value * factor, &power);
    return (scaled){value, number.power + power};
}

static scaled first_of_order(int64_t m, double theta)
{
    const long double pi = 3.14159265358979323846264338327950288L, sine = sinl(theta);
    scaled first = {sqrtl((long double)(2 * m + 1) / (4 * pi)), 0};
    for (int64_t k = 1; k <= m; k++)
        first = times(first, -sine * sqrtl((long double)(2 * k - 1) / (long double)(2 * k)));
    return first;
}

static long double a_long(int64_t l, int64_t m)
{
    return sqrtl((long double)((l - m) * (l + m)) / (long double)(4 * l * l - 1));
}

void oracle_lambda_long(int64_t m, int64_t lmax, double theta, double *value)
{
    const long double x = cosl(theta);
    const scaled first = first_of_order(m, theta);
    long double before = 0, now = first.value, a = 0;
    int power = first.power;
    for (int64_t l = m;; l++) {
        value[l - m] = (double)ldexpl(now, power);
        if (l == lmax) return;
        const long double a_next = a_long(l + 1, m), next = (x * now - a * before) / a_next;
        const int large = fabsl(next) > 0x1p1000L;
        before = large ? now * 0x1p-1000L : now;
        now = large ? next * 0x1p-1000L : next;
        power += large ? 1000 : 0;
        a = a_next;
    }
}

/* --- Peaks: double is enough here, a logarithm carries the exponent -------------------------- */

enum { POINTS = 64 };

static double log_lambda_mm(int64_t m, double theta)
{
    double k = (double)m;
    double log_product = lgamma(k + 0.5) - lgamma(k + 1) - 0.5 * log(PI);
    return 0.5 * (log((2 * k + 1) / (4 * PI)) + log_product) + k * log(sin(theta));
}

static double a_double(int64_t l, int64_t m)
{
    return sqrt((double)((l - m) * (l + m)) / (double)(4 * l * l - 1));
}

static double largest_at(int64_t l, int64_t m, const double *theta)
{
    double x[POINTS], previous[POINTS], current[POINTS], log_scale[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = cos(theta[i]);
        previous[i] = 0;
        current[i] = 1;
        log_scale[i] = log_lambda_mm(m, theta[i]);
    }
    double a = 0;
    for (int64_t degree = m; degree < l; degree++) {
        double a_next = a_double(degree + 1, m), inverse = 1 / a_next;
        for (int i = 0; i < POINTS; i++) {
            double next = (x[i] * current[i] - a * previous[i]) * inverse;
            int large = fabs(next) > 1e200;
            double shrink = large ? 1e-200 : 1;
            previous[i] = current[i] * shrink;
            current[i] = next * shrink;
            log_scale[i] += large ? 200 * log(10) : 0;
        }
        a = a_next;
    }
    double largest = 0;
    for (int i = 0; i < POINTS; i++) largest = fmax(largest, fabs(current[i]) * exp(log_scale[i]));
    return largest;
}

double oracle_lambda_peak(int64_t l, int64_t m)
{
    if (m == 0) return sqrt((2 * (double)l + 1) / (4 * PI)); /* at the pole */
    /* The largest lobe is the first one past the turning point sin(theta) = sqrt(m^2-1/4)/(l+1/2),
     * about one Airy length s further; the lobes shrink from there to the equator. */
    double big = (double)l + 0.5, order = (double)m;
    double turn = asin(sqrt(order * order - 0.25) / big);
    double airy = cbrt(tan(turn) / (2 * big * big));
    double theta[POINTS];
    for (int i = 0; i < POINTS; i++) {
        theta[i] = turn + airy * (-0.5 + 5.0 * i / (POINTS - 1));
        theta[i] = fmin(fmax(theta[i], 1e-3 / big), PI / 2);
    }
    return largest_at(l, m, theta);
}

void oracle_lambda_peaks(int64_t m, int64_t lmax, double *peak)
{
    double left = oracle_lambda_peak(m, m);
    peak[0] = left;
    for (int64_t l = m; l < lmax;) {
        int64_t step = (l - m) / 8 > 0 ? (l - m) / 8 : 1;
        int64_t next = l + step < lmax ? l + step : lmax;
        double right = oracle_lambda_peak(next, m);
        for (int64_t degree = l + 1; degree < next; degree++) peak[degree - m] = fmin(left, right);
        peak[next - m] = right;
        left = right;
        l = next;
    }
}
