/* VLEN pairs of rings at once, one per lane; docs/mathematics.md (4.1), (4.2), section 4, Together.
 *
 * With n = n1 n2 the Fourier transform (fft/kernels/lane_fft.h) goes by columns, numbers
 * p + n2 a of its input, and rows, numbers k + n1 b of its output. Where orders come in or go out,
 * the places of m and -m are those of the columns p and n2 - p (the rows k and n1 - k) in opposite
 * sequence, so these go together; where samples do, WIDTH neighbouring rows (columns) go together,
 * so that each cache line of each ring is touched once. In between:
 *
 *     columns[place of p][k]    n2 columns, fft->step complex vectors apart
 *
 * Synthesis is the forward transform with the parts exchanged, before and after. */
#include "fft/kernels/lane_fft.h"
#include "ringfft/kernels/kernels.h"

void ARMILLA_KERNEL(armilla_ring_lanes_synthesis)(const armilla_ring_lanes *lanes,
                                                  const double *leg, double *work);
void ARMILLA_KERNEL(armilla_ring_lanes_analysis)(const armilla_ring_lanes *lanes, double *leg,
                                                 double *work);

enum { WIDTH = ARMILLA_RING_WIDTH };

static double *find_column(const armilla_lane_fft *fft, double *columns, int64_t p)
{
    return columns + fft->place[1][p] * fft->step * COMPLEX;
}

/* Orders m, m + step, ... <= last. */
ARMILLA_ALWAYS_INLINE int64_t count_orders(int64_t m, int64_t step, int64_t last)
{
    return last < m ? 0 : (last - m) / step + 1;
}

/* The next row is what the next column needs. */
ARMILLA_ALWAYS_INLINE void ask_for_row(const double *leg, int write)
{
    for (int i = 0; i < 4 * VLEN; i += 8) {
        if (write)
            ARMILLA_PREFETCH_WRITE(leg + i);
        else
            ARMILLA_PREFETCH(leg + i);
    }
}

/* Some of the lanes do not have this order. */
static ARMILLA_NOINLINE void mask_order(const armilla_ring_lanes *lanes, int64_t m, vec f[4])
{
    const vmask absent = v_negative(v_sub(v_load(lanes->limit), v_all((double)m)));
    for (int i = 0; i < 4; i++) f[i] = v_select(absent, v_all(0), f[i]);
}

ARMILLA_ALWAYS_INLINE void load_order(const armilla_ring_lanes *lanes, const double *leg, int64_t m,
                                      vec f[4])
{
    v_load4(leg + m * lanes->row_length, &f[0], &f[1], &f[2], &f[3]);
    if (m > lanes->least) mask_order(lanes, m, f);
}

/* Every n2-th order from m on: Z_m to number a = 0, 1, ... of the column plus, Z_-m to number
 * n1 - 1 - a - skip of the column minus; imaginary parts first. */
static void put_orders(const armilla_ring_lanes *lanes, const double *leg, int64_t m, int64_t skip,
                       double *plus, double *minus)
{
    const int64_t step = lanes->fft->length[1], last = lanes->last;
    const int64_t *up = lanes->fft->place[0] + skip, *down = up + lanes->fft->length[0] - 1 - skip;
    for (; m <= last; m += step, up++, down--) {
        double *p = plus + *up * COMPLEX, *q = minus + *down * COMPLEX;
        vec f[4];
        ask_for_row(leg + (m + 1) * lanes->row_length, 0);
        load_order(lanes, leg, m, f);
        v_store(p, v_add(f[1], f[2])), v_store(p + VLEN, v_sub(f[0], f[3]));
        v_store(q, v_sub(f[2], f[1])), v_store(q + VLEN, v_add(f[0], f[3]));
    }
}

static void put_order_zero(const armilla_ring_lanes *lanes, const double *leg, double *column)
{
    vec f[4];
    load_order(lanes, leg, 0, f);
    v_store(column, f[2]), v_store(column + VLEN, f[0]);
}

