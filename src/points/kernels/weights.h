/* The values of all taps at one point. Included by the kernels only. */
#ifndef ARMILLA_POINTS_KERNELS_WEIGHTS_H
#define ARMILLA_POINTS_KERNELS_WEIGHTS_H

#include "base/first_sample.h"
#include "legendre/simd/simd.h"
#include "points/kernels/kernels.h"

#include <math.h>

/* Vectors that hold the taps; those that hold them from any lane of the first one on. */
enum {
    MOST_VECTORS = ARMILLA_WINDOW_TAPS / VLEN,
    MOST_SHIFTED = (ARMILLA_WINDOW_TAPS + VLEN - 1 + VLEN - 1) / VLEN
};

/* Values stand anywhere: those of the point after next few are asked for in time. */
enum { AHEAD = 16 };

ARMILLA_ALWAYS_INLINE int64_t point_ahead(const armilla_points_list *list, int64_t point)
{
    return point + AHEAD < list->count ? point + AHEAD : list->count - 1;
}

ARMILLA_ALWAYS_INLINE int64_t place_of(const armilla_points_list *list, int64_t point,
                                       const int ncomp)
{
    return list->place ? list->place[point] : ncomp * point;
}

ARMILLA_ALWAYS_INLINE void prefetch_values(const armilla_points_list *list, int64_t point,
                                           const int ncomp, const int write)
{
    if (!list->place) return;
    for (int c = 0; c < ncomp; c++) {
        const char *base = (const char *)list->values[c];
        const char *at = base + (int64_t)list->place[point] * (list->is_float ? 4 : 8);
        if (write)
            ARMILLA_PREFETCH_WRITE(at);
        else
            ARMILLA_PREFETCH(at);
    }
}

/* Taps at s and at t, in nvec vectors each; lanes without a tap are 0. Two chains of operations
 * hide each other's latency, and share what they load. */
ARMILLA_ALWAYS_INLINE void fill_weights(const armilla_window_table *table, double s, double t,
                                        vec *a, vec *b, const int nvec)
{
    const double *c = table->coefficient[1] + ARMILLA_WINDOW_ROOM;
    const vec x = v_all(s), y = v_all(t);
    for (int i = 0; i < nvec; i++) a[i] = b[i] = v_load(c + i * VLEN);
    for (int n = 0; n < table->degree; n++) {
        c += ARMILLA_WINDOW_ROW;
        for (int i = 0; i < nvec; i++) {
            const vec next = v_load(c + i * VLEN);
            a[i] = v_fma(a[i], x, next), b[i] = v_fma(b[i], y, next);
        }
    }
}

/* Runs work(nvec) with nvec, the vectors of so many taps, as a constant, but for short vectors.
 * most: as many as there can be. */
#define FOR_VECTORS(ntaps, most, work)                                                             \
    {                                                                                              \
        const int vectors = ((ntaps) + VLEN - 1) / VLEN;                                           \
        if (vectors == 1)                                                                          \
            work(1);                                                                               \
        else if (vectors == 2 || (most) == 2)                                                      \
            work(((most) < 2 ? (most) : 2));                                                       \
        else if (vectors == 3 || (most) == 3)                                                      \
            work(((most) < 3 ? (most) : 3));                                                       \
        else if (vectors == 4 || (most) == 4)                                                      \
            work(((most) < 4 ? (most) : 4));                                                       \
        else                                                                                       \
            work(vectors);                                                                         \
    }

#endif
