/* What single precision would do to the scalar Legendre recurrence: errors of the sums of synthesis
 * (docs/mathematics.md 2.12) with every way to keep its state, against doubles.
 *
 *   bench_float LMAX...
 *
 * For each LMAX: ten orders from 0 to LMAX - 9, 160 colatitudes of the northern half, among them
 * some within a wavelength of pole and equator, coefficients uniform in [-1, 1). A line for each
 * way: the largest error over the rms of the order's values, and the rms error over the same, of
 * the worst order each. Then by how much |p| may grow in a block of steps, (2.15).
 *
 * Range as on the processor, in a smaller one: p 2^(SCALE n) with n <= 0, and only n = 0 counts; p
 * stays below 2^LIMIT while n < 0, so that what is dropped is below 2^(LIMIT - SCALE) = 2^-28. */
#include "legendre/kernels/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE = 64, LIMIT = 36, BLOCK = 4, ORDERS = 10, RINGS = 160, NEAR = 12 };

typedef enum { DOUBLE, PLAIN, FINE, WIDE, PAIR, PAIR_KAHAN, WAYS } way;

static const char *const names[WAYS] = {
    "double",
    "float, plain form",
    "float, fine form everywhere",
    "float, a y + b of two floats",
    "two floats, plain form",
    "the same, sums by Kahan",
};

/* --- An order --------------------------------------------------------------------------------- */

typedef struct {
    int64_t m, count;
    double *square_scale; /* 1 / (4 l^2 - 1) */
    double *a;            /* a_k, (2.4) */
    double *even, *odd;   /* coefficients, (2.11) */
} order;