/* Zeros for numbers first .. end - 1. */
static void clear(const armilla_ring_lanes *lanes, double *column, int64_t first, int64_t end)
{
    for (int64_t a = first; a < end; a++) {
        double *place = column + lanes->fft->place[0][a] * COMPLEX;
        v_store(place, v_all(0)), v_store(place + VLEN, v_all(0));
    }
}

/* Columns p and q = n2 - p, or the one that is both. */
static void spread_columns(const armilla_ring_lanes *lanes, const double *leg, int64_t p,
                           double *columns)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], q = n2 - p;
    const int64_t count = count_orders(p, n2, lanes->last);
    const int64_t mirrored = count_orders(q, n2, lanes->last);
    double *first = find_column(lanes->fft, columns, p), *second = first;
    if (p == 0) {
        put_order_zero(lanes, leg, first);
        put_orders(lanes, leg, n2, 1, first, first);
        clear(lanes, first, count, n1 - mirrored);
    } else {
        second = find_column(lanes->fft, columns, q);
        put_orders(lanes, leg, p, 0, first, second);
        clear(lanes, first, count, n1 - mirrored);
    }
    if (second != first) {
        put_orders(lanes, leg, q, 0, second, first);
        clear(lanes, second, mirrored, n1 - count);
        ARMILLA_KERNEL(armilla_lane_fft_run_columns)(lanes->fft, 1, second, 0);
    }
    ARMILLA_KERNEL(armilla_lane_fft_run_columns)(lanes->fft, 1, first, 0);
}

/* WIDTH samples of each ring, from WIDTH neighbouring rows. */
ARMILLA_ALWAYS_INLINE void write_block(const armilla_ring_lanes *lanes, const double *const *row,
                                       int64_t place, int64_t to)
{
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < WIDTH; part += VLEN) {
            vec x[VLEN];
            for (int i = 0; i < VLEN; i++) x[i] = v_load(row[part + i] + place + (1 - side) * VLEN);
            v_transpose(x);
            for (int lane = 0; lane < VLEN; lane++)
                v_store_anywhere(lanes->ring[side][lane] + to + part,
                                 v_mul(x[lane], v_all(lanes->scale[side][lane])));
        }
}

/* The last samples of the rings and the first `head` ones. */
static void write_ends(const armilla_ring_lanes *lanes, const double *columns, int64_t k)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1];
    for (int64_t j = (n2 - 1) * n1 + k; j < n1 * n2 + lanes->head; j++) {
        const int64_t sample = j % (n1 * n2), p = sample / n1;
        const double *from = columns + (p * lanes->fft->step + sample % n1) * COMPLEX;
        for (int lane = 0; lane < VLEN; lane++) {
            lanes->ring[0][lane][sample] = lanes->scale[0][lane] * from[VLEN + lane];
            lanes->ring[1][lane][sample] = lanes->scale[1][lane] * from[lane];
        }
    }
}

/* Samples k .. k + WIDTH - 1 modulo n1. */
static void write_samples(const armilla_ring_lanes *lanes, const double *columns, int64_t k)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1];
    const int64_t step = lanes->fft->step, end = k + WIDTH > n1 ? n2 - 1 : n2;
    const double *row[WIDTH];
    for (int64_t i = 0; i < WIDTH; i++)
        row[i] = columns + (k + i < n1 ? k + i : k + i - n1 + step) * COMPLEX;
    for (int64_t b = 0; b < end; b++) write_block(lanes, row, b * step * COMPLEX, k + n1 * b);
    if (end < n2) write_ends(lanes, columns, k);
}

/* Rows to samples. Blocks begin with sample `head`, where cache lines do; the last one ends with
 * the first rows, or, where n1 is no multiple of WIDTH, begins with rows of the one before. */
static void write_rings(const armilla_ring_lanes *lanes, double *columns)
{
    const int64_t n1 = lanes->fft->length[0], head = lanes->head, step = lanes->fft->step;
    ARMILLA_KERNEL(armilla_lane_fft_run_rows)(lanes->fft, 0, head, columns, step);
    for (int64_t k = head; k < n1; k += WIDTH) {
        const int64_t end = k + WIDTH < n1 ? k + WIDTH : n1;
        ARMILLA_KERNEL(armilla_lane_fft_run_rows)
        (lanes->fft, k, end - k, columns + k * COMPLEX, step);
        write_samples(lanes, columns, head || end == k + WIDTH ? k : end - WIDTH);
    }
}

