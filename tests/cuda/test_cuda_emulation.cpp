/* Checks the emulated GPU itself: indices, barriers, exchange in warps, sequences, and what it
 * must report. Memory and cuFFT have test_cuda_emulation_memory.cpp, streams
 * test_cuda_emulation_streams.cpp. */
#include "cuda/scene.h"

#include <cmath>

/* --- Indices --------------------------------------------------------------------------------- */

__global__ static void number_all(uint3 *indices, int *times)
{
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned number = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
    times[number] = times[number] < 0 ? 1 : times[number] + 1;
    indices[2 * number] = blockIdx;
    indices[2 * number + 1] = threadIdx;
}

static void check_index(uint3 index, unsigned number, dim3 size)
{
    assert_int_equal(index.x, number % size.x);
    assert_int_equal(index.y, number / size.x % size.y);
    assert_int_equal(index.z, number / size.x / size.y);
}

static void every_thread_of_a_3d_grid_runs_once(void **)
{
    const dim3 grid(2, 3, 4), block(5, 3, 2);
    device_array<uint3> indices(2 * 24 * 30);
    device_array<int> times(24 * 30);
    ARMILLA_LAUNCH(number_all, grid, block, 0, nullptr, indices.values, times.values);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    const std::vector<uint3> found = indices.read();
    const std::vector<int> counts = times.read();
    for (unsigned i = 0; i < 24 * 30; i++) {
        assert_int_equal(counts[i], 1);
        check_index(found[2 * i], i / 30, grid);
        check_index(found[2 * i + 1], i % 30, block);
    }
}

static cudaError_t launch_of(dim3 grid, dim3 block, size_t shared_bytes)
{
    device_array<uint3> indices(2);
    device_array<int> times(1);
    ARMILLA_LAUNCH(number_all, grid, block, shared_bytes, nullptr, indices.values, times.values);
    return cudaGetLastError();
}

static void what_a_gpu_cannot_launch_is_an_error(void **)
{
    assert_int_equal(launch_of(1, 1, 49152), cudaSuccess);
    assert_int_equal(launch_of(0, 1, 0), cudaErrorInvalidConfiguration);
    assert_int_equal(launch_of(1, 1025, 0), cudaErrorInvalidConfiguration);
    assert_int_equal(launch_of(1, dim3(1, 1, 65), 0), cudaErrorInvalidConfiguration);
    assert_int_equal(launch_of(dim3(1, 65536), 1, 0), cudaErrorInvalidConfiguration);
    assert_int_equal(launch_of(1, 1, 49153), cudaErrorInvalidValue);
    const void *function = reinterpret_cast<const void *>(number_all);
    const cudaFuncAttribute size = cudaFuncAttributeMaxDynamicSharedMemorySize;
    assert_int_equal(cudaFuncSetAttribute(function, size, 232449), cudaErrorInvalidValue);
    assert_int_equal(cudaFuncSetAttribute(function, size, 232448), cudaSuccess);
    cudaGetLastError();
    assert_int_equal(launch_of(1, 1, 232448), cudaSuccess);
}

/* --- Barriers -------------------------------------------------------------------------------- */

/* Sums in[] of the block by halves. Without its barriers it is wrong. */
template <int Barriers> __global__ void sum_halves(const double *in, double *out)
{
    ARMILLA_SHARED(double, sums);
    const int i = (int)threadIdx.x;
    sums[i] = in[i];
    for (int half = (int)blockDim.x / 2; half; half /= 2) {
        if (Barriers & 1) __syncthreads();
        double mine = i < half ? sums[i] + sums[i + half] : 0;
        if (Barriers & 2) __syncthreads();
        if (i < half) sums[i] = mine;
    }
    if (i == 0) *out = sums[0];
}

