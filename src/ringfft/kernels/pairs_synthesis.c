/* Orders to pairs of rings in lanes; see pairs.h. */
#include "ringfft/kernels/pairs.h"

#include <string.h>

/* first = x_0, x_2, ..., second = x_1, x_3, ... of the numbers in a, then b */
ARMILLA_ALWAYS_INLINE void unzip(vec a, vec b, vec *first, vec *second)
{
    _Alignas(64) double numbers[COMPLEX];
    v_store(numbers, a), v_store(numbers + VLEN, b);
    v_load2(numbers, first, second);
}

ARMILLA_ALWAYS_INLINE entry_lanes load_entries(const double *leg)
{
    entry_lanes e;
    vec re[2], im[2];
    v_load2(leg, &re[0], &im[0]);
    v_load2(leg + COMPLEX, &re[1], &im[1]);
    unzip(re[0], re[1], &e.north_re, &e.south_re);
    unzip(im[0], im[1], &e.north_im, &e.south_im);
    return e;
}

/* An order that some of the pairs do not have. */
static ARMILLA_NOINLINE void load_some(const armilla_ring_lanes *lanes, const double *leg,
                                       int64_t m, entry_lanes *e)
{
    const vmask absent = v_negative(v_sub(v_load(lanes->limit), v_all((double)m)));
    _Alignas(64) double entries[2 * COMPLEX] = {0};
    memcpy(entries, leg + m * lanes->row_length, sizeof *leg * (size_t)lanes->width);
    *e = load_entries(entries);
    e->north_re = v_select(absent, v_all(0), e->north_re);
    e->north_im = v_select(absent, v_all(0), e->north_im);
    e->south_re = v_select(absent, v_all(0), e->south_re);
    e->south_im = v_select(absent, v_all(0), e->south_im);
}

/* Z_m to place and Z_{n-m} to mirrored, imaginary parts first. */
ARMILLA_ALWAYS_INLINE void put_order(const armilla_ring_lanes *lanes, const double *leg, int64_t m,
                                     int64_t neighbour, double *place, double *mirrored)
{
    entry_lanes e = {v_all(0), v_all(0), v_all(0), v_all(0)};
    if (m <= lanes->least) {
        const double *row = leg + m * lanes->row_length;
        ask_for_row(row + neighbour, 0);
        ask_for_row(row + neighbour + COMPLEX, 0);
        e = load_entries(row);
    } else if (m <= lanes->last) {
        load_some(lanes, leg, m, &e);
    }
    v_store(place, v_add(e.north_im, e.south_re));
    v_store(place + VLEN, v_sub(e.north_re, e.south_im));
    v_store(mirrored, v_sub(e.south_re, e.north_im));
    v_store(mirrored + VLEN, v_add(e.north_re, e.south_im));
}

/* Order 0 is real. */
static void put_order_zero(const armilla_ring_lanes *lanes, const double *leg, double *column)
{
    entry_lanes e;
    load_some(lanes, leg, 0, &e);
    v_store(column, e.south_re), v_store(column + VLEN, e.north_re);
}

/* All columns, order by order. */
static void spread_near(const armilla_ring_lanes *lanes, const double *leg, double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int32_t *input = fft->input, *mirrored = input + fft->n;
    put_order_zero(lanes, leg, columns);
    for (int64_t m = 1; 2 * m < fft->n; m++)
        put_order(lanes, leg, m, lanes->row_length, columns + input[m], columns + mirrored[-m]);
    ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, fft->length[1], columns, fft->step);
}

/* Columns p and n2 - p. */
static void spread_columns(const armilla_ring_lanes *lanes, const double *leg, int64_t p,
                           double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n = fft->n, n1 = fft->length[0], n2 = fft->length[1], row = lanes->row_length;
    const int64_t *place = fft->place[0], end = p ? n1 : (n1 + 1) / 2;
    const int64_t *mirror = place + n1 - (p ? 1 : 0); /* mirror[-a] */
    double *first = find_column(fft, columns, p);
    double *second = p ? find_column(fft, columns, n2 - p) : first;
    if (p == 0) put_order_zero(lanes, leg, first);
    for (int64_t a = p ? 0 : 1; a < end; a++) {
        const int64_t k = p + n2 * a;
        double *here = first + place[a] * COMPLEX, *there = second + mirror[-a] * COMPLEX;
        if (2 * k < n)
            put_order(lanes, leg, k, row, here, there);
        else
            put_order(lanes, leg, n - k, -row, there, here);
    }
    ARMILLA_KERNEL(armilla_lane_fft_run_columns)
    (fft, p ? 2 : 1, first, (second - first) / COMPLEX);
}

