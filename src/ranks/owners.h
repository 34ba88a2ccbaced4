/* Lists numbered things by the rank or member that has them: a counting sort. */
#ifndef ARMILLA_RANKS_OWNERS_H
#define ARMILLA_RANKS_OWNERS_H

#include <stdint.h>
#include <string.h>

/* Given:    owner  of each of `count` things, `step` numbers apart, 0 .. nowners - 1;
 *           start  room for nowners + 1 numbers.
 * Returned: list[count]  the things of an owner, rising: list[start[owner]] .. before
 *           list[start[owner + 1]]. */
static inline void armilla_owners_list(int64_t count, const int64_t *owner, int64_t step,
                                       int64_t nowners, int64_t *list, int64_t *start)
{
    memset(start, 0, (size_t)(nowners + 1) * sizeof *start);
    for (int64_t i = 0; i < count; i++) start[owner[i * step]]++;
    for (int64_t k = 0; k < nowners; k++) start[k + 1] += start[k];
    for (int64_t i = count; i-- > 0;) list[--start[owner[i * step]]] = i; /* start: the ends */
}

#endif
