/* Makes one process' part of a script: its plan, and its runs of calls one after the other. */
#include "contract/buffers.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What ranks, which are threads, write together. */
static pthread_mutex_t together = PTHREAD_MUTEX_INITIALIZER;

static int is_first(const contract_site *site)
{
    return !site->transport || site->transport->rank == 0;
}

static int is_last(const contract_site *site)
{
    return !site->transport || site->transport->rank == site->transport->nranks - 1;
}

/* All processes meet here. Returned: the largest of their values. */
static int64_t meet(const contract_site *site, int64_t value)
{
    const armilla_transport *t = site->transport;
    if (t && t->largest(t->context, 1, &value)) return -1;
    return value;
}

/* --- Progress -------------------------------------------------------------------------------- */

typedef struct {
    int reports, stop, ends, bad;
    double last;
} listener;

static int hear(void *data, double fraction)
{
    listener *l = data;
    l->reports++, l->ends += fraction > 1 - 1e-9;
    l->bad |= !(fraction >= l->last && fraction <= 1);
    l->last = fraction;
    return l->stop && l->reports >= l->stop;
}

/* --- One run --------------------------------------------------------------------------------- */

typedef struct {
    contract_run *run;
    const contract_call *call;
    contract_buffer in, out;
    listener ear;
    armilla_exec exec;
    armilla_status status;
} attempt;

static void set_distance(const contract_buffer *b, armilla_exec *exec)
{
    const int of_alm = b->side->kind == CONTRACT_ALM || b->side->kind == CONTRACT_COMPLEX_ALM;
    *(of_alm ? &exec->alm_distance : &exec->map_distance) = b->distance / b->side->unit;
}

static attempt attempt_open(const contract_site *site, contract_script *script, int number)
{
    contract_run *run = &script->runs[number];
    attempt a = {.run = run, .call = &script->op->calls[run->call]};
    a.in = contract_buffer_open(site, script, run, a.call->in, run->in);
    a.out = contract_buffer_open(site, script, run, a.call->out, NULL);
    armilla_exec_init(&a.exec);
    a.exec.nthreads = run->nthreads ? run->nthreads : 1;
    a.exec.ntrans = run->ntrans, a.exec.missing = run->missing;
    if (run->gap) set_distance(&a.in, &a.exec), set_distance(&a.out, &a.exec);
    return a;
}

/* The listener's address must stay. */
static void attempt_make(const contract_site *site, const void *plan, attempt *a)
{
    const armilla_transport *t = site->transport;
    const contract_run *run = a->run;
    if (run->watched) a->exec.progress = hear, a->exec.progress_data = &a->ear;
    if (is_last(site)) a->ear.stop = run->stop;
    if (run->captured) a->exec.stream = contract_device.capture();
    const contract_run_fn call = t ? a->call->ranks : a->call->alone;
    a->status = call(plan, run->is_float, a->in.array, a->out.array, &a->exec);
}

/* What is wrong, as this process sees it, or NULL. */
static const char *attempt_damage(const attempt *a, int leaves)
{
    const int undefined = a->status == ARMILLA_OK || a->status == ARMILLA_ERROR_CANCELLED;
    if (a->ear.bad) return "a report of progress falls, or is not within 0 and 1";
    if (!contract_buffer_untouched(&a->in)) return "the input is written";
    if (!undefined && leaves && !contract_buffer_untouched(&a->out))
        return "the output is written though there is an error";
    if (undefined && !contract_buffer_collect(&a->out, a->run->out))
        return "what lies between the output's numbers is written";
    return NULL;
}

/* What is wrong on a rank when messages are lost. */
static const char *transport_damage(const attempt *a)
{
    if (a->status == ARMILLA_OK) contract_buffer_collect(&a->out, a->run->out);
    const int fair = a->status == ARMILLA_OK || a->status == ARMILLA_ERROR_TRANSPORT;
    return fair ? NULL : "another error than TRANSPORT";
}

static void attempt_close(const contract_site *site, const contract_script *script, attempt *a)
{
    contract_run *run = a->run;
    const int lossy = script->loses != 0;
    const int leaves = !script->breaks && contract_leaves_outputs(script->op, script->place);
    char message[CONTRACT_TEXT];
    snprintf(message, sizeof message, "%s", a->status ? armilla_status_message() : "");
    const int whole =
        !run->captured || contract_device.launch(a->exec.stream, a->status != ARMILLA_OK);
    meet(site, 0);
    pthread_mutex_lock(&together);
    const char *damage = lossy ? transport_damage(a) : attempt_damage(a, leaves);
    if (!whole) damage = "the capture of its stream is broken";
    if (!lossy && run->made && (run->status != a->status || strcmp(run->message, message)))
        damage = "ranks have different errors";
    if (!lossy || !run->made || a->status) run->status = a->status;
    run->made = 1;
    if (is_last(site)) run->reports = a->ear.reports;
    run->ends += a->ear.ends;
    memcpy(run->message, message, sizeof message);
    if (damage) run->damage = damage;
    pthread_mutex_unlock(&together);
    contract_buffer_close(&a->in);
    contract_buffer_close(&a->out);
}

/* --- Scripts --------------------------------------------------------------------------------- */

static void arm(const contract_site *site, contract_script *script, int64_t failing, int64_t *asked)
{
    meet(site, 0);
    if (is_first(site) && script->fail_after) *asked = script->fail_after(failing);
    meet(site, 0);
}

static void note_plan(const contract_site *site, contract_script *script, armilla_status status)
{
    const int64_t worst = meet(site, (int64_t)status);
    if (!is_first(site)) return;
    script->status = status;
    snprintf(script->message, sizeof script->message, "%s", status ? armilla_status_message() : "");
    if (worst != (int64_t)status && !script->loses)
        script->runs[0].damage = "ranks have different errors of a plan";
}

/* The later runs, which nothing makes fail. */
static void perform_others(const contract_site *site, contract_script *script, const void *plan,
                           armilla_status before)
{
    for (int i = 1; i < script->count; i++) {
        if (script->runs[i].optional && !before) continue;
        attempt a = attempt_open(site, script, i);
        meet(site, 0);
        attempt_make(site, plan, &a);
        before = a.status;
        attempt_close(site, script, &a);
    }
}

void contract_perform_at(const contract_site *site, contract_script *script)
{
    void *plan = NULL;
    int64_t unused = 0;
    attempt first = {.run = NULL};
    if (script->count) first = attempt_open(site, script, 0);
    arm(site, script, script->failing, &unused);
    const armilla_status status = script->op->make(site, &script->op->choice, &plan);
    note_plan(site, script, status);
    const int works = meet(site, (int64_t)status) == 0 && script->count;
    if (works) attempt_make(site, plan, &first);
    arm(site, script, -1, &script->asked);
    const armilla_status before = first.status;
    if (works)
        attempt_close(site, script, &first);
    else if (script->count)
        contract_buffer_close(&first.in), contract_buffer_close(&first.out);
    if (works) perform_others(site, script, plan, before);
    if (!status) script->op->release(site, plan);
}
