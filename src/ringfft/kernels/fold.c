/* Adds up samples of a pair of rings that are an eighth or a quarter of a turn apart, so that
 * orders of the same residue modulo 8 or 4 need only a short FFT of their own, and makes samples of
 * the results of such FFTs; docs/mathematics.md (4.4), (4.5).
 *
 * With x_t = z_{j + t n/8}, d_t = x_t - x_{t+4}, h = sqrt(1/2), sign = 1 for the first part and -1
 * for the second, the sums over eighths are
 *
 *     even_j = x_0 + sign x_2 + x_4 + sign x_6,   even_{j + n/8} the same of x_1 x_3 x_5 x_7
 *     a = d_0 + sign h (d_1 - d_3),   b = d_2 + sign h (d_1 + d_3)
 *     first part:   lower = a - i b (orders 1 mod 8),   upper = a + i b (orders -1)
 *     second part:  lower = a + i b (orders 3 mod 8),   upper = a - i b (orders -3)
 *
 * each times exp(-2 pi i r j / n), r = 0, 1, -1 in the first part, 2, 3, -3 in the second. */
#include "ringfft/kernels/kernels.h"

#include "base/compiler.h"

/* to = (re + i im) (c - i s) */
ARMILLA_ALWAYS_INLINE void put_turned(double *to, double re, double im, double c, double s)
{
    to[0] = re * c + im * s;
    to[1] = im * c - re * s;
}

/* The four sums over the eight samples j + t n/8 of one ring. */
typedef struct {
    double even, later, a, b;
} column;

ARMILLA_ALWAYS_INLINE column fold_column(const double *restrict x, int64_t step, double sign)
{
    const double h = sign * 0.70710678118654752440;
    double p = x[0] + x[4 * step], q = x[2 * step] + x[6 * step];
    double later_p = x[step] + x[5 * step], later_q = x[3 * step] + x[7 * step];
    double d0 = x[0] - x[4 * step], d1 = x[step] - x[5 * step];
    double d2 = x[2 * step] - x[6 * step], d3 = x[3 * step] - x[7 * step];
    return (column){p + sign * q, later_p + sign * later_q, d0 + h * (d1 - d3), d2 + h * (d1 + d3)};
}

ARMILLA_ALWAYS_INLINE void fold_first(const armilla_ring_fold *fold, const double *restrict north,
                                      const double *restrict south, int64_t stride,
                                      double *restrict even, double *restrict lower,
                                      double *restrict upper)
{
    const int64_t m = fold->n / 8;
    const double *restrict twist = fold->twist;
    for (int64_t j = 0; j < m; j++) {
        column n = fold_column(north + j * stride, m * stride, 1);
        column s = fold_column(south + j * stride, m * stride, 1);
        double c = twist[2 * j], t = twist[2 * j + 1];
        even[2 * j] = n.even, even[2 * j + 1] = s.even;
        even[2 * (m + j)] = n.later, even[2 * (m + j) + 1] = s.later;
        put_turned(lower + 2 * j, n.a + s.b, s.a - n.b, c, t);
        put_turned(upper + 2 * j, n.a - s.b, s.a + n.b, c, -t);
    }
}

ARMILLA_ALWAYS_INLINE void fold_second(const armilla_ring_fold *fold, const double *restrict north,
                                       const double *restrict south, int64_t stride,
                                       double *restrict even, double *restrict lower,
                                       double *restrict upper)
{
    const int64_t m = fold->n / 8;
    const double *restrict twist = fold->twist;
    for (int64_t j = 0; j < m; j++) {
        column n = fold_column(north + j * stride, m * stride, -1);
        column s = fold_column(south + j * stride, m * stride, -1);
        double c = twist[2 * j], t = twist[2 * j + 1];
        double c2 = c * c - t * t, t2 = 2 * c * t, c3 = c * c2 - t * t2, t3 = c * t2 + t * c2;
        put_turned(even + 2 * j, n.even, s.even, c2, t2);
        /* n/8 samples further on, exp(-2 pi i 2 j / n) has another factor -i */
        put_turned(even + 2 * (m + j), s.later, -n.later, c2, t2);
        put_turned(lower + 2 * j, n.a - s.b, s.a + n.b, c3, t3);
        put_turned(upper + 2 * j, n.a + s.b, s.a - n.b, c3, -t3);
    }
}

