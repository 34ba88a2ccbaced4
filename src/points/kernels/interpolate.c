/* Samples -> values at points; see kernels.h. Of each row the taps of columns are one to four
 * vectors; rows are added up with their weights first, columns once at the end, eight points at a
 * time. Per point and component: w FMA for each vector of columns. */
#include "points/kernels/weights.h"

enum { TOGETHER = 8 }; /* points whose last sums over lanes are made at once */

/* One point: the products of each lane, not yet added up. */
ARMILLA_ALWAYS_INLINE void sum_rows(const armilla_window_table *table,
                                    const armilla_points_patch *patch, double u, double v, vec *sum,
                                    const int ncomp, const int nvec)
{
    const double half = 0.5 * table->taps;
    _Alignas(64) double weight[MOST_VECTORS * VLEN] = {0};
    double s, t;
    const int64_t row = armilla_first_sample(half, u, &s),
                  column = armilla_first_sample(half, v, &t);
    vec a[MOST_VECTORS], b[MOST_VECTORS], total[2][MOST_VECTORS];
    if (nvec < 1) ARMILLA_TRAP();
    fill_weights(table, s, t, a, b, nvec);
    for (int i = 0; i < nvec; i++) v_store(weight + i * VLEN, a[i]);
    const double *from = patch->samples + row * patch->pitch + column;
    for (int c = 0; c < ncomp; c++)
        for (int i = 0; i < nvec; i++) total[c][i] = v_all(0);
    for (int k = 0; k < table->taps; k++, from += patch->pitch) {
        const vec w = v_all(weight[k]);
        for (int c = 0; c < ncomp; c++)
            for (int i = 0; i < nvec; i++)
                total[c][i] =
                    v_fma(w, v_load_any(from + c * patch->component + i * VLEN), total[c][i]);
    }
    for (int c = 0; c < ncomp; c++) {
        sum[c] = v_mul(total[c][0], b[0]);
        for (int i = 1; i < nvec; i++) sum[c] = v_fma(total[c][i], b[i], sum[c]);
    }
}

ARMILLA_ALWAYS_INLINE void put_values(const armilla_points_list *list, int64_t first, int count,
                                      int c, const double *value, const int ncomp)
{
    int64_t place[TOGETHER];
    for (int i = 0; i < count; i++) place[i] = place_of(list, first + i, ncomp);
    if (list->is_float) {
        float *out = (float *)(void *)list->values[c];
        for (int i = 0; i < count; i++) out[place[i]] = (float)value[i];
    } else {
        for (int i = 0; i < count; i++) list->values[c][place[i]] = value[i];
    }
}

ARMILLA_ALWAYS_INLINE void interpolate(const armilla_window_table *table,
                                       const armilla_points_patch *patch,
                                       const armilla_points_list *list, const int ncomp,
                                       const int nvec)
{
    for (int64_t first = 0; first < list->count; first += TOGETHER) {
        const int64_t rest = list->count - first;
        const int count = rest < TOGETHER ? (int)rest : TOGETHER;
        vec sums[2][TOGETHER];
        double value[TOGETHER];
        for (int i = 0; i < TOGETHER; i++) {
            vec sum[2] = {v_all(0), v_all(0)};
            prefetch_values(list, point_ahead(list, first + i), ncomp, 1);
            if (i < count)
                sum_rows(table, patch, list->u[first + i], list->v[first + i], sum, ncomp, nvec);
            sums[0][i] = sum[0], sums[1][i] = sum[1];
        }
        for (int c = 0; c < ncomp; c++) {
            v_reduce8(value, sums[c]);
            put_values(list, first, count, c, value, ncomp);
        }
    }
}

#define ONE(nvec) interpolate(table, patch, list, 1, nvec)
#define TWO(nvec) interpolate(table, patch, list, 2, nvec)

void ARMILLA_KERNEL(armilla_points_kernel_interpolate)(const armilla_window_table *table,
                                                       const armilla_points_patch *patch,
                                                       const armilla_points_list *list)
{
    if (patch->ncomp == 1)
        FOR_VECTORS(table->taps, MOST_VECTORS, ONE)
    else
        FOR_VECTORS(table->taps, MOST_VECTORS, TWO)
}
