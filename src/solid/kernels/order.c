/* One order of solid harmonics at many points; see kernels.h. For each degree and vector: three
 * operations of the recurrence, six near the poles, and two for each field; seven instead of eight
 * for V and its gradient where lanes are turning. */
#include "legendre/simd/simd.h"
#include "solid/kernels/kernels.h"

enum { MOST_FIELDS = 5, MOST_VECTORS = 4 };

/* With 32 registers two vectors of four fields fit, and numbers of a row are read half as often. */
#if REGISTERS >= 32
#define VECTORS(nfields) ((nfields) <= 4 ? 2 : 1)
#else
#define VECTORS(nfields) ((nfields) == 3 ? 4 : 1)
#endif

static const double far_up = 0x1p100, unit = 0x1p900, per_unit = 0x1p-900, too_small = 0x1p-800;

/* Near the poles step is v y, decay v, and last d. */
typedef struct state {
    vec step[MOST_VECTORS], decay[MOST_VECTORS];
    vec last[MOST_VECTORS], now[MOST_VECTORS], scale[MOST_VECTORS];
    vec of_cosine[MOST_VECTORS][MOST_FIELDS], of_sine[MOST_VECTORS][MOST_FIELDS];
} state;

/* What a call of the loop is compiled for. Of lanes that are turning sums are V, degree times V,
 * and V_z. */
typedef struct shape {
    int nfields, nvec, near, turning;
} shape;

/* Fields of a row. */
ARMILLA_ALWAYS_INLINE int fields_of(const shape of)
{
    return of.turning ? 4 : of.nfields;
}

ARMILLA_ALWAYS_INLINE void begin(const armilla_solid_lanes *lanes, int64_t first, state *q,
                                 const shape of)
{
    const double *step = of.near ? lanes->off : lanes->step;
    const double *decay = of.near ? lanes->along : lanes->decay;
    for (int v = 0; v < of.nvec; v++) {
        const int64_t i = first + v * VLEN;
        q->step[v] = v_load(step + i), q->decay[v] = v_load(decay + i);
        q->last[v] = v_all(0), q->now[v] = v_load(lanes->start + i);
        q->scale[v] = v_load(lanes->scale + i);
        for (int f = 0; f < of.nfields; f++) q->of_cosine[v][f] = q->of_sine[v][f] = v_all(0);
    }
}

ARMILLA_ALWAYS_INLINE void add_field(state *q, int v, int f, vec value, const double factor[2])
{
    q->of_cosine[v][f] = v_fma_sum(v_all(factor[0]), value, q->of_cosine[v][f]);
    q->of_sine[v][f] = v_fma_sum(v_all(factor[1]), value, q->of_sine[v][f]);
}

ARMILLA_ALWAYS_INLINE void add(state *q, int v, vec value, const double *factor,
                               const double *degree, const shape of)
{
    if (!of.turning) {
        for (int f = 0; f < of.nfields; f++) add_field(q, v, f, value, factor + 2 * f);
        return;
    }
    add_field(q, v, 0, value, factor);
    add_field(q, v, 2, value, factor + 6);
    const double slope[2] = {*degree * factor[0], *degree * factor[1]};
    add_field(q, v, 1, value, slope);
}

ARMILLA_ALWAYS_INLINE void climb_near(state *q, int v, double step, const double pole[2])
{
    const vec back = v_mul(v_mul(v_all(pole[1]), q->decay[v]), q->last[v]);
    q->last[v] = v_fnma(v_mul(v_all(step), q->step[v]), q->now[v], back);
    q->now[v] = v_fma(v_mul(v_all(pole[0]), q->decay[v]), q->now[v], q->last[v]);
}

ARMILLA_ALWAYS_INLINE void climb(state *q, int v, const armilla_solid_row *row, int64_t k,
                                 const int near)
{
    const double step = row->step[k];
    if (near) {
        climb_near(q, v, step, row->pole + 2 * k);
        return;
    }
    const vec old = v_mul(q->decay[v], q->last[v]);
    q->last[v] = q->now[v];
    q->now[v] = v_fma(v_mul(v_all(step), q->step[v]), q->now[v], old);
}

/* Lanes with a scale below 0 that have grown. */
ARMILLA_ALWAYS_INLINE void rescale(state *q, int v)
{
    const vmask scaled = v_negative(q->scale[v]), large = v_larger(q->now[v], far_up);
    const vec one = v_all(1), zero = v_all(0);
    const vec factor = v_select(scaled, v_select(large, v_all(per_unit), one), one);
    q->now[v] = v_mul(q->now[v], factor), q->last[v] = v_mul(q->last[v], factor);
    q->scale[v] = v_add(q->scale[v], v_select(scaled, v_select(large, one, zero), zero));
}

