/* Legendre synthesis on one group of ring pairs, docs/mathematics.md (2.12):
 *     even = sum_k e_k p_k,  odd = x sum_k o_k p_k,  north = even + odd,  south = even - odd.
 * Per step and vector: 2 FMA for the recurrence, 4 for the sums. Three phases: no pair matters yet
 * (recurrence only), some do (masked sums), all do. */
#include "legendre/kernels/groups.h"
#include "legendre/kernels/kept.h"
#include "legendre/kernels/start.h"
#include "legendre/kernels/values.h"

typedef vec group_sums[8]; /* four for each of one or two sets */

typedef struct {
    vec y[SYNTHESIS_VECTORS], current[SYNTHESIS_VECTORS], previous[SYNTHESIS_VECTORS];
    vec scale[SYNTHESIS_VECTORS];
    group_sums sum[SYNTHESIS_VECTORS];
} group_state;

/* Adds one step to the sums. f: its coefficients, those of two sets `far` doubles apart. */
ARMILLA_ALWAYS_INLINE void add_step(const double *f, int64_t far, const vec *p, group_sums *sum,
                                    const int nsets, const int nvec)
{
    for (int j = 0; j < 4 * nsets; j++)
        for (int i = 0; i < nvec; i++)
            sum[i][j] = v_fma_sum(v_all(f[j / 4 * far + j % 4]), p[i], sum[i][j]);
}

/* A step, for all vectors. The recurrence comes before the sums: it is what later steps wait for,
 * and processors take what is older first. */
ARMILLA_ALWAYS_INLINE void take_step(const double *c, int64_t n, const double *f, group_state *s,
                                     const int odd, const part_shape shape)
{
    vec p[SYNTHESIS_VECTORS];
    for (int i = 0; i < shape.nvec; i++)
        p[i] = value_now(s->current, s->previous, i, odd, shape.nfine);
    advance(c, n, s->y, s->current, s->previous, odd, shape.nvec, shape.nfine);
    add_step(f, 4 * n, p, s->sum, shape.nsets, shape.nvec);
}

/* A block of steps of vector i, of which some pairs matter. */
ARMILLA_ALWAYS_INLINE void masked_block(const double *c, int64_t n, const double *f, vec weight,
                                        group_state *s, int i, const int nsets, const int fine)
{
    group_sums sum[1];
    for (int j = 0; j < 4 * nsets; j++) sum[0][j] = s->sum[i][j];
    for (int j = 0; j < ARMILLA_KERNEL_STEPS; j++) {
        vec p = v_mul(weight, value_now(&s->current[i], &s->previous[i], 0, j % 2, fine));
        add_step(f + 4 * j, 4 * n, &p, sum, nsets, 1);
        advance(c + j, n, &s->y[i], &s->current[i], &s->previous[i], j % 2, 1, fine);
    }
    for (int j = 0; j < 4 * nsets; j++) s->sum[i][j] = sum[0][j];
}

typedef const double step_data; /* coefficients */
enum { STEP_SIZE = 4 };
#include "legendre/kernels/masked.h"

ARMILLA_ALWAYS_INLINE void plain_steps(const step_run *run, const double *f, group_state *s,
                                       const part_shape shape)
{
    const double *c = run->c;
    for (int64_t k = 0; k < run->nsteps; k += 2, c += 2, f += 8) {
        take_step(c, run->n, f, s, 0, shape);
        take_step(c + 1, run->n, f + 4, s, 1, shape);
    }
}

/* From kept starts: all steps. */
ARMILLA_ALWAYS_INLINE void kept_steps(const double *c, const armilla_kernel_order *order,
                                      int64_t first, int64_t far, group_state *s,
                                      const part_shape shape)
{
    const int64_t n = order->nsteps, count = order->ncount;
    const int nvec = shape.nvec;
    const part_starts starts = find_starts(order, first, far, nvec);
    for (int i = 0; i < nvec; i++) s->current[i] = s->previous[i] = v_all(0.0);
    for (int64_t k = next_start(&starts, -1, count, nvec), next; k < count; k = next) {
        next = next_start(&starts, k, count, nvec);
        begin_vectors(order, &starts, k, s->current, s->previous, nvec, shape.nfine);
        plain_steps(&(step_run){c + k, n, next - k}, order->coefficients + 4 * k, s, shape);
    }
}

