/* Checks the recorder itself with kernels made for it: which pairs of accesses it calls a race,
 * how it counts sectors and banks, and that it finds vectors that are not aligned. */
#include "cuda/scene.h"

#include <cstring>
#include <string>

/* --- Races in shared memory ------------------------------------------------------------------ */

enum exchange { NOTHING = 0, BARRIER = 1, WARP_BARRIER = 2, SHUFFLE = 3 };

/* Each thread reads what the `distance`-th one after it has written. */
template <int How> __global__ void read_neighbour(double *out, int distance)
{
    ARMILLA_SHARED(double, values);
    const int i = (int)threadIdx.x, n = (int)blockDim.x;
    values[i] = i;
    double more = 0;
    if (How == BARRIER) __syncthreads();
    if (How == WARP_BARRIER) __syncwarp();
    if (How == SHUFFLE) more = __shfl_xor_sync(0xffffffffu, (double)i, 1);
    out[i] = values[(i + distance) % n] + more;
}

static int64_t races_of(void (*kernel)(double *, int), int threads, int distance)
{
    device_array<double> out((size_t)threads);
    cuda_emulation_record(CUDA_EMULATION_BOTH);
    ARMILLA_LAUNCH(kernel, 1, (unsigned)threads, (size_t)threads * 8, nullptr, out.values,
                   distance);
    cuda_emulation_record(0);
    return cuda_emulation_races();
}

static void a_missing_barrier_is_a_race(void **)
{
    assert_int_equal(races_of(read_neighbour<NOTHING>, 64, 1), 2); /* and read too early */
    assert_int_equal(races_of(read_neighbour<BARRIER>, 64, 1), 0);
    assert_int_equal(races_of(read_neighbour<NOTHING>, 64, 0), 0); /* its own number */
}

static void shuffles_order_nothing(void **)
{
    assert_int_equal(races_of(read_neighbour<SHUFFLE>, 32, 1), 1);
}

static void a_barrier_of_a_warp_orders_its_lanes(void **)
{
    assert_int_equal(races_of(read_neighbour<WARP_BARRIER>, 32, 1), 0);
    assert_int_equal(races_of(read_neighbour<WARP_BARRIER>, 64, 32), 1); /* another warp's */
}

/* In each warp lanes 0 to 15 meet, then lanes 8 to 31: lane 16 may read what lane 0 has written,
 * lane 0 not what lane 16 has. */
__global__ static void read_one(double *out, int reader, int writer)
{
    ARMILLA_SHARED(double, values);
    const int thread = (int)threadIdx.x, lane = thread % 32;
    if (thread == writer) values[0] = 1;
    if (lane < 16) __syncwarp(0x0000ffffu);
    if (lane >= 8) __syncwarp(0xffffff00u);
    if (thread == reader) *out = values[0];
}

/* In every sequence of threads: what is a race does not depend on it. */
static void check_pair(int reader, int writer, bool is_race)
{
    device_array<double> out(1);
    for (const cuda_emulation_order order : {CUDA_EMULATION_FORWARD, CUDA_EMULATION_REVERSED}) {
        cuda_emulation_set_order(order, 0);
        cuda_emulation_record(CUDA_EMULATION_BOTH);
        ARMILLA_LAUNCH(read_one, 1, 64, 8, nullptr, out.values, reader, writer);
        cuda_emulation_record(0);
        assert_int_equal(cuda_emulation_races() > 0, is_race);
    }
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
}

static void masks_of_warp_barriers_count(void **)
{
    check_pair(5, 4, false);
    check_pair(20, 30, false);
    check_pair(20, 3, false); /* by way of lanes 8 to 15 */
    check_pair(3, 20, true);
    check_pair(20, 35, true); /* of another warp */
    check_pair(52, 3, true);
}

__global__ static void read_before_writing(double *out)
{
    ARMILLA_SHARED(double, values);
    out[threadIdx.x] = values[threadIdx.x];
}

