/* The smaller and the larger of two whole numbers; search in a rising list. */
#ifndef ARMILLA_BASE_INTEGER_H
#define ARMILLA_BASE_INTEGER_H

#include <stdint.h>

static inline int64_t armilla_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t armilla_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How many numbers of a rising list are below a bound. */
static inline int64_t armilla_count_below(const int64_t *list, int64_t count, int64_t bound)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (list[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
