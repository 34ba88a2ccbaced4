/* Copies the rows of single orders between a caller's alm, doubles or floats of any stride, and
 * contiguous doubles for the Legendre stage. On the way it multiplies by factors of degrees and
 * orders, goes from real coefficients to complex ones, clears what is zero by definition, and adds
 * up what several passes over rings leave. */
#include "alm/rows.h"

#include "alm/layout.h"

#include <math.h>
#include <string.h>

armilla_alm_rows armilla_alm_rows_of(const armilla_alm_layout *layout, const int64_t *mstart,
                                     int64_t spin, int64_t ncomp, int64_t nsets,
                                     armilla_array values, int64_t distance)
{
    return (armilla_alm_rows){.values = values,
                              .distance = distance,
                              .ncomp = ncomp,
                              .nsets = nsets,
                              .lmax = layout->lmax,
                              .stride = layout->stride,
                              .mstart = mstart,
                              .spin = spin < 0 ? -spin : spin,
                              .real = 1,
                              .last = 1};
}

/* Which component of the array a set is; -1: none, for alm have fewer components than maps. */
static int64_t component_of(const armilla_alm_rows *rows, int64_t set)
{
    const int64_t component = set % rows->nsets;
    return component < rows->ncomp ? set / rows->nsets * rows->ncomp + component : -1;
}

/* The part of the array that begins with a_mm of a component. */
static armilla_array find_order(const armilla_alm_rows *rows, int64_t component, int64_t m)
{
    const int64_t start = rows->mstart[m] + m * rows->stride;
    if (rows->packed) {
        const int64_t place = m ? 2 * start - (rows->lmax + 1) : start;
        return armilla_array_from(rows->values, component * rows->distance + place);
    }
    return armilla_array_from(rows->values, 2 * (component * rows->distance + start));
}

static void multiply(double *row, int64_t count, const double *factor)
{
    for (int64_t i = 0; i < count; i++) row[2 * i] *= factor[i], row[2 * i + 1] *= factor[i];
}

static void multiply_all(double *row, int64_t count, double factor)
{
    for (int64_t i = 0; i < 2 * count; i++) row[i] *= factor;
}

static void clear_imaginary(double *row, int64_t count)
{
    for (int64_t i = 0; i < count; i++) row[2 * i + 1] = 0;
}

static void negate_imaginary(double *row, int64_t count)
{
    for (int64_t i = 0; i < count; i++) row[2 * i + 1] = -row[2 * i + 1];
}

/* Clears what is zero by definition: degrees below the spin, imaginary parts of a_l0. */
static void clear_missing(const armilla_alm_rows *rows, int64_t m, double *row, int64_t count)
{
    if (m < rows->spin) memset(row, 0, sizeof *row * (size_t)(2 * (rows->spin - m)));
    if (m == 0 && rows->real) clear_imaginary(row, count);
}

/* What the array's numbers are multiplied by on the way to rows, and theirs on the way back. */
static void change(const armilla_alm_rows *rows, int64_t m, double *row, int64_t count)
{
    if (rows->factor) multiply(row, count, rows->factor + m);
    if (rows->order_factor) multiply_all(row, count, rows->order_factor[m]);
    if (rows->conjugate && m > 0) negate_imaginary(row, count);
}

static void read_packed(armilla_array order, int64_t m, double *row, int64_t count)
{
    const double scale = sqrt(0.5);
    for (int64_t i = 0; i < count && m == 0; i++)
        row[2 * i] = armilla_array_get(order, i), row[2 * i + 1] = 0;
    for (int64_t i = 0; i < 2 * count && m > 0; i++) row[i] = scale * armilla_array_get(order, i);
}

/* add: to doubles that an earlier pass has left. */
static void write_packed(armilla_array order, int64_t m, int add, const double *row, int64_t count)
{
    const double scale = m ? sqrt(2) : 1;
    const int64_t step = m ? 1 : 2, end = m ? 2 * count : count;
    for (int64_t i = 0; i < end; i++)
        armilla_array_put(order, i,
                          scale * row[i * step] + (add ? armilla_array_get(order, i) : 0));
}

