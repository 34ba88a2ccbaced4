/* Computes in long double where the rings of HEALPix are, from the formulas of its paper, and nodes
 * and weights of Gauss-Legendre rules, by Newton's method. */
#include "oracle/ring_oracle.h"

#include "oracle/basics.h"
#include <math.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/* Ring i = 1 .. 4 n - 1. Theta of the south is that of the north from pi, as doubles are. */
static armilla_ring healpix_ring(int64_t n, int64_t i)
{
    const int64_t north = i < 2 * n ? i : 4 * n - i, cap = north < n;
    const long double side = (long double)n, place = (long double)north;
    const long double sine_squared = /* of theta / 2: (1 - z) / 2 */
        cap ? place * place / (6 * side * side) : (2 * place - side) / (6 * side);
    const double theta = (double)(2 * asinl(sqrtl(sine_squared)));
    const int64_t nphi = 4 * (cap ? north : n), shifted = cap || (i - n) % 2 == 0;
    return (armilla_ring){.theta = i == north ? theta : M_PI - theta,
                          .nphi = nphi,
                          .phi0 = shifted ? (double)(pi / (long double)nphi) : 0,
                          .stride = 1,
                          .weight = (double)(pi / (3 * side * side))};
}

armilla_ring *oracle_healpix_rings(int64_t nside)
{
    armilla_ring *rings = checked_malloc(4 * nside - 1, sizeof *rings);
    int64_t before = 0;
    for (int64_t i = 1; i < 4 * nside; i++) {
        rings[i - 1] = healpix_ring(nside, i);
        rings[i - 1].offset = before;
        before += rings[i - 1].nphi;
    }
    return rings;
}

/* P_n(x), and its derivative. */
static long double legendre(int64_t n, long double x, long double *slope)
{
    long double before = 0, now = 1;
    for (int64_t l = 0; l < n; l++) {
        const long double degree = (long double)l;
        const long double next = ((2 * degree + 1) * x * now - degree * before) / (degree + 1);
        before = now;
        now = next;
    }
    *slope = (long double)n * (before - x * now) / (1 - x * x);
    return now;
}

void oracle_gauss_rule(int64_t n, long double *node, long double *weight)
{
    for (int64_t i = 0; i < n; i++) {
        long double x = cosl(pi * ((long double)i + 0.75L) / ((long double)n + 0.5L)), slope;
        for (int step = 0; step < 8; step++) {
            const long double value = legendre(n, x, &slope);
            x -= value / slope;
        }
        legendre(n, x, &slope);
        node[i] = x;
        weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
}
