/* The caller's arrays as the iterative analysis sees them: float or double, any distances. */
#ifndef ARMILLA_SHT_PSEUDO_ARRAYS_H
#define ARMILLA_SHT_PSEUDO_ARRAYS_H

#include "alm/layout.h"
#include "armilla/grid.h"

typedef struct armilla_pseudo_arrays {
    const armilla_grid *grid;
    const armilla_alm_layout *layout;
    const void *map; /* of float where single, else of double */
    void *alm;
    int single;
    int64_t nmap, nalm, npix;           /* components of a map and of alm; pixels of a component */
    int64_t map_distance, alm_distance; /* values, complex numbers, between components */
} armilla_pseudo_arrays;

/* ARMILLA_ERROR_ARGUMENT with the index of the first pixel that is NaN or infinite. Pixels that
 * belong to no ring are not looked at, here and below. */
armilla_status armilla_pseudo_check_map(const armilla_pseudo_arrays *arrays, int64_t ntrans);

/* Copies one transform's map, divided by a power of two that makes its largest value about 1, so
 * that no square over- or underflows.
 * Returned: map  nmap * npix values, of which only pixels of rings are written;  the power of two;
 *           0 where every pixel is 0. */
double armilla_pseudo_load_map(const armilla_pseudo_arrays *arrays, int64_t transform, double *map);

/* Writes scale * alm, nalm arrays in the layout, to the caller's array. */
void armilla_pseudo_store_alm(const armilla_pseudo_arrays *arrays, int64_t transform, double scale,
                              const double *alm);

#endif
