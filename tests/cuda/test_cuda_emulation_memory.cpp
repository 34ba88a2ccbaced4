/* Checks memory, cuFFT and failures on demand of the emulated GPU. */
#include "cuda/scene.h"

#include <cmath>
#include <memory>

__global__ static void write_at(double *values, int64_t index, double value)
{
    values[index] = value;
}

__global__ static void read_at(const double *values, int64_t index, double *out)
{
    *out = values[index];
}

/* --- Whose memory ---------------------------------------------------------------------------- */

static void fresh_memory_is_not_a_number(void **)
{
    device_array<double> values(100);
    for (double x : values.read()) assert_true(std::isnan(x));
    device_array<int> whole(100);
    for (int x : whole.read()) assert_int_equal(x, -1);
}

__global__ static void read_shared(double *out)
{
    ARMILLA_SHARED(double, fresh);
    out[blockIdx.x] = fresh[5];
    fresh[5] = 1;
}

static void shared_memory_is_not_a_number_in_every_block(void **)
{
    device_array<double> out(3);
    ARMILLA_LAUNCH(read_shared, 3, 1, 64, nullptr, out.values);
    for (double x : out.read()) assert_true(std::isnan(x));
}

static void the_host_cannot_touch_device_memory(void **)
{
    check_report(
        [] {
            device_array<double> values(4);
            values.values[0] = 1;
        },
        "the host reads or writes device memory at ");
    check_report(
        [] {
            device_array<double> values(std::vector<double>(4));
            exit(values.values[0] > 0);
        },
        "allocated device memory");
    check_report(
        [] {
            void *freed;
            cudaMalloc(&freed, 64);
            cudaFree(freed);
            *static_cast<double *>(freed) = 1;
        },
        "device memory that is not allocated (any more)");
}

static void a_kernel_cannot_leave_its_arrays(void **)
{
    check_report(
        [] {
            device_array<double> values(4096 / 8);
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, 4096 / 8, 1.0);
        },
        "device memory beyond the end of an allocation");
    check_report(
        [] {
            device_array<double> values(4096 / 8);
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, -1, 1.0);
        },
        "device memory before the start of an allocation");
    check_report(
        [] {
            device_array<double> values(4096 / 8), other(1);
            ARMILLA_LAUNCH(read_at, 1, 1, 0, nullptr, values.values, 4096 / 8, other.values);
        },
        "kernel read_at (launched at ");
    check_report(
        [] {
            device_array<double> values(5); /* its page goes on */
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, 5, 1.0);
        },
        "device memory was written at byte 40 of an allocation of 40 bytes");
    check_report(
        [] {
            device_array<double> values(5);
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, -1, 1.0);
        },
        "device memory was written 8 bytes before an allocation of 40 bytes");
}

static void reading_beyond_an_array_gives_no_number(void **)
{
    device_array<double> values(std::vector<double>(5)), out(1);
    ARMILLA_LAUNCH(read_at, 1, 1, 0, nullptr, values.values, 5, out.values);
    assert_true(std::isnan(out.read()[0]));
}

__global__ static void write_shared(int index)
{
    ARMILLA_SHARED(double, values);
    values[index] = 1;
}

static void a_kernel_cannot_leave_its_shared_memory(void **)
{
    check_report([] { ARMILLA_LAUNCH(write_shared, 1, 1, 64, nullptr, 8); },
                 "access to shared memory that the launch did not ask for");
    check_report([] { ARMILLA_LAUNCH(write_shared, 1, 1, 64, nullptr, -1); },
                 "shared memory was written 8 bytes before its start");
    ARMILLA_LAUNCH(write_shared, 1, 1, 64, nullptr, 7);
}

struct pair_of_arrays {
    int64_t count;
    double *values;
};

__global__ static void write_pair(pair_of_arrays pair)
{
    pair.values[0] = (double)pair.count;
}

static void a_kernel_gets_no_host_pointer(void **)
{
    check_report(
        [] {
            const std::unique_ptr<double> on_host(new double);
            ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, on_host.get(), 0, 1.0);
        },
        "kernel write_at: argument 1 has the host pointer ");
    check_report(
        [] {
            double on_stack;
            ARMILLA_LAUNCH(write_pair, 1, 1, 0, nullptr, (pair_of_arrays{1, &on_stack}));
        },
        "kernel write_pair: argument 1 has the host pointer ");
    check_report(
        [] { ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, reinterpret_cast<double *>(16), 0, 1.0); },
        "access to no memory at all at ");
}

