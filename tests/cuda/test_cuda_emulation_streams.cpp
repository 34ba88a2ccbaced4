/* Checks streams and events of the emulated GPU: in which sequences their work may run. */
#include "cuda/scene.h"

__global__ static void write_at(double *values, int64_t index, double value)
{
    values[index] = value;
}

/* --- Streams --------------------------------------------------------------------------------- */

static void deferred_work_runs_when_somebody_waits(void **)
{
    cudaStream_t stream, other;
    cudaEvent_t event;
    double host = 0;
    device_array<double> values(std::vector<double>(1));
    assert_int_equal(cudaStreamCreate(&stream), 0);
    assert_int_equal(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), 0);
    assert_int_equal(cudaEventCreate(&event), 0);
    cuda_emulation_set_deferred(1);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, stream, values.values, 0, 5.0);
    assert_int_equal(cudaEventRecord(event, stream), 0);
    cudaMemcpyAsync(&host, values.values, 8, cudaMemcpyDeviceToHost, stream);
    assert_true(host == 0);
    assert_int_equal(cudaStreamQuery(stream), cudaErrorNotReady);
    assert_int_equal(cudaEventQuery(event), cudaErrorNotReady);
    assert_int_equal(cudaStreamSynchronize(other), 0);
    assert_true(host == 0);
    assert_int_equal(cudaEventSynchronize(event), 0); /* not what comes behind it */
    assert_true(host == 0);
    assert_int_equal(cudaStreamSynchronize(stream), 0);
    assert_true(host == 5);
    assert_int_equal(cudaStreamQuery(stream), 0);
    cuda_emulation_set_deferred(0);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
}

/* Stream `two` puts 2 where `one` puts 1, by one event that the streams record in turn; `one` comes
 * last, by a wait that may be left out. Returned: the number that stays. */
static double last_of_two(int deferred, int waits)
{
    cudaStream_t one, two;
    cudaEvent_t event;
    device_array<double> values(std::vector<double>(1));
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cuda_emulation_set_deferred(deferred);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, two, values.values, 0, 2.0);
    cudaEventRecord(event, two);
    cuda_emulation_leave_out_wait_after(waits);
    cudaStreamWaitEvent(one, event, 0);
    assert_int_equal(cuda_emulation_leave_out_wait_after(-1), 1);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, one, values.values, 0, 1.0);
    assert_int_equal(cudaStreamSynchronize(one), 0);
    assert_int_equal(cudaStreamQuery(two), deferred > 1 || waits ? cudaSuccess : cudaErrorNotReady);
    assert_int_equal(cudaDeviceSynchronize(), 0);
    cuda_emulation_set_deferred(0);
    cudaEventDestroy(event);
    cudaStreamDestroy(one), cudaStreamDestroy(two);
    return values.read()[0];
}

static void other_streams_run_late_or_first(void **)
{
    for (int deferred = 0; deferred <= 3; deferred++) assert_true(last_of_two(deferred, 1) == 1);
    assert_true(last_of_two(1, 0) == 2); /* the wait is missed */
    assert_true(last_of_two(2, 0) == 1);
}

static void streams_wait_for_events_and_for_the_default_stream(void **)
{
    cudaStream_t one, two;
    cudaEvent_t event;
    float time;
    device_array<double> values(std::vector<double>(1));
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cuda_emulation_set_deferred(1);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, one, values.values, 0, 1.0);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    ARMILLA_LAUNCH(write_at, 1, 1, 0, two, values.values, 0, 2.0);
    assert_int_equal(cudaStreamSynchronize(two), 0);
    assert_true(values.read()[0] == 2);
    assert_int_equal(cudaStreamSynchronize(one), 0);
    assert_true(values.read()[0] == 2); /* the first one has been, before */
    assert_int_equal(cudaEventElapsedTime(&time, event, event), 0);
    assert_true(time == 0);
    cudaStreamDestroy(one);
    cudaStreamCreate(&one); /* blocking: the copy on the default stream waits */
    ARMILLA_LAUNCH(write_at, 1, 1, 0, one, values.values, 0, 3.0);
    assert_true(values.read()[0] == 3);
    cuda_emulation_set_deferred(0);
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    assert_int_equal(cudaStreamSynchronize(two), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

/* --- Memory in the order of a stream ---------------------------------------------------------- */

/* Memory that one stream allocates, used on another one, which waits for an event of the first that
 * was recorded before the allocation, or after it. */
static void use_on_another_stream(bool after, bool by_kernel)
{
    cudaStream_t streams[2];
    cudaEvent_t event;
    void *memory;
    double zero[4] = {};
    for (cudaStream_t &stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cuda_emulation_set_deferred(1);
    if (!after) cudaEventRecord(event, streams[0]);
    assert_int_equal(cudaMallocAsync(&memory, sizeof zero, streams[0]), cudaSuccess);
    if (after) cudaEventRecord(event, streams[0]);
    cudaStreamWaitEvent(streams[1], event, 0);
    if (by_kernel)
        ARMILLA_LAUNCH(write_at, 1, 1, 0, streams[1], static_cast<double *>(memory), 1, 2);
    else
        cudaMemcpyAsync(memory, zero, sizeof zero, cudaMemcpyHostToDevice, streams[1]);
    cudaStreamSynchronize(streams[1]);
    cuda_emulation_set_deferred(0);
    cudaFreeAsync(memory, streams[0]);
    cudaDeviceSynchronize();
    cudaEventDestroy(event);
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

static void memory_is_there_from_its_allocation_on(void **)
{
    use_on_another_stream(true, false);
    use_on_another_stream(true, true);
    check_report([] { use_on_another_stream(false, false); }, "a copy: its target is memory");
    check_report([] { use_on_another_stream(false, true); }, "write_at: an argument is memory");
}
int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(deferred_work_runs_when_somebody_waits),
        cmocka_unit_test(other_streams_run_late_or_first),
        cmocka_unit_test(streams_wait_for_events_and_for_the_default_stream),
        cmocka_unit_test(memory_is_there_from_its_allocation_on),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