static void what_nobody_has_written_is_found(void **)
{
    device_array<double> out(32);
    cuda_emulation_record(CUDA_EMULATION_BOTH);
    ARMILLA_LAUNCH(read_before_writing, 1, 32, 256, nullptr, out.values);
    cuda_emulation_record(0);
    assert_int_equal(cuda_emulation_races(), 1);
}

/* --- Races in global memory ------------------------------------------------------------------ */

enum sharing { OWN, WRITE_WRITE, WRITE_READ, READ_READ };

template <int How> __global__ void use_global(double *values, double *out)
{
    const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (How == OWN) values[number] = number;
    if (How == WRITE_WRITE) values[threadIdx.x] = 7; /* the same from every block */
    if (How == WRITE_READ && blockIdx.x == 0) values[threadIdx.x] = 7;
    if (How == WRITE_READ && blockIdx.x != 0) out[number] = values[threadIdx.x];
    if (How == READ_READ) out[number] = values[0];
}

static int64_t races_of_blocks(void (*kernel)(double *, double *), int times)
{
    int64_t most = 0;
    for (int order = 0; order < 2; order++) {
        device_array<double> values(128), out(128);
        cuda_emulation_set_order(order ? CUDA_EMULATION_REVERSED : CUDA_EMULATION_FORWARD, 0);
        cuda_emulation_record(CUDA_EMULATION_BOTH);
        for (int i = 0; i < times; i++)
            ARMILLA_LAUNCH(kernel, 4, 32, 0, nullptr, values.values, out.values);
        cuda_emulation_record(0);
        const int64_t found = cuda_emulation_races();
        most = found > most ? found : most;
    }
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    return most;
}

static void blocks_of_a_launch_are_not_ordered(void **)
{
    assert_int_equal(races_of_blocks(use_global<OWN>, 3), 0);
    assert_int_equal(races_of_blocks(use_global<READ_READ>, 3), 0);
    assert_int_equal(races_of_blocks(use_global<WRITE_WRITE>, 1), 1);
    assert_int_equal(races_of_blocks(use_global<WRITE_READ>, 1), 1);
}

/* --- Requests -------------------------------------------------------------------------------- */

struct totals {
    int64_t requests, asked, moved, conflicts;
    int shared, write;
};

static void add_access(const cuda_emulation_access *access, void *context)
{
    totals *t = static_cast<totals *>(context);
    if (access->is_shared != t->shared || access->is_write != t->write) return;
    t->requests += access->requests, t->asked += access->asked;
    t->moved += access->moved, t->conflicts += access->conflicts;
}

template <typename T> __global__ void read_strided(const T *values, T *out, int stride)
{
    out[threadIdx.x] = values[stride * (int)threadIdx.x];
}

template <typename T> totals strided_read(int stride)
{
    device_array<T> values(32 * 32), out(32);
    totals t = {0, 0, 0, 0, 0, 0};
    cuda_emulation_forget_accesses();
    cuda_emulation_record(CUDA_EMULATION_BOTH);
    ARMILLA_LAUNCH(read_strided<T>, 1, 32, 0, nullptr, values.values, out.values, stride);
    cuda_emulation_record(0);
    cuda_emulation_each_access(add_access, &t);
    return t;
}

static void check_totals(const totals &t, int64_t requests, int64_t asked, int64_t moved)
{
    assert_int_equal(t.requests, requests);
    assert_int_equal(t.asked, asked);
    assert_int_equal(t.moved, moved);
}

static void sectors_are_counted(void **)
{
    check_totals(strided_read<float>(1), 1, 128, 128);
    check_totals(strided_read<float>(8), 1, 128, 1024);
    check_totals(strided_read<double>(1), 1, 256, 256);
    check_totals(strided_read<double>(2), 1, 256, 512);
    check_totals(strided_read<double>(0), 1, 8, 32);
    check_totals(strided_read<double2>(1), 1, 512, 512);
    check_totals(strided_read<double2>(2), 1, 512, 1024);
}