void armilla_alm_rows_read(const armilla_alm_rows *rows, int64_t set, int64_t m, double *row,
                           int64_t nrow)
{
    const int64_t component = component_of(rows, set), count = rows->lmax - m + 1;
    const int64_t step = 2 * rows->stride;
    if (component < 0) {
        memset(row, 0, sizeof *row * (size_t)nrow);
        return;
    }
    const armilla_array order = find_order(rows, component, m);
    if (rows->packed) {
        read_packed(order, m, row, count);
    } else if (order.is_float) {
        const float *values = order.values;
        for (int64_t i = 0; i < count; i++)
            row[2 * i] = (double)values[i * step], row[2 * i + 1] = (double)values[i * step + 1];
    } else {
        const double *values = order.values;
        if (step == 2) memcpy(row, values, sizeof *row * (size_t)(2 * count));
        for (int64_t i = 0; i < count && step != 2; i++)
            row[2 * i] = values[i * step], row[2 * i + 1] = values[i * step + 1];
    }
    change(rows, m, row, count);
    memset(row + 2 * count, 0, sizeof *row * (size_t)(nrow - 2 * count));
    clear_missing(rows, m, row, count);
}

int64_t armilla_alm_rows_in_place(const armilla_alm_rows *rows)
{
    const int changed = rows->factor || rows->order_factor || rows->sums || rows->later;
    if (changed || rows->packed || rows->conjugate || rows->values.is_float || rows->stride != 1 ||
        rows->ncomp != rows->nsets)
        return INT64_MAX;
    return rows->real && rows->spin == 0 ? 1 : rows->spin;
}

static void store_float(float *values, int64_t step, const double *row, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i * step] = (float)row[2 * i], values[i * step + 1] = (float)row[2 * i + 1];
}

static void store_double(double *values, int64_t step, const double *restrict row, int64_t count)
{
    if (step == 2) memcpy(values, row, sizeof *row * (size_t)(2 * count));
    for (int64_t i = 0; i < count && step != 2; i++)
        values[i * step] = row[2 * i], values[i * step + 1] = row[2 * i + 1];
}

static void add_double(double *values, int64_t step, const double *restrict row, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i * step] += row[2 * i], values[i * step + 1] += row[2 * i + 1];
}

/* Adds what earlier passes have left to a row. Returned: whether the sum is complete; if not, it is
 * left for the next pass. */
static int sum_passes(const armilla_alm_rows *rows, int64_t component, int64_t m, double *row)
{
    const int64_t count = 2 * (rows->lmax - m + 1);
    const int64_t place = rows->sums_as_array ? rows->mstart[m] + m * rows->stride
                                              : armilla_alm_index(rows->lmax, m, m);
    double *sums = rows->sums + component * rows->sums_size + 2 * place;
    for (int64_t i = 0; i < count && rows->later; i++) row[i] += sums[i];
    if (!rows->last) memcpy(sums, row, sizeof *row * (size_t)count);
    return rows->last;
}

void armilla_alm_rows_write(const armilla_alm_rows *rows, int64_t set, int64_t m, double *row)
{
    const int64_t component = component_of(rows, set), count = rows->lmax - m + 1;
    const int64_t step = 2 * rows->stride;
    if (component < 0 || (rows->sums && !sum_passes(rows, component, m, row))) return;
    clear_missing(rows, m, row, count);
    change(rows, m, row, count);
    const armilla_array order = find_order(rows, component, m);
    if (rows->packed)
        write_packed(order, m, rows->later && !rows->sums, row, count);
    else if (order.is_float)
        store_float(order.values, step, row, count);
    else if (rows->later && !rows->sums)
        add_double(order.values, step, row, count);
    else
        store_double(order.values, step, row, count);
}
