/* See links.h. */
#include "radial/links.h"

#include "grid/grid.h"

#include <math.h>

static const double TWO_PI = 6.283185307179586;

/* Spin 2: what the curve needs for z of (8.18). sin(d / 2) = d / 2 - d^3 / 48 + ..., and the
 * cosine. */
static void add_turn(const armilla_radial_row *r, const armilla_radial_row *e, double largest,
                     armilla_radial_curve *curve)
{
    enum { HALF_TERMS = 16 };
    static const double sine[HALF_TERMS] = {0.5,
                                            -0.020833333333333332,
                                            0.00026041666666666666,
                                            -1.5500992063492063e-06,
                                            5.382288910934745e-09,
                                            -1.2232474797578965e-11,
                                            1.9603324996120133e-14,
                                            -2.333729166204778e-17,
                                            2.1449716601146855e-20,
                                            -1.5679617398499164e-23,
                                            9.333105594344741e-27,
                                            -4.6112181790240814e-30,
                                            1.9213409079267006e-33,
                                            -6.842382150736113e-37,
                                            2.106644750842399e-40,
                                            -5.66302352376989e-44};
    static const double cosine[HALF_TERMS] = {1.0,
                                              -0.125,
                                              0.0026041666666666665,
                                              -2.170138888888889e-05,
                                              9.68812003968254e-08,
                                              -2.691144455467372e-10,
                                              5.096864498991235e-13,
                                              -7.001187498614334e-16,
                                              7.292903644389931e-19,
                                              -5.958254611429682e-22,
                                              3.919904349624791e-25,
                                              -2.1211603623510776e-28,
                                              9.606704539633503e-32,
                                              -3.694886361397501e-35,
                                              1.2218539554885916e-38,
                                              -3.511074584737332e-42};
    curve->difference = cos((r->theta - e->theta) / 2);
    curve->sum = cos((r->theta + e->theta) / 2);
    curve->sine = sine, curve->cosine = cosine;
    curve->nhalf = 1;
    for (double size = 1; size > 1e-17 && curve->nhalf < HALF_TERMS; curve->nhalf++)
        size *= largest * largest / (8 * curve->nhalf * (2 * curve->nhalf - 1));
}

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
    if (radial->options.spin) add_turn(r, e, largest, &curve);
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

/* What a fit is of: K, or of spin 2 the real part of its weight, or the imaginary one over delta.
 */
typedef enum { FIT_KERNEL, FIT_EVEN, FIT_ODD } fit_kind;

/* Of K at a difference in longitude. */
static double find_value(const armilla_radial_curve *curve, double kernel, double delta,
                         fit_kind kind)
{
    if (kind == FIT_KERNEL) return kernel;
    const double p = curve->difference * cos(delta / 2), q = curve->sum * sin(delta / 2);
    const double re = p * p - q * q, im = 2 * p * q, size = p * p + q * q;
    const double scale = size < ARMILLA_RADIAL_ANTIPODE ? 0 : kernel / (size * size);
    return kind == FIT_EVEN ? scale * (re * re - im * im) : -2 * scale * re * im / delta;
}

/* The kernel at the nodes -> Chebyshev coefficients. */
static void make_coefficients(const armilla_radial *radial, const armilla_radial_curve *curve,
                              fit_kind kind, double end, double coef[NODES])
{
    const armilla_radial_fit *tables = &radial->fit;
    double values[NODES];
    for (int j = 0; j < NODES; j++) {
        const double square = end * tables->square[j];
        const double x = curve->x0 + curve->slope * half_sine(curve, square);
        const double kernel = armilla_profile_value(&radial->profile, fmin(x, radial->profile.end));
        values[j] = find_value(curve, kernel, sqrt(square), kind);
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
                                 fit_kind kind, double largest)
{
    const int odd = kind == FIT_ODD;
    const double tolerance = 1e-16 * radial->profile.peak / (odd ? largest : 1);
    armilla_radial_series series = {.degree = -1, .odd = odd, .end = largest * largest};
    double coef[NODES], cut = 0;
    make_coefficients(radial, curve, kind, series.end, coef);
    int degree = NODES - 1;
    while (degree > 0 && cut + fabs(coef[degree]) <= 3 * tolerance) cut += fabs(coef[degree--]);
    if (degree > NODES - 4) return series; /* it has not converged */
    series.degree = degree;
    make_powers(degree, coef, series.coef);
    return series;
}

/* --- Links ------------------------------------------------------------------------------------ */

/* Of spin 2 both parts, or none. */
static void fit_link(const armilla_radial *radial, double largest, armilla_radial_link *link)
{
    const int turns = radial->options.spin != 0;
    link->series = fit(radial, &link->curve, turns ? FIT_EVEN : FIT_KERNEL, largest);
    if (!turns || link->series.degree < 0) return;
    link->odd = fit(radial, &link->curve, FIT_ODD, largest);
    if (link->odd.degree < 0) link->series.degree = -1;
}

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
        fit_link(radial, reach.largest, &link);
    return link;
}
