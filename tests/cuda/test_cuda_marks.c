/* Marks between the stages of a transform: which ones a program that measures hears of, in which
 * sequence; none where nobody listens. And the yardstick of bench/gpu: its chains of
 * multiply-adds do not settle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "../../bench/gpu/peak.h"
#include "cuda/runtime/marks.h"
#include "cuda/test_cuda_scene.h"

static char heard[1000];
static cudaStream_t last_stream;

static void hear(void *data, const char *stage, cudaStream_t stream)
{
    assert_ptr_equal(data, heard);
    const size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%s;", stage);
    last_stream = stream;
}

/* What is heard of an operator: with arrays of the host, or of the device on a stream. */
static const char *listen(const pair_of_plans *p, int operation, int on_device)
{
    armilla_exec exec = exec_of(p);
    double *in = NULL, *out = NULL;
    cudaStream_t stream = NULL;
    heard[0] = 0;
    if (on_device) {
        in = to_device(input(p, operation), 8 * count_in(p, operation));
        out = to_device(p->made, 8 * count_out(p, operation));
        assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
        exec.stream = stream;
    }
    armilla_cuda_set_marks(hear, heard);
    check_ok(operate(operation, p->gpu, in ? in : input(p, operation), out ? out : p->made, &exec));
    armilla_cuda_set_marks(NULL, NULL);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_ptr_equal(last_stream, stream);
    cudaFree(in);
    cudaFree(out);
    if (stream) cudaStreamDestroy(stream);
    return heard;
}

static void stages_are_heard_in_sequence(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    pair_of_plans p;
    plans_open(&p, exact_grid(ARMILLA_GRID_CC, 8, 8, 0, 0), 8, 8, 1, &options);
    assert_string_equal(listen(&p, 0, 1), "begin;copy to device;legendre;rings;copy to host;");
    assert_string_equal(listen(&p, 1, 0), "begin;copy to device;rings;legendre;copy to host;");
    assert_string_equal(listen(&p, 2, 1),
                        "begin;copy to device;rings;theta;legendre;copy to host;");
    assert_string_equal(listen(&p, 3, 0),
                        "begin;copy to device;legendre;theta;rings;copy to host;");
    plans_close(&p);
}

/* Each batch of transforms has its own. */
static void batches_are_heard(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    pair_of_plans p;
    options.device_bytes = 24000; /* for some of them */
    plans_open(&p, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 8, 8, 0, 0), 8, 8, 5, &options);
    assert_string_equal(listen(&p, 0, 1), "begin;copy to device;legendre;rings;copy to host;"
                                          "begin;copy to device;legendre;rings;copy to host;");
    heard[0] = 0;
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL));
    assert_string_equal(heard, "");
    plans_close(&p);
}

/* Numbers of a chain, one behind the other, all differ; none gets large. */
static void chains_do_not_settle(void **state)
{
    (void)state;
    enum { STEPS = 20000, LAST = 500 };
    static double late[LAST];
    double x = 3.1;
    for (int i = 0; i < STEPS; i++) {
        x = fma(x, GPU_PEAK_FACTOR, GPU_PEAK_ADDEND);
        if (i >= STEPS - LAST) late[i - (STEPS - LAST)] = x;
    }
    for (int i = 0; i < LAST; i++) {
        assert_true(fabs(late[i]) < 10);
        for (int j = 0; j < i; j++) assert_true(late[i] != late[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_are_heard_in_sequence),
        cmocka_unit_test(batches_are_heard),
        cmocka_unit_test(chains_do_not_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
