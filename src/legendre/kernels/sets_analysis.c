/* Legendre analysis of several sets, the transpose of sets_synthesis.c, on a few neighbouring
 * groups of ring pairs at once: p_k of a block of steps and all their vectors is made once, in the
 * first-level cache; then the sums of a few steps of one set stay in registers while all vectors
 * pass. Lane sums as in analysis.c. */
#include "legendre/kernels/block.h"
#include "legendre/kernels/groups.h"

#include <string.h>

enum {
    BLOCK = 8,                         /* steps */
    TOGETHER = REGISTERS > 16 ? 4 : 2, /* steps whose sums are in registers */
    MOST = GROUP_VECTORS * ARMILLA_GROUPS_TOGETHER
};

/* Adds all vectors to the sums of TOGETHER steps of one set, whose ring values are `values`. Vector
 * i stands at places[i] of p and at pairs[i] of the values. They come in the sequence in which the
 * kernel for one set adds them, so that the results have the same bits. */
ARMILLA_ALWAYS_INLINE void add_steps(const double *p, const double *values, int64_t stride,
                                     int64_t nvec, const int32_t *places, const int32_t *pairs,
                                     double *sums)
{
    vec sum[TOGETHER][4];
    for (int k = 0; k < TOGETHER; k++)
        for (int j = 0; j < 4; j++) sum[k][j] = v_load(sums + (4 * k + j) * VLEN);
    for (int64_t i = 0; i < nvec; i++) {
        vec value[4];
        for (int j = 0; j < 4; j++) value[j] = v_load(values + j * stride + pairs[i]);
        for (int k = 0; k < TOGETHER; k++) {
            vec now = v_load(p + k * MOST * VLEN + places[i]);
            for (int j = 0; j < 4; j++) sum[k][j] = v_fma(value[j], now, sum[k][j]);
        }
    }
    for (int k = 0; k < TOGETHER; k++)
        for (int j = 0; j < 4; j++) v_store(sums + (4 * k + j) * VLEN, sum[k][j]);
}

/* Makes p of a block of steps for one group. Returns the first step that matters on it. */
ARMILLA_ALWAYS_INLINE int64_t advance_group(const armilla_kernel_order *order,
                                            const armilla_kernel_group *group, int64_t base,
                                            int64_t first, int64_t nsteps,
                                            const armilla_kernel_state *state, double *p,
                                            const int nvec, const int nfine)
{
    const int64_t first_pair = vector_pair(group, 0), far = vector_distance(group);
    block_state s;
    for (int i = 0; i < nvec; i++) {
        int64_t pair = first_pair + i * far, at = pair - base;
        s.y[i] = v_load(order->argument + pair);
        s.current[i] = v_load(state_row(state, STATE_CURRENT) + at);
        s.previous[i] = v_load(state_row(state, STATE_PREVIOUS) + at);
        s.scale[i] = v_load(state_row(state, STATE_SCALE) + at);
    }
    int64_t begin =
        fill_block(order->recurrence[group->form] + first, order->nsteps,
                   order->ceiling + first / ARMILLA_KERNEL_STEPS, nsteps, &s, p, MOST, nvec, nfine);
    store_zeros(begin, p, MOST, nvec);
    for (int i = 0; i < nvec; i++) {
        int64_t at = first_pair + i * far - base;
        v_store(state_row(state, STATE_CURRENT) + at, s.current[i]);
        v_store(state_row(state, STATE_PREVIOUS) + at, s.previous[i]);
        v_store(state_row(state, STATE_SCALE) + at, s.scale[i]);
    }
    return begin;
}

#define WORK(nvec, nfine)                                                                          \
    begin = advance_group(order, group, base, first, nsteps, state, p, nvec, nfine)

static int64_t fill_group(const armilla_kernel_order *order, const armilla_kernel_group *group,
                          int64_t base, int64_t first, int64_t nsteps,
                          const armilla_kernel_state *state, double *p)
{
    int64_t begin = 0;
    FOR_GROUP(group, WORK)
    return begin;
}

/* Lists the vectors of the groups, last group first: their places in p and in the rows of the
 * state. Returns how many there are. */
static int64_t order_vectors(const armilla_kernel_group *groups, int64_t ngroups, int32_t *places,
                             int32_t *pairs)
{
    int64_t count = 0;
    for (int64_t g = ngroups - 1; g >= 0; g--) {
        int64_t first = groups[g].first - groups[0].first;
        for (int32_t i = 0; i < groups[g].nvec; i++, count++) {
            places[count] = (int32_t)(first + i * VLEN);
            pairs[count] = (int32_t)(vector_pair(&groups[g], i) - groups[0].first);
        }
    }
    return count;
}

static void add_sets(const armilla_kernel_order *order, int64_t offset, int64_t nvec,
                     const int32_t *places, const int32_t *pairs, int64_t first, int64_t nsteps,
                     const armilla_kernel_state *state, const double *p, double *sums)
{
    for (int64_t set = 0; set < order->nsets; set++)
        for (int64_t k = 0; k < nsteps; k += TOGETHER)
            add_steps(p + k * MOST * VLEN, state_row(state, STATE_VALUES + 4 * set) + offset,
                      state->stride, nvec, places, pairs,
                      sums + 4 * VLEN * (set * ARMILLA_ANALYSIS_STEPS + first + k));
}

void ARMILLA_KERNEL(armilla_kernel_sets_analysis)(const armilla_kernel_order *order,
                                                  const armilla_kernel_group *groups,
                                                  int64_t ngroups, int64_t base, int64_t first,
                                                  int64_t nsteps, const armilla_kernel_state *state,
                                                  double *sums, int fresh)
{
    vec block[BLOCK * MOST];
    int32_t places[MOST], pairs[MOST];
    double *p = (double *)block;
    const int64_t nvec = order_vectors(groups, ngroups, places, pairs);
    for (int64_t set = 0; set < order->nsets && fresh; set++)
        memset(sums + 4 * VLEN * set * ARMILLA_ANALYSIS_STEPS, 0,
               sizeof *sums * (size_t)(4 * VLEN * nsteps));
    for (int64_t k = 0; k < nsteps; k += BLOCK) {
        const int64_t count = nsteps - k < BLOCK ? nsteps - k : BLOCK;
        int64_t active = 0; /* of the listed vectors: an order matters first next to the equator */
        for (int64_t g = ngroups - 1; g >= 0; g--) {
            int64_t vector = (groups[g].first - groups[0].first) / VLEN;
            int64_t begin =
                fill_group(order, &groups[g], base, first + k, count, state, p + vector * VLEN);
            if (begin < count) active = nvec - vector;
        }
        add_sets(order, groups[0].first - base, active, places, pairs, k, count, state, p, sums);
    }
}
