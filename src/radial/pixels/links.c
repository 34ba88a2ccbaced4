/* Prepares the radial kernel between one row of pixels and a ring with another number of them, as a
 * function of the difference in longitude: a power series for the squared sine of half the
 * distance, and, where rows are long, polynomials fitted to the kernel's values. */
#include "radial/pixels/links.h"

#include "grid/grid.h"

#include <math.h>

static const double TWO_PI = 6.283185307179586;

/* sin^2(d / 2) = d^2 / 4 - d^4 / 48 + ...: (-1)^k d^(2k+2) / (2 (2k+2)!) */
static const double TERM[ARMILLA_RADIAL_TERMS] = {0.25,
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

/* sin(d / 2) = d / 2 - d^3 / 48 + ..., and cos(d / 2) */
static const double HALF[ARMILLA_RADIAL_HALVES][2] = {
    {0.5, 1.0},
    {-0.020833333333333332, -0.125},
    {0.00026041666666666666, 0.0026041666666666665},
    {-1.5500992063492063e-06, -2.170138888888889e-05},
    {5.382288910934745e-09, 9.68812003968254e-08},
    {-1.2232474797578965e-11, -2.691144455467372e-10},
    {1.9603324996120133e-14, 5.096864498991235e-13},
    {-2.333729166204778e-17, -7.001187498614334e-16},
    {2.1449716601146855e-20, 7.292903644389931e-19},
    {-1.5679617398499164e-23, -5.958254611429682e-22},
    {9.333105594344741e-27, 3.919904349624791e-25},
    {-4.6112181790240814e-30, -2.1211603623510776e-28},
    {1.9213409079267006e-33, 9.606704539633503e-32},
    {-6.842382150736113e-37, -3.694886361397501e-35},
    {2.106644750842399e-40, 1.2218539554885916e-38},
    {-5.66302352376989e-44, -3.511074584737332e-42}};

/* Spin 2: what the curve needs for z of (8.18). */
static void add_turn(const armilla_radial_row *r, const armilla_radial_row *e, double largest,
                     armilla_radial_curve *curve)
{
    curve->difference = cos((r->theta - e->theta) / 2);
    curve->sum = cos((r->theta + e->theta) / 2);
    curve->half = HALF;
    curve->nhalf = 1;
    for (double size = 1; size > 1e-17 && curve->nhalf < ARMILLA_RADIAL_HALVES; curve->nhalf++)
        size *= largest * largest / (8 * curve->nhalf * (2 * curve->nhalf - 1));
}

armilla_radial_curve armilla_radial_curve_make(const armilla_radial_pixels *pixels,
                                               const armilla_radial_row *r,
                                               const armilla_radial_row *e, double largest)
{
    const double across = sin((r->theta - e->theta) / 2);
    armilla_radial_curve curve = {.profile = pixels->profile,
                                  .x0 = across * across,
                                  .slope = r->sine * e->sine,
                                  .nterms = 1,
                                  .term = TERM};
    for (double size = 1; size > 1e-17 && curve.nterms < ARMILLA_RADIAL_TERMS; curve.nterms++)
        size *= largest * largest / ((2 * curve.nterms + 1) * (2 * curve.nterms + 2));
    if (pixels->profile->turns) add_turn(r, e, largest, &curve);
    return curve;
}

const double *armilla_radial_curve_terms(void)
{
    return TERM;
}

const double *armilla_radial_curve_halves(void)
{
    return HALF[0];
}

/* --- Rows with as many pixels ----------------------------------------------------------------- */

armilla_radial_span armilla_radial_span_find(const armilla_radial_pixels *pixels,
                                             const armilla_radial_row *r,
                                             const armilla_radial_row *e)
{
    const armilla_radial_reach reach = armilla_radial_rows_reach(&pixels->rows, r, e);
    const double pixel = TWO_PI / (double)r->n, shift = r->shift - e->shift;
    if (reach.whole) return (armilla_radial_span){-((r->n - 1) / 2), r->n};
    const int64_t first = (int64_t)ceil(shift - reach.largest / pixel);
    return (armilla_radial_span){first, (int64_t)floor(shift + reach.largest / pixel) + 1 - first};
}

int64_t armilla_radial_span_values(const armilla_radial_pixels *pixels, const armilla_radial_row *r,
                                   const armilla_radial_row *e, const armilla_radial_span *span,
                                   double *values, double *odd)
{
    const armilla_radial_reach reach = armilla_radial_rows_reach(&pixels->rows, r, e);
    const double pixel = TWO_PI / (double)r->n, shift = r->shift - e->shift;
    const armilla_radial_curve curve =
        armilla_radial_curve_make(pixels, r, e, reach.largest + pixel);
    const int64_t octets = (span->count + ARMILLA_OCTET - 1) / ARMILLA_OCTET;
    double delta[ARMILLA_OCTET];
    for (int i = 0; i < ARMILLA_OCTET; i++) delta[i] = (shift - (double)(span->first + i)) * pixel;
    pixels->kernels->values(&curve, delta, ARMILLA_OCTET * pixel, octets, values);
    if (pixels->profile->turns)
        pixels->kernels->turn(&curve, delta, ARMILLA_OCTET * pixel, octets, values, odd);
    return octets * ARMILLA_OCTET;
}

/* --- Links ------------------------------------------------------------------------------------ */

/* Rows of fewer positions are not worth the fits: with 64 nside 128 takes up to 6 % longer, with
 * 256 nside 256 up to 9 %. */
enum { LEAST_POSITIONS = 128 };

int armilla_radial_link_has_fits(const armilla_radial_pixels *pixels, const armilla_radial_row *row)
{
    return pixels->profile->ncells == 0 && row->arc >= LEAST_POSITIONS;
}

armilla_radial_link armilla_radial_link_make(const armilla_radial_pixels *pixels,
                                             const armilla_radial_row *r, int64_t source,
                                             armilla_radial_room *room)
{
    const armilla_radial_row *e = &pixels->rows.row[source];
    const armilla_radial_reach reach = armilla_radial_rows_reach(&pixels->rows, r, e);
    const double n = (double)r->n, n_source = (double)e->n, pixel = TWO_PI / n_source;
    const int64_t count = reach.whole ? e->n : 2 * reach.reach + 1;
    armilla_radial_link link = {
        .source = source,
        .count = count,
        .before = (count - 1) / 2,
        .pixel = pixel,
        .weight = pixels->grid->rings[e->ring[0]].weight,
        .curve = armilla_radial_curve_make(pixels, r, e, reach.largest + pixel),
        .places = {.n = n, .n_source = n_source, .offset = r->shift * n_source - e->shift * n}};
    if (armilla_radial_link_has_fits(pixels, r) && !reach.whole && reach.reach)
        armilla_radial_series_make(pixels, &link.curve, reach.reach, pixel, reach.largest, room,
                                   &link.series, pixels->profile->turns ? &link.odd : NULL);
    return link;
}
