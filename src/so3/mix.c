/* Mixes the triangles n and -n. Every number is the work of one thread. */
#include "so3/mix.h"

#include "armilla/alm.h"
#include "base/team.h"

/* The rows of order m, which begin with degree 0. */
typedef struct {
    double *plus, *minus, *e, *b;
    double sigma;
} order;

static order order_of(const armilla_so3_mix *mix, int64_t m)
{
    const int64_t first = 2 * (armilla_alm_index(mix->lmax, m, m) - m);
    const int64_t size = 2 * armilla_alm_size(mix->lmax, mix->mmax);
    return (order){mix->plus + first, mix->minus + first, mix->rows + first,
                   mix->rows + size + first, mix->n % 2 ? -1 : 1};
}

static void scalar_to_rows(const armilla_so3_mix *mix, const order *o, int64_t m)
{
    for (int64_t l = m; l <= mix->lmax; l++)
        for (int i = 0; i < 2; i++) o->e[2 * l + i] = mix->scale[l] * o->plus[2 * l + i];
}

static void scalar_from_rows(const armilla_so3_mix *mix, const order *o, int64_t m)
{
    for (int64_t l = m; l <= mix->lmax; l++)
        for (int i = 0; i < 2; i++) o->plus[2 * l + i] = mix->scale[l] * o->e[2 * l + i];
}

static void spin_to_rows(const armilla_so3_mix *mix, const order *o, int64_t m)
{
    for (int64_t l = m; l <= mix->lmax; l++) {
        const double s = l < mix->n ? 0 : mix->scale[l] / 2;
        const double *p = o->plus + 2 * l, *q = o->minus + 2 * l;
        double *e = o->e + 2 * l, *b = o->b + 2 * l;
        for (int i = 0; i < 2; i++) e[i] = l < mix->n ? 0 : -s * (o->sigma * q[i] + p[i]);
        b[0] = l < mix->n ? 0 : -s * (o->sigma * q[1] - p[1]);
        b[1] = l < mix->n ? 0 : s * (o->sigma * q[0] - p[0]);
    }
}

static void spin_from_rows(const armilla_so3_mix *mix, const order *o, int64_t m)
{
    for (int64_t l = m; l <= mix->lmax; l++) {
        const double s = mix->scale[l], t = o->sigma * s;
        const double *e = o->e + 2 * l, *b = o->b + 2 * l;
        double *p = o->plus + 2 * l, *q = o->minus + 2 * l;
        p[0] = -s * (e[0] + b[1]), p[1] = -s * (e[1] - b[0]);
        q[0] = -t * (e[0] - b[1]), q[1] = -t * (e[1] + b[0]);
    }
}

static void to_rows(void *context, int64_t m, int thread)
{
    (void)thread;
    const armilla_so3_mix *mix = context;
    const order o = order_of(mix, m);
    (mix->n ? spin_to_rows : scalar_to_rows)(mix, &o, m);
}

static void from_rows(void *context, int64_t m, int thread)
{
    (void)thread;
    const armilla_so3_mix *mix = context;
    const order o = order_of(mix, m);
    (mix->n ? spin_from_rows : scalar_from_rows)(mix, &o, m);
}

void armilla_so3_mix_to_rows(const armilla_so3_mix *mix)
{
    armilla_team_run(mix->nthreads, mix->mmax + 1, to_rows, (void *)mix);
}

void armilla_so3_mix_from_rows(const armilla_so3_mix *mix)
{
    armilla_team_run(mix->nthreads, mix->mmax + 1, from_rows, (void *)mix);
}
