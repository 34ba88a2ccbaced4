/* See coefficients.h. */
#include "sht/coefficients.h"

#include <string.h>

static void clear_imaginary(double *row, int64_t count)
{
    for (int64_t i = 0; i < count; i++) row[2 * i + 1] = 0;
}

static void multiply(double *row, int64_t count, const double *factor)
{
    for (int64_t i = 0; i < count; i++) row[2 * i] *= factor[i], row[2 * i + 1] *= factor[i];
}

void armilla_coefficients_read(armilla_array alm, const armilla_alm_layout *layout, int64_t m,
                               const double *factor, double *row, int64_t nrow)
{
    const int64_t count = layout->lmax - m + 1, step = 2 * layout->stride;
    const int64_t start = 2 * (layout->mstart[m] + m * layout->stride);
    if (alm.is_float) {
        const float *values = (const float *)alm.values + start;
        for (int64_t i = 0; i < count; i++)
            row[2 * i] = (double)values[i * step], row[2 * i + 1] = (double)values[i * step + 1];
    } else {
        const double *values = (const double *)alm.values + start;
        if (step == 2) memcpy(row, values, sizeof *row * (size_t)(2 * count));
        for (int64_t i = 0; i < count && step != 2; i++)
            row[2 * i] = values[i * step], row[2 * i + 1] = values[i * step + 1];
    }
    if (factor) multiply(row, count, factor + m);
    memset(row + 2 * count, 0, sizeof(double) * (size_t)(nrow - 2 * count));
    if (m == 0) clear_imaginary(row, count);
}

static void write_float(float *values, int64_t step, const double *row, int64_t count, int store)
{
    for (int64_t i = 0; i < count; i++) {
        float *target = values + i * step;
        target[0] = (float)(row[2 * i] + (store ? 0 : (double)target[0]));
        target[1] = (float)(row[2 * i + 1] + (store ? 0 : (double)target[1]));
    }
}

static void write_double(double *values, int64_t step, const double *restrict row, int64_t count,
                         int store)
{
    if (step == 2 && store) {
        memcpy(values, row, sizeof *row * (size_t)(2 * count));
        return;
    }
    if (step == 2) {
        for (int64_t i = 0; i < 2 * count; i++) values[i] += row[i];
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        double *target = values + i * step;
        target[0] = row[2 * i] + (store ? 0 : target[0]);
        target[1] = row[2 * i + 1] + (store ? 0 : target[1]);
    }
}

void armilla_coefficients_write(armilla_array alm, const armilla_alm_layout *layout, int64_t m,
                                const double *factor, double *row, int store)
{
    const int64_t count = layout->lmax - m + 1, step = 2 * layout->stride;
    const int64_t start = 2 * (layout->mstart[m] + m * layout->stride);
    if (m == 0) clear_imaginary(row, count);
    if (factor) multiply(row, count, factor + m);
    if (alm.is_float)
        write_float((float *)alm.values + start, step, row, count, store);
    else
        write_double((double *)alm.values + start, step, row, count, store);
}
