/* Checks the Legendre stage on the emulated GPU by itself: its bits, adjointness and errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/legendre_scene.h"

/* The bits of leg and alm, whatever sequence threads and blocks take. */
static uint64_t bits_of(const problem *p, cuda_emulation_order order, uint64_t seed)
{
    scene s;
    cuda_emulation_set_order(order, seed);
    scene_open(&s, p);
    const armilla_leg_layout *layout = &s.passes.layouts[0];
    armilla_leg leg = {layout, s.nsets, host_leg(&s, layout), NULL, 0};
    void *alm = random_values(&s);
    device_synthesis(&s, alm, &leg);
    uint64_t bits = checksum(leg.values, 8 * (size_t)(leg.nsets * layout->size));
    fill_leg(&leg, 3);
    device_analysis(&s, &leg, 0, alm, NULL);
    bits = 31 * bits + checksum(alm, (size_t)alm_bytes(&s));
    free(alm);
    armilla_release(leg.values);
    scene_close(&s);
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    return bits;
}

static void bits_do_not_depend_on_the_sequence_of_threads(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 90, .mmax = 90, .nrings = 150, .ntrans = 3},
        {.lmax = 90, .mmax = 90, .nrings = 280, .ntrans = 1, .spin = 2, .shape = "v2w4"},
        {.lmax = 60, .mmax = 60, .nrings = 130, .ntrans = 1, .spin = 4},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const uint64_t forward = bits_of(&problems[i], CUDA_EMULATION_FORWARD, 0);
        assert_int_equal(bits_of(&problems[i], CUDA_EMULATION_REVERSED, 0), forward);
        assert_int_equal(bits_of(&problems[i], CUDA_EMULATION_RANDOM, 7), forward);
        assert_int_equal(bits_of(&problems[i], CUDA_EMULATION_RANDOM, 8), forward);
    }
}

/* Inner product of two legs, entries that exist. */
static double dot_legs(const armilla_leg *a, const armilla_leg *b)
{
    const armilla_leg_block *block = a->layout->blocks;
    double sum = 0;
    for (int64_t i = 0; i < a->nsets * block->nrows * block->npairs * 4; i++) {
        const int64_t set = i / (block->nrows * block->npairs * 4);
        const int64_t row = i / (block->npairs * 4) % block->nrows, entry = i % (block->npairs * 4);
        if (a->layout->orders[row] > a->layout->pairs->limit[block->first + entry / 4]) continue;
        sum +=
            armilla_leg_row(a, block, set, row)[entry] * armilla_leg_row(b, block, set, row)[entry];
    }
    return sum;
}

/* (Y a, G) = (a, Y^T G), in plain inner products; a_l0 and what lies below the spin are 0 or real
 * in both. */
static void analysis_is_the_transpose_of_synthesis(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 90, .mmax = 90, .nrings = 150, .ntrans = 2},
        {.lmax = 90, .mmax = 90, .nrings = 150, .ntrans = 1, .spin = 2},
        {.lmax = 60, .mmax = 60, .nrings = 61, .ntrans = 1, .spin = 5},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        scene s;
        scene_open(&s, &problems[i]);
        const armilla_leg_layout *layout = &s.passes.layouts[0];
        armilla_leg image = {layout, s.nsets, host_leg(&s, layout), NULL, 0};
        armilla_leg given = {layout, s.nsets, host_leg(&s, layout), NULL, 0};
        double *alm = random_values(&s), *back = checked_calloc(alm_count(&s), sizeof *back);
        fill_leg(&given, 3);
        device_synthesis(&s, alm, &image);
        device_analysis(&s, &given, 0, back, NULL);
        double sum = 0;
        for (int64_t k = 0; k < alm_count(&s); k++) sum += alm[k] * back[k];
        const double expected = dot_legs(&image, &given);
        check_at_most(fabs(sum - expected) / sqrt((double)alm_count(&s)), 1e-12,
                      "problem %zu: %.17g, %.17g", i, sum, expected);
        free(alm);
        free(back);
        armilla_release(image.values);
        armilla_release(given.values);
        scene_close(&s);
    }
}

/* Every allocation of host or device fails in turn. */
static void failed_allocations_are_reported(void **state)
{
    (void)state;
    const problem p = {.lmax = 20, .mmax = 20, .nrings = 21, .ntrans = 1, .spin = 2};
    const armilla_cuda_precision in_double = {ARMILLA_CUDA_IN_DOUBLE, ARMILLA_CUDA_IN_DOUBLE};
    scene s;
    scene_open(&s, &p);
    armilla_cuda_legendre *cuda = NULL;
    for (int on_device = 0; on_device < 2; on_device++) {
        int64_t (*fail_after)(int64_t) =
            on_device ? cuda_emulation_fail_after : armilla_memory_fail_after;
        const int64_t live = cuda_emulation_live_bytes();
        fail_after(-1);
        check_ok(armilla_cuda_legendre_new(s.gpu, shape_of("v4w4"), in_double, NULL, &cuda));
        const int64_t count = fail_after(-1);
        armilla_cuda_legendre_free(cuda);
        assert_true(count >= (on_device ? 20 : 3));
        for (int64_t i = 0; i < count; i++) {
            fail_after(i);
            assert_int_equal(
                armilla_cuda_legendre_new(s.gpu, shape_of("v4w4"), in_double, NULL, &cuda),
                ARMILLA_ERROR_MEMORY);
            assert_int_equal(cuda_emulation_live_bytes(), live);
        }
        fail_after(-1);
    }
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_the_sequence_of_threads),
        cmocka_unit_test(analysis_is_the_transpose_of_synthesis),
        cmocka_unit_test(failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
