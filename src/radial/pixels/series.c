/* Fits polynomials in the longitude to a radial kernel between two rows of pixels, one for each
 * distance in whole pixels, by its values at Chebyshev nodes; reports where these do not
 * converge. */
#include "radial/pixels/series.h"

#include "base/real.h"

#include <math.h>
#include <string.h>

enum { OCTET = ARMILLA_OCTET, NODES = ARMILLA_RADIAL_NODES, PLANES = ARMILLA_RADIAL_PLANES };

/* --- Tables ----------------------------------------------------------------------------------- */

void armilla_radial_fit_fill(armilla_radial_fit *tables)
{
    for (int j = 0; j < NODES; j++) {
        tables->node[j] = cos(M_PI * (2 * j + 1) / (2 * NODES));
        for (int k = 0; k < NODES; k++)
            tables->chebyshev[j][k] =
                cos(M_PI * (k * (2 * j + 1) % (4 * NODES)) / (2 * NODES)) * (k ? 2.0 : 1.0) / NODES;
    }
    /* T_0 = 1, T_1 = s, T_k = 2 s T_(k-1) - T_(k-2) */
    memset(tables->power, 0, sizeof tables->power);
    tables->power[0][0] = tables->power[1][1] = 1;
    for (int k = 2; k < NODES; k++)
        for (int i = 0; i <= k; i++)
            tables->power[k][i] =
                (i ? 2 * tables->power[k - 1][i - 1] : 0) - tables->power[k - 2][i];
}

/* --- One fit ---------------------------------------------------------------------------------- */

/* Rows of a table of all distances, and those that `transform` asks for beyond. */
static int64_t count_rows(int64_t reach)
{
    return reach + 1 + 3;
}

int64_t armilla_radial_series_size(int64_t reach)
{
    return NODES * (reach + 1);
}

int64_t armilla_radial_series_work(int64_t reach)
{
    return 3 * NODES * count_rows(reach);
}

/* The last polynomial's interval reaches to the support from where the one before ends, or from a
 * quarter of a pixel within: fits of an interval that is nothing next to SLACK would have nodes
 * beyond the support. */
typedef struct {
    double middle, half; /* radians */
} interval;

static interval find_last(int64_t reach, double pixel, double largest)
{
    const double from = fmin(((double)reach - 0.5) * pixel, largest - pixel / 4);
    return (interval){(largest + from) / 2, (largest - from) / 2};
}

/* Values at the nodes of each polynomial; of spin 2 both parts. */
static void find_values(const armilla_radial_pixels *pixels, const armilla_radial_curve *curve,
                        int64_t reach, double pixel, interval last, double *even, double *odd)
{
    const armilla_radial_kernels *kernels = pixels->kernels;
    const int64_t rows = count_rows(reach);
    for (int part = 0; part < 2 * PLANES; part++) {
        const int plane = part / 2, is_last = part % 2;
        const int64_t at = (plane * rows + (is_last ? reach : 0)) * OCTET;
        const int64_t count = is_last ? 1 : reach;
        double delta[OCTET];
        for (int i = 0; i < OCTET; i++) {
            const double node = pixels->fit.node[plane * OCTET + i];
            delta[i] = is_last ? last.middle + last.half * node : node * pixel / 2;
        }
        kernels->values(curve, delta, -pixel, count, even + at);
        if (odd) kernels->turn(curve, delta, -pixel, count, even + at, odd + at);
    }
}

/* Terms beyond which all polynomials have less than the tolerance; even. */
static int find_terms(const double *chebyshev, int64_t reach, double tolerance)
{
    const int64_t rows = count_rows(reach);
    double most[NODES] = {0}, cut = 0;
    for (int plane = 0; plane < PLANES; plane++)
        for (int64_t k = 0; k <= reach; k++)
            for (int i = 0; i < OCTET; i++)
                most[plane * OCTET + i] = armilla_larger_real(
                    most[plane * OCTET + i], fabs(chebyshev[(plane * rows + k) * OCTET + i]));
    int terms = NODES;
    while (terms > 1 && cut + most[terms - 1] <= 3 * tolerance) cut += most[--terms];
    if (terms > NODES - 3) return 0; /* it has not converged */
    return (terms + 1) / 2 * 2;
}

/* Values at the nodes -> Chebyshev coefficients -> those of powers. Rounding: as coefficients fall
 * faster than 2.4^-k, 1e-16 of the largest. */
static int fit(const armilla_radial_pixels *pixels, int64_t reach, double tolerance, double *values,
               double *chebyshev, armilla_radial_room *room)
{
    const armilla_radial_kernels *kernels = pixels->kernels;
    const int64_t rows = count_rows(reach);
    kernels->transform(pixels->fit.chebyshev[0], NODES, reach + 1, rows, values, chebyshev);
    const int terms = find_terms(chebyshev, reach, tolerance);
    if (!terms) return 0;
    kernels->transform(pixels->fit.power[0], terms, reach + 1, rows, chebyshev, values);
    for (int64_t k = 0; k <= reach; k++)
        for (int i = 0; i < terms; i++)
            room->coef[k * terms + i] = values[(i / OCTET * rows + k) * OCTET + i % OCTET];
    room->coef += (reach + 1) * terms, room->used += (reach + 1) * terms;
    return terms;
}

void armilla_radial_series_make(const armilla_radial_pixels *pixels,
                                const armilla_radial_curve *curve, int64_t reach, double pixel,
                                double largest, armilla_radial_room *room,
                                armilla_radial_series *even, armilla_radial_series *odd)
{
    const int64_t size = NODES * count_rows(reach);
    const interval last = find_last(reach, pixel, largest);
    double *values = room->work, *turned = odd ? values + size : NULL;
    double *chebyshev = values + 2 * size;
    const double tolerance = 1e-16 * pixels->profile->peak;
    armilla_radial_series series = {.reach = reach,
                                    .scale = 2 / pixel,
                                    .last_place = ((double)reach * pixel - last.middle) / last.half,
                                    .last_scale = 1 / last.half,
                                    .coef = room->coef};
    find_values(pixels, curve, reach, pixel, last, values, turned);
    series.nterms = fit(pixels, reach, tolerance, values, chebyshev, room);
    *even = series;
    if (!odd) return;
    series.coef = room->coef, series.odd = 1;
    series.nterms = even->nterms ? fit(pixels, reach, tolerance, turned, chebyshev, room) : 0;
    *odd = series;
    if (!odd->nterms) even->nterms = 0;
}
