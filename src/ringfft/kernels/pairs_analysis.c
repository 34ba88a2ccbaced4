/* Pairs of rings in lanes to orders; see pairs.h. */
#include "ringfft/kernels/pairs.h"

#include <string.h>

/* a, then b = first_0, second_0, first_1, second_1, ... */
ARMILLA_ALWAYS_INLINE void zip(vec first, vec second, vec *a, vec *b)
{
    _Alignas(64) double numbers[COMPLEX];
    v_store2(numbers, first, second);
    *a = v_load(numbers), *b = v_load(numbers + VLEN);
}

ARMILLA_ALWAYS_INLINE void store_entries(const entry_lanes *e, double *leg)
{
    vec re[2], im[2];
    zip(e->north_re, e->south_re, &re[0], &re[1]);
    zip(e->north_im, e->south_im, &im[0], &im[1]);
    v_store2(leg, re[0], im[0]);
    v_store2(leg + COMPLEX, re[1], im[1]);
}

/* WIDTH samples of the north rings (side 0) or the south rings to as many numbers. */
ARMILLA_ALWAYS_INLINE void read_samples(const armilla_ring_lanes *lanes, const int side,
                                        int64_t from, double *const *to)
{
    for (int part = 0; part < WIDTH; part += VLEN) {
        vec x[VLEN];
        for (int lane = 0; lane < VLEN; lane++)
            x[lane] = v_load_any(lanes->ring[side * SOUTH + lane] + from + part);
        v_transpose(x);
        for (int i = 0; i < VLEN; i++) v_store(to[part + i] + side * VLEN, x[i]);
    }
}

static void read_blocks(const armilla_ring_lanes *lanes, int64_t point, int64_t distance,
                        int64_t count, const int64_t *place, double *const *column)
{
    double *to[WIDTH];
    for (int64_t a = 0; a < count; a++, point += distance) {
        for (int i = 0; i < WIDTH; i++) to[i] = column[i] + place[a] * COMPLEX;
        for (int side = 0; side < 2; side++) read_samples(lanes, side, point, to);
    }
}

/* A sample of each ring of maps that are not along rings. */
ARMILLA_ALWAYS_INLINE void read_point(double *const *ring, int64_t at, double *to,
                                      const int mirrored)
{
    v_store(to, mirrored ? v_load_any(ring[0] + at) : load_lanes(ring, at));
    v_store(to + VLEN, mirrored ? v_reversed(v_load_any(ring[SOUTH] + at - (VLEN - 1)))
                                : load_lanes(ring + SOUTH, at));
}

/* The same as read_blocks of such maps. */
ARMILLA_ALWAYS_INLINE void read_across(const armilla_ring_lanes *lanes, int64_t point,
                                       int64_t distance, int64_t count, const int64_t *place,
                                       double *const *column, const int mirrored)
{
    double *const *ring = lanes->ring;
    const int64_t stride = lanes->stride;
    for (int64_t a = 0; a < count; a++, point += distance)
        for (int i = 0; i < WIDTH; i++)
            read_point(ring, (point + i) * stride, column[i] + place[a] * COMPLEX, mirrored);
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
    const int32_t *input = lanes->fft->input;
    const int64_t n = lanes->fft->n;
    double *to[WIDTH];
    for (int64_t j = 0; j < n; j += WIDTH) {
        const int64_t start = armilla_smaller(j, n - WIDTH);
        for (int i = 0; i < WIDTH; i++) to[i] = columns + input[start + i];
        for (int side = 0; side < 2; side++) read_samples(lanes, side, start, to);
    }
}

ARMILLA_ALWAYS_INLINE void read_all_across(const armilla_ring_lanes *lanes, double *columns,
                                           const int mirrored)
{
    const int32_t *input = lanes->fft->input;
    double *const *ring = lanes->ring;
    const int64_t n = lanes->fft->n, stride = lanes->stride;
    for (int64_t j = 0; j < n; j++) read_point(ring, j * stride, columns + input[j], mirrored);
}

/* The same, and its first half. */
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

/* The entries of an order, in as many columns as there are pairs. */
ARMILLA_ALWAYS_INLINE void write_order(const armilla_ring_lanes *lanes, const entry_lanes *e,
                                       double *leg)
{
    _Alignas(64) double entries[2 * COMPLEX];
    if (lanes->width == 2 * COMPLEX) {
        store_entries(e, leg);
        return;
    }
    store_entries(e, entries);
    memcpy(leg, entries, sizeof *leg * (size_t)lanes->width);
}

