/* The ring FFT stage leaves the same bits for any number of threads and whichever pairs are its
 * neighbours, and stops between two tasks when the call is cancelled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_ringfft_scene.h"

/* --- The same bits --------------------------------------------------------------------------- */

typedef struct {
    double *map;
    owned_leg legs[3]; /* by kind of orders */
} result;

static result run_both(bench *b, int parts)
{
    result r = {.map = NULL};
    fill_map(b, 0);
    synthesise(b, &b->pairs, parts);
    r.map = copy_map(b);
    fill_map(b, 31);
    for (armilla_orders kind = first_kind(parts); kind <= last_kind(parts); kind++) {
        r.legs[kind] = new_leg(b, &b->pairs, kind);
        run(b, &r.legs[kind], 0);
    }
    return r;
}

static void free_result(result *r, int parts)
{
    free(r->map);
    for (armilla_orders kind = first_kind(parts); kind <= last_kind(parts); kind++)
        free_leg(&r->legs[kind]);
}

static void check_same(const bench *b, int64_t set, int64_t m, int64_t pair, double *entry,
                       void *other)
{
    (void)b;
    assert_memory_equal(entry, entry_of(other, set, m, pair), 4 * sizeof *entry);
}

static void check_threads(bench *b)
{
    for (int parts = 0; parts < 2; parts++) {
        b->work.nthreads = 1;
        result one = run_both(b, parts);
        for (b->work.nthreads = 2; b->work.nthreads <= MOST_THREADS; b->work.nthreads++) {
            result more = run_both(b, parts);
            assert_memory_equal(one.map, more.map, sizeof(double) * (size_t)b->map_size);
            for (armilla_orders kind = first_kind(parts); kind <= last_kind(parts); kind++)
                each_entry(b, &one.legs[kind], check_same, &more.legs[kind]);
            free_result(&more, parts);
        }
        free_result(&one, parts);
    }
}

static void threads_leave_the_same_bits(void **state)
{
    (void)state;
    each_problem(check_threads);
}

/* A pair of some of the pairs, 3 pair + rest of all. */
typedef struct {
    int64_t rest;
    const owned_leg *all;
} third;

static void check_third(const bench *b, int64_t set, int64_t m, int64_t pair, double *entry,
                        void *data)
{
    const third *t = data;
    (void)b;
    assert_memory_equal(entry, entry_of(t->all, set, m, 3 * pair + t->rest), 4 * sizeof *entry);
}

/* Three legs, each of every third pair, against the leg of all. */
static void check_neighbours(bench *b)
{
    fill_map(b, 37);
    owned_leg all = new_leg(b, &b->pairs, ARMILLA_ORDERS_ALL);
    run(b, &all, 0);
    for (third t = {0, &all}; t.rest < 3; t.rest++) {
        armilla_ring_pairs pairs;
        check_ok(armilla_ring_pairs_take(&b->pairs, t.rest, 3, &pairs));
        owned_leg some = new_leg(b, &pairs, ARMILLA_ORDERS_ALL);
        run(b, &some, 0);
        each_entry(b, &some, check_third, &t);
        free_leg(&some);
        armilla_ring_pairs_clear(&pairs);
    }
    free_leg(&all);
}

static void set_third(const bench *b, int64_t set, int64_t m, int64_t pair, double *entry,
                      void *rest)
{
    set_entry(b, set, m, 3 * pair + *(int64_t *)rest, entry, NULL);
}

/* The same to maps: each leg writes its own rings. */
static void check_neighbours_to_maps(bench *b)
{
    fill_map(b, 0);
    synthesise(b, &b->pairs, 0);
    double *map = copy_map(b);
    fill_map(b, 0);
    for (int64_t rest = 0; rest < 3; rest++) {
        armilla_ring_pairs pairs;
        check_ok(armilla_ring_pairs_take(&b->pairs, rest, 3, &pairs));
        owned_leg some = new_leg(b, &pairs, ARMILLA_ORDERS_ALL);
        each_entry(b, &some, set_third, &rest);
        run(b, &some, 1);
        free_leg(&some);
        armilla_ring_pairs_clear(&pairs);
    }
    double *joined = copy_map(b);
    assert_memory_equal(map, joined, sizeof *map * (size_t)b->map_size);
    free(map), free(joined);
}

static void neighbours_do_not_matter(void **state)
{
    (void)state;
    each_problem(check_neighbours);
    each_problem(check_neighbours_to_maps);
}

/* --- Cancellation ---------------------------------------------------------------------------- */

typedef struct {
    armilla_progress *progress;
    int calls, stop_at;
} stopper;

/* Is called again at the next poll, however soon that is. */
static int stop_later(void *data, double fraction)
{
    stopper *s = data;
    (void)fraction;
    s->progress->last_report_s = -1;
    return ++s->calls >= s->stop_at;
}

/* 20 pairs in blocks of 10: tasks of 8, 2, 8 and 2 pairs. */
static void cancelled_calls_stop_between_tasks(void **state)
{
    (void)state;
    static const problem p = {EQUAL, 64, 31, 20, 0, 10, 1, 1, 0};
    static const int64_t pairs_before[5] = {0, 8, 10, 18, 20};
    for (int tasks = 0; tasks <= 4; tasks++) {
        bench b = set_up(&p, ARMILLA_ISA_SCALAR);
        stopper s = {&b.progress, 0, tasks + 1};
        armilla_progress_start(&b.progress, stop_later, &s, 1);
        b.progress.last_report_s = -1;
        fill_map(&b, 0);
        synthesise(&b, &b.pairs, 0);
        for (int64_t i = 0; i < b.nrings; i++) {
            const double sample = armilla_array_get(b.maps.values, b.rings[i].offset);
            assert_int_equal(sample != OTHER_SAMPLE, i / 2 < pairs_before[tasks]);
        }
        assert_int_equal(armilla_progress_status(&b.progress),
                         tasks < 4 ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
        tear_down(&b);
    }
}

static void nothing_is_done_without_pairs(void **state)
{
    (void)state;
    bench b = set_up(&problems[0], ARMILLA_ISA_SCALAR);
    const armilla_ring_pairs none = {.count = 0};
    fill_map(&b, 0);
    synthesise(&b, &none, 0);
    for (int64_t i = 0; i < b.map_size; i++)
        assert_true(armilla_array_get(b.maps.values, i) == OTHER_SAMPLE);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_leave_the_same_bits),
        cmocka_unit_test(neighbours_do_not_matter),
        cmocka_unit_test(cancelled_calls_stop_between_tasks),
        cmocka_unit_test(nothing_is_done_without_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
