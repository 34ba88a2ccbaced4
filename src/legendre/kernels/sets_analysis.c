/* Legendre analysis of several sets, the transpose of sets_synthesis.c, on one group of ring pairs:
 *
 *     sums[k][i] += sum over pairs of p_k(pair) values[pair][i],  i: the four values of each set,
 *
 * a product of matrices. p_k of a block of steps is made once, in the first-level cache, with pairs
 * in the lanes of vectors; then its numbers are taken one by one, and the lanes belong to values:
 * no sums over lanes. Per step and pair 2 FMA for the recurrence and 4 for each set. */
#include "legendre/kernels/block.h"
#include "legendre/kernels/groups.h"
#include "legendre/kernels/placed.h"

#include <string.h>

enum {
    BLOCK = ARMILLA_SETS_STEPS,
    TILE_VECTORS = SETS_VECTORS,          /* of values whose sums are in registers, */
    FEW_VECTORS = REGISTERS > 16 ? 3 : 1, /* for 8 steps up to these, */
    TILE_STEPS = ARMILLA_KERNEL_STEPS / 2 /* else for 4 */
};

void ARMILLA_KERNEL(armilla_kernel_sets_start)(const armilla_kernel_order *order,
                                               const armilla_kernel_group *group, const double *leg,
                                               const armilla_kernel_state *state)
{
    const int64_t width = armilla_kernel_sets_width(order->nsets, VLEN);
    for (int64_t i = 0; i < group->nvec * (int64_t)VLEN; i += VLEN) {
        const int64_t pair = group->first + i, at = pair - state->base;
        vec current, previous, scale;
        double *values = state_row(state, STATE_VALUES) + at * width;
        place_vector(order, group, pair, leg, width, 4, values);
        for (int64_t j = 0; j < VLEN && 4 * order->nsets < width; j++)
            memset(values + j * width + 4 * order->nsets, 0, 4 * sizeof *values);
        if (is_kept(order, group))
            current = previous = scale = v_all(0.0);
        else
            start_vector(order, pair, vector_is_fine(group, pair), &current, &previous, &scale);
        v_store(state_row(state, STATE_CURRENT) + at, current);
        v_store(state_row(state, STATE_PREVIOUS) + at, previous);
        v_store(state_row(state, STATE_SCALE) + at, scale);
    }
}

/* --- The recurrence --------------------------------------------------------------------------- */

/* Makes p of a block of steps. Returns the first step that matters. */
ARMILLA_ALWAYS_INLINE int64_t advance_group(const armilla_kernel_order *order,
                                            const armilla_kernel_group *group,
                                            const armilla_kernel_state *state, const p_block *b,
                                            const int kept, const int nvec, const int nfine)
{
    const int64_t first_pair = vector_pair(group, 0), far = vector_distance(group);
    const int64_t base = state->base;
    block_state s;
    for (int i = 0; i < nvec; i++) {
        int64_t pair = first_pair + i * far, at = pair - base;
        s.y[i] = v_load(order->argument + pair);
        s.current[i] = v_load(state_row(state, STATE_CURRENT) + at);
        s.previous[i] = v_load(state_row(state, STATE_PREVIOUS) + at);
        s.scale[i] = v_load(state_row(state, STATE_SCALE) + at);
    }
    const int64_t begin = next_block(order, group, b, &s, kept, nvec, nfine);
    for (int i = 0; i < nvec; i++) {
        int64_t at = first_pair + i * far - base;
        v_store(state_row(state, STATE_CURRENT) + at, s.current[i]);
        v_store(state_row(state, STATE_PREVIOUS) + at, s.previous[i]);
        v_store(state_row(state, STATE_SCALE) + at, s.scale[i]);
    }
    return begin;
}

/* Functions of their own, as in synthesis.c. */
static ARMILLA_NOINLINE int64_t fill_from_kept(const armilla_kernel_order *order,
                                               const armilla_kernel_group *group,
                                               const armilla_kernel_state *state, const p_block *b)
{
    int64_t begin = 0;
#define WORK(nvec, nfine) begin = advance_group(order, group, state, b, 1, nvec, nfine)
    FOR_GROUP(group, WORK)
#undef WORK
    return begin;
}

