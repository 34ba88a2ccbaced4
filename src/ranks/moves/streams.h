/* What one rank sends to each other, or receives: numbers in a sequence that both ends know. */
#ifndef ARMILLA_RANKS_MOVES_STREAMS_H
#define ARMILLA_RANKS_MOVES_STREAMS_H

#include "ranks/moves/notes.h"

/* Neighbours in the rank's array. */
typedef struct armilla_stretch {
    int64_t begin; /* number of the first one in the stream */
    int64_t place;
} armilla_stretch;

/* The last stretch is followed by one that begins at the end of the stream. */
typedef struct armilla_stream {
    int64_t rank; /* at the other end */
    int64_t size;
    int64_t count; /* of stretches */
    const armilla_stretch *stretches;
} armilla_stream;

typedef struct armilla_streams {
    int64_t count; /* those that are not empty, with that to the rank itself */
    armilla_stream *streams;
    armilla_stretch *stretches;
} armilla_streams;

/* Given:  answers  of directories;  kind  that of the rank's end.
 * Errors: MEMORY; *streams must be cleared all the same. */
armilla_status armilla_streams_make(int64_t nranks, const armilla_notes *answers,
                                    armilla_note_kind kind, armilla_streams *streams);
void armilla_streams_clear(armilla_streams *streams);

/* The stream from the rank to itself, or NULL. */
const armilla_stream *armilla_streams_own(const armilla_streams *streams, int64_t rank);

/* The number of the stretch that has element i of the stream. */
int64_t armilla_stream_find(const armilla_stream *stream, int64_t i);

#endif
