/* A k-d tree without pointers: the middle of a range of vectors is its node, what is lower along
 * one axis stands in front of it, and what is higher behind it. The axes x, y and z take turns. */
#include "nearest.h"

#include <string.h>

enum { AXES = 3 };

static void swap(double *a, double *b)
{
    double kept[AXES];
    memcpy(kept, a, sizeof kept);
    memcpy(a, b, sizeof kept);
    memcpy(b, kept, sizeof kept);
}

/* Hoare's selection: what is below the middle along an axis comes in front of it. */
static void select_middle(int64_t count, double *vectors, int axis)
{
    const int64_t middle = count / 2;
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const double pivot = vectors[AXES * (low + (high - low) / 2) + axis];
        int64_t i = low, j = high;
        while (i <= j) {
            while (vectors[AXES * i + axis] < pivot) i++;
            while (vectors[AXES * j + axis] > pivot) j--;
            if (i > j) break;
            swap(vectors + AXES * i++, vectors + AXES * j--);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static void build(int64_t count, double *vectors, int axis)
{
    const int64_t middle = count / 2;
    if (count < 2) return;
    select_middle(count, vectors, axis);
    build(middle, vectors, (axis + 1) % AXES);
    build(count - middle - 1, vectors + AXES * (middle + 1), (axis + 1) % AXES);
}

void nearest_build(int64_t count, double *vectors)
{
    build(count, vectors, 0);
}

static double find(int64_t count, const double *vectors, const double *v, double bound, int axis)
{
    if (count == 0) return bound;
    const int64_t middle = count / 2;
    const double *node = vectors + AXES * middle, *behind = node + AXES;
    const double x = v[0] - node[0], y = v[1] - node[1], z = v[2] - node[2];
    const double square = x * x + y * y + z * z, along = v[axis] - node[axis];
    const int next = (axis + 1) % AXES;
    const int64_t more = count - middle - 1;
    if (square < bound) bound = square;
    if (along < 0) {
        bound = find(middle, vectors, v, bound, next);
        return along * along < bound ? find(more, behind, v, bound, next) : bound;
    }
    bound = find(more, behind, v, bound, next);
    return along * along < bound ? find(middle, vectors, v, bound, next) : bound;
}

double nearest_find(int64_t count, const double *vectors, const double *v, double bound)
{
    return find(count, vectors, v, bound, 0);
}