ARMILLA_ALWAYS_INLINE int some_scaled(const state *q, const int nvec)
{
    int some = 0;
    for (int v = 0; v < nvec; v++) some |= v_lanes(v_negative(q->scale[v]));
    return some;
}

/* Degrees until no lane is scaled. Returned: the next degree, counted from m. */
ARMILLA_ALWAYS_INLINE int64_t climb_scaled(const armilla_solid_row *row, state *q, const shape of)
{
    const int64_t count = row->lmax - row->m + 1;
    int64_t k = 0;
    for (; k < count && some_scaled(q, of.nvec); k++)
        for (int v = 0; v < of.nvec; v++) {
            const vmask scaled = v_negative(q->scale[v]);
            if (v_lanes(scaled) != LANES_ALL)
                add(q, v, v_select(scaled, v_all(0), q->now[v]),
                    row->factor + 2 * fields_of(of) * k, row->degree + k, of);
            climb(q, v, row, k, of.near);
            rescale(q, v);
        }
    return k;
}

/* Adds a cos + b sin, where an order matters. */
ARMILLA_ALWAYS_INLINE void add_turned(double *sum, vmask matters, vec a, vec cosine, vec b,
                                      vec sine)
{
    const vec before = v_load(sum);
    v_store(sum, v_select(matters, v_fma(b, sine, v_fma(a, cosine, before)), before));
}

/* The sums, turned by m phi, go to the fields. */
ARMILLA_ALWAYS_INLINE void end(const armilla_solid_lanes *lanes, int64_t first, const state *q,
                               const double m, const shape of)
{
    for (int v = 0; v < of.nvec; v++) {
        const int64_t i = first + v * VLEN;
        const vec cosine = v_load(lanes->cosine + i), sine = v_load(lanes->sine + i);
        const vmask matters = v_larger(v_load(lanes->most + i), m - 0.5);
        double *sum = lanes->sum + i;
        for (int f = 0; f < of.nfields; f++)
            add_turned(sum + (of.turning && f == 2 ? 3 : f) * lanes->pitch, matters,
                       q->of_cosine[v][f], cosine, q->of_sine[v][f], sine);
        if (of.turning)
            add_turned(sum + 2 * lanes->pitch, matters, v_mul(v_all(m), q->of_sine[v][0]), cosine,
                       v_mul(v_all(-m), q->of_cosine[v][0]), sine);
    }
}

/* --- Runs --------------------------------------------------------------------------------------
 */

/* Lanes that are turning take nine operations a degree here, which two pipes finish in about the
 * time of one, so that a recurrence or a sum of one vector would wait for itself. Two vectors and
 * their sums do not fit in 16 registers, but they do without the recurrences: these go on for a run
 * of degrees, in four vectors at once, and leave their values in the cache. */
enum { RUN = 16 };

typedef struct run {
    vec value[RUN][MOST_VECTORS];
    double factor[RUN][6]; /* of V, of degree times V, of V_z */
    int64_t count;
} run;

ARMILLA_ALWAYS_INLINE void take_factors(const armilla_solid_row *row, int64_t k, run *r)
{
    for (int64_t d = 0; d < r->count; d++)
        for (int part = 0; part < 2; part++) {
            const double *given = row->factor + 8 * (k + d) + part;
            r->factor[d][part] = given[0], r->factor[d][4 + part] = given[6];
            r->factor[d][2 + part] = row->degree[k + d] * given[0];
        }
}

ARMILLA_ALWAYS_INLINE void walk(state *q, const armilla_solid_row *row, int64_t k, run *r)
{
    state w = *q;
    for (int64_t d = 0; d < r->count; d++)
        for (int v = 0; v < MOST_VECTORS; v++) {
            r->value[d][v] = w.now[v];
            climb(&w, v, row, k + d, 0);
        }
    for (int v = 0; v < MOST_VECTORS; v++) q->now[v] = w.now[v], q->last[v] = w.last[v];
}

