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

/* even + s odd and, the last lane first, even - s odd. */
ARMILLA_ALWAYS_INLINE void store_mirrored(vec even, vec odd, double s, double *taps,
                                          double *mirrored)
{
    const vec x = v_all(s);
    v_store(taps, v_fma(odd, x, even));
    v_store_any(mirrored, v_reversed(v_fnma(odd, x, even)));
}

/* All taps, of more than one vector, by half as many polynomials as fill_weights: tap w - 1 - i at
 * s is tap i at -s, so that the even and the odd part of one make both. `half` vectors from the
 * first tap on and as many from the last one back may overlap. */
ARMILLA_ALWAYS_INLINE void store_weights(const armilla_window_table *table, double s, double t,
                                         double *rows, double *columns, const int half)
{
    const double *c = table->coefficient[table->degree % 2] + ARMILLA_WINDOW_ROOM;
    const vec x = v_all(s * s), y = v_all(t * t);
    for (int i = 0; i < half; i++, c += VLEN) {
        const double *odd = c, *even = c + ARMILLA_WINDOW_ROW;
        vec odd_s = v_load(odd), odd_t = odd_s, even_s = v_load(even), even_t = even_s;
        for (int n = 1; n < table->degree; n += 2) {
            odd += 2 * ARMILLA_WINDOW_ROW, even += 2 * ARMILLA_WINDOW_ROW;
            odd_s = v_fma(odd_s, x, v_load(odd)), odd_t = v_fma(odd_t, y, v_load(odd));
            even_s = v_fma(even_s, x, v_load(even)), even_t = v_fma(even_t, y, v_load(even));
        }
        const int64_t first = i * VLEN, mirrored = table->taps - VLEN - first;
        store_mirrored(even_s, odd_s, s, rows + first, rows + mirrored);
        store_mirrored(even_t, odd_t, t, columns + first, columns + mirrored);
    }
}

ARMILLA_ALWAYS_INLINE void weigh(const armilla_window_table *table, const armilla_points_list *list,
                                 int count, weighed *points, const int nvec)
{
    const double middle = 0.5 * table->taps;
    if (nvec < 1) ARMILLA_TRAP();
    for (weighed *w = points; w < points + count; w++) {
        double s, t, *columns = w->columns + ARMILLA_WINDOW_ROOM;
        w->row = armilla_first_sample(middle, list->u[w->point], &s);
        w->column = armilla_first_sample(middle, list->v[w->point], &t);
        if (nvec > 1) {
            store_weights(table, s, t, w->rows, columns, (nvec + 1) / 2);
        } else {
            vec a, b;
            fill_weights(table, s, t, &a, &b, 1);
            v_store(w->rows, a), v_store(columns, b);
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