static void copies_know_the_sides(void **)
{
    double host[4] = {1, 2, 3, 4};
    device_array<double> a(4), b(4);
    assert_int_equal(cudaMemcpy(a.values, host, 32, cudaMemcpyHostToDevice), 0);
    assert_int_equal(cudaMemcpy(b.values, a.values, 32, cudaMemcpyDeviceToDevice), 0);
    assert_int_equal(cudaMemcpy(host, b.values + 1, 24, cudaMemcpyDefault), 0);
    assert_true(host[0] == 2 && host[2] == 4 && host[3] == 4);
    const cudaError_t wrong = cudaErrorInvalidValue;
    assert_int_equal(cudaMemcpy(host, a.values, 32, cudaMemcpyHostToDevice), wrong);
    assert_int_equal(cudaMemcpy(a.values, host, 32, cudaMemcpyDeviceToHost), wrong);
    assert_int_equal(cudaMemcpy(a.values, host, 33, cudaMemcpyHostToDevice), wrong);
    assert_int_equal(cudaMemcpy(a.values + 1, host, 32, cudaMemcpyHostToDevice), wrong);
    assert_int_equal(cudaMemset(host, 0, 32), wrong);
    assert_int_equal(cudaMemset(a.values, 0, 32), 0);
    for (double x : a.read()) assert_true(x == 0);
    cudaPointerAttributes attributes;
    assert_int_equal(cudaPointerGetAttributes(&attributes, a.values + 3), 0);
    assert_int_equal(attributes.type, cudaMemoryTypeDevice);
    assert_int_equal(cudaPointerGetAttributes(&attributes, host), 0);
    assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
    assert_int_equal(cudaGetLastError(), wrong);
    assert_int_equal(cudaGetLastError(), 0);
}

/* --- Failures on demand ---------------------------------------------------------------------- */

