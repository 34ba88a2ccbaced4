/* VLEN pairs of rings at once, one pair per lane, rings of an odd number n of samples;
 * docs/mathematics.md (4.12). North and south ring of a pair are real and imaginary parts of one
 * complex transform of n points, so that with the orders N_m and S_m its numbers are
 *
 *     Z_m = N_m + i S_m,    Z_{n-m} = conj N_m + i conj S_m,
 *
 * which lie in the columns p and n2 - p, and in the rows k and n1 - k, as in lanes.h. */
#include "ringfft/kernels/columns.h"

#include <string.h>

enum { WIDTH = ARMILLA_RING_WIDTH, SOUTH = ARMILLA_RING_LANES /* the first south ring */ };

/* Of an order: one entry of leg per lane. */
typedef struct {
    vec north_re, north_im, south_re, south_im;
} entry_lanes;

/* first = x_0, x_2, ..., second = x_1, x_3, ... of the numbers in a, then b */
ARMILLA_ALWAYS_INLINE void unzip(vec a, vec b, vec *first, vec *second)
{
    _Alignas(64) double numbers[COMPLEX];
    v_store(numbers, a), v_store(numbers + VLEN, b);
    v_load2(numbers, first, second);
}

/* The inverse. */
ARMILLA_ALWAYS_INLINE void zip(vec first, vec second, vec *a, vec *b)
{
    _Alignas(64) double numbers[COMPLEX];
    v_store2(numbers, first, second);
    *a = v_load(numbers), *b = v_load(numbers + VLEN);
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

ARMILLA_ALWAYS_INLINE void store_entries(const entry_lanes *e, double *leg)
{
    vec re[2], im[2];
    zip(e->north_re, e->south_re, &re[0], &re[1]);
    zip(e->north_im, e->south_im, &im[0], &im[1]);
    v_store2(leg, re[0], im[0]);
    v_store2(leg + COMPLEX, re[1], im[1]);
}

/* --- Synthesis ------------------------------------------------------------------------------- */

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

/* WIDTH samples of the north rings (side 0) or the south rings from as many neighbouring rows. */
ARMILLA_ALWAYS_INLINE void write_samples(const armilla_ring_lanes *lanes, const int side,
                                         const double *row, int64_t to)
{
    const vec scale = v_load(lanes->scale + side * SOUTH);
    const double *from = row + (side ? 0 : VLEN);
    for (int part = 0; part < WIDTH; part += VLEN, from += VLEN * COMPLEX) {
        vec x[VLEN];
        for (int i = 0; i < VLEN; i++) x[i] = v_mul(scale, v_load(from + i * COMPLEX));
        v_transpose(x);
        for (int lane = 0; lane < VLEN; lane++)
            v_store_any(lanes->ring[side * SOUTH + lane] + to + part, x[lane]);
    }
}

/* Samples from rows begin .. end - 1 where maps are not along rings. */
static void write_rows_across(const armilla_ring_lanes *lanes, int64_t begin, int64_t end,
                              const double *columns)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], step = lanes->fft->step;
    const vec north = v_load(lanes->scale), south = v_load(lanes->scale + SOUTH);
    for (int64_t b = 0; b < n2; b++)
        for (int64_t k = begin; k < end; k++) {
            const double *number = columns + (k + b * step) * COMPLEX;
            const int64_t at = (k + n1 * b) * lanes->stride;
            store_lanes(lanes->ring, at, v_mul(north, v_load(number + VLEN)));
            store_lanes(lanes->ring + SOUTH, at, v_mul(south, v_load(number)));
        }
}

/* Rows to samples, WIDTH rows at a time, the last ones together with some that have gone before. */
static void write_rings(const armilla_ring_lanes *lanes, double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1];
    for (int64_t k = 0; k < n1; k += WIDTH) {
        const int64_t end = k + WIDTH < n1 ? k + WIDTH : n1, start = end - WIDTH;
        run_rows(fft, k, end, columns);
        if (lanes->stride != 1) {
            write_rows_across(lanes, k, end, columns);
            continue;
        }
        for (int64_t b = 0; b < n2; b++) {
            const double *row = columns + (start + b * fft->step) * COMPLEX;
            write_samples(lanes, 0, row, start + n1 * b);
            write_samples(lanes, 1, row, start + n1 * b);
        }
    }
}

void ARMILLA_KERNEL(armilla_ring_pairs_synthesis)(const armilla_ring_lanes *lanes,
                                                  const double *leg, double *work)
{
    for (int64_t p = 0; 2 * p <= lanes->fft->length[1]; p++) spread_columns(lanes, leg, p, work);
    if (lanes->fft->whole) ARMILLA_KERNEL(armilla_lane_fft_run_whole)(lanes->fft, work);
    write_rings(lanes, work);
}

/* --- Analysis -------------------------------------------------------------------------------- */

/* WIDTH samples of the north rings (side 0) or the south rings to one number of as many columns. */
ARMILLA_ALWAYS_INLINE void read_samples(const armilla_ring_lanes *lanes, const int side,
                                        int64_t from, int64_t place, double *const *column)
{
    for (int part = 0; part < WIDTH; part += VLEN) {
        vec x[VLEN];
        for (int lane = 0; lane < VLEN; lane++)
            x[lane] = v_load_any(lanes->ring[side * SOUTH + lane] + from + part);
        v_transpose(x);
        for (int i = 0; i < VLEN; i++) v_store(column[part + i] + place + side * VLEN, x[i]);
    }
}

static void read_blocks(const armilla_ring_lanes *lanes, int64_t point, int64_t distance,
                        int64_t count, const int64_t *place, double *const *column)
{
    for (int64_t a = 0; a < count; a++, point += distance)
        for (int side = 0; side < 2; side++)
            read_samples(lanes, side, point, place[a] * COMPLEX, column);
}

/* The same of maps that are not along rings. */
static void read_across(const armilla_ring_lanes *lanes, int64_t point, int64_t distance,
                        int64_t count, const int64_t *place, double *const *column)
{
    for (int64_t a = 0; a < count; a++, point += distance)
        for (int i = 0; i < WIDTH; i++)
            for (int side = 0; side < 2; side++)
                v_store(column[i] + place[a] * COMPLEX + side * VLEN,
                        load_lanes(lanes->ring + side * SOUTH, (point + i) * lanes->stride));
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

void ARMILLA_KERNEL(armilla_ring_pairs_analysis)(const armilla_ring_lanes *lanes, double *leg,
                                                 double *work)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], half = (n1 + 1) / 2; /* rows that are no mirror images */
    read_rings(lanes, WIDTH, lanes->stride == 1 ? read_blocks : read_across, work);
    for (int64_t k = 0; k < half; k += WIDTH) {
        const int64_t end = k + WIDTH < half ? k + WIDTH : half;
        run_rows(fft, k, end, work);
        run_rows(fft, n1 + 1 - end, k > 0 ? n1 + 1 - k : n1, work);
        for (int64_t i = k; i < end; i++) gather_rows(lanes, i, work, leg);
    }
}
