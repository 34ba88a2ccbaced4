/* Fills the spectrum of a pair of rings from its column of leg, or the column from the spectrum,
 * whose numbers may be stored one after the other or by residues.
 *
 * Orders between 0 and n/2 go through the kernels, many at equal distances in one call. Order 0,
 * orders from n/2 on, and those below 8 of a part, whose places do not follow the rule of the
 * others, go one by one. */
#include "ringfft/spectrum.h"

#include <string.h>

/* Orders of one residue that go through a kernel before those of the next residue: the runs of all
 * residues share cache lines of the spectrum, which must still be in the cache. */
enum { CHUNK = 32 };

/* Where a place 0 <= k < n is kept. */
static const double *find_place(const armilla_spectrum *spectrum, int64_t k)
{
    if (spectrum->period == 1) return spectrum->numbers + 2 * k;
    return spectrum->residue[k % 8] + k / 8 * spectrum->step[k % 8];
}

/* Distances from one order of a run to the next. */
typedef struct {
    int64_t orders, rows;
    int64_t places; /* doubles of the spectrum */
} distances;

static distances find_distances(const armilla_spectrum *spectrum, const armilla_leg_column *column,
                                int64_t k)
{
    const int64_t period = spectrum->period;
    if (!column->part) return (distances){period, period, 2};
    return (distances){8, 4, period == 1 ? 16 : spectrum->step[k % 8]};
}

static double *find_row(const armilla_leg_column *column, int64_t row)
{
    return column->values + row * column->row_length;
}

/* The orders that go through the kernels. */
typedef struct {
    int64_t low, high;
} order_range;

static order_range regular_orders(const armilla_leg_column *column, int64_t n)
{
    int64_t low = column->part ? 8 : 1;
    int64_t high = column->last < (n - 1) / 2 ? column->last : (n - 1) / 2;
    return (order_range){low, high < low ? low - 1 : high};
}

/* A run of regular orders, and where its first one is. */
typedef struct {
    armilla_ring_run run;
    double *leg;
    const double *plus, *minus;
} placed_run;

static placed_run place_run(const armilla_spectrum *spectrum, const armilla_leg_column *column,
                            int64_t m, int64_t high, int64_t most)
{
    distances d = find_distances(spectrum, column, m);
    int64_t row = armilla_orders_row(column->part, m);
    int64_t count = m > high ? 0 : (high - m) / d.orders + 1;
    placed_run placed = {.run = {.count = count < most ? count : most}};
    if (count == 0) return placed;
    placed.run.row_length = d.rows * column->row_length;
    placed.run.place_step = d.places;
    placed.run.phase = column->phase ? column->phase + 2 * m : NULL;
    placed.run.phase_step = 2 * d.orders;
    placed.leg = find_row(column, row);
    placed.plus = find_place(spectrum, m);
    placed.minus = find_place(spectrum, spectrum->n - m);
    return placed;
}

typedef void (*run_function)(const armilla_ring_kernels *kernels, const placed_run *placed,
                             const double *scale);

/* All regular orders of a column, run by run. */
static void each_run(const armilla_ring_kernels *kernels, const armilla_spectrum *spectrum,
                     const double *scale, const armilla_leg_column *column, run_function function)
{
    const order_range range = regular_orders(column, spectrum->n);
    const int64_t period = find_distances(spectrum, column, 0).orders;
    const int64_t most = period == 1 ? range.high : CHUNK;
    for (int64_t first = range.low; first <= range.high; first += most * period)
        for (int64_t m = first; m < first + period; m++) {
            if (armilla_orders_row(column->part, m) < 0) continue;
            placed_run placed = place_run(spectrum, column, m, range.high, most);
            if (placed.run.count > 0) function(kernels, &placed, scale);
        }
}

static void spread_run(const armilla_ring_kernels *kernels, const placed_run *placed,
                       const double *scale)
{
    armilla_ring_run run = placed->run;
    (void)scale;
    run.place_step = -run.place_step;
    kernels->spread(&run, placed->leg, (double *)placed->minus, (double *)placed->plus);
}

static void gather_run(const armilla_ring_kernels *kernels, const placed_run *placed,
                       const double *scale)
{
    kernels->gather(&placed->run, placed->plus, placed->minus, scale, placed->leg);
}

