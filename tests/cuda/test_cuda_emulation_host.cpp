/* Checks the emulated GPU as its host sees it: copies that land late, pools and what they keep,
 * several devices, captures, memory of the host that the device sees, launches by address. */
#include "cuda/scene.h"

#include "cufft.h"

#include <cmath>
#include <thread>

__global__ static void write_at(double *values, int64_t index, double value)
{
    values[index] = value;
}

__global__ static void add_to(const double *from, double *to)
{
    *to += *from;
}

static cudaStream_t side_stream()
{
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), 0);
    return stream;
}

/* --- Copies ---------------------------------------------------------------------------------- */

static double seen_by_the_stream(const double *values, cudaStream_t stream)
{
    device_array<double> seen(std::vector<double>{100});
    assert_int_equal(cudaDeviceSynchronize(), 0);
    double host = 7;
    cuda_emulation_set_late_copies(1);
    assert_int_equal(cudaMemcpy(const_cast<double *>(values), &host, 8, cudaMemcpyHostToDevice), 0);
    host = 8; /* the source was read */
    ARMILLA_LAUNCH(add_to, 1, 1, 0, stream, values, seen.values);
    assert_int_equal(cudaStreamSynchronize(stream), 0);
    const double result = seen.read()[0];
    cuda_emulation_set_late_copies(0);
    return result;
}

static void pageable_copies_may_land_late(void **)
{
    device_array<double> values(std::vector<double>{1});
    cudaStream_t side = side_stream(), blocking;
    assert_int_equal(cudaStreamCreate(&blocking), 0);
    assert_true(seen_by_the_stream(values.values, side) == 101);
    assert_true(values.read()[0] == 7);
    assert_true(seen_by_the_stream(values.values, blocking) == 107);
    assert_true(seen_by_the_stream(values.values, nullptr) == 107);
    const double host = 3;
    cuda_emulation_set_late_copies(1);
    device_array<double> seen(1);
    cudaMemcpy(values.values, &host, 8, cudaMemcpyHostToDevice);
    assert_int_equal(cudaDeviceSynchronize(), 0); /* what a plan does at its end */
    cudaMemcpyAsync(seen.values, values.values, 8, cudaMemcpyDeviceToDevice, side);
    cudaStreamSynchronize(side);
    cuda_emulation_set_late_copies(0);
    assert_true(seen.read()[0] == 3);
    cudaStreamDestroy(side);
    cudaStreamDestroy(blocking);
}

/* --- Pools ----------------------------------------------------------------------------------- */

static cudaMemPool_t make_pool(uint64_t threshold, int dependencies)
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    assert_int_equal(cudaMemPoolCreate(&pool, &props), 0);
    assert_int_equal(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), 0);
    assert_int_equal(
        cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &dependencies), 0);
    return pool;
}

static uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which)
{
    uint64_t value = 0;
    assert_int_equal(cudaMemPoolGetAttribute(pool, which, &value), 0);
    return value;
}

static void check_pool(cudaMemPool_t pool, uint64_t reserved, uint64_t used)
{
    assert_int_equal(attribute(pool, cudaMemPoolAttrReservedMemCurrent), reserved);
    assert_int_equal(attribute(pool, cudaMemPoolAttrUsedMemCurrent), used);
}

static void *take(cudaMemPool_t pool, size_t size, cudaStream_t stream)
{
    void *memory = nullptr;
    assert_int_equal(cudaMallocFromPoolAsync(&memory, size, pool, stream), 0);
    return memory;
}

