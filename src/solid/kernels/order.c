/* One order of solid harmonics at many points; see kernels.h. For each degree and vector: three
 * operations of the recurrence, six near the poles, and two for each field. */
#include "legendre/simd/simd.h"
#include "solid/kernels/kernels.h"

enum { MOST_FIELDS = 5, MOST_VECTORS = 2 };

/* With 32 registers two vectors of four fields fit, and numbers of a row are read half as often. */
#if REGISTERS >= 32
#define VECTORS(nfields) ((nfields) <= 4 ? 2 : 1)
#else
#define VECTORS(nfields) 1
#endif

static const double far_up = 0x1p100, unit = 0x1p900, per_unit = 0x1p-900, too_small = 0x1p-800;

/* Near the poles step is v y, decay v, and last d. */
typedef struct state {
    vec step[MOST_VECTORS], decay[MOST_VECTORS];
    vec last[MOST_VECTORS], now[MOST_VECTORS], scale[MOST_VECTORS];
    vec of_cosine[MOST_VECTORS][MOST_FIELDS], of_sine[MOST_VECTORS][MOST_FIELDS];
} state;

/* What a call of the loop is compiled for. */
typedef struct shape {
    int nfields, nvec, near;
} shape;

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

ARMILLA_ALWAYS_INLINE void add(state *q, int v, vec value, const double *factor, const int nfields)
{
    for (int f = 0; f < nfields; f++) {
        q->of_cosine[v][f] = v_fma_sum(v_all(factor[2 * f]), value, q->of_cosine[v][f]);
        q->of_sine[v][f] = v_fma_sum(v_all(factor[2 * f + 1]), value, q->of_sine[v][f]);
    }
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
                add(q, v, v_select(scaled, v_all(0), q->now[v]), row->factor + 2 * of.nfields * k,
                    of.nfields);
            climb(q, v, row, k, of.near);
            rescale(q, v);
        }
    return k;
}

/* The sums, turned by m phi, go to the fields. */
ARMILLA_ALWAYS_INLINE void end(const armilla_solid_lanes *lanes, int64_t first, const state *q,
                               const int nfields, const int nvec)
{
    for (int v = 0; v < nvec; v++) {
        const int64_t i = first + v * VLEN;
        const vec cosine = v_load(lanes->cosine + i), sine = v_load(lanes->sine + i);
        for (int f = 0; f < nfields; f++) {
            double *sum = lanes->sum + f * lanes->pitch + i;
            const vec turned = v_fma(q->of_cosine[v][f], cosine, v_load(sum));
            v_store(sum, v_fma(q->of_sine[v][f], sine, turned));
        }
    }
}

ARMILLA_ALWAYS_INLINE void sum_degrees(const armilla_solid_row *row,
                                       const armilla_solid_lanes *lanes, int64_t first,
                                       const shape of)
{
    state q;
    const int64_t count = row->lmax - row->m + 1;
    begin(lanes, first, &q, of);
    int64_t k = climb_scaled(row, &q, of);
    const double *factor = row->factor + 2 * of.nfields * k;
    for (; k < count; k++, factor += 2 * of.nfields)
        for (int v = 0; v < of.nvec; v++) {
            add(&q, v, q.now[v], factor, of.nfields);
            climb(&q, v, row, k, of.near);
        }
    end(lanes, first, &q, of.nfields, of.nvec);
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
                                     const int nfields)
{
    const shape far = {nfields, VECTORS(nfields), 0}, near = {nfields, VECTORS(nfields), 1};
    for (int64_t block = 0; block < lanes->count / ARMILLA_SOLID_BLOCK; block++) {
        const int64_t first = block * ARMILLA_SOLID_BLOCK, end_ = first + ARMILLA_SOLID_BLOCK;
        if (row->m > lanes->limit[block]) continue;
        if (block < lanes->near)
            for (int64_t i = first; i < end_; i += near.nvec * VLEN)
                sum_degrees(row, lanes, i, near);
        else
            for (int64_t i = first; i < end_; i += far.nvec * VLEN) sum_degrees(row, lanes, i, far);
        for (int64_t i = first; i < end_; i += VLEN) next_order(row, lanes, i);
    }
}

void ARMILLA_KERNEL(armilla_solid_kernel_add_order)(const armilla_solid_row *row,
                                                    const armilla_solid_lanes *lanes)
{
    if (row->nfields == 1)
        add_order(row, lanes, 1);
    else if (row->nfields == 4)
        add_order(row, lanes, 4);
    else
        add_order(row, lanes, 5);
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
    const shape far = {nfields, VECTORS(nfields), 0}, near = {nfields, VECTORS(nfields), 1};
    for (int64_t block = 0; block < lanes->count / ARMILLA_SOLID_BLOCK; block++) {
        const int64_t first = block * ARMILLA_SOLID_BLOCK, end_ = first + ARMILLA_SOLID_BLOCK;
        if (row->m > lanes->limit[block]) continue;
        if (block < lanes->near)
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
