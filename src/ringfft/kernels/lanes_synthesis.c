/* Orders to rings in lanes; see lanes.h. */
#include "ringfft/kernels/lanes.h"

#include <string.h>

_Static_assert((int)POINTS == 4, "write_near lists the rows of a block");

/* From this length on a map is no longer in the second-level cache when its turn comes. */
enum { FAR_LENGTH = 256 };

/* Asks for the cache lines of the rings that the next block of rows writes to: the next ones
 * wherever a ring begins. Saves a tenth and more of synthesis where rings have 512 samples or
 * more; costs 3 % where the map is near. Reading gains nothing from the like. */
ARMILLA_ALWAYS_INLINE void ask_for_samples(double *const *ring, int64_t to)
{
    for (int lane = 0; lane < VLEN; lane++) ARMILLA_PREFETCH_WRITE(ring[lane] + to + 2 * WIDTH - 1);
}

/* f on the lanes that have order m, zeros on others. */
ARMILLA_ALWAYS_INLINE complex_lanes keep_present(const armilla_ring_lanes *lanes, int64_t m,
                                                 complex_lanes f)
{
    const vmask absent = v_negative(v_sub(v_load(lanes->limit), v_all((double)m)));
    return (complex_lanes){v_select(absent, v_all(0), f.re), v_select(absent, v_all(0), f.im)};
}

/* F_m of fewer pairs than there is room for in the lanes. */
static ARMILLA_NOINLINE complex_lanes load_few(const armilla_ring_lanes *lanes, const double *leg,
                                               int64_t m)
{
    complex_lanes f;
    _Alignas(64) double entries[COMPLEX] = {0};
    memcpy(entries, leg + m * lanes->row_length, sizeof *leg * (size_t)lanes->width);
    v_load_halves(entries, &f.re, &f.im);
    return keep_present(lanes, m, f);
}

/* F_m, or zeros; neighbour: doubles to the row that the neighbouring column needs. */
ARMILLA_ALWAYS_INLINE complex_lanes load_order(const armilla_ring_lanes *lanes, const double *leg,
                                               int64_t m, int64_t least, int64_t row,
                                               int64_t neighbour)
{
    complex_lanes f = {v_all(0), v_all(0)};
    if (m > lanes->last) return f;
    if (m > least && lanes->width < COMPLEX) return load_few(lanes, leg, m);
    ask_for_row(leg + m * row + neighbour, 0);
    v_load_halves(leg + m * row, &f.re, &f.im);
    return m > least ? keep_present(lanes, m, f) : f;
}

/* What has the frequency k > 0 on the samples of a ring: with F_k the conjugate of F_{n-k}. */
ARMILLA_ALWAYS_INLINE complex_lanes load_frequency(const armilla_ring_lanes *lanes,
                                                   const double *leg, int64_t k, int64_t least,
                                                   int64_t row, int64_t neighbour,
                                                   const int general)
{
    complex_lanes f = load_order(lanes, leg, k, least, row, neighbour);
    if (!general) return f;
    const int64_t mirrored = 2 * lanes->fft->n - k;
    if (k <= lanes->last) f = shift_order(lanes, k, 1, f);
    if (mirrored > lanes->last) return f;
    const complex_lanes g =
        shift_order(lanes, mirrored, 1, load_order(lanes, leg, mirrored, least, row, -neighbour));
    return (complex_lanes){v_add(f.re, g.re), v_sub(f.im, g.im)};
}

/* Z_k and Z_{h-k} from f = F_k and g = F_{h-k}, imaginary parts first. */
ARMILLA_ALWAYS_INLINE void put_orders(const double *turn, complex_lanes f, complex_lanes g,
                                      double *place, double *mirrored)
{
    const vec c = v_all(turn[0]), s = v_all(turn[1]);
    const vec e_re = v_add(f.re, g.re), e_im = v_sub(f.im, g.im);
    const vec d_re = v_sub(f.re, g.re), d_im = v_add(f.im, g.im);
    const vec t_re = v_fnma(s, d_im, v_mul(c, d_re)), t_im = v_fma(s, d_re, v_mul(c, d_im));
    v_store(place, v_add(e_im, t_re)), v_store(place + VLEN, v_sub(e_re, t_im));
    v_store(mirrored, v_sub(t_re, e_im)), v_store(mirrored + VLEN, v_add(e_re, t_im));
}