void ARMILLA_KERNEL(armilla_ring_lanes_synthesis)(const armilla_ring_lanes *lanes,
                                                  const double *leg, double *work)
{
    for (int64_t p = 0; 2 * p <= lanes->fft->length[1]; p++) spread_columns(lanes, leg, p, work);
    write_rings(lanes, work);
}

/* Samples p .. p + WIDTH - 1 modulo n2 to number a of the columns. */
static void read_block(const armilla_ring_lanes *lanes, int64_t from, int64_t place,
                       double *const *column)
{
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < WIDTH; part += VLEN) {
            vec x[VLEN];
            for (int lane = 0; lane < VLEN; lane++)
                x[lane] = v_load_anywhere(lanes->ring[side][lane] + from + part);
            v_transpose(x);
            for (int i = 0; i < VLEN; i++) v_store(column[part + i] + place + side * VLEN, x[i]);
        }
}

/* Samples to columns. The last block begins with columns of the one before where n2 is no multiple
 * of WIDTH; these go to `waste`. */
static void read_rings(const armilla_ring_lanes *lanes, double *columns, double *waste)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1];
    for (int64_t p = 0; p < n2; p += WIDTH) {
        const int64_t start = p + WIDTH < n2 ? p : n2 - WIDTH;
        double *column[WIDTH];
        for (int64_t i = 0; i < WIDTH; i++)
            column[i] = start + i < p ? waste : find_column(fft, columns, start + i);
        for (int64_t a = 0; a < n1; a++)
            read_block(lanes, start + n2 * a, fft->place[0][a] * COMPLEX, column);
        for (int64_t i = p - start; i < WIDTH; i++)
            ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, 1, column[i], 0);
    }
}

/* The inverse of put_orders for every n1-th order, from rows. */
static void get_orders(const armilla_ring_lanes *lanes, int64_t m, int64_t last, const double *plus,
                       const double *minus, double *leg)
{
    const int64_t step = lanes->fft->length[0], next = lanes->fft->step * COMPLEX;
    const vec north = v_load(lanes->scale[0]), south = v_load(lanes->scale[1]);
    for (; m <= last; m += step, plus += next, minus -= next) {
        const vec p_re = v_load(plus), p_im = v_load(plus + VLEN);
        const vec q_re = v_load(minus), q_im = v_load(minus + VLEN);
        ask_for_row(leg + (m + 1) * lanes->row_length, 1);
        v_store4(leg + m * lanes->row_length, v_mul(north, v_add(p_re, q_re)),
                 v_mul(north, v_sub(p_im, q_im)), v_mul(south, v_add(p_im, q_im)),
                 v_mul(south, v_sub(q_re, p_re)));
    }
}

/* Rows k and n1 - k, or the one that is both. */
static void gather_rows(const armilla_ring_lanes *lanes, int64_t k, double *columns, double *leg)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], next = fft->step * COMPLEX, q = n1 - k;
    const int64_t end = (fft->length[1] - 1) * next;
    double *first = columns + k * COMPLEX, *second = columns + q * COMPLEX;
    ARMILLA_KERNEL(armilla_lane_fft_run_rows)(fft, k, 1, first, fft->step);
    if (k == 0) {
        get_orders(lanes, 0, 0, first, first, leg);
        get_orders(lanes, n1, lanes->last, first + next, first + end, leg);
        return;
    }
    if (q != k) ARMILLA_KERNEL(armilla_lane_fft_run_rows)(fft, q, 1, second, fft->step);
    get_orders(lanes, k, lanes->last, first, second + end, leg);
    if (q != k) get_orders(lanes, q, lanes->last, second, first + end, leg);
}

void ARMILLA_KERNEL(armilla_ring_lanes_analysis)(const armilla_ring_lanes *lanes, double *leg,
                                                 double *work)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1];
    read_rings(lanes, work, work + n2 * lanes->fft->step * COMPLEX);
    for (int64_t k = 0; 2 * k <= n1; k++) gather_rows(lanes, k, work, leg);
}
