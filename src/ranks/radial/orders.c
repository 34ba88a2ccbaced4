/* The method RINGS over ranks. Each rank transforms the rings of its belt; what it has of the
 * orders goes to ranks that have some spans of orders each, of all pairs of rings, and mix them;
 * sums of orders go back the same way. Sums over pairs of rings stay on one rank.
 *
 *     belt --FFT--> orders of own pairs --> own spans of all pairs --mixing--> and back
 *
 * Entry (span, pair) of the whole array is number span count + pair, and has ARMILLA_MIXING_PAIR
 * doubles. */
#include "ranks/radial/radial.h"

#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "radial/mixing/slabs.h"
#include "ranks/agree.h"
#include "ranks/deal.h"

enum { ENTRY_BYTES = ARMILLA_MIXING_PAIR * (int)sizeof(double) };

/* --- Who mixes what -------------------------------------------------------------------------- */

static int64_t spans_of_pass(const armilla_mixing *mixing, int64_t pass)
{
    const int64_t rest = mixing->nspans - pass * mixing->in_pass;
    return armilla_smaller(rest, mixing->in_pass);
}

/* Segments that tiles have in a span. */
static int64_t span_cost(const armilla_mixing *mixing, int64_t span)
{
    int64_t cost = 0;
    for (int64_t tile = 0; tile < mixing->ntiles; tile++)
        if (span < mixing->tiles[tile].nspans) cost += mixing->tiles[tile].nsegments;
    return cost;
}

/* Spans go with those opposite to them, where the longest rings share sums.
 * Given: room  two numbers for each two spans. */
static armilla_status deal_spans(const armilla_belt_stage *stage, int64_t pass, int64_t *room,
                                 armilla_belt_pass *made)
{
    const armilla_mixing *mixing = stage->radial->mixing;
    const armilla_transport *transport = &stage->plan->transport;
    const int64_t count = spans_of_pass(mixing, pass), twos = (count + 1) / 2;
    int64_t *cost = room, *member = room + twos;
    for (int64_t b = 0; b < twos; b++)
        cost[b] = span_cost(mixing, pass * mixing->in_pass + b) +
                  span_cost(mixing, pass * mixing->in_pass + count - 1 - b);
    const armilla_status status = armilla_deal(twos, cost, transport->nranks, member);
    if (status) return status;
    for (int64_t i = 0; i < count; i++) {
        const int64_t two = armilla_smaller(i, count - 1 - i);
        made->held[i] = member[two] == transport->rank ? made->nheld++ : -1;
    }
    return ARMILLA_OK;
}

/* --- What goes where ------------------------------------------------------------------------- */

/* A rank's entries of a pass. NULL: they are counted. */
typedef struct {
    int64_t count;
    armilla_span *spans;
} entry_list;

static void append(entry_list *list, int64_t begin, int64_t count, int64_t place)
{
    if (list->spans) list->spans[list->count] = (armilla_span){begin, count, place};
    list->count++;
}

/* The entries of a span that exist, of the rank's pairs. row: place of the span. */
static void list_span(const armilla_mixing *mixing, const armilla_mixing_part *part, int64_t span,
                      int64_t row, entry_list *list)
{
    const int64_t count = mixing->frame.pairs.count, length = part->end - part->begin;
    for (int64_t slab = 0; slab < mixing->nslabs; slab++) {
        const int64_t begin = armilla_larger(slab * mixing->slab, part->begin);
        const int64_t end = armilla_smaller((slab + 1) * mixing->slab, part->end);
        if (span >= mixing->slab_spans[slab] || begin >= end) continue;
        append(list, span * count + begin, end - begin, row * length + begin - part->begin);
    }
}

static void list_entries(const armilla_mixing *mixing, const armilla_mixing_part *part,
                         int64_t pass, entry_list *list)
{
    list->count = 0;
    for (int64_t i = 0; i < spans_of_pass(mixing, pass); i++) {
        const int64_t row = part->held ? part->held[i] : i;
        if (row >= 0) list_span(mixing, part, pass * mixing->in_pass + i, row, list);
    }
}

static armilla_status make_list(const armilla_mixing *mixing, const armilla_mixing_part *part,
                                int64_t pass, entry_list *list)
{
    list_entries(mixing, part, pass, list);
    const armilla_status status = armilla_allocate(&list->spans, list->count, sizeof *list->spans);
    if (!status) list_entries(mixing, part, pass, list);
    return status;
}

