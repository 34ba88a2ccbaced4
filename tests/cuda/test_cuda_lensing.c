/* Lensed maps on a GPU: both operators are the processor's on every kind of grid, and the same bits
 * in any sequence of threads and wherever arrays are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/lensing_scene.h"

enum { LAUNCHES = 26 };

/* With both arrays in device memory; places that are no pixels are 7 before. */
static void run_there(const pair *p, int way, double *out)
{
    const int64_t count = lensing_outputs(p, way);
    double *in = to_device(lensing_input(p, way), 8 * lensing_outputs(p, !way));
    for (int64_t i = 0; i < count; i++) out[i] = 7;
    double *there = to_device(out, 8 * count);
    check_ok(run(p->gpu, way, in, there, NULL));
    from_device(out, there, 8 * count);
    cudaFree(in), cudaFree(there);
}

/* --- Results ---------------------------------------------------------------------------------- */

static void check_pair(const pair *p, const char *what)
{
    for (int way = 0; way < 2; way++) {
        const int64_t count = lensing_outputs(p, way);
        for (int64_t i = 0; i < count; i++) p->wanted[i] = p->made[i] = 7;
        check_ok(run(p->s.lensing, way, lensing_input(p, way), p->wanted, NULL));
        check_ok(run(p->gpu, way, lensing_input(p, way), p->made, NULL));
        check_at_most(relative_error(count, p->wanted, p->made), BOUND, "%s, way %d", what, way);
        run_there(p, way, p->wanted);
        assert_memory_equal(p->wanted, p->made, 8 * (size_t)count);
    }
}

