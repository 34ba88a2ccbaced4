/* The steps of gpu_check, one function each: what a process of its own runs. A step reports what it
 * finds as it finds it (gpu_report.h); where a call fails it ends the process. */
#ifndef ARMILLA_BENCH_GPU_STEPS_H
#define ARMILLA_BENCH_GPU_STEPS_H

#include "gpu_report.h"

/* Ceilings, by CUDA's runtime alone. */
void gpu_step_ceilings(int small);

/* A stage of the library by itself, in memory full of not-a-number, against the processor's stage.
 */
void gpu_step_scalar(int small);    /* the Legendre stage: scalar functions, every shape */
void gpu_step_spin_sums(int small); /* spin 1 to 3, as sums of scalar functions */
void gpu_step_spin(int small);      /* functions of spin s by their own recurrence */
void gpu_step_single(int small);    /* in single precision */
void gpu_step_rings(int small);     /* the ring stage */
void gpu_step_theta(int small);     /* the theta stage */

/* Transforms against the processor's; the same bits twice. */
void gpu_step_cases(int small);
void gpu_step_cases_large(int small); /* lmax 4095 */

/* Times of transforms, by stage, and the processor's. */
void gpu_step_times_gauss(int small);
void gpu_step_times_healpix(int small);
void gpu_step_times_many(int small);  /* 64 transforms in a call */
void gpu_step_times_host(int small);  /* arrays of the host, pageable and pinned; copies */
void gpu_step_times_grids(int small); /* odd and prime nphi, phi0 anywhere, CC, MW */
void gpu_step_times_float(int small); /* single precision */
void gpu_step_times_huge(int small);  /* lmax 8191, 16383 */
void gpu_step_shapes(int small);      /* every shape: what src/cuda/shape.c should say */

/* One call of each kind, for ncu; some tiny transforms, for compute-sanitizer. */
void gpu_step_profile(int small);
void gpu_step_sanitize_scalar(int small);
void gpu_step_sanitize_spin(int small);

/* Threads of the host that share a plan, each with a stream of its own; graphs. */
void gpu_step_threads(int small);
void gpu_step_capture(int small);

#endif
