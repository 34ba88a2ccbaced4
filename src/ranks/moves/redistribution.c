/* Makes redistributions: checks spans, asks the directories, and keeps streams. */
#include "ranks/moves/redistribution.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "ranks/agree.h"
#include "ranks/moves/directory.h"

enum { CHUNK_BYTES = 4000000 };

void armilla_redistribution_options_init_sized(armilla_redistribution_options *options, size_t size)
{
    const armilla_redistribution_options defaults = {.chunk_bytes = 0};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_redistribution_options), 0};

static armilla_status take_options(const armilla_redistribution_options *given,
                                   armilla_redistribution *r)
{
    armilla_redistribution_options options;
    armilla_redistribution_options_init(&options);
    armilla_status status = armilla_options_copy("options", "armilla_redistribution_options", given,
                                                 VERSIONS, &options);
    if (!status && options.chunk_bytes < 0)
        status = armilla_fail_argument("options->chunk_bytes", options.chunk_bytes,
                                       "must be 0 (chosen) or more");
    r->chunk_bytes = options.chunk_bytes;
    return status;
}

static armilla_status check_spans(const armilla_own_spans *own, armilla_redistribution *r,
                                  int64_t *reach)
{
    armilla_reach from, to;
    armilla_status status;
    if ((status = armilla_spans_check("from", own->nfrom, own->from, &from)) ||
        (status = armilla_spans_check("to", own->nto, own->to, &to)) ||
        (status = armilla_spans_check_places(own->nto, own->to)))
        return status;
    r->source_reach = from.place, r->target_reach = to.place;
    *reach = armilla_larger(from.number, to.number);
    return ARMILLA_OK;
}

/* How many streams go to or come from others, and the longest of them. */
static void measure(const armilla_redistribution *r, int64_t *most, int64_t *longest)
{
    const armilla_streams *both[] = {&r->out, &r->in};
    *most = *longest = 0;
    for (int i = 0; i < 2; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < both[i]->count; k++) {
            if (both[i]->streams[k].rank == r->transport.rank) continue;
            *longest = armilla_larger(*longest, both[i]->streams[k].size);
            count++;
        }
        *most = armilla_larger(*most, count);
    }
}

/* What all ranks must know alike. */
static armilla_status share(armilla_redistribution *r, armilla_status status)
{
    int64_t values[3] = {0, 0, r->chunk_bytes};
    if (!status) measure(r, &values[0], &values[1]);
    status = armilla_agree_largest(&r->transport, status, 3, values);
    r->most_streams = values[0], r->longest = values[1];
    r->chunk_bytes = values[2] ? values[2] : CHUNK_BYTES;
    return status;
}

static armilla_status make(const armilla_own_spans *own, armilla_status status,
                           armilla_redistribution *r)
{
    const armilla_transport *transport = &r->transport;
    int64_t reach = 0;
    armilla_notes answers;
    if (!status) status = check_spans(own, r, &reach);
    if ((status = armilla_agree_largest(transport, status, 1, &reach))) return status;
    status = armilla_directory_ask(transport, status, reach, own, &answers);
    if (!status) {
        status = armilla_streams_make(transport->nranks, &answers, ARMILLA_NOTE_SOURCE, &r->out);
        if (!status)
            status = armilla_streams_make(transport->nranks, &answers, ARMILLA_NOTE_TARGET, &r->in);
        status = share(r, status);
    }
    armilla_notes_clear(&answers);
    return status;
}

armilla_status armilla_redistribution_new(const armilla_transport *transport, int64_t nfrom,
                                          const armilla_span *from, int64_t nto,
                                          const armilla_span *to,
                                          const armilla_redistribution_options *options,
                                          armilla_redistribution **redistribution)
{
    const armilla_own_spans own = {nfrom, nto, from, to};
    armilla_redistribution *result = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    armilla_redistribution made = {.transport = *transport};
    if (!(status = armilla_check_given("redistribution", redistribution)) &&
        !(status = armilla_allocate(&result, 1, sizeof *result)))
        status = take_options(options, &made);
    status = make(&own, status, &made);
    if (result) *result = made;
    if (status)
        armilla_redistribution_free(result);
    else
        *redistribution = result;
    return status;
}

void armilla_redistribution_free(armilla_redistribution *redistribution)
{
    if (!redistribution) return;
    armilla_streams_clear(&redistribution->out);
    armilla_streams_clear(&redistribution->in);
    armilla_release(redistribution);
}
