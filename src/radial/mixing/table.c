/* Chooses the longitudes at which the radial kernel between two rings is sampled, and tabulates
 * their weights and the cosines and sines that turn samples into Fourier coefficients. */
#include "radial/mixing/table.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/roots.h"
#include "radial/mixing/kernels/mixing.h"

#include <math.h>
#include <string.h>

enum { WIDTH = ARMILLA_MIXING_WIDTH };

/* Samples with 0 <= phi_j <= pi. */
static int64_t half_circle(const armilla_mixing_table *table)
{
    return table->half ? (table->n + 1) / 2 : table->n / 2 + 1;
}

/* Every sample stands for its mirror image as well, unless it is that. */
static double find_weight(const armilla_mixing_table *table, int64_t j)
{
    const int64_t twice = table->half ? 2 * j + 1 : 2 * j;
    if (j >= half_circle(table)) return 0;
    return (twice == 0 || twice == table->n ? 1 : 2) / (double)table->n;
}

static int64_t circle_length(const armilla_mixing_table *table)
{
    return table->half ? 2 * table->n : table->n;
}

/* exp(2 pi i k / length), 0 <= k < length. Errors: MEMORY. */
static armilla_status make_circle(int64_t length, double **circle)
{
    armilla_status status = armilla_allocate(circle, 2 * length, sizeof **circle);
    if (status) return status;
    double *root = *circle;
    for (int64_t k = 0; 2 * k <= length; k++) armilla_root_of_unity(k, length, root + 2 * k);
    for (int64_t k = 1; 2 * k < length; k++) {
        root[2 * (length - k)] = root[2 * k];
        root[2 * (length - k) + 1] = -root[2 * k + 1];
    }
    return ARMILLA_OK;
}

static int64_t tabulated_spans(const armilla_mixing_table *table)
{
    return table->folded ? table->nspans : 1;
}

static void fill(armilla_mixing_table *table, const double *circle)
{
    const int64_t length = circle_length(table);
    for (int64_t j = 0; j < table->count; j++) {
        const int64_t step = table->half ? 2 * j + 1 : j;
        const double h = sin(M_PI * (double)step / (double)length);
        table->sine[j] = h * h;
        table->weight[j] = find_weight(table, j);
        if (table->half_angle) {
            table->half_angle[j] = cos(M_PI * (double)step / (double)length);
            table->half_angle[table->count + j] = h;
        }
        int64_t at = 0; /* m step modulo length */
        for (int64_t m = 0; m < tabulated_spans(table) * WIDTH; m++) {
            const int64_t place = (m / WIDTH * table->count + j) * WIDTH + m % WIDTH;
            table->cosine[place] = circle[2 * at];
            if (table->odd) table->odd[place] = circle[2 * at + 1];
            at += step;
            if (at >= length) at -= length;
        }
    }
}

static armilla_status allocate(int turns, armilla_mixing_table *table)
{
    const int64_t size = tabulated_spans(table) * table->count * WIDTH;
    armilla_status status = armilla_allocate(&table->sine, table->count, sizeof(double));
    if (!status) status = armilla_allocate(&table->weight, table->count, sizeof(double));
    if (!status) status = armilla_allocate(&table->cosine, size, sizeof(double));
    if (!status && (turns || !table->folded))
        status = armilla_allocate(&table->odd, size, sizeof(double));
    if (!status && turns)
        status = armilla_allocate(&table->half_angle, 2 * table->count, sizeof(double));
    return status;
}

static armilla_status make(double angle, int turns, armilla_mixing_table *table)
{
    double *circle = NULL;
    const double spacing = 2 * M_PI / (double)table->n;
    const int64_t wanted = (int64_t)fmin(angle / spacing, 0x1p40) + 4;
    table->count = (armilla_smaller(wanted, half_circle(table)) + 1) / 2 * 2;
    armilla_status status = make_circle(circle_length(table), &circle);
    if (!status) status = allocate(turns, table);
    if (!status) fill(table, circle);
    if (table->folded)
        armilla_release(circle);
    else
        table->circle = circle;
    if (status) armilla_mixing_table_clear(table);
    return status;
}

armilla_status armilla_mixing_table_make_smooth(int64_t nspans, double angle, int turns,
                                                armilla_mixing_table *table)
{
    *table =
        (armilla_mixing_table){.n = 2 * (nspans * WIDTH - 1), .folded = 1, .nspans = nspans / 2};
    return make(angle, turns, table);
}

armilla_status armilla_mixing_table_make_discrete(int64_t n, int half, double angle, int turns,
                                                  armilla_mixing_table *table)
{
    *table = (armilla_mixing_table){.n = n, .half = half, .nspans = n / 2 / WIDTH + 1};
    return make(angle, turns, table);
}

/* Orders n / 2 and -n / 2 are one, and there are none beyond. */
static void end_waves(const armilla_mixing_table *table, int64_t span, int64_t from, int64_t to,
                      double *values)
{
    for (int64_t at = from * WIDTH; at < to * WIDTH; at++) {
        const int64_t m = span * WIDTH + at % WIDTH;
        if (2 * m >= table->n) values[at] *= 2 * m == table->n ? 0.5 : 0;
    }
}

void armilla_mixing_table_fill_span(const armilla_mixing_kernels *kernels,
                                    const armilla_mixing_table *table, int64_t span, int64_t from,
                                    int64_t to, double *cosines, double *sines)
{
    const int64_t length = circle_length(table), first = span * WIDTH % length;
    const int64_t apart = (table->half ? 2 : 1) * first % length;
    const armilla_mixing_waves waves = {.count = to - from,
                                        .cosine = table->cosine + from * WIDTH,
                                        .sine = table->odd + from * WIDTH,
                                        .circle = table->circle,
                                        .length = length,
                                        .start =
                                            ((table->half ? first : 0) + from * apart) % length,
                                        .step = apart};
    kernels->waves(&waves, cosines + from * WIDTH, sines ? sines + from * WIDTH : NULL);
    if (2 * (span + 1) * WIDTH <= table->n) return;
    end_waves(table, span, from, to, cosines);
    if (sines) end_waves(table, span, from, to, sines);
}

void armilla_mixing_table_clear(armilla_mixing_table *table)
{
    armilla_release(table->sine), armilla_release(table->weight), armilla_release(table->cosine);
    armilla_release(table->odd), armilla_release(table->half_angle);
    armilla_release(table->circle);
    memset(table, 0, sizeof *table);
}

int64_t armilla_mixing_table_bytes(const armilla_mixing_table *table)
{
    const int64_t waves = tabulated_spans(table) * table->count * WIDTH;
    const int64_t angles = table->count * (table->half_angle ? 4 : 2);
    const int64_t circle = table->circle ? 2 * circle_length(table) : 0;
    return ((table->odd ? 2 : 1) * waves + angles + circle) * (int64_t)sizeof(double);
}

int64_t armilla_mixing_table_samples(const armilla_mixing_table *table, double ratio)
{
    if (ratio < 0) return 0;
    if (ratio >= 1) return table->count;
    const double angle = 2 * asin(sqrt(ratio));
    const int64_t wanted = (int64_t)(angle * (double)table->n / (2 * M_PI)) + 2;
    return armilla_smaller((wanted + 1) / 2 * 2, table->count);
}
