/* Checks that a transform bears what the application and its GPU do around it: errors that are
 * pending, copies that land late, memory that is pinned, registered or managed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/runtime/copies.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"

#include <unistd.h>

enum { LMAX = 12, NSIDE = 4 };

/* Takes the grid. */
static void open_plans(pair_of_plans *p, armilla_grid *grid)
{
    const armilla_sht_options options = on_gpu();
    plans_open(p, grid, LMAX, LMAX, 1, &options);
}

/* --- Errors ----------------------------------------------------------------------------------- */

/* An error of the application that nobody has asked for yet. */
static void leave_an_error(void)
{
    void *memory;
    cudaGetLastError();
    assert_int_equal(cudaMalloc(&memory, (size_t)1 << 40), cudaErrorMemoryAllocation);
}

static void check_still_there(void)
{
    assert_int_equal(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
}

/* Takes the grid. */
static void check_pending(armilla_grid *grid)
{
    pair_of_plans p;
    leave_an_error();
    open_plans(&p, grid);
    check_still_there();
    for (int operation = 0; operation < OPERATORS; operation++) {
        check_ok(operate(operation, p.cpu, input(&p, operation), p.wanted, NULL));
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, NULL));
        check_at_most(relative_error(count_out(&p, operation), p.wanted, p.made), 1e-12,
                      "operator %d with a pending error", operation);
        check_still_there();
    }
    plans_close(&p);
    check_still_there();
    cudaGetLastError();
}

static void pending_errors_stay_the_applications(void **state)
{
    (void)state;
    check_pending(healpix_grid(NSIDE));
    check_pending(exact_grid(ARMILLA_GRID_MW, LMAX, LMAX, 0, 0));
}

/* CUDA has one last error per thread: that of a call of ours takes the place of an earlier one.
 * Ours does not stay; an error that is none of CUDA's runtime leaves the earlier one. */
static void errors_of_ours_do_not_stay(void **state)
{
    (void)state;
    pair_of_plans p;
    cudaGetLastError();
    open_plans(&p, healpix_grid(NSIDE));
    cuda_emulation_fail_after(0);
    check_error(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL), ARMILLA_ERROR_MEMORY, "bytes");
    cuda_emulation_fail_after(-1);
    assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
    cuda_emulation_fail_call_after(-1);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL));
    const int64_t count = cuda_emulation_fail_call_after(-1);
    for (int64_t i = 0; i < count; i++) {
        cuda_emulation_fail_call_after(i);
        assert_true(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL) != ARMILLA_OK);
        cuda_emulation_fail_call_after(-1);
        assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
    }
    leave_an_error();
    check_error(armilla_sht_synthesis(p.gpu, p.alm, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "map");
    check_still_there();
    cudaGetLastError();
    plans_close(&p);
}

/* --- Copies that land late -------------------------------------------------------------------- */

/* A plan is ready for every stream when it has been made. Takes the grid. */
static void check_late(armilla_grid *grid)
{
    const armilla_sht_options options = on_gpu();
    pair_of_plans p;
    cudaStream_t stream;
    armilla_sht *late;
    open_plans(&p, grid);
    const int64_t most = p.nalm > p.nmap ? p.nalm : p.nmap;
    double *in = to_device(p.wanted, 8 * most), *out = to_device(p.wanted, 8 * most);
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    armilla_exec exec = exec_of(&p);
    exec.stream = stream;
    for (int operation = 0; operation < OPERATORS; operation++) {
        check_ok(operate(operation, p.gpu, input(&p, operation), p.wanted, NULL));
        cudaMemcpy(in, input(&p, operation), 8 * (size_t)count_in(&p, operation),
                   cudaMemcpyHostToDevice);
        cuda_emulation_set_late_copies(1);
        check_ok(armilla_sht_new(p.grid, LMAX, LMAX, &options, &late));
        check_ok(operate(operation, late, in, out, &exec));
        assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
        cuda_emulation_set_late_copies(0);
        armilla_sht_free(late);
        from_device(p.made, out, 8 * count_out(&p, operation));
        assert_memory_equal(p.made, p.wanted, 8 * (size_t)count_out(&p, operation));
    }
    cudaStreamDestroy(stream);
    cudaFree(in);
    cudaFree(out);
    plans_close(&p);
}

static void plans_are_ready_when_they_are_made(void **state)
{
    (void)state;
    check_late(healpix_grid(NSIDE));
    check_late(exact_grid(ARMILLA_GRID_CC, LMAX, LMAX, 0, 0));
}