/* Vectors v and v + 1. */
ARMILLA_ALWAYS_INLINE void add_run(state *q, int v, const run *r)
{
    vec sum[2][6];
    for (int i = 0; i < 2; i++)
        for (int f = 0; f < 3; f++)
            sum[i][2 * f] = q->of_cosine[v + i][f], sum[i][2 * f + 1] = q->of_sine[v + i][f];
    for (int64_t d = 0; d < r->count; d++) {
        const vec a = r->value[d][v], b = r->value[d][v + 1];
        for (int f = 0; f < 6; f++) {
            const vec factor = v_all(r->factor[d][f]);
            sum[0][f] = v_fma_sum(factor, a, sum[0][f]);
            sum[1][f] = v_fma_sum(factor, b, sum[1][f]);
        }
    }
    for (int i = 0; i < 2; i++)
        for (int f = 0; f < 3; f++)
            q->of_cosine[v + i][f] = sum[i][2 * f], q->of_sine[v + i][f] = sum[i][2 * f + 1];
}

ARMILLA_ALWAYS_INLINE void sum_runs(const armilla_solid_row *row, state *q, int64_t k)
{
    run r;
    const int64_t count = row->lmax - row->m + 1;
    for (; k < count; k += RUN) {
        r.count = count - k < RUN ? count - k : RUN;
        take_factors(row, k, &r);
        walk(q, row, k, &r);
        for (int v = 0; v < MOST_VECTORS; v += 2) add_run(q, v, &r);
    }
}

ARMILLA_ALWAYS_INLINE void sum_one_by_one(const armilla_solid_row *row, state *q, int64_t k,
                                          const shape of)
{
    const int64_t count = row->lmax - row->m + 1;
    const double *factor = row->factor + 2 * fields_of(of) * k;
    for (; k < count; k++, factor += 2 * fields_of(of))
        for (int v = 0; v < of.nvec; v++) {
            add(q, v, q->now[v], factor, row->degree + k, of);
            climb(q, v, row, k, of.near);
        }
}

ARMILLA_ALWAYS_INLINE void sum_degrees(const armilla_solid_row *row,
                                       const armilla_solid_lanes *lanes, int64_t first,
                                       const shape of)
{
    state q;
    begin(lanes, first, &q, of);
    const int64_t k = climb_scaled(row, &q, of);
    if (of.nvec == MOST_VECTORS)
        sum_runs(row, &q, k);
    else
        sum_one_by_one(row, &q, k, of);
    end(lanes, first, &q, (double)row->m, of);
}

/* From order m to m + 1: a step of the diagonal, and one turn by phi. */
ARMILLA_ALWAYS_INLINE void next_order(const armilla_solid_row *row,
                                      const armilla_solid_lanes *lanes, int64_t i)
{
    const vec one = v_all(1), zero = v_all(0);
    const vec c = v_load(lanes->cosine + i), s = v_load(lanes->sine + i);
    const vec c1 = v_load(lanes->cosine1 + i), s1 = v_load(lanes->sine1 + i);
    v_store(lanes->cosine + i, v_fnma(s, s1, v_mul(c, c1)));
    v_store(lanes->sine + i, v_fma(c, s1, v_mul(s, c1)));
    const vec scale = v_load(lanes->scale + i);
    const vec next =
        v_mul(v_mul(v_all(row->next), v_load(lanes->turn + i)), v_load(lanes->start + i));
    const vmask scaled = v_negative(scale), large = v_larger(next, far_up);
    const vmask usual = v_larger(next, too_small);
    const vec down = v_select(scaled, v_select(large, v_all(per_unit), one), one);
    const vec change = v_select(scaled, v_select(large, one, zero), zero);
    v_store(lanes->start + i, v_mul(next, v_select(usual, down, v_all(unit))));
    v_store(lanes->scale + i, v_add(scale, v_select(usual, change, v_all(-1))));
}

ARMILLA_ALWAYS_INLINE void add_order(const armilla_solid_row *row, const armilla_solid_lanes *lanes,
                                     const shape of)
{
    for (int64_t block = 0; block < lanes->count / ARMILLA_SOLID_BLOCK; block++) {
        const int64_t first = block * ARMILLA_SOLID_BLOCK, end_ = first + ARMILLA_SOLID_BLOCK;
        if (row->m > lanes->limit[block]) continue;
        for (int64_t i = first; i < end_; i += of.nvec * VLEN) sum_degrees(row, lanes, i, of);
        for (int64_t i = first; i < end_; i += VLEN) next_order(row, lanes, i);
    }
}

ARMILLA_ALWAYS_INLINE void add_fields(const armilla_solid_row *row,
                                      const armilla_solid_lanes *lanes, const int nfields)
{
    if (lanes->near)
        add_order(row, lanes, (shape){nfields, VECTORS(nfields), 1, 0});
    else
        add_order(row, lanes, (shape){nfields, VECTORS(nfields), 0, 0});
}

