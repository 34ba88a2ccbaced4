/* The nearest of many directions: a k-d tree of unit vectors. */
#ifndef ARMILLA_CLI_NEAREST_H
#define ARMILLA_CLI_NEAREST_H

#include <stdint.h>

/* Puts vectors into the sequence of a tree, in their place.
 * Given:    vectors  [count][3]. */
void nearest_build(int64_t count, double *vectors);

/* Returned: the square of the distance (of the chord) from v to the nearest one, or bound if none
 * is closer than that. */
double nearest_find(int64_t count, const double *vectors, const double *v, double bound);

#endif
