/* The caller's arrays as the iterative analysis sees them: float or double, any distances. */
#ifndef ARMILLA_SHT_PSEUDO_ARRAYS_H
#define ARMILLA_SHT_PSEUDO_ARRAYS_H

#include "alm/layout.h"
#include "armilla/grid.h"
#include "base/array.h"
#include "sht/vector.h"

/* Where a plan's vectors are spread over ranks: each has some rings of the map, or some values at
 * points, and some orders of alm, which its layout tells. */
typedef struct armilla_pseudo_ranks {
    const armilla_grid *grid; /* of all ranks; NULL: points */
    int64_t nrings;           /* of this rank, in the sequence of its map, without gaps */
    const int64_t *number;    /* of each in the grid */
    int64_t rank, nranks;
    const int64_t *start; /* of the points of each rank among those of all, and the end */
    armilla_largest_fn largest;
    armilla_status (*agree)(void *context, armilla_status status);
    void *context;
} armilla_pseudo_ranks;

typedef struct armilla_pseudo_arrays {
    const armilla_grid *grid; /* NULL: pixels 0 .. npix - 1, and no rings */
    const armilla_alm_layout *layout;
    armilla_array map, alm;
    armilla_array guess;      /* like alm; values NULL: none */
    const double *weights;    /* of the pixels of one component; NULL: 1 */
    int64_t spin;             /* degrees below are 0, whatever the guess says */
    int64_t nmap, nalm, npix; /* components of a map and of alm; pixels of a component */
    int64_t first, map_period, alm_period; /* first component; components from one transform to the
                                            * next, of which others may belong to other fields */
    int64_t map_distance, alm_distance;    /* values, complex numbers, between components */
    const char *map_name, *pixel_name;     /* what messages call them */
    const armilla_pseudo_ranks *ranks;     /* NULL: there is one */
} armilla_pseudo_arrays;

static inline void armilla_pseudo_set_arrays(armilla_pseudo_arrays *arrays, const void *map,
                                             void *alm, int is_float)
{
    arrays->map = (armilla_array){(void *)map, is_float};
    arrays->alm = (armilla_array){alm, is_float};
    arrays->guess.is_float = is_float;
}

/* ARMILLA_ERROR_ARGUMENT with the index of the first pixel whose weight is negative, NaN or
 * infinite, or if no weight is positive. Pixels that belong to no ring are not looked at, here and
 * below; pixels of weight 0 not in maps. */
armilla_status armilla_pseudo_check_weights(const armilla_pseudo_arrays *arrays);

/* ARMILLA_ERROR_ARGUMENT with the least index of a pixel that is NaN or infinite. Ranks call
 * together: the one that has the first of all gives it the index that it would have in maps of all
 * ranks, and the error. */
armilla_status armilla_pseudo_check_map(const armilla_pseudo_arrays *arrays, int64_t ntrans);

/* The same of the guess. Degrees below the spin and imaginary parts of m = 0 are not looked at. */
armilla_status armilla_pseudo_check_guess(const armilla_pseudo_arrays *arrays, int64_t ntrans);

/* Copies the weights, or where `roots` their square roots, divided by a power of two that makes the
 * largest about 1. Returned: weights  npix values, of which only pixels of rings are written. */
void armilla_pseudo_load_weights(const armilla_pseudo_arrays *arrays, int roots, double *weights);

/* Copies one transform's map, divided by a power of two that makes the largest value of map and
 * guess about 1, so that no square over- or underflows; pixels of weight 0 become 0.
 * Given:    factors  npix values by which the map is multiplied; NULL: 1.
 * Returned: map  nmap * npix values, of which only pixels of rings are written;  the power of two;
 *           0 where every pixel is 0. */
double armilla_pseudo_load_map(const armilla_pseudo_arrays *arrays, int64_t transform,
                               const double *factors, double *map);

/* Copies one transform's guess, divided by scale, to nalm arrays in the layout. */
void armilla_pseudo_load_guess(const armilla_pseudo_arrays *arrays, int64_t transform, double scale,
                               double *alm);

/* Writes scale * alm, nalm arrays in the layout, to the caller's array. */
void armilla_pseudo_store_alm(const armilla_pseudo_arrays *arrays, int64_t transform, double scale,
                              const double *alm);

#endif
