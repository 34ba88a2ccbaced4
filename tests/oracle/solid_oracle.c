/* The slow and obvious sum of solid harmonics; see solid_oracle.h. */
#include "oracle/solid_oracle.h"

#include <math.h>
#include <string.h>

typedef struct {
    long double cosine, sine, per_r;
    long double value[10];
} state;

static long double climb(int64_t l, int64_t m)
{
    const long double n = (long double)l + 1, k = (long double)m;
    return sqrtl((4 * n * n - 1) / ((n - k) * (n + k)));
}

/* One term: f = (re, im) of 2 a_lm s^.. exp(i m phi), n the power of r, lambda and its predecessor.
 */
static void add(state *q, int64_t l, int64_t m, long double n, const long double f[2],
                const long double lambda[2])
{
    const long double degree = (long double)l, order = (long double)m, r = q->per_r;
    const long double down = l == m ? 0 : (2 * degree + 1) / climb(l - 1, m);
    const long double y = lambda[0], over = 1 / q->sine, cot = q->cosine * over;
    const long double t = degree * cot * y - down * over * lambda[1];
    const long double tt = -cot * t - (degree * (degree + 1) - order * order * over * over) * y;
    const long double p = order * over * f[1], pp = -order * order * over * over * f[0];
    const long double all[10] = {f[0] * y,
                                 n * r * f[0] * y,
                                 r * f[0] * t,
                                 -r * p * y,
                                 n * (n - 1) * r * r * f[0] * y,
                                 (n - 1) * r * r * f[0] * t,
                                 -(n - 1) * r * r * p * y,
                                 r * r * f[0] * (tt + n * y),
                                 -r * r * p * (t - cot * y),
                                 r * r * (pp * y + f[0] * (n * y + cot * t))};
    for (int i = 0; i < 10; i++) q->value[i] += all[i];
}

static void add_order(state *q, int64_t lmax, int64_t m, int interior, long double s,
                      const long double turn[2], long double start, const double *alm)
{
    long double lambda[2] = {start, 0}, before = 1;
    long double power = powl(s, (long double)(interior ? m : m + 1));
    for (int64_t l = m; l <= lmax; l++, power *= s) {
        const double *a = alm + 2 * (m * (2 * lmax + 1 - m) / 2 + l);
        const long double twice = (m ? 2 : 1) * power, im = m ? a[1] : 0;
        const long double f[2] = {twice * (a[0] * turn[0] - im * turn[1]),
                                  twice * (a[0] * turn[1] + im * turn[0])};
        add(q, l, m, interior ? (long double)l : -(long double)(l + 1), f, lambda);
        const long double step = climb(l, m);
        const long double next = step * (q->cosine * lambda[0] - lambda[1] / before);
        lambda[1] = lambda[0], lambda[0] = next, before = step;
    }
}

void oracle_solid(int64_t lmax, const double *alm, const double point[3], double radius,
                  int interior, long double value[10])
{
    const long double r = point[2], s = interior ? r / radius : radius / r;
    state q = {cosl(point[0]), sinl(point[0]), 1 / r, {0}};
    long double start = 1 / sqrtl(4 * acosl(-1));
    for (int64_t m = 0; m <= lmax; m++) {
        const long double turn[2] = {cosl((long double)m * point[1]),
                                     sinl((long double)m * point[1])};
        add_order(&q, lmax, m, interior, s, turn, start, alm);
        start *= -q.sine * sqrtl((long double)(2 * m + 3) / (long double)(2 * m + 2));
    }
    memcpy(value, q.value, sizeof q.value);
}
