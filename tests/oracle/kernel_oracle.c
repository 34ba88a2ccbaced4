/* Evaluates radial kernels in long double as they are defined: Gaussians, Mexican hats and windows
 * by their sum over the degrees, tables by monotone cubics. Integrals over a disc are sums of many
 * short Gauss-Legendre rules. */
#include "oracle/kernel_oracle.h"

#include "oracle/basics.h"
#include "oracle/ring_oracle.h"
#include <math.h>
#include <stdlib.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/* --- Legendre sums ---------------------------------------------------------------------------- */

/* Terms of the sum over l, and the recurrence (l + 1) P_(l+1) = (2 l + 1) x P_l - l P_(l-1). */
typedef struct {
    int64_t count;
    long double *term, *forth, *back;
} legendre_sum;

static legendre_sum new_sum(int64_t count)
{
    legendre_sum s = {count, NULL, NULL, NULL};
    s.term = checked_malloc(3 * s.count, sizeof *s.term);
    s.forth = s.term + s.count, s.back = s.forth + s.count;
    for (int64_t l = 0; l < s.count; l++) {
        const long double degree = (long double)l;
        s.term[l] = (2 * degree + 1) / (4 * pi);
        s.forth[l] = (2 * degree + 1) / (degree + 1);
        s.back[l] = degree / (degree + 1);
    }
    return s;
}

/* It ends where terms are below 1e-24 of the largest. */
static legendre_sum beam_sum(double fwhm, int hat)
{
    const long double sigma = fwhm / sqrtl(8 * logl(2));
    legendre_sum s = new_sum((int64_t)(10.6L / sigma) + 3);
    for (int64_t l = 0; l < s.count; l++) {
        const long double square = (long double)(l * (l + 1)) * sigma * sigma;
        s.term[l] *= (hat ? square : 1) * expl(-square / 2);
    }
    return s;
}

static legendre_sum window_sum(const oracle_kernel *k)
{
    legendre_sum s = new_sum(k->count);
    for (int64_t l = 0; l < s.count; l++) s.term[l] *= k->value[l];
    return s;
}

static long double summed(const legendre_sum *s, long double theta)
{
    const long double cosine = cosl(theta);
    long double before = 0, now = 1, sum = 0;
    for (int64_t l = 0; l < s->count; l++) {
        sum += s->term[l] * now;
        const long double next = s->forth[l] * cosine * now - s->back[l] * before;
        before = now;
        now = next;
    }
    return sum;
}

/* Terms of a beam are kept for the next call, which mostly asks for the same one. */
static void sum_values(const oracle_kernel *k, int64_t count, const double *theta, double *values)
{
    static legendre_sum kept;
    static double fwhm;
    static oracle_kernel_kind kind;
    const int is_window = k->kind == ORACLE_WINDOW;
    if (is_window || !kept.term || fwhm != k->width || kind != k->kind) {
        free(kept.term);
        kept = is_window ? window_sum(k) : beam_sum(k->width, k->kind == ORACLE_MEXICAN_HAT);
        fwhm = is_window ? 0 : k->width, kind = k->kind;
    }
    for (int64_t i = 0; i < count; i++) values[i] = (double)summed(&kept, theta[i]);
}

/* --- Needlets --------------------------------------------------------------------------------- */

/* By Simpson's rule, which converges fast: all derivatives vanish at -1. */
long double oracle_bump_integral(long double u)
{
    enum { STEPS = 20000 };
    long double sum = 0;
    for (int i = 1; i < STEPS; i++) {
        const long double v = -1 + (u + 1) * i / STEPS;
        sum += (i % 2 ? 4 : 2) * expl(-1 / (1 - v * v));
    }
    if (u < 1) sum += expl(-1 / (1 - u * u));
    return sum * (u + 1) / (3 * STEPS);
}

/* phi(t): 1 up to 1 / base, 0 from 1 on, smooth between. */
static long double needlet_step(double base, long double t)
{
    if (t <= 1 / (long double)base) return 1;
    if (t >= 1) return 0;
    const long double u = 1 - 2 * (t - 1 / (long double)base) / (1 - 1 / (long double)base);
    return oracle_bump_integral(u) / oracle_bump_integral(1);
}

/* b^2 = phi(xi / base) - phi(xi), xi = l / base^scale */
oracle_kernel oracle_needlet(double base, int64_t scale)
{
    oracle_kernel k = {.kind = ORACLE_WINDOW};
    const long double unit = powl(base, (long double)scale);
    while (k.count < ORACLE_MOST_VALUES && (long double)k.count < unit * base) {
        const long double xi = (long double)k.count / unit;
        const long double square = needlet_step(base, xi / base) - needlet_step(base, xi);
        k.value[k.count++] = (double)sqrtl(square);
    }
    return k;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static long double chord(long double theta)
{
    return 2 * sinl(theta / 2);
}

/* At an end of the table: of the parabola through three nodes, if that goes the way of the first
 * piece, and not steeper than three times its secant. h, d: lengths, secants. */
static long double end_slope(long double h0, long double h1, long double d0, long double d1)
{
    const long double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0) return 0;
    return d0 * d1 <= 0 && fabsl(slope) > 3 * fabsl(d0) ? 3 * d0 : slope;
}

