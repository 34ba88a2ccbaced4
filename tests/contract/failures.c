/* The properties of the contract that disturb calls: by cancelling, by memory that is not there, by
 * missing values, by the capture of a stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/properties.h"

#include "armilla/io.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 81, GAP = 3 };

/* Several GPUs have several transforms each. */
static int64_t transforms_at(const contract_cell *cell)
{
    return contract_at_once(cell, cell->place == CONTRACT_GPUS ? 4 : 1);
}

/* --- Progress -------------------------------------------------------------------------------- */

/* Runs: plain; cancelled by the first report; plain; cancelled in the middle; plain. */
static void check_cancelled(const contract_cell *cell, int call, int middle)
{
    contract_script s = contract_script_of(cell);
    const int64_t ntrans = transforms_at(cell);
    double *in = contract_random(cell->op, cell->op->calls[call].in, ntrans, SEED);
    for (int i = 0; i < 5; i++) {
        contract_run *run = contract_add(&s, call, in);
        run->ntrans = ntrans;
        run->watched = i % 2, run->stop = i == 1 ? 1 : middle;
    }
    contract_check(&s);
    for (int i = 0; i < 5; i++)
        contract_check_status(&s, i, i % 2 ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK,
                              i % 2 ? "progress" : "");
    contract_check_same(&s, 2, &s, 0, 0, "after a call that was cancelled");
    contract_check_same(&s, 4, &s, 0, 0, "after a call that was cancelled");
    contract_clear(&s);
    free(in);
}

/* Reports of a call that is not cancelled. Several GPUs are heard as it happens. */
static int count_reports(const contract_cell *cell, int call)
{
    contract_script s = contract_script_of(cell);
    double *in = contract_random(cell->op, cell->op->calls[call].in, 1, SEED);
    contract_add(&s, call, in)->watched = 1;
    contract_check_ok(&s);
    contract_clear(&s);
    free(in);
    return cell->place == CONTRACT_GPUS ? 1 : s.runs[0].reports;
}

void contract_cancelled(const contract_cell *cell)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++)
        check_cancelled(cell, i, (count_reports(cell, i) + 1) / 2);
}

static int processes_of(contract_place place)
{
    return contract_has_ranks(place) ? CONTRACT_RANKS : 1;
}

static void check_progress(const contract_cell *cell, int call, int64_t ntrans)
{
    contract_script s = contract_script_of(cell);
    double *in = contract_random(cell->op, cell->op->calls[call].in, ntrans, SEED);
    contract_add(&s, call, in)->ntrans = ntrans;
    contract_run *run = contract_add(&s, call, in);
    run->watched = 1, run->ntrans = ntrans;
    contract_check_ok(&s);
    if (!run->reports) fail_msg("%s: no report", cell->op->calls[call].name);
    if (!run->ends && !cell->op->stops)
        fail_msg("%s: none of %d reports says 1", cell->op->calls[call].name, run->reports);
    if (run->reports > 8 && run->ends > run->reports / 2 * processes_of(cell->place))
        fail_msg("%s: %d of %d reports say 1", cell->op->calls[call].name, run->ends, run->reports);
    contract_check_same(&s, 1, &s, 0, 0, "with a progress function");
    contract_clear(&s);
    free(in);
}

void contract_progress(const contract_cell *cell)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++)
        check_progress(cell, i, 1), check_progress(cell, i, contract_at_once(cell, 2));
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* What fails: allocations, or all calls of CUDA, those that free among them. */
typedef struct {
    int64_t (*after)(int64_t);
    int of_calls;
} failing;

static void check_status(const contract_script *s, int of_calls)
{
    const armilla_status status = s->status ? s->status : s->runs[0].status;
    const int fair = !status || status == ARMILLA_ERROR_MEMORY ||
                     (of_calls && status == ARMILLA_ERROR_UNSUPPORTED);
    if (!fair)
        fail_msg("failure %d: status %d: %s", (int)s->failing, (int)status,
                 s->status ? s->message : s->runs[0].message);
    if (!s->status && s->runs[1].made && s->runs[1].status)
        fail_msg("failure %d, the next call: %s", (int)s->failing, s->runs[1].message);
}

/* A plan and a call, during which number n fails; then the call once more. What is no error has the
 * right numbers, those of `whole`. Returned: was there an error? */
static int try_once(const contract_cell *cell, failing f, int64_t n, const contract_script *whole)
{
    const contract_run *run = &whole->runs[0];
    contract_script s = contract_script_of(cell);
    s.fail_after = f.after, s.failing = n, s.breaks = f.of_calls;
    contract_add(&s, run->call, run->in)->ntrans = run->ntrans;
    contract_add(&s, run->call, run->in)->ntrans = run->ntrans;
    s.runs[1].optional = 1;
    contract_check(&s);
    check_status(&s, f.of_calls);
    const int failed = s.status || s.runs[0].status;
    if (!failed) contract_check_same(&s, 0, whole, 0, 0, "an allocation failed");
    if (s.runs[1].made) contract_check_same(&s, 1, whole, 0, 0, "after an allocation failed");
    contract_clear(&s);
    return failed;
}