/* WIDTH samples of the north rings (side 0) or the south rings from as many rows, which lie row[i]
 * doubles behind `numbers`. */
ARMILLA_ALWAYS_INLINE void write_samples(const armilla_ring_lanes *lanes, const int side,
                                         const double *numbers, const int32_t *row, int64_t to)
{
    const vec scale = v_load(lanes->scale + side * SOUTH);
    const double *from = numbers + (side ? 0 : VLEN);
    for (int part = 0; part < WIDTH; part += VLEN) {
        vec x[VLEN];
        for (int i = 0; i < VLEN; i++) x[i] = v_mul(scale, v_load(from + row[part + i]));
        v_transpose(x);
        for (int lane = 0; lane < VLEN; lane++)
            v_store_any(lanes->ring[side * SOUTH + lane] + to + part, x[lane]);
    }
}

/* All rows of a near transform to samples; the last ones together with some that go twice. */
static void write_near(const armilla_ring_lanes *lanes, double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    run_rows(fft, 0, fft->length[0], columns);
    for (int64_t j = 0; j < fft->n; j += WIDTH) {
        const int64_t start = armilla_smaller(j, fft->n - WIDTH);
        write_samples(lanes, 0, columns, fft->output + start, start);
        write_samples(lanes, 1, columns, fft->output + start, start);
    }
}

/* A sample of each ring of maps that are not along rings. */
ARMILLA_ALWAYS_INLINE void write_point(double *const *ring, int64_t at, vec north, vec south,
                                       const int mirrored)
{
    if (mirrored) {
        v_store_any(ring[0] + at, north);
        v_store_any(ring[SOUTH] + at - (VLEN - 1), v_reversed(south));
    } else {
        store_lanes(ring, at, north);
        store_lanes(ring + SOUTH, at, south);
    }
}

/* Samples from rows begin .. end - 1 of such maps. */
ARMILLA_ALWAYS_INLINE void write_rows_across(const armilla_ring_lanes *lanes, int64_t begin,
                                             int64_t end, const double *columns, const int mirrored)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], step = lanes->fft->step;
    const int64_t stride = lanes->stride;
    const vec north = v_load(lanes->scale), south = v_load(lanes->scale + SOUTH);
    double *const *ring = lanes->ring;
    for (int64_t b = 0; b < n2; b++)
        for (int64_t k = begin; k < end; k++) {
            const double *number = columns + (k + b * step) * COMPLEX;
            write_point(ring, (k + n1 * b) * stride, v_mul(north, v_load(number + VLEN)),
                        v_mul(south, v_load(number)), mirrored);
        }
}

/* Rows to samples, WIDTH rows at a time, the last ones together with some that have gone before. */
static void write_rings(const armilla_ring_lanes *lanes, double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1];
    int32_t neighbours[WIDTH];
    for (int i = 0; i < WIDTH; i++) neighbours[i] = i * COMPLEX;
    for (int64_t k = 0; k < n1; k += WIDTH) {
        const int64_t end = k + WIDTH < n1 ? k + WIDTH : n1, start = end - WIDTH;
        run_rows(fft, k, end, columns);
        if (lanes->stride != 1) {
            if (lanes->mirrored)
                write_rows_across(lanes, k, end, columns, 1);
            else
                write_rows_across(lanes, k, end, columns, 0);
            continue;
        }
        for (int64_t b = 0; b < n2; b++) {
            const double *row = columns + (start + b * fft->step) * COMPLEX;
            write_samples(lanes, 0, row, neighbours, start + n1 * b);
            write_samples(lanes, 1, row, neighbours, start + n1 * b);
        }
    }
}

void ARMILLA_KERNEL(armilla_ring_pairs_synthesis)(const armilla_ring_lanes *lanes,
                                                  const double *leg, double *work)
{
    if (lanes->fft->input)
        spread_near(lanes, leg, work);
    else
        for (int64_t p = 0; 2 * p <= lanes->fft->length[1]; p++)
            spread_columns(lanes, leg, p, work);
    if (lanes->fft->whole) ARMILLA_KERNEL(armilla_lane_fft_run_whole)(lanes->fft, work);
    if (lanes->fft->output && lanes->stride == 1)
        write_near(lanes, work);
    else
        write_rings(lanes, work);
}