static void pools_keep_what_is_freed(void **)
{
    const cudaMemPool_t pool = make_pool(1000, 0);
    void *first = take(pool, 600, nullptr), *second = take(pool, 700, nullptr);
    check_pool(pool, 1300, 1300);
    assert_int_equal(cudaFreeAsync(first, nullptr), 0);
    check_pool(pool, 1300, 700);
    void *third = take(pool, 500, nullptr);
    check_pool(pool, 1300, 1200);
    assert_ptr_not_equal(third, first); /* its bytes, not its address */
    cudaFreeAsync(second, nullptr);
    cudaFreeAsync(third, nullptr);
    check_pool(pool, 1300, 0);
    assert_int_equal(cudaStreamSynchronize(nullptr), 0); /* down to the threshold */
    check_pool(pool, 1000, 0);
    assert_int_equal(cuda_emulation_pool_bytes(), 1000);
    assert_int_equal(cudaMemPoolTrimTo(pool, 300), 0);
    check_pool(pool, 300, 0);
    assert_int_equal(cudaMemPoolDestroy(pool), 0);
    assert_int_equal(cuda_emulation_pool_bytes(), 0);
    assert_int_equal(cudaMemPoolTrimTo(pool, 0), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void what_pools_keep_is_missing_elsewhere(void **)
{
    void *memory, *none;
    const cudaMemPool_t pool = make_pool(UINT64_MAX, 0);
    cuda_emulation_set_memory(cuda_emulation_live_bytes() + 1000);
    cudaFreeAsync(take(pool, 600, nullptr), nullptr);
    assert_int_equal(cudaMalloc(&memory, 500), cudaErrorMemoryAllocation);
    assert_int_equal(cudaMemPoolTrimTo(pool, 0), 0);
    assert_int_equal(cudaMalloc(&memory, 500), 0);
    assert_int_equal(cudaMallocFromPoolAsync(&none, 600, pool, nullptr), cudaErrorMemoryAllocation);
    assert_null(none);
    cudaFree(memory);
    cuda_emulation_set_memory((int64_t)1 << 30);
    cudaMemPoolDestroy(pool);
    cudaGetLastError();
}

/* Two streams, each of which asks for memory and gives it back, with work on the way. */
static int64_t reserved_for_two(int allowed)
{
    const cudaMemPool_t pool = make_pool(UINT64_MAX, allowed);
    const cudaStream_t one = side_stream(), two = side_stream();
    cuda_emulation_dependencies();
    cuda_emulation_set_deferred(1);
    for (int i = 0; i < 2; i++) cudaFreeAsync(take(pool, 512, one), one);
    cudaFreeAsync(take(pool, 512, two), two);
    const int64_t result = (int64_t)attribute(pool, cudaMemPoolAttrReservedMemCurrent);
    assert_int_equal(cudaStreamSynchronize(two), 0);
    assert_int_equal(cudaStreamQuery(one), allowed ? cudaSuccess : cudaErrorNotReady);
    assert_int_equal(cudaDeviceSynchronize(), 0);
    cuda_emulation_set_deferred(0);
    cudaFreeAsync(take(pool, 512, two), two); /* all is done: any stream may have it */
    assert_int_equal(attribute(pool, cudaMemPoolAttrReservedMemCurrent), result);
    cudaMemPoolDestroy(pool);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    return result;
}

static void reuse_across_streams_is_counted(void **)
{
    assert_int_equal(reserved_for_two(1), 512);
    assert_int_equal(cuda_emulation_dependencies(), 1);
    assert_int_equal(reserved_for_two(0), 1024);
    assert_int_equal(cuda_emulation_dependencies(), 0);
}

static void memory_of_pools_faults_when_it_is_stale(void **)
{
    check_report(
        [] {
            const cudaMemPool_t pool = make_pool(UINT64_MAX, 0);
            double *stale = static_cast<double *>(take(pool, 64, nullptr));
            cudaFreeAsync(stale, nullptr);
            take(pool, 64, nullptr);
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, stale, 0, 1.0);
        },
        "device memory that is not allocated (any more)");
}

static void devices_may_have_no_pools(void **)
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    void *memory;
    int supported = 1;
    cuda_emulation_set_pools(0);
    assert_int_equal(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0), 0);
    assert_int_equal(supported, 0);
    assert_int_equal(cudaMemPoolCreate(&pool, &props), cudaErrorNotSupported);
    assert_int_equal(cudaMallocAsync(&memory, 8, nullptr), cudaErrorNotSupported);
    cuda_emulation_set_pools(1);
    cudaGetLastError();
}

