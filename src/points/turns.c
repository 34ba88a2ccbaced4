/* Moves values of two components between the caller's sequence of points and the sorted one in
 * which the kernels work, by several threads, and prefetches the cache lines that it jumps to. */
#include "points/turns.h"

#include "base/compiler.h"
#include "base/integer.h"
#include "base/team.h"

enum { SLICE = 1 << 15, AHEAD = 24 };

#define TO_VALUES(type)                                                                            \
    {                                                                                              \
        type *first = (type *)t->values.values, *second = first + t->distance;                     \
        const type *sorted = (const type *)t->sorted.values;                                       \
        for (int64_t i = begin; i < end; i++) {                                                    \
            const type *pair = sorted + 2 * (int64_t)t->turn[i];                                   \
            ARMILLA_PREFETCH(sorted + 2 * (int64_t)t->turn[i + AHEAD < end ? i + AHEAD : i]);      \
            first[i] = pair[0], second[i] = pair[1];                                               \
        }                                                                                          \
    }

#define FROM_VALUES(type)                                                                          \
    {                                                                                              \
        const type *first = (const type *)t->values.values, *second = first + t->distance;         \
        type *sorted = (type *)t->sorted.values;                                                   \
        for (int64_t i = begin; i < end; i++) {                                                    \
            type *pair = sorted + 2 * (int64_t)t->turn[i];                                         \
            ARMILLA_PREFETCH_WRITE(sorted +                                                        \
                                   2 * (int64_t)t->turn[i + AHEAD < end ? i + AHEAD : i]);         \
            pair[0] = first[i], pair[1] = second[i];                                               \
        }                                                                                          \
    }

static int64_t end_of(const armilla_turns *t, int64_t begin)
{
    return armilla_smaller(begin + SLICE, t->count);
}

static void slice_to_values(void *context, int64_t slice, int thread)
{
    (void)thread;
    const armilla_turns *t = context;
    const int64_t begin = slice * SLICE, end = end_of(t, begin);
    if (t->values.is_float)
        TO_VALUES(float)
    else
        TO_VALUES(double)
}

static void slice_from_values(void *context, int64_t slice, int thread)
{
    (void)thread;
    const armilla_turns *t = context;
    const int64_t begin = slice * SLICE, end = end_of(t, begin);
    if (t->values.is_float)
        FROM_VALUES(float)
    else
        FROM_VALUES(double)
}

static void run(const armilla_turns *turns, armilla_team_task task, int nthreads)
{
    armilla_turns t = *turns;
    armilla_team_run(nthreads, (t.count + SLICE - 1) / SLICE, task, &t);
}

void armilla_turns_to_values(const armilla_turns *turns, int nthreads)
{
    run(turns, slice_to_values, nthreads);
}

void armilla_turns_from_values(const armilla_turns *turns, int nthreads)
{
    run(turns, slice_from_values, nthreads);
}
