/* VLEN pairs of rings at once, one per lane; docs/mathematics.md (4.1), (4.2), section 4, Together.
 *
 * With n = n1 n2 the Fourier transform (fft/kernels/lane_fft.h) goes by columns, numbers
 * p + n2 a of its input, and rows, numbers k + n1 b of its output. Where orders come in or go out,
 * the places of m and -m are those of the columns p and n2 - p (the rows k and n1 - k) in opposite
 * sequence, so these go together; where samples do, VLEN neighbouring rows (columns) go together,
 * so that each line of VLEN samples of each ring is touched once. Between the halves:
 *
 *     columns[p][k]    n2 columns, n1 + 1 complex vectors apart: not all in one cache set
 *
 * Synthesis is the forward transform with the parts exchanged, before and after:
 * conj i z = i conj z. */
#include "fft/kernels/lane_fft.h"
#include "ringfft/kernels/kernels.h"

void ARMILLA_KERNEL(armilla_ring_lanes_synthesis)(const armilla_ring_lanes *lanes,
                                                  const double *leg, double *work);
void ARMILLA_KERNEL(armilla_ring_lanes_analysis)(const armilla_ring_lanes *lanes, double *leg,
                                                 double *work);

enum { STAGE = VLEN + 1 }; /* complex vectors from a row of a block of samples to the next */

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

/* Z_m from plus on upwards, Z_-m from minus on downwards, for every n2-th order from m on;
 * imaginary parts first. */
static void put_orders(const armilla_ring_lanes *lanes, const double *leg, int64_t m, double *plus,
                       double *minus)
{
    const int64_t step = lanes->fft->length[1], last = lanes->last;
    for (; m <= last; m += step, plus += COMPLEX, minus -= COMPLEX) {
        vec f[4];
        ask_for_row(leg + (m + 1) * lanes->row_length, 0);
        load_order(lanes, leg, m, f);
        v_store(plus, v_add(f[1], f[2])), v_store(plus + VLEN, v_sub(f[0], f[3]));
        v_store(minus, v_sub(f[2], f[1])), v_store(minus + VLEN, v_add(f[0], f[3]));
    }
}

static void put_order_zero(const armilla_ring_lanes *lanes, const double *leg, double *place)
{
    vec f[4];
    load_order(lanes, leg, 0, f);
    v_store(place, f[2]), v_store(place + VLEN, f[0]);
}

static void clear(double *column, int64_t first, int64_t end)
{
    for (int64_t i = first * COMPLEX; i < end * COMPLEX; i += VLEN) v_store(column + i, v_all(0));
}

/* Columns p and n2 - p; second = first where these are one. */
static void spread_columns(const armilla_ring_lanes *lanes, const double *leg, int64_t p,
                           double *first, double *second)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1], q = n2 - p;
    const int64_t mirrored = count_orders(q, n2, lanes->last);
    if (p == 0) {
        put_order_zero(lanes, leg, first);
        put_orders(lanes, leg, n2, first + COMPLEX, first + (n1 - 1) * COMPLEX);
        clear(first, mirrored + 1, n1 - mirrored);
        return;
    }
    const int64_t count = count_orders(p, n2, lanes->last);
    put_orders(lanes, leg, p, first, second + (n1 - 1) * COMPLEX);
    clear(first, count, n1 - mirrored);
    if (first == second) return;
    put_orders(lanes, leg, q, second, first + (n1 - 1) * COMPLEX);
    clear(second, mirrored, n1 - count);
}

/* Samples k .. k + VLEN - 1 modulo n1, from rows with imaginary parts first. */
static void write_samples(const armilla_ring_lanes *lanes, const double *rows, int64_t k)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1];
    const vec scale[2] = {v_load(lanes->scale[0]), v_load(lanes->scale[1])};
    for (int64_t b = 0; b < n2; b++, rows += (n1 + 1) * COMPLEX)
        for (int side = 0; side < 2; side++) {
            vec x[VLEN];
            for (int i = 0; i < VLEN; i++)
                x[i] = v_mul(scale[side], v_load(rows + i * COMPLEX + (1 - side) * VLEN));
            v_transpose(x);
            for (int lane = 0; lane < VLEN; lane++)
                v_store_anywhere(lanes->ring[side][lane] + k + n1 * b, x[lane]);
        }
}

