/* Windows of kernels that are cut, and what cutting does; docs/mathematics.md (8.12) to (8.14). */
#include "radial/profile/kernel.h"

#include "base/colatitude.h"
#include "base/memory.h"

#include <math.h>

enum { LIMIT = 1000000 };

static armilla_status take_support(double *support)
{
    const double given = *support;
    *support = armilla_colatitude_taken(given);
    if (given > 0 && armilla_colatitude_is_good(given)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "support = %g: must be above 0 and at most pi",
                        given);
}

static armilla_status check_lmax(int64_t lmax)
{
    if (lmax >= 0 && lmax <= LIMIT) return ARMILLA_OK;
    return armilla_fail_argument("lmax", lmax, "must be from 0 to 1000000");
}

/* window[l] = integral over from < theta < to of K P_l, cleared before. */
static void integrate_window(const armilla_kernel *kernel, double from, double to, int64_t lmax,
                             long double *window)
{
    armilla_panels panels;
    armilla_panel panel;
    for (int64_t l = 0; l <= lmax; l++) window[l] = 0;
    armilla_panels_start(&panels, kernel, from, to,
                         armilla_kernel_frequency(kernel) + (double)lmax);
    while (armilla_panels_next(&panels, &panel)) {
        for (int i = 0; i < panel.count; i++) panel.value[i] *= panel.weight[i];
        armilla_legendre_project(lmax, panel.count, panel.theta, panel.value, window);
    }
}

/* The window of the kernel within the support. Whole kernels that have a window in closed form take
 * that. */
static void make_window(const armilla_kernel *kernel, double support, int64_t lmax,
                        long double *window)
{
    const int whole = support >= M_PI;
    if (whole && kernel->form == ARMILLA_KERNEL_SUM)
        for (int64_t l = 0; l <= lmax; l++) window[l] = l < kernel->count ? kernel->window[l] : 0;
    else if (whole && kernel->form == ARMILLA_KERNEL_HEAT)
        for (int64_t l = 0; l <= lmax; l++)
            window[l] = armilla_kernel_heat_window(kernel->angle, kernel->hat, l);
    else
        integrate_window(kernel, 0, support, lmax, window);
}

armilla_status armilla_kernel_window(const armilla_kernel *kernel, double support, int64_t lmax,
                                     double *window)
{
    armilla_status status = armilla_check_given("kernel", kernel);
    if (!status) status = take_support(&support);
    if (!status) status = check_lmax(lmax);
    if (!status) status = armilla_check_given("window", window);
    long double *made = NULL;
    if (!status) status = armilla_allocate(&made, lmax + 1, sizeof *made);
    if (status) return status;
    make_window(kernel, support, lmax, made);
    for (int64_t l = 0; l <= lmax; l++) window[l] = (double)made[l];
    armilla_release(made);
    return ARMILLA_OK;
}

double armilla_kernel_integral(const armilla_kernel *kernel, double support)
{
    long double window;
    make_window(kernel, support, 0, &window);
    return (double)window;
}

/* --- What cutting does ----------------------------------------------------------------------- */

/* A C_l and the work of comparing windows under it. */
typedef struct {
    const armilla_kernel *kernel;
    const double *cl; /* NULL: all 1 */
    int64_t lmax;
    long double *window; /* [lmax + 1], if there is cl */
    long double whole;   /* the variance of the whole convolved map */
} spectrum;

/* Integral of K^2 over from < theta < to. */
static long double square(const armilla_kernel *kernel, double from, double to)
{
    armilla_panels panels;
    armilla_panel panel;
    long double sum = 0;
    armilla_panels_start(&panels, kernel, from, to, 2 * armilla_kernel_frequency(kernel));
    while (armilla_panels_next(&panels, &panel))
        for (int i = 0; i < panel.count; i++)
            sum += panel.weight[i] * panel.value[i] * panel.value[i];
    return sum;
}

/* sum of (2 l + 1) / (4 pi) window_l^2 C_l */
static long double variance(const spectrum *s)
{
    long double sum = 0;
    for (int64_t l = 0; l <= s->lmax; l++)
        sum += (long double)(2 * l + 1) * s->window[l] * s->window[l] * s->cl[l];
    return sum / (4 * ARMILLA_PI);
}

/* sum of (2 l + 1) / (4 pi) b_l^2 of a Legendre sum */
static long double parseval(const armilla_kernel *kernel)
{
    long double sum = 0;
    for (int64_t l = 0; l < kernel->count; l++)
        sum += (long double)(2 * l + 1) * kernel->window[l] * kernel->window[l];
    return sum / (4 * ARMILLA_PI);
}

