/* Packs rows of leg on fine rings into messages, hands these to the transport, and unpacks what
 * comes. Tasks of the team are a row each, which has its own place in messages and legs. */
#include "ranks/points/exchange.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"

#include <string.h>

enum { UNIT = 8, ENTRY = 4, MOST_CHUNKS = 64 };

/* --- Lists ----------------------------------------------------------------------------------- */

/* Orders that no point needs take no part. */
static void drop_orders_above(int64_t mmax, int64_t nranks, armilla_member_lists *orders)
{
    int64_t end = 0, first = 0;
    for (int64_t rank = 0; rank < nranks; rank++) {
        const int64_t behind = orders->start[rank + 1];
        for (int64_t i = first; i < behind; i++)
            if (orders->list[i] <= mmax) orders->list[end++] = orders->list[i];
        first = behind, orders->start[rank + 1] = end;
    }
}

armilla_status armilla_strip_exchange_lists(const armilla_transport *transport,
                                            const armilla_points_core *core,
                                            const armilla_owned *orders,
                                            const armilla_strip_owners *owners,
                                            armilla_strip_exchange *x)
{
    const int64_t n = transport->nranks;
    armilla_status status;
    memset(x, 0, sizeof *x);
    x->transport = *transport;
    if ((status = armilla_member_orders_make(orders, n, ARMILLA_ORDERS_ALL, 1, &x->orders)) ||
        (status = armilla_allocate(&x->seen, n, sizeof *x->seen)) ||
        (status = armilla_allocate(&x->owned, n, sizeof *x->owned)))
        return status;
    drop_orders_above(core->mmax, n, &x->orders);
    for (int64_t rank = 0; rank < n; rank++) {
        const int64_t first = owners->first[rank], end = owners->first[rank + 1];
        x->seen[rank] = armilla_points_pairs_of(core, first, end, 1);
        x->owned[rank] = armilla_points_pairs_of(core, first, end, 0);
    }
    return ARMILLA_OK;
}

static int64_t count_orders(const armilla_strip_exchange *x, int64_t rank)
{
    return x->orders.start[rank + 1] - x->orders.start[rank];
}

/* Orders of a rank in chunk k, and the first of them. */
static int64_t rows_of(const armilla_strip_exchange *x, int64_t rank, int64_t k)
{
    return armilla_larger(0, armilla_smaller(x->rows, count_orders(x, rank) - k * x->rows));
}

static const int64_t *orders_of(const armilla_strip_exchange *x, int64_t rank, int64_t k)
{
    return x->orders.list + x->orders.start[rank] + k * x->rows;
}

/* As many orders as the bytes are for, but no more chunks than MOST_CHUNKS. */
static void cut(const armilla_points_core *core, int64_t bytes, armilla_strip_exchange *x)
{
    const int64_t row = core->nmap * ENTRY * (int64_t)sizeof(double) * core->fine.count;
    int64_t most = 1;
    for (int64_t rank = 0; rank < x->transport.nranks; rank++)
        most = armilla_larger(most, count_orders(x, rank));
    const int64_t least = (most + MOST_CHUNKS - 1) / MOST_CHUNKS;
    const int64_t units = (armilla_larger(bytes / row, least) + UNIT - 1) / UNIT;
    x->rows = UNIT * armilla_smaller(armilla_larger(units, 1), (most + UNIT - 1) / UNIT);
    x->nchunks = (most + x->rows - 1) / x->rows;
}

armilla_status armilla_strip_exchange_chunks(const armilla_points_core *core, int64_t bytes,
                                             armilla_strip_exchange *x)
{
    const int64_t own = x->transport.rank;
    cut(core, bytes, x);
    armilla_status status = armilla_allocate_zero(&x->chunks, x->nchunks, sizeof *x->chunks);
    for (int64_t k = 0; k < x->nchunks && !status; k++) {
        const int64_t count = rows_of(x, own, k);
        const armilla_leg_shape shape = {.pairs = &core->fine,
                                         .npairs = core->fine.count,
                                         .block_size = core->fine.count,
                                         .room = 4,
                                         .kind = ARMILLA_ORDERS_LISTED,
                                         .norders = count,
                                         .orders = count ? orders_of(x, own, k) : NULL};
        status = armilla_leg_layout_make(&shape, &x->chunks[k]);
        if (!status) x->chunk_size = armilla_larger(x->chunk_size, x->chunks[k].size);
    }
    return status;
}

void armilla_strip_exchange_clear(armilla_strip_exchange *x)
{
    for (int64_t k = 0; k < x->nchunks && x->chunks; k++) armilla_leg_layout_clear(&x->chunks[k]);
    armilla_release(x->chunks);
    armilla_release(x->seen);
    armilla_release(x->owned);
    armilla_member_lists_clear(&x->orders);
    memset(x, 0, sizeof *x);
}

int64_t armilla_strip_exchange_bytes(const armilla_strip_exchange *x)
{
    const int64_t n = x->transport.nranks;
    int64_t bytes = 8 * (x->orders.start[n] + n + 1) + 2 * n * (int64_t)sizeof *x->seen;
    for (int64_t k = 0; k < x->nchunks; k++)
        bytes += (int64_t)sizeof *x->chunks + armilla_leg_layout_bytes(&x->chunks[k]);
    return bytes;
}

/* --- Messages -------------------------------------------------------------------------------- */

/* Messages of a chunk in one direction: the rank's rows by order, for the pairs of each other rank;
 * or its rows by strips, of the orders of each other rank. */
typedef struct {
    const armilla_strip_exchange *x;
    const armilla_points_pairs *pairs;
    int64_t k, nsets;
    int by_order;
} messages;

