/* What the theta stage on a GPU reads besides leg: where rings stand on the two circles, weights of
 * the window, factors of frequencies. Host only, nothing of the device. The coarse circle is that
 * of the rings `from`, whatever the prime factors of its length: cuFFT has transforms of all
 * lengths, so that nothing is spread there, as the processor does where it has none. */
#ifndef ARMILLA_CUDA_STAGES_THETA_TABLES_H
#define ARMILLA_CUDA_STAGES_THETA_TABLES_H

#include "cuda/kernels/theta_kernels.h"
#include "theta/theta.h"

/* The orders of the rows of a leg, in any sequence. */
typedef struct armilla_cuda_theta_rows {
    int64_t norders;
    const int64_t *orders;
} armilla_cuda_theta_rows;

typedef struct armilla_cuda_theta_tables {
    armilla_cuda_theta_view view; /* with the pointers of this struct's arrays */
    int64_t norders, ncolumns;
    int64_t *rows; /* of each column */
    armilla_cuda_theta_sample *samples;
    armilla_cuda_theta_point *points;
    armilla_cuda_theta_sample
        *spots; /* with to_length; there are no points, weights and range then */
    double *weights;
    int32_t *range;
    double *factor;
    int64_t *least[2]; /* of `from`, of `to` */
} armilla_cuda_theta_tables;

/* Can tables be made for the problem? Errors: ARGUMENT, names the member. */
armilla_status armilla_cuda_theta_check(const armilla_theta_problem *problem);

/* Given:    problem  that armilla_cuda_theta_check accepts;  rows  of leg, at least one.
 * Errors:   ARGUMENT, MEMORY; *tables is empty then. */
armilla_status armilla_cuda_theta_tables_make(const armilla_theta_problem *problem,
                                              const armilla_cuda_theta_rows *rows,
                                              armilla_cuda_theta_tables *tables);

/* Frees what the struct holds and empties it. */
void armilla_cuda_theta_tables_clear(armilla_cuda_theta_tables *tables);

/* The shortest circle that cuFFT likes (even, no prime factor above 7) for a band. */
int64_t armilla_cuda_theta_fine_length(int64_t band);

#endif
