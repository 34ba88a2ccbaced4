/* Starts that the plan keeps, kernels.h, armilla_kernel_starts: vectors take part in the steps of
 * their group with zeros until the first step of their own, where they get the kept value. Included
 * by the kernels of the scalar recurrence. */
#ifndef ARMILLA_LEGENDRE_KERNELS_KEPT_H
#define ARMILLA_LEGENDRE_KERNELS_KEPT_H

#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

/* Does the plan keep the starts of a group? */
ARMILLA_ALWAYS_INLINE int is_kept(const armilla_kernel_order *order,
                                  const armilla_kernel_group *group)
{
    return order->starts.step && group->first < order->starts.end;
}

/* The first step of the vector at a place, where the plan keeps it. */
ARMILLA_ALWAYS_INLINE int64_t kept_step(const armilla_kernel_order *order, int64_t place)
{
    return order->starts.step[place / VLEN];
}

/* Where the vectors of a part of a group begin. */
typedef struct {
    int64_t place, far; /* of the first one, to the next one */
    int64_t step[GROUP_VECTORS];
} part_starts;

ARMILLA_ALWAYS_INLINE part_starts find_starts(const armilla_kernel_order *order, int64_t place,
                                              int64_t far, const int nvec)
{
    part_starts s = {.place = place, .far = far};
    for (int i = 0; i < nvec; i++) s.step[i] = kept_step(order, place + i * far);
    return s;
}

/* The first step after `after` at which a vector begins; `end` if none does before it. */
ARMILLA_ALWAYS_INLINE int64_t next_start(const part_starts *s, int64_t after, int64_t end,
                                         const int nvec)
{
    for (int i = 0; i < nvec; i++)
        if (s->step[i] > after && s->step[i] < end) end = s->step[i];
    return end;
}

/* The state of a vector at its first step. */
ARMILLA_ALWAYS_INLINE void begin_vector(const armilla_kernel_order *order, int64_t place,
                                        int64_t step, vec *current, vec *previous, const int fine)
{
    *current = v_load(order->starts.value + place);
    *previous = fine && step == 0 ? *current : v_all(0.0);
}

/* Begins the vectors whose first step this is. Before it they take part with zeros; a pair that
 * matters later than its neighbours has its small values from there on: no range, no masks. */
ARMILLA_ALWAYS_INLINE void begin_vectors(const armilla_kernel_order *order, const part_starts *s,
                                         int64_t step, vec *current, vec *previous, const int nvec,
                                         const int nfine)
{
    for (int i = 0; i < nvec; i++)
        if (s->step[i] == step)
            begin_vector(order, s->place + i * s->far, step, &current[i], &previous[i], i < nfine);
}

#endif
