/* Transforms between alm and values at sorted points on a GPU:
 *
 *     alm --legendre--> near rings --theta--> fine rings --strips--> samples --> points
 *
 * and the transpose, on arrays of the host or of the device; with arrays of the device the host
 * sees no number. The plan for points (src/points/device.c) says what the stages are made of.
 * Nothing of CUDA's is in this header. Where the library is built without CUDA, absent/ has these
 * functions. */
#ifndef ARMILLA_CUDA_POINTS_TRANSFORM_H
#define ARMILLA_CUDA_POINTS_TRANSFORM_H

#include "alm/layout.h"
#include "armilla/sht.h"
#include "base/array.h"
#include "cuda/arithmetic.h"
#include "cuda/stages/points_problem.h"
#include "cuda/stages/shape.h"
#include "leg/leg.h"
#include "legendre/legendre.h"
#include "theta/theta.h"

/* What does not depend on the points. */
typedef struct armilla_cuda_points_stages armilla_cuda_points_stages;

/* Some bands of both hemispheres, as in points/plan.h: pair p is row p - first of the north, and of
 * the south row rows - 1 - (p - first). */
typedef struct armilla_cuda_points_strip {
    int64_t band, end_band;
    int64_t first, rows;
    int64_t first_pair, npairs; /* that rows are made of */
    int64_t first_own, nown;    /* whose part of leg the transpose writes */
    struct {
        int64_t first;      /* ring of row 0 */
        int64_t begin, end; /* rings to whose samples points are added */
    } side[2];              /* north, south */
} armilla_cuda_points_strip;

/* What must outlive the stages: legendre, near, far, layout, strips. */
typedef struct armilla_cuda_points_stages_problem {
    const armilla_legendre *legendre; /* with the lanes and vectors of the shape, all tables */
    const armilla_cuda_shape *shape;  /* of the Legendre stage's kernels */
    armilla_cuda_precision precision;
    const armilla_theta_problem *theta;   /* from near rings to fine ones */
    const armilla_leg_layout *near, *far; /* of one block each, rows 0 .. mmax of one length */
    const armilla_alm_layout *layout;
    int64_t mmax, spin;          /* the largest order that points need; spin of any sign */
    int64_t nalm, nmap;          /* components */
    const double *degree_factor; /* [lmax + 1], or NULL */
    const double *order_factor;  /* [mmax + 1] */
    int64_t nphi, left, pitch;   /* samples of a ring; columns before the first one, and in all */
    int64_t half;                /* pairs of fine rings */
    int64_t most_rows;           /* of a strip, in each hemisphere */
    int64_t nstrips;
    const armilla_cuda_points_strip *strips;
    int64_t memory_bytes; /* that leg, samples and scratch of a call should not exceed */
} armilla_cuda_points_stages_problem;

/* On the calling thread's current GPU. Errors: MEMORY (also of the device: names the bytes),
 * UNSUPPORTED. */
armilla_status armilla_cuda_points_stages_new(const armilla_cuda_points_stages_problem *problem,
                                              armilla_cuda_points_stages **stages);
void armilla_cuda_points_stages_free(armilla_cuda_points_stages *stages); /* NULL is allowed */

/* Pairs of fine rings that the strips first .. end - 1 own. */
typedef struct armilla_cuda_points_pairs {
    int64_t first, count;
} armilla_cuda_points_pairs;

static inline armilla_cuda_points_pairs
armilla_cuda_points_own_pairs(const armilla_cuda_points_stages_problem *problem, int64_t first,
                              int64_t end)
{
    const armilla_cuda_points_strip *last = &problem->strips[end - 1];
    const int64_t pair = problem->strips[first].first_own;
    return (armilla_cuda_points_pairs){pair, last->first_own + last->nown - pair};
}

/* Device bytes: what they hold; what points hold; what a call of one transform takes, in the
 * direction that takes more, besides copies of host arrays. */
