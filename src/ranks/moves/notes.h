/* Short notes from every rank to every other: how ranks find out what they will exchange. */
#ifndef ARMILLA_RANKS_MOVES_NOTES_H
#define ARMILLA_RANKS_MOVES_NOTES_H

#include "armilla/transport.h"
#include "base/status.h"

typedef enum armilla_note_kind { ARMILLA_NOTE_SOURCE, ARMILLA_NOTE_TARGET } armilla_note_kind;

/* What a note says of `count` neighbours from `place` on in a rank's array, its source or its
 * target. `number` is their first number in the whole array, in notes to a directory; in its
 * answers, the rank at the other end. */
typedef struct armilla_note {
    int64_t rank; /* that it goes to, or came from */
    int64_t kind; /* armilla_note_kind */
    int64_t number, count, place;
} armilla_note;

typedef struct armilla_notes {
    int64_t count;
    armilla_note *note;
} armilla_notes;

void armilla_notes_clear(armilla_notes *notes);

/* The notes of each rank, as armilla_owners_list gives them. */
void armilla_notes_list(const armilla_notes *notes, int64_t nranks, int64_t *list, int64_t *start);

/* Delivers all notes: collective.
 * Given:    status  of this rank so far, on which ranks agree here.
 * Returned: *found  by the rank that each came from, and in the sequence in which that rank had
 *           them; must be cleared, also after an error. */
armilla_status armilla_notes_exchange(const armilla_transport *transport, armilla_status status,
                                      const armilla_notes *notes, armilla_notes *found);

#endif
