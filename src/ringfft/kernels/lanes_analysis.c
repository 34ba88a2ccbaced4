/* Rings in lanes to orders; see lanes.h. */
#include "ringfft/kernels/lanes.h"

#include <string.h>

/* WIDTH samples of each ring, POINTS points of two, times half of its weight: that costs less here
 * than on the orders, where it is no part of a load. */
ARMILLA_ALWAYS_INLINE void read_samples(double *const *ring, const vec *scale, int64_t from,
                                        double *const *to)
{
    for (int part = 0; part < WIDTH; part += VLEN) {
        vec x[VLEN];
        for (int lane = 0; lane < VLEN; lane++)
            x[lane] = v_mul(scale[lane], v_load_any(ring[lane] + from + part));
        v_transpose(x);
        for (int i = 0; i < VLEN; i++) v_store(to[(part + i) / 2] + (part + i) % 2 * VLEN, x[i]);
    }
}

ARMILLA_ALWAYS_INLINE void find_scales(const armilla_ring_lanes *lanes, vec *scale)
{
    for (int lane = 0; lane < VLEN; lane++) scale[lane] = v_all(lanes->scale[lane]);
}

static void read_blocks(const armilla_ring_lanes *lanes, int64_t point, int64_t distance,
                        int64_t count, const int64_t *place, double *const *column)
{
    double *to[POINTS];
    vec scale[VLEN];
    find_scales(lanes, scale);
    for (int64_t a = 0; a < count; a++) {
        for (int i = 0; i < POINTS; i++) to[i] = column[i] + place[a] * COMPLEX;
        read_samples(lanes->ring, scale, 2 * (point + distance * a), to);
    }
}

/* A point of each ring of maps that are not along rings, times half of the weight. */
ARMILLA_ALWAYS_INLINE void read_point(double *const *ring, vec scale, int64_t stride, int64_t point,
                                      double *to, const int mirrored)
{
    for (int i = 0; i < 2; i++) {
        const int64_t at = (2 * point + i) * stride;
        const vec x =
            mirrored ? v_load_mirrored(ring[0] + at, ring[VLEN / 2] + at) : load_lanes(ring, at);
        v_store(to + i * VLEN, v_mul(scale, x));
    }
}

/* The same as read_blocks of such maps. */
ARMILLA_ALWAYS_INLINE void read_across(const armilla_ring_lanes *lanes, int64_t point,
                                       int64_t distance, int64_t count, const int64_t *place,
                                       double *const *column, const int mirrored)
{
    const vec scale = v_load(lanes->scale);
    const int64_t stride = lanes->stride;
    double *const *ring = lanes->ring;
    for (int64_t a = 0; a < count; a++, point += distance)
        for (int i = 0; i < POINTS; i++)
            read_point(ring, scale, stride, point + i, column[i] + place[a] * COMPLEX, mirrored);
}

static void read_mirrored(const armilla_ring_lanes *lanes, int64_t point, int64_t distance,
                          int64_t count, const int64_t *place, double *const *column)
{
    read_across(lanes, point, distance, count, place, column, 1);
}

static void read_some(const armilla_ring_lanes *lanes, int64_t point, int64_t distance,
                      int64_t count, const int64_t *place, double *const *column)
{
    read_across(lanes, point, distance, count, place, column, 0);
}

/* All samples of a near transform. */
static void read_along(const armilla_ring_lanes *lanes, double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int32_t *input = fft->input;
    const int64_t n = fft->n;
    double *ring[VLEN], *to[POINTS];
    vec scale[VLEN];
    find_scales(lanes, scale);
    for (int lane = 0; lane < VLEN; lane++) ring[lane] = lanes->ring[lane];
    for (int64_t j = 0; j < n; j += POINTS) {
        const int64_t start = armilla_smaller(j, n - POINTS);
        for (int i = 0; i < POINTS; i++) to[i] = columns + input[start + i];
        read_samples(ring, scale, 2 * start, to);
    }
}

ARMILLA_ALWAYS_INLINE void read_all_across(const armilla_ring_lanes *lanes, double *columns,
                                           const int mirrored)
{
    const int32_t *input = lanes->fft->input;
    const vec scale = v_load(lanes->scale);
    const int64_t n = lanes->fft->n, stride = lanes->stride;
    for (int64_t j = 0; j < n; j++)
        read_point(lanes->ring, scale, stride, j, columns + input[j], mirrored);
}