/* --- Copies beside kernels -------------------------------------------------------------------- */

/* Copies have a stream of their own, which must not write to the memory of a call before the call's
 * stream has come to its allocation: the emulation ends the process then. */
static void copies_come_after_the_memory_of_their_call(void **state)
{
    (void)state;
    pair_of_plans p;
    cudaStream_t stream;
    open_plans(&p, healpix_grid(NSIDE));
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    armilla_exec exec = exec_of(&p);
    exec.stream = stream;
    armilla_cuda_copier_set_sizes(1000, 1);
    cuda_emulation_set_deferred(1);
    for (int operation = 0; operation < OPERATORS; operation++) {
        check_ok(operate(operation, p.cpu, input(&p, operation), p.wanted, NULL));
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        check_at_most(relative_error(count_out(&p, operation), p.wanted, p.made), 1e-12,
                      "operator %d with copies beside it", operation);
    }
    cuda_emulation_set_deferred(0);
    armilla_cuda_copier_set_sizes(0, 0);
    cudaStreamDestroy(stream);
    plans_close(&p);
}

/* --- Memory of the host that the device sees ---------------------------------------------------
 */

/* Operators on arrays that both sides see. */
static void check_shared(pair_of_plans *p, double *in, double *out, armilla_memory memory)
{
    for (int operation = 0; operation < OPERATORS; operation++) {
        armilla_exec exec = exec_of(p);
        const size_t bytes = 8 * (size_t)count_out(p, operation);
        check_ok(operate(operation, p->gpu, input(p, operation), p->wanted, &exec));
        memcpy(in, input(p, operation), 8 * (size_t)count_in(p, operation));
        exec.memory = memory;
        check_ok(operate(operation, p->gpu, in, out, &exec));
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
        assert_memory_equal(out, p->wanted, bytes);
    }
}

static size_t most_bytes(const pair_of_plans *p)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = 8 * (size_t)(p->nalm > p->nmap ? p->nalm : p->nmap);
    return (bytes + page - 1) / page * page;
}

static void registered_memory_is_where_the_device_sees_it(void **state)
{
    (void)state;
    pair_of_plans p;
    void *arrays[2], *seen;
    open_plans(&p, healpix_grid(NSIDE));
    const size_t bytes = most_bytes(&p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(posix_memalign(&arrays[i], (size_t)sysconf(_SC_PAGESIZE), bytes), 0);
        memset(arrays[i], 0, bytes);
        assert_int_equal(cudaHostRegister(arrays[i], bytes, cudaHostRegisterMapped), cudaSuccess);
        assert_int_equal(cudaHostGetDevicePointer(&seen, arrays[i], 0), cudaSuccess);
        assert_ptr_not_equal(seen, arrays[i]);
    }
    check_shared(&p, arrays[0], arrays[1], ARMILLA_MEMORY_DEVICE);
    check_shared(&p, arrays[0], arrays[1], ARMILLA_MEMORY_ASK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cudaHostUnregister(arrays[i]), cudaSuccess);
        free(arrays[i]);
    }
    plans_close(&p);
}

static void pinned_and_managed_memory(void **state)
{
    (void)state;
    pair_of_plans p;
    void *pinned[2], *managed[2];
    open_plans(&p, healpix_grid(NSIDE));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cudaMallocHost(&pinned[i], most_bytes(&p)), cudaSuccess);
        assert_int_equal(cudaMallocManaged(&managed[i], most_bytes(&p), cudaMemAttachGlobal),
                         cudaSuccess);
    }
    check_shared(&p, pinned[0], pinned[1], ARMILLA_MEMORY_DEVICE);
    check_shared(&p, pinned[0], pinned[1], ARMILLA_MEMORY_HOST);
    check_shared(&p, managed[0], managed[1], ARMILLA_MEMORY_DEVICE);
    check_shared(&p, managed[0], managed[1], ARMILLA_MEMORY_ASK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cudaFreeHost(pinned[i]), cudaSuccess);
        assert_int_equal(cudaFree(managed[i]), cudaSuccess);
    }
    plans_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_errors_stay_the_applications),
        cmocka_unit_test(errors_of_ours_do_not_stay),
        cmocka_unit_test(copies_come_after_the_memory_of_their_call),
        cmocka_unit_test(plans_are_ready_when_they_are_made),
        cmocka_unit_test(registered_memory_is_where_the_device_sees_it),
        cmocka_unit_test(pinned_and_managed_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
