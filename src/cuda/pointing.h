/* Lensing on a GPU: the deflected directions of a grid's pixels, which stay in device memory.
 * Values turn on their way between points and maps in the calls of the points (points_call.c). */
#ifndef ARMILLA_CUDA_POINTING_H
#define ARMILLA_CUDA_POINTING_H

#include "armilla/device.h"
#include "armilla/grid.h"
#include "base/status.h"
#include "cuda/cuda.h"

/* Arrays of the host; they need not outlive the pointing. */
typedef struct armilla_cuda_pointing_problem {
    const armilla_ring *rings; /* of stride 0: in NESTED order, with offsets of RING order */
    int64_t nrings;
    int64_t npix;  /* of a map */
    int64_t nside; /* of rings of stride 0 */
} armilla_cuda_pointing_problem;

/* What others may know of directions. */
typedef struct armilla_cuda_pointing {
    armilla_cuda_object object;
    int64_t count;          /* of entries */
    int placed;             /* are entries places of the map? Else they are pixels, ring by ring */
    double *points, *gamma; /* theta', phi' of each entry, [count][2], and its angle, [count]: in
                               device memory */
    int64_t value_bytes[2]; /* of the device, of the values of a transform that are not the map: of
                               a scalar, of a field of two components */
} armilla_cuda_pointing;

/* Device memory for coefficients of the vector field, and for the field. */
typedef struct armilla_cuda_deflection {
    double *alm;   /* [1, or 2 with a curl][triangle]: gradient, curl */
    double *field; /* [2][npix], of a map in RING order: zeros; or a map that was given */
    int is_map;    /* the latter, in the order of the grid */
} armilla_cuda_deflection;

typedef struct armilla_cuda_deflection_parts {
    int64_t lmax, mmax;
    const double *gradient, *curl; /* triangles, of the host or the device; no curl: NULL */
    int potential;     /* coefficients become those of a vector field: times sqrt(l (l + 1)) */
    const double *map; /* [2][npix] in their place, of the host or the device; else NULL */
} armilla_cuda_deflection_parts;

typedef struct armilla_cuda_lensing_table {
    /* On the calling thread's current GPU; directions are still to be made. Errors: MEMORY (also of
     * the device: names the bytes), UNSUPPORTED. */
    armilla_status (*make)(const armilla_cuda_pointing_problem *problem,
                           armilla_cuda_pointing **pointing);
    /* Copies directions and angles to the host, either of which may be NULL. Errors: UNSUPPORTED.
     */
    armilla_status (*fetch)(const armilla_cuda_pointing *pointing, double *points, double *gamma);

    /* Making directions, on the calling thread's current GPU: takes memory and copies coefficients;
     * waits for the device. Errors: ARGUMENT (of another GPU), MEMORY, UNSUPPORTED; nothing is
     * taken then. */
    armilla_status (*open_deflection)(const armilla_cuda_pointing *pointing,
                                      const armilla_cuda_deflection_parts *parts,
                                      armilla_cuda_deflection *deflection);
    /* Makes them from the field; waits for the device. Returned: *bad  the first pixel, ring by
     * ring, whose deflection is not finite, or -1. Errors: MEMORY, UNSUPPORTED. */
    armilla_status (*deflect)(armilla_cuda_pointing *pointing,
                              const armilla_cuda_deflection *deflection, int64_t *bad);
    /* The deflection at a place of the field. Errors: UNSUPPORTED. */
    armilla_status (*fetch_deflection)(const armilla_cuda_pointing *pointing,
                                       const armilla_cuda_deflection *deflection, int64_t place,
                                       double alpha[2]);
    void (*close_deflection)(armilla_cuda_deflection *deflection);
} armilla_cuda_lensing_table;

extern const armilla_cuda_lensing_table armilla_cuda_lensing_functions;

#endif
