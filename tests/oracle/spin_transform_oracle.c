/* Transforms fields of spin s by plain sums over degrees, orders of both signs, and pixels, in long
 * double. With c_lm = -sum over pixels of (Q + i U) slambda_lm e^{-i m phi}, m of both signs, the
 * adjoint has
 *
 *   E_lm = (c_lm + (-1)^m conj c_{l,-m}) / 2,   B_lm = (c_lm - (-1)^m conj c_{l,-m}) / 2i        */
#include "oracle/spin_oracle.h"

#include "oracle/basics.h"
#include "oracle/ring_waves.h"
#include <complex.h>
#include <stdlib.h>

typedef long double complex number;

static int64_t triangle(int64_t lmax, int64_t l, int64_t m)
{
    return m * (2 * lmax + 1 - m) / 2 + l;
}

/* e^(i m phi), m of any sign */
static number wave(const ring_waves *waves, int64_t j, int64_t m)
{
    long double part[2];
    ring_wave(waves, m < 0 ? -m : m, j, part);
    return part[0] + (m < 0 ? -part[1] : part[1]) * I;
}

static number read(const double *alm)
{
    return (long double)alm[0] + (long double)alm[1] * I;
}

/* (E + i B)_lm for m of any sign */
static number coefficient(const oracle_spin_problem *p, const double *alm, int64_t l, int64_t m)
{
    const int64_t size = triangle(p->lmax, p->lmax, p->mmax) + 1;
    const int64_t at = triangle(p->lmax, l, m < 0 ? -m : m);
    number e = read(alm + 2 * at), b = read(alm + 2 * (size + at));
    if (m == 0) return creall(e) + creall(b) * I;
    return m > 0 ? e + b * I : (m % 2 ? -1 : 1) * (conjl(e) + conjl(b) * I);
}

void oracle_spin_synthesis(const oracle_spin_problem *p, const double *alm, double *q, double *u)
{
    double *row = checked_malloc(p->lmax + 1, sizeof *row);
    for (int64_t r = 0; r < p->nrings; r++) {
        const armilla_ring *ring = &p->rings[r];
        number *field = checked_calloc(ring->nphi, sizeof *field);
        ring_waves waves = new_ring_waves(ring, p->mmax);
        for (int64_t m = -p->mmax; m <= p->mmax; m++) {
            const int64_t order = m < 0 ? -m : m;
            oracle_spin_row(m, p->spin, p->lmax, ring->theta, row);
            number sum = 0;
            for (int64_t l = order; l <= p->lmax; l++)
                sum -= coefficient(p, alm, l, m) * (long double)row[l - order];
            for (int64_t j = 0; j < ring->nphi; j++) field[j] += sum * wave(&waves, j, m);
        }
        for (int64_t j = 0; j < ring->nphi; j++) {
            q[ring->offset + j * ring->stride] = (double)creall(field[j]);
            u[ring->offset + j * ring->stride] = (double)cimagl(field[j]);
        }
        free_ring_waves(&waves);
        free(field);
    }
    free(row);
}

/* Adds order m of one ring to c_lm, l = |m| .. */
static void add_order(const oracle_spin_problem *p, const armilla_ring *ring,
                      const ring_waves *waves, int64_t m, const double *q, const double *u,
                      number *c)
{
    const int64_t order = m < 0 ? -m : m;
    double *row = checked_malloc(p->lmax + 1, sizeof *row);
    number sum = 0;
    for (int64_t j = 0; j < ring->nphi; j++) {
        int64_t pixel = ring->offset + j * ring->stride;
        sum += ((long double)q[pixel] + (long double)u[pixel] * I) * wave(waves, j, -m);
    }
    oracle_spin_row(m, p->spin, p->lmax, ring->theta, row);
    for (int64_t l = order; l <= p->lmax; l++) c[l - order] -= sum * (long double)row[l - order];
    free(row);
}

void oracle_spin_adjoint(const oracle_spin_problem *p, const double *q, const double *u,
                         double *alm)
{
    const int64_t size = triangle(p->lmax, p->lmax, p->mmax) + 1, count = p->lmax + 1;
    number *plus = checked_malloc(2 * count, sizeof *plus), *minus = plus + count;
    ring_waves *waves = checked_malloc(p->nrings, sizeof *waves);
    for (int64_t r = 0; r < p->nrings; r++) waves[r] = new_ring_waves(&p->rings[r], p->mmax);
    for (int64_t m = 0; m <= p->mmax; m++) {
        for (int64_t i = 0; i < 2 * count; i++) plus[i] = 0;
        for (int64_t r = 0; r < p->nrings; r++) {
            add_order(p, &p->rings[r], &waves[r], m, q, u, plus);
            add_order(p, &p->rings[r], &waves[r], -m, q, u, minus);
        }
        for (int64_t l = m; l <= p->lmax; l++) {
            number other = (m % 2 ? -1 : 1) * conjl(minus[l - m]);
            number e = (plus[l - m] + other) / 2, b = (plus[l - m] - other) / (2 * I);
            double *to = alm + 2 * triangle(p->lmax, l, m);
            to[0] = (double)creall(e), to[1] = m ? (double)cimagl(e) : 0;
            to += 2 * size;
            to[0] = (double)creall(b), to[1] = m ? (double)cimagl(b) : 0;
        }
    }
    for (int64_t r = 0; r < p->nrings; r++) free_ring_waves(&waves[r]);
    free(waves);
    free(plus);
}
