/* Lensing on a GPU: the deflected directions of a grid's pixels, which stay in device memory, and
 * values that turn on their way between points and maps. */
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

struct armilla_cuda_points_shares; /* points_group.h */

typedef struct armilla_cuda_lensed_call {
    int to_map;
    int64_t spin, ncomp; /* ncomp: 1 where spin is 0, else 2 */
    int64_t ntrans, map_distance;
    const double *alm; /* only to ask where it is */
    double *map;
    int progress; /* is somebody told of it? */
    armilla_memory memory;
    void *stream;
    /* The points of the call, and the bytes that both together may take: as many transforms go at
     * once as have room, or one; if there are no values beside the map all, which the points' call
     * cuts. NULL: one by one. */
    const struct armilla_cuda_points_shares *points;
    int64_t device_bytes;
} armilla_cuda_lensed_call;

/* What others may know of a call between values at points and maps. */
typedef struct armilla_cuda_lensed {
    int64_t batch;         /* transforms that go at once */
    armilla_memory memory; /* how the points' calls find their arrays */
    int64_t distance;      /* of values at points, from one component to the next */
} armilla_cuda_lensed;

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

    /* A call: finds the arrays, takes memory, and makes the GPU of the pointing the current one
     * until the call is closed. Errors: ARGUMENT, MEMORY, UNSUPPORTED (a stream whose capture the
     * call would break); nothing is taken then. */
    armilla_status (*open)(const armilla_cuda_pointing *pointing,
                           const armilla_cuda_lensed_call *call, armilla_cuda_lensed **lensed);
    /* What comes before points are read, and after they were written: transforms t .. t + count -
     * 1, no more than a batch. To points the map's values are turned back first, to the map values
     * are turned there last. Returned: where values at points of transform t, and of those that go
     * with it, are: in device memory, or the caller's map. */
    double *(*begin_batch)(armilla_cuda_lensed *lensed, int64_t t, int64_t count);
    void (*end_batch)(armilla_cuda_lensed *lensed, int64_t t, int64_t count);
    /* Gives all back and waits, where an array is on the host. Errors: UNSUPPORTED, the first one
     * of the call. */
    armilla_status (*close)(armilla_cuda_lensed *lensed);
} armilla_cuda_lensing_table;

extern const armilla_cuda_lensing_table armilla_cuda_lensing_functions;

#endif