/* Inside: a harmonic mean of the neighbouring secants, weighted by the lengths of both pieces; 0
 * where the table turns. */
static long double inner_slope(long double h0, long double h1, long double d0, long double d1)
{
    if (d0 * d1 <= 0) return 0;
    const long double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

static long double piece_length(const oracle_kernel *k, int64_t i)
{
    return chord(k->theta[i + 1]) - chord(k->theta[i]);
}

static long double secant(const oracle_kernel *k, int64_t i)
{
    return ((long double)k->value[i + 1] - k->value[i]) / piece_length(k, i);
}

static long double slope_at(const oracle_kernel *k, int64_t i)
{
    const int64_t last = k->count - 1;
    if (last == 1) return secant(k, 0);
    if (i == 0)
        return end_slope(piece_length(k, 0), piece_length(k, 1), secant(k, 0), secant(k, 1));
    if (i == last)
        return end_slope(piece_length(k, i - 1), piece_length(k, i - 2), secant(k, i - 1),
                         secant(k, i - 2));
    return inner_slope(piece_length(k, i - 1), piece_length(k, i), secant(k, i - 1), secant(k, i));
}

static long double table_value(const oracle_kernel *k, const long double *slope, double theta)
{
    if (theta > k->theta[k->count - 1]) return 0;
    if (theta <= k->theta[0]) return k->value[0];
    int64_t i = 0;
    while (i < k->count - 2 && theta > k->theta[i + 1]) i++;
    const long double h = piece_length(k, i), t = (chord(theta) - chord(k->theta[i])) / h;
    const long double up = t * t * (3 - 2 * t); /* Hermite's cubics */
    return k->value[i] * (1 - up) + k->value[i + 1] * up +
           h * t * (1 - t) * (slope[i] * (1 - t) - slope[i + 1] * t);
}

static void table_values(const oracle_kernel *k, int64_t count, const double *theta, double *values)
{
    long double slope[ORACLE_MOST_VALUES];
    for (int64_t i = 0; i < k->count; i++) slope[i] = slope_at(k, i);
    for (int64_t i = 0; i < count; i++) values[i] = (double)table_value(k, slope, theta[i]);
}

/* --- All kinds -------------------------------------------------------------------------------- */

static void tophat_values(double radius, int64_t count, const double *theta, double *values)
{
    const long double sine = sinl((long double)radius / 2);
    const double height = (double)(1 / (4 * pi * sine * sine));
    for (int64_t i = 0; i < count; i++) values[i] = theta[i] <= radius ? height : 0;
}

void oracle_kernel_values(const oracle_kernel *kernel, int64_t count, const double *theta,
                          double *values)
{
    if (kernel->kind == ORACLE_TOPHAT)
        tophat_values(kernel->width, count, theta, values);
    else if (kernel->kind == ORACLE_TABLE)
        table_values(kernel, count, theta, values);
    else
        sum_values(kernel, count, theta, values);
}

/* --- Integral --------------------------------------------------------------------------------- */

enum { NODES = 16, PANELS = 400 };

/* 2 pi integral of K sin(theta) from low to high by PANELS Gauss rules. */
static long double piece(const oracle_kernel *kernel, const long double rule[2][NODES],
                         long double low, long double high)
{
    const long double half = (high - low) / (2 * PANELS);
    long double sum = 0;
    for (int panel = 0; panel < PANELS; panel++) {
        double theta[NODES], value[NODES];
        for (int i = 0; i < NODES; i++)
            theta[i] = (double)(low + half * (2 * panel + 1 + rule[0][i]));
        oracle_kernel_values(kernel, NODES, theta, value);
        for (int i = 0; i < NODES; i++) sum += rule[1][i] * half * value[i] * sinl(theta[i]);
    }
    return 2 * pi * sum;
}

long double oracle_kernel_integral(const oracle_kernel *kernel, double support, int64_t nbreaks,
                                   const double *breaks)
{
    long double rule[2][NODES], sum = 0, low = 0;
    oracle_gauss_rule(NODES, rule[0], rule[1]);
    for (int64_t i = 0; i <= nbreaks; i++) {
        const double high = i < nbreaks && breaks[i] < support ? breaks[i] : support;
        if (high > low) sum += piece(kernel, rule, low, high);
        low = high > low ? (long double)high : low;
    }
    return sum;
}
