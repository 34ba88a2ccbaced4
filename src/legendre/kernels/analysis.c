/* Legendre analysis on one group of ring pairs, the transpose of synthesis.c,
 * docs/mathematics.md (2.13):
 *     E_k += sum over pairs of p_k (N + S),  O_k += sum over pairs of p_k x (N - S).
 * The sums of a step stay vectors (one partial sum per lane) while all groups of a block of rings
 * pass; lanes are added once per block of steps. Steps go in blocks of ARMILLA_ANALYSIS_STEPS so
 * that the lane sums stay in the first-level cache; each group's p and range are kept in `state`
 * between blocks. */
#include "legendre/kernels/groups.h"
#include "legendre/kernels/kept.h"
#include "legendre/kernels/start.h"
#include "legendre/kernels/values.h"

#include <string.h>

typedef vec group_values[8]; /* four for each of one or two sets */

typedef struct {
    vec y[ANALYSIS_VECTORS], current[ANALYSIS_VECTORS], previous[ANALYSIS_VECTORS];
    vec scale[ANALYSIS_VECTORS];
    group_values value[ANALYSIS_VECTORS];
} group_state;

/* Doubles between the lane sums of two sets. */
#define SUMS_FAR(nsets) (4 * VLEN * (ARMILLA_ANALYSIS_STEPS / (nsets)))

/* fresh: the first group to reach these sums, which hold nothing yet */
ARMILLA_ALWAYS_INLINE void add_step(const vec *p, const group_values *value, double *sums,
                                    const int fresh, const int nsets, const int nvec)
{
    for (int set = 0; set < nsets; set++, sums += SUMS_FAR(nsets)) {
        vec sum[4];
        for (int j = 0; j < 4; j++) sum[j] = fresh ? v_all(0.0) : v_load(sums + j * VLEN);
        for (int i = 0; i < nvec; i++)
            for (int j = 0; j < 4; j++) sum[j] = v_fma(value[i][4 * set + j], p[i], sum[j]);
        for (int j = 0; j < 4; j++) v_store(sums + j * VLEN, sum[j]);
    }
}

/* A step, for all vectors. The recurrence comes before the sums: it is what later steps wait for,
 * and processors take what is older first. */
ARMILLA_ALWAYS_INLINE void take_step(const double *c, int64_t n, group_state *s, double *sums,
                                     const int odd, const int fresh, const part_shape shape)
{
    vec p[ANALYSIS_VECTORS];
    for (int i = 0; i < shape.nvec; i++)
        p[i] = value_now(s->current, s->previous, i, odd, shape.nfine);
    advance(c, n, s->y, s->current, s->previous, odd, shape.nvec, shape.nfine);
    add_step(p, s->value, sums, fresh, shape.nsets, shape.nvec);
}

/* A block of steps of vector i, of which some pairs matter. */
ARMILLA_ALWAYS_INLINE void masked_block(const double *c, int64_t n, double *sums, vec weight,
                                        group_state *s, int i, const int nsets, const int fine)
{
    group_values weighted[1];
    for (int j = 0; j < 4 * nsets; j++) weighted[0][j] = v_mul(weight, s->value[i][j]);
    for (int j = 0; j < ARMILLA_KERNEL_STEPS; j++, sums += 4 * VLEN) {
        vec p = value_now(&s->current[i], &s->previous[i], 0, j % 2, fine);
        add_step(&p, weighted, sums, 0, nsets, 1);
        advance(c + j, n, &s->y[i], &s->current[i], &s->previous[i], j % 2, 1, fine);
    }
}

typedef double step_data; /* lane sums */
enum { STEP_SIZE = 4 * VLEN };
#include "legendre/kernels/masked.h"

ARMILLA_ALWAYS_INLINE void plain_steps(const step_run *run, group_state *s, double *sums,
                                       const int fresh, const part_shape shape)
{
    const double *c = run->c;
    for (int64_t k = 0; k < run->nsteps; k += 2, c += 2, sums += 8 * VLEN) {
        take_step(c, run->n, s, sums, 0, fresh, shape);
        take_step(c + 1, run->n, s, sums + 4 * VLEN, 1, fresh, shape);
    }
}

/* Clears whole blocks of ARMILLA_KERNEL_STEPS, for masked steps are always run in such blocks and
 * may go beyond nsteps. */
