/* Lensing on a GPU: the deflected directions of a grid's pixels, which stay in device memory, and
 * values that turn on their way between points and maps. Where the library is built without CUDA,
 * absent/ has these functions. */
#ifndef ARMILLA_CUDA_POINTING_H
#define ARMILLA_CUDA_POINTING_H

#include "armilla/device.h"
#include "armilla/grid.h"
#include "base/status.h"

typedef struct armilla_cuda_pointing armilla_cuda_pointing;

/* Arrays of the host; they need not outlive the pointing. */
typedef struct armilla_cuda_pointing_problem {
    const armilla_ring *rings; /* of stride 0: in NESTED order, with offsets of RING order */
    int64_t nrings;
    int64_t npix;  /* of a map */
    int64_t nside; /* of rings of stride 0 */
} armilla_cuda_pointing_problem;

/* On the calling thread's current GPU; directions are still to be made. Errors: MEMORY (also of the
 * device: names the bytes), UNSUPPORTED. */
armilla_status armilla_cuda_pointing_new(const armilla_cuda_pointing_problem *problem,
                                         armilla_cuda_pointing **pointing);
void armilla_cuda_pointing_free(armilla_cuda_pointing *pointing); /* NULL is allowed */

int64_t armilla_cuda_pointing_bytes(const armilla_cuda_pointing *pointing); /* of the device */
int64_t armilla_cuda_pointing_count(const armilla_cuda_pointing *pointing);
int armilla_cuda_pointing_device(const armilla_cuda_pointing *pointing);

/* Are entries places of the map? Else they are pixels, ring by ring. */
int armilla_cuda_pointing_is_placed(const armilla_cuda_pointing *pointing);

/* theta', phi' of each entry, [count][2], in device memory. */
const double *armilla_cuda_pointing_points(const armilla_cuda_pointing *pointing);

/* Copies directions and angles to the host, either of which may be NULL. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_pointing_fetch(const armilla_cuda_pointing *pointing, double *points,
                                           double *gamma);

/* --- Making directions, on the calling thread's current GPU ----------------------------------- */

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

/* Takes memory and copies coefficients; waits for the device. Errors: ARGUMENT (of another GPU),
 * MEMORY, UNSUPPORTED; nothing is taken then. */
armilla_status armilla_cuda_deflection_open(const armilla_cuda_pointing *pointing,
                                            const armilla_cuda_deflection_parts *parts,
                                            armilla_cuda_deflection *deflection);
void armilla_cuda_deflection_close(armilla_cuda_deflection *deflection);

/* Makes the directions from the field; waits for the device. Returned: *bad  the first pixel, ring
 * by ring, whose deflection is not finite, or -1. Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_cuda_pointing_deflect(armilla_cuda_pointing *pointing,
                                             const armilla_cuda_deflection *deflection,
                                             int64_t *bad);

/* The deflection at a place of the field. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_deflection_fetch(const armilla_cuda_pointing *pointing,
                                             const armilla_cuda_deflection *deflection,
                                             int64_t place, double alpha[2]);

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct armilla_cuda_lensed_call {
    int to_map;
    int64_t spin, ncomp; /* ncomp: 1 where spin is 0, else 2 */
    int64_t ntrans, map_distance;
    const double *alm; /* only to ask where it is */
    double *map;
    int progress; /* is somebody told of it? */
    armilla_memory memory;
    void *stream;
} armilla_cuda_lensed_call;

/* A call between values at points and maps. The pointing's device is the calling thread's current
 * one, here and below. */
typedef struct armilla_cuda_lensed armilla_cuda_lensed;

/* Finds the arrays. Errors: ARGUMENT, MEMORY, UNSUPPORTED (a stream whose capture the call would
 * break); nothing is taken then. */
armilla_status armilla_cuda_lensed_open(const armilla_cuda_pointing *pointing,
                                        const armilla_cuda_lensed_call *call,
                                        armilla_cuda_lensed **lensed);

/* Device bytes of the values of a transform that are not the map. */
int64_t armilla_cuda_lensed_bytes(const armilla_cuda_pointing *pointing, int64_t ncomp);

/* Device bytes that so many transforms at once take beside what points take: values at points that
 * are not the map, and copies of maps of the host for these. */
int64_t armilla_cuda_lensed_room(const armilla_cuda_lensed *lensed, int64_t batch);

/* Takes memory for so many transforms at once, or somewhat fewer. Errors: MEMORY, UNSUPPORTED;
 * `lensed` is to be closed all the same. */
armilla_status armilla_cuda_lensed_begin(armilla_cuda_lensed *lensed, int64_t batch);

/* Transforms that go at once. */
int64_t armilla_cuda_lensed_batch(const armilla_cuda_lensed *lensed);

/* Where values at points of transform t, the first of a batch, and of those that go with it, are:
 * in device memory, or the caller's map. *distance: from one component to the next. */
double *armilla_cuda_lensed_values(const armilla_cuda_lensed *lensed, int64_t t, int64_t *distance);

/* How the points' calls find their arrays. */
armilla_memory armilla_cuda_lensed_memory(const armilla_cuda_lensed *lensed);

/* Puts on the stream what comes before points are read (to_map = 0: the map's values, turned back,
 * become values at points), or after they are written (to_map = 1), of transforms t .. t + count -
 * 1, a batch or less. */
void armilla_cuda_lensed_move(armilla_cuda_lensed *lensed, int64_t t, int64_t count);

/* Gives the memory back; waits, where an array is on the host. Returned: what the device says. */
armilla_status armilla_cuda_lensed_close(armilla_cuda_lensed *lensed);

#endif
