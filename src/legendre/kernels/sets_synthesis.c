/* Legendre synthesis of several sets on one group of ring pairs: synthesis.c with p_k of a block of
 * steps made once, in the first-level cache, and used for one set after the other. Per step and
 * vector 2 FMA for the recurrence and 4 for each set. Blocks of steps in which a set has zeros
 * alone, such as those of a band of degrees, are left out of its sums. */
#include "legendre/kernels/block.h"
#include "legendre/kernels/groups.h"
#include "legendre/kernels/values.h"

enum { BLOCK = 64 };

typedef vec set_sums[GROUP_VECTORS][4];

/* f: coefficients of the set */
ARMILLA_ALWAYS_INLINE void add_block(const double *f, const double *p, int64_t nsteps,
                                     set_sums *sums, const int nvec)
{
    set_sums sum;
    for (int i = 0; i < nvec; i++)
        for (int j = 0; j < 4; j++) sum[i][j] = (*sums)[i][j];
    for (int64_t k = 0; k < nsteps; k++, f += 4, p += BLOCK_ROW)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < nvec; i++)
                sum[i][j] = v_fma(v_all(f[j]), v_load(p + i * VLEN), sum[i][j]);
    for (int i = 0; i < nvec; i++)
        for (int j = 0; j < 4; j++) (*sums)[i][j] = sum[i][j];
}

/* The step behind the last one that any set needs; even. */
ARMILLA_ALWAYS_INLINE int64_t last_used(const armilla_kernel_order *order)
{
    int64_t last = 0;
    for (int64_t set = 0; set < order->nsets; set++)
        if (order->used[set].end > last) last = order->used[set].end;
    return last < order->ncount ? (last + 1) / 2 * 2 : order->ncount;
}

ARMILLA_ALWAYS_INLINE void synthesis_group(const armilla_kernel_order *order,
                                           const armilla_kernel_group *group, double *leg,
                                           const int kept, const int nvec, const int nfine)
{
    const int64_t first = vector_pair(group, 0), far = vector_distance(group);
    set_sums sums[ARMILLA_SETS_MAX];
    vec block[BLOCK * GROUP_VECTORS];
    block_state s;
    for (int i = 0; i < nvec; i++) {
        int64_t pair = first + i * far;
        s.y[i] = v_load(order->argument + pair);
        if (kept)
            s.current[i] = s.previous[i] = s.scale[i] = v_all(0.0);
        else
            start_vector(order, pair, i < nfine, &s.current[i], &s.previous[i], &s.scale[i]);
        for (int64_t set = 0; set < order->nsets; set++)
            for (int j = 0; j < 4; j++) sums[set][i][j] = v_all(0.0);
    }
    double *p = (double *)block;
    const double *f = order->coefficients;
    const int64_t n = order->nsteps, last = last_used(order);
    for (int64_t k = 0; k < last; k += BLOCK) {
        const int64_t count = last - k < BLOCK ? last - k : BLOCK;
        const int64_t begin =
            next_block(order, group, &(p_block){k, count, p}, &s, kept, nvec, nfine);
        for (int64_t set = 0; set < order->nsets && begin < count; set++)
            if (order->used[set].begin < k + count && order->used[set].end > k)
                add_block(f + 4 * (set * n + k + begin), p + begin * BLOCK_ROW, count - begin,
                          &sums[set], nvec);
    }
    for (int64_t set = 0; set < order->nsets; set++)
        for (int i = 0; i < nvec; i++)
            write_values(order, group, first + i * far, sums[set][i],
                         leg + set * order->leg_stride);
}

/* Functions of their own, as in synthesis.c. */
static ARMILLA_NOINLINE void run_kept(const armilla_kernel_order *order,
                                      const armilla_kernel_group *group, double *leg)
{
#define WORK(nvec, nfine) synthesis_group(order, group, leg, 1, nvec, nfine)
    FOR_GROUP(group, WORK)
#undef WORK
}

static ARMILLA_NOINLINE void run_all(const armilla_kernel_order *order,
                                     const armilla_kernel_group *group, double *leg)
{
#define WORK(nvec, nfine) synthesis_group(order, group, leg, 0, nvec, nfine)
    FOR_GROUP(group, WORK)
#undef WORK
}

void ARMILLA_KERNEL(armilla_kernel_sets_synthesis)(const armilla_kernel_order *order,
                                                   const armilla_kernel_group *group, double *leg)
{
    (is_kept(order, group) ? run_kept : run_all)(order, group, leg);
}
