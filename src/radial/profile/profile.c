/* A kernel as polynomials of x = sin^2(angle / 2); docs/mathematics.md (8.15), (8.16).
 *
 * A smooth kernel is first a Chebyshev series in s, long enough to have no error. If it is short
 * and its powers do not cancel, these are the profile; otherwise the series is what cells are
 * fitted to. A Gaussian of any width is one polynomial of degree 40 or so: its powers all have one
 * sign at s = -1. */
#include "radial/profile/profile_fit.h"

#include "base/memory.h"

#include <math.h>

enum {
    FIRST_SAMPLES = 16,
    MOST_SAMPLES = 16384 /* waves of the kernel within the support: about 5000 */
};
#define SERIES_TAIL 2e-17L /* of the peak: the last eighth of the coefficients */
#define POWERS_TAIL 5e-17L /* of the peak: what is left out of the polynomial */

/* --- Chebyshev series ------------------------------------------------------------------------ */

long double armilla_chebyshev_powers(int count, const long double *chebyshev, long double *power)
{
    long double before[ARMILLA_PROFILE_DEGREE + 1] = {0}, now[ARMILLA_PROFILE_DEGREE + 1] = {1};
    for (int i = 0; i < count; i++) power[i] = 0;
    for (int k = 0; k < count; k++) { /* now = T_k, before = T_{k-1} */
        for (int i = 0; i <= k; i++) power[i] += chebyshev[k] * now[i];
        for (int i = k + 1; i >= 0 && k + 1 < count; i--) {
            const long double next =
                (k ? 2 : 1) * (i ? now[i - 1] : 0) - (k && i < k ? before[i] : 0);
            before[i] = now[i];
            now[i] = next;
        }
    }
    long double sum = 0;
    for (int i = 0; i < count; i++) sum += fabsl(power[i]);
    return sum;
}

/* Clenshaw's sum as Reinsch carries it, in differences: the plain one loses a factor of up to count
 * at s = -1 and 1. */
long double armilla_series_value(const armilla_series *series, long double y)
{
    const int upper = 2 * y * y >= 1;
    const long double sign = upper ? 1 : -1;
    const long double u = upper ? -4 * (1 - y) * (1 + y) : 4 * y * y; /* 2 (s - sign) */
    long double b = 0, d = 0;
    for (int64_t k = series->count - 1; k > 0; k--) {
        d = u * b + sign * d + series->coef[k];
        b = d + sign * b;
    }
    return series->count ? u / 2 * b + sign * d + series->coef[0] : 0;
}

/* Samples at the n nodes s_j = cos(pi (j + 1/2) / n), x = end (1 + s) / 2. Returns the largest
 * |K|. */
static long double sample(const armilla_kernel *kernel, double end, int64_t n, long double *value)
{
    long double theta[ARMILLA_KERNEL_BLOCK], peak = 0;
    for (int64_t done = 0; done < n; done += ARMILLA_KERNEL_BLOCK) {
        const int64_t count = n - done < ARMILLA_KERNEL_BLOCK ? n - done : ARMILLA_KERNEL_BLOCK;
        for (int64_t i = 0; i < count; i++) {
            /* (1 + s) / 2 = cos^2 of half the node's angle */
            const int64_t j = done + i;
            const long double half =
                cosl(ARMILLA_PI * (2 * (long double)j + 1) / (long double)(4 * n));
            theta[i] = 2 * asinl(fminl(1, sqrtl((long double)end) * half));
        }
        armilla_kernel_evaluate(kernel, count, theta, value + done);
        for (int64_t i = 0; i < count; i++) peak = fmaxl(peak, fabsl(value[done + i]));
    }
    return peak;
}

/* cosine: [4 n], of multiples of pi / (2 n). */
static void transform(int64_t n, const long double *cosine, const long double *value,
                      long double *coef)
{
    for (int64_t k = 0; k < n; k++) {
        long double sum = 0;
        for (int64_t j = 0, place = k; j < n; j++, place = (place + 2 * k) & (4 * n - 1))
            sum += value[j] * cosine[place];
        coef[k] = sum * (k ? 2 : 1) / (long double)n;
    }
}

/* The series from n samples, a power of 2; series->count = 0 if n are too few. */
static armilla_status make_series(const armilla_kernel *kernel, double end, int64_t n,
                                  armilla_series *series, long double *peak)
{
    long double *cosine;
    armilla_status status = armilla_allocate(&cosine, 6 * n, sizeof *cosine);
    if (status) return status;
    long double *value = cosine + 4 * n, *coef = value + n;
    for (int64_t i = 0; i < 4 * n; i++)
        cosine[i] = cosl(ARMILLA_PI * (long double)i / (long double)(2 * n));
    *peak = sample(kernel, end, n, value);
    transform(n, cosine, value, coef);
    long double tail = 0;
    for (int64_t k = n - n / 8; k < n; k++) tail = fmaxl(tail, fabsl(coef[k]));
    series->count = 0;
    if (tail <= SERIES_TAIL * *peak) {
        status = armilla_allocate(&series->coef, n, sizeof *coef);
        for (int64_t k = 0; k < n && !status; k++) series->coef[k] = coef[k];
        if (!status) series->count = n;
    }
    armilla_release(cosine);
    return status;
}

