/* An array of the caller, of doubles or floats. */
#ifndef ARMILLA_BASE_ARRAY_H
#define ARMILLA_BASE_ARRAY_H

#include <stdint.h>

typedef struct armilla_array {
    void *values; /* double or float; those of inputs are only read */
    int is_float;
} armilla_array;

/* Bytes of an item. */
static inline int64_t armilla_array_item_size(armilla_array array)
{
    return array.is_float ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

/* The array from its item number `items` on. */
static inline armilla_array armilla_array_from(armilla_array array, int64_t items)
{
    array.values = (char *)array.values + items * armilla_array_item_size(array);
    return array;
}

static inline double armilla_array_get(armilla_array array, int64_t item)
{
    return array.is_float ? (double)((const float *)array.values)[item]
                          : ((const double *)array.values)[item];
}

static inline void armilla_array_put(armilla_array array, int64_t item, double value)
{
    if (array.is_float)
        ((float *)array.values)[item] = (float)value;
    else
        ((double *)array.values)[item] = value;
}

#endif