/* Order 0 is real; order h has one sign on even samples, the other on odd ones. */
static void put_order_zero(const armilla_ring_lanes *lanes, const double *leg, double *column)
{
    const int64_t h = lanes->fft->n, least = lanes->least, row = lanes->row_length;
    const vec zero = load_order(lanes, leg, 0, least, row, 0).re;
    vec nyquist = v_all(0);
    if (h <= lanes->last) {
        const complex_lanes f = shift_order(lanes, h, 1, load_order(lanes, leg, h, least, row, 0));
        nyquist = v_add(f.re, f.re);
    }
    v_store(column, v_sub(zero, nyquist)), v_store(column + VLEN, v_add(zero, nyquist));
}

/* Numbers a = begin .. end - 1 of column p, which is `first`, and their mirror images. */
ARMILLA_ALWAYS_INLINE void put_column(const armilla_ring_lanes *lanes, const double *leg, int64_t p,
                                      int64_t begin, int64_t end, double *first, double *second,
                                      const int general)
{
    const int64_t h = lanes->fft->n, n2 = lanes->fft->length[1], row = lanes->row_length;
    const int64_t least = lanes->least, *place = lanes->fft->place[0];
    const int64_t *mirrored = place + lanes->fft->length[0] - 1 + (p == 0);
    const double *turn = lanes->turn;
    for (int64_t a = begin; a < end; a++) {
        const int64_t k = p + n2 * a;
        const complex_lanes f = load_frequency(lanes, leg, k, least, row, row, general);
        const complex_lanes g = load_frequency(lanes, leg, h - k, least, row, -row, general);
        put_orders(turn + 2 * k, f, g, first + place[a] * COMPLEX, second + mirrored[-a] * COMPLEX);
    }
}

/* Columns p and n2 - p, or the one that is both. */
ARMILLA_ALWAYS_INLINE void spread_columns(const armilla_ring_lanes *lanes, const double *leg,
                                          int64_t p, double *columns, const int general)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1];
    const int alone = p == 0 || 2 * p == n2, skip = p == 0;
    double *first = find_column(fft, columns, p);
    double *second = alone ? first : find_column(fft, columns, n2 - p);
    if (p == 0) put_order_zero(lanes, leg, first);
    put_column(lanes, leg, p, skip, alone ? (n1 + skip + 1) / 2 : n1, first, second, general);
    ARMILLA_KERNEL(armilla_lane_fft_run_columns)
    (fft, alone ? 1 : 2, first, (second - first) / COMPLEX);
}

/* Which of the orders k and h - k there are: both on all rings, k on all and the other on none, or
 * some on some. */
enum { BOTH_ORDERS, ONE_ORDER, SOME_ORDERS };

/* Orders k and h - k for k = begin .. end - 1. */
ARMILLA_ALWAYS_INLINE void put_range(const armilla_ring_lanes *lanes, const double *leg,
                                     int64_t begin, int64_t end, double *columns, const int which)
{
    const int64_t h = lanes->fft->n, row = lanes->row_length, least = lanes->least;
    const double *up = leg + begin * row, *down = leg + (h - begin) * row;
    const double *turn = lanes->turn + 2 * begin;
    const int32_t *input = lanes->fft->input + begin, *mirrored = lanes->fft->input + h - begin;
    for (int64_t k = 0; k < end - begin; k++, up += row, down -= row) {
        complex_lanes f, g = {v_all(0), v_all(0)};
        if (which == SOME_ORDERS) {
            f = load_order(lanes, leg, begin + k, least, row, 0);
            g = load_order(lanes, leg, h - begin - k, least, row, 0);
        } else {
            v_load_halves(up, &f.re, &f.im);
            if (which == BOTH_ORDERS) v_load_halves(down, &g.re, &g.im);
        }
        put_orders(turn + 2 * k, f, g, columns + input[k], columns + mirrored[-k]);
    }
}

