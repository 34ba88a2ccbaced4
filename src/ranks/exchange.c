/* Packs entries into messages, hands these to the transport, and unpacks what comes. Entries that
 * stay on the rank go the same way but for the transport. Tasks of the team are some rows of a
 * link each: they have their own places in messages and legs. */
#include "ranks/exchange.h"

#include "base/integer.h"
#include "base/team.h"
#include "ranks/device/exchange.h"

#include <string.h>

typedef struct {
    const armilla_exchange *exchange;
    const armilla_messages *messages;
    const armilla_link_rows *rows;
    const armilla_leg *chunk; /* NULL: the legs are those of the whole side */
    int by_order;             /* are the legs by order? */
    double *data;             /* of the messages */
} transfer;

/* A row of one set of a leg, and the entries of a link that exist in it. */
typedef struct {
    const armilla_leg *leg;
    const armilla_link *link;
    int64_t set, row;
    int by_order, pack;
    const unsigned char *part; /* of each pair of the link */
} moved_row;

/* The number of pair i of the link in the leg. */
static int64_t pair_of(const moved_row *r, int64_t i)
{
    return r->by_order ? r->link->pairs[i] : r->link->first_pair + i;
}

/* Pairs i .. end - 1 of the link, of one block. In a leg by pair they are neighbours. Of a pair
 * that two members have, each sends its own ring's half. */
static void move_entries(const moved_row *r, int64_t i, int64_t end, double *row, double *message)
{
    const int together = r->by_order ? 1 : (int)(end - i);
    for (; i < end; i += together, message += 4 * together) {
        double *entry = row + 4 * pair_of(r, i);
        if (r->by_order && !r->pack && r->part[i] != ARMILLA_PAIR_ALL) {
            const int half = r->part[i] == ARMILLA_PAIR_SOUTH ? 2 : 0;
            memcpy(entry + half, message + half, 2 * sizeof *entry);
            continue;
        }
        memcpy(r->pack ? message : entry, r->pack ? entry : message,
               sizeof *entry * 4 * (size_t)together);
    }
}

/* Between a message and a row: pairs from number i of the link on. */
static void move_row(const moved_row *r, int64_t i, double *message)
{
    const armilla_leg_layout *layout = r->leg->layout;
    const armilla_leg_block *block =
        layout->blocks + (pair_of(r, i) - layout->blocks->first) / layout->blocks->npairs;
    for (int64_t end = i; i < r->link->npairs; message += 4 * (end - i), i = end, block++) {
        const int64_t behind = block->first + block->npairs;
        if (r->by_order)
            while (end < r->link->npairs && r->link->pairs[end] < behind) end++;
        else
            end = armilla_smaller(behind - r->link->first_pair, r->link->npairs);
        double *row = armilla_leg_row(r->leg, block, r->set, r->row) - 4 * block->first;
        move_entries(r, i, end, row, message);
    }
}

static void run_task(void *context, int64_t index, int thread)
{
    const transfer *t = context;
    const armilla_exchange *x = t->exchange;
    const armilla_link_rows *rows = &t->rows[index];
    const armilla_rank_legs *legs = &x->schedule->legs;
    const armilla_link *link = &t->messages->links[rows->link];
    const armilla_leg leg = t->chunk ? *t->chunk : armilla_exchange_leg(x, link->target);
    double *message = t->data + x->nsets * rows->begin;
    (void)thread;
    for (int64_t i = rows->first; i < rows->first + rows->count; i++) {
        const int64_t m = link->orders[i];
        const int64_t first = armilla_link_first(link, legs->pairs->limit, m);
        moved_row row = {&leg, link, 0, 0, t->by_order, t->chunk != NULL, NULL};
        row.part = legs->pair_part + (link->pairs - legs->members_pairs.list);
        row.row = t->by_order ? i : armilla_orders_row(leg.layout->kind, m);
        if (first == link->npairs) continue;
        for (; row.set < x->nsets; row.set++, message += 4 * (link->npairs - first))
            move_row(&row, first, message);
    }
}

