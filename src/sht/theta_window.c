/* Kaiser-Bessel window; formulas in theta_resample.c. */
#include "sht/theta_window.h"

#include <math.h>

static const long double PI = 3.14159265358979323846264338327950288L;

/* Alias level that the number of samples is chosen for: exp(-34.4) = 1e-15; measured 1 to 2e-15. */
static const double WANTED = 34.4;

/* Above sigma = 2 the rule is not sharp; wider circles are treated like 2. */
armilla_theta_window armilla_theta_window_choose(int64_t lmax, int64_t length)
{
    double sigma = lmax > 0 ? (double)length / (2 * (double)lmax) : 2;
    if (sigma > 2) sigma = 2;
    double taps = ceil(WANTED / (M_PI * sqrt(1 - 1 / sigma)));
    return (armilla_theta_window){length, (int64_t)taps,
                                  0.99L * PI * (long double)taps * (1 - 0.5L / sigma)};
}

long double armilla_theta_window_position(const armilla_theta_window *window, double theta)
{
    return (long double)theta * (long double)window->length / (2 * PI);
}

/* I_0 by its series: all terms are positive. */
static long double bessel_i0(long double x)
{
    long double quarter = x * x / 4, term = 1, sum = 1;
    for (int k = 1; term > 1e-20L * sum; k++) {
        term *= quarter / ((long double)k * (long double)k);
        sum += term;
    }
    return sum;
}

long double armilla_theta_window_value(const armilla_theta_window *window, long double x)
{
    long double ratio = 2 * x / (long double)window->taps;
    if (ratio * ratio > 1) return 0;
    return bessel_i0(window->beta * sqrtl(1 - ratio * ratio)) / bessel_i0(window->beta);
}

long double armilla_theta_window_transform(const armilla_theta_window *window, int64_t k)
{
    long double taps = (long double)window->taps;
    long double u = PI * taps * (long double)k / (long double)window->length;
    long double s = sqrtl(window->beta * window->beta - u * u);
    return taps * sinhl(s) / s / bessel_i0(window->beta);
}