void ARMILLA_KERNEL(armilla_ring_lanes_synthesis)(const armilla_ring_lanes *lanes,
                                                  const double *leg, double *work)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1], step = n1 + 1;
    double *columns = work, *first = columns + n2 * step * COMPLEX, *second = first + n1 * COMPLEX;
    double *rest = second + n1 * COMPLEX;
    for (int64_t p = 0; 2 * p <= n2; p++) {
        const int alone = p == 0 || 2 * p == n2;
        spread_columns(lanes, leg, p, first, alone ? first : second);
        ARMILLA_KERNEL(armilla_lane_fft_column)
        (fft, first, 1, columns + p * step * COMPLEX, rest);
        if (alone) continue;
        ARMILLA_KERNEL(armilla_lane_fft_column)
        (fft, second, 1, columns + (n2 - p) * step * COMPLEX, rest);
    }
    for (int64_t k = 0; k < n1; k += VLEN) {
        const int64_t end = k + VLEN < n1 ? k + VLEN : n1, start = end - VLEN;
        for (int64_t i = k; i < end; i++) {
            double *row = columns + i * COMPLEX;
            ARMILLA_KERNEL(armilla_lane_fft_row)(fft, i, row, step, row, step, rest);
        }
        write_samples(lanes, columns + start * COMPLEX, start);
    }
}

/* Samples p .. p + VLEN - 1 modulo n2. */
static void read_samples(const armilla_ring_lanes *lanes, int64_t p, double *stage)
{
    const int64_t n1 = lanes->fft->length[0], n2 = lanes->fft->length[1];
    for (int64_t a = 0; a < n1; a++, stage += STAGE * COMPLEX)
        for (int side = 0; side < 2; side++) {
            vec x[VLEN];
            for (int lane = 0; lane < VLEN; lane++)
                x[lane] = v_load_anywhere(lanes->ring[side][lane] + p + n2 * a);
            v_transpose(x);
            for (int i = 0; i < VLEN; i++) v_store(stage + i * COMPLEX + side * VLEN, x[i]);
        }
}

/* The inverse of put_orders, for every n1-th order. */
static void get_orders(const armilla_ring_lanes *lanes, int64_t m, int64_t last, const double *plus,
                       const double *minus, double *leg)
{
    const int64_t step = lanes->fft->length[0];
    const vec north = v_load(lanes->scale[0]), south = v_load(lanes->scale[1]);
    for (; m <= last; m += step, plus += COMPLEX, minus -= COMPLEX) {
        const vec p_re = v_load(plus), p_im = v_load(plus + VLEN);
        const vec q_re = v_load(minus), q_im = v_load(minus + VLEN);
        ask_for_row(leg + (m + 1) * lanes->row_length, 1);
        v_store4(leg + m * lanes->row_length, v_mul(north, v_add(p_re, q_re)),
                 v_mul(north, v_sub(p_im, q_im)), v_mul(south, v_add(p_im, q_im)),
                 v_mul(south, v_sub(q_re, p_re)));
    }
}

/* Rows k and n1 - k; second = first where these are one. */
static void gather_rows(const armilla_ring_lanes *lanes, int64_t k, const double *first,
                        const double *second, double *leg)
{
    const int64_t n1 = lanes->fft->length[0], end = (lanes->fft->length[1] - 1) * COMPLEX;
    if (k == 0) {
        get_orders(lanes, 0, 0, first, first, leg);
        get_orders(lanes, n1, lanes->last, first + COMPLEX, first + end, leg);
        return;
    }
    get_orders(lanes, k, lanes->last, first, second + end, leg);
    if (first != second) get_orders(lanes, n1 - k, lanes->last, second, first + end, leg);
}

void ARMILLA_KERNEL(armilla_ring_lanes_analysis)(const armilla_ring_lanes *lanes, double *leg,
                                                 double *work)
{
    const armilla_lane_fft *fft = lanes->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1], step = n1 + 1;
    const int64_t longest = n1 > n2 ? n1 : n2;
    double *columns = work, *rest = columns + n2 * step * COMPLEX;
    double *stage = rest + 2 * longest * COMPLEX, *first = stage, *second = first + n2 * COMPLEX;
    for (int64_t p = 0; p < n2; p += VLEN) {
        const int64_t end = p + VLEN < n2 ? p + VLEN : n2, start = end - VLEN;
        read_samples(lanes, start, stage);
        for (int64_t i = p; i < end; i++) ARMILLA_KERNEL(armilla_lane_fft_column)
        (fft, stage + (i - start) * COMPLEX, STAGE, columns + i * step * COMPLEX, rest);
    }
    for (int64_t k = 0; 2 * k <= n1; k++) {
        const int alone = k == 0 || 2 * k == n1;
        ARMILLA_KERNEL(armilla_lane_fft_row)
        (fft, k, columns + k * COMPLEX, step, first, 1, rest);
        if (!alone) ARMILLA_KERNEL(armilla_lane_fft_row)
        (fft, n1 - k, columns + (n1 - k) * COMPLEX, step, second, 1, rest);
        gather_rows(lanes, k, first, alone ? first : second, leg);
    }
}
