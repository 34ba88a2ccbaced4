/* Computes a scalar at very few points from coefficients of low degrees, or the transpose, by the
 * sums as they are written, which are done before the stages of direct.c would be set up. It goes
 * order by order, with x = cos theta and the harmonics' lambda_lm normalised:
 *
 *   lambda_mm = -sqrt((2 m + 1) / (2 m)) sin theta lambda_m-1,m-1,  lambda_00 = 1 / sqrt(4 pi)
 *   lambda_lm = a_l (x lambda_l-1,m - b_l lambda_l-2,m)
 *   a_l = sqrt((4 l^2 - 1) / (l^2 - m^2)),  b_l = 1 / a_l-1
 *
 * Upwards that is stable; near the poles rounding grows like l^2, which is little at these degrees.
 * No number is too small: sin^m theta that underflows counts for nothing. */
#include "points/tiny.h"

#include "base/angle.h"

#include <math.h>

typedef struct {
    double sine, cosine, phi; /* near 0 */
    double rest;              /* of phi */
    double first;             /* lambda_mm */
    double value, re, im;     /* re, im: exp(i m phi) */
} place;

static void start(const double *point, place *p)
{
    *p = (place){.sine = sin(point[0]), .cosine = cos(point[0]), .first = 0.28209479177387814};
    p->phi = armilla_angle_reduce(point[1], &p->rest);
}

/* m phi is taken as a product in two doubles. */
static void next_order(int64_t m, place *p)
{
    const double high = (double)m * p->phi;
    const double low = fma((double)m, p->phi, -high) + (double)m * p->rest;
    const double c = cos(high), s = sin(high), order = (double)m;
    p->re = c - low * s, p->im = s + low * c;
    if (m) p->first *= -sqrt((2 * order + 1) / (2 * order)) * p->sine;
}

/* a_l of l = m + 1 .. lmax, from a[1] on. */
static void fill_factors(int64_t lmax, int64_t m, double *a)
{
    for (int64_t l = m + 1; l <= lmax; l++)
        a[l - m] = sqrt((double)(4 * l * l - 1) / (double)((l - m) * (l + m)));
}

static void fill_lambda(const place *p, int64_t count, const double *a, double *lambda)
{
    lambda[0] = p->first;
    if (count > 1) lambda[1] = a[1] * p->cosine * lambda[0];
    for (int64_t i = 2; i < count; i++)
        lambda[i] = a[i] * (p->cosine * lambda[i - 1] - lambda[i - 2] / a[i - 1]);
}

/* The order's part of a value. */
static void add_to_value(int64_t m, int64_t count, const double *lambda, const double *row,
                         place *p)
{
    double re = 0, im = 0;
    for (int64_t i = 0; i < count; i++) {
        re += lambda[i] * row[2 * i];
        im += lambda[i] * row[2 * i + 1];
    }
    p->value += m ? 2 * (re * p->re - im * p->im) : re;
}

static void add_to_row(int64_t count, const double *lambda, const place *p, double *row)
{
    for (int64_t i = 0; i < count; i++) {
        row[2 * i] += p->value * p->re * lambda[i];
        row[2 * i + 1] -= p->value * p->im * lambda[i];
    }
}

void armilla_tiny_run(const armilla_direct_problem *problem, int to_points,
                      const armilla_alm_rows *alm, armilla_array values)
{
    place places[ARMILLA_TINY_POINTS];
    double a[ARMILLA_TINY_DEGREE + 1], lambda[ARMILLA_TINY_DEGREE + 1];
    for (int64_t i = 0; i < problem->npoints; i++) {
        start(problem->points + 2 * i, &places[i]);
        if (!to_points) places[i].value = armilla_array_get(values, i);
    }
    for (int64_t m = 0; m <= problem->mmax; m++) {
        double row[2 * (ARMILLA_TINY_DEGREE + 1)] = {0};
        const int64_t count = problem->lmax - m + 1;
        fill_factors(problem->lmax, m, a);
        if (to_points) armilla_alm_rows_read(alm, 0, m, row, 2 * count);
        for (place *p = places; p < places + problem->npoints; p++) {
            next_order(m, p);
            fill_lambda(p, count, a, lambda);
            if (to_points)
                add_to_value(m, count, lambda, row, p);
            else
                add_to_row(count, lambda, p, row);
        }
        if (!to_points) armilla_alm_rows_write(alm, 0, m, row);
    }
    for (int64_t i = 0; i < problem->npoints && to_points; i++)
        armilla_array_put(values, i, places[i].value);
}