/* All columns, order by order. */
static void spread_near(const armilla_ring_lanes *lanes, const double *leg, double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t h = fft->n, end = h / 2 + 1, least = lanes->least;
    const int64_t one = armilla_smaller(armilla_smaller(h - lanes->last, least + 1), end);
    const int64_t some = armilla_larger(one, 1);
    const int64_t both = armilla_smaller(armilla_larger(h - least, some), end);
    put_order_zero(lanes, leg, columns);
    put_range(lanes, leg, 1, some, columns, ONE_ORDER);
    put_range(lanes, leg, some, both, columns, SOME_ORDERS);
    put_range(lanes, leg, both, end, columns, BOTH_ORDERS);
    ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, fft->length[1], columns, fft->step);
}

static void spread(const armilla_ring_lanes *lanes, const double *leg, double *columns)
{
    const int64_t n2 = lanes->fft->length[1];
    if (lanes->fft->input && !has_shifts_or_folds(lanes))
        spread_near(lanes, leg, columns);
    else if (has_shifts_or_folds(lanes))
        for (int64_t p = 0; 2 * p <= n2; p++) spread_columns(lanes, leg, p, columns, 1);
    else
        for (int64_t p = 0; 2 * p <= n2; p++) spread_columns(lanes, leg, p, columns, 0);
}

/* WIDTH samples of each ring, from POINTS neighbouring rows. stream: they are whole cache lines. */
ARMILLA_ALWAYS_INLINE void write_block(double *const *ring, vec scale, const double *const *row,
                                       int64_t place, int64_t to, const int stream)
{
    for (int part = 0; part < WIDTH; part += VLEN) {
        vec x[VLEN];
        for (int i = 0; i < VLEN; i++)
            x[i] = v_mul(scale, v_load(row[(part + i) / 2] + place + (part + i + 1) % 2 * VLEN));
        v_transpose(x);
        for (int lane = 0; lane < VLEN; lane++) {
            if (stream)
                v_stream(ring[lane] + to + part, x[lane]);
            else
                v_store_any(ring[lane] + to + part, x[lane]);
        }
    }
}

/* Points of a ring before the first that begins a cache line, where blocks should begin: a vector
 * that crosses a line takes a tenth of synthesis more, a fifth where the map is far. 0: there is
 * none. */
static int64_t count_to_line(const armilla_ring_lanes *lanes)
{
    const uintptr_t point = 2 * sizeof(double), begin = (uintptr_t)lanes->ring[0];
    return begin % point ? 0 : (int64_t)(-(begin / point) % POINTS);
}

/* Samples from rows start .. start + POINTS - 1. Those from n1 on are the first rows again, one
 * number further: after row n1 - 1 a ring goes on with row 0. Where n1 is a multiple of POINTS,
 * write_rings has all blocks begin at a cache line. */
static void write_rows(const armilla_ring_lanes *lanes, int64_t start, const double *columns)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], step = lanes->fft->step;
    const int64_t count = start + POINTS > n1 ? n2 - 1 : n2;
    const int stream = lanes->stream && n1 % POINTS == 0;
    const int far = lanes->fft->n >= FAR_LENGTH && !stream;
    const vec scale = v_load(lanes->scale);
    const double *row[POINTS];
    for (int64_t i = start; i < start + POINTS; i++)
        row[i - start] = columns + (i < n1 ? i : i - n1 + step) * COMPLEX;
    for (int64_t b = 0; b < count; b++) {
        const int64_t to = 2 * (start + n1 * b);
        if (far) ask_for_samples(lanes->ring, to);
        if (stream)
            write_block(lanes->ring, scale, row, b * step * COMPLEX, to, 1);
        else
            write_block(lanes->ring, scale, row, b * step * COMPLEX, to, 0);
    }
}