void ARMILLA_KERNEL(armilla_ring_fold_eighths)(const armilla_ring_fold *fold,
                                               const double *restrict north,
                                               const double *restrict south, double *restrict even,
                                               double *restrict lower, double *restrict upper)
{
    if (fold->stride == 1 && !fold->second)
        fold_first(fold, north, south, 1, even, lower, upper);
    else if (fold->stride == 1)
        fold_second(fold, north, south, 1, even, lower, upper);
    else if (!fold->second)
        fold_first(fold, north, south, 2, even, lower, upper);
    else
        fold_second(fold, north, south, 2, even, lower, upper);
}

/* Sums over the four samples j + t n/4. */
ARMILLA_ALWAYS_INLINE void fold_four(const armilla_ring_fold *fold, const double *restrict north,
                                     const double *restrict south, int64_t stride, int second,
                                     double *restrict even, double *restrict odd)
{
    const int64_t m = fold->n / 4, step = m * stride;
    const double *restrict twist = fold->twist;
    const double sign = second ? -1 : 1;
    for (int64_t j = 0; j < m; j++) {
        const double *restrict x = north + j * stride, *restrict y = south + j * stride;
        double c = twist[2 * j], t = twist[2 * j + 1];
        double re = x[0] + x[2 * step] + sign * (x[step] + x[3 * step]);
        double im = y[0] + y[2 * step] + sign * (y[step] + y[3 * step]);
        double even_c = second ? c * c - t * t : 1, even_t = second ? 2 * c * t : 0;
        put_turned(even + 2 * j, re, im, even_c, even_t);
        put_turned(odd + 2 * j, x[0] - x[2 * step], y[0] - y[2 * step], c, t);
        put_turned(odd + 2 * (m + j), y[step] - y[3 * step], x[3 * step] - x[step], c, t);
    }
}

void ARMILLA_KERNEL(armilla_ring_fold_quarters)(const armilla_ring_fold *fold,
                                                const double *restrict north,
                                                const double *restrict south, double *restrict even,
                                                double *restrict odd)
{
    if (fold->stride == 1)
        fold_four(fold, north, south, 1, fold->second, even, odd);
    else
        fold_four(fold, north, south, 2, fold->second, even, odd);
}

/* z_{j + t n/4} = x_t:  residue r is w^(-r j) sum_t (-i)^(r t) x_t, w = exp(2 pi i / n). */
ARMILLA_ALWAYS_INLINE void fold_all(const armilla_ring_fold *fold, const double *restrict north,
                                    const double *restrict south, int64_t stride, int64_t step,
                                    double *restrict fours)
{
    const int64_t m = fold->n / 4, quarter = m * stride;
    const double *restrict twist = fold->twist;
    for (int64_t j = 0; j < m; j++) {
        const double *restrict x = north + j * stride, *restrict y = south + j * stride;
        double *restrict to = fours + 2 * j;
        double c = twist[2 * j], s = twist[2 * j + 1];
        double c2 = c * c - s * s, s2 = 2 * c * s, c3 = c * c2 - s * s2, s3 = c * s2 + s * c2;
        double re0 = x[0] + x[2 * quarter], re1 = x[quarter] + x[3 * quarter];
        double im0 = y[0] + y[2 * quarter], im1 = y[quarter] + y[3 * quarter];
        double re2 = x[0] - x[2 * quarter], re3 = x[quarter] - x[3 * quarter];
        double im2 = y[0] - y[2 * quarter], im3 = y[quarter] - y[3 * quarter];
        to[0] = re0 + re1, to[1] = im0 + im1;
        put_turned(to + step, re2 + im3, im2 - re3, c, s);
        put_turned(to + 2 * step, re0 - re1, im0 - im1, c2, s2);
        put_turned(to + 3 * step, re2 - im3, im2 + re3, c3, s3);
    }
}