/* --- Devices --------------------------------------------------------------------------------- */

static void each_thread_has_a_current_device(void **)
{
    int mine = -1, other = -1;
    cuda_emulation_set_devices(2);
    assert_int_equal(cudaSetDevice(2), cudaErrorInvalidDevice);
    assert_int_equal(cudaSetDevice(1), 0);
    std::thread([&] { cudaGetDevice(&other); }).join();
    cudaGetDevice(&mine);
    assert_int_equal(mine, 1);
    assert_int_equal(other, 0);
    cudaSetDevice(0);
    cuda_emulation_set_devices(1);
    cudaGetLastError();
}

static void streams_memory_and_events_belong_to_a_device(void **)
{
    cudaEvent_t event;
    cudaPointerAttributes attributes;
    void *memory;
    size_t here, there, all;
    cuda_emulation_set_devices(2);
    cudaSetDevice(1);
    const cudaStream_t stream = side_stream();
    assert_int_equal(cudaEventCreate(&event), 0);
    assert_int_equal(cudaMalloc(&memory, 4096), 0);
    cudaMemGetInfo(&there, &all);
    cudaSetDevice(0);
    cudaMemGetInfo(&here, &all);
    assert_int_equal(here, there + 4096);
    cudaPointerGetAttributes(&attributes, memory);
    assert_int_equal(attributes.device, 1);
    device_array<double> mine(1);
    assert_int_equal(ARMILLA_LAUNCH(write_at, 1, 1, 0, stream, mine.values, 0, 1.0),
                     cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(event, nullptr), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaFree(memory), 0); /* is allowed */
    cudaStreamDestroy(stream);
    cudaEventDestroy(event);
    cuda_emulation_set_devices(1);
    cudaGetLastError();
    check_report(
        [] {
            cuda_emulation_set_devices(2);
            device_array<double> values(1);
            cudaSetDevice(1);
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, 0, 1.0);
        },
        "argument 1 has memory of device 0 on device 1");
    check_report(
        [] {
            cufftHandle plan;
            cuda_emulation_set_devices(2);
            cufftCreate(&plan);
            cudaSetDevice(1);
            cufftDestroy(plan);
        },
        "cufftDestroy: a plan of device 0 on device 1");
}

/* --- Captures -------------------------------------------------------------------------------- */

static void captured_work_runs_when_the_graph_does(void **)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCaptureStatus status;
    device_array<double> one(std::vector<double>{1}), sum(std::vector<double>{0});
    const cudaStream_t stream = side_stream();
    assert_int_equal(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
                     cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), 0);
    assert_int_equal(cudaStreamIsCapturing(stream, &status), 0);
    assert_int_equal(status, cudaStreamCaptureStatusActive);
    ARMILLA_LAUNCH(add_to, 1, 1, 0, stream, one.values, sum.values);
    ARMILLA_LAUNCH(add_to, 1, 1, 0, stream, one.values, sum.values);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
    assert_int_equal(cudaStreamIsCapturing(stream, &status), 0);
    assert_int_equal(status, cudaStreamCaptureStatusNone);
    assert_int_equal(cudaGraphInstantiate(&executable, graph, 0), 0);
    assert_true(sum.read()[0] == 0);
    for (int i = 0; i < 3; i++) assert_int_equal(cudaGraphLaunch(executable, stream), 0);
    cudaStreamSynchronize(stream);
    assert_true(sum.read()[0] == 6);
    assert_int_equal(cudaGraphDestroy(graph), 0);
    assert_int_equal(cudaGraphExecDestroy(executable), 0);
    cudaStreamDestroy(stream);
    cudaGetLastError();
}