int64_t armilla_cuda_points_stages_bytes(const armilla_cuda_points_stages *stages);
int64_t armilla_cuda_points_held_bytes(const armilla_cuda_points *points);
int64_t armilla_cuda_points_workspace(const armilla_cuda_points_stages *stages,
                                      const armilla_cuda_points *points);

/* Kernels and calls of cuFFT of a call of one transform, whose strips are all of this GPU. points:
 * NULL: any, in all bands, with heavy tiles. */
int64_t armilla_cuda_points_stages_launches(const armilla_cuda_points_stages *stages,
                                            const armilla_cuda_points *points, int to_points);

/* The number of their GPU. */
int armilla_cuda_points_stages_device(const armilla_cuda_points_stages *stages);

/* Can the calling thread's current GPU read the points? Then *points becomes their address there.
 * Errors: ARGUMENT (memory = DEVICE, and they are on the host, or on another GPU), UNSUPPORTED. */
armilla_status armilla_cuda_points_find(armilla_memory memory, const double **points,
                                        int *on_device);

/* Points of the device, and the numbers of some of them. */
typedef struct armilla_cuda_points_survey {
    int64_t count;
    const double *points;
    int64_t taken; /* > 0 */
    const int64_t *number;
    double *sample; /* [taken][2], on the host: what is found there */
} armilla_cuda_points_survey;

/* Looks at them, when whatever may write them has been waited for. Errors: MEMORY (of the device),
 * UNSUPPORTED. */
armilla_status armilla_cuda_points_look(const armilla_cuda_points_survey *survey,
                                        armilla_cuda_point_bounds *bounds);

/* Copies points of the device to the host, when whatever may write them has been waited for.
 * Errors: UNSUPPORTED. */
armilla_status armilla_cuda_points_fetch(int64_t count, const double *points, double *host);

/* Sorts points on the GPU of the stages. Given: points  [count][2], of the host or of that GPU,
 * where whatever writes them has been waited for. Errors: as armilla_cuda_points_new. */
armilla_status armilla_cuda_points_sorted(const armilla_cuda_points_stages *stages,
                                          const armilla_cuda_points_problem *problem, int64_t count,
                                          const double *points, int on_device,
                                          armilla_cuda_points **result);
void armilla_cuda_points_sorted_free(const armilla_cuda_points_stages *stages,
                                     armilla_cuda_points *points); /* NULL is allowed */

/* What one of several GPUs does of a call, whose arrays are then on the host, or not looked at. */
typedef struct armilla_cuda_points_share {
    int64_t first_strip, end_strip; /* to points, and from points to leg */
    int64_t nvalues;                /* of a component: those of the points before are copied */
    double *rings;                  /* values -> part of leg: on the host, of the pairs that the
                                       strips own, [set][mmax + 1][armilla_leg_row_length(pairs)];
                                       alm is not looked at. Else NULL */
    const double *leg;              /* leg -> alm: the whole of it, on the host; values are not
                                       looked at. Else NULL */
} armilla_cuda_points_share;

typedef struct armilla_cuda_points_call {
    int to_points;
    armilla_array alm, values;
    armilla_exec exec;                      /* its map_distance is that of values */
    const armilla_cuda_points_share *share; /* NULL: the GPU does all of it */
    /* What becomes of values on their way between the points and a map, which `values` is then
     * (points_stages.h); NULL: they are as they are. */
    const struct armilla_cuda_points_end *end;
} armilla_cuda_points_call;

/* With arrays of the device the call puts its work on the stream and returns; else it waits for the
 * result. Errors: ARGUMENT (memory = DEVICE for an array of the host), MEMORY (names the bytes; the
 * stages stay usable), UNSUPPORTED (an error of CUDA; a stream whose capture the call would break),
 * CANCELLED. Thread rule: any number of calls at once. */
armilla_status armilla_cuda_points_run(const armilla_cuda_points_stages *stages,
                                       const armilla_cuda_points *points,
                                       const armilla_cuda_points_call *call);

#endif