/* A number moves on by one thread, round the block, as often as there are threads. */
template <int Barriers> __global__ void rotate(const double *in, double *out)
{
    ARMILLA_SHARED(double, ring);
    const int i = (int)threadIdx.x, n = (int)blockDim.x;
    double mine = in[i];
    for (int step = 0; step < n; step++) {
        ring[i] = mine;
        if (Barriers & 1) __syncthreads();
        mine = ring[(i + 1) % n];
        if (Barriers & 2) __syncthreads();
    }
    out[i] = mine;
}

typedef void (*block_kernel)(const double *, double *);

static const struct {
    cuda_emulation_order order;
    uint64_t seed;
} orders[] = {{CUDA_EMULATION_FORWARD, 0},
              {CUDA_EMULATION_REVERSED, 0},
              {CUDA_EMULATION_RANDOM, 1},
              {CUDA_EMULATION_RANDOM, 2}};

/* In how many of the orders the kernel gives these numbers. */
static int orders_that_give(block_kernel kernel, const std::vector<double> &in,
                            const std::vector<double> &expected)
{
    int right = 0;
    for (const auto &o : orders) {
        device_array<double> from(in), to(expected.size());
        cuda_emulation_set_order(o.order, o.seed);
        ARMILLA_LAUNCH(kernel, 1, (unsigned)in.size(), in.size() * 8, nullptr, from.values,
                       to.values);
        right += to.read() == expected;
    }
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    return right;
}

static void a_missing_barrier_shows_in_some_order(void **)
{
    std::vector<double> in(64);
    for (int i = 0; i < 64; i++) in[(size_t)i] = i + 1;
    assert_int_equal(orders_that_give(sum_halves<3>, in, {2080}), 4);
    assert_true(orders_that_give(sum_halves<2>, in, {2080}) < 4);
    assert_int_equal(orders_that_give(rotate<3>, in, in), 4);
    assert_true(orders_that_give(rotate<2>, in, in) < 4);
    assert_true(orders_that_give(rotate<1>, in, in) < 4);
}

__global__ static void leaves_early(int last)
{
    if ((int)threadIdx.x == last) return;
    __syncthreads();
}

__global__ static void two_barriers(int which)
{
    if ((int)threadIdx.x < which)
        __syncthreads();
    else
        __syncthreads();
}

static void a_divergent_barrier_is_reported(void **)
{
    check_report([] { ARMILLA_LAUNCH(leaves_early, 1, 64, 0, nullptr, 40); },
                 "divergent barrier: thread 0 waits at __syncthreads, ");
    check_report([] { ARMILLA_LAUNCH(leaves_early, 1, 64, 0, nullptr, 40); },
                 ", but thread 40 has ended");
    check_report([] { ARMILLA_LAUNCH(two_barriers, 1, 64, 0, nullptr, 40); },
                 ", but thread 40 waits at __syncthreads, ");
    check_report([] { ARMILLA_LAUNCH(two_barriers, 1, 64, 0, nullptr, 40); },
                 "kernel two_barriers (launched at ");
    ARMILLA_LAUNCH(leaves_early, 1, 64, 0, nullptr, 64);
    ARMILLA_LAUNCH(two_barriers, 1, 64, 0, nullptr, 64);
}

/* --- Warps ----------------------------------------------------------------------------------- */

__global__ static void shuffle_all(double *out)
{
    const unsigned full = 0xffffffffu;
    const int i = (int)threadIdx.x, n = (int)blockDim.x;
    const double mine = i + 0.5;
    out[i] = __shfl_sync(full, mine, 3);
    out[n + i] = __shfl_xor_sync(full, mine, 5);
    out[2 * n + i] = __shfl_down_sync(full, mine, 7);
    out[3 * n + i] = __shfl_up_sync(full, mine, 7);
    out[4 * n + i] = __shfl_sync(full, i, i + 1, 8);
    out[5 * n + i] = __shfl_down_sync(full, i, 1, 16);
    out[6 * n + i] = __shfl_xor_sync(full, i, 16, 16);
}

