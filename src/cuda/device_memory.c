/* Allocates, fills and frees the device memory that plans hold, and turns errors of CUDA and cuFFT
 * into the library's own. */
#include "cuda/device_memory.h"

#include "cuda/device_pool.h"

void armilla_cuda_forget(cudaError_t ours)
{
    if (ours && cudaPeekAtLastError() == ours) cudaGetLastError();
}

armilla_status armilla_cuda_status(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return ARMILLA_OK;
    const armilla_status status =
        error == cudaErrorMemoryAllocation ? ARMILLA_ERROR_MEMORY : ARMILLA_ERROR_UNSUPPORTED;
    armilla_cuda_forget(error);
    return armilla_fail(status, "%s: %s (CUDA error %d)", what, cudaGetErrorString(error),
                        (int)error);
}

armilla_status armilla_cuda_fft_status(cufftResult result, const char *what)
{
    if (result == CUFFT_SUCCESS) return ARMILLA_OK;
    const armilla_status status =
        result == CUFFT_ALLOC_FAILED ? ARMILLA_ERROR_MEMORY : ARMILLA_ERROR_UNSUPPORTED;
    return armilla_fail(status, "%s: cuFFT error %d", what, (int)result);
}

static cudaError_t ask(int64_t bytes, void **device)
{
    const cudaError_t error = cudaMalloc(device, (size_t)bytes);
    if (error) *device = NULL;
    if (error == cudaErrorMemoryAllocation) armilla_cuda_forget(error);
    return error;
}

/* The pool of the current device may hold what is missing. */
static int trim_here(void)
{
    int device;
    const cudaError_t error = cudaGetDevice(&device);
    armilla_cuda_forget(error);
    return !error && armilla_cuda_pool_trim(device);
}

armilla_status armilla_cuda_allocate(int64_t bytes, const char *what, void **device)
{
    *device = NULL;
    if (bytes == 0) return ARMILLA_OK;
    cudaError_t error = ask(bytes, device);
    if (error == cudaErrorMemoryAllocation && trim_here()) error = ask(bytes, device);
    if (error != cudaErrorMemoryAllocation) return armilla_cuda_status(error, what);
    char text[ARMILLA_SIZE_TEXT];
    return armilla_fail(ARMILLA_ERROR_MEMORY, "%s: %s of device memory are not to be had", what,
                        armilla_size_text((double)bytes, text));
}

armilla_status armilla_cuda_upload(const void *host, int64_t count, size_t size, const char *what,
                                   void **device)
{
    const int64_t bytes = count * (int64_t)size;
    armilla_status status = armilla_cuda_allocate(bytes, what, device);
    if (status || bytes == 0) return status;
    status =
        armilla_cuda_status(cudaMemcpy(*device, host, (size_t)bytes, cudaMemcpyHostToDevice), what);
    if (!status) return ARMILLA_OK;
    armilla_cuda_release(*device);
    *device = NULL;
    return status;
}

void armilla_cuda_release(void *device)
{
    if (device) armilla_cuda_forget(cudaFree(device));
}
