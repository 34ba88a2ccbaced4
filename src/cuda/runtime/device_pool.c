/* Gives each GPU with open plans a CUDA memory pool, from which calls take their memory in the
 * order of their streams. Where a device has no pools, cudaMalloc and cudaFree do that work. */
#include "cuda/runtime/device_pool.h"

#include "cuda/runtime/copies.h"
#include "cuda/runtime/device_memory.h"

#include <pthread.h>
#include <stdio.h>

typedef struct {
    int64_t plans;      /* that are open */
    cudaMemPool_t pool; /* NULL: there is none */
} device_pool;

static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static device_pool pools[ARMILLA_CUDA_MOST_DEVICES];

/* --- Pools ------------------------------------------------------------------------------------ */

/* A pool may reuse what was freed on another stream where the order of both is known, by an event,
 * or where the work before is done. It must not make the order by a dependency of its own: two
 * streams would wait for each other, and nobody could see why. */
static armilla_status set_rules(cudaMemPool_t pool)
{
    uint64_t keep = UINT64_MAX;
    int no = 0;
    cudaError_t error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    if (!error)
        error = cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &no);
    return armilla_cuda_status(error, "rules of a memory pool");
}

static armilla_status make_pool(int device, cudaMemPool_t *pool)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned};
    int supported = 0;
    *pool = NULL;
    props.location.type = cudaMemLocationTypeDevice, props.location.id = device;
    armilla_status status = armilla_cuda_status(
        cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device),
        "asking whether the device has memory pools");
    if (status || !supported) return status;
    if ((status = armilla_cuda_status(cudaMemPoolCreate(pool, &props), "making a memory pool")))
        return status;
    if (!(status = set_rules(*pool))) return ARMILLA_OK;
    cudaMemPoolDestroy(*pool);
    *pool = NULL;
    return status;
}

armilla_status armilla_cuda_pool_open(int device)
{
    armilla_status status = ARMILLA_OK;
    if (device >= ARMILLA_CUDA_MOST_DEVICES) return ARMILLA_OK;
    pthread_mutex_lock(&changing);
    device_pool *p = &pools[device];
    if (p->plans == 0) status = make_pool(device, &p->pool);
    if (!status) p->plans++;
    pthread_mutex_unlock(&changing);
    return status;
}

/* The pool goes, not only what it holds: memory that is still to be freed follows by itself, and a
 * process that resets the device when all plans are gone leaves no pool behind that is none. */
void armilla_cuda_pool_close(int device)
{
    if (device >= ARMILLA_CUDA_MOST_DEVICES) return;
    pthread_mutex_lock(&changing);
    device_pool *p = &pools[device];
    if (--p->plans == 0) {
        armilla_cuda_copier_close(device);
        if (p->pool) armilla_cuda_forget(cudaMemPoolDestroy(p->pool));
        p->pool = NULL;
    }
    pthread_mutex_unlock(&changing);
}

static cudaMemPool_t pool_of(int device)
{
    if (device >= ARMILLA_CUDA_MOST_DEVICES) return NULL;
    pthread_mutex_lock(&changing);
    const cudaMemPool_t pool = pools[device].pool;
    pthread_mutex_unlock(&changing);
    return pool;
}

int armilla_cuda_pool_exists(int device)
{
    return pool_of(device) != NULL;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static uint64_t reserved(cudaMemPool_t pool)
{
    uint64_t bytes = 0;
    armilla_cuda_forget(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
    return bytes;
}

/* Keeps the pool of a device open, as a plan does. Returned: NULL, and nothing is to be closed, if
 * there is none. */
static cudaMemPool_t hold(int device)
{
    if (device >= ARMILLA_CUDA_MOST_DEVICES) return NULL;
    pthread_mutex_lock(&changing);
    const cudaMemPool_t pool = pools[device].pool;
    if (pool) pools[device].plans++;
    pthread_mutex_unlock(&changing);
    return pool;
}

/* The lock is not held while the device is waited for: calls on other devices ask for their pools
 * under it. */
int armilla_cuda_pool_trim(int device)
{
    const cudaMemPool_t pool = hold(device);
    if (!pool) return 0;
    const uint64_t before = reserved(pool);
    armilla_cuda_forget(cudaDeviceSynchronize());
    armilla_cuda_forget(cudaMemPoolTrimTo(pool, 0));
    const int less = reserved(pool) < before;
    armilla_cuda_pool_close(device);
    return less;
}

int armilla_cuda_is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus capture;
    const cudaError_t error = cudaStreamIsCapturing(stream, &capture);
    armilla_cuda_forget(error);
    return error || capture != cudaStreamCaptureStatusNone;
}

static cudaError_t ask(cudaMemPool_t pool, int64_t bytes, cudaStream_t stream, void **memory)
{
    cudaError_t error;
    *memory = NULL;
    error = pool ? cudaMallocFromPoolAsync(memory, (size_t)bytes, pool, stream)
                 : cudaMalloc(memory, (size_t)bytes);
    if (error == cudaErrorMemoryAllocation) armilla_cuda_forget(error);
    if (error) *memory = NULL;
    return error;
}

cudaError_t armilla_cuda_pool_take(int device, int64_t bytes, cudaStream_t stream, void **memory)
{
    const cudaMemPool_t pool = pool_of(device);
    const cudaError_t error = ask(pool, bytes, stream, memory);
    if (error != cudaErrorMemoryAllocation || armilla_cuda_is_captured(stream) ||
        !armilla_cuda_pool_trim(device))
        return error;
    return ask(pool, bytes, stream, memory);
}

armilla_status armilla_cuda_pool_obtain(int device, int64_t bytes, cudaStream_t stream,
                                        const char *what, int bounded, char **memory)
{
    void *taken;
    char context[64], text[ARMILLA_SIZE_TEXT];
    const cudaError_t error = armilla_cuda_pool_take(device, bytes, stream, &taken);
    *memory = taken;
    snprintf(context, sizeof context, "memory for %s", what);
    if (error != cudaErrorMemoryAllocation) return armilla_cuda_status(error, context);
    return armilla_fail(ARMILLA_ERROR_MEMORY, "%s: %s of device memory are not to be had%s", what,
                        armilla_size_text((double)bytes, text),
                        bounded ? "; set options->device_bytes" : "");
}

/* Where the stream cannot take it back, the device is waited for, as where there is no pool. */
cudaError_t armilla_cuda_pool_give_back(int device, void *memory, cudaStream_t stream)
{
    const int has_pool = pool_of(device) != NULL;
    const cudaError_t error =
        has_pool ? cudaFreeAsync(memory, stream) : cudaStreamSynchronize(stream);
    if (has_pool && !error) return error;
    const cudaError_t freed = cudaFree(memory);
    return error ? error : freed;
}
