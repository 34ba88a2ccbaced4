/* Values at points -> samples, the transpose of interpolate.c; see kernels.h. Rows are read and
 * written in whole aligned vectors, the taps being shifted to where they belong: vectors across two
 * cache lines, or of which a part was written just before, take several times as long. */
#include "points/kernels/weights.h"

ARMILLA_ALWAYS_INLINE double get_value(const armilla_points_list *list, int64_t i, int c)
{
    const uint32_t place = list->place[i];
    return list->is_float ? (double)((const float *)(const void *)list->values[c])[place]
                          : list->values[c][place];
}

/* One point, of whose rows only those from begin on and before end are touched. */
ARMILLA_ALWAYS_INLINE void add_point(const armilla_window_table *table,
                                     const armilla_points_patch *patch,
                                     const armilla_points_list *list, int64_t point, int64_t begin,
                                     int64_t end, const int ncomp, const int nvec)
{
    const double half = 0.5 * table->taps;
    _Alignas(64) double weight[MOST_VECTORS * VLEN] = {0};
    double s, t;
    const int64_t row = first_sample(half, list->u[point], &s);
    const int64_t column = first_sample(half, list->v[point], &t);
    int64_t first = begin - row, last = end - row;
    first = first > 0 ? first : 0, last = last < table->taps ? last : table->taps;
    if (first >= last) return;
    const int64_t shift = column & (VLEN - 1);
    vec a[MOST_SHIFTED], b[MOST_SHIFTED], value[2][MOST_SHIFTED];
    if (nvec < 1) ARMILLA_TRAP();
    fill_weights(table, s, t, shift, a, b, MOST_VECTORS < nvec ? MOST_VECTORS : nvec, nvec);
    for (int i = 0; i < nvec && i < MOST_VECTORS; i++) v_store(weight + i * VLEN, a[i]);
    for (int c = 0; c < ncomp; c++) {
        const vec x = v_all(get_value(list, point, c));
        for (int i = 0; i < nvec; i++) value[c][i] = v_mul(x, b[i]);
    }
    double *to = patch->samples + (row + first) * patch->pitch + column - shift;
    for (int64_t k = first; k < last; k++, to += patch->pitch) {
        const vec w = v_all(weight[k]);
        for (int c = 0; c < ncomp; c++)
            for (int i = 0; i < nvec; i++) {
                double *at = to + c * patch->component + i * VLEN;
                v_store(at, v_fma(w, value[c][i], v_load(at)));
            }
    }
}

ARMILLA_ALWAYS_INLINE void spread(const armilla_window_table *table,
                                  const armilla_points_patch *patch,
                                  const armilla_points_list *list, int64_t begin, int64_t end,
                                  const int ncomp, const int nvec)
{
    const double half = 0.5 * table->taps, least = (double)begin - half, most = (double)end + half;
    for (int64_t i = 0; i < list->count; i++) {
        const double ahead = list->u[i + AHEAD < list->count ? i + AHEAD : i];
        if (ahead > least && ahead < most) prefetch_values(list, i, ncomp, 0);
        if (list->u[i] > least && list->u[i] < most)
            add_point(table, patch, list, i, begin, end, ncomp, nvec);
    }
}

#define ONE(nvec) spread(table, patch, list, begin, end, 1, nvec)
#define TWO(nvec) spread(table, patch, list, begin, end, 2, nvec)

void ARMILLA_KERNEL(armilla_points_kernel_spread)(const armilla_window_table *table,
                                                  const armilla_points_patch *patch,
                                                  const armilla_points_list *list, int64_t begin,
                                                  int64_t end)
{
    if (patch->ncomp == 1)
        FOR_VECTORS(table->taps + VLEN - 1, MOST_SHIFTED, ONE)
    else
        FOR_VECTORS(table->taps + VLEN - 1, MOST_SHIFTED, TWO)
}
