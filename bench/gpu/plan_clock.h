/* Declares a clock that splits the time in which the library makes a plan for a GPU. */
#ifndef ARMILLA_BENCH_GPU_PLAN_CLOCK_H
#define ARMILLA_BENCH_GPU_PLAN_CLOCK_H

/* Seconds. What is left of `device` without copies and fft: layouts of rings, tables of the theta
 * stage, streams, pools. */
typedef struct gpu_plan_times {
    double total;
    double
        device; /* of it, the part of the plan that is on the GPU; the rest: tables on the host */
    double copies; /* of that part, device memory, copies to it and waiting for them */
    double fft;    /* and plans of cuFFT */
} gpu_plan_times;

/* Plans that one thread makes between both calls. */
void gpu_plan_clock_start(void);
gpu_plan_times gpu_plan_clock_stop(void);

#endif
