/* Tables of the Legendre stage for calls in single precision or in two floats, on the host. */
#ifndef ARMILLA_CUDA_STAGES_SINGLE_H
#define ARMILLA_CUDA_STAGES_SINGLE_H

#include "legendre/legendre.h"

/* Numbers of the steps of all orders, in the places of legendre->tables.steps. */
typedef struct armilla_cuda_single {
    float *steps;    /* a_k, b_k of the equator's form (2.7), each as two floats: four per step */
    float *ceilings; /* what |p| may be before ARMILLA_CUDA_SINGLE_STEPS steps with n < 0 */
} armilla_cuda_single;

/* Given:    legendre  with all tables; top <= ARMILLA_CUDA_SINGLE_LMAX.
 * Errors:   MEMORY; *single can be cleared then. */
armilla_status armilla_cuda_single_make(const armilla_legendre *legendre,
                                        armilla_cuda_single *single);
void armilla_cuda_single_clear(armilla_cuda_single *single);

#endif