/* At most so many of them fail, evenly spread, and the last one, which is the call's. */
static void check_failures(const contract_cell *cell, int call, failing f, int64_t most)
{
    const int64_t ntrans = transforms_at(cell);
    double *in = contract_random(cell->op, cell->op->calls[call].in, ntrans, SEED);
    contract_script whole = contract_script_of(cell);
    contract_add(&whole, call, in)->ntrans = ntrans;
    whole.fail_after = f.after;
    contract_check_ok(&whole);
    const int64_t step = whole.asked / most + 1;
    int64_t failures = 0, tries = 1;
    for (int64_t n = call % step; n < whole.asked - 1; n += step, tries++)
        failures += try_once(cell, f, n, &whole);
    failures += try_once(cell, f, whole.asked - 1, &whole);
    if (2 * failures + 4 < tries) /* some need not succeed */
        fail_msg("%s: only %d of %d failures are errors", cell->op->calls[call].name, (int)failures,
                 (int)tries);
    contract_clear(&whole);
    free(in);
}

/* All of them on the host, some elsewhere: most of the first call's. */
static int64_t most_of(const contract_cell *cell, int call)
{
    if (checks_quick()) return 4;
    if (cell->place == CONTRACT_HOST) return 1000;
    if (contract_has_gpu(cell->place)) return call ? 2 : 8;
    return call ? 4 : 16;
}

static void check_calls(const contract_cell *cell, failing f)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++)
        check_failures(cell, i, f, most_of(cell, i));
}

void contract_memory_fails(const contract_cell *cell)
{
    check_calls(cell, (failing){armilla_memory_fail_after, 0});
}

void contract_device_memory_fails(const contract_cell *cell)
{
    check_calls(cell, (failing){contract_device.fail_after, 0});
}

void contract_device_calls_fail(const contract_cell *cell)
{
    check_calls(cell, (failing){contract_device.fail_call_after, 1});
}

/* --- Messages -------------------------------------------------------------------------------- */

/* Calls of the last rank's transport for a plan, and for a run of a call in addition. */
static int64_t count_messages(const contract_cell *cell, int call, const double *in, double **out)
{
    contract_script s = contract_script_of(cell);
    if (in) contract_add(&s, call, in);
    contract_check_ok(&s);
    if (out) *out = s.runs[0].out;
    return s.calls;
}

/* An error, or the right numbers. */
static void check_message(const contract_cell *cell, int call, const double *in, const double *out,
                          int64_t n)
{
    contract_script s = contract_script_of(cell);
    contract_add(&s, call, in);
    s.loses = n;
    contract_check(&s);
    const size_t bytes = 8 * (size_t)contract_count(&s, 0, 1);
    if (s.status && s.status != ARMILLA_ERROR_TRANSPORT)
        fail_msg("message %d: plan: %s", (int)n, s.message);
    if (s.runs[0].made && !s.runs[0].status && memcmp(s.runs[0].out, out, bytes) != 0)
        fail_msg("%s, message %d: no error, but other numbers", cell->op->calls[call].name, (int)n);
    contract_clear(&s);
}

/* Each call of the last rank's transport fails once, of a plan some. */
static void check_messages(const contract_cell *cell, int call, int64_t most)
{
    double *in = contract_random(cell->op, cell->op->calls[call].in, 1, SEED), *out;
    const int64_t plan = count_messages(cell, call, NULL, NULL);
    const int64_t all = count_messages(cell, call, in, &out);
    for (int64_t n = 1 + call; n <= plan; n += plan / most + 1)
        check_message(cell, call, in, out, n);
    for (int64_t n = plan; n <= all; n += checks_quick() || contract_has_gpu(cell->place) ? 5 : 1)
        check_message(cell, call, in, out, n);
    free(out);
    free(in);
}

void contract_messages_are_lost(const contract_cell *cell)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++) check_messages(cell, i, i ? 3 : 9);
}

/* --- Missing values -------------------------------------------------------------------------- */

/* The place of a number that exists, in the middle of the last component. */
static int64_t place_of_one(const contract_cell *cell, int side)
{
    armilla_grid *grid = cell->op->grid ? cell->op->grid() : NULL;
    const contract_site site = {.grid = grid};
    const contract_side *s = &cell->op->sides[side];
    contract_numbers n = contract_numbers_of(s, &site);
    const int64_t at = (s->ncomp - 1) * contract_size(s, grid) + n.whole[n.count / 2];
    contract_numbers_free(&n);
    armilla_grid_free(grid);
    return at;
}