/* The call must be an error, and break the capture. */
static void check_breaks(cudaError_t (*call)(cudaStream_t), cudaError_t error, unsigned flags)
{
    cudaGraph_t graph;
    cudaStream_t stream;
    cudaStreamCaptureStatus status;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, flags), 0);
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), 0);
    assert_int_equal(call(stream), error);
    assert_int_equal(cudaStreamIsCapturing(stream, &status), 0);
    assert_int_equal(status, cudaStreamCaptureStatusInvalidated);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    cudaStreamDestroy(stream);
    cudaGetLastError();
}

static void what_waits_breaks_a_capture(void **)
{
    static void *memory;
    static cudaEvent_t event;
    const cudaError_t unsupported = cudaErrorStreamCaptureUnsupported;
    const unsigned side = cudaStreamNonBlocking;
    cudaEventCreate(&event);
    check_breaks([](cudaStream_t s) { return cudaStreamSynchronize(s); }, unsupported, side);
    check_breaks([](cudaStream_t s) { return cudaStreamQuery(s); }, unsupported, side);
    check_breaks([](cudaStream_t) { return cudaDeviceSynchronize(); }, unsupported, side);
    check_breaks([](cudaStream_t) { return cudaMalloc(&memory, 8); }, unsupported, side);
    check_breaks([](cudaStream_t) { return cudaEventQuery(event); }, unsupported, side);
    const auto use_default = [](cudaStream_t) { return cudaMemsetAsync(memory, 0, 0, nullptr); };
    check_breaks(use_default, cudaErrorStreamCaptureImplicit, cudaStreamDefault);
    cudaEventDestroy(event);
}

static void memory_of_a_graph_is_its_own(void **)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    void *memory;
    const int64_t before = cuda_emulation_live_bytes();
    const cudaMemPool_t pool = make_pool(UINT64_MAX, 0);
    device_array<double> out(std::vector<double>{0});
    const cudaStream_t stream = side_stream();
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    assert_int_equal(cudaMallocFromPoolAsync(&memory, 64, pool, stream), 0);
    double *values = static_cast<double *>(memory);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, stream, values, 0, 5.0);
    ARMILLA_LAUNCH(add_to, 1, 1, 0, stream, values, out.values);
    assert_int_equal(cudaFreeAsync(memory, stream), 0);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
    assert_int_equal(cudaGraphInstantiate(&executable, graph, 0), 0);
    cudaGraphDestroy(graph);
    for (int i = 0; i < 2; i++) cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    assert_true(out.read()[0] == 10);
    check_pool(pool, 0, 0);
    cudaGraphExecDestroy(executable);
    assert_int_equal(cuda_emulation_live_bytes(), before + 8);
    cudaMemPoolDestroy(pool);
    cudaStreamDestroy(stream);
}

/* A stream that waits for an event of a capture joins it. */
static void events_carry_a_capture_to_other_streams(void **)
{
    cudaGraph_t graph;
    cudaEvent_t fork;
    cudaStreamCaptureStatus status;
    const cudaStream_t one = side_stream(), two = side_stream();
    cudaEventCreate(&fork);
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, one);
    cudaStreamWaitEvent(two, fork, 0);
    assert_int_equal(cudaStreamIsCapturing(two, &status), 0);
    assert_int_equal(status, cudaStreamCaptureStatusActive);
    assert_int_equal(cudaStreamEndCapture(two, &graph), cudaErrorStreamCaptureUnmatched);
    assert_int_equal(cudaStreamEndCapture(one, &graph), 0);
    assert_int_equal(cudaStreamIsCapturing(two, &status), 0);
    assert_int_equal(status, cudaStreamCaptureStatusNone);
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaGetLastError();
}

/* --- Memory of the host that the device sees ---------------------------------------------------
 */

