/* Sorts the answers of directories by the rank at the other end, and joins neighbours. Each end
 * joins what is together in its own array; the streams stay the same, number by number. */
#include "ranks/moves/streams.h"

#include "base/memory.h"

void armilla_streams_clear(armilla_streams *streams)
{
    armilla_release(streams->streams);
    armilla_release(streams->stretches);
    *streams = (armilla_streams){0, NULL, NULL};
}

/* The stream of the notes of a list, all of one rank; its stretches go to `room`. */
static armilla_stream make_stream(int64_t rank, int64_t count, const int64_t *list,
                                  const armilla_note *notes, armilla_stretch *room)
{
    armilla_stream stream = {.rank = rank, .stretches = room};
    int64_t behind = -1; /* the place behind the note before */
    for (int64_t i = 0; i < count; i++) {
        const armilla_note *note = &notes[list[i]];
        if (note->place != behind)
            room[stream.count++] = (armilla_stretch){stream.size, note->place};
        stream.size += note->count, behind = note->place + note->count;
    }
    room[stream.count] = (armilla_stretch){stream.size, 0};
    return stream;
}

static armilla_status fill(int64_t nranks, const armilla_note *notes, const int64_t *list,
                           const int64_t *start, armilla_streams *streams)
{
    int64_t nstreams = 0, used = 0;
    for (int64_t rank = 0; rank < nranks; rank++) nstreams += start[rank] < start[rank + 1];
    armilla_status status = armilla_allocate(&streams->streams, nstreams, sizeof(armilla_stream));
    if (!status)
        status = armilla_allocate(&streams->stretches, start[nranks] + nstreams,
                                  sizeof(armilla_stretch));
    for (int64_t rank = 0; rank < nranks && !status; rank++) {
        const int64_t count = start[rank + 1] - start[rank];
        if (count == 0) continue;
        armilla_stream *stream = &streams->streams[streams->count++];
        *stream = make_stream(rank, count, list + start[rank], notes, streams->stretches + used);
        used += stream->count + 1;
    }
    return status;
}

armilla_status armilla_streams_make(int64_t nranks, const armilla_notes *answers,
                                    armilla_note_kind kind, armilla_streams *streams)
{
    armilla_notes own = {0, NULL};
    int64_t *list = NULL, *start = NULL;
    *streams = (armilla_streams){0, NULL, NULL};
    armilla_status status = armilla_allocate(&own.note, answers->count, sizeof *own.note);
    if (!status) status = armilla_allocate(&list, answers->count, sizeof *list);
    if (!status) status = armilla_allocate(&start, nranks + 1, sizeof *start);
    for (int64_t i = 0; i < answers->count && !status; i++) {
        if (answers->note[i].kind != (int64_t)kind) continue;
        own.note[own.count] = answers->note[i];
        own.note[own.count++].rank = answers->note[i].number;
    }
    if (!status) {
        armilla_notes_list(&own, nranks, list, start);
        status = fill(nranks, own.note, list, start, streams);
    }
    armilla_release(own.note);
    armilla_release(list);
    armilla_release(start);
    return status;
}

const armilla_stream *armilla_streams_own(const armilla_streams *streams, int64_t rank)
{
    for (int64_t i = 0; i < streams->count; i++)
        if (streams->streams[i].rank == rank) return &streams->streams[i];
    return NULL;
}

int64_t armilla_stream_find(const armilla_stream *stream, int64_t i)
{
    int64_t low = 0, high = stream->count; /* low begins at or before i, high after it */
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (stream->stretches[middle].begin <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}
