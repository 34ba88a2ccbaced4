/* Transforms of a plan on a GPU: alm --legendre [theta]--> leg --ringfft--> map, and back, pass by
 * pass, on arrays of the host or of the device. The only header of this folder that the plan of
 * src/sht knows. Where the library is built without CUDA, absent/ has these functions. */
#ifndef ARMILLA_CUDA_TRANSFORM_H
#define ARMILLA_CUDA_TRANSFORM_H

#include "alm/layout.h"
#include "armilla/device.h"
#include "armilla/grid.h"
#include "base/array.h"
#include "leg/passes.h"
#include "legendre/legendre.h"
#include "theta/theta.h"

typedef struct armilla_cuda_transform armilla_cuda_transform;

/* One way from alm to maps. What must outlive the transform: legendre, passes, near. */
typedef struct armilla_cuda_flow_problem {
    const armilla_legendre *legendre; /* with the lanes of armilla_cuda_shape and all tables; NULL:
                                         there is no such flow */
    const armilla_leg_passes *passes; /* all orders of some pairs each; with theta one, of all */
    const armilla_theta_problem *theta; /* between the Legendre stage's rings and those of passes;
                                           NULL: they are the same */
    const armilla_leg_layout *near; /* leg of the Legendre stage's rings, rows as long and as many
                                       as in the pass, whose memory it takes; NULL without theta */
    int weighted;                   /* W is in the theta stage */
} armilla_cuda_flow_problem;

/* What must outlive the transform: layout. */
typedef struct armilla_cuda_problem {
    armilla_cuda_flow_problem flow;          /* of all calls, or of those without weights */
    armilla_cuda_flow_problem weighted_flow; /* of calls with weights, if there is one */
    int64_t nrings;
    const armilla_ring *rings;
    const armilla_alm_layout *layout;
    int64_t spin;                /* >= 0 */
    int64_t nalm, nmap;          /* components */
    const double *degree_factor; /* lmax + 1, or NULL */
    int64_t npix, samples;       /* of a map, and of its rings */
    int64_t memory_bytes;        /* of scratch, that leg and the stages may take together, as far as
                                    possible */
} armilla_cuda_problem;

typedef struct armilla_cuda_call {
    int to_map, weighted;
    armilla_array alm, map;
    int64_t ntrans, alm_distance, map_distance;
    armilla_memory memory;
    void *stream;
    armilla_progress_fn progress;
    void *progress_data;
} armilla_cuda_call;

/* Lanes and vectors that the Legendre stage of so many pairs must be made for. */
void armilla_cuda_shape(int64_t npairs, int64_t *lanes, int64_t *vectors);

/* Is it an array that the host cannot read? */
int armilla_cuda_is_device_array(const void *values);

/* ARMILLA_OK if there is a GPU to run on. Errors: UNSUPPORTED, says why not. */
armilla_status armilla_cuda_check_device(void);

/* Fills all but the size. Errors: UNSUPPORTED. */
armilla_status armilla_cuda_describe_device(armilla_device_description *whole);

/* Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                          armilla_cuda_transform **transform);
void armilla_cuda_transform_free(armilla_cuda_transform *transform); /* NULL is allowed */

/* Device bytes: what it holds; what a call of one transform takes. */
int64_t armilla_cuda_transform_bytes(const armilla_cuda_transform *transform);
int64_t armilla_cuda_transform_workspace(const armilla_cuda_transform *transform);

/* Errors: ARGUMENT (memory = DEVICE for an array of the host), MEMORY (names the bytes; the
 * transform stays usable), UNSUPPORTED (an error of CUDA), CANCELLED. Thread rule: any number of
 * calls at once. */
armilla_status armilla_cuda_transform_run(const armilla_cuda_transform *transform,
                                          const armilla_cuda_call *call);

#endif