/* Rows of the message to or from a rank, and the pairs of a row. */
static int64_t message_rows(const messages *m, int64_t other)
{
    return rows_of(m->x, m->by_order ? m->x->transport.rank : other, m->k);
}

static armilla_points_pairs message_pairs(const messages *m, int64_t other)
{
    return m->pairs[m->by_order ? other : m->x->transport.rank];
}

static int64_t message_size(const messages *m, int64_t other)
{
    return m->nsets * message_rows(m, other) * ENTRY * message_pairs(m, other).count;
}

static messages messages_of(const armilla_strip_exchange *x, int to_points, int by_order, int64_t k,
                            int64_t nsets)
{
    return (messages){x, to_points ? x->seen : x->owned, k, nsets, by_order};
}

/* Chunk 0 is the largest one of every rank. */
static int64_t size_of_all(const messages *m)
{
    int64_t size = 0;
    for (int64_t rank = 0; rank < m->x->transport.nranks; rank++) size += message_size(m, rank);
    return size;
}

int64_t armilla_strip_exchange_out(const armilla_strip_exchange *x, int to_points)
{
    const messages m = messages_of(x, to_points, to_points, 0, 1);
    return size_of_all(&m);
}

int64_t armilla_strip_exchange_in(const armilla_strip_exchange *x, int to_points)
{
    const messages m = messages_of(x, to_points, !to_points, 0, 1);
    return size_of_all(&m);
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* Rows of the message of one rank, to or from a leg. */
typedef struct {
    const messages *m;
    const armilla_leg *leg;
    int64_t other, rows;
    armilla_points_pairs pairs;
    double *data;
    int pack;
} transfer;

static void move_row(void *context, int64_t row, int thread)
{
    const transfer *t = context;
    const armilla_leg_block *block = t->leg->layout->blocks;
    const int64_t size = ENTRY * t->pairs.count;
    const int64_t in_leg = t->m->by_order ? row : orders_of(t->m->x, t->other, t->m->k)[row];
    (void)thread;
    for (int64_t set = 0; set < t->m->nsets; set++) {
        double *entries =
            armilla_leg_row(t->leg, block, set, in_leg) + ENTRY * (t->pairs.first - block->first);
        double *data = t->data + (set * t->rows + row) * size;
        memcpy(t->pack ? data : entries, t->pack ? entries : data, (size_t)size * sizeof *data);
    }
}

static void move_message(const messages *m, const armilla_leg *leg, int64_t other, double *data,
                         int pack, int nthreads)
{
    transfer t = {m, leg, other, message_rows(m, other), message_pairs(m, other), data, pack};
    if (t.pairs.count) armilla_team_run(nthreads, t.rows, move_row, &t);
}

/* The messages of other ranks that are not empty. Returned: their number. */
static int64_t list_messages(const messages *m, double *data, armilla_message *list)
{
    int64_t count = 0;
    for (int64_t rank = 0; rank < m->x->transport.nranks; rank++) {
        const int64_t size = message_size(m, rank);
        if (size && rank != m->x->transport.rank)
            list[count++] = (armilla_message){rank, size * (int64_t)sizeof *data, data};
        data += size;
    }
    return count;
}

static messages outgoing(const armilla_strip_traffic *t, int64_t k)
{
    return messages_of(t->exchange, t->to_points, t->to_points, k, t->nsets);
}

static messages incoming(const armilla_strip_traffic *t, int64_t k)
{
    return messages_of(t->exchange, t->to_points, !t->to_points, k, t->nsets);
}

void armilla_strip_traffic_start(armilla_strip_traffic *traffic, int64_t k,
                                 const armilla_leg *by_order)
{
    const armilla_transport *transport = &traffic->exchange->transport;
    const int slot = (int)(k % ARMILLA_TRANSPORT_SLOTS);
    const messages out = outgoing(traffic, k), in = incoming(traffic, k);
    double *data = traffic->out[slot];
    if (traffic->failed) return;
    for (int64_t rank = 0; rank < transport->nranks; rank++) {
        move_message(&out, out.by_order ? by_order : traffic->by_strips, rank, data, 1,
                     traffic->nthreads);
        data += message_size(&out, rank);
    }
    const int64_t nsends = list_messages(&out, traffic->out[slot], traffic->list);
    const int64_t nreceives = list_messages(&in, traffic->in[slot], traffic->list + nsends);
    traffic->failed = transport->start(transport->context, slot, nsends, traffic->list, nreceives,
                                       traffic->list + nsends);
    traffic->under_way++;
}

void armilla_strip_traffic_poke(void *traffic)
{
    armilla_strip_traffic *t = traffic;
    const armilla_transport *transport = &t->exchange->transport;
    if (t->failed || t->under_way == 0) return;
    t->failed = transport->poke(transport->context) != 0;
}

/* Where the rank's message to itself is. */
static double *own_message(const messages *out, double *data)
{
    for (int64_t rank = 0; rank < out->x->transport.rank; rank++) data += message_size(out, rank);
    return data;
}

void armilla_strip_traffic_finish(armilla_strip_traffic *traffic, int64_t k,
                                  const armilla_leg *by_order)
{
    const armilla_transport *transport = &traffic->exchange->transport;
    const int slot = (int)(k % ARMILLA_TRANSPORT_SLOTS);
    const messages out = outgoing(traffic, k), in = incoming(traffic, k);
    double *data = traffic->in[slot];
    traffic->under_way--;
    if (!traffic->failed) traffic->failed = transport->wait(transport->context, slot);
    if (traffic->failed) return;
    for (int64_t rank = 0; rank < transport->nranks; rank++) {
        double *message = rank == transport->rank ? own_message(&out, traffic->out[slot]) : data;
        move_message(&in, in.by_order ? by_order : traffic->by_strips, rank, message, 0,
                     traffic->nthreads);
        data += message_size(&in, rank);
    }
}
