/* Packs and unpacks messages on a GPU. Transports that take no device memory have copies of the
 * host: those of the messages to others, not of what stays on the rank. */
#include "ranks/device/exchange.h"

/* Doubles of the messages of a chunk: those before the own one, the own one, those behind it. */
typedef struct {
    int64_t own, behind, end;
} cuts;

static cuts cuts_of(const armilla_exchange *x, const armilla_messages *messages)
{
    const int64_t own = x->schedule->legs.member, n = x->schedule->nmembers;
    return (cuts){x->nsets * messages->begin[own], x->nsets * messages->begin[own + 1],
                  x->nsets * messages->begin[n]};
}

static int slot_of(int64_t k)
{
    return (int)(k % ARMILLA_TRANSPORT_SLOTS);
}

/* Rows first .. end - 1. */
static void move(const armilla_exchange *x, const armilla_message_rows *rows, int64_t first,
                 int64_t end, double *messages, int pack)
{
    const armilla_exchange_device *d = &x->device;
    const int listed = (x->schedule->first == ARMILLA_BY_ORDER) == pack;
    const armilla_cuda_moved moved = {.moves = d->rows->moves,
                                      .range = {first, end - first, rows->most, listed},
                                      .nsets = x->nsets,
                                      .legs = pack ? d->share->leg : d->share->whole,
                                      .messages = messages,
                                      .pack = pack};
    armilla_cuda()->share->move(d->share, &moved);
}

static void copy(armilla_cuda_share *share, double *to, const double *from, int64_t count,
                 int to_host)
{
    armilla_cuda()->share->copy(share, to, from, count, to_host);
}

/* The GPU is waited for: what comes next, may write to messages of an earlier chunk that it has
 * read, and sends those of this one. Errors stay for the end of the stage. */
void armilla_exchange_pack_on_device(const armilla_exchange *exchange, int64_t k)
{
    const armilla_exchange *x = exchange;
    const armilla_exchange_device *d = &x->device;
    const armilla_message_rows *rows = &d->rows->out[k];
    const int slot = slot_of(k);
    double *here = d->share->out[slot], *host = x->out[slot];
    move(x, rows, rows->first, rows->end, here, 1);
    if (d->staged) {
        const cuts c = cuts_of(x, &x->schedule->chunks[k].out);
        copy(d->share, host, here, c.own, 1);
        copy(d->share, host + c.behind, here + c.behind, c.end - c.behind, 1);
    }
    (void)armilla_cuda()->share->wait(d->share);
}

void armilla_exchange_unpack_on_device(const armilla_exchange *exchange, int64_t k)
{
    const armilla_exchange *x = exchange;
    const armilla_exchange_device *d = &x->device;
    const armilla_message_rows *rows = &d->rows->in[k];
    const int slot = slot_of(k);
    const cuts c = cuts_of(x, &x->schedule->chunks[k].in),
               sent = cuts_of(x, &x->schedule->chunks[k].out);
    double *here = d->share->in[slot];
    const double *host = x->in[slot];
    if (d->staged) {
        copy(d->share, here, host, c.own, 0);
        copy(d->share, here + c.behind, host + c.behind, c.end - c.behind, 0);
    }
    move(x, rows, rows->first, rows->own, here, 0);
    move(x, rows, rows->own, rows->behind, d->share->out[slot] + (sent.own - c.own), 0);
    move(x, rows, rows->behind, rows->end, here, 0);
}
