/* Legendre sums (8.5) and their transpose, in long double.
 *
 * The recurrence runs in the differences d_l = P_l - P_{l-1},
 *
 *     d_{l+1} = (l d_l - (2 l + 1) gap P_l) / (l + 1),   gap = 1 - cos theta = 2 sin^2(theta / 2)
 *
 * which keeps all digits near theta = 0; angles beyond pi / 2 are taken to pi - theta, where
 * P_l has the sign (-1)^l: even and odd degrees are summed apart. Two angles run side by side: that
 * hides the latency of the x87 unit and still fits its eight registers. Factors of the recurrence
 * come from divisions that all angles of a batch share. */
#include "radial/profile/kernel.h"

#include <math.h>

enum { RUN = 64 }; /* degrees whose factors are made at once; even */

typedef struct {
    long double gap, p, d, odd; /* odd: the sign of odd degrees */
} legendre;

/* l / (l + 1) and (2 l + 1) / (l + 1) */
typedef struct {
    long double a[RUN], b[RUN];
} factors;

static legendre start(long double theta)
{
    const int mirrored = theta > ARMILLA_PI / 2;
    const long double half = sinl((mirrored ? ARMILLA_PI - theta : theta) / 2);
    return (legendre){.gap = 2 * half * half, .p = 1, .odd = mirrored ? -1 : 1};
}

static void make_factors(int64_t l, factors *f)
{
    for (int i = 0; i < RUN; i++, l++) {
        const long double inverse = 1 / (long double)(l + 1);
        f->a[i] = (long double)l * inverse;
        f->b[i] = (long double)(2 * l + 1) * inverse;
    }
}

/* From degree l to l + 1. */
static inline void step(legendre *s, long double a, long double b)
{
    s->d = a * s->d - b * s->gap * s->p;
    s->p += s->d;
}

/* Adds a run of degrees to the sums of even and odd ones: of s, then of t. */
static void sum_run(const factors *f, const long double *coef, legendre *s, legendre *t,
                    long double sum[4])
{
    legendre u = *s, v = *t;
    long double even_u = sum[0], odd_u = sum[1], even_v = sum[2], odd_v = sum[3];
    for (int i = 0; i < RUN; i += 2) {
        even_u += coef[i] * u.p;
        even_v += coef[i] * v.p;
        step(&u, f->a[i], f->b[i]);
        step(&v, f->a[i], f->b[i]);
        odd_u += coef[i + 1] * u.p;
        odd_v += coef[i + 1] * v.p;
        step(&u, f->a[i + 1], f->b[i + 1]);
        step(&v, f->a[i + 1], f->b[i + 1]);
    }
    *s = u;
    *t = v;
    sum[0] = even_u, sum[1] = odd_u, sum[2] = even_v, sum[3] = odd_v;
}

/* A block of angles: count <= ARMILLA_KERNEL_BLOCK. */
static void sum_block(int64_t terms, const long double *window, int64_t count,
                      const long double *theta, long double *value)
{
    legendre state[ARMILLA_KERNEL_BLOCK + 1];
    long double sum[2 * ARMILLA_KERNEL_BLOCK + 2] = {0}, coef[RUN];
    factors f;
    for (int64_t i = 0; i <= count; i++) state[i] = start(theta[i < count ? i : count - 1]);
    for (int64_t l = 0; l < terms; l += RUN) {
        make_factors(l, &f);
        for (int64_t i = 0; i < RUN; i++)
            coef[i] = l + i < terms ? (long double)(2 * (l + i) + 1) * window[l + i] : 0;
        for (int64_t i = 0; i < count; i += 2)
            sum_run(&f, coef, &state[i], &state[i + 1], &sum[2 * i]);
    }
    for (int64_t i = 0; i < count; i++)
        value[i] = (sum[2 * i] + state[i].odd * sum[2 * i + 1]) / (4 * ARMILLA_PI);
}

void armilla_legendre_sum(int64_t terms, const long double *window, int64_t count,
                          const long double *theta, long double *value)
{
    for (int64_t done = 0; done < count; done += ARMILLA_KERNEL_BLOCK)
        sum_block(terms, window,
                  count - done < ARMILLA_KERNEL_BLOCK ? count - done : ARMILLA_KERNEL_BLOCK,
                  theta + done, value + done);
}

static void project_run(const factors *f, legendre *s, legendre *t, const long double value[2],
                        long double *window)
{
    legendre u = *s, v = *t;
    const long double even_u = value[0], odd_u = u.odd * even_u;
    const long double even_v = value[1], odd_v = v.odd * even_v;
    for (int i = 0; i < RUN; i += 2) {
        window[i] += even_u * u.p + even_v * v.p;
        step(&u, f->a[i], f->b[i]);
        step(&v, f->a[i], f->b[i]);
        window[i + 1] += odd_u * u.p + odd_v * v.p;
        step(&u, f->a[i + 1], f->b[i + 1]);
        step(&v, f->a[i + 1], f->b[i + 1]);
    }
    *s = u;
    *t = v;
}

void armilla_legendre_project(int64_t lmax, int64_t count, const long double *theta,
                              const long double *value, long double *window)
{
    legendre state[ARMILLA_KERNEL_BLOCK + 1];
    long double padded[ARMILLA_KERNEL_BLOCK + 1] = {0}, sum[RUN];
    factors f;
    for (int64_t i = 0; i <= count; i++) state[i] = start(theta[i < count ? i : count - 1]);
    for (int64_t i = 0; i < count; i++) padded[i] = value[i];
    for (int64_t l = 0; l <= lmax; l += RUN) {
        make_factors(l, &f);
        for (int i = 0; i < RUN; i++) sum[i] = 0;
        for (int64_t i = 0; i < count; i += 2)
            project_run(&f, &state[i], &state[i + 1], &padded[i], sum);
        for (int64_t i = 0; i < RUN && l + i <= lmax; i++) window[l + i] += sum[i];
    }
}