/* The first and the last samples of each ring. */
static void write_ends(const armilla_ring_lanes *lanes, const double *columns)
{
    const armilla_lane_fft *fft = lanes->fft;
    const double *row[POINTS], *last[POINTS];
    for (int64_t i = 0; i < POINTS; i++) {
        row[i] = columns + i * COMPLEX;
        last[i] = row[i] + (fft->length[0] - POINTS) * COMPLEX;
    }
    const vec scale = v_load(lanes->scale);
    write_block(lanes->ring, scale, row, 0, 0, 0);
    write_block(lanes->ring, scale, last, (fft->length[1] - 1) * fft->step * COMPLEX,
                2 * (fft->n - POINTS), 0);
}

/* Rows to samples, POINTS neighbouring rows at a time: a cache line of each ring. Where n1 is no
 * multiple of POINTS, the last rows go together with some that have gone before; then blocks would
 * not go around from a later row. */
static void write_rings(const armilla_ring_lanes *lanes, double *columns)
{
    const int64_t n1 = lanes->fft->length[0], skip = n1 % POINTS ? 0 : count_to_line(lanes);
    run_rows(lanes->fft, 0, skip, columns);
    for (int64_t k = skip; k < n1; k += POINTS) {
        const int64_t end = k + POINTS < n1 ? k + POINTS : n1;
        run_rows(lanes->fft, k, end, columns);
        write_rows(lanes, skip ? k : end - POINTS, columns);
    }
    if (skip) write_ends(lanes, columns);
}

/* Numbers j .. j + POINTS - 1 of a near transform. neighbours: they are in one column. */
ARMILLA_ALWAYS_INLINE void write_numbers(double *const *ring, vec scale, const int32_t *output,
                                         const double *columns, int64_t j, const int neighbours)
{
    const double *row[POINTS];
    for (int i = 0; i < POINTS; i++)
        row[i] = columns + (neighbours ? output[j] + i * COMPLEX : output[j + i]);
    write_block(ring, scale, row, 0, 2 * j, 0);
}

/* All numbers of a near transform, WIDTH samples of each ring at a time: from `skip` on; those
 * before and the last ones go together with some that go twice. */
ARMILLA_ALWAYS_INLINE void write_all(const armilla_ring_lanes *lanes, const double *columns,
                                     int64_t skip, const int neighbours)
{
    const int32_t *output = lanes->fft->output;
    const int64_t n = lanes->fft->n;
    const int far = n >= FAR_LENGTH;
    const vec scale = v_load(lanes->scale);
    double *ring[VLEN];
    for (int lane = 0; lane < VLEN; lane++) ring[lane] = lanes->ring[lane];
    if (skip) write_numbers(ring, scale, output, columns, 0, neighbours);
    int64_t j = skip;
    for (; j + POINTS <= n; j += POINTS) {
        if (far) ask_for_samples(ring, 2 * j);
        write_numbers(ring, scale, output, columns, j, neighbours);
    }
    if (j < n) write_numbers(ring, scale, output, columns, n - POINTS, neighbours);
}

/* All rows of a near transform to samples. */
static void write_near(const armilla_ring_lanes *lanes, double *columns)
{
    const int64_t n1 = lanes->fft->length[0], skip = count_to_line(lanes);
    run_rows(lanes->fft, 0, n1, columns);
    if (n1 % POINTS == 0 && !skip)
        write_all(lanes, columns, 0, 1);
    else
        write_all(lanes, columns, skip, 0);
}

/* Samples from rows begin .. end - 1, to maps that are not along rings. */
ARMILLA_ALWAYS_INLINE void write_rows_across(const armilla_ring_lanes *lanes, int64_t begin,
                                             int64_t end, const double *columns, const int mirrored)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], step = lanes->fft->step;
    const int64_t stride = lanes->stride;
    const vec scale = v_load(lanes->scale);
    double *const north = lanes->ring[0], *const south = lanes->ring[VLEN / 2];
    for (int64_t b = 0; b < n2; b++)
        for (int64_t k = begin; k < end; k++) {
            const double *number = columns + (k + b * step) * COMPLEX;
            const int64_t at = 2 * (k + n1 * b) * stride;
            const vec even = v_mul(scale, v_load(number + VLEN)),
                      odd = v_mul(scale, v_load(number));
            if (mirrored) {
                v_store_mirrored(north + at, south + at, even);
                v_store_mirrored(north + at + stride, south + at + stride, odd);
            } else {
                store_lanes(lanes->ring, at, even);
                store_lanes(lanes->ring, at + stride, odd);
            }
        }
}

