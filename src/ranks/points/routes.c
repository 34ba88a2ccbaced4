/* Tells each rank which points lie in its strips or beside them, run by run of neighbouring
 * numbers, and makes spans of these. Notes come rank by rank, so that points here are by number. */
#include "ranks/points/routes.h"

#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/moves/notes.h"

#include <inttypes.h>
#include <stdlib.h>

/* Kinds of notes. */
enum { INSIDE = ARMILLA_NOTE_SOURCE, BESIDE = ARMILLA_NOTE_TARGET };

/* The run that a rank is being told of. */
typedef struct {
    int64_t kind, end, note;
} last_run;

typedef struct {
    const armilla_routed_points *points;
    armilla_notes *notes; /* note = NULL: counted only */
    last_run *last;       /* of each rank; end = -1: none */
} telling;

static void tell(const telling *t, int64_t rank, int64_t kind, int64_t number)
{
    last_run *last = &t->last[rank];
    if (last->end != number || last->kind != kind) {
        *last = (last_run){kind, number, t->notes->count++};
        if (t->notes->note)
            t->notes->note[last->note] =
                (armilla_note){.rank = rank, .kind = kind, .number = number};
    }
    if (t->notes->note) t->notes->note[last->note].count++;
    last->end = number + 1;
}

static void tell_point(const telling *t, int64_t band, int64_t number)
{
    const armilla_routed_points *p = t->points;
    const int64_t owner = p->owner[band];
    tell(t, owner, INSIDE, number);
    if (band > 0 && p->owner[band - 1] != owner) tell(t, p->owner[band - 1], BESIDE, number);
    if (band + 1 < p->nbands && p->owner[band + 1] != owner)
        tell(t, p->owner[band + 1], BESIDE, number);
}

static void tell_all(const telling *t, int64_t nranks)
{
    const armilla_routed_points *p = t->points;
    t->notes->count = 0;
    for (int64_t rank = 0; rank < nranks; rank++) t->last[rank].end = -1;
    for (int64_t i = 0; i < p->numbers.nspans; i++) {
        const armilla_span *span = &p->numbers.spans[i];
        for (int64_t k = 0; k < span->count; k++)
            tell_point(t, p->band[span->place + k], span->begin + k);
    }
}

static armilla_status make_notes(const armilla_routed_points *points, int64_t nranks,
                                 armilla_notes *notes)
{
    telling t = {points, notes, NULL};
    armilla_status status = armilla_allocate(&t.last, nranks, sizeof *t.last);
    if (status) return status;
    tell_all(&t, nranks);
    status = armilla_allocate(&notes->note, notes->count, sizeof *notes->note);
    if (!status) tell_all(&t, nranks);
    armilla_release(t.last);
    return status;
}

static int by_number(const void *left, const void *right)
{
    const armilla_note *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/* Spans of the points here, and of those of own strips. */
typedef struct {
    int64_t nall, ninside;
    armilla_span *all, *inside;
} here_spans;

static armilla_status make_spans(armilla_notes *found, here_spans *s, int64_t *here)
{
    armilla_status status = armilla_allocate(&s->all, found->count, sizeof *s->all);
    if (!status) status = armilla_allocate(&s->inside, found->count, sizeof *s->inside);
    *here = 0;
    qsort(found->note, (size_t)found->count, sizeof *found->note, by_number);
    for (int64_t i = 0; i < found->count && !status; i++) {
        const armilla_note *note = &found->note[i];
        const armilla_span span = {note->number, note->count, *here};
        s->all[s->nall++] = span;
        if (note->kind == INSIDE) s->inside[s->ninside++] = span;
        *here += note->count;
    }
    if (!status && *here >= (int64_t)1 << 32)
        status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                              "npoints: %" PRId64 " lie in the strips of one rank: must be below "
                              "2^32",
                              *here);
    return status;
}

static armilla_status find_spans(const armilla_transport *transport, armilla_status status,
                                 const armilla_routed_points *points, here_spans *s, int64_t *here)
{
    armilla_notes notes = {0, NULL}, found;
    if (!status) status = make_notes(points, transport->nranks, &notes);
    status = armilla_notes_exchange(transport, status, &notes, &found);
    armilla_notes_clear(&notes);
    if (!status) status = armilla_agree(transport, make_spans(&found, s, here));
    armilla_notes_clear(&found);
    return status;
}

armilla_status armilla_point_routes_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_routed_points *points,
                                         armilla_point_routes *routes)
{
    here_spans s = {0};
    *routes = (armilla_point_routes){.here = 0};
    status = find_spans(transport, status, points, &s, &routes->here);
    const armilla_point_numbers *own = &points->numbers;
    if (!status)
        status = armilla_redistribution_new(transport, own->nspans, own->spans, s.nall, s.all, NULL,
                                            &routes->to_strips);
    if (!status)
        status = armilla_redistribution_new(transport, s.ninside, s.inside, own->nspans, own->spans,
                                            NULL, &routes->to_askers);
    armilla_release(s.all);
    armilla_release(s.inside);
    return status;
}

void armilla_point_routes_clear(armilla_point_routes *routes)
{
    armilla_redistribution_free(routes->to_strips);
    armilla_redistribution_free(routes->to_askers);
    *routes = (armilla_point_routes){.here = 0};
}