/* All samples of a near transform, and its first half. */
static void read_near(const armilla_ring_lanes *lanes, double *columns)
{
    if (lanes->stride == 1)
        read_along(lanes, columns);
    else if (lanes->mirrored)
        read_all_across(lanes, columns, 1);
    else
        read_all_across(lanes, columns, 0);
    run_near(lanes->fft, columns);
}

/* Twice the orders k and h - k of what was read, from Z_k and Z_{h-k}. */
ARMILLA_ALWAYS_INLINE void get_orders(const double *turn, const double *place,
                                      const double *mirrored, complex_lanes *f, complex_lanes *g)
{
    const vec c = v_all(turn[0]), s = v_all(turn[1]);
    const vec z_re = v_load(place), z_im = v_load(place + VLEN);
    const vec y_re = v_load(mirrored), y_im = v_load(mirrored + VLEN);
    const vec e_re = v_add(z_re, y_re), e_im = v_sub(z_im, y_im);
    const vec d_re = v_sub(z_re, y_re), d_im = v_add(z_im, y_im);
    const vec t_re = v_fma(s, d_im, v_mul(c, d_re)), t_im = v_fnma(s, d_re, v_mul(c, d_im));
    *f = (complex_lanes){v_add(e_re, t_im), v_sub(e_im, t_re)};
    *g = (complex_lanes){v_sub(e_re, t_im), v_sub(v_all(0), v_add(e_im, t_re))};
}

static ARMILLA_NOINLINE void store_some(int64_t width, vec re, vec im, double *leg)
{
    _Alignas(64) double entries[COMPLEX];
    v_store_halves(entries, re, im);
    memcpy(leg, entries, sizeof *leg * (size_t)width);
}

/* The entries of an order, in as many columns as there are pairs. */
ARMILLA_ALWAYS_INLINE void store_order(int64_t width, vec re, vec im, double *leg)
{
    if (width == COMPLEX)
        v_store_halves(leg, re, im);
    else
        store_some(width, re, im, leg);
}

/* f as order m. */
ARMILLA_ALWAYS_INLINE void put_order(const armilla_ring_lanes *lanes, int64_t m, complex_lanes f,
                                     double *leg, const int general)
{
    if (general) f = shift_order(lanes, m, -1, f);
    leg += m * lanes->row_length;
    if (lanes->stream && lanes->width == COMPLEX)
        v_stream_halves(leg, f.re, f.im);
    else
        store_order(lanes->width, f.re, f.im, leg);
}

/* The orders of frequency k. neighbour: doubles to the row that the next call writes. */
ARMILLA_ALWAYS_INLINE void put_frequency(const armilla_ring_lanes *lanes, int64_t k,
                                         int64_t neighbour, complex_lanes f, double *leg,
                                         const int general)
{
    const int64_t mirrored = 2 * lanes->fft->n - k;
    if (k > lanes->last) return;
    if (!lanes->stream) ask_for_row(leg + k * lanes->row_length + neighbour, 1);
    put_order(lanes, k, f, leg, general);
    if (!general || mirrored > lanes->last) return;
    f.im = v_sub(v_all(0), f.im);
    put_order(lanes, mirrored, f, leg, 1);
}

/* Numbers b = begin .. end - 1 of row k, which is `first`, and their mirror images. */
ARMILLA_ALWAYS_INLINE void get_row(const armilla_ring_lanes *lanes, int64_t k, int64_t begin,
                                   int64_t end, const double *first, const double *second,
                                   double *leg, const int general)
{
    const int64_t h = lanes->fft->n, n1 = lanes->fft->length[0], n2 = lanes->fft->length[1];
    const int64_t last = lanes->last, row = lanes->row_length, next = lanes->fft->step * COMPLEX;
    const double *turn = lanes->turn, *mirrored = second + (n2 - 1 + (k == 0)) * next;
    for (int64_t b = begin; b < end; b++) {
        const int64_t m = k + n1 * b;
        complex_lanes f, g;
        if (m > last && h - m > last) continue;
        get_orders(turn + 2 * m, first + b * next, mirrored - b * next, &f, &g);
        put_frequency(lanes, m, row, f, leg, general);
        put_frequency(lanes, h - m, -row, g, leg, general);
    }
}

