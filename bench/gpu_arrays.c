/* A transform for programs in other languages, by plain pointers: bench/gpu_arrays.py calls it with
 * the arrays of PyTorch and CuPy. The functions are visible outside the library. */
#include "gpu_problem.h"

#include <stdlib.h>

/* A Gauss-Legendre transform of doubles on the GPU, with random arrays on the host. Ends the
 * process where it cannot be made. */
ARMILLA_API gpu_problem *gpu_arrays_open(int64_t lmax);
ARMILLA_API void gpu_arrays_close(gpu_problem *p);
ARMILLA_API int64_t gpu_arrays_count(const gpu_problem *p, int is_map);
ARMILLA_API const double *gpu_arrays_host(const gpu_problem *p, int is_map);

/* Synthesis (to_map) or analysis. on_device: arrays and stream are the device's, nothing is waited
 * for; else they are the host's. Returns the library's status. */
ARMILLA_API int gpu_arrays_run(const gpu_problem *p, int to_map, const double *from, double *to,
                               int on_device, void *stream);

gpu_problem *gpu_arrays_open(int64_t lmax)
{
    const gpu_case what = GPU_GL(.lmax = lmax);
    gpu_problem *p = malloc(sizeof *p);
    gpu_report_open("arrays", NULL);
    if (!p) gpu_report_stop("no memory");
    gpu_problem_open(&what, 0, p);
    return p;
}

void gpu_arrays_close(gpu_problem *p)
{
    gpu_problem_close(p);
    free(p);
}

int64_t gpu_arrays_count(const gpu_problem *p, int is_map)
{
    return is_map ? p->map_count : p->alm_count;
}

const double *gpu_arrays_host(const gpu_problem *p, int is_map)
{
    return is_map ? p->map : p->alm;
}

int gpu_arrays_run(const gpu_problem *p, int to_map, const double *from, double *to, int on_device,
                   void *stream)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.memory = on_device ? ARMILLA_MEMORY_DEVICE : ARMILLA_MEMORY_HOST;
    exec.stream = stream;
    const armilla_status status = gpu_operations[to_map ? 0 : 2].run(p->sht[1], from, to, &exec);
    if (status) gpu_report_line('!', "%s", armilla_status_message());
    return (int)status;
}
