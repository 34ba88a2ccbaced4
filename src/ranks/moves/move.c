/* Moves arrays along the streams of a redistribution. A stream carries array after array; all
 * streams are cut into messages of so many numbers, the first ones of all streams go at once, then
 * the second ones: two exchanges are under way while a third one is packed or unpacked.
 *
 *     stream   array 0 | array 1 | ...      size numbers each
 *     message  0   | 1   | 2   | ...        `each` numbers, the last one fewer
 */
#include "base/integer.h"
#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/moves/redistribution.h"

#include <string.h>

enum { SLOTS = ARMILLA_TRANSPORT_SLOTS };

/* Arrays at one end. */
typedef struct {
    char *values;
    int64_t stride; /* numbers from array to array */
    const armilla_streams *streams;
    char *buffers[SLOTS];
    armilla_message *messages;
} end;

typedef struct {
    const armilla_redistribution *r;
    int64_t bytes, narrays; /* bytes of a number */
    int64_t each;           /* numbers of a message at most */
    int64_t nexchanges;
    end source, target;
    char *memory;
} move;

/* --- Copies ---------------------------------------------------------------------------------- */

static void copy(char *array, char *other, int64_t bytes, int to_array)
{
    memcpy(to_array ? array : other, to_array ? other : array, (size_t)bytes);
}

/* Numbers first .. last - 1 of a stream, between arrays and memory where they are neighbours. */
static void transfer(const move *m, const end *e, const armilla_stream *stream, int64_t first,
                     int64_t last, char *memory, int to_array)
{
    int64_t array = first / stream->size, i = first % stream->size;
    int64_t k = armilla_stream_find(stream, i);
    while (first < last) {
        const armilla_stretch *stretch = &stream->stretches[k];
        const int64_t count = armilla_smaller(stretch[1].begin - i, last - first);
        const int64_t place = array * e->stride + stretch->place + i - stretch->begin;
        copy(e->values + m->bytes * place, memory, m->bytes * count, to_array);
        memory += m->bytes * count, first += count, i += count;
        if (i == stretch[1].begin) k++;
        if (k == stream->count) array++, i = 0, k = 0;
    }
}

/* What stays on the rank: from stretches of the source to stretches of the target. */
static void copy_own(const move *m)
{
    const int64_t rank = m->r->transport.rank;
    const armilla_stream *out = armilla_streams_own(m->source.streams, rank);
    const armilla_stream *in = armilla_streams_own(m->target.streams, rank);
    for (int64_t array = 0; out && array < m->narrays; array++)
        for (int64_t k = 0; k < out->count; k++) {
            const armilla_stretch *s = &out->stretches[k];
            const int64_t first = array * out->size;
            transfer(m, &m->target, in, first + s[0].begin, first + s[1].begin,
                     m->source.values + m->bytes * (array * m->source.stride + s->place), 1);
        }
}

/* --- Messages -------------------------------------------------------------------------------- */

/* The message of a stream in exchange k: numbers *first to before the one that is returned. */
static int64_t cut_message(const move *m, const armilla_stream *stream, int64_t k, int64_t *first)
{
    const int64_t whole = m->narrays * stream->size;
    *first = armilla_smaller(k * m->each, whole);
    return *first + armilla_smaller(m->each, whole - *first);
}

static int64_t list_messages(const move *m, const end *e, int64_t k)
{
    char *data = e->buffers[k % SLOTS];
    int64_t count = 0;
    for (int64_t i = 0; i < e->streams->count; i++) {
        const armilla_stream *stream = &e->streams->streams[i];
        int64_t first, last = cut_message(m, stream, k, &first);
        if (first == last || stream->rank == m->r->transport.rank) continue;
        const int64_t bytes = m->bytes * (last - first);
        e->messages[count++] = (armilla_message){stream->rank, bytes, data};
        data += bytes;
    }
    return count;
}

/* Between the arrays and the messages of exchange k, which are in the sequence of the list. */
static void transfer_messages(const move *m, const end *e, int64_t k, int to_array)
{
    char *data = e->buffers[k % SLOTS];
    for (int64_t i = 0; i < e->streams->count; i++) {
        const armilla_stream *stream = &e->streams->streams[i];
        int64_t first, last = cut_message(m, stream, k, &first);
        if (first == last || stream->rank == m->r->transport.rank) continue;
        transfer(m, e, stream, first, last, data, to_array);
        data += m->bytes * (last - first);
    }
}

static int start(const move *m, int64_t k)
{
    const armilla_transport *transport = &m->r->transport;
    transfer_messages(m, &m->source, k, 0);
    const int64_t nsends = list_messages(m, &m->source, k);
    const int64_t nreceives = list_messages(m, &m->target, k);
    return transport->start(transport->context, (int)(k % SLOTS), nsends, m->source.messages,
                            nreceives, m->target.messages);
}