/* 256 bytes in, 256 out for each of 12 blocks: all of them run, or some stand for all. */
static void all_blocks_are_counted(void **)
{
    device_array<double> values(32 * 32), out(32);
    for (int64_t most = 0; most <= 4; most += 2) {
        cuda_emulation_moved_bytes();
        cuda_emulation_set_blocks(most);
        cuda_emulation_record(CUDA_EMULATION_REQUESTS);
        ARMILLA_LAUNCH(read_strided<double>, 12, 32, 0, nullptr, values.values, out.values, 1);
        cuda_emulation_record(0);
        cuda_emulation_set_blocks(0);
        ARMILLA_LAUNCH(read_strided<double>, 12, 32, 0, nullptr, values.values, out.values, 1);
        assert_true(cuda_emulation_moved_bytes() == 12 * 512);
        assert_true(cuda_emulation_moved_bytes() == 0);
    }
}

/* Two numbers of a double2 that are used apart are one request; two neighbours of an array, read by
 * two expressions, are two. */
__global__ static void read_halves(const double2 *pairs, double *out)
{
    const double2 pair = pairs[threadIdx.x];
    out[threadIdx.x] = pair.x - pair.y;
}

__global__ static void read_two(const double *values, double *out)
{
    out[threadIdx.x] = values[2 * threadIdx.x] - values[2 * threadIdx.x + 1];
}

static void halves_of_one_number_are_one_request(void **)
{
    device_array<double2> pairs(32);
    device_array<double> out(32);
    totals halves = {0, 0, 0, 0, 0, 0}, two = halves;
    cuda_emulation_forget_accesses();
    cuda_emulation_record(CUDA_EMULATION_BOTH);
    ARMILLA_LAUNCH(read_halves, 1, 32, 0, nullptr, pairs.values, out.values);
    cuda_emulation_each_access(add_access, &halves);
    check_totals(halves, 1, 512, 512);
    cuda_emulation_forget_accesses();
    ARMILLA_LAUNCH(read_two, 1, 32, 0, nullptr, &pairs.values->x, out.values);
    cuda_emulation_record(0);
    cuda_emulation_each_access(add_access, &two);
    check_totals(two, 2, 512, 512); /* the second finds its sectors in the cache */
}

/* So many lanes write to one place. */
template <typename T> __global__ void write_shared(int stride, int together)
{
    ARMILLA_SHARED(T, values);
    values[stride * ((int)threadIdx.x / together)] = T();
}

template <typename T> int64_t conflicts_of(int stride, int together = 1)
{
    totals t = {0, 0, 0, 0, 1, 1};
    cuda_emulation_forget_accesses();
    cuda_emulation_record(CUDA_EMULATION_BOTH);
    ARMILLA_LAUNCH(write_shared<T>, 1, 32, 48000, nullptr, stride, together);
    cuda_emulation_record(0);
    cuda_emulation_each_access(add_access, &t);
    cuda_emulation_races(); /* those who write one number */
    assert_int_equal(t.requests, 1);
    return t.conflicts;
}

static void banks_are_counted(void **)
{
    assert_int_equal(conflicts_of<float>(0), 0);
    assert_int_equal(conflicts_of<float>(1), 0);
    assert_int_equal(conflicts_of<float>(32, 2), 15);
    assert_int_equal(conflicts_of<float>(2), 1);
    assert_int_equal(conflicts_of<float>(32), 31);
    assert_int_equal(conflicts_of<float>(33), 0);
    assert_int_equal(conflicts_of<double>(1), 0);
    assert_int_equal(conflicts_of<double>(2), 2); /* of each half warp one */
    assert_int_equal(conflicts_of<double>(17), 0);
    assert_int_equal(conflicts_of<double2>(1), 0);
    assert_int_equal(conflicts_of<double2>(2), 4);
}

/* --- Alignment ------------------------------------------------------------------------------- */

/* What a GPU faults at, and most processors read all the same. */
template <typename T> __global__ void read_at(const char *bytes, T *out, int offset)
{
    out[threadIdx.x] = reinterpret_cast<const T *>(bytes + offset)[threadIdx.x];
}

