/* Sums solid harmonics at points, some hundreds at a time. */
#ifndef ARMILLA_SOLID_SUM_H
#define ARMILLA_SOLID_SUM_H

#include "base/progress.h"
#include "solid/dispatch.h"
#include "solid/chunk.h"

typedef struct armilla_solid_sum {
    const armilla_solid_places *places;
    const armilla_solid_kernels *kernels;
    armilla_solid_table table[2]; /* orders from 1 on; the second one has no fields where there are
                                     no tensors */
    armilla_solid_table zonal[2]; /* the same of order 0, l > 0 */
    double mean;                  /* coefficient of l = 0 */
    int64_t derivatives;
    int local; /* components along e_r, e_theta, e_phi */
    double *scratch;
    double *values;   /* of component 0 */
    int64_t distance; /* between components */
    armilla_progress *progress;
} armilla_solid_sum;

void armilla_solid_sum_run(armilla_solid_sum *sum, int nthreads);

#endif