/* The same where maps are not along rings. */
static void write_rings_across(const armilla_ring_lanes *lanes, double *columns)
{
    const int64_t n1 = lanes->fft->length[0];
    for (int64_t k = 0; k < n1; k += POINTS) {
        const int64_t end = armilla_smaller(k + POINTS, n1);
        run_rows(lanes->fft, k, end, columns);
        if (lanes->mirrored)
            write_rows_across(lanes, k, end, columns, 1);
        else
            write_rows_across(lanes, k, end, columns, 0);
    }
}

#ifdef QUADS
/* Samples from rows begin .. end - 1 of groups side by side: what lies side by side is written one
 * behind the other. */
ARMILLA_ALWAYS_INLINE void write_rows_beside(const armilla_ring_lanes *lanes, const int count,
                                             int64_t begin, int64_t end, const double *columns,
                                             int64_t size)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], step = lanes->fft->step;
    const int64_t stride = lanes->stride;
    double *const north = lanes->ring[0], *const south = lanes->ring[VLEN / 2];
    vec scale[ARMILLA_RING_GROUPS];
    for (int g = 0; g < count; g++) scale[g] = v_load(lanes[g].scale);
    for (int64_t b = 0; b < n2; b++)
        for (int64_t k = begin; k < end; k++)
            for (int odd = 0; odd < 2; odd++) {
                const double *number = columns + (k + b * step) * COMPLEX + (odd ? 0 : VLEN);
                const int64_t at = (2 * (k + n1 * b) + odd) * stride;
                for (int g = 0; g < count; g += 2, number += 2 * size)
                    v_store_mirrored_two(north + at + g * VLEN / 2, south + at - g * VLEN / 2,
                                         v_mul(scale[g], v_load(number)),
                                         v_mul(scale[g + 1], v_load(number + size)));
            }
}

/* Groups side by side: a few rows of each in turn, all of a near transform. */
static void write_groups(const armilla_ring_lanes *lanes, int64_t count, double *columns,
                         int64_t size)
{
    const int64_t n1 = lanes->fft->length[0], width = lanes->fft->output ? n1 : POINTS;
    for (int64_t k = 0; k < n1; k += width) {
        const int64_t end = armilla_smaller(k + width, n1);
        for (int64_t g = 0; g < count; g++) run_rows(lanes->fft, k, end, columns + g * size);
        if (count == 2)
            write_rows_beside(lanes, 2, k, end, columns, size);
        else
            write_rows_beside(lanes, 4, k, end, columns, size);
    }
}
#endif

static void write_one(const armilla_ring_lanes *lanes, double *work)
{
    if (lanes->stride != 1)
        write_rings_across(lanes, work);
    else if (lanes->fft->output)
        write_near(lanes, work);
    else
        write_rings(lanes, work);
    if (lanes->stream) v_stream_end();
}

void ARMILLA_KERNEL(armilla_ring_lanes_synthesis)(const armilla_ring_lanes *lanes, int64_t count,
                                                  const double *leg, double *work)
{
    const int64_t size = armilla_ring_lanes_work(lanes->fft, VLEN);
    for (int64_t g = 0; g < count; g++) {
        spread(&lanes[g], leg + g * COMPLEX, work + g * size);
        if (lanes->fft->whole)
            ARMILLA_KERNEL(armilla_lane_fft_run_whole)(lanes->fft, work + g * size);
    }
#ifdef QUADS
    if (count > 1) {
        write_groups(lanes, count, work, size);
        return;
    }
#endif
    write_one(lanes, work);
}
