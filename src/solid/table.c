/* Makes the coefficients of a potential's derivatives. With I_lm = r^-(l+1) Y_lm outside and
 * r^l Y_lm inside, and d_+- = d/dx +- i d/dy (docs/mathematics.md 13; Hotine 1969, Cunningham 1970)
 *
 *     outside, l = L - 1:  d_z I_lm  = -k sqrt((L-m) (L+m)) I_Lm              k^2 = (2l+1) / (2L+1)
 *                          d_+- I_lm = +-k sqrt((L+-M-1) (L+-M)) I_LM,        M = m +- 1
 *     inside,  l = L + 1:  d_z I_lm  =  k sqrt((L+1-m) (L+1+m)) I_Lm
 *                          d_+- I_lm = +-k sqrt((L+1-+M) (L+2-+M)) I_LM
 *
 * so that each coefficient of a derivative is a sum of two at most. Rows are normalised such that
 * the recurrence has one coefficient a step, or, near the poles, three. */
#include "solid/table.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "solid/derivative.h"

#include <math.h>

typedef struct {
    double re, im;
} number;

/* --- Coefficients ----------------------------------------------------------------------------- */

/* a_lm of a real field, m of any sign; 0 where there is none. */
static number given_coefficient(const armilla_solid_source *source, int64_t l, int64_t m)
{
    const armilla_alm_layout *layout = source->layout;
    const int64_t order = m < 0 ? -m : m;
    if (l == 0 || l > layout->lmax || order > layout->mmax || order > l) return (number){0, 0};
    if (order < source->first || order > source->last) return (number){0, 0};
    const double *a = source->alm + 2 * (layout->mstart[order] + l * layout->stride);
    if (m == 0) return (number){a[0], 0};
    if (m > 0) return (number){a[0], a[1]};
    return order % 2 ? (number){-a[0], a[1]} : (number){a[0], -a[1]};
}

/* a_lm of the field that is differentiated `count` times. */
static number coefficient(const armilla_solid_source *source, const armilla_solid_field *f,
                          int count, int64_t l, int64_t m);

static number derivative(const armilla_solid_source *source, const armilla_solid_field *f,
                         int count, int64_t l, int64_t m)
{
    const int64_t from = source->interior ? l + 1 : l - 1;
    if (from < 0) return (number){0, 0};
    if (f->along[count - 1] == ARMILLA_ALONG_Z) {
        const double factor = armilla_solid_along(source->interior, l, m);
        const number a = coefficient(source, f, count - 1, from, m);
        return (number){factor * a.re, factor * a.im};
    }
    const double up = 0.5 * armilla_solid_across(source->interior, l, m, 1);
    const double down = 0.5 * armilla_solid_across(source->interior, l, m, -1);
    const number a = coefficient(source, f, count - 1, from, m - 1);
    const number b = coefficient(source, f, count - 1, from, m + 1);
    if (f->along[count - 1] == ARMILLA_ALONG_X)
        return (number){up * a.re + down * b.re, up * a.im + down * b.im};
    return (number){up * a.im - down * b.im, down * b.re - up * a.re};
}

