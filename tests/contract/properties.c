/* The properties of the contract that compare results: adjoints, several transforms in a call,
 * floats, threads, places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/properties.h"

#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 71, SEVERAL = 3, GAP = 3 };

int64_t contract_at_once(const contract_cell *cell, int64_t ntrans)
{
    return cell->op->one_by_one ? 1 : ntrans;
}

/* --- Scripts --------------------------------------------------------------------------------- */

contract_script contract_script_of(const contract_cell *cell)
{
    return (contract_script){.op = cell->op, .place = cell->place, .failing = -1};
}

contract_run *contract_add(contract_script *script, int call, const double *in)
{
    contract_run *run = &script->runs[script->count++];
    assert_true(script->count <= CONTRACT_RUNS);
    *run = (contract_run){.call = call, .nthreads = 1, .ntrans = 1, .in = in};
    return run;
}

static const char *name_of(const contract_script *script, int run)
{
    return script->op->calls[script->runs[run].call].name;
}

static int64_t device_bytes(void)
{
    return contract_device.live_bytes ? contract_device.live_bytes() : 0;
}

/* Whatever happens in a script, nothing is left of it. */
void contract_check(contract_script *script)
{
    const int64_t blocks = contract_blocks(), bytes = device_bytes();
    contract_perform(script);
    if (contract_blocks() != blocks)
        fail_msg("failure %d: %d blocks of memory are not released", (int)script->failing,
                 (int)(contract_blocks() - blocks));
    if (device_bytes() != bytes) fail_msg("memory of a GPU is not released");
    for (int i = 0; i < script->count; i++)
        if (script->runs[i].damage)
            fail_msg("%s, run %d: %s", name_of(script, i), i, script->runs[i].damage);
}

void contract_check_ok(contract_script *script)
{
    contract_check(script);
    if (script->status) fail_msg("plan: %s", script->message);
    for (int i = 0; i < script->count; i++)
        if (script->runs[i].status || !script->runs[i].made)
            fail_msg("%s, run %d: %s", name_of(script, i), i, script->runs[i].message);
}

void contract_clear(contract_script *script)
{
    for (int i = 0; i < script->count; i++) free(script->runs[i].out);
}

int64_t contract_count(const contract_script *script, int run, int of_output)
{
    const contract_operation *op = script->op;
    const contract_call *call = &op->calls[script->runs[run].call];
    const contract_side *side = &op->sides[of_output ? call->out : call->in];
    armilla_grid *grid = op->grid ? op->grid() : NULL;
    const int64_t size = contract_size(side, grid);
    armilla_grid_free(grid);
    return script->runs[run].ntrans * side->ncomp * size;
}

void contract_check_same(const contract_script *a, int run, const contract_script *b, int other,
                         double tolerance, const char *what)
{
    const double *x = a->runs[run].out, *y = b->runs[other].out;
    const int64_t count = contract_count(a, run, 1);
    double error = 0, largest = 0;
    for (int64_t i = 0; i < count; i++) {
        error = larger_or_nan(error, fabs(x[i] - y[i]));
        largest = larger_or_nan(largest, fabs(y[i]));
    }
    if (!(largest > 0)) fail_msg("%s, %s: all numbers are 0, or NaN", name_of(a, run), what);
    if (tolerance == 0 && memcmp(x, y, (size_t)count * sizeof *x) != 0)
        fail_msg("%s, %s: other bits, off by %g of the largest number", name_of(a, run), what,
                 error / largest);
    if (tolerance > 0) check_at_most(error / largest, tolerance, "%s, %s", name_of(a, run), what);
}

void contract_check_status(const contract_script *script, int run, armilla_status status,
                           const char *words)
{
    const contract_run *r = &script->runs[run];
    if (script->status) fail_msg("plan: %s", script->message);
    if (r->status != status || !strstr(r->message, words))
        fail_msg("%s, run %d: status %d '%s', expected %d '%s'", name_of(script, run), run,
                 (int)r->status, r->message, (int)status, words);
}

/* --- Adjoints -------------------------------------------------------------------------------- */

static void check_adjoint(const contract_cell *cell, int number)
{
    const contract_call *call = &cell->op->calls[number];
    contract_script s = contract_script_of(cell);
    double *x = contract_random(cell->op, call->in, 1, SEED);
    double *y = contract_random(cell->op, call->out, 1, SEED + 1);
    contract_add(&s, number, x);
    contract_add(&s, call->adjoint, y);
    contract_check_ok(&s);
    const double *ax = s.runs[0].out, *aty = s.runs[1].out;
    const double left = contract_dot(cell->op, call->out, ax, y);
    const double right = contract_dot(cell->op, call->in, x, aty);
    const double lengths =
        sqrt(contract_dot(cell->op, call->out, ax, ax) * contract_dot(cell->op, call->out, y, y));
    check_at_most(fabs(left - right) / lengths, cell->op->tolerances.adjoint, "%s: %g and %g",
                  call->name, left, right);
    contract_clear(&s);
    free(y);
    free(x);
}