/* Z from leg, plus at the place of -m. f: N re, im, S re, im of order m; c + i s = phase. */
static void add_mode(double *plus, double *minus, const double *f, double c, double s)
{
    double n_re = c * f[0] - s * f[1], n_im = c * f[1] + s * f[0];
    double s_re = c * f[2] - s * f[3], s_im = c * f[3] + s * f[2];
    plus[0] += n_re - s_im, plus[1] += n_im + s_re;
    minus[0] += n_re + s_im, minus[1] += s_re - n_im;
}

static void add_order(const armilla_leg_column *column, const armilla_spectrum *spectrum, int64_t m,
                      const double *leg)
{
    const int64_t n = spectrum->n;
    const double *phase = column->phase ? column->phase + 2 * m : NULL;
    double *plus = (double *)find_place(spectrum, (n - m % n) % n);
    double *minus = (double *)find_place(spectrum, m % n);
    if (m == 0)
        plus[0] += leg[0], plus[1] += leg[2]; /* order 0 is real */
    else
        add_mode(plus, minus, leg, phase ? phase[0] : 1, phase ? phase[1] : 0);
}

static void get_order(const armilla_leg_column *column, const armilla_spectrum *spectrum, int64_t m,
                      const double scale[2], double *leg)
{
    const int64_t n = spectrum->n;
    const double *p = find_place(spectrum, m % n), *q = find_place(spectrum, (n - m % n) % n);
    double n_re = scale[0] * (p[0] + q[0]), n_im = scale[0] * (p[1] - q[1]);
    double s_re = scale[1] * (p[1] + q[1]), s_im = scale[1] * (q[0] - p[0]);
    double c = column->phase ? column->phase[2 * m] : 1;
    double s = column->phase ? -column->phase[2 * m + 1] : 0;
    leg[0] = c * n_re - s * n_im, leg[1] = c * n_im + s * n_re;
    leg[2] = c * s_re - s * s_im, leg[3] = c * s_im + s * s_re;
}

/* The next order of the column that is not regular, from m on; above last: none. */
static int64_t next_irregular(const armilla_leg_column *column, order_range range, int64_t m)
{
    while (m <= column->last) {
        if (m >= range.low && m <= range.high)
            m = range.high + 1;
        else if (armilla_orders_row(column->part, m) < 0)
            m++;
        else
            break;
    }
    return m;
}

static double *row_of_order(const armilla_leg_column *column, int64_t m)
{
    return find_row(column, armilla_orders_row(column->part, m));
}

/* Zeros at the places first .. end - 1. */
static void clear(const armilla_spectrum *spectrum, int64_t first, int64_t end)
{
    const int64_t period = spectrum->period;
    for (int64_t k = first; k < first + period && k < end; k++) {
        int64_t count = (end - k + period - 1) / period;
        memset((double *)find_place(spectrum, k), 0, sizeof(double) * (size_t)(2 * count));
    }
}

/* Zeros at the places that no kernel fills. One part alone leaves gaps everywhere. */
static void clear_rest(const armilla_spectrum *spectrum, int ncolumns,
                       const armilla_leg_column *columns)
{
    const int64_t n = spectrum->n;
    order_range range = regular_orders(columns, n);
    if ((columns->part && ncolumns < 2) || range.high < range.low) {
        clear(spectrum, 0, n);
        return;
    }
    clear(spectrum, 0, range.low);
    clear(spectrum, range.high + 1, n - range.high);
    clear(spectrum, n - range.low + 1, n);
}

void armilla_spectrum_spread(const armilla_ring_kernels *kernels, const armilla_spectrum *spectrum,
                             int ncolumns, const armilla_leg_column *columns)
{
    clear_rest(spectrum, ncolumns, columns);
    for (int i = 0; i < ncolumns; i++) each_run(kernels, spectrum, NULL, &columns[i], spread_run);
    for (int i = 0; i < ncolumns; i++) {
        const armilla_leg_column *column = &columns[i];
        order_range range = regular_orders(column, spectrum->n);
        int64_t m = next_irregular(column, range, 0);
        for (; m <= column->last; m = next_irregular(column, range, m + 1))
            add_order(column, spectrum, m, row_of_order(column, m));
    }
}

void armilla_spectrum_gather(const armilla_ring_kernels *kernels, const armilla_spectrum *spectrum,
                             const double scale[2], const armilla_leg_column *column)
{
    order_range range = regular_orders(column, spectrum->n);
    each_run(kernels, spectrum, scale, column, gather_run);
    int64_t m = next_irregular(column, range, 0);
    for (; m <= column->last; m = next_irregular(column, range, m + 1))
        get_order(column, spectrum, m, scale, row_of_order(column, m));
}
