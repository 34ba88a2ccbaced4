/* Checks that the emulated GPU takes few of the process' mappings, of which Linux allows 65530,
 * however much device memory a program has allocated and freed, and that freed memory stays closed
 * for long all the same; and that a system call that fails is named. CTest runs it with protection
 * keys, where the processor has them, and without. */
#include "cuda/scene.h"

#include <cstdlib>
#include <sys/resource.h>

/* More than the kernel's limit of mappings: if each allocation left one, the test would not end. */
enum { ALLOCATIONS = 200000, LIVE = 8, PAGES = 2000 };
static const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

/* Two for each live allocation, and some that the process takes for itself. */
enum { ALLOWED = 2 * LIVE + 40 };

static void check_mappings(int64_t before, int64_t allocations)
{
    const int64_t now = cuda_emulation_mappings();
    assert_true(before > 0);
    if (now > before + ALLOWED)
        fail_msg("%lld mappings after %lld allocations, %lld before", (long long)now,
                 (long long)allocations, (long long)before);
}

/* Each is made before the oldest one is freed, so that there is no time without any. */
static void allocations_leave_no_mappings(void **)
{
    void *live[LIVE] = {};
    static const size_t sizes[] = {8, page_bytes, 3 * page_bytes + 1, 700};
    printf("device memory %s protection keys\n", cuda_emulation_has_keys() ? "with" : "without");
    const int64_t before = cuda_emulation_mappings();
    for (int64_t i = 0; i < ALLOCATIONS; i++) {
        void **place = &live[i % LIVE];
        assert_int_equal(cudaFree(*place), cudaSuccess);
        assert_int_equal(cudaMalloc(place, sizes[i % 4]), cudaSuccess);
        if (i % 10000 == 0) check_mappings(before, i);
    }
    check_mappings(before, ALLOCATIONS);
    for (void *memory : live) assert_int_equal(cudaFree(memory), cudaSuccess);
}

static void allocations_on_streams_leave_no_mappings(void **)
{
    void *memory, *other;
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    const int64_t before = cuda_emulation_mappings();
    for (int i = 0; i < PAGES; i++) {
        assert_int_equal(cudaMallocAsync(&memory, page_bytes, stream), cudaSuccess);
        assert_int_equal(cudaMallocAsync(&other, 8, stream), cudaSuccess);
        assert_int_equal(cudaFreeAsync(memory, stream), cudaSuccess);
        assert_int_equal(cudaFreeAsync(other, stream), cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    }
    check_mappings(before, 2 * PAGES);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

static void memory_of_the_host_leaves_no_mappings(void **)
{
    void *pinned, *managed;
    char *pages = static_cast<char *>(aligned_alloc(page_bytes, PAGES * page_bytes));
    assert_non_null(pages);
    std::memset(pages, 7, PAGES * page_bytes);
    const int64_t before = cuda_emulation_mappings();
    for (int i = 0; i < PAGES; i++) {
        char *page = pages + (size_t)i * page_bytes;
        assert_int_equal(cudaHostRegister(page, page_bytes, 0), cudaSuccess);
        page[5] = (char)i;
        assert_int_equal(cudaHostUnregister(page), cudaSuccess);
        assert_true(page[4] == 7 && page[5] == (char)i);
        assert_int_equal(cudaMallocHost(&pinned, page_bytes), cudaSuccess);
        assert_int_equal(cudaMallocManaged(&managed, page_bytes, 1), cudaSuccess);
        assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
        assert_int_equal(cudaFree(managed), cudaSuccess);
    }
    check_mappings(before, PAGES);
    free(pages);
}

static void freed_memory_stays_closed_for_long(void **)
{
    check_report(
        [] {
            void *freed, *memory;
            cudaMalloc(&freed, 64);
            cudaFree(freed);
            for (int i = 0; i < 20000; i++) {
                cudaMalloc(&memory, 64);
                cudaFree(memory);
            }
            *static_cast<double *>(freed) = 1;
        },
        "device memory that is not allocated (any more)");
}

/* Pages that could not be opened must not look like an error of the program that is tested. */
static void a_system_call_that_fails_is_named(void **)
{
    check_report(
        [] {
            void *memory;
            cudaMalloc(&memory, 64);
            const rlimit none = {0, 0};
            if (setrlimit(RLIMIT_DATA, &none)) _exit(1);
            cudaMalloc(&memory, 64);
        },
        "mprotect of ");
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(allocations_leave_no_mappings),
        cmocka_unit_test(allocations_on_streams_leave_no_mappings),
        cmocka_unit_test(memory_of_the_host_leaves_no_mappings),
        cmocka_unit_test(freed_memory_stays_closed_for_long),
        cmocka_unit_test(a_system_call_that_fails_is_named),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
