/* Sums all coefficients of a field at each point, in long double, with Wigner's functions by their
 * recurrence in the degree. With x = cos theta, orders m and n of any sign (Varshalovich et al.
 * 1988, chapter 4):
 *
 *   sY_lm = (-1)^s sqrt((2 l + 1) / (4 pi)) d^l_{m,-s}(theta) e^{i m phi}
 *   r_l+1 d^{l+1} / (l + 1) = (2 l + 1) (x - m n / (l (l + 1))) d^l - r_l d^{l-1} / l
 *   r_l = sqrt((l^2 - m^2) (l^2 - n^2))
 *
 * The recurrence begins at l = max(|m|, |n|) with a product of powers of sin and cos of
 * theta / 2. */
#include "oracle/field_oracle.h"
#include "oracle/basics.h"

#include <math.h>
#include <stdlib.h>

typedef long double real;

static const real PI = 3.14159265358979323846264338327950288L;

static int64_t triangle(int64_t lmax, int64_t l, int64_t m)
{
    return m * (2 * lmax + 1 - m) / 2 + l;
}

/* d^l0_{m n}(theta), l0 = max(|m|, |n|), by d_{m n} = (-1)^{m - n} d_{n m} = d_{-n, -m}. */
static real first(int64_t m, int64_t n, real theta)
{
    real sign = 1;
    int64_t a = m, b = n; /* such that a = l0 */
    if (llabs(n) > llabs(m)) sign = (m - n) % 2 ? -1 : 1, a = n, b = m;
    if (a < 0) sign *= (a - b) % 2 ? -1 : 1, a = -a, b = -b; /* d_{-a, -b} = (-1)^{a - b} d_{a b} */
    real product = 1; /* of binomial(2 a, a + b) and the powers, factor by factor */
    const real s = sinl(theta / 2), c = cosl(theta / 2);
    const int64_t most = a + (b < 0 ? -b : b), least = 2 * a - most;
    for (int64_t i = 1; i <= least; i++) product *= sqrtl((real)(most + i) / (real)i) * s * c;
    product *= powl(b < 0 ? s : c, (real)(most - least));
    return ((a - b) % 2 ? -1 : 1) * sign * product;
}

/* sqrt((l^2 - m^2) (l^2 - n^2)) */
static real root(int64_t l, int64_t m, int64_t n)
{
    return sqrtl((real)(l - m) * (real)(l + m)) * sqrtl((real)(l - n) * (real)(l + n));
}

/* Sums over degrees of one order, at every point: sum of c_l sqrt((2 l + 1) / (4 pi)) d^l_{m n},
 * real and imaginary parts. coefficient: of l = l0 .. lmax, complex. */
static void sum_degrees(const oracle_field *f, int64_t m, int64_t n, const real *coefficient,
                        real *sum)
{
    const int64_t begin = llabs(m) > llabs(n) ? llabs(m) : llabs(n), count = f->npoints;
    real *now = checked_malloc(3 * count, sizeof *now), *before = now + count, *x = before + count;
    for (int64_t i = 0; i < count; i++) {
        x[i] = cosl(f->points[2 * i]), before[i] = 0;
        now[i] = first(m, n, f->points[2 * i]);
        sum[2 * i] = sum[2 * i + 1] = 0;
    }
    real last = 0;
    for (int64_t l = begin; l <= f->lmax; l++, coefficient += 2) {
        const real norm = sqrtl((real)(2 * l + 1) / (4 * PI)), ahead = root(l + 1, m, n);
        const real turn = l ? (real)m * (real)n / ((real)l * (real)(l + 1)) : 0;
        const real up = (real)(2 * l + 1) * (real)(l + 1) / ahead;
        const real down = l ? (real)(l + 1) * last / ((real)l * ahead) : 0;
        for (int64_t i = 0; i < count; i++) {
            sum[2 * i] += norm * coefficient[0] * now[i];
            sum[2 * i + 1] += norm * coefficient[1] * now[i];
            const real next = up * (x[i] - turn) * now[i] - down * before[i];
            before[i] = now[i], now[i] = next;
        }
        last = ahead;
    }
    free(now);
}

/* -(E + i B)_lm of order m of any sign, or a_lm of a scalar, from l = begin on. */
static void read_order(const oracle_field *f, const double *alm, int64_t m, int64_t begin,
                       real *coefficient)
{
    const int64_t order = llabs(m), size = triangle(f->lmax, f->lmax, f->mmax) + 1;
    const real sign = (f->spin ? -1 : 1) * (m < 0 && m % 2 ? -1 : 1);
    for (int64_t l = begin; l <= f->lmax; l++) {
        const double *e = alm + 2 * triangle(f->lmax, l, order), *b = e + 2 * size;
        const real conjugate = m < 0 ? -1 : m ? 1 : 0;
        coefficient[0] = sign * e[0], coefficient[1] = sign * conjugate * e[1];
        if (f->spin) {
            coefficient[0] -= sign * conjugate * b[1];
            coefficient[1] += sign * b[0];
        }
        coefficient += 2;
    }
}

void oracle_field_values(const oracle_field *f, const double *alm, double *value)
{
    const int64_t count = f->npoints;
    real *sum = checked_malloc(2 * count, sizeof *sum),
         *field = checked_calloc(2 * count, sizeof *sum);
    real *coefficient = checked_malloc(2 * (f->lmax + 1), sizeof *coefficient);
    for (int64_t m = -f->mmax; m <= f->mmax; m++) {
        const int64_t begin = llabs(m) > f->spin ? llabs(m) : f->spin;
        if (begin > f->lmax) continue;
        read_order(f, alm, m, begin, coefficient);
        sum_degrees(f, m, -f->spin, coefficient, sum);
        for (int64_t i = 0; i < count; i++) {
            const real angle = (real)m * fmodl(f->points[2 * i + 1], 2 * PI);
            const real c = cosl(angle), s = sinl(angle);
            field[2 * i] += sum[2 * i] * c - sum[2 * i + 1] * s;
            field[2 * i + 1] += sum[2 * i] * s + sum[2 * i + 1] * c;
        }
    }
    const real sign = f->spin % 2 ? -1 : 1;
    for (int64_t i = 0; i < count; i++) {
        value[i] = (double)(sign * field[2 * i]);
        if (f->spin) value[count + i] = (double)(sign * field[2 * i + 1]);
    }
    free(coefficient);
    free(field);
    free(sum);
}

double oracle_field_rms(const oracle_field *f, const double *alm)
{
    const int64_t size = triangle(f->lmax, f->lmax, f->mmax) + 1, ncomp = f->spin ? 2 : 1;
    real power = 0;
    for (int64_t c = 0; c < ncomp; c++)
        for (int64_t m = 0; m <= f->mmax; m++)
            for (int64_t l = m > f->spin ? m : f->spin; l <= f->lmax; l++) {
                const double *a = alm + 2 * (c * size + triangle(f->lmax, l, m));
                power += m ? 2 * ((real)a[0] * a[0] + (real)a[1] * a[1]) : (real)a[0] * a[0];
            }
    return (double)sqrtl(power / (4 * PI * (real)ncomp));
}