/* All rows of the links from `first` to before `end`. */
static void transfer_links(const armilla_exchange *x, const armilla_messages *messages,
                           const armilla_leg *chunk, double *data, int64_t first, int64_t end)
{
    const armilla_leg_side side = x->schedule->first;
    transfer t = {.exchange = x,
                  .messages = messages,
                  .chunk = chunk,
                  .by_order = (side == ARMILLA_BY_ORDER) == (chunk != NULL),
                  .data = data};
    int64_t from = 0, count = 0;
    while (from < messages->nrows && messages->rows[from].link < first) from++;
    while (from + count < messages->nrows && messages->rows[from + count].link < end) count++;
    t.rows = messages->rows + from;
    armilla_team_run(x->nthreads, count, run_task, &t);
}

armilla_leg armilla_exchange_leg(const armilla_exchange *exchange, int64_t piece)
{
    const armilla_schedule *s = exchange->schedule;
    return (armilla_leg){.layout = &s->layouts[piece],
                         .nsets = exchange->nsets,
                         .values = exchange->whole + exchange->nsets * s->places[piece]};
}

/* The messages of other members that are not empty. Returned: their number. */
static int64_t list_messages(const armilla_exchange *x, const armilla_messages *messages,
                             double *data, armilla_message *list)
{
    int64_t count = 0;
    for (int64_t member = 0; member < x->schedule->nmembers; member++) {
        const int64_t size = x->nsets * armilla_message_size(messages, member);
        if (size == 0 || member == x->schedule->legs.member) continue;
        list[count++] = (armilla_message){.rank = x->first_rank + member,
                                          .bytes = size * (int64_t)sizeof(double),
                                          .data = data + x->nsets * messages->begin[member]};
    }
    return count;
}

void armilla_exchange_start(armilla_exchange *exchange, int64_t k, const armilla_leg *leg)
{
    armilla_exchange *x = exchange;
    const armilla_chunk *chunk = &x->schedule->chunks[k];
    const int slot = (int)(k % ARMILLA_TRANSPORT_SLOTS);
    if (x->device.share)
        armilla_exchange_pack_on_device(x, k);
    else
        transfer_links(x, &chunk->out, leg, x->out[slot], 0, chunk->out.nlinks);
    if (x->failed) return;
    const int64_t nsends = list_messages(x, &chunk->out, x->out[slot], x->list);
    const int64_t nreceives = list_messages(x, &chunk->in, x->in[slot], x->list + nsends);
    x->failed = x->transport->start(x->transport->context, slot, nsends, x->list, nreceives,
                                    x->list + nsends);
    x->under_way++;
}

void armilla_exchange_poke(void *exchange)
{
    armilla_exchange *x = exchange;
    if (x->failed || x->under_way == 0) return;
    x->failed = x->transport->poke(x->transport->context) != 0;
}

/* Which links of a chunk's incoming messages are the own ones. */
static void find_own(const armilla_schedule *s, const armilla_messages *messages, int64_t *first,
                     int64_t *end)
{
    const int64_t *begin = messages->begin + s->legs.member;
    int64_t i = 0;
    while (i < messages->nlinks && messages->links[i].begin < begin[0]) i++;
    *first = i;
    while (i < messages->nlinks && messages->links[i].begin < begin[1]) i++;
    *end = i;
}

/* Into legs in host memory. */
static void unpack(const armilla_exchange *x, const armilla_chunk *chunk, int slot)
{
    const armilla_schedule *s = x->schedule;
    const int64_t own = s->legs.member;
    int64_t first, end;
    find_own(s, &chunk->in, &first, &end);
    transfer_links(x, &chunk->in, NULL, x->in[slot], 0, first);
    transfer_links(x, &chunk->in, NULL,
                   x->out[slot] + x->nsets * (chunk->out.begin[own] - chunk->in.begin[own]), first,
                   end);
    transfer_links(x, &chunk->in, NULL, x->in[slot], end, chunk->in.nlinks);
}

void armilla_exchange_finish(armilla_exchange *exchange, int64_t k)
{
    armilla_exchange *x = exchange;
    const int slot = (int)(k % ARMILLA_TRANSPORT_SLOTS);
    x->under_way--;
    if (!x->failed) x->failed = x->transport->wait(x->transport->context, slot);
    if (x->failed) return;
    if (x->device.share)
        armilla_exchange_unpack_on_device(x, k);
    else
        unpack(x, &x->schedule->chunks[k], slot);
}