static void adjoint(const contract_cell *cell)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++)
        if (cell->op->calls[i].adjoint > i) check_adjoint(cell, i);
}

/* --- Several transforms ---------------------------------------------------------------------- */

/* One call with gaps between components, and calls one by one. */
static void check_several(const contract_cell *cell, int number, int is_float)
{
    const contract_call *call = &cell->op->calls[number];
    contract_script s = contract_script_of(cell), alone;
    double *in = contract_random(cell->op, call->in, SEVERAL, SEED);
    contract_run *run = contract_add(&s, number, in);
    run->ntrans = SEVERAL, run->gap = GAP, run->is_float = is_float;
    contract_check_ok(&s);
    double *all = s.runs[0].out;
    for (int k = 0; k < SEVERAL; k++) {
        alone = contract_script_of(cell);
        const int64_t size = contract_count(&s, 0, 0) / SEVERAL;
        contract_add(&alone, number, in + k * size)->is_float = is_float;
        contract_check_ok(&alone);
        s.runs[0].out = all + k * (contract_count(&s, 0, 1) / SEVERAL);
        contract_check_same(&alone, 0, &s, 0, call->out == 0 ? cell->op->tolerances.several : 0,
                            "one by one");
        contract_clear(&alone);
    }
    free(all);
    free(in);
}

static void check_one_alone(const contract_cell *cell, int number)
{
    contract_script s = contract_script_of(cell);
    double *in = contract_random(cell->op, cell->op->calls[number].in, SEVERAL, SEED);
    contract_add(&s, number, in)->ntrans = SEVERAL;
    contract_add(&s, number, in)->gap = GAP;
    contract_check(&s);
    contract_check_status(&s, 0, ARMILLA_ERROR_ARGUMENT, "exec->ntrans = 3: must be 1");
    contract_check_status(&s, 1, ARMILLA_OK, "");
    contract_clear(&s);
    free(in);
}

static void several(const contract_cell *cell)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++)
        if (cell->op->one_by_one)
            check_one_alone(cell, i);
        else
            check_several(cell, i, 0);
}

/* --- Pairs of runs that must agree ----------------------------------------------------------- */

typedef void (*change_run)(contract_run *run);

static void check_pairs(const contract_cell *cell, change_run change, double tolerance,
                        const char *what)
{
    for (int i = 0; i < contract_ncalls(cell->op); i++) {
        contract_script s = contract_script_of(cell);
        double *in = contract_random(cell->op, cell->op->calls[i].in, 2, SEED);
        contract_add(&s, i, in)->ntrans = contract_at_once(cell, 2);
        contract_add(&s, i, in)->ntrans = contract_at_once(cell, 2);
        change(&s.runs[1]);
        contract_check_ok(&s);
        contract_check_same(&s, 1, &s, 0, tolerance, what);
        contract_clear(&s);
        free(in);
    }
}

static void take_floats(contract_run *run)
{
    run->is_float = 1, run->gap = GAP;
}

static void floats(const contract_cell *cell)
{
    if (cell->op->has_floats)
        check_pairs(cell, take_floats, cell->op->tolerances.floats, "floats and doubles");
}

/* Again and again: calls are so short that one thread may do all before another one has begun. */
static void threads(const contract_cell *cell)
{
    const int rounds = contract_has_gpu(cell->place) || contract_has_ranks(cell->place) ? 1 : 20;
    for (int i = 0; i < rounds * contract_ncalls(cell->op); i++) {
        contract_script s = contract_script_of(cell);
        const int call = i / rounds;
        double *in = contract_random(cell->op, cell->op->calls[call].in, 2, SEED);
        const int runs = rounds > 1 ? CONTRACT_RUNS : 2;
        for (int k = 0; k < runs; k++) {
            contract_run *run = contract_add(&s, call, in);
            run->ntrans = contract_at_once(cell, 2), run->nthreads = k + 1;
        }
        contract_check_ok(&s);
        for (int k = 1; k < runs; k++)
            contract_check_same(&s, k, &s, 0, 0, "several threads and one");
        contract_clear(&s);
        free(in);
    }
}

static void take_host_arrays(contract_run *run)
{
    run->on_host = 1, run->gap = GAP;
}

static void host_arrays(const contract_cell *cell)
{
    check_pairs(cell, take_host_arrays, 0, "arrays of the host and of the GPU");
}

/* Copies of one batch beside kernels of another, through buffers that are smaller than a component.
 */
