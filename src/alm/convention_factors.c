/* The factor between a_lm and the coefficients of another norm; docs/mathematics.md (9.7), (9.8).
 *
 *   c_lm = (-1)^m g_l sqrt(2 - delta_m0) a_lm     the sign without Condon-Shortley's, the root for
 *                                                 real harmonics
 *   g_l  = 1, 1 / sqrt(4 pi), sqrt((2 l + 1) / (4 pi))     orthonormal, 4 pi, Schmidt
 *          their inverses where coefficients are integrals of the field times the functions
 *   unnormalised: c_lm = (-1)^m (2 - delta_m0) sqrt((2 l + 1) / (4 pi) (l - m)! / (l + m)!) a_lm
 *
 * The quotient of factorials is carried from degree to degree and from order to order in twice the
 * precision, with an exponent of its own, so that thousands of products cost no digit. */
#include "alm/convention.h"

#include "base/status.h"
#include <float.h>
#include <math.h>

void armilla_factorials_begin(armilla_factorials *start)
{
    *start = (armilla_factorials){.high = 1};
}

static void bring_into_range(armilla_factorials *q)
{
    int exponent;
    const double high = frexp(q->high, &exponent);
    q->low = ldexp(q->low, -exponent);
    q->exponent += exponent;
    q->high = high + q->low;
    q->low -= q->high - high;
}

static void divide(armilla_factorials *q, double divisor)
{
    const double high = q->high / divisor;
    q->low = (fma(-high, divisor, q->high) + q->low) / divisor;
    q->high = high;
    bring_into_range(q);
}

static void multiply(armilla_factorials *q, double factor)
{
    const double high = q->high * factor;
    q->low = fma(q->high, factor, -high) + q->low * factor;
    q->high = high;
    bring_into_range(q);
}

/* The root of constant (high + low) 2^exponent: mantissa and exponent. */
static double root(const armilla_factorials *q, double constant, int64_t *exponent)
{
    const int odd = (int)(q->exponent & 1);
    *exponent = (q->exponent - odd) / 2;
    return sqrt(constant * q->high * (odd ? 2 : 1));
}

/* One over the square integral of a function with m = 0; of coefficients that are integrals, the
 * square integral itself. */
static double squared_degree(const armilla_convention *convention, int64_t l)
{
    if (convention->normalization == ARMILLA_NORM_ORTHONORMAL) return 1;
    const double parts =
        convention->normalization == ARMILLA_NORM_FOUR_PI ? 1 : (double)(2 * l + 1);
    return convention->integrals ? 4 * M_PI / parts : parts / (4 * M_PI);
}

static int is_unnormalized(const armilla_convention *convention)
{
    return convention->normalization == ARMILLA_NORM_UNNORMALIZED;
}

/* What real harmonics with m > 0 bring into the square of the factor. */
static double squared_order(const armilla_convention *convention, int64_t m)
{
    if (m == 0 || convention->harmonics == ARMILLA_HARMONICS_COMPLEX) return 1;
    return is_unnormalized(convention) ? 4 : 2;
}

static double sign_of(const armilla_convention *convention, int64_t m)
{
    return !convention->condon_shortley && m % 2 ? -1 : 1;
}

/* The factor of (l, m) without its sign: mantissa, and a power of 2 in *exponent. */
static double magnitude(const armilla_convention *convention, const armilla_factorials *q,
                        int64_t l, int64_t m, int64_t *exponent)
{
    const double square = squared_degree(convention, l) * squared_order(convention, m);
    *exponent = 0;
    return is_unnormalized(convention) ? root(q, square, exponent) : sqrt(square);
}

void armilla_convention_factors(const armilla_convention *convention, int64_t lmax, int64_t m,
                                armilla_factorials *start, double *factor)
{
    const int unnormalized = is_unnormalized(convention);
    const double sign = sign_of(convention, m);
    armilla_factorials q = *start;
    for (int64_t l = m; l <= lmax; l++) {
        int64_t exponent;
        const double size = magnitude(convention, &q, l, m, &exponent);
        factor[l] = sign * ldexp(size, (int)exponent);
        if (!unnormalized) continue;
        multiply(&q, (double)(l + 1 - m));
        divide(&q, (double)(l + 1 + m));
    }
    if (!unnormalized) return;
    divide(start, (double)(2 * m + 1));
    divide(start, (double)(2 * m + 2));
}

/* (l - m)! / (l + m)!: one divided by l - m + 1, ..., l + m; no further than to where the factor is
 * no double. */
static armilla_factorials quotient(const armilla_convention *convention, int64_t l, int64_t m)
{
    const int64_t lost = 8 * DBL_MIN_EXP; /* the exponent of the square; the degree has 2^31 */
    armilla_factorials q;
    armilla_factorials_begin(&q);
    for (int64_t k = l - m + 1; k <= l + m && q.exponent > lost; k++) {
        if (!is_unnormalized(convention)) break;
        divide(&q, (double)k);
    }
    return q;
}

/* Factors of an unnormalised convention grow smaller with m and, for m > 0, with l. */
armilla_status armilla_convention_check_factors(const armilla_convention *convention, int64_t lmax,
                                                int64_t mmax)
{
    double factor;
    return armilla_convention_factor(convention, lmax, mmax, &factor);
}

armilla_status armilla_convention_factor(const armilla_convention *convention, int64_t l, int64_t m,
                                         double *factor)
{
    armilla_status status = armilla_convention_check(convention);
    if (!status) status = armilla_check_given("factor", factor);
    if (status) return status;
    if (l < 0 || l > INT64_C(1) << 30)
        return armilla_fail_argument("l", l, "must be from 0 to 2^30");
    if (m < 0 || m > l) return armilla_fail_argument("m", m, "must be from 0 to l");
    const armilla_factorials q = quotient(convention, l, m);
    int64_t exponent;
    const double size = magnitude(convention, &q, l, m, &exponent);
    if ((double)exponent + log2(size) < DBL_MIN_EXP)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "normalization: the factor of unnormalised coefficients of l = %lld, "
                            "m = %lld is below 1e-308, too small for a double",
                            (long long)l, (long long)m);
    *factor = sign_of(convention, m) * ldexp(size, (int)exponent);
    return ARMILLA_OK;
}