/* N_m and S_m from Z_m and Z_{n-m}; scale is half of the weight. */
ARMILLA_ALWAYS_INLINE void get_order(const armilla_ring_lanes *lanes, const double *place,
                                     const double *mirrored, double *leg)
{
    const vec z_re = v_load(place), z_im = v_load(place + VLEN);
    const vec y_re = v_load(mirrored), y_im = v_load(mirrored + VLEN);
    const vec north = v_load(lanes->scale), south = v_load(lanes->scale + SOUTH);
    const entry_lanes e = {v_mul(north, v_add(z_re, y_re)), v_mul(north, v_sub(z_im, y_im)),
                           v_mul(south, v_add(z_im, y_im)), v_mul(south, v_sub(y_re, z_re))};
    write_order(lanes, &e, leg);
}

/* Order 0 is the sum of all samples. */
static void get_order_zero(const armilla_ring_lanes *lanes, const double *first, double *leg)
{
    const vec north = v_load(lanes->scale), south = v_load(lanes->scale + SOUTH);
    const vec re = v_load(first), im = v_load(first + VLEN);
    const entry_lanes e = {v_mul(north, v_add(re, re)), v_all(0), v_mul(south, v_add(im, im)),
                           v_all(0)};
    write_order(lanes, &e, leg);
}

/* Rows k and n1 - k, or row 0. */
static void gather_rows(const armilla_ring_lanes *lanes, int64_t k, const double *columns,
                        double *leg)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n = fft->n, n1 = fft->length[0], n2 = fft->length[1], next = fft->step * COMPLEX;
    const int64_t row = lanes->row_length, end = k ? n2 : (n2 + 1) / 2;
    const double *first = columns + k * COMPLEX;
    const double *mirror = k ? columns + (n1 - k) * COMPLEX + (n2 - 1) * next : first + n2 * next;
    if (k == 0) get_order_zero(lanes, first, leg);
    for (int64_t b = k ? 0 : 1; b < end; b++) {
        const int64_t number = k + n1 * b, upper = 2 * number > n, m = upper ? n - number : number;
        const double *here = first + b * next, *there = mirror - b * next;
        double *to = leg + m * row;
        if (m > lanes->last) continue;
        ask_for_row(to + (upper ? -row : row), 1);
        ask_for_row(to + (upper ? -row : row) + COMPLEX, 1);
        get_order(lanes, upper ? there : here, upper ? here : there, to);
    }
}

/* All rows of a near transform, order by order. */
static void gather_near(const armilla_ring_lanes *lanes, double *columns, double *leg)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int32_t *output = fft->output, *mirrored = output + fft->n;
    const int64_t last = armilla_smaller(lanes->last, fft->n / 2), row = lanes->row_length;
    run_rows(fft, 0, fft->length[0], columns);
    get_order_zero(lanes, columns, leg);
    for (int64_t m = 1; m <= last; m++) {
        double *to = leg + m * row;
        ask_for_row(to + row, 1);
        ask_for_row(to + row + COMPLEX, 1);
        get_order(lanes, columns + output[m], columns + mirrored[-m], to);
    }
}

void ARMILLA_KERNEL(armilla_ring_pairs_analysis)(const armilla_ring_lanes *lanes, double *leg,
                                                 double *work)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], half = (n1 + 1) / 2; /* rows that are no mirror images */
    if (fft->input) {
        read_near(lanes, work);
        gather_near(lanes, work, leg);
        return;
    }
    if (lanes->stride == 1)
        read_rings(lanes, WIDTH, read_blocks, work);
    else
        read_rings(lanes, WIDTH, lanes->mirrored ? read_mirrored : read_some, work);
    for (int64_t k = 0; k < half; k += WIDTH) {
        const int64_t end = k + WIDTH < half ? k + WIDTH : half;
        run_rows(fft, k, end, work);
        run_rows(fft, n1 + 1 - end, k > 0 ? n1 + 1 - k : n1, work);
        for (int64_t i = k; i < end; i++) gather_rows(lanes, i, work, leg);
    }
}
