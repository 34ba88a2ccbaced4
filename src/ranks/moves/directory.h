/* Who has which numbers, and who wants them: each rank keeps a directory of one range of the whole
 * array, so that none has to know all spans. */
#ifndef ARMILLA_RANKS_MOVES_DIRECTORY_H
#define ARMILLA_RANKS_MOVES_DIRECTORY_H

#include "ranks/moves/notes.h"
#include "ranks/moves/spans.h"

/* A rank's own spans. */
typedef struct armilla_own_spans {
    int64_t nfrom, nto;
    const armilla_span *from, *to;
} armilla_own_spans;

/* Asks all directories: collective.
 * Given:    status  of this rank so far, on which ranks agree here;
 *           reach  the largest number of all ranks + 1.
 * Returned: *answers  for each part of the rank's source that another rank wants, or the rank
 *           itself, and for each part of its target, where it is, and which rank has the other
 *           end. Answers of both ends about each other are about the same numbers, in the same
 *           sequence. Must be cleared, also after an error.
 * Errors:   ARGUMENT, MEMORY, TRANSPORT: the same on all ranks. */
armilla_status armilla_directory_ask(const armilla_transport *transport, armilla_status status,
                                     int64_t reach, const armilla_own_spans *own,
                                     armilla_notes *answers);

#endif
