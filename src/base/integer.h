/* The smaller and the larger of two whole numbers. */
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

#endif