ARMILLA_ALWAYS_INLINE void clear_sums(double *sums, int64_t nsteps, const int nsets)
{
    nsteps = (nsteps + ARMILLA_KERNEL_STEPS - 1) / ARMILLA_KERNEL_STEPS * ARMILLA_KERNEL_STEPS;
    for (int set = 0; set < nsets; set++)
        memset(sums + set * SUMS_FAR(nsets), 0, sizeof *sums * (size_t)(4 * VLEN * nsteps));
}

/* The state before the first step, made from leg. */
ARMILLA_ALWAYS_INLINE void start_state(const armilla_kernel_order *order,
                                       const armilla_kernel_group *group, int64_t first_pair,
                                       int64_t far, const double *leg, group_state *s,
                                       const int kept, const part_shape shape)
{
    for (int i = 0; i < shape.nvec; i++) {
        const int64_t pair = first_pair + i * far;
        for (int set = 0; set < shape.nsets; set++)
            read_values(order, group, pair, leg + set * order->leg_stride, s->value[i] + 4 * set);
        if (kept)
            s->current[i] = s->previous[i] = s->scale[i] = v_all(0.0);
        else
            start_vector(order, pair, i < shape.nfine, &s->current[i], &s->previous[i],
                         &s->scale[i]);
    }
}

/* What `state` keeps of a vector between blocks of steps, one behind the other. */
enum { OWN_CURRENT, OWN_PREVIOUS, OWN_SCALE, OWN_VALUES };

ARMILLA_ALWAYS_INLINE double *own_state(const armilla_kernel_state *state, int64_t at,
                                        const int nsets)
{
    return state->rows + at * (OWN_VALUES + 4 * nsets);
}

/* The state as the block of steps before left it. */
ARMILLA_ALWAYS_INLINE void load_state(const armilla_kernel_state *state, int64_t at, int64_t far,
                                      group_state *s, const int kept, const part_shape shape)
{
    for (int i = 0; i < shape.nvec; i++, at += far) {
        const double *own = own_state(state, at, shape.nsets);
        s->current[i] = v_load(own + OWN_CURRENT * VLEN);
        s->previous[i] = v_load(own + OWN_PREVIOUS * VLEN);
        s->scale[i] = kept ? v_all(0.0) : v_load(own + OWN_SCALE * VLEN);
        for (int j = 0; j < 4 * shape.nsets; j++)
            s->value[i][j] = v_load(own + (OWN_VALUES + j) * VLEN);
    }
}

ARMILLA_ALWAYS_INLINE void store_state(const group_state *s, int64_t at, int64_t far, int is_first,
                                       const armilla_kernel_state *state, const int kept,
                                       const part_shape shape)
{
    for (int i = 0; i < shape.nvec; i++, at += far) {
        double *own = own_state(state, at, shape.nsets);
        v_store(own + OWN_CURRENT * VLEN, s->current[i]);
        v_store(own + OWN_PREVIOUS * VLEN, s->previous[i]);
        if (!kept) v_store(own + OWN_SCALE * VLEN, s->scale[i]);
        for (int j = 0; j < 4 * shape.nsets && is_first; j++)
            v_store(own + (OWN_VALUES + j) * VLEN, s->value[i][j]);
    }
}

/* From p_0 or from the block before. c: of the block's first step. */
ARMILLA_ALWAYS_INLINE void block_steps(const double *c, const armilla_kernel_order *order,
                                       const armilla_kernel_block *b, group_state *s,
                                       const part_shape shape)
{
    const double *ceiling = order->ceiling + b->first / ARMILLA_KERNEL_STEPS;
    const step_run run = {c, order->nsteps, b->nsteps};
    int fresh = b->fresh;
    int64_t k = 0;
    if (any_waits(s->scale, shape.nvec)) {
        if (fresh) clear_sums(b->sums, run.nsteps, shape.nsets);
        fresh = 0;
        k = skip_steps(&run, ceiling, s->y, s->current, s->previous, s->scale, shape.nvec,
                       shape.nfine);
        k = masked_steps(&run, ceiling, b->sums, k, s, shape);
    }
    if (fresh)
        plain_steps(&run, s, b->sums, 1, shape);
    else
        plain_steps(&(step_run){c + k, run.n, run.nsteps - k}, s, b->sums + 4 * VLEN * k, 0, shape);
}

