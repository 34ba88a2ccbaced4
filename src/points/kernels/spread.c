/* Values at points -> samples, the transpose of interpolate.c; see kernels.h. Rows are read and
 * written in whole aligned vectors, the taps being shifted to where they belong: vectors across two
 * cache lines, or of which a part was written just before, take several times as long. So the taps
 * of eight points are made first, and have long been in the cache when they are read at another
 * place. */
#include "points/kernels/weights.h"

#include <string.h>

ARMILLA_ALWAYS_INLINE double get_value(const armilla_points_list *list, int64_t i, int c,
                                       const int ncomp)
{
    const int64_t place = place_of(list, i, ncomp);
    return list->is_float ? (double)((const float *)(const void *)list->values[c])[place]
                          : list->values[c][place];
}

enum { TOGETHER = 8 };

/* A point's taps, those of columns between zeros. */
typedef struct {
    int64_t point, row, column;
    _Alignas(64) double rows[ARMILLA_WINDOW_TAPS];
    _Alignas(64) double columns[ARMILLA_WINDOW_TAPS + 2 * ARMILLA_WINDOW_ROOM];
} weighed;

ARMILLA_ALWAYS_INLINE void weigh(const armilla_window_table *table, const armilla_points_list *list,
                                 int count, weighed *points, const int nvec)
{
    const double half = 0.5 * table->taps;
    if (nvec < 1) ARMILLA_TRAP();
    for (weighed *w = points; w < points + count; w++) {
        double s, t;
        vec a[MOST_VECTORS], b[MOST_VECTORS];
        w->row = first_sample(half, list->u[w->point], &s);
        w->column = first_sample(half, list->v[w->point], &t);
        fill_weights(table, s, t, a, b, nvec);
        for (int i = 0; i < nvec; i++) {
            v_store(w->rows + i * VLEN, a[i]);
            v_store(w->columns + ARMILLA_WINDOW_ROOM + i * VLEN, b[i]);
        }
    }
}

/* One point, of whose rows only those from begin on and before end are touched. */
ARMILLA_ALWAYS_INLINE void add_point(const armilla_window_table *table,
                                     const armilla_points_patch *patch,
                                     const armilla_points_list *list, const weighed *w,
                                     int64_t begin, int64_t end, const int ncomp, const int nvec)
{
    const int64_t least = begin - w->row, most = end - w->row;
    const int64_t first = least > 0 ? least : 0, last = most < table->taps ? most : table->taps;
    const int64_t shift = w->column & (VLEN - 1);
    const double *taps = w->columns + ARMILLA_WINDOW_ROOM - shift;
    vec value[2][MOST_SHIFTED];
    if (nvec < 1) ARMILLA_TRAP();
    for (int c = 0; c < ncomp; c++) {
        const vec x = v_all(get_value(list, w->point, c, ncomp));
        for (int i = 0; i < nvec; i++) value[c][i] = v_mul(x, v_load_any(taps + i * VLEN));
    }
    /* in registers: stores of vectors might change what patch and table point to */
    const int64_t pitch = patch->pitch, component = patch->component;
    double *to = patch->samples + (w->row + first) * pitch + w->column - shift;
    for (const double *row = w->rows + first; row < w->rows + last; row++, to += pitch) {
        const vec height = v_all(*row);
        for (int c = 0; c < ncomp; c++)
            for (int i = 0; i < nvec; i++) {
                double *at = to + c * component + i * VLEN;
                v_store(at, v_fma(height, value[c][i], v_load(at)));
            }
    }
}

/* The next eight points from *next on that see rows between least and most; returned: how many
 * there are. Without a branch on where they lie. */
ARMILLA_ALWAYS_INLINE int take_points(const armilla_points_list *list, double least, double most,
                                      int64_t *next, weighed *points, const int ncomp)
{
    int count = 0;
    for (; *next < list->count && count < TOGETHER; (*next)++) {
        const int64_t far = point_ahead(list, *next);
        const double u = list->u[*next], ahead = list->u[far];
        prefetch_values(list, ((ahead > least) & (ahead < most)) ? far : *next, ncomp, 0);
        points[count].point = *next;
        count += (u > least) & (u < most);
    }
    return count;
}

#define WEIGH(nvec) weigh(table, list, count, points, nvec)

ARMILLA_ALWAYS_INLINE void spread(const armilla_window_table *table,
                                  const armilla_points_patch *patch,
                                  const armilla_points_list *list, int64_t begin, int64_t end,
                                  const int ncomp, const int nvec)
{
    const double half = 0.5 * table->taps, least = (double)begin - half, most = (double)end + half;
    weighed points[TOGETHER];
    for (int i = 0; i < TOGETHER; i++) memset(points[i].columns, 0, sizeof points[i].columns);
    for (int64_t next = 0; next < list->count;) {
        const int count = take_points(list, least, most, &next, points, ncomp);
        FOR_VECTORS(table->taps, MOST_VECTORS, WEIGH)
        for (int i = 0; i < count; i++)
            add_point(table, patch, list, &points[i], begin, end, ncomp, nvec);
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
