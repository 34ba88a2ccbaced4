/* Arrays of doubles or floats, and numbers that look like noise, the same on all ranks. */
#ifndef ARMILLA_TESTS_RANKS_NUMBERS_H
#define ARMILLA_TESTS_RANKS_NUMBERS_H

#include <stdint.h>
#include <stdlib.h>

/* Numbers of float or double, by one function. */
typedef struct {
    void *values;
    int is_float;
} numbers;

/* Arrays of no numbers are NULL. */
static inline numbers make_numbers(int64_t count, int is_float)
{
    const size_t size = is_float ? sizeof(float) : sizeof(double);
    numbers n = {count ? calloc((size_t)count, size) : NULL, is_float};
    if (count && !n.values) abort();
    return n;
}

static inline double get(numbers n, int64_t i)
{
    return n.is_float ? (double)((float *)n.values)[i] : ((double *)n.values)[i];
}

static inline void put(numbers n, int64_t i, double value)
{
    if (n.is_float)
        ((float *)n.values)[i] = (float)value;
    else
        ((double *)n.values)[i] = value;
}

/* Between -1 and 1; the same number on all ranks. */
static inline double noise(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

#endif
