/* Multiplies coefficients of sky and beam. Every number is the work of one thread, in one sequence
 * of sums, so that results do not depend on the number of threads. */
#include "beams/mix.h"

#include "alm/layout.h"
#include "base/integer.h"
#include "base/team.h"
#include "sht/mode.h"

#include <math.h>

enum { DEGREES = 32 }; /* of a task of the beam */

static int64_t lmax_of(const armilla_beams_mix *mix)
{
    return mix->plan->layout->lmax;
}

/* Order k of a component of the beam, from degree 0 on. */
static double *beam_row(const armilla_beams_mix *mix, int64_t component)
{
    const int64_t start = armilla_alm_index(lmax_of(mix), mix->k, mix->k) - mix->k;
    return mix->beam + 2 * (component * mix->plan->blm_size + start);
}

static int64_t nsets(const armilla_beams_mix *mix)
{
    return armilla_mode_nmap(mix->k);
}

static const armilla_alm_layout *layout_of(const armilla_beams_mix *mix)
{
    return mix->plan->layout;
}

/* The rows of order m, which begin with degree 0: of a component of the sky, of E or B. */
static double *sky_row(const armilla_beams_mix *mix, int64_t component, int64_t m)
{
    return mix->sky + 2 * (component * mix->distance + layout_of(mix)->mstart[m]);
}

static double *plane_row(const armilla_beams_mix *mix, int64_t set, int64_t m)
{
    return mix->rows + 2 * (set * mix->plan->alm_size + layout_of(mix)->mstart[m]);
}

/* --- Factors of degrees ----------------------------------------------------------------------- */

int64_t armilla_beams_factors(const armilla_beams *plan)
{
    return 2 * plan->components * (plan->layout->lmax + 1);
}

static double scale_of(int64_t l, int64_t k)
{
    return (k ? -1 : 1) * sqrt(4 * M_PI / (double)(2 * l + 1));
}

static double *factor_of(const armilla_beams_mix *mix, int64_t set, int64_t component)
{
    return mix->factor + (set * mix->plan->components + component) * (lmax_of(mix) + 1);
}

static void fill_factors(const armilla_beams_mix *mix)
{
    const int64_t lmax = lmax_of(mix), k = mix->k;
    for (int64_t c = 0; c < mix->plan->components; c++) {
        const double *b = beam_row(mix, c);
        for (int64_t set = 0; set < nsets(mix); set++)
            for (int64_t l = 0; l <= lmax; l++)
                factor_of(mix, set, c)[l] = l < k ? 0 : scale_of(l, k) * b[2 * l + set];
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* to = (or, where `add`, +=) factor from, degrees first .. lmax. */
static void multiply(const double *factor, const double *restrict from, int64_t first, int64_t lmax,
                     int add, double *restrict to)
{
    for (int64_t l = first; l <= lmax && !add; l++)
        to[2 * l] = factor[l] * from[2 * l], to[2 * l + 1] = factor[l] * from[2 * l + 1];
    for (int64_t l = first; l <= lmax && add; l++)
        to[2 * l] += factor[l] * from[2 * l], to[2 * l + 1] += factor[l] * from[2 * l + 1];
}

static void make_order(void *context, int64_t m, int thread)
{
    (void)thread;
    const armilla_beams_mix *mix = context;
    if (!armilla_alm_layout_has(layout_of(mix), m)) return;
    for (int64_t set = 0; set < nsets(mix); set++)
        for (int64_t c = 0; c < mix->plan->components; c++)
            multiply(factor_of(mix, set, c), sky_row(mix, c, m), m, lmax_of(mix), c > 0,
                     plane_row(mix, set, m));
}

static void add_order(void *context, int64_t m, int thread)
{
    (void)thread;
    const armilla_beams_mix *mix = context;
    if (!armilla_alm_layout_has(layout_of(mix), m)) return;
    for (int64_t c = 0; c < mix->plan->components; c++)
        for (int64_t set = 0; set < nsets(mix); set++)
            multiply(factor_of(mix, set, c), plane_row(mix, set, m), m, lmax_of(mix), mix->adds,
                     sky_row(mix, c, m));
}

static void run_orders(const armilla_beams_mix *mix, armilla_team_task task)
{
    fill_factors(mix);
    armilla_team_run(mix->nthreads, layout_of(mix)->mmax + 1, task, (void *)mix);
}

void armilla_beams_mix_rows(const armilla_beams_mix *mix)
{
    run_orders(mix, make_order);
}

void armilla_beams_mix_sky(const armilla_beams_mix *mix)
{
    run_orders(mix, add_order);
}

/* --- The beam --------------------------------------------------------------------------------- */

/* sum[l - first] += the inner product of two rows of an order, degree by degree. */
static void add_products(int64_t m, const double *a, const double *b, int64_t first, int64_t end,
                         double *sum)
{
    const double twice = m ? 2 : 1;
    for (int64_t l = first > m ? first : m; l < end; l++)
        sum[l - first] += twice * (a[2 * l] * b[2 * l] + (m ? a[2 * l + 1] * b[2 * l + 1] : 0));
}

/* Half of them for k > 0: b_lk and b_{l,-k} share the derivative. */
static void store_degrees(const armilla_beams_mix *mix, int64_t component, int64_t first,
                          int64_t end, double sum[2][DEGREES])
{
    const int64_t k = mix->k;
    double *b = beam_row(mix, component);
    for (int64_t l = first > k ? first : k; l < end; l++)
        for (int64_t set = 0; set < 2; set++)
            b[2 * l + set] = (k ? 0.5 : 1) * scale_of(l, k) * sum[set][l - first];
}

/* The row of order m of a field, whose degrees are all there, or some. */
static const double *degrees_of(const armilla_beams_by_degree *by, const armilla_beams_field *field,
                                int64_t number, int64_t m)
{
    return field->values + 2 * (number * field->distance + by->rows.start[m]);
}

static void make_degrees(void *context, int64_t task, int thread)
{
    (void)thread;
    const armilla_beams_mix *mix = context;
    const armilla_beams_by_degree *by = &mix->by_degree;
    const int64_t first = by->rows.first + task * DEGREES;
    const int64_t end = armilla_smaller(first + DEGREES, by->rows.end);
    for (int64_t c = 0; c < mix->plan->components; c++) {
        double sum[2][DEGREES] = {{0}};
        for (int64_t m = 0; m <= by->rows.mmax && m < end; m++)
            for (int64_t set = 0; set < nsets(mix); set++)
                add_products(m, degrees_of(by, &by->sky, c, m), degrees_of(by, &by->plane, set, m),
                             first, end, sum[set]);
        store_degrees(mix, c, first, end, sum);
    }
}

void armilla_beams_mix_beam(const armilla_beams_mix *mix)
{
    const int64_t count = mix->by_degree.rows.end - mix->by_degree.rows.first;
    armilla_team_run(mix->nthreads, (count + DEGREES - 1) / DEGREES, make_degrees, (void *)mix);
}
