/* Narrow Gaussians and Mexican hats: the heat kernel of the sphere, t = sigma^2 / 2, as an integral
 * with a smooth positive integrand; docs/mathematics.md (8.6) to (8.8):
 *
 *     K = exp(t / 4 - theta^2 / (4 t)) / (2 pi^(3/2) t) I,   I = integral 0..oo exp(-v^2) S^(-1/2)
 *     S = sinc((phi + theta) / 2) sinc((phi - theta) / 2),   phi^2 = theta^2 + 4 t v^2
 *
 * The integrand is even and analytic in v, so that the trapezoidal rule of step H is off by
 * exp(-pi^2 / H^2) = 4e-22 only (Trefethen & Weideman 2014, SIAM Review 56, 385). The Mexican hat
 * is -2 t dK / dt. Of spin 2 (8.20): the integrand has a factor T_4(cos(phi / 2) / cos(theta / 2)),
 * and the Gaussian's K, of b_l = exp(-(l (l + 1) - 4) t), one of exp(4 t). */
#include "radial/profile/kernel.h"

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

/* By its series where that is short: angles of narrow kernels are small, and long double has slow
 * sines. */
static long double sinc(long double a)
{
    if (a > 0.25L) return sinl(a) / a;
    const long double a2 = a * a;
    long double sum = 1;
    for (int k = 16; k > 0; k -= 2) sum = 1 - sum * a2 * (1 / (long double)(k * (k + 1)));
    return sum;
}

/* T_4(cos(phi / 2) / cos(theta / 2)), and its derivative by phi. */
static long double turn(long double theta, long double phi, long double *slope)
{
    const long double below = cosl(theta / 2), r = cosl(phi / 2) / below, rr = r * r;
    *slope = -(32 * rr - 16) * r * sinl(phi / 2) / (2 * below);
    return 8 * rr * (rr - 1) + 1;
}

/* Trapezoidal rule for exp(-v^2) dv over 0 .. oo, but for the factor H. */
static void fill_rule(long double rule[NODES])
{
    rule[0] = 0.5L;
    for (int i = 1; i < NODES; i++) rule[i] = expl(-(H * (long double)i) * (H * (long double)i));
}

/* Narrow Gaussians. cos x = C(x^2), and with w = theta^2, u = phi^2
 *
 *     S = 2 (cos theta - cos phi) / (phi^2 - theta^2) = -2 (C(u) - C(w)) / (u - w),
 *
 * a polynomial of u for each theta, whose coefficients come from those of C by Horner's scheme. Up
 * to u = 1/4 the terms left out are below 4e-23. Returned: I. */
static long double near_integral(const long double rule[NODES], long double theta, long double t)
{
    enum { TERMS = 9 };
    static const long double cosine[TERMS + 1] = {1,
                                                  -1 / 2.0L,
                                                  1 / 24.0L,
                                                  -1 / 720.0L,
                                                  1 / 40320.0L,
                                                  -1 / 3628800.0L,
                                                  1 / 479001600.0L,
                                                  -1 / 87178291200.0L,
                                                  1 / 20922789888000.0L,
                                                  -1 / 6402373705728000.0L};
    const long double w = theta * theta;
    long double quotient[TERMS], sum = 0;
    quotient[TERMS - 1] = cosine[TERMS];
    for (int k = TERMS - 1; k > 0; k--) quotient[k - 1] = cosine[k] + w * quotient[k];
    for (int i = 0; i < NODES; i++) {
        const long double v = H * (long double)i, u = w + 4 * t * v * v;
        long double s = quotient[TERMS - 1];
        for (int k = TERMS - 2; k >= 0; k--) s = quotient[k] + u * s;
        sum += rule[i] / sqrtl(-2 * s);
    }
    return H * sum;
}

static int is_near(const armilla_kernel *kernel, long double theta, long double t)
{
    const long double last = H * (NODES - 1);
    return !kernel->hat && !kernel->spin && theta * theta + 4 * t * last * last <= 0.25L;
}

/* I, and t dI / dt if the hat asks for it. */
static long double integral(const armilla_kernel *kernel, const long double rule[NODES],
                            long double theta, long double t, long double *slope)
{
    const int hat = kernel->hat;
    long double sum = 0, change = 0;
    for (int i = 0; i < NODES; i++) {
        const long double v = H * (long double)i, square = 4 * t * v * v;
        const long double phi = sqrtl(theta * theta + square);
        /* (phi - theta) / 2 without cancellation; at theta = phi = 0 it is 0 */
        const long double a = (phi + theta) / 2, b = a > 0 ? square / (4 * a) : 0;
        const long double plain = rule[i] / sqrtl(sinc(a) * sinc(b));
        long double by_phi = 0, term = plain;
        if (kernel->spin) term *= turn(theta, phi, &by_phi);
        sum += term;
        if (hat && i) /* t dphi / dt = 2 t v^2 / phi, dS / dphi = S (rest(a) + rest(b)) / 2 */
            change -= square / (2 * phi) *
                      (term * (cotangent_rest(a) + cotangent_rest(b)) / 4 - plain * by_phi);
    }
    *slope = H * change;
    return H * sum;
}

void armilla_kernel_heat(const armilla_kernel *kernel, int64_t count, const long double *theta,
                         long double *value)
{
    const long double t = kernel->angle * kernel->angle / 2;
    const long double more = kernel->spin && !kernel->hat ? 4 * t : 0;
    long double rule[NODES];
    fill_rule(rule);
    for (int64_t i = 0; i < count; i++) {
        value[i] = 0;
        const long double power = theta[i] * theta[i] / (4 * t);
        /* exp(-200) = 1e-87; beyond, phi could come to where S has its zeros */
        if (power > 200 || theta[i] > 2) continue;
        long double slope = 0;
        const long double whole = is_near(kernel, theta[i], t)
                                      ? near_integral(rule, theta[i], t)
                                      : integral(kernel, rule, theta[i], t, &slope);
        const long double factor =
            expl(t / 4 + more - power) / (2 * ARMILLA_PI * sqrtl(ARMILLA_PI) * t);
        value[i] = factor * (kernel->hat ? -2 * ((t / 4 - 1 + power) * whole + slope) : whole);
    }
}
