/* Checks which rings go in lanes, that plans of lanes survive failing allocations, and that
 * choices by name are followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "forced_lanes.h"
#include "base/memory.h"
#include "ringfft/dispatch.h"
#include "ringfft/lanes.h"
#include <math.h>

static int fits(const armilla_ringfft *ringfft, armilla_ring_pair pair)
{
    return armilla_lanes_take(ringfft, &pair);
}

/* Do all pairs of two rings of n samples, with orders up to mmax? */
static int all_fit(armilla_isa isa, int64_t n, int64_t mmax)
{
    const armilla_ring rings[2] = {{1, n, 0, 0, 1, 1}, {1, n, 0, n, 1, 1}};
    armilla_ringfft *ringfft;
    assert_int_equal(
        armilla_ringfft_new(&(armilla_ringfft_problem){armilla_machine_with(isa), 2, rings, mmax, 0,
                                                       forced_lanes(&(armilla_forced){.count = 0}),
                                                       NULL, 0},
                            &ringfft),
        ARMILLA_OK);
    const int all = fits(ringfft, (armilla_ring_pair){0, 1, mmax});
    assert_int_equal(ringfft->lanes.all_fit, all);
    armilla_ringfft_free(ringfft);
    return all;
}

/* orders: below this one all fit on rings of n samples */
static void check_orders(armilla_isa isa, int64_t n, int64_t orders)
{
    assert_int_equal(all_fit(isa, n, orders - 1), isa != ARMILLA_ISA_SCALAR);
    assert_false(all_fit(isa, n, orders));
}

static void orders_beyond_the_limit_are_refused(void **state)
{
    (void)state;
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    check_orders(isa, 128, 128);
    check_orders(isa, 225, 113);
}

/* Only rings without a shift, or with the commonest one, without gaps, and of the greatest length.
 */
static void other_rings_are_refused(void **state)
{
    (void)state;
    const armilla_ring ring = {1, 128, 0, 0, 1, 1};
    const armilla_ring seconds[] = {
        ring, {1, 128, 0.1, 0, 1, 1}, {1, 128, 0, 0, 2, 1}, {1, 120, 0, 0, 1, 1}};
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    for (int kind = 0; kind < 4 && isa != ARMILLA_ISA_SCALAR; kind++) {
        const armilla_ring rings[2] = {ring, seconds[kind]};
        armilla_ringfft *ringfft;
        assert_int_equal(
            armilla_ringfft_new(
                &(armilla_ringfft_problem){armilla_machine_with(isa), 2, rings, 9, 0,
                                           forced_lanes(&(armilla_forced){.count = 0}), NULL, 0},
                &ringfft),
            ARMILLA_OK);
        assert_true(fits(ringfft, (armilla_ring_pair){0, 0, 9}));
        assert_int_equal(fits(ringfft, (armilla_ring_pair){0, 1, 9}), kind == 0);
        assert_int_equal(ringfft->lanes.all_fit, kind == 0);
        armilla_ringfft_free(ringfft);
    }
}

/* A plan takes that of the shifts by 1 and 3 half pixels which more neighbours have. */
static void one_shift_is_accepted(void **state)
{
    (void)state;
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    for (int64_t n = 128; n < 130 && isa != ARMILLA_ISA_SCALAR; n++) {
        const int64_t shift[4] = {0, 1, 1, 3};
        armilla_ring rings[4];
        armilla_ringfft *ringfft;
        for (int64_t i = 0; i < 4; i++)
            rings[i] = (armilla_ring){1, n, M_PI * (double)shift[i] / (double)n, n * i, 1, 1};
        assert_int_equal(
            armilla_ringfft_new(
                &(armilla_ringfft_problem){armilla_machine_with(isa), 4, rings, 9, 0,
                                           forced_lanes(&(armilla_forced){.count = 0}), NULL, 0},
                &ringfft),
            ARMILLA_OK);
        assert_true(fits(ringfft, (armilla_ring_pair){0, 0, 9}));
        assert_int_equal(fits(ringfft, (armilla_ring_pair){1, 2, 9}), n % 2 == 0);
        assert_false(fits(ringfft, (armilla_ring_pair){0, 3, 9}));
        armilla_ringfft_free(ringfft);
    }
}

