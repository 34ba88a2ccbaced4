/* Radial convolution on a GPU: plans of three kinds, and calls on maps of the host or of the
 * device. The radial plan (src/radial) makes their tables: by pixels (below), by Fourier
 * coefficients of rings (radial_mixing.h), and for rings that are brought to one length first,
 * around one of these (radial_standard.h). */
#ifndef ARMILLA_CUDA_RADIAL_H
#define ARMILLA_CUDA_RADIAL_H

#include "armilla/sht.h"
#include "base/array.h"
#include "base/status.h"
#include "cuda/cuda.h"
#include "cuda/kernels/radial_tables.h"

typedef struct armilla_cuda_radial_plan armilla_cuda_radial_plan;

/* Weights of pixels, on the host or, with all maps, on the device; means and fill as in
 * armilla_radial_job. */
typedef struct armilla_cuda_radial_weights {
    const double *values;
    double least, fill;
    int on_device;
    double scale; /* of weights beside maps, but by pixels */
} armilla_cuda_radial_weights;

typedef struct armilla_cuda_radial_call {
    const armilla_cuda_radial_plan *const *plans;
    int64_t nplans; /* 1; of plans by rings several, of one grid and spin, on one device */
    int adjoint;
    int plain;  /* without divisors */
    int scalar; /* maps of one component, whatever the plan's have: for sums of weights */
    armilla_array map, out;                     /* out[nplans][ntrans][components] */
    const armilla_cuda_radial_weights *weights; /* NULL: none; else nplans is 1 */
    int64_t out_distance; /* items from one component of out to the next; 0: as of map */
    /* By pixels, rows of output: of out the pixels of rows begin .. end - 1 and of their images are
     * written, and nothing else. end = 0: all. */
    int64_t begin, end;
    armilla_exec exec; /* its map_distance is that of map */
} armilla_cuda_radial_call;

struct armilla_cuda_radial_plan {
    armilla_cuda_object object;
    int64_t ncomp, npix, samples; /* components; of a map, and of its rings */
    /* The plan that sums weights, which are scalars, for pairs by rings; else NULL. Borrowed. */
    const armilla_cuda_radial_plan *scalar;
    /* Device bytes of a call of some plans whose maps are doubles, on the host or on the device. */
    int64_t (*call_bytes)(const armilla_cuda_radial_plan *const *plans, int64_t nplans, int on_host,
                          int adjoint);
    /* With arrays of the device a call without weights puts its work on the stream and returns;
     * else it waits for the result. Bits do not depend on how many GPUs a plan has, on how rows are
     * cut into calls and slabs, and on which plans go together: what a plan's ring stage makes of a
     * field serves all those that need no more orders. With weights RINGS and STANDARD take device
     * bytes beside those of the plan: 8 npix for each of the weights, if they are on the host, the
     * divisors, the sums of ones and the components of a map.
     * Errors: ARGUMENT (of several GPUs: also arrays of a GPU, a stream), MEMORY, UNSUPPORTED (an
     * error of CUDA; a stream whose capture the call would break), CANCELLED; of several GPUs,
     * names the one. Thread rule: any number of calls at once; those that go by slabs wait for each
     * other. */
    armilla_status (*run)(const armilla_cuda_radial_call *call);
};

/* Tables of the host; what they point to need not outlive the plan. */
typedef struct armilla_cuda_radial_problem {
    armilla_cuda_radial_view view; /* its arrays are of the host: */
    int64_t nrows, nlinks, nvalues, ndivisors, nterms, nhalf, ncoef, nfits;
    int64_t nout; /* rows of output, the first ones: with their images they are all rings */
    int64_t npix, samples; /* of a map, and of its rings */
    int64_t device_bytes;  /* that a call may take, see armilla_radial_options; 0: two maps */
} armilla_cuda_radial_problem;

struct armilla_cuda_mixing_problem;
struct armilla_cuda_standard_problem;

/* Errors of what makes plans: MEMORY (also of the device: names the bytes), UNSUPPORTED. */
typedef struct armilla_cuda_radial_table {
    /* By pixels. Each GPU has all tables, and makes some of the maps of a call or, if there are
     * fewer of them than GPUs, some rows of each map.
     * Given:    scalar   of spin 2: the scalar plan, on the same GPUs, which outlives the result;
     *                    else NULL;
     *           devices  ndevices numbers, each once, that there are; NULL: the current one.
     *                    Errors of several name the one. */
    armilla_status (*by_pixels)(const armilla_cuda_radial_problem *problem,
                                const armilla_cuda_radial_plan *scalar, const int *devices,
                                int64_t ndevices, armilla_cuda_radial_plan **plan);
    /* On the calling thread's current GPU, in standard mode that of the plan inside. */
    armilla_status (*by_rings)(const struct armilla_cuda_mixing_problem *problem,
                               armilla_cuda_radial_plan **plan);
    armilla_status (*standard)(const struct armilla_cuda_standard_problem *problem,
                               armilla_cuda_radial_plan **plan);
    /* Looks at weights in the memory of the device, and waits for that.
     * Given:    weights[count]  at the order of the stream.
     * Returned: *largest.
     * Errors:   ARGUMENT (one is negative or not finite: names it), MEMORY, UNSUPPORTED (an error
     *           of CUDA; a stream that is captured). */
    armilla_status (*look_at_weights)(int device, const double *weights, int64_t count,
                                      void *stream, double *largest);
    /* Copies them to the host. Errors: MEMORY, UNSUPPORTED. */
    armilla_status (*take_weights)(int device, const double *weights, int64_t count, void *stream,
                                   double *host);
} armilla_cuda_radial_table;

extern const armilla_cuda_radial_table armilla_cuda_radial_functions;

#endif