static int finish(const move *m, int64_t k)
{
    const armilla_transport *transport = &m->r->transport;
    if (transport->wait(transport->context, (int)(k % SLOTS))) return 1;
    transfer_messages(m, &m->target, k, 1);
    return 0;
}

static armilla_status exchange_all(const move *m)
{
    int failed = 0;
    for (int64_t k = 0; k <= m->nexchanges && !failed; k++) {
        if (k < m->nexchanges) failed = start(m, k);
        if (k == 0) copy_own(m);
        if (k > 0 && !failed) failed = finish(m, k - 1);
    }
    return failed ? armilla_fail_transport() : ARMILLA_OK;
}

/* --- A call ---------------------------------------------------------------------------------- */

static armilla_status check_end(const char *name, const char *stride, const end *e, int64_t reach,
                                int64_t narrays)
{
    if (e->stride < 0) return armilla_fail_argument(stride, e->stride, "must be 0 or more");
    return reach > 0 && narrays > 0 ? armilla_check_given(name, e->values) : ARMILLA_OK;
}

static armilla_status check(const move *m)
{
    const armilla_redistribution *r = m->r;
    const int64_t n = m->narrays;
    armilla_status status;
    if (m->bytes < 1) return armilla_fail_argument("element_bytes", m->bytes, "must be 1 or more");
    if (n < 0) return armilla_fail_argument("narrays", n, "must be 0 or more");
    if (n > 0 && r->longest > INT64_MAX / m->bytes / n)
        return armilla_fail_argument("narrays", n, "goes beyond 2^63 - 1 bytes");
    if ((status = check_end("source", "source_stride", &m->source, r->source_reach, n)) ||
        (status = check_end("target", "target_stride", &m->target, r->target_reach, n)))
        return status;
    return ARMILLA_OK;
}

/* The bytes of an end's messages in an exchange, in whole cache lines. */
static int64_t buffer_bytes(const move *m, const end *e)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < e->streams->count; i++) {
        const armilla_stream *stream = &e->streams->streams[i];
        if (stream->rank != m->r->transport.rank)
            bytes += m->bytes * armilla_smaller(m->each, m->narrays * stream->size);
    }
    return (bytes + 63) / 64 * 64;
}

static armilla_status prepare(move *m)
{
    const armilla_redistribution *r = m->r;
    const int64_t longest = m->narrays * r->longest;
    m->nexchanges = longest / m->each + (longest % m->each > 0);
    const int64_t out = buffer_bytes(m, &m->source), in = buffer_bytes(m, &m->target);
    armilla_status status;
    if ((status = armilla_allocate(&m->memory, SLOTS * (out + in), 1)) ||
        (status = armilla_allocate(&m->source.messages, r->out.count, sizeof(armilla_message))) ||
        (status = armilla_allocate(&m->target.messages, r->in.count, sizeof(armilla_message))))
        return status;
    for (int slot = 0; slot < SLOTS; slot++) {
        m->source.buffers[slot] = m->memory + slot * out;
        m->target.buffers[slot] = m->memory + SLOTS * out + slot * in;
    }
    return ARMILLA_OK;
}

/* Do all ranks move as many numbers of one size? */
static armilla_status agree(const move *m, armilla_status status)
{
    const armilla_common values[] = {{"element_bytes", m->bytes}, {"narrays", m->narrays}};
    return armilla_agree_on(&m->r->transport, status, 2, values, NULL);
}

armilla_status armilla_redistribution_run(const armilla_redistribution *redistribution,
                                          int64_t element_bytes, int64_t narrays,
                                          const void *source, int64_t source_stride, void *target,
                                          int64_t target_stride)
{
    const armilla_redistribution *r = redistribution;
    armilla_status status = armilla_check_given("redistribution", r);
    if (status) return status;
    move m = {.r = r,
              .bytes = element_bytes,
              .narrays = narrays,
              .source = {.values = (char *)source,
                         .stride = source_stride ? source_stride : r->source_reach,
                         .streams = &r->out},
              .target = {.values = target,
                         .stride = target_stride ? target_stride : r->target_reach,
                         .streams = &r->in}};
    const int64_t most = armilla_larger(r->most_streams, 1);
    m.each = armilla_larger(r->chunk_bytes / most / armilla_larger(element_bytes, 1), 1);
    if (!(status = check(&m))) status = prepare(&m);
    if (!(status = agree(&m, status))) status = exchange_all(&m);
    armilla_release(m.memory);
    armilla_release(m.source.messages);
    armilla_release(m.target.messages);
    return status;
}
