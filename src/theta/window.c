/* Evaluates the window with which the theta stage interpolates, by the power series of I_0 in long
 * double, and its Fourier transform, and chooses how many samples wide it must be for aliases near
 * 1e-15. */
#include "theta/window.h"

#include <math.h>

static const long double PI = 3.14159265358979323846264338327950288L;

/* Alias level that the number of samples is chosen for: exp(-34.4) = 1e-15; measured 1 to 2e-15. */
static const double WANTED = 34.4;

/* Above sigma = 2 the rule is not sharp; wider circles are treated like 2. */
static double oversampling(int64_t band, int64_t length)
{
    double sigma = band > 0 ? (double)length / (2 * (double)band) : 2;
    return sigma < 2 ? sigma : 2;
}

int64_t armilla_theta_window_taps(int64_t band, int64_t length)
{
    return (int64_t)ceil(WANTED / (M_PI * sqrt(1 - 1 / oversampling(band, length))));
}

/* I_0(beta sqrt(z)) by its series, in powers of z: all terms are positive. For the largest beta,
 * 40, they pass 1e-20 of the sum before the 70th. */
static void fill_terms(armilla_theta_window *window)
{
    const long double quarter = window->beta * window->beta / 4;
    long double term = 1, sum = 1;
    int k = 0;
    window->term[0] = 1;
    while (term > 1e-20L * sum && k + 1 < ARMILLA_THETA_WINDOW_TERMS) {
        k++;
        term *= quarter / ((long double)k * (long double)k);
        sum += term;
        window->term[k] = term;
    }
    window->nterms = k + 1;
    for (int i = 0; i <= k; i++) window->term[i] /= sum;
}

armilla_theta_window armilla_theta_window_choose(int64_t band, int64_t length)
{
    armilla_theta_window window = {.length = length,
                                   .taps = armilla_theta_window_taps(band, length)};
    window.beta = 0.99L * PI * (long double)window.taps * (1 - 0.5L / oversampling(band, length));
    fill_terms(&window);
    return window;
}

long double armilla_theta_window_position(const armilla_theta_window *window, double theta)
{
    return (long double)theta * (long double)window->length / (2 * PI);
}

/* Three at once: each waits for its own product and sum, and there are eight registers. */
void armilla_theta_window_values(const armilla_theta_window *window, long double x,
                                 long double values[ARMILLA_THETA_WINDOW_VALUES])
{
    long double z[ARMILLA_THETA_WINDOW_VALUES], a = 0, b = 0, c = 0;
    for (int i = 0; i < ARMILLA_THETA_WINDOW_VALUES; i++) {
        const long double ratio = 2 * (x - i) / (long double)window->taps;
        z[i] = 1 - ratio * ratio;
    }
    const long double za = z[0], zb = z[1], zc = z[2];
    for (int k = window->nterms - 1; k >= 0; k--) {
        const long double term = window->term[k];
        a = a * za + term, b = b * zb + term, c = c * zc + term;
    }
    values[0] = za < 0 ? 0 : a, values[1] = zb < 0 ? 0 : b, values[2] = zc < 0 ? 0 : c;
}

long double armilla_theta_window_transform(const armilla_theta_window *window, int64_t k)
{
    const long double taps = (long double)window->taps;
    const long double u = PI * taps * (long double)k / (long double)window->length;
    const long double s = sqrtl(window->beta * window->beta - u * u);
    long double bessel = 0; /* I_0(beta) in units of the first term */
    for (int i = 0; i < window->nterms; i++) bessel += window->term[i];
    return taps * sinhl(s) / s * window->term[0] / bessel;
}
