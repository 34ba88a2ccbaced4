/* Inside the polar cap sin(theta) < m / L, L = lmax + 1/2, lambda_lm decays towards the pole like
 * exp(-E) (WKB; docs/mathematics.md (2.16)):
 *
 *     E = integral of sqrt(m^2 / sin^2 t - L^2) dt from theta to asin(m / L)
 *       = m artanh(L w / (m c)) - L artanh(w / c),  c = cos(theta),  w^2 = m^2 / L^2 -
 * sin^2(theta).
 *
 * E grows with m. The limit is where it passes 42: exp(-42) = 6e-19. libsharp's rule,
 * m - lmax sin(theta) > max(100, 0.01 lmax), drops values up to 2e-8 at lmax 8191 and keeps
 * orders that do not matter below lmax 1000. */
#include "base/polar_limit.h"

#include <math.h>

static double decay(double m, double big_l, double sine, double cosine)
{
    double ratio = m / big_l;
    if (ratio <= sine) return 0;
    double w = sqrt((ratio - sine) * (ratio + sine));
    double near = big_l * w / (m * cosine), far = w / cosine;
    /* 1 - near^2 without cancellation: near the pole near rounds to 1 */
    double rest = (big_l - m) * (big_l + m) / (m * m) * (sine / cosine) * (sine / cosine);
    if (!(rest > 0)) return INFINITY; /* the pole itself */
    return m * (log1p(near) - 0.5 * log(rest)) - big_l * atanh(far);
}

double armilla_polar_decay(double m, int64_t lmax, double theta)
{
    return decay(m, (double)lmax + 0.5, sin(theta), fabs(cos(theta)));
}

int64_t armilla_polar_limit(int64_t lmax, double theta)
{
    return armilla_polar_limit_of_decay(lmax, theta, ARMILLA_POLAR_DECAY);
}

int64_t armilla_polar_limit_of_decay(int64_t lmax, double theta, double decay_limit)
{
    const double big_l = (double)lmax + 0.5, sine = sin(theta), cosine = fabs(cos(theta));
    int64_t low = 0, high = lmax; /* the limit is in low .. high */
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (decay((double)middle, big_l, sine, cosine) <= decay_limit)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