void ARMILLA_KERNEL(armilla_ring_fold_fours)(const armilla_ring_fold *fold,
                                             const double *restrict north,
                                             const double *restrict south, int64_t step,
                                             double *restrict fours)
{
    if (fold->stride == 1)
        fold_all(fold, north, south, 1, step, fours);
    else
        fold_all(fold, north, south, 2, step, fours);
}

/* Results for BLOCK neighbouring j go to local arrays first, then to the rings: a compiler that
 * sees stores to four quarters of one ring cannot know that they do not overlap, and makes no
 * vectors. */
enum { BLOCK = 16 };

ARMILLA_ALWAYS_INLINE void unfold_block(int64_t count, const double *restrict f, int64_t step,
                                        const double *restrict twist, double x[4][BLOCK],
                                        double y[4][BLOCK])
{
    for (int64_t j = 0; j < count; j++, f += 2) {
        double c = twist[2 * j], s = twist[2 * j + 1], c2 = c * c - s * s, s2 = 2 * c * s;
        double odd[2], two[2], three[2];
        put_turned(odd, f[step], f[step + 1], c, s);
        put_turned(two, f[2 * step], f[2 * step + 1], c2, s2);
        put_turned(three, f[3 * step], f[3 * step + 1], c * c2 - s * s2, c * s2 + s * c2);
        double re0 = f[0] + two[0], re1 = f[0] - two[0], im0 = f[1] + two[1], im1 = f[1] - two[1];
        double re2 = odd[0] + three[0], re3 = odd[0] - three[0];
        double im2 = odd[1] + three[1], im3 = odd[1] - three[1];
        x[0][j] = re0 + re2, y[0][j] = im0 + im2;
        x[1][j] = re1 + im3, y[1][j] = im1 - re3;
        x[2][j] = re0 - re2, y[2][j] = im0 - im2;
        x[3][j] = re1 - im3, y[3][j] = im1 + re3;
    }
}

ARMILLA_ALWAYS_INLINE void put_block(int64_t count, double scale, const double *block,
                                     double *restrict to, int64_t stride)
{
    for (int64_t j = 0; j < count; j++) to[j * stride] = scale * block[j];
}

ARMILLA_ALWAYS_INLINE void unfold_all(const armilla_ring_fold *fold, int64_t stride, int64_t step,
                                      const double *restrict fours, const double scale[2],
                                      double *restrict north, double *restrict south)
{
    const int64_t m = fold->n / 4;
    double x[4][BLOCK], y[4][BLOCK];
    for (int64_t j = 0; j < m; j += BLOCK) {
        const int64_t count = m - j < BLOCK ? m - j : BLOCK;
        if (count == BLOCK)
            unfold_block(BLOCK, fours + 2 * j, step, fold->twist + 2 * j, x, y);
        else
            unfold_block(count, fours + 2 * j, step, fold->twist + 2 * j, x, y);
        for (int t = 0; t < 4; t++) {
            put_block(count, scale[0], x[t], north + (j + t * m) * stride, stride);
            put_block(count, scale[1], y[t], south + (j + t * m) * stride, stride);
        }
    }
}

void ARMILLA_KERNEL(armilla_ring_unfold_fours)(const armilla_ring_fold *fold, int64_t step,
                                               const double *restrict fours, const double scale[2],
                                               double *restrict north, double *restrict south)
{
    if (fold->stride == 1)
        unfold_all(fold, 1, step, fours, scale, north, south);
    else
        unfold_all(fold, 2, step, fours, scale, north, south);
}