static armilla_status fail_fine(const armilla_kernel *kernel, double support)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "kernel: varies too fast for a support of %g rad, up to frequency %g",
                        support, armilla_kernel_frequency(kernel));
}

/* A series as short as the accuracy allows. */
static armilla_status find_series(const armilla_kernel *kernel, double support, double end,
                                  armilla_series *series, long double *peak)
{
    *series = (armilla_series){0};
    armilla_status status = ARMILLA_OK;
    for (int64_t n = FIRST_SAMPLES; n <= MOST_SAMPLES && !series->count && !status; n *= 2)
        status = make_series(kernel, end, n, series, peak);
    if (!status && !series->count) status = fail_fine(kernel, support);
    if (status) return status;
    long double rest = 0;
    while (series->count > 1) {
        rest += fabsl(series->coef[series->count - 1]);
        if (rest > POWERS_TAIL * *peak) break;
        series->count--;
    }
    return ARMILLA_OK;
}

/* --- Profiles -------------------------------------------------------------------------------- */

/* The whole profile as the powers of the series; 0 if that is not accurate. */
static int is_polynomial(const armilla_series *series, double peak, long double *power)
{
    return series->count <= ARMILLA_PROFILE_DEGREE + 1 &&
           armilla_chebyshev_powers((int)series->count, series->coef, power) <=
               ARMILLA_PROFILE_GROWTH * (long double)peak;
}

static armilla_status make_polynomial(int count, const long double *power, armilla_profile *profile)
{
    armilla_status status = armilla_allocate(&profile->coef, count, sizeof *profile->coef);
    if (status) return status;
    profile->degree = count - 1;
    profile->ncells = 0;
    for (int i = 0; i < count; i++) profile->coef[i] = (double)power[i];
    return ARMILLA_OK;
}

static armilla_status make_smooth(const armilla_kernel *kernel, armilla_profile *profile)
{
    armilla_series series;
    long double peak, power[ARMILLA_PROFILE_DEGREE + 1];
    armilla_status status = find_series(kernel, profile->support, profile->end, &series, &peak);
    if (status) return status;
    profile->peak = (double)fmaxl(peak, fabsl(armilla_series_value(&series, 0)));
    if (is_polynomial(&series, profile->peak, power))
        status = make_polynomial((int)series.count, power, profile);
    else
        status = armilla_profile_make_cells(kernel, &series, profile);
    armilla_release(series.coef);
    return status;
}

/* A table's largest |value| within the support: there is no overshoot between nodes. */
static double table_peak(const armilla_kernel *kernel, double support)
{
    double peak = fabs((double)armilla_kernel_table_value(kernel, support));
    peak = fmax(peak, fabs(kernel->value[0]));
    for (int64_t i = 0; i < kernel->count && kernel->theta[i] <= support; i++)
        peak = fmax(peak, fabs(kernel->value[i]));
    return peak;
}

static armilla_status make_plain(const armilla_kernel *kernel, armilla_profile *profile)
{
    long double value;
    switch (kernel->form) {
    case ARMILLA_KERNEL_TOPHAT:
        armilla_kernel_evaluate(kernel, 1, &(long double){0}, &value);
        profile->peak = (double)value;
        return make_polynomial(1, &value, profile);
    case ARMILLA_KERNEL_TABLE:
        profile->peak = table_peak(kernel, profile->support);
        return armilla_profile_make_cells(kernel, NULL, profile);
    default:
        return make_smooth(kernel, profile);
    }
}

armilla_status armilla_profile_make(const armilla_kernel *kernel, double support, double factor,
                                    armilla_profile *profile)
{
    *profile = (armilla_profile){.support = fmin(support, armilla_kernel_extent(kernel))};
    const long double half = sinl((long double)profile->support / 2);
    profile->end = (double)(half * half);
    if (profile->support >= M_PI) profile->end = 1 + 4e-15; /* x of antipodes, rounded up */
    armilla_status status = make_plain(kernel, profile);
    if (status) {
        *profile = (armilla_profile){0};
        return status;
    }
    const int64_t sides = profile->ncells ? 2 * profile->ncells : 1;
    for (int64_t i = 0; i < sides * (profile->degree + 1); i++) profile->coef[i] *= factor;
    profile->peak *= fabs(factor);
    return ARMILLA_OK;
}

void armilla_profile_free(armilla_profile *profile)
{
    if (!profile) return;
    armilla_release(profile->coef);
    armilla_release(profile->border);
    *profile = (armilla_profile){0};
}

static double horner(int degree, const double *coef, double t)
{
    double sum = coef[degree];
    for (int i = degree - 1; i >= 0; i--) sum = fma(sum, t, coef[i]);
    return sum;
}

double armilla_profile_value(const armilla_profile *profile, double x)
{
    if (!(x <= profile->end)) return 0;
    if (!profile->ncells) return horner(profile->degree, profile->coef, 2 * x / profile->end - 1);
    const double place = sqrt(x / profile->end) * (double)profile->ncells;
    const int64_t cell = place < (double)profile->ncells ? (int64_t)place : profile->ncells - 1;
    const double t = 2 * (place - (double)cell) - 1;
    const int64_t side = 2 * cell + (t < profile->border[cell] ? 0 : 1);
    return horner(profile->degree, profile->coef + side * (profile->degree + 1), t);
}
