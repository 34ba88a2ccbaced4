/* Columns and rows of Fourier transforms in lanes (fft/kernels/lane_fft.h), for the kernels that
 * fill and read them. */
#ifndef ARMILLA_RINGFFT_KERNELS_COLUMNS_H
#define ARMILLA_RINGFFT_KERNELS_COLUMNS_H

#include "fft/kernels/lane_fft.h"
#include "ringfft/kernels/kernels.h"

/* Transforms rows begin .. end - 1. */
ARMILLA_ALWAYS_INLINE void run_rows(const armilla_lane_fft *fft, int64_t begin, int64_t end,
                                    double *columns)
{
    if (begin < end) ARMILLA_KERNEL(armilla_lane_fft_run_rows)
    (fft, begin, end - begin, columns + begin * COMPLEX, fft->step);
}

/* The first half of a near transform: all of its columns, or the whole transform. */
ARMILLA_ALWAYS_INLINE void run_near(const armilla_lane_fft *fft, double *columns)
{
    if (fft->whole)
        ARMILLA_KERNEL(armilla_lane_fft_run_whole)(fft, columns);
    else
        ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, fft->length[1], columns, fft->step);
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

/* Reads `width` neighbouring points of the rings, from the one numbered `point` on, to number
 * place[0] of as many columns, and those `distance` points further to place[1], `count` times. */
typedef void read_points(const armilla_ring_lanes *lanes, int64_t point, int64_t distance,
                         int64_t count, const int64_t *place, double *const *column);

/* Samples to numbers in sequence, which are transformed. The last block begins with some of the one
 * before. */
ARMILLA_ALWAYS_INLINE void read_whole(const armilla_ring_lanes *lanes, const int width,
                                      read_points *read, double *numbers)
{
    const int64_t n = lanes->fft->n;
    double *column[ARMILLA_RING_WIDTH];
    for (int64_t i = 0; i < width; i++) column[i] = numbers + i * COMPLEX;
    for (int64_t j = 0; j < n; j += width) {
        const int64_t start = j + width < n ? j : n - width;
        read(lanes, start, 0, 1, &start, column);
    }
    ARMILLA_KERNEL(armilla_lane_fft_run_whole)(lanes->fft, numbers);
}

/* Samples to columns, or to all numbers of a whole transform, and the first half of the transform.
 * The last block begins with columns of the one before where n2 is no multiple of the width; these
 * go behind all columns. */
ARMILLA_ALWAYS_INLINE void read_rings(const armilla_ring_lanes *lanes, const int width,
                                      read_points *read, double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1];
    if (fft->whole) {
        read_whole(lanes, width, read, columns);
        return;
    }
    for (int64_t p = 0; p < n2; p += width) {
        const int64_t start = p + width < n2 ? p : n2 - width;
        double *column[ARMILLA_RING_WIDTH];
        for (int64_t i = 0; i < width; i++)
            column[i] = start + i < p ? columns + n2 * fft->step * COMPLEX
                                      : find_column(fft, columns, start + i);
        read(lanes, start, n2, n1, fft->place[0], column);
        run_columns(fft, column + (p - start), width - (p - start));
    }
}

/* Lanes to numbers of rings that lie anywhere, those at `at`; where a ring is missing (NULL), to
 * none. */
ARMILLA_ALWAYS_INLINE void store_lanes(double *const *ring, int64_t at, vec x)
{
    _Alignas(64) double lanes[VLEN];
    v_store(lanes, x);
    for (int i = 0; i < VLEN; i++)
        if (ring[i]) ring[i][at] = lanes[i];
}

/* The inverse; 0 where a ring is missing. */
ARMILLA_ALWAYS_INLINE vec load_lanes(double *const *ring, int64_t at)
{
    _Alignas(64) double lanes[VLEN];
    for (int i = 0; i < VLEN; i++) lanes[i] = ring[i] ? ring[i][at] : 0;
    return v_load(lanes);
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
