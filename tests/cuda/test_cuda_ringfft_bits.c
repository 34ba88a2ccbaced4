/* The ring stage of the emulated GPU leaves the same bits in whichever sequence threads and blocks
 * run, at once or late, side by side with other calls, and in however many batches its scratch
 * makes it go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/integer.h"
#include "cuda/kernels/ringfft_kernels.h"
#include "cuda/test_cuda_ringfft_scene.h"
#include <pthread.h>

/* What a scene gives: the map, and the legs of all passes. */
typedef struct {
    void *map;
    double *legs[8];
} result;

static result run_both(const scene *s)
{
    result r = {.map = synthesise(s)};
    assert_true(s->passes.count <= 8);
    for (int64_t pass = 0; pass < s->passes.count; pass++) r.legs[pass] = analyse(s, pass, 37);
    return r;
}

static void free_result(const scene *s, result *r)
{
    free(r->map);
    for (int64_t pass = 0; pass < s->passes.count; pass++) armilla_release(r->legs[pass]);
}

/* Frees both results. NaN where there are no entries are the same bits as well. */
static void check_same(const scene *s, result *a, result *b)
{
    assert_memory_equal(a->map, b->map, map_bytes(s));
    for (int64_t pass = 0; pass < s->passes.count; pass++)
        assert_memory_equal(a->legs[pass], b->legs[pass],
                            sizeof(double) * (size_t)leg_size(s, pass));
    free_result(s, a), free_result(s, b);
}

/* --- Sequences ------------------------------------------------------------------------------- */

static result run_in_order(const scene *s, cuda_emulation_order order, uint64_t seed)
{
    cuda_emulation_set_order(order, seed);
    const result r = run_both(s);
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    return r;
}

static void check_orders(const ring_case *c, int64_t most, int single)
{
    ring_case of = *c;
    scene s;
    of.is_float |= single;
    set_up_in(&s, &of, most, single);
    s.float_leg = single;
    for (int order = 0; order < 3; order++) {
        result forward = run_both(&s);
        result other = run_in_order(&s, order ? CUDA_EMULATION_RANDOM : CUDA_EMULATION_REVERSED,
                                    (uint64_t)(5 + order));
        check_same(&s, &forward, &other);
    }
    tear_down(&s);
}

static void sequences_leave_the_same_bits(void **state)
{
    (void)state;
    for (int single = 0; single < 2; single++) {
        for (int i = 0; i < CASES; i++) check_orders(&cases[i], i % 2 ? 0 : PLENTY, single);
        check_orders(&every_way_in_passes, PLENTY, single);
    }
}

static void late_kernels_leave_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene s;
        set_up(&s, &cases[i], i % 2 ? PLENTY : 0);
        result now = run_both(&s);
        cuda_emulation_set_deferred(1);
        result late = run_both(&s);
        cuda_emulation_set_deferred(0);
        check_same(&s, &now, &late);
        tear_down(&s);
    }
}

/* --- Batches --------------------------------------------------------------------------------- */

/* The largest slot needs 16 bytes for each of 4 x 128 numbers, a quarter of that for its filter, as
 * many for the work area, and what aligns them. */
enum { ONE_SLOT = 16 * (512 + 128 + 512) + 1024 };

static void check_batches(const ring_case *c, int single)
{
    static const int64_t mosts[] = {1 << 16, 1 << 15, ONE_SLOT, 0};
    ring_case of = *c;
    of.is_float |= single;
    for (int i = 0; i < (int)(sizeof mosts / sizeof *mosts); i++) {
        scene s, some;
        set_up_in(&s, &of, PLENTY, single), set_up_in(&some, &of, mosts[i], single);
        result all = run_both(&s), batches = run_both(&some);
        check_same(&s, &all, &batches);
        const int64_t scratch = armilla_cuda_ringfft_scratch(some.cuda, c->nsets);
        assert_true(scratch <= (mosts[i] ? mosts[i] : ONE_SLOT));
        assert_true(armilla_cuda_ringfft_scratch(s.cuda, c->nsets) + /* filters, which it keeps */
                        armilla_cuda_ringfft_bytes(s.cuda) >=
                    scratch);
        tear_down(&s), tear_down(&some);
    }
}

static void batches_leave_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int single = 0; single < 2; single++) check_batches(&cases[i], single);
}

static void check_every_way(int single)
{
    static const int64_t mosts[] = {1 << 22, 1 << 19, 1 << 17};
    ring_case of = every_way;
    scene s;
    of.is_float = single, of.nsets = 3;
    set_up_in(&s, &of, PLENTY, single);
    for (int i = 0; i < 3; i++) {
        scene some;
        set_up_in(&some, &of, mosts[i], single);
        result all = run_both(&s), batches = run_both(&some);
        check_same(&s, &all, &batches);
        assert_true(armilla_cuda_ringfft_scratch(some.cuda, 3) <=
                    armilla_larger(mosts[i], armilla_cuda_ringfft_scratch(some.cuda, 1)));
        tear_down(&some);
    }
    tear_down(&s);
}

/* Sets go together where there is room, one by one else; filters are made or kept. */
static void every_way_leaves_the_same_bits(void **state)
{
    (void)state;
    check_every_way(0), check_every_way(1);
}

/* Filters that are kept are part of the stage's bytes; those that a call makes are launches. */
static void filters_are_kept_or_made(void **state)
{
    (void)state;
    scene s, made, both;
    set_up(&s, &cases[4], PLENTY), set_up(&made, &cases[4], 1 << 13);
    const int64_t kept = armilla_cuda_ringfft_bytes(s.cuda) - armilla_cuda_ringfft_bytes(made.cuda);
    /* rings of 44 and 52 samples, at length 128, with 11 and 13 chirps and roots in sixteens */
    assert_int_equal(kept, (2 * 128 + 32 + 32) * 16);
    set_up_in(&both, &cases[4], PLENTY, 1);
    /* in single precision as well; places of 14 smooth lengths in sixteens, and roots in eights */
    const int64_t tables = 4 * 8 + 4 * 16 + 3 * 24 + 3 * 32 + 112;
    assert_int_equal(armilla_cuda_ringfft_bytes(both.cuda) - armilla_cuda_ringfft_bytes(s.cuda),
                     kept / 2 + (ARMILLA_CUDA_RING_ROOTS + tables) * 8);
    tear_down(&s), tear_down(&made), tear_down(&both);
}

/* --- Side by side ---------------------------------------------------------------------------- */

enum { CALLERS = 3 };

static void *call(void *data)
{
    return synthesise(data);
}

/* Calls of several threads share the plans of cuFFT. */
static void calls_side_by_side_leave_the_same_bits(void **state)
{
    (void)state;
    pthread_t threads[CALLERS];
    scene s;
    set_up(&s, &every_way, 1 << 20);
    void *alone = synthesise(&s), *map;
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call, &s), 0);
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_join(threads[i], &map), 0);
        assert_memory_equal(map, alone, map_bytes(&s));
        free(map);
    }
    free(alone);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_leave_the_same_bits),
        cmocka_unit_test(late_kernels_leave_the_same_bits),
        cmocka_unit_test(batches_leave_the_same_bits),
        cmocka_unit_test(every_way_leaves_the_same_bits),
        cmocka_unit_test(filters_are_kept_or_made),
        cmocka_unit_test(calls_side_by_side_leave_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