/* The spans that pairs of the belt have, of a pass at most. */
static int64_t most_spans(const armilla_belt_stage *stage)
{
    const armilla_mixing *mixing = stage->radial->mixing;
    const armilla_belt *belt = &stage->plan->belt;
    int64_t most = 0;
    for (int64_t i = belt->begin / mixing->slab; i * mixing->slab < belt->end; i++)
        most = armilla_larger(most, mixing->slab_spans[i]);
    return armilla_smaller(most, mixing->in_pass);
}

/* All spans of the belt's pairs; the rank's spans of all pairs. */
static armilla_mixing_part part_of_rings(const armilla_belt_stage *stage)
{
    const armilla_belt *belt = &stage->plan->belt;
    return (armilla_mixing_part){belt->begin, belt->end, most_spans(stage), NULL};
}

static armilla_mixing_part part_of_mixer(const armilla_belt_stage *stage, int64_t pass)
{
    const armilla_belt_pass *p = &stage->orders.pass[pass];
    return (armilla_mixing_part){0, stage->radial->mixing->frame.pairs.count, p->nheld, p->held};
}

/* --- Plans ----------------------------------------------------------------------------------- */

static armilla_status prepare(const armilla_belt_stage *stage, armilla_belt_orders *orders)
{
    const armilla_mixing *mixing = stage->radial->mixing;
    int64_t *room;
    armilla_status status =
        armilla_allocate_zero(&orders->pass, mixing->npasses, sizeof *orders->pass);
    if (status) return status;
    orders->npasses = mixing->npasses;
    if ((status = armilla_allocate(&room, mixing->in_pass + 1, sizeof *room))) return status;
    for (int64_t i = 0; i < mixing->npasses && !status; i++) {
        armilla_belt_pass *p = &orders->pass[i];
        status = armilla_allocate(&p->held, mixing->in_pass, sizeof *p->held);
        if (!status) status = deal_spans(stage, i, room, p);
        orders->most_held = armilla_larger(orders->most_held, p->nheld);
    }
    armilla_release(room);
    return status;
}

static armilla_status connect(const armilla_belt_stage *stage, int64_t pass)
{
    const armilla_transport *transport = &stage->plan->transport;
    const armilla_mixing *mixing = stage->radial->mixing;
    const armilla_mixing_part rings = part_of_rings(stage), mixer = part_of_mixer(stage, pass);
    armilla_belt_pass *p = &stage->orders.pass[pass];
    entry_list a = {0}, b = {0};
    armilla_status status = make_list(mixing, &rings, pass, &a);
    if (!status) status = make_list(mixing, &mixer, pass, &b);
    if (!(status = armilla_agree(transport, status)) &&
        !(status = armilla_redistribution_new(transport, a.count, a.spans, b.count, b.spans, NULL,
                                              &p->to_mixers)))
        status = armilla_redistribution_new(transport, b.count, b.spans, a.count, a.spans, NULL,
                                            &p->to_rings);
    armilla_release(a.spans), armilla_release(b.spans);
    return status;
}

armilla_status armilla_belt_orders_make(armilla_belt_stage *stage, armilla_status status)
{
    if (!status) status = prepare(stage, &stage->orders);
    status = armilla_agree(&stage->plan->transport, status);
    for (int64_t i = 0; i < stage->orders.npasses && !status; i++) status = connect(stage, i);
    return status;
}

void armilla_belt_orders_clear(armilla_belt_orders *orders)
{
    for (int64_t i = 0; i < orders->npasses; i++) {
        armilla_release(orders->pass[i].held);
        armilla_redistribution_free(orders->pass[i].to_mixers);
        armilla_redistribution_free(orders->pass[i].to_rings);
    }
    armilla_release(orders->pass);
    *orders = (armilla_belt_orders){.npasses = 0};
}

/* --- A call ---------------------------------------------------------------------------------- */

/* Orders of own pairs come and go in one place: their sums are made elsewhere. */
typedef struct {
    const armilla_belt_stage *stage;
    const armilla_maps *maps;
    armilla_work work;
    armilla_mixing_call call;
    armilla_mixing_part part; /* of the call: of the belt's rings, or of what the rank mixes */
    double *own, *input, *sums;
    int64_t own_size, held_size; /* doubles of a set */
} run;

