/* Inside of radial convolution on a GPU, for the files that make plans and run calls: see radial.h.
 *
 * A slab is what a call has on the device at once where maps of the host do not fit, or are not
 * asked for as a whole: some rows of output, and the rows that their kernels reach, without gaps
 * one behind the other. Two slabs are there at a time, so that copies go beside kernels. */
#ifndef ARMILLA_CUDA_RADIAL_PLAN_H
#define ARMILLA_CUDA_RADIAL_PLAN_H

#include "cuda/runtime/frame.h"
#include "cuda/kernels/radial_kernels.h"
#include "cuda/radial.h"

/* A plan by pixels on one GPU. */
typedef struct armilla_cuda_radial armilla_cuda_radial;
struct armilla_cuda_radial {
    armilla_cuda_radial_view view; /* on the device */
    int64_t bytes, npix, samples, nrows, nout, device_bytes;
    int mirrored, in_sequence; /* do rows follow each other in maps without gaps? */
    int device, open;
    const armilla_cuda_radial *scalar; /* of spin 2: it makes sums of weights; borrowed */
    armilla_cuda_radial_row *rows;     /* on the host */
    int64_t *packed;                   /* [nrows + 1] items of all rows before */
    int64_t *tile[2];           /* [nout + 1] tiles of uniform rows, of others, before a row */
    double *work;               /* [nout + 1] of all rows of output before */
    pthread_mutex_t *enqueuing; /* slabs of one call after the other */
};

/* On the calling thread's current GPU. Errors: MEMORY (also of the device: names the bytes),
 * UNSUPPORTED. */
armilla_status armilla_cuda_radial_new(const armilla_cuda_radial_problem *problem,
                                       const armilla_cuda_radial *scalar,
                                       armilla_cuda_radial **radial);
void armilla_cuda_radial_free(armilla_cuda_radial *radial); /* NULL is allowed */

/* What a plan by pixels has on its first GPU. */
const armilla_cuda_radial *armilla_cuda_radial_first(const armilla_cuda_radial_plan *plan);

/* Device bytes that a call takes whose maps are on the host, doubles without weights. */
int64_t armilla_cuda_radial_workspace(const armilla_cuda_radial *radial);

/* Rows of output that are part number `part` of `nparts` with as much work each. Returned:
 * rows[2]  begin and end, which are equal where there are more parts than rows. */
void armilla_cuda_radial_part(const armilla_cuda_radial *radial, int64_t nparts, int64_t part,
                              int64_t rows[2]);

/* A call on this GPU, see radial.h. Also for other rows of the same maps at once. */
armilla_status armilla_cuda_radial_run(const armilla_cuda_radial *radial,
                                       const armilla_cuda_radial_call *call);

/* Some neighbouring rows and their images, packed: up to two stretches of all rows. */
typedef struct armilla_cuda_radial_window {
    int64_t row[2], end[2]; /* rows of the stretches */
    int64_t count;          /* of stretches */
    int64_t items;          /* of a component */
    int64_t first[2];       /* see armilla_cuda_radial_layout */
} armilla_cuda_radial_window;

typedef struct armilla_cuda_radial_slab {
    int64_t begin, end; /* rows of output */
    armilla_cuda_radial_window in, out;
} armilla_cuda_radial_slab;

enum { ARMILLA_CUDA_RADIAL_MAP, ARMILLA_CUDA_RADIAL_OUT }; /* arrays of the frame */

/* A call that runs. */
typedef struct armilla_cuda_radial_run_state {
    const armilla_cuda_radial *radial;
    const armilla_cuda_radial_call *call;
    int64_t begin, end; /* rows of output */
    armilla_cuda_array weights;
    armilla_cuda_frame frame;
} armilla_cuda_radial_run_state;

/* Device bytes of a call's slabs, for maps of the host with items of so many bytes. */
int64_t armilla_cuda_radial_slab_bytes(const armilla_cuda_radial *radial, int64_t begin,
                                       int64_t end, int64_t item, int weighted);

/* Runs all maps by slabs, after it has taken memory of armilla_cuda_radial_slab_bytes. Calls of a
 * plan wait for each other. Errors: MEMORY, CANCELLED, UNSUPPORTED. */
armilla_status armilla_cuda_radial_run_slabs(armilla_cuda_radial_run_state *r);

/* What one launch makes of maps that lie on the device as `maps` says, but for rows. */
void armilla_cuda_radial_launch(armilla_cuda_radial_run_state *r, int64_t begin, int64_t end,
                                armilla_cuda_radial_maps maps);

/* Sums of weights around the pixels of the rows, to `means`. maps: those that will be made of
 * them. */
void armilla_cuda_radial_sum_weights(armilla_cuda_radial_run_state *r, int64_t begin, int64_t end,
                                     const armilla_cuda_radial_maps *maps, double *means);

#endif
