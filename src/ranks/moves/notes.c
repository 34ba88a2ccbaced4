/* Delivers notes in two exchanges: how many go from each rank to each other, then the notes. */
#include "ranks/moves/notes.h"

#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/owners.h"

#include <string.h>

typedef struct {
    const armilla_transport *transport;
    int64_t *list;                 /* of the notes, by rank */
    armilla_note *out;             /* in the sequence of the list */
    int64_t *out_start, *in_start; /* nranks + 1 */
    int64_t *nout, *nin;           /* for each rank */
    armilla_message *messages;     /* room for 2 nranks */
} post;

void armilla_notes_clear(armilla_notes *notes)
{
    armilla_release(notes->note);
    *notes = (armilla_notes){0, NULL};
}

void armilla_notes_list(const armilla_notes *notes, int64_t nranks, int64_t *list, int64_t *start)
{
    const int64_t step = sizeof(armilla_note) / sizeof(int64_t);
    armilla_owners_list(notes->count, &notes->note->rank, step, nranks, list, start);
}

static armilla_status open_post(post *p, int64_t nnotes)
{
    const int64_t nranks = p->transport->nranks;
    armilla_status status;
    if ((status = armilla_allocate(&p->list, nnotes, sizeof *p->list)) ||
        (status = armilla_allocate(&p->out, nnotes, sizeof *p->out)) ||
        (status = armilla_allocate(&p->out_start, nranks + 1, sizeof *p->out_start)) ||
        (status = armilla_allocate(&p->in_start, nranks + 1, sizeof *p->in_start)) ||
        (status = armilla_allocate(&p->nout, nranks, sizeof *p->nout)) ||
        (status = armilla_allocate(&p->nin, nranks, sizeof *p->nin)) ||
        (status = armilla_allocate(&p->messages, 2 * nranks, sizeof *p->messages)))
        return status;
    return ARMILLA_OK;
}

static void close_post(post *p)
{
    armilla_release(p->list);
    armilla_release(p->out);
    armilla_release(p->out_start);
    armilla_release(p->in_start);
    armilla_release(p->nout);
    armilla_release(p->nin);
    armilla_release(p->messages);
}

/* Adds a message to the list, unless it is empty, or to the rank itself. */
static int64_t add_message(const post *p, armilla_message *list, int64_t count,
                           armilla_message message)
{
    if (message.bytes == 0 || message.rank == p->transport->rank) return count;
    list[count] = message;
    return count + 1;
}

static armilla_status deliver(const post *p, int64_t nsends, int64_t nreceives)
{
    const armilla_transport *t = p->transport;
    if (t->start(t->context, 0, nsends, p->messages, nreceives, p->messages + t->nranks) ||
        t->wait(t->context, 0))
        return armilla_fail_transport();
    return ARMILLA_OK;
}

static armilla_status deliver_counts(post *p)
{
    const int64_t nranks = p->transport->nranks, own = p->transport->rank;
    int64_t nsends = 0, nreceives = 0;
    for (int64_t rank = 0; rank < nranks; rank++) {
        p->nout[rank] = p->out_start[rank + 1] - p->out_start[rank];
        nsends = add_message(p, p->messages, nsends,
                             (armilla_message){rank, sizeof(int64_t), &p->nout[rank]});
        nreceives = add_message(p, p->messages + nranks, nreceives,
                                (armilla_message){rank, sizeof(int64_t), &p->nin[rank]});
    }
    p->nin[own] = p->nout[own];
    const armilla_status status = deliver(p, nsends, nreceives);
    p->in_start[0] = 0;
    for (int64_t rank = 0; rank < nranks && !status; rank++)
        p->in_start[rank + 1] = p->in_start[rank] + p->nin[rank];
    return status;
}

static armilla_status deliver_notes(post *p, armilla_note *in)
{
    const int64_t nranks = p->transport->nranks, own = p->transport->rank;
    const int64_t size = sizeof *in;
    int64_t nsends = 0, nreceives = 0;
    for (int64_t rank = 0; rank < nranks; rank++) {
        nsends =
            add_message(p, p->messages, nsends,
                        (armilla_message){rank, size * p->nout[rank], p->out + p->out_start[rank]});
        nreceives =
            add_message(p, p->messages + nranks, nreceives,
                        (armilla_message){rank, size * p->nin[rank], in + p->in_start[rank]});
    }
    memcpy(in + p->in_start[own], p->out + p->out_start[own], (size_t)(size * p->nin[own]));
    const armilla_status status = deliver(p, nsends, nreceives);
    for (int64_t rank = 0; rank < nranks && !status; rank++)
        for (int64_t i = p->in_start[rank]; i < p->in_start[rank + 1]; i++) in[i].rank = rank;
    return status;
}

armilla_status armilla_notes_exchange(const armilla_transport *transport, armilla_status status,
                                      const armilla_notes *notes, armilla_notes *found)
{
    post p = {.transport = transport};
    *found = (armilla_notes){0, NULL};
    if (!status) status = open_post(&p, notes->count);
    if (!status) armilla_notes_list(notes, transport->nranks, p.list, p.out_start);
    for (int64_t i = 0; i < notes->count && !status; i++) p.out[i] = notes->note[p.list[i]];
    if (!(status = armilla_agree(transport, status)) && !(status = deliver_counts(&p))) {
        found->count = p.in_start[transport->nranks];
        status = armilla_allocate(&found->note, found->count, sizeof *found->note);
        if (!(status = armilla_agree(transport, status))) status = deliver_notes(&p, found->note);
    }
    close_post(&p);
    return status;
}