static double random_next(void)
{
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static double *new_array(int64_t count)
{
    double *values = calloc((size_t)count, sizeof *values);
    if (values) return values;
    fprintf(stderr, "bench_float: no memory\n");
    exit(1);
}

/* A_l of (2.1) */
static double coupling(const order *o, int64_t l)
{
    return sqrt((double)(l - o->m) * (double)(l + o->m) * o->square_scale[l]);
}

static void fill_recurrence(order *o, double *alpha)
{
    alpha[0] = 1;
    for (int64_t k = 0; k < o->count; k++) {
        const int64_t l = o->m + 2 * k;
        const double here = coupling(o, l) * coupling(o, l + 1);
        const double next = coupling(o, l + 2) * coupling(o, l + 3);
        const double last = coupling(o, l + 4) * coupling(o, l + 5);
        alpha[k + 1] = k ? -alpha[k - 1] * here / next : sqrt(next / last);
        o->a[k] = alpha[k] / (alpha[k + 1] * next);
    }
}

static order open_order(int64_t m, int64_t lmax)
{
    order o = {.m = m, .count = ((lmax - m) / 2 + BLOCK) / BLOCK * BLOCK};
    const int64_t last = m + 2 * o.count + 6;
    double *alpha = new_array(o.count + 1), *alm = new_array(2 * o.count + 2);
    o.square_scale = new_array(last + 1), o.a = new_array(o.count);
    o.even = new_array(o.count), o.odd = new_array(o.count);
    for (int64_t l = 1; l <= last; l++) o.square_scale[l] = 1 / (4.0 * (double)l * (double)l - 1);
    for (int64_t l = m; l <= lmax; l++) alm[l - m] = random_next();
    fill_recurrence(&o, alpha);
    for (int64_t k = 0; k < o.count; k++) {
        const int64_t l = m + 2 * k + 1;
        o.even[k] =
            l - 1 > lmax
                ? 0
                : alpha[k] * (coupling(&o, l) * alm[2 * k] + coupling(&o, l + 1) * alm[2 * k + 2]);
        o.odd[k] = alpha[k] * alm[2 * k + 1];
    }
    free(alpha);
    free(alm);
    return o;
}

static void close_order(order *o)
{
    free(o->square_scale);
    free(o->a);
    free(o->even);
    free(o->odd);
}

/* p_0 of (2.6) as *value 2^(SCALE n), *value within 2^-28 and 2^36 */
static double start(const order *o, double theta, int *n)
{
    const long double m = (long double)o->m, pi = 3.14159265358979323846264338327950288L;
    const long double product = lgammal(m + 0.5L) - lgammal(0.5L) - lgammal(m + 1);
    const long double size = 0.5L * (logl((2 * m + 1) * (2 * m + 3) / (4 * pi)) + product);
    const long double exponent = size / logl(2) + m * log2l(sinl((long double)theta));
    const long double scale = floorl((exponent + SCALE - LIMIT) / SCALE);
    *n = scale > 0 ? 0 : (int)scale;
    return (double)exp2l(exponent - SCALE * (long double)*n);
}

/* --- Two floats ------------------------------------------------------------------------------- */

typedef struct {
    float high, low;
} two;

static two two_of(double x)
{
    const float high = (float)x;
    return (two){high, (float)(x - (double)high)};
}

/* a + b exactly */
static two exact_sum(float a, float b)
{
    const float sum = a + b, part = sum - a;
    return (two){sum, (a - (sum - part)) + (b - part)};
}

/* a b + c, 2^-45 or so: 4 products, 8 additions */
static two multiply_add(two a, two b, two c)
{
    const float product = a.high * b.high;
    float rest = fmaf(a.high, b.high, -product);
    rest = fmaf(a.high, b.low, rest), rest = fmaf(a.low, b.high, rest);
    const two sum = exact_sum(c.high, product);
    return (two){sum.high, sum.low + (c.low + rest)};
}

/* The larger part takes what it can hold: 3 additions. */
static two tidy(two a)
{
    const float high = a.high + a.low;
    return (two){high, a.low - (high - a.high)};
}

/* --- The recurrence --------------------------------------------------------------------------- */

/* The coefficients of a step in the form that suits the colatitude. */
typedef struct {
    double a, b, c1, c2;
} step;

typedef struct {
    int pole, n;
    double y, p, other; /* other: p_{k-1}, or d_k of the fine form */
    float p_float, other_float;
    two p_two, other_two;
    double sum[2];
    float sum_float[2], lost[2];
} state;

static step find_coefficients(const order *o, int64_t k, int pole)
{
    const scalar_step s = find_step(o->m, k, o->square_scale);
    step c;
    (pole ? pole_plain : equator_plain)(s, o->a[k], &c.a, &c.b);
    (pole ? pole_fine : equator_fine)(s, o->a[k], &c.c1, &c.c2);
    return c;
}

static double growth_of(const order *o, int64_t first, int64_t count, int pole)
{
    double product = 1;
    for (int64_t k = first; k < first + count && k < o->count; k++) {
        const step c = find_coefficients(o, k, pole);
        product *= 1 + fmax(fabs(c.b), fabs(c.a + c.b));
    }
    return product;
}

static void rescale(state *s, way w, double growth)
{
    const double f = ldexp(1, -SCALE), now = w == DOUBLE ? s->p
                                             : w < PAIR  ? (double)s->p_float
                                                         : (double)s->p_two.high;
    if (s->n == 0 || fabs(now) <= ldexp(1, LIMIT) / growth) return;
    s->p *= f, s->other *= f, s->p_float *= (float)f, s->other_float *= (float)f;
    s->p_two.high *= (float)f, s->p_two.low *= (float)f;
    s->other_two.high *= (float)f, s->other_two.low *= (float)f, s->n++;
}

static void add(state *s, way w, int which, double coefficient)
{
    const float p = w < PAIR ? s->p_float : s->p_two.high, c = (float)coefficient;
    float *sum = &s->sum_float[which], *lost = &s->lost[which];
    if (w == DOUBLE) {
        s->sum[which] += coefficient * s->p;
    } else if (w == PAIR_KAHAN) {
        const float term = fmaf(c, p, -*lost), next = *sum + term;
        *lost = (next - *sum) - term, *sum = next;
    } else {
        *sum = fmaf(c, p, *sum);
    }
}

static void advance_float(state *s, way w, step c)
{
    const float a = (float)c.a, y = (float)s->y, p = s->p_float;
    const two wide = two_of(fma(c.a, s->y, c.b));
    if (w == FINE) {
        s->other_float = fmaf(a * y, p, (float)c.c1 * s->other_float);
        s->p_float = fmaf((float)c.c2, p, s->other_float);
        return;
    }
    s->p_float = w == PLAIN ? fmaf(fmaf(a, y, (float)c.b), p, s->other_float)
                            : fmaf(wide.high, p, fmaf(wide.low, p, s->other_float));
    s->other_float = p;
}

static void advance(state *s, way w, int is_fine, step c)
{
    if (w == DOUBLE && is_fine) {
        s->other = c.a * s->y * s->p + c.c1 * s->other;
        s->p = c.c2 * s->p + s->other;
    } else if (w == DOUBLE) {
        const double next = fma(fma(c.a, s->y, c.b), s->p, s->other);
        s->other = s->p, s->p = next;
    } else if (w < PAIR) {
        advance_float(s, w, c);
    } else {
        const two wide = multiply_add(two_of(c.a), two_of(s->y), two_of(c.b));
        const two next = tidy(multiply_add(wide, s->p_two, s->other_two));
        s->other_two = s->p_two, s->p_two = next;
    }
}

/* The sums of even and odd degrees. */
static void run(const order *o, double theta, way w, double sums[2])
{
    state s = {.pole = theta < M_PI_4};
    const double distance = s.pole ? theta : M_PI_2 - theta;
    const int is_fine =
        w == FINE || (w == DOUBLE && distance < (s.pole ? 0.025 : 0.04)); /* (2.10) */
    s.y = s.pole ? sin(theta) * sin(theta) : cos(theta) * cos(theta);
    s.p = start(o, theta, &s.n);
    if (is_fine) s.other = s.p;
    s.p_float = (float)s.p, s.other_float = (float)s.other;
    s.p_two = two_of(s.p), s.other_two = two_of(s.other);
    for (int64_t k = 0; k < o->count; k++) {
        if (k % BLOCK == 0 && s.n < 0) rescale(&s, w, growth_of(o, k, BLOCK, s.pole));
        if (s.n == 0) add(&s, w, 0, o->even[k]), add(&s, w, 1, o->odd[k]);
        advance(&s, w, is_fine, find_coefficients(o, k, s.pole));
    }
    for (int i = 0; i < 2; i++) sums[i] = w == DOUBLE ? s.sum[i] : (double)s.sum_float[i];
}

/* --- The errors ------------------------------------------------------------------------------- */

typedef struct {
    double largest[WAYS], rms[WAYS]; /* of the worst order */
} errors;

/* Most rings lie evenly, some within a few wavelengths of pole and equator. */
static double colatitude(int64_t lmax, int i)
{
    const double wave = M_PI_2 / (double)(lmax + 1);
    if (i < NEAR) return wave * (0.6 + 0.11 * i * i);
    if (i < 2 * NEAR) return M_PI_2 - wave * (0.5 + 0.11 * (i - NEAR) * (i - NEAR));
    return (i - 2 * NEAR + 0.5) / (RINGS - 2 * NEAR) * M_PI_2;
}

/* fmax would forget a NaN. */
static double larger_or_nan(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

static void add_order(int64_t m, int64_t lmax, errors *all)
{
    order o = open_order(m, lmax);
    double squares = 0, largest[WAYS] = {0}, error_squares[WAYS] = {0};
    for (int i = 0; i < RINGS; i++) {
        double expected[2], found[2];
        run(&o, colatitude(lmax, i), DOUBLE, expected);
        squares += expected[0] * expected[0] + expected[1] * expected[1];
        for (way w = PLAIN; w < WAYS; w++) {
            run(&o, colatitude(lmax, i), w, found);
            for (int j = 0; j < 2; j++) {
                const double error = fabs(found[j] - expected[j]);
                largest[w] = larger_or_nan(largest[w], error), error_squares[w] += error * error;
            }
        }
    }
    for (way w = PLAIN; w < WAYS; w++) {
        all->largest[w] = larger_or_nan(all->largest[w], largest[w] / sqrt(squares / (2 * RINGS)));
        all->rms[w] = larger_or_nan(all->rms[w], sqrt(error_squares[w] / squares));
    }
    close_order(&o);
}

static double largest_growth(int64_t lmax, int64_t steps)
{
    double most = 1;
    for (int64_t m = 0; m <= lmax; m += m < 8 ? 1 : m / 8) {
        order o = open_order(m, lmax);
        for (int64_t k = 0; k < o.count; k += steps)
            for (int pole = 0; pole < 2; pole++) most = fmax(most, growth_of(&o, k, steps, pole));
        close_order(&o);
    }
    return log2(most);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const int64_t l = atoll(argv[i]);
        const int64_t orders[ORDERS] = {0, 1, 2, 3, l / 64, l / 8, l / 4, l / 2, 3 * l / 4, l - 9};
        errors all = {{0}, {0}};
        if (l < 64) {
            fprintf(stderr, "usage: bench_float LMAX...   (64 or more)\n");
            return 2;
        }
        for (int j = 0; j < ORDERS; j++) add_order(orders[j], l, &all);
        for (way w = PLAIN; w < WAYS; w++)
            printf("lmax %5lld  %-30s largest %.1e  rms %.1e\n", (long long)l, names[w],
                   all.largest[w], all.rms[w]);
        printf("lmax %5lld  growth of |p| in 2, 4, 8 steps: 2^%.0f, 2^%.0f, 2^%.0f\n", (long long)l,
               largest_growth(l, 2), largest_growth(l, 4), largest_growth(l, 8));
    }
    return 0;
}
