/* See mixing_table.h. */
#include "radial/mixing_table.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/roots.h"
#include "radial/kernels/mixing.h"

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

static double order_factor(const armilla_mixing_table *table, int64_t m)
{
    if (table->folded || 2 * m < table->n) return 1;
    return 2 * m == table->n ? 0.5 : 0;
}

/* exp(2 pi i k / length), 0 <= k < length. Errors: MEMORY. */
static armilla_status make_circle(int64_t length, double **circle)
{
    armilla_status status = armilla_allocate(circle, 2 * length, sizeof **circle);
    for (int64_t k = 0; k < length && !status; k++)
        armilla_root_of_unity(k, length, *circle + 2 * k);
    return status;
}

static void fill(armilla_mixing_table *table, const double *circle)
{
    const int64_t length = table->half ? 2 * table->n : table->n;
    for (int64_t j = 0; j < table->count; j++) {
        const int64_t step = table->half ? 2 * j + 1 : j;
        const double h = sin(M_PI * (double)step / (double)length);
        table->sine[j] = h * h;
        table->weight[j] = find_weight(table, j);
        if (table->half_angle) {
            table->half_angle[j] = cos(M_PI * (double)step / (double)length);
            table->half_angle[table->count + j] = h;
        }
        for (int64_t m = 0; m < table->nblocks * WIDTH; m++) {
            const int64_t place = (m / WIDTH * table->count + j) * WIDTH + m % WIDTH;
            const double *root = circle + 2 * (m * step % length), factor = order_factor(table, m);
            table->cosine[place] = factor * root[0];
            if (table->odd) table->odd[place] = factor * root[1];
        }
    }
}

static armilla_status allocate_odd(armilla_mixing_table *table)
{
    const armilla_status status =
        armilla_allocate(&table->odd, table->nblocks * table->count * WIDTH, sizeof(double));
    return status ? status : armilla_allocate(&table->half_angle, 2 * table->count, sizeof(double));
}

static armilla_status make(double angle, int turns, armilla_mixing_table *table)
{
    armilla_status status;
    double *circle;
    const double spacing = 2 * M_PI / (double)table->n;
    const int64_t wanted = (int64_t)fmin(angle / spacing, 0x1p40) + 4;
    table->count = (armilla_smaller(wanted, half_circle(table)) + 1) / 2 * 2;
    if ((status = armilla_allocate(&table->sine, table->count, sizeof(double))) ||
        (status = armilla_allocate(&table->weight, table->count, sizeof(double))) ||
        (status = armilla_allocate(&table->cosine, table->nblocks * table->count * WIDTH,
                                   sizeof(double))) ||
        (turns && (status = allocate_odd(table))) ||
        (status = make_circle(table->half ? 2 * table->n : table->n, &circle))) {
        armilla_mixing_table_clear(table);
        return status;
    }
    fill(table, circle);
    armilla_release(circle);
    return ARMILLA_OK;
}

armilla_status armilla_mixing_table_make_smooth(int64_t nblocks, double angle, int turns,
                                                armilla_mixing_table *table)
{
    *table =
        (armilla_mixing_table){.n = 2 * (nblocks * WIDTH - 1), .folded = 1, .nblocks = nblocks / 2};
    return make(angle, turns, table);
}

armilla_status armilla_mixing_table_make_discrete(int64_t n, int half, double angle, int turns,
                                                  armilla_mixing_table *table)
{
    *table = (armilla_mixing_table){.n = n, .half = half, .nblocks = n / 2 / WIDTH + 1};
    return make(angle, turns, table);
}

void armilla_mixing_table_clear(armilla_mixing_table *table)
{
    armilla_release(table->sine), armilla_release(table->weight), armilla_release(table->cosine);
    armilla_release(table->odd), armilla_release(table->half_angle);
    memset(table, 0, sizeof *table);
}

int64_t armilla_mixing_table_bytes(const armilla_mixing_table *table)
{
    const int64_t values = table->count * (2 + table->nblocks * WIDTH);
    return (table->odd ? 2 * values : values) * (int64_t)sizeof(double);
}

int64_t armilla_mixing_table_samples(const armilla_mixing_table *table, double ratio)
{
    if (ratio < 0) return 0;
    if (ratio >= 1) return table->count;
    const double angle = 2 * asin(sqrt(ratio));
    const int64_t wanted = (int64_t)(angle * (double)table->n / (2 * M_PI)) + 2;
    return armilla_smaller((wanted + 1) / 2 * 2, table->count);
}