template <typename T> __global__ void write_half_at(char *bytes, int offset)
{
    reinterpret_cast<T *>(bytes + offset)->y = 1;
}

template <typename T> __global__ void use_shared_at(T *out, int offset)
{
    ARMILLA_SHARED(char, bytes);
    T *values = reinterpret_cast<T *>(bytes + offset);
    values[threadIdx.x] = out[threadIdx.x];
}

template <typename T, int Offset> void launch_read()
{
    device_array<char> bytes(4096);
    device_array<T> out(32);
    ARMILLA_LAUNCH(read_at<T>, 1, 32, 0, nullptr, bytes.values, out.values, Offset);
}

template <typename T, int Offset> void launch_write()
{
    device_array<char> bytes(4096);
    ARMILLA_LAUNCH(write_half_at<T>, 1, 1, 0, nullptr, bytes.values, Offset);
}

template <typename T, int Offset> void launch_shared()
{
    device_array<T> out(32);
    ARMILLA_LAUNCH(use_shared_at<T>, 1, 32, 1024, nullptr, out.values, Offset);
}

static void vectors_must_be_aligned(void **)
{
    launch_read<double2, 16>(), launch_read<float4, 48>(), launch_read<float2, 8>();
    launch_write<double2, 32>(), launch_shared<double2, 16>();
    check_report(launch_read<double2, 8>, ", which is no multiple of 16 bytes");
    check_report(launch_read<double2, 24>, "test_cuda_recorder.cpp:");
    check_report(launch_read<float4, 8>, "which is no multiple of 16 bytes");
    check_report(launch_read<float2, 4>, "which is no multiple of 8 bytes");
    check_report(launch_read<double, 4>, "a 'const double' at ");
    check_report(launch_write<double2, 8>, "which is no multiple of 16 bytes");
    check_report(launch_write<double2, 8>, "kernel write_half_at<T> (launched at ");
    check_report(launch_shared<float4, 4>, "which is no multiple of 16 bytes");
}

/* --- Places ---------------------------------------------------------------------------------- */

static void a_race_is_told_with_both_lines(void **)
{
    FILE *words = tmpfile();
    char text[2000];
    const int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(words), STDERR_FILENO);
    const int64_t found = races_of(read_neighbour<NOTHING>, 64, 1);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(words);
    text[fread(text, 1, sizeof text - 1, words)] = 0;
    fclose(words);
    assert_int_equal(found, 2);
    assert_non_null(strstr(text,
                           "race of read_neighbour in shared memory: test_cuda_recorder.cpp:22 "
                           "reads, then test_cuda_recorder.cpp:17 writes\n"));
    assert_non_null(strstr(text, "byte 8; first thread 0 of block (0, 0, 0), no barrier since"));
    assert_non_null(strstr(text, ", thread (1, 0, 0)"));
}

static void ignore(const char *)
{
}

static void variants_are_known(void **)
{
    assert_int_equal(cuda_emulation_recorded("read_neighbour", ignore), 4);
    assert_int_equal(cuda_emulation_recorded("no_such_kernel", ignore), 0);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_barrier_is_a_race),
        cmocka_unit_test(shuffles_order_nothing),
        cmocka_unit_test(a_barrier_of_a_warp_orders_its_lanes),
        cmocka_unit_test(masks_of_warp_barriers_count),
        cmocka_unit_test(what_nobody_has_written_is_found),
        cmocka_unit_test(blocks_of_a_launch_are_not_ordered),
        cmocka_unit_test(sectors_are_counted),
        cmocka_unit_test(all_blocks_are_counted),
        cmocka_unit_test(halves_of_one_number_are_one_request),
        cmocka_unit_test(banks_are_counted),
        cmocka_unit_test(vectors_must_be_aligned),
        cmocka_unit_test(a_race_is_told_with_both_lines),
        cmocka_unit_test(variants_are_known),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
