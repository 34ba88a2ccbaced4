/* Runs what profilers and sanitizers look at: each kernel that matters in few launches, and small
 * problems of all kinds. */
#include "check.h"
#include "problem.h"

/* One synthesis and one analysis of each, every second operator, or all four. */
static void run_cases(gpu_cases list, int step)
{
    for (int i = 0; i < list.count; i++) {
        gpu_problem p;
        if (!gpu_case_suits(&list.cases[i])) continue;
        gpu_problem_open(&list.cases[i], 0, &p);
        double *alm = gpu_device_array(p.alm_count, p.alm);
        double *map = gpu_device_array(p.map_count, p.map);
        for (int o = 0; o < GPU_OPERATIONS; o += step) {
            const int to_map = gpu_operations[o].to_map;
            gpu_problem_run(&p, &gpu_operations[o], 1, 0, to_map ? alm : map, to_map ? map : alm,
                            NULL);
        }
        gpu_stop_at_cuda(cudaDeviceSynchronize(), "a profile");
        cudaFree(alm);
        cudaFree(map);
        gpu_problem_close(&p);
    }
}

void gpu_step_profile_legendre(int small)
{
    run_cases(GPU_CHOOSE(small, gpu_tiny_profile, gpu_profile), 2);
}

void gpu_step_profile_tensor(int small)
{
    run_cases(GPU_CHOOSE(small, gpu_tiny_profile_tensor, gpu_profile_tensor), 2);
}

/* Adjoints of resampled transforms spread what these interpolate. */
void gpu_step_profile_rings(int small)
{
    run_cases(GPU_CHOOSE(small, gpu_tiny_profile_rings, gpu_profile_rings), 1);
}

/* Under a sanitizer everything takes some ten times as long and more. */
void gpu_step_sanitize_points(int small)
{
    (void)small;
    gpu_step_profile_points(1);
    gpu_step_profile_radial(1);
    cudaDeviceReset(); /* what is left is a leak */
}

void gpu_step_sanitize_streams(int small)
{
    (void)small;
    gpu_step_threads(1);
}
