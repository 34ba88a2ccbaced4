/* Checks that the emulated GPUs keep apart what belongs to each of them: sizes of memory, kernels,
 * copies, pools and cuFFT. What is done on the wrong device is reported, also where CUDA would
 * allow it. */
#include "cuda/scene.h"

#include <thread>

enum { DEVICES = 3 };

static const int64_t usual_memory = (int64_t)1 << 30;

__global__ static void read_through(const double *const *where, double *out)
{
    *out = **where;
}

/* Sets the devices of the process, for a child that ends with a report. */
static void on_two_devices()
{
    cuda_emulation_set_devices(2);
}

static void devices_have_memory_of_their_own(void **)
{
    const int64_t sizes[DEVICES] = {1 << 20, 1 << 16, 1 << 18};
    void *memory[DEVICES], *more;
    cuda_emulation_set_devices(DEVICES);
    for (int device = 0; device < DEVICES; device++) {
        size_t room, all;
        cudaDeviceProp properties;
        cuda_emulation_set_device(device, sizes[device], 70 + device);
        assert_int_equal(cudaSetDevice(device), 0);
        assert_int_equal(cudaMalloc(&memory[device], (size_t)sizes[device] - 512), 0);
        assert_int_equal(cudaMemGetInfo(&room, &all), 0);
        assert_int_equal(room, 512);
        assert_int_equal(all, sizes[device]);
        assert_int_equal(cudaMalloc(&more, 1024), cudaErrorMemoryAllocation);
        assert_int_equal(cudaGetDeviceProperties(&properties, device), 0);
        assert_int_equal(10 * properties.major + properties.minor, 70 + device);
    }
    for (int device = 0; device < DEVICES; device++) {
        assert_int_equal(cudaFree(memory[device]), 0);
        cuda_emulation_set_device(device, usual_memory, 90);
    }
    cudaSetDevice(0);
    cuda_emulation_set_devices(1);
    cudaGetLastError();
}

/* An address that stands in memory is no argument, so nobody sees it before the kernel. */
static void read_from(int device)
{
    on_two_devices();
    cudaSetDevice(device);
    device_array<double> value(std::vector<double>{7});
    cudaSetDevice(0);
    device_array<const double *> where(std::vector<const double *>{value.values});
    device_array<double> out(1);
    ARMILLA_LAUNCH(read_through, 1, 1, 0, nullptr, where.values, out.values);
    if (!(out.read()[0] == 7)) abort();
    cudaSetDevice(device);
}

static void kernels_see_the_memory_of_their_device_alone(void **)
{
    read_from(0);
    check_report([] { read_from(1); }, "memory of another device");
    cuda_emulation_set_devices(1);
}

static void copy_on(bool asynchronous, bool set)
{
    double number = 1;
    void *memory;
    on_two_devices();
    cudaMalloc(&memory, 8);
    cudaSetDevice(1);
    if (set)
        cudaMemset(memory, 0, 8);
    else if (asynchronous)
        cudaMemcpyAsync(memory, &number, 8, cudaMemcpyHostToDevice, nullptr);
    else
        cudaMemcpy(&number, memory, 8, cudaMemcpyDeviceToHost);
}

static void copies_stay_on_their_device(void **)
{
    check_report([] { copy_on(false, false); }, "a copy: its source at ");
    check_report([] { copy_on(true, false); }, "a copy: its target at ");
    check_report([] { copy_on(true, true); }, "a memset: its target at ");
}

static cudaMemPool_t pool_of_first()
{
    cudaMemPool_t pool = nullptr;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPoolCreate(&pool, &props);
    return pool;
}

static void pools_serve_streams_of_their_device(void **)
{
    check_report(
        [] {
            void *memory;
            on_two_devices();
            const cudaMemPool_t pool = pool_of_first();
            cudaSetDevice(1);
            cudaMallocFromPoolAsync(&memory, 64, pool, nullptr);
        },
        "memory of a pool of device 0 is asked for on a stream of device 1");
    check_report(
        [] {
            void *memory;
            on_two_devices();
            cudaMallocFromPoolAsync(&memory, 64, pool_of_first(), nullptr);
            cudaSetDevice(1);
            cudaFreeAsync(memory, nullptr);
        },
        "cudaFreeAsync: the memory at ");
}

/* A transform of four numbers on device 0, but for what is on the other one: 0 nothing, 1 the
 * numbers, 2 the work area, 3 the stream, 4 where it is planned. */
static void transform_on(int wrong)
{
    long long n = 4;
    size_t bytes;
    cufftHandle plan;
    cudaStream_t stream;
    on_two_devices();
    cufftCreate(&plan);
    cufftSetAutoAllocation(plan, 0);
    cudaSetDevice(wrong == 4);
    cufftMakePlanMany64(plan, 1, &n, &n, 1, n, &n, 1, n, CUFFT_Z2Z, 1, &bytes);
    cudaSetDevice(wrong == 1);
    device_array<double2> numbers(4);
    cudaSetDevice(wrong == 2);
    device_array<char> area(bytes);
    cudaSetDevice(wrong == 3);
    cudaStreamCreate(&stream);
    cudaSetDevice(0);
    cufftSetWorkArea(plan, area.values);
    cufftSetStream(plan, stream);
    cufftExecZ2Z(plan, numbers.values, numbers.values, CUFFT_FORWARD);
    cufftDestroy(plan);
    cudaStreamDestroy(stream);
}

static void transforms_stay_on_their_device(void **)
{
    transform_on(0);
    check_report([] { transform_on(1); }, "cufftExecZ2Z: the input at ");
    check_report([] { transform_on(2); }, "cufftExecZ2Z: the work area at ");
    check_report([] { transform_on(3); }, "a plan of device 0 on a stream of device 1");
    check_report([] { transform_on(4); }, "cufftMakePlanMany64: a plan of device 0 on device 1");
    cuda_emulation_set_devices(1);
}

/* Threads work on devices side by side: what one has opened stays closed to the other. */
static void threads_have_devices_of_their_own(void **)
{
    bool right[2] = {false, false};
    cuda_emulation_set_devices(2);
    const auto work = [&](int device) {
        cudaSetDevice(device);
        bool all = true;
        for (int i = 0; i < 50; i++) {
            device_array<double> value(std::vector<double>{(double)i}), out(1);
            device_array<const double *> where(std::vector<const double *>{value.values});
            ARMILLA_LAUNCH(read_through, 1, 1, 0, nullptr, where.values, out.values);
            all = all && out.read()[0] == i;
        }
        right[device] = all;
    };
    std::thread first(work, 0), second(work, 1);
    first.join(), second.join();
    assert_true(right[0] && right[1]);
    cuda_emulation_set_devices(1);
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(devices_have_memory_of_their_own),
        cmocka_unit_test(kernels_see_the_memory_of_their_device_alone),
        cmocka_unit_test(copies_stay_on_their_device),
        cmocka_unit_test(pools_serve_streams_of_their_device),
        cmocka_unit_test(transforms_stay_on_their_device),
        cmocka_unit_test(threads_have_devices_of_their_own),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