static void memory_has_an_end(void **)
{
    void *first, *second;
    const int64_t before = cuda_emulation_live_bytes();
    cuda_emulation_most_bytes();
    cuda_emulation_set_memory(before + 1000);
    assert_int_equal(cudaMalloc(&first, 600), cudaSuccess);
    assert_int_equal(cudaMalloc(&second, 401), cudaErrorMemoryAllocation);
    assert_null(second);
    assert_int_equal(cudaMalloc(&second, 400), cudaSuccess);
    size_t free_bytes, total;
    assert_int_equal(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
    assert_int_equal(free_bytes, 0);
    assert_int_equal(cudaFree(first), cudaSuccess);
    assert_int_equal(cudaFree(first), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(second), cudaSuccess);
    cuda_emulation_set_memory((int64_t)1 << 30);
    assert_int_equal(cuda_emulation_live_bytes(), before);
    assert_int_equal(cuda_emulation_most_bytes(), before + 1000);
    cudaGetLastError();
}

static void allocations_and_calls_fail_when_asked(void **)
{
    void *memory;
    cuda_emulation_fail_after(1);
    assert_int_equal(cudaMalloc(&memory, 8), cudaSuccess);
    cudaFree(memory);
    assert_int_equal(cudaMalloc(&memory, 8), cudaErrorMemoryAllocation);
    assert_int_equal(cudaMallocAsync(&memory, 8, nullptr), cudaSuccess);
    cudaFree(memory);
    assert_int_equal(cuda_emulation_fail_after(-1), 3);
    device_array<double> values(1);
    cudaGetLastError();
    cuda_emulation_fail_call_after(0);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, nullptr, values.values, 0, 1.0);
    assert_int_equal(cudaGetLastError(), cudaErrorUnknown);
    assert_true(std::isnan(values.read()[0]));
    cuda_emulation_fail_call_after(-1);
    cuda_emulation_set_devices(0);
    int count;
    assert_int_equal(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    assert_int_equal(cudaMalloc(&memory, 8), cudaErrorNoDevice);
    cuda_emulation_set_devices(1);
    assert_int_equal(cudaGetDeviceCount(&count), cudaSuccess);
    assert_int_equal(count, 1);
    cudaGetLastError();
}

/* --- cuFFT ----------------------------------------------------------------------------------- */

enum { LENGTH = 12, BATCH = 3, ROOM = 200 };

struct fft_layout {
    long long istride, idist, ostride, odist;
    bool in_place, automatic, basic;
};

static void check_sums(const fft_layout &layout, int sign, const std::vector<double2> &in,
                       const std::vector<double2> &out)
{
    for (long long row = 0; row < BATCH; row++)
        for (int k = 0; k < LENGTH; k++) {
            double re = 0, im = 0;
            for (int j = 0; j < LENGTH; j++) {
                const double2 x = in[(size_t)(row * layout.idist + j * layout.istride)];
                const double angle = sign * 2 * M_PI * (j * k % LENGTH) / LENGTH;
                re += x.x * std::cos(angle) - x.y * std::sin(angle);
                im += x.x * std::sin(angle) + x.y * std::cos(angle);
            }
            const double2 y = out[(size_t)(row * layout.odist + k * layout.ostride)];
            assert_true(std::fabs(y.x - re) < 1e-13 && std::fabs(y.y - im) < 1e-13);
        }
}

static cufftHandle plan_of(const fft_layout &layout, device_array<char> &area)
{
    cufftHandle plan;
    size_t bytes = 0;
    long long n = LENGTH, embed = LENGTH;
    long long *const embedding = layout.basic ? nullptr : &embed;
    assert_int_equal(cufftCreate(&plan), CUFFT_SUCCESS);
    if (!layout.automatic) assert_int_equal(cufftSetAutoAllocation(plan, 0), CUFFT_SUCCESS);
    assert_int_equal(cufftMakePlanMany64(plan, 1, &n, embedding, layout.istride, layout.idist,
                                         embedding, layout.ostride, layout.odist, CUFFT_Z2Z, BATCH,
                                         &bytes),
                     CUFFT_SUCCESS);
    assert_true(bytes > 0 && bytes <= area.count);
    if (!layout.automatic) assert_int_equal(cufftSetWorkArea(plan, area.values), CUFFT_SUCCESS);
    return plan;
}

static void check_layout(const fft_layout &layout, int sign)
{
    std::vector<double2> numbers(ROOM);
    for (int i = 0; i < ROOM; i++)
        numbers[(size_t)i] = double2{std::sin(i * 1.3), std::cos(i * i * 0.7)};
    device_array<double2> in(numbers), out(ROOM);
    device_array<char> area(16384);
    const cufftHandle plan = plan_of(layout, area);
    double2 *to = layout.in_place ? in.values : out.values;
    assert_int_equal(cufftExecZ2Z(plan, in.values, to, sign), CUFFT_SUCCESS);
    check_sums(layout, sign, numbers, layout.in_place ? in.read() : out.read());
    if (!layout.in_place)
        assert_memory_equal(in.read().data(), numbers.data(), ROOM * sizeof(double2));
    assert_int_equal(cufftDestroy(plan), CUFFT_SUCCESS);
    assert_int_equal(cufftExecZ2Z(plan, in.values, to, sign), CUFFT_INVALID_PLAN);
}

static void ffts_are_the_sums_that_they_stand_for(void **)
{
    const fft_layout layouts[] = {
        {1, LENGTH, 1, LENGTH, false, true, true},   {1, LENGTH, 1, LENGTH, true, false, true},
        {1, LENGTH + 3, 2, 30, false, false, false}, {4, 1, BATCH, 1, false, true, false},
        {BATCH, 1, BATCH, 1, true, false, false},
    };
    for (const fft_layout &layout : layouts) {
        check_layout(layout, CUFFT_FORWARD);
        check_layout(layout, CUFFT_INVERSE);
    }
}

static cufftResult make_plan(long long n, long long stride, long long batch, cufftType type)
{
    cufftHandle plan;
    size_t bytes;
    cufftCreate(&plan);
    cufftSetAutoAllocation(plan, 0);
    const cufftResult result =
        cufftMakePlanMany64(plan, 1, &n, &n, stride, n, &n, stride, n, type, batch, &bytes);
    cufftDestroy(plan);
    return result;
}

static void impossible_ffts_are_errors(void **)
{
    assert_int_equal(make_plan(8, 1, 1, CUFFT_Z2Z), CUFFT_SUCCESS);
    assert_int_equal(make_plan(0, 1, 1, CUFFT_Z2Z), CUFFT_INVALID_SIZE);
    assert_int_equal(make_plan(8, 1, 0, CUFFT_Z2Z), CUFFT_INVALID_SIZE);
    assert_int_equal(make_plan(8, 0, 1, CUFFT_Z2Z), CUFFT_INVALID_SIZE);
    assert_int_equal(make_plan(1LL << 20, 1, 1LL << 16, CUFFT_Z2Z), CUFFT_INVALID_SIZE);
    assert_int_equal(make_plan(8, 1, 1, (cufftType)0x6a), CUFFT_INVALID_TYPE);
    cuda_emulation_fail_call_after(1);
    assert_int_equal(make_plan(8, 1, 1, CUFFT_Z2Z), CUFFT_ALLOC_FAILED);
    cuda_emulation_fail_call_after(-1);
}

static cufftHandle plain_plan(cufftType type)
{
    cufftHandle plan;
    size_t bytes;
    long long n = LENGTH;
    cufftCreate(&plan);
    cufftMakePlanMany64(plan, 1, &n, nullptr, 1, n, nullptr, 1, n, type, BATCH, &bytes);
    assert_int_equal(bytes, LENGTH * BATCH * (type == CUFFT_C2C ? 8 : 16));
    return plan;
}

/* FFTs of floats are those of doubles, rounded. */
static void ffts_of_floats_are_rounded(void **)
{
    std::vector<float2> numbers(LENGTH * BATCH);
    std::vector<double2> same(LENGTH * BATCH);
    for (size_t i = 0; i < same.size(); i++) {
        numbers[i] = float2{std::sin((float)i), 1.0f / (float)(i + 1)};
        same[i] = double2{numbers[i].x, numbers[i].y};
    }
    const device_array<float2> floats(numbers);
    const device_array<double2> doubles(same);
    const cufftHandle single = plain_plan(CUFFT_C2C), exact = plain_plan(CUFFT_Z2Z);
    assert_int_equal(cufftExecC2C(single, floats.values, floats.values, CUFFT_INVERSE), 0);
    assert_int_equal(cufftExecZ2Z(exact, doubles.values, doubles.values, CUFFT_INVERSE), 0);
    numbers = floats.read(), same = doubles.read();
    for (size_t i = 0; i < same.size(); i++)
        assert_true(numbers[i].x == (float)same[i].x && numbers[i].y == (float)same[i].y);
    check_report([] { cufftExecZ2Z(plain_plan(CUFFT_C2C), nullptr, nullptr, 1); },
                 "cufftExecZ2Z: the plan is for numbers of the other kind");
    cufftDestroy(single), cufftDestroy(exact);
}

/* Without a work area, or with arrays that are too short. */
static void run_fft(int short_of)
{
    const fft_layout layout = {1, LENGTH, 1, LENGTH, false, false, false};
    device_array<char> area(16384);
    const cufftHandle plan = plan_of(layout, area);
    device_array<double2> in(LENGTH * BATCH - (short_of == 1)),
        out(LENGTH * BATCH - (short_of == 2));
    if (short_of == 3) cufftSetWorkArea(plan, nullptr);
    cufftExecZ2Z(plan, in.values, out.values, CUFFT_FORWARD);
    cufftDestroy(plan);
}

static void ffts_on_wrong_memory_are_reported(void **)
{
    run_fft(0);
    check_report([] { run_fft(1); }, "cufftExecZ2Z: the input at ");
    check_report([] { run_fft(2); }, "cufftExecZ2Z: the output at ");
    check_report([] { run_fft(3); }, "cufftExecZ2Z: the work area at ");
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(fresh_memory_is_not_a_number),
        cmocka_unit_test(shared_memory_is_not_a_number_in_every_block),
        cmocka_unit_test(the_host_cannot_touch_device_memory),
        cmocka_unit_test(a_kernel_cannot_leave_its_arrays),
        cmocka_unit_test(reading_beyond_an_array_gives_no_number),
        cmocka_unit_test(a_kernel_cannot_leave_its_shared_memory),
        cmocka_unit_test(a_kernel_gets_no_host_pointer),
        cmocka_unit_test(copies_know_the_sides),
        cmocka_unit_test(memory_has_an_end),
        cmocka_unit_test(allocations_and_calls_fail_when_asked),
        cmocka_unit_test(ffts_are_the_sums_that_they_stand_for),
        cmocka_unit_test(impossible_ffts_are_errors),
        cmocka_unit_test(ffts_of_floats_are_rounded),
        cmocka_unit_test(ffts_on_wrong_memory_are_reported),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
