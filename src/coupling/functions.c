/* Wigner functions of small angles by a recurrence that keeps what is missing to their growth at
 * the pole, so that rounding of cos theta does not count. See functions.h. */
#include "coupling/functions.h"

#include "base/integer.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static int64_t least_of(const armilla_wigner *w)
{
    return armilla_larger(w->m, w->s < 0 ? -w->s : w->s);
}

/* x e_l = a_(l+1) e_(l+1) + m s / (l (l+1)) e_l + a_l e_(l-1) */
static double coupling_of(const armilla_wigner *w, int64_t degree)
{
    const double l = (double)degree, m = (double)w->m, s = (double)w->s;
    if (degree <= least_of(w)) return 0;
    return sqrt((l - m) * (l + m)) * sqrt((l - s) * (l + s)) / (l * sqrt(4 * l * l - 1));
}

/* e_(l+1) / e_l at the pole, powers of sin and cos theta / 2 left out. */
static double growth_of(const armilla_wigner *w, int64_t degree)
{
    const int64_t m = w->m < 0 ? -w->m : w->m, s = w->s < 0 ? -w->s : w->s;
    const double l = (double)(degree + 1), high = (double)armilla_larger(m, s);
    const double low = (double)(armilla_smaller(m, s) * ((w->m < 0) == (w->s < 0) ? 1 : -1));
    return sqrt((2 * l + 1) / (2 * l - 1) * (l + high) * (l - low) / ((l - high) * (l + low)));
}

armilla_status armilla_wigner_make(int64_t lmax, int64_t m, int64_t s, armilla_wigner *wigner)
{
    *wigner = (armilla_wigner){.lmax = lmax, .m = m, .s = s};
    const armilla_status status =
        armilla_allocate_zero(&wigner->up, 3 * (lmax + 1), sizeof(double));
    if (status) return status;
    wigner->back = wigner->up + lmax + 1, wigner->step = wigner->back + lmax + 1;
    for (int64_t l = least_of(wigner); l < lmax; l++) {
        const double next = coupling_of(wigner, l + 1);
        wigner->up[l] = growth_of(wigner, l), wigner->step[l] = 1 / next;
        if (l > least_of(wigner))
            wigner->back[l] = coupling_of(wigner, l) / (next * wigner->up[l - 1]);
    }
    return ARMILLA_OK;
}

void armilla_wigner_clear(armilla_wigner *wigner)
{
    armilla_release(wigner->up);
    *wigner = (armilla_wigner){.lmax = 0};
}

/* The first function: sqrt(l + 1/2) binomial(2 l, a)^(1/2) sin^a cos^b (theta / 2), a + b = 2 l,
 * as mantissa 2^(STEP scale). */
enum { STEP = 512 };

static double start_of(const armilla_wigner *w, double theta, double *scale)
{
    const int64_t l = least_of(w), m = w->m, s = w->s;
    const int64_t far = m > s ? m - s : s - m, a = armilla_smaller(far, 2 * l);
    const long double sine = sinl(0.5L * (long double)theta),
                      cosine = cosl(0.5L * (long double)theta);
    int exponent = 0, more;
    long double value = sqrtl((long double)l + 0.5L);
    for (int64_t i = 0; i < 2 * l; i++) {
        value *= i < a ? sine * sqrtl((long double)(2 * l - i) / (long double)(i + 1)) : cosine;
        value = frexpl(value, &more), exponent += more;
    }
    if (value == 0) exponent = 0;
    *scale = floor((double)(exponent + STEP / 2) / STEP);
    return (double)ldexpl(value, exponent - STEP * (int)*scale);
}

/* One degree further; numbers that have grown out of their scale go to the next one. */
static void advance(const armilla_wigner *w, int64_t l, int64_t count, const double *y, double *e,
                    double *d, double *scale)
{
    const double up = w->up[l], back = w->back[l], step = w->step[l];
    for (int64_t i = 0; i < count; i++) {
        d[i] = back * d[i] - step * y[i] * e[i];
        e[i] = up * e[i] + d[i];
    }
    for (int64_t i = 0; i < count; i++)
        if (scale[i] < 0 && fabs(e[i]) > 0x1p256) {
            e[i] *= 0x1p-512, d[i] *= 0x1p-512, scale[i] += 1;
        }
}

void armilla_wigner_fill(const armilla_wigner *wigner, int64_t count, const double *theta,
                         double *room, double *values, int64_t stride)
{
    double *y = room, *e = y + count, *d = e + count, *scale = d + count, *seen = scale + count;
    const int64_t least = least_of(wigner);
    for (int64_t i = 0; i < count; i++) {
        const double half = sin(0.5 * theta[i]);
        y[i] = 2 * half * half, d[i] = 0;
        e[i] = start_of(wigner, theta[i], &scale[i]);
    }
    for (int64_t l = 0; l < least && l <= wigner->lmax; l++)
        memset(values + l * stride, 0, (size_t)count * sizeof *values);
    for (int64_t l = least; l <= wigner->lmax; l++) {
        for (int64_t i = 0; i < count; i++) seen[i] = scale[i] < 0 ? 0 : e[i];
        memcpy(values + l * stride, seen, (size_t)count * sizeof *values);
        if (l < wigner->lmax) advance(wigner, l, count, y, e, d, scale);
    }
}
