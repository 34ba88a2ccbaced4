/* Splits the time in which the library makes a plan for a GPU. The linker (option --wrap, in
 * gpu_check.cmake) leads calls of the functions below through here, so that the library itself has
 * no clock. */
#include "plan_clock.h"
#include "problem.h"

#include "cuda/runtime/device_memory.h"
#include "cuda/transform.h"

#include <cufft.h>

static int running;
static gpu_plan_times times;

void gpu_plan_clock_start(void)
{
    running = 1;
    times = (gpu_plan_times){.total = -gpu_clock()};
}

gpu_plan_times gpu_plan_clock_stop(void)
{
    running = 0;
    times.total += gpu_clock();
    return times;
}

/* Returns what is called, and adds its seconds. */
#define GPU_TIMED_CALL(type, part, call)                                                           \
    do {                                                                                           \
        const double begin = gpu_clock();                                                          \
        const type result = call;                                                                  \
        if (running) times.part += gpu_clock() - begin;                                            \
        return result;                                                                             \
    } while (0)

/* --- The whole part on the GPU ---------------------------------------------------------------- */

armilla_status __real_armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                                 armilla_cuda_transform **transform);
armilla_status __wrap_armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                                 armilla_cuda_transform **transform);

armilla_status __wrap_armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                                 armilla_cuda_transform **transform)
{
    GPU_TIMED_CALL(armilla_status, device, __real_armilla_cuda_transform_new(problem, transform));
}

/* --- Memory and copies ------------------------------------------------------------------------ */

armilla_status __real_armilla_cuda_allocate(int64_t bytes, const char *what, void **device);
armilla_status __wrap_armilla_cuda_allocate(int64_t bytes, const char *what, void **device);
armilla_status __real_armilla_cuda_upload(const void *host, int64_t count, size_t size,
                                          const char *what, void **device);
armilla_status __wrap_armilla_cuda_upload(const void *host, int64_t count, size_t size,
                                          const char *what, void **device);
cudaError_t __real_cudaDeviceSynchronize(void);
cudaError_t __wrap_cudaDeviceSynchronize(void);

armilla_status __wrap_armilla_cuda_allocate(int64_t bytes, const char *what, void **device)
{
    GPU_TIMED_CALL(armilla_status, copies, __real_armilla_cuda_allocate(bytes, what, device));
}

/* Its own call of the function above is none that the linker leads here. */
armilla_status __wrap_armilla_cuda_upload(const void *host, int64_t count, size_t size,
                                          const char *what, void **device)
{
    GPU_TIMED_CALL(armilla_status, copies,
                   __real_armilla_cuda_upload(host, count, size, what, device));
}

cudaError_t __wrap_cudaDeviceSynchronize(void)
{
    GPU_TIMED_CALL(cudaError_t, copies, __real_cudaDeviceSynchronize());
}

/* --- Plans of cuFFT --------------------------------------------------------------------------- */

cufftResult __real_cufftCreate(cufftHandle *plan);
cufftResult __wrap_cufftCreate(cufftHandle *plan);
cufftResult __real_cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                       long long int *inembed, long long int istride,
                                       long long int idist, long long int *onembed,
                                       long long int ostride, long long int odist, cufftType type,
                                       long long int batch, size_t *size);
cufftResult __wrap_cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                       long long int *inembed, long long int istride,
                                       long long int idist, long long int *onembed,
                                       long long int ostride, long long int odist, cufftType type,
                                       long long int batch, size_t *size);

cufftResult __wrap_cufftCreate(cufftHandle *plan)
{
    GPU_TIMED_CALL(cufftResult, fft, __real_cufftCreate(plan));
}

cufftResult __wrap_cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                       long long int *inembed, long long int istride,
                                       long long int idist, long long int *onembed,
                                       long long int ostride, long long int odist, cufftType type,
                                       long long int batch, size_t *size)
{
    GPU_TIMED_CALL(cufftResult, fft,
                   __real_cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed,
                                              ostride, odist, type, batch, size));
}