static number coefficient(const armilla_solid_source *source, const armilla_solid_field *f,
                          int count, int64_t l, int64_t m)
{
    if (l < m || l < -m) return (number){0, 0};
    return count ? derivative(source, f, count, l, m) : given_coefficient(source, l, m);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static int64_t entries_before(const armilla_solid_table *table, int64_t m)
{
    return m * (2 * table->lmax + 3 - m) / 2;
}

/* A_l of lambda_(l+1) = A_l (cos theta lambda_l - lambda_(l-1) / A_(l-1)). */
static long double climb(int64_t l, int64_t m)
{
    const long double n = (long double)l + 1;
    const long double order = (long double)m;
    return sqrtl((4 * n * n - 1) / ((n - order) * (n + order)));
}

/* lambda_(l+1) / lambda_l at the north pole, or its limit there. */
static long double at_pole(int64_t l, int64_t m)
{
    const long double n = (long double)l + 1, order = (long double)m;
    return sqrtl((2 * n + 1) / (2 * n - 1) * (n + order) / (n - order));
}

typedef struct {
    const armilla_solid_table *table;
    const armilla_solid_source *source;
} filling;

static void fill_factors(const filling *fill, int64_t l, int64_t m, long double norm,
                         double *factor)
{
    const double twice = (double)norm * (m ? 2 : 1);
    for (int64_t i = 0; i < fill->table->nfields; i++) {
        if (!fill->source->alm) {
            factor[2 * i] *= twice, factor[2 * i + 1] *= -twice;
            continue;
        }
        const armilla_solid_field *f = &armilla_solid_fields[fill->table->first + i];
        const number a = coefficient(fill->source, f, f->count, l, m);
        factor[2 * i] = twice * a.re, factor[2 * i + 1] = -twice * a.im;
    }
}

/* lambda_l = norm_l q_l, where norm_(l+1) / norm_(l-1) = A_l / A_(l-1): then q_(l-1) has the factor
 * 1 in the recurrence. */
static void fill_row(void *context, int64_t m, int thread)
{
    const filling *fill = context;
    const armilla_solid_table *table = fill->table;
    const int64_t at = entries_before(table, m);
    double *step = table->step + at, *factor = table->factor + 2 * table->nfields * at;
    double *pole = table->pole + 2 * at;
    long double norm = 1, before = 1, last = 1, back = 0;
    (void)thread;
    for (int64_t l = m; l <= table->lmax; l++, factor += 2 * table->nfields) {
        const long double a = climb(l, m), next = l == m ? a : before * (a / last);
        fill_factors(fill, l, m, norm, factor);
        const long double up = at_pole(l, m) * norm / next;
        *step++ = (double)(a * norm / next);
        *pole++ = (double)up, *pole++ = (double)back;
        back = 1 / up;
        before = norm, norm = next, last = a;
    }
}

void armilla_solid_table_fill(const armilla_solid_table *table, const armilla_solid_source *source,
                              int nthreads)
{
    filling fill = {table, source};
    armilla_team_run(nthreads, table->mmax + 1, fill_row, &fill);
}

armilla_solid_row armilla_solid_table_row(const armilla_solid_table *table, int64_t m)
{
    const int64_t at = entries_before(table, m);
    return (armilla_solid_row){.m = m,
                               .lmax = table->lmax,
                               .nfields = table->nfields,
                               .step = table->step + at,
                               .pole = table->pole + 2 * at,
                               .factor = table->factor + 2 * table->nfields * at,
                               .degree = table->degree + m,
                               .next = -sqrt((double)(2 * m + 3) / (double)(2 * m + 2))};
}

void armilla_solid_table_clear_factors(const armilla_solid_table *table)
{
    const int64_t numbers = 2 * table->nfields * entries_before(table, table->mmax + 1);
    for (int64_t i = 0; i < numbers; i++) table->factor[i] = 0;
}

armilla_status armilla_solid_table_new(const armilla_solid_source *source, int64_t first,
                                       int64_t nfields, int64_t derivatives,
                                       armilla_solid_table *table)
{
    const armilla_alm_layout *layout = source->layout;
    const int64_t mmax = armilla_smaller(layout->mmax, source->last);
    const int64_t lmax = layout->lmax + (source->interior ? 0 : derivatives);
    *table = (armilla_solid_table){.lmax = lmax,
                                   .mmax = armilla_smaller(lmax, mmax + derivatives),
                                   .first = first,
                                   .nfields = nfields};
    const int64_t entries = entries_before(table, table->mmax + 1);
    armilla_status status = armilla_allocate(&table->step, entries, sizeof(double));
    if (!status) status = armilla_allocate(&table->pole, entries, 2 * sizeof(double));
    if (!status)
        status = armilla_allocate(&table->factor, entries, 2 * (size_t)nfields * sizeof(double));
    if (!status) status = armilla_allocate(&table->degree, lmax + 1, sizeof(double));
    if (status) {
        armilla_solid_table_clear(table);
        return status;
    }
    for (int64_t l = 0; l <= lmax; l++) table->degree[l] = (double)(source->interior ? l : l + 1);
    return status;
}

armilla_status armilla_solid_tables_new(const armilla_solid_source *source, int64_t derivatives,
                                        armilla_solid_table table[2])
{
    const int64_t first = derivatives ? ARMILLA_SOLID_FIRST_FIELDS : 1;
    const int64_t second = ARMILLA_SOLID_FIELDS - ARMILLA_SOLID_FIRST_FIELDS;
    armilla_status status =
        armilla_solid_table_new(source, 0, first, derivatives ? 1 : 0, &table[0]);
    if (status || derivatives < 2) return status;
    return armilla_solid_table_new(source, ARMILLA_SOLID_FIRST_FIELDS, second, 2, &table[1]);
}

void armilla_solid_table_clear(armilla_solid_table *table)
{
    armilla_release(table->step);
    armilla_release(table->pole);
    armilla_release(table->factor);
    armilla_release(table->degree);
    *table = (armilla_solid_table){.nfields = 0};
}
