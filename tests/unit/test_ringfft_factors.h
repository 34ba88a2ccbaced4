/* What direct sums over a ring multiply by: exp(i m (phi0 + 2 pi j / n)) in long double, as a
 * product of one factor of m and one of j. Arm's long double is software and sines in it take
 * microseconds, so each is computed once. */
#ifndef ARMILLA_TESTS_RINGFFT_FACTORS_H
#define ARMILLA_TESTS_RINGFFT_FACTORS_H

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    int64_t n, half;   /* half: phi0 in half pixels, meant exactly; -1 if it is anything else */
    long double *root; /* exp(pi i k / n), 0 <= k < 2 n */
    long double *turn; /* exp(i m phi0), 0 <= m <= last; not used if half >= 0 */
} factors;

static factors new_factors(const armilla_ring *ring, int64_t last)
{
    const long double pi = 3.14159265358979323846264338L;
    double half = ring->phi0 * (double)ring->nphi / M_PI;
    factors f = {ring->nphi, -1, checked_malloc(4 * ring->nphi, sizeof(long double)),
                 checked_malloc(2 * (last + 1), sizeof(long double))};
    if (fabs(half - nearbyint(half)) < 1e-12) f.half = (int64_t)nearbyint(half);
    for (int64_t k = 0; k < 2 * f.n; k++)
        f.root[2 * k] = cosl(pi * k / f.n), f.root[2 * k + 1] = sinl(pi * k / f.n);
    for (int64_t m = 0; m <= last; m++)
        f.turn[2 * m] = cosl(m * (long double)ring->phi0),
                   f.turn[2 * m + 1] = sinl(m * (long double)ring->phi0);
    return f;
}

static void free_factors(factors *f)
{
    free(f->root);
    free(f->turn);
}

static void find_factor(const factors *f, int64_t m, int64_t j, long double factor[2])
{
    const int64_t shift = f->half < 0 ? 0 : f->half;
    const long double *root = f->root + 2 * (m * (shift + 2 * j) % (2 * f->n));
    const long double *turn = f->turn + 2 * m;
    factor[0] = root[0], factor[1] = root[1];
    if (f->half >= 0) return;
    factor[0] = root[0] * turn[0] - root[1] * turn[1];
    factor[1] = root[0] * turn[1] + root[1] * turn[0];
}

#endif
