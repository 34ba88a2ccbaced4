/* Runs what ranks do again and again, while one allocation or one call of the transport after the
 * other fails, and looks at the statuses of all ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include "ranks/failures.h"
#include "ranks/thread_transport.h"

enum { MOST_RANKS = 8 };

/* From one failure to the next: under a sanitizer, or where tests are quick, some are left out. */
static int64_t step(void)
{
    return checks_quick() ? 5 : 1;
}

typedef struct {
    ranks_life life;
    void *context;
    _Atomic int statuses[MOST_RANKS];
} village;

static int live(const armilla_transport *transport, void *context)
{
    village *v = context;
    v->statuses[transport->rank] = (int)v->life(transport, v->context);
    return 0;
}

static int live_broken(const armilla_transport *transport, void *context)
{
    const village *v = context;
    live(transport, context);
    return v->statuses[transport->rank] != ARMILLA_OK &&
           v->statuses[transport->rank] != ARMILLA_ERROR_TRANSPORT;
}

int64_t ranks_check_memory(int64_t nranks, ranks_life life, void *context)
{
    const ranks_threads_options options = {.nranks = nranks};
    village v = {.life = life, .context = context};
    int64_t failures = 0;
    assert_true(nranks <= MOST_RANKS);
    for (int done = 0; !done;) {
        armilla_memory_fail_after(failures);
        ranks_run_threads(&options, live, &v);
        armilla_memory_fail_after(-1);
        done = v.statuses[0] == ARMILLA_OK;
        for (int rank = 0; rank < nranks; rank++) assert_int_equal(v.statuses[rank], v.statuses[0]);
        if (!done) assert_int_equal(v.statuses[0], ARMILLA_ERROR_MEMORY), failures += step();
    }
    return failures;
}

int64_t ranks_check_messages(int64_t nranks, ranks_life life, void *context)
{
    ranks_threads_options options = {.nranks = nranks, .fails_at = 1};
    village v = {.life = life, .context = context};
    assert_true(nranks <= MOST_RANKS);
    for (;; options.fails_at += step()) {
        assert_int_equal(ranks_run_threads(&options, live_broken, &v), 0);
        if (v.statuses[nranks - 1] == ARMILLA_OK) break;
    }
    return options.fails_at;
}

int ranks_have_scalar_set(void)
{
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    return isa == ARMILLA_ISA_SCALAR;
}