static void copies_beside(const contract_cell *cell)
{
    enum { MANY = 9 };
    for (int i = 0; i < contract_ncalls(cell->op); i++) {
        const contract_call *call = &cell->op->calls[i];
        contract_script s = contract_script_of(cell), t = contract_script_of(cell);
        double *in = contract_random(cell->op, call->in, MANY, SEED);
        contract_run *usual = contract_add(&s, i, in), *beside = contract_add(&t, i, in);
        usual->ntrans = beside->ntrans = contract_at_once(cell, MANY),
        usual->on_host = beside->on_host = 1;
        contract_check_ok(&s);
        contract_device.copy_beside(1);
        contract_check_ok(&t);
        contract_device.copy_beside(0);
        contract_check_same(&t, 0, &s, 0, call->out == 0 ? cell->op->tolerances.several : 0,
                            "copies beside kernels");
        contract_clear(&s);
        contract_clear(&t);
        free(in);
    }
}

/* --- Places ---------------------------------------------------------------------------------- */

/* Where the same numbers come from. */
static contract_place reference(const contract_cell *cell)
{
    const int several = cell->place == CONTRACT_GPUS || cell->place == CONTRACT_RANKS_GPUS;
    if (contract_is_delegated(cell->op, cell->place)) return CONTRACT_HOST;
    return several && contract_works(cell->op, CONTRACT_GPU) ? CONTRACT_GPU : CONTRACT_HOST;
}

static void places(const contract_cell *cell)
{
    const contract_cell other = {cell->op, reference(cell)};
    const int computes =
        contract_has_gpu(cell->place) && !contract_is_delegated(cell->op, cell->place);
    const int other_kind = computes && !contract_has_gpu(other.place);
    const double tolerance = other_kind ? cell->op->tolerances.device : 0;
    if (other.place == cell->place) return;
    for (int i = 0; i < contract_ncalls(cell->op); i++) {
        contract_script s = contract_script_of(cell), t = contract_script_of(&other);
        double *in = contract_random(cell->op, cell->op->calls[i].in, 2, SEED);
        contract_add(&s, i, in)->ntrans = contract_at_once(cell, 2);
        contract_add(&t, i, in)->ntrans = contract_at_once(cell, 2);
        contract_check_ok(&s);
        contract_check_ok(&t);
        contract_check_same(&s, 0, &t, 0, tolerance, contract_place_names[other.place]);
        contract_clear(&s);
        contract_clear(&t);
        free(in);
    }
}

/* --- Cells that do not exist ----------------------------------------------------------------- */

static void check_refusal(const contract_script *s, const char *words)
{
    if (s->status != ARMILLA_ERROR_UNSUPPORTED || !strstr(s->message, words))
        fail_msg("status %d '%s', expected UNSUPPORTED '%s'", (int)s->status, s->message, words);
}

static void refused(const contract_cell *cell)
{
    const char *words = cell->op->refused[cell->place];
    contract_script s = contract_script_of(cell);
    if (!*words && contract_has_ranks(cell->place))
        for (int i = 0; i < contract_ncalls(cell->op); i++) assert_null(cell->op->calls[i].ranks);
    if (!*words) return;
    contract_perform(&s);
    check_refusal(&s, words);
}

/* --- Cells that the host runs ----------------------------------------------------------------- */

static void refused_unless_delegated(const contract_cell *cell)
{
    contract_script s = contract_script_of(cell);
    s.strict = 1;
    contract_perform(&s);
    check_refusal(&s, cell->op->delegated[cell->place]);
}

const contract_property contract_properties[] = {
    {.name = "adjoints are transposes", .check = adjoint},
    {.name = "several transforms are one by one, between gaps", .check = several},
    {.name = "floats are doubles, rounded", .check = floats},
    {.name = "bits do not depend on threads", .check = threads},
    {.name = "numbers are those of another place", .check = places},
    {.name = "bits do not depend on where arrays are", .check = host_arrays, .of_gpus = 1},
    {.name = "copies go beside kernels", .check = copies_beside, .of_gpus = 1},
    {.name = "a call can be cancelled", .check = contract_cancelled},
    {.name = "progress rises to 1", .check = contract_progress},
    {.name = "every allocation fails once", .check = contract_memory_fails},
    {.name = "every allocation of a GPU fails once",
     .check = contract_device_memory_fails,
     .of_gpus = 1},
    {.name = "every call of CUDA fails once", .check = contract_device_calls_fail, .of_gpus = 1},
    {.name = "messages are lost", .check = contract_messages_are_lost, .of_ranks = 1},
    {.name = "missing values are named", .check = contract_missing_values_are_named},
    {.name = "streams that are captured", .check = contract_capture, .of_gpus = 1},
    {.name = "is refused unless the host may run it",
     .check = refused_unless_delegated,
     .of_delegated = 1},
    {.name = "is refused by name", .check = refused, .of_absent = 1},
    {.name = NULL}};