/* From p_0 on. */
ARMILLA_ALWAYS_INLINE void all_steps(const double *c, const armilla_kernel_order *order,
                                     int64_t first, int64_t far, group_state *s,
                                     const part_shape shape)
{
    const double *f = order->coefficients, *ceiling = order->ceiling;
    const step_run run = {c, order->nsteps, order->ncount};
    const int nvec = shape.nvec, nfine = shape.nfine;
    for (int i = 0; i < nvec; i++)
        start_vector(order, first + i * far, i < nfine, &s->current[i], &s->previous[i],
                     &s->scale[i]);
    int64_t k = skip_steps(&run, ceiling, s->y, s->current, s->previous, s->scale, nvec, nfine);
    k = masked_steps(&run, ceiling, f, k, s, shape);
    plain_steps(&(step_run){c + k, run.n, run.nsteps - k}, f + 4 * k, s, shape);
}

/* A part of a group, from its index-th vector on. kept: from kept starts. */
ARMILLA_ALWAYS_INLINE void synthesis_vectors(const armilla_kernel_order *order,
                                             const armilla_kernel_group *group, int index,
                                             double *leg, const int kept, const part_shape shape)
{
    const double *c = order->recurrence[group->form];
    const int64_t first = vector_pair(group, index), far = vector_distance(group);
    const int nsets = shape.nsets, nvec = shape.nvec;
    group_state s;
    for (int i = 0; i < nvec; i++) {
        s.y[i] = v_load(order->argument + first + i * far);
        for (int j = 0; j < 4 * nsets; j++) s.sum[i][j] = v_all(0.0);
    }
    if (kept)
        kept_steps(c, order, first, far, &s, shape);
    else
        all_steps(c, order, first, far, &s, shape);
    for (int i = 0; i < nvec; i++)
        for (int set = 0; set < nsets; set++)
            write_values(order, group, first + i * far, s.sum[i] + 4 * set,
                         leg + set * order->leg_stride);
}

#define ONE_SET(nvec, nfine) WORK(0, 1, nvec, nfine)

#define RUN(group)                                                                                 \
    if (SYNTHESIS_VECTORS_OF_TWO > 0 && order->nsets == 2)                                         \
        FOR_PARTS(group, 2, SYNTHESIS_VECTORS_OF_TWO, WORK)                                        \
    else if (SYNTHESIS_VECTORS < GROUP_VECTORS)                                                    \
        FOR_PARTS(group, 1, SYNTHESIS_VECTORS, WORK)                                               \
    else                                                                                           \
        FOR_GROUP(group, ONE_SET)

/* Functions of their own: where both ways share one, GCC spills in the loops of either. */
static ARMILLA_NOINLINE void run_kept(const armilla_kernel_order *order,
                                      const armilla_kernel_group *group, double *leg)
{
#define WORK(index, nsets, nvec, nfine)                                                            \
    synthesis_vectors(order, group, index, leg, 1, (part_shape){nsets, nvec, nfine})
    RUN(group)
#undef WORK
}

static ARMILLA_NOINLINE void run_all(const armilla_kernel_order *order,
                                     const armilla_kernel_group *group, double *leg)
{
#define WORK(index, nsets, nvec, nfine)                                                            \
    synthesis_vectors(order, group, index, leg, 0, (part_shape){nsets, nvec, nfine})
    RUN(group)
#undef WORK
}

void ARMILLA_KERNEL(armilla_kernel_synthesis)(const armilla_kernel_order *order,
                                              const armilla_kernel_group *group, double *leg)
{
    (is_kept(order, group) ? run_kept : run_all)(order, group, leg);
}
