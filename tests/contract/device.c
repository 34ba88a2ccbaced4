/* Arrays of the contract in the memory of emulated GPUs, captured streams, and memory that fails.
 */
#include "contract/device.h"

#include "contract/contract.h"
#include "cuda/runtime/copies.h"
#include "cuda/runtime/runtime.h"
#include "emulation.h"
#include <stdlib.h>

static void must(cudaError_t error)
{
    if (error) abort();
}

/* Ranks have a GPU each, in turn. */
static void enter(const contract_site *site)
{
    int count = 1;
    must(cudaGetDeviceCount(&count));
    must(cudaSetDevice(site->transport ? (int)(site->transport->rank % count) : 0));
}

static void *put(const void *values, int64_t bytes)
{
    void *array = NULL;
    must(cudaMalloc(&array, (size_t)bytes));
    must(cudaMemcpy(array, values, (size_t)bytes, cudaMemcpyHostToDevice));
    return array;
}

static void get(void *values, const void *array, int64_t bytes)
{
    must(cudaMemcpy(values, array, (size_t)bytes, cudaMemcpyDeviceToHost));
}

static void drop(void *array)
{
    must(cudaFree(array));
}

static void *capture(void)
{
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    return stream;
}

static int launch(void *stream, int failed)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    const int whole = !cudaStreamEndCapture(stream, &graph);
    if (whole && !failed) {
        must(cudaGraphInstantiate(&executable, graph, 0));
        must(cudaGraphLaunch(executable, stream));
        must(cudaStreamSynchronize(stream));
        must(cudaGraphExecDestroy(executable));
    }
    if (whole) must(cudaGraphDestroy(graph));
    cudaGetLastError();
    must(cudaStreamDestroy(stream));
    return whole;
}

static void copy_beside(int on)
{
    armilla_cuda_copier_set_sizes(on ? 1000 : 0, on);
    cuda_emulation_set_deferred(on);
}

/* Bytes, and pools that nobody needs any more. */
static int64_t what_is_left(void)
{
    return cuda_emulation_live_bytes() + cuda_emulation_pools();
}

void contract_device_use(void)
{
    cuda_emulation_set_devices(CONTRACT_DEVICES);
    contract_device = (contract_memory){.enter = enter,
                                        .put = put,
                                        .get = get,
                                        .drop = drop,
                                        .capture = capture,
                                        .launch = launch,
                                        .copy_beside = copy_beside,
                                        .live_bytes = what_is_left,
                                        .fail_after = cuda_emulation_fail_twice_after,
                                        .fail_call_after = cuda_emulation_fail_call_after};
}