static armilla_status take_memory(run *r, int64_t nsets, double **memory)
{
    const armilla_mixing *mixing = r->stage->radial->mixing;
    const int64_t shared = armilla_round_line(armilla_mixing_part_workspace(mixing, nsets));
    const armilla_belt *belt = &r->stage->plan->belt;
    r->own_size = (belt->end - belt->begin) * most_spans(r->stage) * ARMILLA_MIXING_PAIR;
    r->held_size = mixing->frame.pairs.count * r->stage->orders.most_held * ARMILLA_MIXING_PAIR;
    r->work.scratch_size = armilla_round_line(armilla_mixing_scratch_size(mixing));
    const armilla_status status = armilla_workspace_take(
        r->stage->radial->workspace,
        shared + nsets * (r->own_size + 2 * r->held_size) + r->work.nthreads * r->work.scratch_size,
        memory);
    if (status) return status;
    r->own = *memory + shared, r->input = r->own + nsets * r->own_size;
    r->sums = r->input + nsets * r->held_size, r->work.scratch = r->sums + nsets * r->held_size;
    return ARMILLA_OK;
}

/* The slabs that have pairs of the belt. */
static void each_slab(run *r, void (*act)(armilla_mixing_call *call, const armilla_maps *maps,
                                          int64_t slab))
{
    const armilla_belt *belt = &r->stage->plan->belt;
    const int64_t slab = r->stage->radial->mixing->slab;
    r->part = part_of_rings(r->stage);
    r->call.orders[ARMILLA_MIXING_INPUT] = r->call.orders[ARMILLA_MIXING_OUTPUT] = r->own;
    for (int64_t i = belt->begin / slab; i * slab < belt->end; i++) act(&r->call, r->maps, i);
}

static void mix(run *r)
{
    const int64_t size = r->call.job.nsets * r->held_size;
    r->part = part_of_mixer(r->stage, r->call.pass);
    r->call.orders[ARMILLA_MIXING_INPUT] = r->input;
    r->call.orders[ARMILLA_MIXING_OUTPUT] = r->sums;
    for (int64_t i = 0; i < size; i++) r->sums[i] = 0;
    if (r->part.nheld) armilla_mixing_mix(&r->call);
}

static armilla_status run_pass(run *r)
{
    const armilla_belt_pass *p = &r->stage->orders.pass[r->call.pass];
    const int64_t nsets = r->call.job.nsets, pairs = r->stage->radial->mixing->frame.pairs.count;
    const int64_t own = r->own_size / ARMILLA_MIXING_PAIR, held = p->nheld * pairs;
    r->call.first_span = r->call.pass * r->stage->radial->mixing->in_pass;
    each_slab(r, armilla_mixing_read_slab);
    armilla_status status =
        armilla_redistribution_run(p->to_mixers, ENTRY_BYTES, nsets, r->own, own, r->input, held);
    if (status) return status;
    mix(r);
    status =
        armilla_redistribution_run(p->to_rings, ENTRY_BYTES, nsets, r->sums, held, r->own, own);
    if (!status) each_slab(r, armilla_mixing_write_slab);
    return armilla_agree(&r->stage->plan->transport,
                         status ? status : armilla_progress_status(r->work.progress));
}

armilla_status armilla_belt_orders_run(const armilla_belt_stage *stage,
                                       const armilla_radial_call *call, const armilla_maps *maps)
{
    const armilla_mixing_job job = {.nsets = call->nmaps, .weights_at_output = call->transposed};
    run r = {.stage = stage, .maps = maps};
    double *memory = NULL;
    r.work.nthreads = call->nthreads, r.work.progress = call->progress;
    armilla_status status =
        armilla_agree(&stage->plan->transport, take_memory(&r, job.nsets, &memory));
    if (!status) {
        r.call = armilla_mixing_open(stage->radial->mixing, job, &r.work, memory);
        r.call.part = &r.part;
        for (; r.call.pass < stage->orders.npasses && !status; r.call.pass++) status = run_pass(&r);
    }
    if (memory) armilla_workspace_give(stage->radial->workspace, memory);
    return status;
}