static void check_too_short(armilla_isa isa, int64_t length)
{
    const armilla_ring ring = {1, length, 0, 0, 1, 1};
    armilla_ringfft *ringfft;
    assert_int_equal(
        armilla_ringfft_new(&(armilla_ringfft_problem){armilla_machine_with(isa), 1, &ring, 2, 0,
                                                       forced_lanes(&(armilla_forced){.count = 0}),
                                                       NULL, 0},
                            &ringfft),
        ARMILLA_OK);
    assert_int_equal(armilla_ringfft_lanes(ringfft), 0);
    armilla_ringfft_free(ringfft);
}

/* Rings with a shift each. Short rings do not fill a block of samples. */
static void lanes_only_where_they_can_be_used(void **state)
{
    (void)state;
    armilla_ring rings[4];
    armilla_ringfft *ringfft;
    for (int64_t i = 0; i < 4; i++)
        rings[i] = (armilla_ring){1, 256, M_PI * (double)i / 256, 256 * i, 1, 1};
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) {
        if (!armilla_isa_usable((armilla_isa)isa)) continue;
        assert_int_equal(
            armilla_ringfft_new(&(armilla_ringfft_problem){armilla_machine_with((armilla_isa)isa),
                                                           4, rings, 20, 0, NULL, NULL, 0},
                                &ringfft),
            ARMILLA_OK);
        assert_int_equal(armilla_ringfft_lanes(ringfft), 0);
        armilla_ringfft_free(ringfft);
        check_too_short((armilla_isa)isa, 6);
        check_too_short((armilla_isa)isa, 7);
    }
}

static void fail_allocations(armilla_isa isa, int64_t length)
{
    const armilla_ring ring = {1, length, 0.3, 0, 1, 1}; /* no lanes by choice */
    armilla_ringfft *ringfft = NULL;
    for (int64_t n = 0;; n++) {
        armilla_memory_fail_after(n);
        armilla_status status = armilla_ringfft_new(
            &(armilla_ringfft_problem){armilla_machine_with(isa), 1, &ring, 20, 0,
                                       forced_lanes(&(armilla_forced){.count = 0}), NULL, 0},
            &ringfft);
        armilla_memory_fail_after(-1);
        if (status == ARMILLA_OK) break;
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_null(ringfft);
    }
    assert_int_equal(armilla_ringfft_lanes(ringfft) > 0, isa != ARMILLA_ISA_SCALAR);
    armilla_ringfft_free(ringfft);
}

/* Halves, direct sums, a convolution; odd lengths. */
static void failing_allocations_are_reported(void **state)
{
    (void)state;
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    fail_allocations(isa, 256);
    fail_allocations(isa, 722);
    fail_allocations(isa, 1042);
    fail_allocations(isa, 225);
    fail_allocations(isa, 1101);
}

/* Too few rings for lanes, and an odd length that would be a convolution without need: alone.
 * Vectors of four lanes have room for it in the cache, and need no halves. */
static void rings_that_gain_nothing_stay_alone(void **state)
{
    (void)state;
    enum { MOST = 64 };
    static const struct {
        int64_t n, nrings;
        int lanes;
    } cases[] = {{722, MOST, 1}, {722, 2, 0},    {361, MOST, 1},      {361, 4, 0},
                 {343, MOST, 0}, {175, MOST, 1}, {175 * 17, MOST, 1}, {81, MOST, 1}};
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        armilla_ring rings[MOST];
        armilla_ringfft *ringfft;
        const int64_t n = cases[c].n;
        for (int64_t i = 0; i < cases[c].nrings; i++)
            rings[i] = (armilla_ring){1, n, 0, n * i, 1, 1};
        assert_int_equal(armilla_ringfft_new(&(armilla_ringfft_problem){armilla_machine_with(isa),
                                                                        cases[c].nrings, rings,
                                                                        n / 3, 0, NULL, NULL, 0},
                                             &ringfft),
                         ARMILLA_OK);
        const int64_t together = armilla_ringfft_lanes(ringfft);
        const int lanes = armilla_ring_kernels_find(isa)->lanes;
        const int fit = cases[c].lanes || (n == 343 && lanes == 4);
        if (!fit) assert_int_equal(together, 0);
        if (fit && lanes >= 4) assert_true(together >= 2);
        armilla_ringfft_free(ringfft);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_beyond_the_limit_are_refused),
        cmocka_unit_test(other_rings_are_refused),
        cmocka_unit_test(one_shift_is_accepted),
        cmocka_unit_test(lanes_only_where_they_can_be_used),
        cmocka_unit_test(failing_allocations_are_reported),
        cmocka_unit_test(rings_that_gain_nothing_stay_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