static void shuffles_read_the_lane_that_cuda_says(void **)
{
    enum { N = 96 };
    device_array<double> out(7 * N);
    for (const auto &o : orders) {
        cuda_emulation_set_order(o.order, o.seed);
        ARMILLA_LAUNCH(shuffle_all, 1, N, 0, nullptr, out.values);
        const std::vector<double> found = out.read();
        for (int i = 0; i < N; i++) {
            const int lane = i % 32, first = i - lane;
            const double expected[] = {first + 3.5,
                                       first + (lane ^ 5) + 0.5,
                                       (lane + 7 < 32 ? i + 7 : i) + 0.5,
                                       (lane >= 7 ? i - 7 : i) + 0.5,
                                       (double)(i / 8 * 8 + (i + 1) % 8),
                                       (double)(i % 16 < 15 ? i + 1 : i),
                                       (double)(lane < 16 ? i : i - 16)};
            for (int k = 0; k < 7; k++)
                if (found[(size_t)(k * N + i)] != expected[k])
                    fail_msg("shuffle %d, thread %d: %g instead of %g", k, i,
                             found[(size_t)(k * N + i)], expected[k]);
        }
    }
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
}

__global__ static void vote_all(unsigned *out)
{
    const unsigned full = 0xffffffffu;
    const int i = (int)threadIdx.x;
    out[5 * i] = __ballot_sync(full, i % 3 == 0);
    out[5 * i + 1] = (unsigned)__any_sync(full, i == 40);
    out[5 * i + 2] = (unsigned)__all_sync(full, i < 40);
    const unsigned half = i % 2 ? 0xaaaaaaaau : 0x55555555u;
    if (i % 2)
        out[5 * i + 3] = __ballot_sync(half, i % 4 == 1);
    else
        out[5 * i + 3] = __ballot_sync(half, i % 4 == 2);
    out[5 * i + 4] = (unsigned)__all_sync(half, i % 2);
}

static void votes_count_the_lanes_of_the_mask(void **)
{
    device_array<unsigned> out(5 * 64);
    for (const auto &o : orders) {
        cuda_emulation_set_order(o.order, o.seed);
        ARMILLA_LAUNCH(vote_all, 1, 64, 0, nullptr, out.values);
        const std::vector<unsigned> found = out.read();
        for (unsigned i = 0; i < 64; i++) {
            assert_int_equal(found[5 * i], i < 32 ? 0x49249249u : 0x92492492u);
            assert_int_equal(found[5 * i + 1], i >= 32);
            assert_int_equal(found[5 * i + 2], i < 32);
            assert_int_equal(found[5 * i + 3], i % 2 ? 0x22222222u : 0x44444444u);
            assert_int_equal(found[5 * i + 4], i % 2);
        }
    }
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
}

__global__ static void warp_without(int lane)
{
    if ((int)threadIdx.x == lane) return;
    __syncwarp();
}

__global__ static void shuffle_apart(int lane)
{
    if ((int)threadIdx.x < lane)
        __shfl_sync(0xffffffffu, 1.0, 0);
    else
        __shfl_sync(0xffffffffu, 1.0, 0);
}

__global__ static void shuffle_from_outside(int lane)
{
    if (threadIdx.x < 16) __shfl_sync(0xffffu, 1.0, lane);
}

__global__ static void warp_against_block(int lane)
{
    if ((int)threadIdx.x < lane)
        __syncwarp();
    else
        __syncthreads();
}