/* The same from kept starts: vectors that begin in a later block take part with zeros. */
ARMILLA_ALWAYS_INLINE void kept_steps(const double *c, const armilla_kernel_order *order,
                                      int64_t first_pair, int64_t far,
                                      const armilla_kernel_block *b, group_state *s,
                                      const part_shape shape)
{
    const int64_t end = b->first + b->nsteps;
    const int nvec = shape.nvec;
    const part_starts starts = find_starts(order, first_pair, far, nvec);
    int64_t k = next_start(&starts, -1, end, nvec), next;
    if (k < b->first) k = b->first;
    if (b->fresh && k > b->first) clear_sums(b->sums, k - b->first, shape.nsets);
    for (; k < end; k = next) {
        const int64_t at = k - b->first;
        next = next_start(&starts, k, end, nvec);
        begin_vectors(order, &starts, k, s->current, s->previous, nvec, shape.nfine);
        const step_run run = {c + at, order->nsteps, next - k};
        if (b->fresh)
            plain_steps(&run, s, b->sums + 4 * VLEN * at, 1, shape);
        else
            plain_steps(&run, s, b->sums + 4 * VLEN * at, 0, shape);
    }
}

/* A part of a group, from its index-th vector on. kept: from kept starts. */
ARMILLA_ALWAYS_INLINE void analysis_vectors(const armilla_kernel_order *order,
                                            const armilla_kernel_group *group, int index,
                                            const double *leg, const armilla_kernel_state *state,
                                            const armilla_kernel_block *block, const int kept,
                                            const part_shape shape)
{
    const int fresh = block->fresh && index == 0;
    const armilla_kernel_block b = {block->first, block->nsteps, block->sums, fresh};
    const double *c = order->recurrence[group->form] + b.first;
    const int64_t first_pair = vector_pair(group, index), far = vector_distance(group);
    const int64_t at = first_pair - state->base;
    group_state s;
    for (int i = 0; i < shape.nvec; i++) s.y[i] = v_load(order->argument + first_pair + i * far);
    if (b.first == 0)
        start_state(order, group, first_pair, far, leg, &s, kept, shape);
    else
        load_state(state, at, far, &s, kept, shape);
    if (kept)
        kept_steps(c, order, first_pair, far, &b, &s, shape);
    else
        block_steps(c, order, &b, &s, shape);
    if (b.first + b.nsteps < order->ncount)
        store_state(&s, at, far, b.first == 0, state, kept, shape);
}

#define ONE_SET(nvec, nfine) WORK(0, 1, nvec, nfine)

#define RUN(group)                                                                                 \
    if (ANALYSIS_VECTORS_OF_TWO > 0 && order->nsets == 2)                                          \
        FOR_PARTS(group, 2, ANALYSIS_VECTORS_OF_TWO, WORK)                                         \
    else if (ANALYSIS_VECTORS < GROUP_VECTORS)                                                     \
        FOR_PARTS(group, 1, ANALYSIS_VECTORS, WORK)                                                \
    else                                                                                           \
        FOR_GROUP(group, ONE_SET)

/* Functions of their own, as in synthesis.c. */
static ARMILLA_NOINLINE void run_kept(const armilla_kernel_order *order,
                                      const armilla_kernel_group *group, const double *leg,
                                      const armilla_kernel_state *state,
                                      const armilla_kernel_block *block)
{
#define WORK(index, nsets, nvec, nfine)                                                            \
    analysis_vectors(order, group, index, leg, state, block, 1, (part_shape){nsets, nvec, nfine})
    RUN(group)
#undef WORK
}

static ARMILLA_NOINLINE void run_all(const armilla_kernel_order *order,
                                     const armilla_kernel_group *group, const double *leg,
                                     const armilla_kernel_state *state,
                                     const armilla_kernel_block *block)
{
#define WORK(index, nsets, nvec, nfine)                                                            \
    analysis_vectors(order, group, index, leg, state, block, 0, (part_shape){nsets, nvec, nfine})
    RUN(group)
#undef WORK
}

void ARMILLA_KERNEL(armilla_kernel_analysis_steps)(const armilla_kernel_order *order,
                                                   const armilla_kernel_group *group,
                                                   const double *leg,
                                                   const armilla_kernel_state *state,
                                                   const armilla_kernel_block *block)
{
    (is_kept(order, group) ? run_kept : run_all)(order, group, leg, state, block);
}

void ARMILLA_KERNEL(armilla_kernel_analysis_reduce)(int64_t nsteps, const double *sums, double *out)
{
    for (int64_t k = 0; k < nsteps; k += 2, sums += 8 * VLEN, out += 8) v_reduce8_of(out, sums);
}
