/* See links.h. */
#include "radial/links.h"

#include "grid/grid.h"

#include <math.h>

static const double TWO_PI = 6.283185307179586;

armilla_radial_curve armilla_radial_curve_make(const armilla_radial *radial,
                                               const armilla_radial_row *r,
                                               const armilla_radial_row *e, double largest)
{
    /* sin^2(d / 2) = d^2 / 4 - d^4 / 48 + ...: (-1)^k d^(2k+2) / (2 (2k+2)!) */
    static const double term[ARMILLA_RADIAL_TERMS] = {0.25,
                                                      -0.020833333333333332,
                                                      0.0006944444444444445,
                                                      -1.240079365079365e-05,
                                                      1.3778659611992944e-07,
                                                      -1.043837849393405e-09,
                                                      5.735372798864862e-12,
                                                      -2.3897386661936926e-14,
                                                      7.809603484293113e-17,
                                                      -2.0551588116560824e-19,
                                                      4.448395696225287e-22,
                                                      -8.058687855480592e-25,
                                                      1.2397981316123988e-27,
                                                      -1.639944618534919e-30,
                                                      1.8849938144079527e-33,
                                                      -1.9001953774273717e-36,
                                                      1.693578767760581e-39,
                                                      -1.3441101331433182e-42};
    const double across = sin((r->theta - e->theta) / 2);
    armilla_radial_curve curve = {.profile = &radial->profile,
                                  .x0 = across * across,
                                  .slope = r->sine * e->sine,
                                  .nterms = 1,
                                  .term = term};
    for (double size = 1; size > 1e-17 && curve.nterms < ARMILLA_RADIAL_TERMS; curve.nterms++)
        size *= largest * largest / ((2 * curve.nterms + 1) * (2 * curve.nterms + 2));
    return curve;
}

/* --- One polynomial in delta^2 ---------------------------------------------------------------- */

enum { NODES = ARMILLA_RADIAL_NODES, LEAST_POSITIONS = 64 };

void armilla_radial_fit_fill(armilla_radial_fit *tables)
{
    for (int k = 0; k < NODES; k++)
        for (int j = 0; j < NODES; j++)
            tables->cosine[k][j] =
                cos(M_PI * (k * (2 * j + 1) % (4 * NODES)) / (2 * NODES)) * (k ? 2.0 : 1.0) / NODES;
    for (int j = 0; j < NODES; j++) {
        const double root = cos(M_PI * (2 * j + 1) / (4 * NODES));
        tables->square[j] = root * root; /* (1 + cos(pi (2 j + 1) / (2 NODES))) / 2 */
    }
}

/* sin^2(delta / 2) */
static double half_sine(const armilla_radial_curve *curve, double square)
{
    double sum = curve->term[curve->nterms - 1];
    for (int t = curve->nterms - 2; t >= 0; t--) sum = sum * square + curve->term[t];
    return sum * square;
}

/* The kernel at the nodes -> Chebyshev coefficients. */
static void make_coefficients(const armilla_radial *radial, const armilla_radial_curve *curve,
                              double end, double coef[NODES])
{
    const armilla_radial_fit *tables = &radial->fit;
    double values[NODES];
    for (int j = 0; j < NODES; j++) {
        const double x = curve->x0 + curve->slope * half_sine(curve, end * tables->square[j]);
        values[j] = armilla_profile_value(&radial->profile, fmin(x, radial->profile.end));
    }
    for (int k = 0; k < NODES; k++) {
        coef[k] = 0;
        for (int j = 0; j < NODES; j++) coef[k] += values[j] * tables->cosine[k][j];
    }
}

/* Chebyshev coefficients -> those of powers, by Clenshaw's recurrence on polynomials. Rounding: as
 * coefficients fall faster than 2.4^-k, 1e-16 of the largest. */
static void make_powers(int degree, const double *coef, double *power)
{
    double b[3][NODES + 1] = {{0}};
    double *b0 = b[0], *b1 = b[1], *b2 = b[2];
    for (int k = degree; k >= 0; k--) {
        const double factor = k ? 2 : 1;
        for (int i = degree - k; i >= 0; i--) b0[i] = (i ? factor * b1[i - 1] : 0) - b2[i];
        b0[0] += coef[k];
        double *last = b2;
        b2 = b1, b1 = b0, b0 = last;
    }
    for (int i = 0; i <= degree; i++) power[i] = b1[i];
}

/* A fit within 4e-16 of the kernel's peak, if there is one. */
static armilla_radial_series fit(const armilla_radial *radial, const armilla_radial_curve *curve,
                                 double largest)
{
    const double tolerance = 1e-16 * radial->profile.peak;
    armilla_radial_series series = {.degree = -1, .end = largest * largest};
    double coef[NODES], cut = 0;
    make_coefficients(radial, curve, series.end, coef);
    int degree = NODES - 1;
    while (degree > 0 && cut + fabs(coef[degree]) <= 3 * tolerance) cut += fabs(coef[degree--]);
    if (degree > NODES - 4) return series; /* it has not converged */
    series.degree = degree;
    make_powers(degree, coef, series.coef);
    return series;
}

/* --- Links ------------------------------------------------------------------------------------ */

armilla_radial_link armilla_radial_link_make(const armilla_radial *radial,
                                             const armilla_radial_row *r, int64_t source)
{
    const armilla_radial_row *e = &radial->rows.row[source];
    const armilla_radial_reach reach = armilla_radial_rows_reach(&radial->rows, r, e);
    const double n = (double)r->n, n_source = (double)e->n, pixel = TWO_PI / n_source;
    const int64_t count = reach.whole ? e->n : 2 * reach.reach + 1;
    armilla_radial_link link = {
        .source = source,
        .count = count,
        .before = (count - 1) / 2,
        .pixel = pixel,
        .weight = radial->grid->rings[e->ring[0]].weight,
        .curve = armilla_radial_curve_make(radial, r, e, reach.largest + pixel),
        .series.degree = -1,
        .places = {.n = n, .n_source = n_source, .offset = r->shift * n_source - e->shift * n}};
    if (radial->profile.ncells == 0 && !reach.whole && r->arc >= LEAST_POSITIONS)
        link.series = fit(radial, &link.curve, reach.largest);
    return link;
}
