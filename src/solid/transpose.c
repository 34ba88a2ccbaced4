/* The transpose of the coefficients of derivatives, degree by degree: each field's degree L belongs
 * to one degree of the potential, so that degrees can go to different threads. */
#include "solid/transpose.h"

#include "base/integer.h"
#include "base/team.h"
#include "solid/derivative.h"

typedef struct {
    const armilla_solid_table *table;
    int ntables, interior;
    const armilla_alm_layout *layout;
    double *alm;
} transpose;

/* Adds to the derivative in a_lm, m of any sign, of a real field. */
static void put(const transpose *t, int64_t l, int64_t m, double re, double im)
{
    const int64_t order = m < 0 ? -m : m;
    if (l > t->layout->lmax || order > t->layout->mmax || order > l) return;
    double *a = t->alm + 2 * (t->layout->mstart[order] + l * t->layout->stride);
    const int odd = order % 2 && m < 0;
    a[0] += odd ? -re : re;
    if (m) a[1] += m < 0 && !odd ? -im : im;
}

/* The transpose of table.c's coefficient(). */
static void scatter(const transpose *t, const armilla_solid_field *f, int count, int64_t l,
                    int64_t m, double re, double im)
{
    if (l < m || l < -m) return;
    if (count == 0) {
        put(t, l, m, re, im);
        return;
    }
    const int64_t from = t->interior ? l + 1 : l - 1;
    if (from < 0) return;
    if (f->along[count - 1] == ARMILLA_ALONG_Z) {
        const double factor = armilla_solid_along(t->interior, l, m);
        scatter(t, f, count - 1, from, m, factor * re, factor * im);
        return;
    }
    const double up = 0.5 * armilla_solid_across(t->interior, l, m, 1);
    const double down = 0.5 * armilla_solid_across(t->interior, l, m, -1);
    const int x = f->along[count - 1] == ARMILLA_ALONG_X;
    scatter(t, f, count - 1, from, m - 1, up * (x ? re : -im), up * (x ? im : re));
    scatter(t, f, count - 1, from, m + 1, down * (x ? re : im), down * (x ? im : -re));
}

static void scatter_field(const transpose *t, const armilla_solid_table *table, int64_t i,
                          int64_t degree)
{
    const armilla_solid_field *f = &armilla_solid_fields[table->first + i];
    const int64_t l = t->interior ? degree - f->count : degree + f->count;
    if (l < 0 || l > table->lmax) return;
    for (int64_t m = 0; m <= table->mmax && m <= l; m++) {
        const armilla_solid_row row = armilla_solid_table_row(table, m);
        const double *sum = row.factor + 2 * ((l - m) * table->nfields + i);
        scatter(t, f, f->count, l, m, sum[0], sum[1]);
    }
}

/* Derivatives in both parts of a_lm are twice those of an adjoint, m > 0. */
static void transpose_degree(void *context, int64_t l, int thread)
{
    const transpose *t = context;
    const int64_t mmax = armilla_smaller(l, t->layout->mmax);
    (void)thread;
    for (int64_t m = 0; m <= mmax; m++) {
        double *a = t->alm + 2 * (t->layout->mstart[m] + l * t->layout->stride);
        a[0] = a[1] = 0;
    }
    for (int i = 0; i < t->ntables; i++)
        for (int64_t f = 0; f < t->table[i].nfields; f++) scatter_field(t, &t->table[i], f, l);
    for (int64_t m = 1; m <= mmax; m++) {
        double *a = t->alm + 2 * (t->layout->mstart[m] + l * t->layout->stride);
        a[0] *= 0.5, a[1] *= 0.5;
    }
}

void armilla_solid_transpose(const armilla_solid_table *table, int ntables, int interior,
                             const armilla_alm_layout *layout, double *alm, int nthreads)
{
    transpose t = {table, ntables, interior, layout, alm};
    armilla_team_run(nthreads, layout->lmax + 1, transpose_degree, &t);
}
