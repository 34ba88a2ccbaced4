/* Arrays of the caller, of doubles or floats: one, and the maps that an operator reads and writes.
 */
#ifndef ARMILLA_BASE_ARRAY_H
#define ARMILLA_BASE_ARRAY_H

#include <stdint.h>

typedef struct armilla_array {
    void *values; /* double or float; those of inputs are only read */
    int is_float;
} armilla_array;

/* const is cast away, so that inputs and outputs share one type. */
static inline armilla_array armilla_array_of_doubles(const double *values)
{
    return (armilla_array){(void *)values, 0};
}

static inline armilla_array armilla_array_of_floats(const float *values)
{
    return (armilla_array){(void *)values, 1};
}

/* Bytes of an item. */
static inline int64_t armilla_array_item_size(armilla_array array)
{
    return array.is_float ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

/* The array from its item number `items` on; one of no numbers may be NULL, and stays so. */
static inline armilla_array armilla_array_from(armilla_array array, int64_t items)
{
    if (array.values) array.values = (char *)array.values + items * armilla_array_item_size(array);
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

/* Maps that an operator reads and those that it writes: number i begins at item i distance. */
typedef struct armilla_maps {
    armilla_array in, out; /* no overlap */
    int64_t in_distance, out_distance;
} armilla_maps;

/* The maps from number `first` on. */
static inline armilla_maps armilla_maps_from(const armilla_maps *maps, int64_t first)
{
    return (armilla_maps){armilla_array_from(maps->in, first * maps->in_distance),
                          armilla_array_from(maps->out, first * maps->out_distance),
                          maps->in_distance, maps->out_distance};
}

#endif