static armilla_status open_spectrum(const armilla_kernel *kernel, int64_t lmax, const double *cl,
                                    spectrum *s)
{
    *s = (spectrum){.kernel = kernel, .cl = cl, .lmax = lmax};
    if (!cl) {
        s->whole = kernel->form == ARMILLA_KERNEL_SUM ? parseval(kernel) : square(kernel, 0, M_PI);
        return ARMILLA_OK;
    }
    armilla_status status = check_lmax(lmax);
    for (int64_t l = 0; l <= lmax && !status; l++)
        if (!(cl[l] >= 0) || isinf(cl[l]))
            status =
                armilla_fail(ARMILLA_ERROR_ARGUMENT, "cl[%lld] = %g: must be finite and at least 0",
                             (long long)l, cl[l]);
    if (!status) status = armilla_allocate(&s->window, lmax + 1, sizeof *s->window);
    if (status) return status;
    make_window(kernel, M_PI, lmax, s->window);
    s->whole = variance(s);
    return ARMILLA_OK;
}

/* What is cut off is integrated itself, not got as a difference: so errors far below rounding of
 * the whole are right, too. */
static double error_of(spectrum *s, double support)
{
    if (!(s->whole > 0)) return 0;
    if (!s->cl) return (double)sqrtl(square(s->kernel, support, M_PI) / s->whole);
    integrate_window(s->kernel, support, M_PI, s->lmax, s->window);
    return (double)sqrtl(variance(s) / s->whole);
}

armilla_status armilla_kernel_truncation_error(const armilla_kernel *kernel, double support,
                                               int64_t lmax, const double *cl, double *error)
{
    armilla_status status = armilla_check_given("kernel", kernel);
    if (!status) status = take_support(&support);
    if (!status) status = armilla_check_given("error", error);
    spectrum s;
    if (!status) status = open_spectrum(kernel, lmax, cl, &s);
    if (status) return status;
    *error = error_of(&s, support);
    armilla_release(s.window);
    return ARMILLA_OK;
}

/* A support and its error. */
typedef struct {
    double support, error;
} candidate;

static candidate try_at(spectrum *s, double support)
{
    return (candidate){support, error_of(s, support)};
}

/* Where the search begins: the kernel beyond is 0, or so small that no error can be below. */
static candidate widest(spectrum *s, double error)
{
    const double extent = armilla_kernel_extent(s->kernel);
    if (extent < M_PI) {
        const candidate found = try_at(s, extent);
        if (found.error <= error) return found;
    }
    return (candidate){M_PI, 0};
}

/* Where the error would be the wanted one if its logarithm were linear in the square of the
 * support, as it is for Gaussians. */
static double interpolate(const candidate *low, const candidate *high, double error)
{
    const double part = log(low->error / error) / log(low->error / high->error);
    const double a = low->support * low->support, b = high->support * high->support;
    return sqrt(a + part * (b - a));
}

/* From two supports whose ratio is at most 2, the narrower one with too large an error: supports at
 * 127 places in between, at equal ratios, of which the first one with an error that is not too
 * large is found by interpolation, which smooth kernels need twice or three times, and in every
 * third turn by halves, which serves all. */
static double refine(spectrum *s, candidate low, candidate high, double error)
{
    enum { STEPS = 128 };
    const double first = low.support;
    int below = 0, above = STEPS;
    for (int turn = 1; above - below > 1; turn++) {
        const int by_halves = turn % 3 == 0 || !(high.error > 0);
        const double step = by_halves ? (above + below) / 2
                                      : ceil(STEPS * log2(interpolate(&low, &high, error) / first));
        const int at = (int)fmin(fmax(step, below + 1), above - 1); /* also if step is NaN */
        const candidate next = try_at(s, first * exp2((double)at / STEPS));
        if (next.error <= error)
            high = next, above = at;
        else
            low = next, below = at;
    }
    return high.support;
}

static double search(spectrum *s, double error)
{
    candidate high = widest(s, error);
    const double least = 1e-9 * high.support; /* errors next to 1 */
    if (!(s->whole > 0)) return high.support;
    candidate low = try_at(s, high.support / 2);
    while (low.support > least && low.error <= error) {
        high = low;
        low = try_at(s, high.support / 2);
    }
    return refine(s, low, high, error);
}

armilla_status armilla_kernel_choose_support(const armilla_kernel *kernel, double error,
                                             int64_t lmax, const double *cl, double *support)
{
    armilla_status status = armilla_check_given("kernel", kernel);
    if (!status && !(error > 0 && error < 1))
        status =
            armilla_fail(ARMILLA_ERROR_ARGUMENT, "error = %g: must be above 0 and below 1", error);
    if (!status) status = armilla_check_given("support", support);
    spectrum s;
    if (!status) status = open_spectrum(kernel, lmax, cl, &s);
    if (status) return status;
    *support = kernel->form == ARMILLA_KERNEL_TOPHAT ? (double)kernel->angle : search(&s, error);
    armilla_release(s.window);
    return ARMILLA_OK;
}