static void pinned_memory_has_another_address_on_the_device(void **)
{
    void *host, *device;
    assert_int_equal(cudaMallocHost(&host, 100), 0);
    assert_int_equal(cudaHostGetDevicePointer(&device, host, 0), 0);
    cudaPointerAttributes attributes;
    assert_int_equal(cudaPointerGetAttributes(&attributes, static_cast<double *>(host) + 2), 0);
    assert_int_equal(attributes.type, cudaMemoryTypeHost);
    assert_ptr_equal(attributes.devicePointer, static_cast<double *>(device) + 2);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, static_cast<double *>(device), 2, 4.0);
    assert_int_equal(cudaDeviceSynchronize(), 0);
    assert_true(static_cast<double *>(host)[2] == 4);
    assert_int_equal(cudaFreeHost(host), 0);
    check_report(
        [] {
            void *pinned;
            cudaMallocHost(&pinned, 100);
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, static_cast<double *>(pinned), 2, 4.0);
        },
        "argument 1 has the host pointer");
}

static void managed_memory_has_one_address(void **)
{
    void *memory;
    assert_int_equal(cudaMallocManaged(&memory, 100, cudaMemAttachGlobal), 0);
    double *values = static_cast<double *>(memory);
    values[3] = 2;
    device_array<double> one(std::vector<double>{1});
    ARMILLA_LAUNCH(add_to, 1, 1, 0, nullptr, one.values, values + 3);
    cudaDeviceSynchronize();
    assert_true(values[3] == 3);
    assert_int_equal(cudaFree(memory), 0);
}

/* --- Launches -------------------------------------------------------------------------------- */

static void launches_say_their_own_error(void **)
{
    void *memory;
    device_array<double> values(std::vector<double>{0});
    cudaGetLastError();
    assert_int_equal(cudaMalloc(&memory, (size_t)1 << 40), cudaErrorMemoryAllocation);
    assert_int_equal(ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, 0, 1.0), 0);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    assert_int_equal(ARMILLA_LAUNCH(write_at, 1, 2000, 0, nullptr, values.values, 0, 1.0),
                     cudaErrorInvalidConfiguration);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

static void kernels_are_launched_by_address(void **)
{
    device_array<double> values(std::vector<double>{0});
    int64_t index = 0;
    double value = 3;
    void *arguments[] = {&values.values, &index, &value};
    cudaLaunchConfig_t config = {};
    assert_int_equal(ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, 0, 1.0), 0);
    const void *function = reinterpret_cast<const void *>(&write_at);
    assert_int_equal(cudaLaunchKernelExC(&config, function, arguments), 0);
    assert_true(values.read()[0] == 3);
    config.gridDim.x = 0;
    assert_int_equal(cudaLaunchKernelExC(&config, function, arguments),
                     cudaErrorInvalidConfiguration);
    assert_int_equal(cudaLaunchKernelExC(&config, &config, arguments),
                     cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(pageable_copies_may_land_late),
        cmocka_unit_test(pools_keep_what_is_freed),
        cmocka_unit_test(what_pools_keep_is_missing_elsewhere),
        cmocka_unit_test(reuse_across_streams_is_counted),
        cmocka_unit_test(memory_of_pools_faults_when_it_is_stale),
        cmocka_unit_test(devices_may_have_no_pools),
        cmocka_unit_test(each_thread_has_a_current_device),
        cmocka_unit_test(streams_memory_and_events_belong_to_a_device),
        cmocka_unit_test(captured_work_runs_when_the_graph_does),
        cmocka_unit_test(what_waits_breaks_a_capture),
        cmocka_unit_test(memory_of_a_graph_is_its_own),
        cmocka_unit_test(events_carry_a_capture_to_other_streams),
        cmocka_unit_test(pinned_memory_has_another_address_on_the_device),
        cmocka_unit_test(managed_memory_has_one_address),
        cmocka_unit_test(launches_say_their_own_error),
        cmocka_unit_test(kernels_are_launched_by_address),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