/* Arrays on the host, then on the device; what is no pixel stays as it is. */
static void results_are_the_processors(void **state)
{
    (void)state;
    for (int kind = 0; kind < GRIDS; kind++)
        for (int c = 0; c < CASES; c++) {
            char what[40];
            pair p = pair_open(kind, &cases[c], kind % 2 ? 0.1 : 1);
            snprintf(what, sizeof what, "grid %d, case %d", kind, c);
            check_pair(&p, what);
            pair_close(&p);
        }
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

/* Coefficients on either side, of potentials or of their vector field, with a curl or none. */
static void deflections_of_every_kind(void **state)
{
    (void)state;
    for (int way = 0; way < 8; way++) {
        pair p = pair_open(way % 2, &cases[1], 0.3);
        armilla_deflection *d = &p.s.deflection;
        double *vectors = new_vectors(p.s.potentials), *there = NULL;
        const int64_t size = 2 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
        const double *values = way / 4 ? vectors : p.s.potentials;
        if (way / 4) d->kind = ARMILLA_DEFLECTION_VECTOR;
        d->gradient = values, d->curl = way / 2 % 2 ? values + size : NULL;
        armilla_lensing_free(p.s.lensing), armilla_lensing_free(p.gpu);
        check_ok(
            armilla_lensing_new(p.s.grid, d, p.s.c.lmax, p.s.c.mmax, &p.s.options, &p.s.lensing));
        if (way % 2) {
            there = to_device(values, 16 * size);
            d->gradient = there, d->curl = d->curl ? there + size : NULL;
        }
        check_ok(new_on_gpu(&p.s, &p.gpu));
        check_pair(&p, "deflection");
        if (there) cudaFree(there);
        free(vectors);
        pair_close(&p);
    }
}

static void angles_are_the_processors(void **state)
{
    (void)state;
    for (int kind = 0; kind < GRIDS; kind++) {
        pair p = pair_open(kind, &cases[0], 1);
        const int64_t npix = armilla_grid_npix(p.s.grid);
        double *wanted = checked_calloc(3 * npix, 8), *made = checked_calloc(3 * npix, 8);
        check_ok(armilla_lensing_angles(p.s.lensing, wanted, wanted + 2 * npix));
        check_ok(armilla_lensing_angles(p.gpu, made, NULL));
        check_ok(armilla_lensing_angles(p.gpu, NULL, made + 2 * npix));
        for (int64_t i = 0; i < 3 * npix; i++)
            check_at_most(fabs(sin(0.5 * (wanted[i] - made[i]))), 1e-12, "grid %d, %d", kind,
                          (int)i);
        free(wanted), free(made);
        pair_close(&p);
    }
}

/* Polarisation beside temperature: directions are shared, whichever is freed first. */
static void a_plan_beside_another(void **state)
{
    (void)state;
    pair p = pair_open(0, &cases[0], 0.2), q = pair_open(0, &cases[1], 0.2);
    const armilla_points_options options = gpu_options(&q.s);
    armilla_lensing *beside;
    check_ok(armilla_lensing_new_beside(p.gpu, q.s.c.lmax, q.s.c.mmax, &options, &beside));
    check_ok(run(q.gpu, 0, q.s.alm, q.wanted, NULL));
    armilla_lensing_free(q.gpu), armilla_lensing_free(p.gpu);
    p.gpu = NULL, q.gpu = beside;
    check_ok(run(beside, 0, q.s.alm, q.made, NULL));
    assert_memory_equal(q.wanted, q.made, 8 * (size_t)q.nmap);
    pair_close(&p);
    pair_close(&q);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

/* --- Arrays, bits, launches ------------------------------------------------------------------- */

static void no_sequence_of_threads_changes_bits(void **state)
{
    (void)state;
    for (int order = 1; order < 3; order++) {
        pair p = pair_open(1, &cases[1], 0.3);
        for (int way = 0; way < 2; way++) {
            armilla_lensing *other;
            run_there(&p, way, p.wanted);
            cuda_emulation_set_order((cuda_emulation_order)order, 3);
            check_ok(new_on_gpu(&p.s, &other));
            check_ok(run(other, way, lensing_input(&p, way), p.made, NULL));
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            armilla_lensing_free(other);
            assert_memory_equal(p.wanted, p.made, 8 * (size_t)lensing_outputs(&p, way));
        }
        pair_close(&p);
    }
}

/* With arrays of the device a call only puts work on the stream: nothing is there until somebody
 * waits. */
static void nothing_waits_for_arrays_of_the_device(void **state)
{
    (void)state;
    pair p = pair_open(0, &cases[1], 0.3);
    for (int way = 0; way < 2; way++) {
        const int64_t count = lensing_outputs(&p, way);
        check_ok(run(p.gpu, way, lensing_input(&p, way), p.wanted, NULL));
        memset(p.made, 0, 8 * (size_t)count);
        double *in = to_device(lensing_input(&p, way), 8 * lensing_outputs(&p, !way));
        double *out = to_device(p.made, 8 * count);
        cudaStream_t stream;
        armilla_exec exec;
        armilla_exec_init(&exec);
        assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        exec.stream = stream;
        cuda_emulation_set_deferred(1);
        cuda_emulation_launches();
        check_ok(run(p.gpu, way, in, out, &exec));
        assert_int_equal(cuda_emulation_launches(), 0);
        assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
        const int64_t launches = cuda_emulation_launches();
        cuda_emulation_set_deferred(0);
        assert_true(launches > 0 && launches <= LAUNCHES);
        if (getenv("ARMILLA_TEST_VERBOSE"))
            print_message("way %d: %d launches\n", way, (int)launches);
        from_device(p.made, out, 8 * count);
        assert_memory_equal(p.made, p.wanted, 8 * (size_t)count);
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
        cudaFree(in), cudaFree(out);
    }
    pair_close(&p);
}

/* A plan waits for what still writes its deflection, on whatever stream. */
static void coefficients_on_their_way(void **state)
{
    (void)state;
    pair p = pair_open(0, &cases[1], 0.3);
    const int64_t npix = armilla_grid_npix(p.s.grid), lmax = p.s.deflection.lmax;
    const size_t bytes = 16 * (size_t)armilla_alm_size(lmax, p.s.deflection.mmax);
    double *wanted = checked_malloc(2 * npix, 8), *made = checked_malloc(2 * npix, 8);
    double *const gradient = (double *)(uintptr_t)p.s.deflection.gradient;
    double *late = checked_calloc((int64_t)bytes / 8, 8), *there = to_device(late, (int64_t)bytes);
    cudaStream_t stream;
    armilla_lensing *lensing;
    check_ok(armilla_lensing_angles(p.gpu, wanted, NULL));
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    cuda_emulation_set_deferred(1);
    assert_int_equal(cudaMemcpyAsync(there, gradient, bytes, cudaMemcpyHostToDevice, stream),
                     cudaSuccess);
    p.s.deflection.gradient = there;
    check_ok(new_on_gpu(&p.s, &lensing));
    cuda_emulation_set_deferred(0);
    check_ok(armilla_lensing_angles(lensing, made, NULL));
    assert_memory_equal(made, wanted, 16 * (size_t)npix);
    armilla_lensing_free(lensing);
    p.s.deflection.gradient = gradient;
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    cudaFree(there), free(late), free(wanted), free(made);
    pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_processors),
        cmocka_unit_test(deflections_of_every_kind),
        cmocka_unit_test(coefficients_on_their_way),
        cmocka_unit_test(angles_are_the_processors),
        cmocka_unit_test(a_plan_beside_another),
        cmocka_unit_test(no_sequence_of_threads_changes_bits),
        cmocka_unit_test(nothing_waits_for_arrays_of_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
