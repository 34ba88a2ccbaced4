/* Narrow Gaussians and Mexican hats: the heat kernel of the sphere, t = sigma^2 / 2, as an integral
 * with a smooth positive integrand; docs/mathematics.md (8.6) to (8.8):
 *
 *     K = exp(t / 4 - theta^2 / (4 t)) / (2 pi^(3/2) t) I,   I = integral 0..oo exp(-v^2) S^(-1/2)
 *     S = sinc((phi + theta) / 2) sinc((phi - theta) / 2),   phi^2 = theta^2 + 4 t v^2
 *
 * The integrand is even and analytic in v, so that the trapezoidal rule of step H is off by
 * exp(-pi^2 / H^2) = 4e-22 only (Trefethen & Weideman 2014, SIAM Review 56, 385). The Mexican hat
 * is -2 t dK / dt. */
#include "radial/kernel.h"

#include <math.h>

#define H 0.448L
enum { NODES = 16 }; /* exp(-(16 H)^2) = 5e-23 */

long double armilla_kernel_heat_window(long double sigma, int hat, int64_t l)
{
    const long double power = (long double)l * (long double)(l + 1) * sigma * sigma;
    return (hat ? power : 1) * expl(-power / 2);
}

/* cot a - 1 / a */
static long double cotangent_rest(long double a)
{
    const long double a2 = a * a;
    if (a < 0.05L)
        return -a / 3 * (1 + a2 / 15 * (1 + a2 * 2 / 21 * (1 + a2 / 10 * (1 + a2 * 10 / 99))));
    return cosl(a) / sinl(a) - 1 / a;
}

static long double sinc(long double a)
{
    return a < 1e-10L ? 1 : sinl(a) / a;
}

/* I, and t dI / dt if the hat asks for it. */
static long double integral(long double theta, long double t, int hat, long double *slope)
{
    long double sum = 0, change = 0;
    for (int i = 0; i < NODES; i++) {
        const long double v = H * (long double)i, square = 4 * t * v * v;
        const long double phi = sqrtl(theta * theta + square);
        /* (phi - theta) / 2 without cancellation; at theta = phi = 0 it is 0 */
        const long double a = (phi + theta) / 2, b = a > 0 ? square / (4 * a) : 0;
        const long double term = (i ? 1 : 0.5L) * expl(-v * v) / sqrtl(sinc(a) * sinc(b));
        sum += term;
        if (hat && i) /* t dphi / dt = 2 t v^2 / phi, dS / dphi = S (rest(a) + rest(b)) / 2 */
            change -= term * square / (8 * phi) * (cotangent_rest(a) + cotangent_rest(b));
    }
    *slope = H * change;
    return H * sum;
}

void armilla_kernel_heat(const armilla_kernel *kernel, int64_t count, const long double *theta,
                         long double *value)
{
    const long double t = kernel->angle * kernel->angle / 2;
    for (int64_t i = 0; i < count; i++) {
        value[i] = 0;
        const long double power = theta[i] * theta[i] / (4 * t);
        /* exp(-200) = 1e-87; beyond, phi could come to where S has its zeros */
        if (power > 200 || theta[i] > 2) continue;
        long double slope;
        const long double whole = integral(theta[i], t, kernel->hat, &slope);
        const long double factor = expl(t / 4 - power) / (2 * ARMILLA_PI * sqrtl(ARMILLA_PI) * t);
        value[i] = factor * (kernel->hat ? -2 * ((t / 4 - 1 + power) * whole + slope) : whole);
    }
}
