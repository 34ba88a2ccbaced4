/* Gathers parts of maps and of alm on one rank, and scatters them: a redistribution for each group
 * of fields, between the spans of its members and whole arrays. */
#include "armilla/alm.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "ranks/agree.h"
#include "ranks/distribution.h"
#include "ranks/moves/spans.h"

typedef struct {
    const armilla_transport *transport;
    const armilla_distribution *distribution;
    int64_t root, nfields, ncomp, element_bytes;
    int is_alm, scatters;
} call;

typedef struct {
    int64_t count;
    armilla_span *spans;
} span_list;

static armilla_status check(const call *c)
{
    armilla_status status = armilla_distribution_check(c->distribution, c->transport);
    if (status) return status;
    if (c->root < 0 || c->root >= c->transport->nranks)
        return armilla_fail_argument("root", c->root, "must be a rank");
    if (c->nfields < 0) return armilla_fail_argument("nfields", c->nfields, "must be 0 or more");
    if (c->ncomp < 0) return armilla_fail_argument("ncomp", c->ncomp, "must be 0 or more");
    return ARMILLA_OK;
}

/* --- Both ends ------------------------------------------------------------------------------- */

static int64_t part_spans(const call *c, armilla_span *spans)
{
    const int64_t rank = c->transport->rank;
    return c->is_alm ? armilla_distribution_alm_spans(c->distribution, rank, spans)
                     : armilla_distribution_map_spans(c->distribution, rank, spans);
}

static int64_t whole_size(const call *c)
{
    const armilla_distribution *d = c->distribution;
    return c->is_alm ? armilla_alm_size(d->lmax, d->mmax) : d->grid->npix;
}

static int64_t whole_spans(const call *c, armilla_span *spans)
{
    if (!c->is_alm) return armilla_whole_map_spans(c->distribution->grid, spans);
    if (spans) *spans = (armilla_span){.begin = 0, .count = whole_size(c), .place = 0};
    return 1;
}

static armilla_status list_spans(const call *c, int64_t (*fill)(const call *, armilla_span *),
                                 span_list *list)
{
    list->count = fill(c, NULL);
    const armilla_status status = armilla_allocate(&list->spans, list->count, sizeof *list->spans);
    if (!status) fill(c, list->spans);
    return status;
}

/* --- Groups ---------------------------------------------------------------------------------- */

static armilla_status move_group(const call *c, int64_t group, void *part, void *whole)
{
    const armilla_distribution *d = c->distribution;
    const armilla_transport *t = c->transport;
    span_list parts = {0, NULL}, wholes = {0, NULL};
    armilla_redistribution *r = NULL;
    int64_t first;
    const int64_t nfields = armilla_distribution_fields(d, group * d->nmembers, c->nfields, &first);
    const int64_t skipped = first * c->ncomp * whole_size(c) * c->element_bytes;
    armilla_status status = ARMILLA_OK;
    if (t->rank / d->nmembers == group) status = list_spans(c, part_spans, &parts);
    if (t->rank == c->root && !status) status = list_spans(c, whole_spans, &wholes);
    if (t->rank == c->root && whole) whole = (char *)whole + skipped;
    const span_list *from = c->scatters ? &wholes : &parts, *to = c->scatters ? &parts : &wholes;
    if (!(status = armilla_agree(t, status)) &&
        !(status = armilla_redistribution_new(t, from->count, from->spans, to->count, to->spans,
                                              NULL, &r)))
        status = armilla_redistribution_run(r, c->element_bytes, nfields * c->ncomp,
                                            c->scatters ? whole : part, 0,
                                            c->scatters ? part : whole, 0);
    armilla_redistribution_free(r);
    armilla_release(parts.spans);
    armilla_release(wholes.spans);
    return status;
}

static armilla_status move_all(const call *c, void *part, void *whole)
{
    armilla_status status = armilla_check_transport(c->transport);
    if (status || (status = armilla_agree(c->transport, check(c)))) return status;
    const int64_t groups = c->distribution->nranks / c->distribution->nmembers;
    for (int64_t group = 0; group < groups && !status; group++)
        status = move_group(c, group, part, whole);
    return status;
}

/* --- The four of them; inputs are never written ------------------------------------------------
 */

armilla_status armilla_distributed_map_gather(const armilla_transport *transport,
                                              const armilla_distribution *distribution,
                                              int64_t root, int64_t nfields, int64_t ncomp,
                                              int64_t element_bytes, const void *part, void *whole)
{
    const call c = {transport, distribution, root, nfields, ncomp, element_bytes, 0, 0};
    return move_all(&c, (void *)part, whole);
}

armilla_status armilla_distributed_map_scatter(const armilla_transport *transport,
                                               const armilla_distribution *distribution,
                                               int64_t root, int64_t nfields, int64_t ncomp,
                                               int64_t element_bytes, const void *whole, void *part)
{
    const call c = {transport, distribution, root, nfields, ncomp, element_bytes, 0, 1};
    return move_all(&c, part, (void *)whole);
}

armilla_status armilla_distributed_alm_gather(const armilla_transport *transport,
                                              const armilla_distribution *distribution,
                                              int64_t root, int64_t nfields, int64_t ncomp,
                                              int64_t element_bytes, const void *part, void *whole)
{
    const call c = {transport, distribution, root, nfields, ncomp, element_bytes, 1, 0};
    return move_all(&c, (void *)part, whole);
}

armilla_status armilla_distributed_alm_scatter(const armilla_transport *transport,
                                               const armilla_distribution *distribution,
                                               int64_t root, int64_t nfields, int64_t ncomp,
                                               int64_t element_bytes, const void *whole, void *part)
{
    const call c = {transport, distribution, root, nfields, ncomp, element_bytes, 1, 1};
    return move_all(&c, part, (void *)whole);
}
