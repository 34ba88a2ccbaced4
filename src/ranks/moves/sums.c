/* Adds up numbers of all ranks: those that are not 0 go to a rank each, as notes, and the sums back
 * to all. */
#include "ranks/moves/sums.h"

#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/moves/notes.h"

#include <string.h>

/* The notes about number i go to rank i modulo nranks, which adds them up. */
static armilla_status make_notes(const armilla_transport *transport, int64_t count,
                                 const int64_t *values, armilla_notes *notes)
{
    armilla_status status = armilla_allocate(&notes->note, count, sizeof *notes->note);
    for (int64_t i = 0; i < count && !status; i++)
        if (values[i])
            notes->note[notes->count++] =
                (armilla_note){.rank = i % transport->nranks, .number = i, .count = values[i]};
    return status;
}

armilla_status armilla_ranks_add(const armilla_transport *transport, armilla_status status,
                                 int64_t count, int64_t *values)
{
    armilla_notes notes = {0, NULL}, found;
    if (!status) status = make_notes(transport, count, values, &notes);
    status = armilla_notes_exchange(transport, status, &notes, &found);
    if (!status) {
        memset(values, 0, (size_t)count * sizeof *values);
        for (int64_t i = 0; i < found.count; i++)
            values[found.note[i].number] += found.note[i].count;
        if (transport->largest(transport->context, count, values))
            status = armilla_fail_transport();
    }
    armilla_notes_clear(&notes);
    armilla_notes_clear(&found);
    return status;
}