/* Order 0 is the sum of all samples; order h that of the even ones without that of the odd ones. */
static void get_order_zero(const armilla_ring_lanes *lanes, const double *first, double *leg)
{
    const int64_t h = lanes->fft->n;
    const vec even = v_load(first), odd = v_load(first + VLEN);
    const vec zero = v_add(even, odd), nyquist = v_sub(even, odd);
    put_order(lanes, 0, (complex_lanes){v_add(zero, zero), v_all(0)}, leg, 0);
    if (h <= lanes->last)
        put_order(lanes, h, (complex_lanes){v_add(nyquist, nyquist), v_all(0)}, leg, 1);
}

/* Rows k and n1 - k, or the one that is both. */
ARMILLA_ALWAYS_INLINE void gather_rows(const armilla_ring_lanes *lanes, int64_t k,
                                       const double *columns, double *leg, const int general)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1];
    const int alone = k == 0 || 2 * k == n1, skip = k == 0;
    const double *first = columns + k * COMPLEX;
    const double *second = alone ? first : columns + (n1 - k) * COMPLEX;
    if (k == 0) get_order_zero(lanes, first, leg);
    get_row(lanes, k, skip, alone ? (n2 + skip + 1) / 2 : n2, first, second, leg, general);
}

static void gather(const armilla_ring_lanes *lanes, int64_t begin, int64_t end,
                   const double *columns, double *leg)
{
    if (has_shifts_or_folds(lanes))
        for (int64_t k = begin; k < end; k++) gather_rows(lanes, k, columns, leg, 1);
    else
        for (int64_t k = begin; k < end; k++) gather_rows(lanes, k, columns, leg, 0);
}

/* Orders m and h - m for m = begin .. end - 1, the first of which only for h - m > last. whole: all
 * columns of an order are of pairs. */
ARMILLA_ALWAYS_INLINE void get_range(const armilla_ring_lanes *lanes, const double *columns,
                                     int64_t begin, int64_t end, double *leg, const int both,
                                     const int whole)
{
    const int64_t h = lanes->fft->n, row = lanes->row_length;
    const int64_t width = whole ? COMPLEX : lanes->width;
    const int32_t *output = lanes->fft->output + begin, *mirrored = lanes->fft->output + h - begin;
    const double *turn = lanes->turn + 2 * begin;
    double *up = leg + begin * row, *down = leg + (h - begin) * row;
    for (int64_t m = 0; m < end - begin; m++, up += row, down -= row) {
        complex_lanes f, g;
        get_orders(turn + 2 * m, columns + output[m], columns + mirrored[-m], &f, &g);
        ask_for_row(up + row, 1);
        if (both) ask_for_row(down - row, 1);
        store_order(width, f.re, f.im, up);
        if (both) store_order(width, g.re, g.im, down);
    }
}

/* All rows, order by order. */
static void gather_near(const armilla_ring_lanes *lanes, const double *columns, double *leg)
{
    const int64_t h = lanes->fft->n, last = lanes->last, end = armilla_smaller(h / 2, last) + 1;
    const int64_t both = armilla_smaller(armilla_larger(h - last, 1), end);
    get_order_zero(lanes, columns, leg);
    if (lanes->width == COMPLEX) {
        get_range(lanes, columns, 1, both, leg, 0, 1);
        get_range(lanes, columns, both, end, leg, 1, 1);
    } else {
        get_range(lanes, columns, 1, both, leg, 0, 0);
        get_range(lanes, columns, both, end, leg, 1, 0);
    }
}

/* Samples to columns, and the first half of the transform. */
static void read_one(const armilla_ring_lanes *lanes, double *columns)
{
    if (lanes->fft->input)
        read_near(lanes, columns);
    else if (lanes->stride == 1)
        read_rings(lanes, POINTS, read_blocks, columns);
    else
        read_rings(lanes, POINTS, lanes->mirrored ? read_mirrored : read_some, columns);
}

/* The second half, and columns to orders. */
static void write_orders(const armilla_ring_lanes *lanes, double *columns, double *leg)
{
    const int64_t n1 = lanes->fft->length[0];
    const int64_t half = n1 / 2 + 1; /* rows that are no mirror images */
    if (lanes->fft->output && !has_shifts_or_folds(lanes)) {
        run_rows(lanes->fft, 0, n1, columns);
        gather_near(lanes, columns, leg);
        return;
    }
    for (int64_t k = 0; k < half; k += POINTS) {
        const int64_t end = k + POINTS < half ? k + POINTS : half;
        const int64_t mirror = n1 + 1 - end < half ? half : n1 + 1 - end;
        run_rows(lanes->fft, k, end, columns);
        run_rows(lanes->fft, mirror, k > 0 ? n1 + 1 - k : n1, columns);
        gather(lanes, k, end, columns, leg);
    }
    if (lanes->stream) v_stream_end();
}