void ARMILLA_KERNEL(armilla_solid_kernel_add_order)(const armilla_solid_row *row,
                                                    const armilla_solid_lanes *lanes)
{
    if (lanes->turning)
        add_order(row, lanes, (shape){3, VECTORS(3), 0, 1});
    else if (row->nfields == 1)
        add_fields(row, lanes, 1);
    else if (row->nfields == 4)
        add_fields(row, lanes, 4);
    else
        add_fields(row, lanes, 5);
}

/* --- The transpose ---------------------------------------------------------------------------- */

ARMILLA_ALWAYS_INLINE void weigh(const armilla_solid_lanes *lanes, int64_t first, state *q,
                                 const shape of)
{
    for (int v = 0; v < of.nvec; v++) {
        const int64_t i = first + v * VLEN;
        const vec cosine = v_load(lanes->cosine + i), sine = v_load(lanes->sine + i);
        for (int f = 0; f < of.nfields; f++) {
            const vec weight = v_load(lanes->sum + f * lanes->pitch + i);
            q->of_cosine[v][f] = v_mul(weight, cosine), q->of_sine[v][f] = v_mul(weight, sine);
        }
    }
}

/* Lanes that are scaled add nothing. */
ARMILLA_ALWAYS_INLINE void collect_degree(const state *q, double *gather, const shape of,
                                          const int some)
{
    vec value[MOST_VECTORS];
    for (int v = 0; v < of.nvec; v++)
        value[v] = some ? v_select(v_negative(q->scale[v]), v_all(0), q->now[v]) : q->now[v];
    for (int f = 0; f < of.nfields; f++, gather += 2 * VLEN) {
        vec cosine = v_load(gather), sine = v_load(gather + VLEN);
        for (int v = 0; v < of.nvec; v++) {
            cosine = v_fma_sum(q->of_cosine[v][f], value[v], cosine);
            sine = v_fma_sum(q->of_sine[v][f], value[v], sine);
        }
        v_store(gather, cosine), v_store(gather + VLEN, sine);
    }
}

ARMILLA_ALWAYS_INLINE void collect_degrees(const armilla_solid_row *row,
                                           const armilla_solid_lanes *lanes, int64_t first,
                                           double *gather, const shape of)
{
    state q;
    const int64_t count = row->lmax - row->m + 1, pitch = 2 * of.nfields * VLEN;
    int64_t k = 0;
    begin(lanes, first, &q, of);
    weigh(lanes, first, &q, of);
    for (; k < count && some_scaled(&q, of.nvec); k++) {
        collect_degree(&q, gather + k * pitch, of, 1);
        for (int v = 0; v < of.nvec; v++) climb(&q, v, row, k, of.near), rescale(&q, v);
    }
    for (; k < count; k++) {
        collect_degree(&q, gather + k * pitch, of, 0);
        for (int v = 0; v < of.nvec; v++) climb(&q, v, row, k, of.near);
    }
}

ARMILLA_ALWAYS_INLINE void collect_order(const armilla_solid_row *row,
                                         const armilla_solid_lanes *lanes, double *gather,
                                         const int nfields)
{
    const shape far = {nfields, VECTORS(nfields), 0, 0}, near = {nfields, VECTORS(nfields), 1, 0};
    for (int64_t block = 0; block < lanes->count / ARMILLA_SOLID_BLOCK; block++) {
        const int64_t first = block * ARMILLA_SOLID_BLOCK, end_ = first + ARMILLA_SOLID_BLOCK;
        if (row->m > lanes->limit[block]) continue;
        if (lanes->near)
            for (int64_t i = first; i < end_; i += near.nvec * VLEN)
                collect_degrees(row, lanes, i, gather, near);
        else
            for (int64_t i = first; i < end_; i += far.nvec * VLEN)
                collect_degrees(row, lanes, i, gather, far);
        for (int64_t i = first; i < end_; i += VLEN) next_order(row, lanes, i);
    }
}

void ARMILLA_KERNEL(armilla_solid_kernel_collect_order)(const armilla_solid_row *row,
                                                        const armilla_solid_lanes *lanes,
                                                        double *gather)
{
    if (row->nfields == 1)
        collect_order(row, lanes, gather, 1);
    else if (row->nfields == 4)
        collect_order(row, lanes, gather, 4);
    else
        collect_order(row, lanes, gather, 5);
}

void ARMILLA_KERNEL(armilla_solid_kernel_skip_order)(const armilla_solid_row *row,
                                                     const armilla_solid_lanes *lanes)
{
    for (int64_t i = 0; i < lanes->count; i += VLEN)
        if (row->m <= lanes->limit[i / ARMILLA_SOLID_BLOCK]) next_order(row, lanes, i);
}
