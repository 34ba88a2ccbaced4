/* VLEN rings at once, one per lane, north rings, then south rings; docs/mathematics.md (4.10),
 * (4.11).
 *
 * Rings are real, of n = 2 h samples: x_{2j} + i x_{2j+1} are the h points of a complex transform.
 * With h = n1 n2 that transform (fft/kernels/lane_fft.h) works first on columns, the numbers
 * p + n2 a of its input, then on rows, the numbers k + n1 b of its output. Orders m and h - m are
 * needed together: they are in the columns p and n2 - p (in analysis, rows k and n1 - k), from
 * opposite ends, so these two columns are filled (rows are read) together. Samples are written
 * (read) for a few neighbouring rows (columns) at a time, so that each cache line of each ring is
 * touched once. In between:
 *
 *     columns[place of p][k]    n2 columns, fft->step complex vectors apart
 *
 * Where the first-level cache has all columns (fft->input, fft->output say where each number goes),
 * orders and samples come one after the other instead, before all columns or after all rows: loops
 * without what belongs to each column.
 *
 * In a map along theta a sample of VLEN rings is half of what they read or write there: VLEN / 2
 * doubles of the north, as many of the south. Groups side by side have columns of their own, and
 * take turns, block by block, before samples are written or after they are read: so that each cache
 * line is touched once, too. Synthesis is the forward transform with the parts exchanged,
 * before and after. */
#ifndef ARMILLA_RINGFFT_KERNELS_LANES_H
#define ARMILLA_RINGFFT_KERNELS_LANES_H

#include "base/integer.h"
#include "ringfft/kernels/columns.h"

enum { WIDTH = ARMILLA_RING_WIDTH, POINTS = WIDTH / 2 };

typedef struct {
    vec re, im;
} complex_lanes;

ARMILLA_ALWAYS_INLINE int has_shifts_or_folds(const armilla_ring_lanes *lanes)
{
    return lanes->phase || lanes->last >= lanes->fft->n;
}

/* f exp(i m phi0) on the rings that are shifted, exp(-i m phi0) for sign = -1; f itself, to the
 * sign of a zero, on others. Given: m <= last. */
ARMILLA_ALWAYS_INLINE complex_lanes shift_order(const armilla_ring_lanes *lanes, int64_t m,
                                                const double sign, complex_lanes f)
{
    if (!lanes->phase) return f;
    const vmask shifted = v_negative(v_load(lanes->shifted));
    const vec c = v_all(lanes->phase[2 * m]), s = v_all(sign * lanes->phase[2 * m + 1]);
    const vec re = v_fnma(f.im, s, v_mul(f.re, c)), im = v_fma(f.re, s, v_mul(f.im, c));
    return (complex_lanes){v_select(shifted, re, f.re), v_select(shifted, im, f.im)};
}

#endif
