/* Redistributions over ranks that are threads: every number arrives where it is wanted, on any
 * number of ranks, with late messages, and a failure on one rank is the failure of all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "ranks/moves.h"
#include "ranks/moves/redistribution.h"
#include "ranks/thread_transport.h"

static int run_one(const armilla_transport *transport, void *context)
{
    const ranks_move *move = context;
    return move->run(transport);
}

static void check_moves(int64_t nranks, unsigned delays)
{
    const ranks_threads_options options = {.nranks = nranks, .delays = delays};
    for (const ranks_move *move = ranks_moves; move->name; move++)
        assert_int_equal(ranks_run_threads(&options, run_one, (void *)move), 0);
}

static void numbers_arrive_on_any_number_of_ranks(void **state)
{
    static const int64_t nranks[] = {1, 2, 3, 5, 8};
    (void)state;
    for (size_t i = 0; i < sizeof nranks / sizeof *nranks; i++) check_moves(nranks[i], 0);
}

static void messages_may_be_late(void **state)
{
    (void)state;
    check_moves(4, 30);
}

/* Each end joins what is together in its own array. */
static int join(const armilla_transport *t, void *context)
{
    const armilla_span from = {0, 10, 0}, to[] = {{0, 4, 0}, {4, 3, 4}, {7, 3, 8}};
    armilla_redistribution *r = NULL;
    (void)context;
    if (armilla_redistribution_new(t, 1, &from, 3, to, NULL, &r)) return 1;
    const int failed = r->out.count != 1 || r->in.count != 1 || r->out.streams[0].count != 1 ||
                       r->in.streams[0].count != 2 || r->in.streams[0].stretches[1].begin != 7;
    armilla_redistribution_free(r);
    return failed;
}

static void neighbours_are_one_stretch(void **state)
{
    const ranks_threads_options options = {.nranks = 1};
    (void)state;
    assert_int_equal(ranks_run_threads(&options, join, NULL), 0);
}

/* --- Memory of messages ---------------------------------------------------------------------- */

/* A transport that measures what goes through it. */
typedef struct {
    const armilla_transport *inner;
    int64_t most_sent, most_received; /* bytes at once */
    int exchanges, under_way, most_under_way;
} spy;

static int64_t sum_bytes(int64_t count, const armilla_message *messages)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) sum += messages[i].bytes;
    return sum;
}

static int spy_start(void *context, int slot, int64_t nsends, const armilla_message *sends,
                     int64_t nreceives, const armilla_message *receives)
{
    spy *s = context;
    const int64_t sent = sum_bytes(nsends, sends), received = sum_bytes(nreceives, receives);
    if (sent > s->most_sent) s->most_sent = sent;
    if (received > s->most_received) s->most_received = received;
    s->exchanges++;
    if (++s->under_way > s->most_under_way) s->most_under_way = s->under_way;
    return s->inner->start(s->inner->context, slot, nsends, sends, nreceives, receives);
}

static int spy_wait(void *context, int slot)
{
    spy *s = context;
    s->under_way--;
    return s->inner->wait(s->inner->context, slot);
}

static int spy_largest(void *context, int64_t count, int64_t *values)
{
    spy *s = context;
    return s->inner->largest(s->inner->context, count, values);
}

enum { NUMBERS = 1000, ARRAYS = 3, CHUNK = 4000 };

/* All ranks give NUMBERS doubles to rank 0. Returned: what was wrong, by bits. */
static int gather_in_chunks(const armilla_transport *inner, void *context)
{
    spy s = {.inner = inner};
    armilla_transport t = *inner;
    const armilla_span from = {NUMBERS * t.rank, NUMBERS, 0}, to = {0, NUMBERS * t.nranks, 0};
    const int64_t others = t.nranks - 1, each = CHUNK / others / 8, all = NUMBERS * ARRAYS;
    armilla_redistribution_options options;
    armilla_redistribution *r = NULL;
    double *source = calloc((size_t)all, 8), *target = calloc((size_t)(t.nranks * all), 8);
    (void)context;
    armilla_redistribution_options_init(&options);
    options.chunk_bytes = CHUNK;
    t.context = &s, t.start = spy_start, t.wait = spy_wait, t.largest = spy_largest;
    t.poke = NULL;
    int failed = !source || !target ||
                 armilla_redistribution_new(&t, 1, &from, t.rank == 0, &to, &options, &r);
    s.most_sent = s.most_received = s.exchanges = s.most_under_way = 0;
    failed |= armilla_redistribution_run(r, 8, ARRAYS, source, 0, target, 0) != ARMILLA_OK;
    failed |= (s.most_sent != (t.rank ? 8 * each : 0)) << 1;
    failed |= (s.most_received != (t.rank ? 0 : 8 * each * others)) << 2;
    failed |= (s.most_under_way != ARMILLA_TRANSPORT_SLOTS || s.under_way != 0) << 3;
    failed |= (s.exchanges != (all + each - 1) / each) << 4;
    armilla_redistribution_free(r);
    free(source);
    free(target);
    return failed;
}

static void messages_keep_to_the_budget(void **state)
{
    const ranks_threads_options options = {.nranks = 5};
    (void)state;
    assert_int_equal(ranks_run_threads(&options, gather_in_chunks, NULL), 0);
}

/* --- Failures -------------------------------------------------------------------------------- */

/* All numbers of all ranks go to all ranks. Returned: 0, 1 for the status that context says, or 2.
 */
static int broadcast(const armilla_transport *t, void *context)
{
    const armilla_span from = {3 * t->rank, 3, 0}, to = {0, 3 * t->nranks, 0};
    double source[3] = {1, 2, 3}, target[24] = {0};
    armilla_redistribution *r = NULL;
    armilla_status status = armilla_redistribution_new(t, 1, &from, 1, &to, NULL, &r);
    if (!status) status = armilla_redistribution_run(r, 8, 1, source, 0, target, 0);
    if (status && target[0] != 0) status = ARMILLA_ERROR_INTERNAL;
    armilla_redistribution_free(r);
    if (!status) return target[3 * t->nranks - 1] == 3 ? 0 : 2;
    return status == *(armilla_status *)context ? 1 : 2;
}

/* Whichever allocation fails on whichever rank, no rank goes on. */
static void memory_may_be_short(void **state)
{
    armilla_status status = ARMILLA_ERROR_MEMORY;
    const ranks_threads_options options = {.nranks = 3};
    int64_t n = 0, failed = 3;
    (void)state;
    for (; failed; n++) {
        armilla_memory_fail_after(n);
        failed = ranks_run_threads(&options, broadcast, &status);
        armilla_memory_fail_after(-1);
        assert_true(failed == 0 || failed == 3);
    }
    assert_true(n > 60);
}

/* A single rank, since others would wait for one whose transport has failed. */
static void the_transport_may_fail(void **state)
{
    armilla_status status = ARMILLA_ERROR_TRANSPORT;
    ranks_threads_options options = {.nranks = 1, .fails_at = 1};
    (void)state;
    while (ranks_run_threads(&options, broadcast, &status) == 1) options.fails_at++;
    assert_true(options.fails_at > 10);
    assert_int_equal(ranks_run_threads(&options, broadcast, &status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_arrive_on_any_number_of_ranks),
        cmocka_unit_test(messages_may_be_late),
        cmocka_unit_test(neighbours_are_one_stretch),
        cmocka_unit_test(messages_keep_to_the_budget),
        cmocka_unit_test(memory_may_be_short),
        cmocka_unit_test(the_transport_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
