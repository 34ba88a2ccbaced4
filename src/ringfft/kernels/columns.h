/* Columns and rows of Fourier transforms in lanes (fft/kernels/lane_fft.h), for the kernels that
 * fill and read them. */
#ifndef ARMILLA_RINGFFT_KERNELS_COLUMNS_H
#define ARMILLA_RINGFFT_KERNELS_COLUMNS_H

#include "fft/kernels/lane_fft.h"

/* Transforms rows begin .. end - 1. */
ARMILLA_ALWAYS_INLINE void run_rows(const armilla_lane_fft *fft, int64_t begin, int64_t end,
                                    double *columns)
{
    if (begin < end) ARMILLA_KERNEL(armilla_lane_fft_run_rows)
    (fft, begin, end - begin, columns + begin * COMPLEX, fft->step);
}

/* As many at once as are equally far apart: fewer calls. */
ARMILLA_ALWAYS_INLINE void run_columns(const armilla_lane_fft *fft, double *const *column,
                                       int64_t count)
{
    for (int64_t i = 0, end; i < count; i = end) {
        const int64_t next = i + 1 < count ? column[i + 1] - column[i] : 0;
        for (end = i + 1; end < count && column[end] - column[end - 1] == next;) end++;
        ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, end - i, column[i], next / COMPLEX);
    }
}

ARMILLA_ALWAYS_INLINE double *find_column(const armilla_lane_fft *fft, double *columns, int64_t p)
{
    return columns + fft->place[1][p] * fft->step * COMPLEX;
}

/* A complex vector of leg that will be read, or written. */
ARMILLA_ALWAYS_INLINE void ask_for_row(const double *leg, int write)
{
    for (int i = 0; i < COMPLEX; i += 8) {
        if (write)
            ARMILLA_PREFETCH_WRITE(leg + i);
        else
            ARMILLA_PREFETCH(leg + i);
    }
}

#endif