static void a_lane_that_is_missing_is_reported(void **)
{
    check_report([] { ARMILLA_LAUNCH(warp_without, 1, 32, 0, nullptr, 9); },
                 "divergent warp: thread 0 waits at __syncwarp, ");
    check_report([] { ARMILLA_LAUNCH(warp_without, 1, 32, 0, nullptr, 9); },
                 "with mask ffffffff, but thread 9 has ended");
    check_report([] { ARMILLA_LAUNCH(warp_without, 1, 48, 0, nullptr, 99); },
                 "the block has no thread 48 of mask ffffffff");
    check_report([] { ARMILLA_LAUNCH(shuffle_apart, 1, 32, 0, nullptr, 9); },
                 ", but thread 9 waits at a shuffle, ");
    check_report([] { ARMILLA_LAUNCH(warp_against_block, 1, 32, 0, nullptr, 9); },
                 ", but thread 9 waits at __syncthreads, ");
    check_report([] { ARMILLA_LAUNCH(shuffle_from_outside, 1, 32, 0, nullptr, 16); },
                 "thread 0 reads lane 16, which is not in the mask 0000ffff");
    ARMILLA_LAUNCH(warp_without, 1, 64, 0, nullptr, 64);
    ARMILLA_LAUNCH(shuffle_apart, 1, 32, 0, nullptr, 32);
    ARMILLA_LAUNCH(shuffle_from_outside, 1, 32, 0, nullptr, 15);
}

/* --- Sequences ------------------------------------------------------------------------------- */

__global__ static void note_turn(int *turn, int *turns)
{
    turns[blockIdx.x * blockDim.x + threadIdx.x] = ++*turn;
}

static std::vector<int> turns_of(cuda_emulation_order order, uint64_t seed)
{
    device_array<int> turn(1), turns(4 * 32);
    cuda_emulation_set_order(order, seed);
    ARMILLA_LAUNCH(note_turn, 4, 32, 0, nullptr, turn.values, turns.values);
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    return turns.read(); /* 0 .. 127: the counter begins at -1 */
}

static void orders_are_what_they_are_called(void **)
{
    const std::vector<int> forward = turns_of(CUDA_EMULATION_FORWARD, 0);
    const std::vector<int> reversed = turns_of(CUDA_EMULATION_REVERSED, 0);
    for (int i = 0; i < 128; i++) {
        assert_int_equal(forward[(size_t)i], i);
        assert_int_equal(reversed[(size_t)i], 127 - i);
    }
    const std::vector<int> one = turns_of(CUDA_EMULATION_RANDOM, 1);
    assert_true(one == turns_of(CUDA_EMULATION_RANDOM, 1));
    assert_true(one != turns_of(CUDA_EMULATION_RANDOM, 2));
    assert_true(one != forward && one != reversed);
}

/* --- Numbers --------------------------------------------------------------------------------- */

static void sine_and_cosine_of_pi_x_are_exact_where_they_can_be(void **)
{
    for (int i = -9; i <= 9; i++) {
        assert_true(sinpi(i) == 0 && cospi(i) == (i % 2 ? -1 : 1));
        assert_true(sinpi(i + 0.5) == (i % 2 ? -1 : 1) && cospi(i + 0.5) == 0);
    }
    assert_true(std::fabs(sinpi(1 / 6.0) - 0.5) < 1e-16);
    double sine, cosine;
    for (double x = -3; x < 3; x += 0.01) {
        sincospi(x, &sine, &cosine);
        const long double angle = 3.14159265358979323846264338327950288L * x;
        assert_true(std::fabs((double)(sine - std::sin(angle))) < 1.2e-16);
        assert_true(std::fabs((double)(cosine - std::cos(angle))) < 1.2e-16);
    }
    assert_true(sinpi(2251799813685248.5) == 1); /* 2^51 + 1/2 */
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_of_a_3d_grid_runs_once),
        cmocka_unit_test(what_a_gpu_cannot_launch_is_an_error),
        cmocka_unit_test(a_missing_barrier_shows_in_some_order),
        cmocka_unit_test(a_divergent_barrier_is_reported),
        cmocka_unit_test(shuffles_read_the_lane_that_cuda_says),
        cmocka_unit_test(votes_count_the_lanes_of_the_mask),
        cmocka_unit_test(a_lane_that_is_missing_is_reported),
        cmocka_unit_test(orders_are_what_they_are_called),
        cmocka_unit_test(sine_and_cosine_of_pi_x_are_exact_where_they_can_be),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
