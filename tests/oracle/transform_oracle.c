/* Transforms scalar maps in long double by the plain sums over every coefficient and every pixel:
 *
 *   f_j  = sum_m w_m Re( e^{i m phi_j} sum_l a_lm lambda_lm(theta) ),  w_0 = 1, w_m = 2 for m > 0
 *   a_lm = sum_j f_j lambda_lm(theta_j) e^{-i m phi_j} */
#include "oracle/transform_oracle.h"

#include "oracle/lambda_oracle.h"
#include "oracle/ring_waves.h"
#include <stdlib.h>
#include <string.h>

static int64_t triangle(int64_t lmax, int64_t l, int64_t m)
{
    return m * (2 * lmax + 1 - m) / 2 + l;
}

static void add_order(const ring_waves *waves, int64_t m, long double re, long double im,
                      long double *pixels)
{
    long double weight = m ? 2 : 1, wave[2];
    for (int64_t j = 0; j < waves->n; j++) {
        ring_wave(waves, m, j, wave);
        pixels[j] += weight * (re * wave[0] - (m ? im * wave[1] : 0));
    }
}

static void synthesize_ring(const armilla_ring *ring, int64_t lmax, int64_t mmax, const double *alm,
                            double *row, long double *pixels)
{
    ring_waves waves = new_ring_waves(ring, mmax);
    for (int64_t j = 0; j < ring->nphi; j++) pixels[j] = 0;
    for (int64_t m = 0; m <= mmax; m++) {
        oracle_lambda_row(m, lmax, ring->theta, row);
        long double re = 0, im = 0;
        for (int64_t l = m; l <= lmax; l++) {
            const double *a = alm + 2 * triangle(lmax, l, m);
            re += (long double)a[0] * row[l - m];
            im += (long double)a[1] * row[l - m];
        }
        add_order(&waves, m, re, im, pixels);
    }
    free_ring_waves(&waves);
}

void oracle_synthesis(int64_t nrings, const armilla_ring *rings, int64_t lmax, int64_t mmax,
                      const double *alm, double *map)
{
    double *row = malloc((size_t)(lmax + 1) * sizeof *row);
    for (int64_t r = 0; r < nrings; r++) {
        const armilla_ring *ring = &rings[r];
        long double *pixels = malloc((size_t)ring->nphi * sizeof *pixels);
        synthesize_ring(ring, lmax, mmax, alm, row, pixels);
        for (int64_t j = 0; j < ring->nphi; j++)
            map[ring->offset + j * ring->stride] = (double)pixels[j];
        free(pixels);
    }
    free(row);
}

static void add_ring(const armilla_ring *ring, int64_t lmax, int64_t mmax, const double *map,
                     double *row, long double *sum)
{
    ring_waves waves = new_ring_waves(ring, mmax);
    for (int64_t m = 0; m <= mmax; m++) {
        long double re = 0, im = 0, wave[2];
        for (int64_t j = 0; j < ring->nphi; j++) {
            long double f = map[ring->offset + j * ring->stride];
            ring_wave(&waves, m, j, wave);
            re += f * wave[0];
            im -= f * wave[1];
        }
        oracle_lambda_row(m, lmax, ring->theta, row);
        for (int64_t l = m; l <= lmax; l++) {
            sum[2 * triangle(lmax, l, m)] += re * row[l - m];
            sum[2 * triangle(lmax, l, m) + 1] += m ? im * row[l - m] : 0;
        }
    }
    free_ring_waves(&waves);
}

void oracle_adjoint_synthesis(int64_t nrings, const armilla_ring *rings, int64_t lmax, int64_t mmax,
                              const double *map, double *alm)
{
    size_t count = 2 * (size_t)(triangle(lmax, lmax, mmax) + 1);
    long double *sum = calloc(count, sizeof *sum);
    double *row = malloc((size_t)(lmax + 1) * sizeof *row);
    for (int64_t r = 0; r < nrings; r++) add_ring(&rings[r], lmax, mmax, map, row, sum);
    for (size_t i = 0; i < count; i++) alm[i] = (double)sum[i];
    free(row);
    free(sum);
}
