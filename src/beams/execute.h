/* One call: for each beam and each k, a list of steps; that of an adjoint is the list backwards.
 * A place runs the steps between coefficients and values at pointings. */
#ifndef ARMILLA_BEAMS_EXECUTE_H
#define ARMILLA_BEAMS_EXECUTE_H

#include "alm/degree_rows.h"
#include "beams/plan.h"

/* What a place does. Each function returns an error of the place's, and CANCELLED. */
typedef struct armilla_beams_place {
    void *context;
    int nthreads;
    /* rows of a plane, of the plan's orders, <-> its values at the plan's pointings, sorted, in
     * turns; rows are written by the second */
    armilla_status (*to_values)(void *context, int64_t k, double *rows, double *values);
    armilla_status (*from_values)(void *context, int64_t k, double *rows, double *values);
    /* Degrees whose sums over orders the place makes, and how their coefficients come there. NULL:
     * the plan has all orders of all degrees. */
    const armilla_degree_rows *degrees;
    armilla_status (*to_degrees)(void *context, int64_t nfields, const double *orders,
                                 int64_t distance, double *degrees);
    /* Beams of which the place has the coefficients of these degrees become whole. */
    armilla_status (*share_beams)(void *context, double *beams);
} armilla_beams_place;

/* One transform of a call. */
typedef struct armilla_beams_transform {
    armilla_beams_operator op;
    armilla_beams_arrays arrays; /* of the plan's orders and pointings; all doubles or all floats */
    int64_t sky_distance;        /* complex numbers between components */
} armilla_beams_transform;

/* Transform `number` of a call. Given: exec  checked, no distance is 0. */
armilla_beams_transform armilla_beams_transform_of(const armilla_beams *plan,
                                                   armilla_beams_operator op,
                                                   const armilla_beams_arrays *arrays,
                                                   const armilla_exec *exec, int64_t number);

/* Doubles that a transform takes besides what the place takes. degrees: of the place, or NULL. */
int64_t armilla_beams_transform_size(const armilla_beams *plan, armilla_beams_operator op,
                                     int is_float, const armilla_degree_rows *degrees);

/* Runs it. memory: armilla_beams_transform_size doubles. */
armilla_status armilla_beams_transform_run(const armilla_beams *plan,
                                           const armilla_beams_place *place,
                                           const armilla_beams_transform *transform,
                                           double *memory);

/* All transforms of a checked call, with memory for one. */
armilla_status armilla_beams_transforms(const armilla_beams *plan, armilla_beams_operator op,
                                        const armilla_beams_arrays *arrays,
                                        const armilla_exec *exec, const armilla_beams_place *place,
                                        double *memory);

/* Doubles of scratch of a thread, for the stages of all spins. */
int64_t armilla_beams_scratch(const armilla_beams *plan);

/* Units of progress of a transform for so many degrees of all orders. */
double armilla_beams_units(const armilla_beams *plan, double degrees);

/* Doubles of workspace that a call on the host with nthreads threads takes. */
int64_t armilla_beams_workspace_size(const armilla_beams *plan, armilla_beams_operator op,
                                     int is_float, int nthreads);

/* All transforms of a call on the host. Errors: MEMORY, CANCELLED. Given: exec  checked, no
 * distance is 0. */
armilla_status armilla_beams_run(const armilla_beams *plan, armilla_beams_operator op,
                                 const armilla_beams_arrays *arrays, const armilla_exec *exec);

/* The same with planes on GPUs. In device.c. Given: call  open. */
armilla_status armilla_beams_device_run(const armilla_beams *plan, armilla_beams_operator op,
                                        const armilla_beams_arrays *arrays, armilla_call *call);

#endif