/* Runs: all numbers are there, NaN, UNSEEN, and NaN that propagates. */
static contract_script script_of_marks(const contract_cell *cell, int number, int64_t gap)
{
    const contract_call *call = &cell->op->calls[number];
    const double marks[] = {0.5, (double)NAN, ARMILLA_UNSEEN, (double)NAN};
    const int64_t at = place_of_one(cell, call->in);
    contract_script s = contract_script_of(cell);
    double *in[4];
    for (int i = 0; i < 4; i++) {
        in[i] = contract_random(cell->op, call->in, 1, SEED);
        in[i][at] = marks[i];
        contract_run *run = contract_add(&s, number, in[i]);
        run->missing = i < 3 ? ARMILLA_MISSING_ERROR : ARMILLA_MISSING_PROPAGATE;
        run->gap = gap; /* which holds NaN */
    }
    contract_check(&s);
    for (int i = 0; i < 4; i++) free(in[i]);
    return s;
}

/* The words are those of the host, over ranks those of maps without gaps. */
static void check_missing(const contract_cell *cell, int number, contract_missing kind)
{
    const int no_nan = kind == CONTRACT_NO_NAN;
    const contract_cell host = {cell->op, CONTRACT_HOST};
    contract_script s = script_of_marks(cell, number, GAP);
    contract_script t = script_of_marks(&host, number, contract_has_ranks(cell->place) ? 0 : GAP);
    contract_check_status(&s, 0, ARMILLA_OK, "");
    contract_check_status(&s, 1, ARMILLA_ERROR_ARGUMENT, no_nan ? "" : "is missing, one of 1");
    contract_check_status(&s, 2, ARMILLA_ERROR_ARGUMENT, "is missing, one of 1");
    contract_check_status(&s, 3, no_nan ? ARMILLA_ERROR_ARGUMENT : ARMILLA_OK, "");
    for (int i = 0; i < 4; i++)
        if (s.runs[i].status && strcmp(s.runs[i].message, t.runs[i].message))
            fail_msg("'%s', on the host '%s'", s.runs[i].message, t.runs[i].message);
    contract_clear(&s);
    contract_clear(&t);
}

static void check_refused(const contract_cell *cell, int number)
{
    contract_script s = contract_script_of(cell);
    double *in = contract_random(cell->op, cell->op->calls[number].in, 1, SEED);
    contract_add(&s, number, in)->missing = ARMILLA_MISSING_ERROR;
    contract_add(&s, number, in);
    contract_check(&s);
    contract_check_status(&s, 0, ARMILLA_ERROR_UNSUPPORTED, "exec->missing");
    contract_check_status(&s, 1, ARMILLA_OK, "");
    contract_clear(&s);
    free(in);
}

void contract_missing_values_are_named(const contract_cell *cell)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++) {
        const contract_missing kind = cell->op->calls[i].missing;
        if (kind == CONTRACT_REFUSES)
            check_refused(cell, i);
        else if (kind != CONTRACT_UNREAD)
            check_missing(cell, i, kind);
    }
}

/* --- Capture --------------------------------------------------------------------------------- */

/* Runs: plain; captured with arrays of the GPU, with arrays of the host, with progress, with a look
 * at missing values; plain. */
static void check_capture(const contract_cell *cell, int number)
{
    const contract_missing missing = cell->op->calls[number].missing;
    const int waits = cell->op->waits || cell->place != CONTRACT_GPU;
    const armilla_status no =
        cell->place == CONTRACT_GPUS ? ARMILLA_ERROR_ARGUMENT : ARMILLA_ERROR_UNSUPPORTED;
    contract_script s = contract_script_of(cell);
    double *in = contract_random(cell->op, cell->op->calls[number].in, 1, SEED);
    for (int i = 0; i < 6; i++) contract_add(&s, number, in)->captured = i > 0 && i < 5;
    s.runs[2].on_host = 1, s.runs[3].watched = 1;
    s.runs[4].missing = missing == CONTRACT_LOOKED ? ARMILLA_MISSING_ERROR : 0;
    contract_check(&s);
    contract_check_status(&s, 0, ARMILLA_OK, "");
    contract_check_status(&s, 1, waits ? no : ARMILLA_OK, "");
    contract_check_status(&s, 2, no, "");
    contract_check_status(&s, 3, no, "");
    contract_check_status(&s, 4, waits || missing == CONTRACT_LOOKED ? no : ARMILLA_OK, "");
    contract_check_status(&s, 5, ARMILLA_OK, "");
    if (!waits) contract_check_same(&s, 1, &s, 0, 0, "by a graph");
    contract_check_same(&s, 5, &s, 0, 0, "after captures");
    contract_clear(&s);
    free(in);
}

void contract_capture(const contract_cell *cell)
{
    for (int i = 0; i < contract_ncalls(cell->op) && !cell->op->host_arrays; i++)
        check_capture(cell, i);
}