static ARMILLA_NOINLINE int64_t fill_from_all(const armilla_kernel_order *order,
                                              const armilla_kernel_group *group,
                                              const armilla_kernel_state *state, const p_block *b)
{
    int64_t begin = 0;
#define WORK(nvec, nfine) begin = advance_group(order, group, state, b, 0, nvec, nfine)
    FOR_GROUP(group, WORK)
#undef WORK
    return begin;
}

/* --- The sums --------------------------------------------------------------------------------- */

/* What the tiles of a group have in common: vector i of the group stands at p + i VLEN, step k
 * k BLOCK_ROW further; its pairs' values at values + i far. */
typedef struct {
    const double *p, *values;
    int64_t nvec, far, width;
} product;

/* nsteps steps of nvec vectors of values; p, values and sums begin with the first of both. What the
 * group gives is added to sums at the end: so they are rounded once a group, not once a pair. */
ARMILLA_ALWAYS_INLINE void add_tile(const product *t, const double *p, const double *values,
                                    double *sums, const int nsteps, const int nvec)
{
    const int64_t width = t->width;
    vec sum[ARMILLA_KERNEL_STEPS][TILE_VECTORS];
    for (int k = 0; k < nsteps; k++)
        for (int j = 0; j < nvec; j++) sum[k][j] = v_all(0.0);
    for (int64_t i = 0; i < t->nvec; i++, p += VLEN, values += t->far)
        for (int lane = 0; lane < VLEN; lane++) {
            vec value[TILE_VECTORS];
            for (int j = 0; j < nvec; j++) value[j] = v_load(values + lane * width + j * VLEN);
            for (int k = 0; k < nsteps; k++) {
                const vec now = v_all(p[k * BLOCK_ROW + lane]);
                for (int j = 0; j < nvec; j++) sum[k][j] = v_fma(now, value[j], sum[k][j]);
            }
        }
    for (int k = 0; k < nsteps; k++)
        for (int j = 0; j < nvec; j++) {
            double *total = sums + k * width + j * VLEN;
            v_store(total, v_add(v_load(total), sum[k][j]));
        }
}

/* All steps from `first` on, a multiple of ARMILLA_KERNEL_STEPS, of nvec vectors of values. */
ARMILLA_ALWAYS_INLINE void add_column(const product *t, int64_t first, int64_t nsteps, int64_t at,
                                      double *sums, const int nvec)
{
    const int together = nvec > FEW_VECTORS ? TILE_STEPS : ARMILLA_KERNEL_STEPS;
    for (int64_t k = first; k < nsteps; k += together)
        add_tile(t, t->p + k * BLOCK_ROW, t->values + at, sums + k * t->width + at, together, nvec);
}

static void add_product(const product *t, int64_t first, int64_t nsteps, double *sums)
{
    int64_t at = 0;
    for (; at + TILE_VECTORS * VLEN <= t->width; at += TILE_VECTORS * VLEN)
        add_column(t, first, nsteps, at, sums, TILE_VECTORS);
    switch ((t->width - at) / VLEN) {
#if SETS_VECTORS > 4
    case 4:
        add_column(t, first, nsteps, at, sums, 4);
        break;
#endif
#if SETS_VECTORS > 3
    case 3:
        add_column(t, first, nsteps, at, sums, 3);
        break;
#endif
#if SETS_VECTORS > 2
    case 2:
        add_column(t, first, nsteps, at, sums, 2);
        break;
#endif
    case 1:
        add_column(t, first, nsteps, at, sums, 1);
        break;
    default:
        break;
    }
}

void ARMILLA_KERNEL(armilla_kernel_sets_analysis)(const armilla_kernel_order *order,
                                                  const armilla_kernel_group *group,
                                                  const armilla_kernel_state *state,
                                                  const armilla_kernel_block *block)
{
    vec memory[BLOCK * GROUP_VECTORS];
    const p_block b = {block->first, block->nsteps, (double *)memory};
    const int64_t width = armilla_kernel_sets_width(order->nsets, VLEN);
    const product t = {
        .p = b.p,
        .values = state_row(state, STATE_VALUES) + (vector_pair(group, 0) - state->base) * width,
        .nvec = group->nvec,
        .far = vector_distance(group) * width,
        .width = width,
    };
    const int64_t begin =
        (is_kept(order, group) ? fill_from_kept : fill_from_all)(order, group, state, &b);
    add_product(&t, begin, b.nsteps, block->sums);
}