#ifdef QUADS
/* A point of each ring of groups side by side, times half of its weight. */
ARMILLA_ALWAYS_INLINE void read_point_beside(const double *north, const double *south,
                                             int64_t stride, const vec *scale, const int count,
                                             double *to, int64_t size)
{
    for (int odd = 0; odd < 2; odd++, north += stride, south += stride)
        for (int g = 0; g < count; g += 2) {
            vec a, b;
            double *first = to + g * size + odd * VLEN;
            v_load_mirrored_two(north + g * VLEN / 2, south - g * VLEN / 2, &a, &b);
            v_store(first, v_mul(scale[g], a)), v_store(first + size, v_mul(scale[g + 1], b));
        }
}

/* Samples of a block of columns p .. end - 1, which begin at `column`. */
ARMILLA_ALWAYS_INLINE void read_columns_beside(const armilla_ring_lanes *lanes, const int count,
                                               const vec *scale, int64_t p, int64_t end,
                                               double *const *column, int64_t size)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], stride = lanes->stride;
    const int64_t *place = lanes->fft->place[0];
    const double *const north = lanes->ring[0], *const south = lanes->ring[VLEN / 2];
    for (int64_t a = 0; a < n1; a++)
        for (int64_t i = p; i < end; i++) {
            const int64_t at = 2 * (i + a * n2) * stride;
            read_point_beside(north + at, south + at, stride, scale, count,
                              column[i - p] + place[a] * COMPLEX, size);
        }
}

/* All samples of a near transform, or of a whole one. */
ARMILLA_ALWAYS_INLINE void read_all_beside(const armilla_ring_lanes *lanes, const int count,
                                           const vec *scale, double *columns, int64_t size)
{
    const int32_t *input = lanes->fft->input;
    const int64_t n = lanes->fft->n, stride = lanes->stride;
    const double *north = lanes->ring[0], *south = lanes->ring[VLEN / 2];
    for (int64_t j = 0; j < n; j++, north += 2 * stride, south += 2 * stride) {
        double *to = columns + (input ? input[j] : j * COMPLEX);
        read_point_beside(north, south, stride, scale, count, to, size);
    }
    for (int g = 0; g < count; g++) run_near(lanes->fft, columns + g * size);
}

/* Samples to the columns of all groups, and the first half of their transforms. */
ARMILLA_ALWAYS_INLINE void read_beside(const armilla_ring_lanes *lanes, const int count,
                                       double *columns, int64_t size)
{
    const int64_t n2 = lanes->fft->length[1];
    vec scale[ARMILLA_RING_GROUPS];
    for (int g = 0; g < count; g++) scale[g] = v_load(lanes[g].scale);
    if (lanes->fft->input || lanes->fft->whole) {
        read_all_beside(lanes, count, scale, columns, size);
        return;
    }
    for (int64_t p = 0; p < n2; p += POINTS) {
        const int64_t end = armilla_smaller(p + POINTS, n2);
        double *column[POINTS];
        for (int64_t i = p; i < end; i++) column[i - p] = find_column(lanes->fft, columns, i);
        read_columns_beside(lanes, count, scale, p, end, column, size);
        for (int g = 0; g < count; g++) {
            run_columns(lanes->fft, column, end - p);
            for (int64_t i = p; i < end; i++) column[i - p] += size;
        }
    }
}

static void read_groups(const armilla_ring_lanes *lanes, int64_t count, double *columns,
                        int64_t size)
{
    if (count == 2)
        read_beside(lanes, 2, columns, size);
    else
        read_beside(lanes, 4, columns, size);
}
#endif

void ARMILLA_KERNEL(armilla_ring_lanes_analysis)(const armilla_ring_lanes *lanes, int64_t count,
                                                 double *leg, double *work)
{
    const int64_t size = armilla_ring_lanes_work(lanes->fft, VLEN);
#ifdef QUADS
    if (count > 1) read_groups(lanes, count, work, size);
#endif
    if (count == 1) read_one(lanes, work);
    for (int64_t g = 0; g < count; g++) write_orders(&lanes[g], work + g * size, leg + g * COMPLEX);
}
