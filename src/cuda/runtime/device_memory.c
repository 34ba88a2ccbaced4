/* Allocates, fills and frees the device memory that plans hold, and turns errors of CUDA and cuFFT
 * into the library's own. */
#include "cuda/runtime/device_memory.h"

#include "cuda/runtime/device_pool.h"
#include "cuda/kernels/launches.h"

#include <string.h>

/* --- Errors ----------------------------------------------------------------------------------- */

void armilla_cuda_forget(cudaError_t ours)
{
    if (ours && cudaPeekAtLastError() == ours) cudaGetLastError();
}

void armilla_cuda_keep_error(armilla_cuda_work *work, cudaError_t error)
{
    const char *kernel = armilla_cuda_take_failed_kernel(error);
    armilla_cuda_forget(error);
    if (!work->error) work->error = error, work->kernel = kernel;
}

/* cuFFT may have left an error of CUDA's behind, whose number it does not say.
 * */
void armilla_cuda_note_fft(armilla_cuda_work *work, cufftResult result, int64_t length)
{
    if (result == CUFFT_SUCCESS) return;
    armilla_cuda_forget(cudaErrorUnknown);
    if (work->error) return;
    work->error = cudaErrorUnknown, work->fft_result = (int)result, work->fft_length = length;
}

void armilla_cuda_take_error(armilla_cuda_work *work, const armilla_cuda_work *of)
{
    if (work->error) return;
    work->error = of->error, work->kernel = of->kernel;
    work->fft_result = of->fft_result, work->fft_length = of->fft_length;
}

/* kernel: as a launch spells it, perhaps "(name<ARGUMENTS>)". */
static armilla_status fail(cudaError_t error, const char *kernel, const char *what)
{
    const armilla_status status =
        error == cudaErrorMemoryAllocation ? ARMILLA_ERROR_MEMORY : ARMILLA_ERROR_UNSUPPORTED;
    const char *text = cudaGetErrorString(error);
    if (!kernel) return armilla_fail(status, "%s: %s (CUDA error %d)", what, text, (int)error);
    if (*kernel == '(') kernel++;
    return armilla_fail(status, "%s: launching the kernel %.*s: %s (CUDA error %d)", what,
                        (int)strcspn(kernel, "<)"), kernel, text, (int)error);
}

armilla_status armilla_cuda_status(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return ARMILLA_OK;
    const char *kernel = armilla_cuda_take_failed_kernel(error);
    armilla_cuda_forget(error);
    return fail(error, kernel, what);
}

/* By number, since versions of cuFFT do not have all of them. */
static const char *fft_name(int result)
{
    /* clang-format off */
    static const char *const names[] = {
        "SUCCESS", "INVALID_PLAN", "ALLOC_FAILED", "INVALID_TYPE", "INVALID_VALUE",
        "INTERNAL_ERROR", "EXEC_FAILED", "SETUP_FAILED", "INVALID_SIZE", "UNALIGNED_DATA",
        "INCOMPLETE_PARAMETER_LIST", "INVALID_DEVICE", "PARSE_ERROR", "NO_WORKSPACE",
        "NOT_IMPLEMENTED", "LICENSE_ERROR", "NOT_SUPPORTED"};
    /* clang-format on */
    return result >= 0 && result < (int)(sizeof names / sizeof *names) ? names[result] : "unknown";
}

armilla_status armilla_cuda_fft_status(cufftResult result, int64_t length, const char *what)
{
    if (result == CUFFT_SUCCESS) return ARMILLA_OK;
    const armilla_status status =
        result == CUFFT_ALLOC_FAILED ? ARMILLA_ERROR_MEMORY : ARMILLA_ERROR_UNSUPPORTED;
    return armilla_fail(status, "%s: transforms of length %lld: cuFFT error %d (CUFFT_%s)", what,
                        (long long)length, (int)result, fft_name((int)result));
}

armilla_status armilla_cuda_work_status(const armilla_cuda_work *work, const char *what)
{
    if (work->fft_result)
        return armilla_cuda_fft_status((cufftResult)work->fft_result, work->fft_length, what);
    return work->error ? fail(work->error, work->kernel, what) : ARMILLA_OK;
}

/* --- Memory ----------------------------------------------------------------------------------- */

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
