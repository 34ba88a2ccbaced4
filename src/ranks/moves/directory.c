/* Finds out which rank sends what to which: spans are cut where the ranges of directories end, go
 * there as notes, are sorted and matched, and the answers go to both ends.
 *
 *     whole array    0 ......... n | n ....... 2n | 2n ...
 *     directory of       rank 0        rank 1        ...
 */
#include "ranks/moves/directory.h"

#include "base/integer.h"
#include "base/memory.h"

#include <stdlib.h>

/* --- Questions ------------------------------------------------------------------------------- */

/* Cuts spans into notes to directories of `range` numbers each. Returned: how many; notes, unless
 * NULL, are filled. */
static int64_t cut_spans(int64_t count, const armilla_span *spans, int64_t range,
                         armilla_note_kind kind, armilla_note *notes)
{
    int64_t n = 0;
    for (int64_t i = 0; i < count; i++) {
        const armilla_span *s = &spans[i];
        for (int64_t done = 0, size; done < s->count; done += size, n++) {
            const int64_t number = s->begin + done;
            size = armilla_smaller(s->count - done, range - number % range);
            if (notes)
                notes[n] = (armilla_note){.rank = number / range,
                                          .kind = kind,
                                          .number = number,
                                          .count = size,
                                          .place = s->place + done};
        }
    }
    return n;
}

static armilla_status make_questions(const armilla_own_spans *own, int64_t range,
                                     armilla_notes *questions)
{
    const int64_t nfrom = cut_spans(own->nfrom, own->from, range, ARMILLA_NOTE_SOURCE, NULL);
    questions->count = nfrom + cut_spans(own->nto, own->to, range, ARMILLA_NOTE_TARGET, NULL);
    armilla_status status =
        armilla_allocate(&questions->note, questions->count, sizeof *questions->note);
    if (status) return status;
    cut_spans(own->nfrom, own->from, range, ARMILLA_NOTE_SOURCE, questions->note);
    cut_spans(own->nto, own->to, range, ARMILLA_NOTE_TARGET, questions->note + nfrom);
    return ARMILLA_OK;
}

/* --- Answers --------------------------------------------------------------------------------- */

/* Sources come before targets, by number. */
static int compare(const void *a, const void *b)
{
    const armilla_note *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int64_t end_of(const armilla_note *note)
{
    return note->number + note->count;
}

static int64_t count_sources(const armilla_notes *sorted)
{
    int64_t n = 0;
    while (n < sorted->count && sorted->note[n].kind == ARMILLA_NOTE_SOURCE) n++;
    return n;
}

static armilla_status check_sources(const armilla_notes *sorted)
{
    const int64_t nsources = count_sources(sorted);
    for (int64_t i = 1; i < nsources; i++) {
        const armilla_note *before = &sorted->note[i - 1], *note = &sorted->note[i];
        if (note->number < end_of(before))
            return armilla_fail(
                ARMILLA_ERROR_ARGUMENT, "from: number %lld has two sources, on ranks %lld and %lld",
                (long long)note->number, (long long)before->rank, (long long)note->rank);
    }
    return ARMILLA_OK;
}

static void answer(armilla_notes *answers, int to_source, const armilla_note *source,
                   const armilla_note *target, int64_t number, int64_t count)
{
    const armilla_note *note = to_source ? source : target;
    if (answers->note)
        answers->note[answers->count] =
            (armilla_note){.rank = note->rank,
                           .kind = note->kind,
                           .number = to_source ? target->rank : source->rank,
                           .count = count,
                           .place = note->place + number - note->number};
    answers->count++;
}

/* Two answers for each part of a target that one source has. answers->note = NULL: counted only. */
static armilla_status match(const armilla_notes *sorted, armilla_notes *answers)
{
    const int64_t nsources = count_sources(sorted);
    const armilla_note *source = sorted->note, *end = source + nsources;
    answers->count = 0;
    for (int64_t i = nsources; i < sorted->count; i++) {
        const armilla_note *target = &sorted->note[i];
        while (source < end && end_of(source) <= target->number) source++;
        const armilla_note *s = source;
        for (int64_t number = target->number, count; number < end_of(target); number += count) {
            if (s == end || s->number > number)
                return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                    "to: number %lld, which rank %lld wants, has no source",
                                    (long long)number, (long long)target->rank);
            count = armilla_smaller(end_of(s), end_of(target)) - number;
            answer(answers, 1, s, target, number, count);
            answer(answers, 0, s, target, number, count);
            s++;
        }
    }
    return ARMILLA_OK;
}

static armilla_status make_answers(armilla_notes *questions, armilla_notes *answers)
{
    armilla_status status;
    qsort(questions->note, (size_t)questions->count, sizeof *questions->note, compare);
    if ((status = check_sources(questions)) || (status = match(questions, answers)) ||
        (status = armilla_allocate(&answers->note, answers->count, sizeof *answers->note)))
        return status;
    return match(questions, answers);
}

armilla_status armilla_directory_ask(const armilla_transport *transport, armilla_status status,
                                     int64_t reach, const armilla_own_spans *own,
                                     armilla_notes *answers)
{
    const int64_t range = reach / transport->nranks + 1;
    armilla_notes questions = {0, NULL}, asked, answered = {0, NULL};
    *answers = (armilla_notes){0, NULL};
    if (!status) status = make_questions(own, range, &questions);
    status = armilla_notes_exchange(transport, status, &questions, &asked);
    armilla_notes_clear(&questions);
    if (!status) {
        status = make_answers(&asked, &answered);
        armilla_notes_clear(&asked);
        status = armilla_notes_exchange(transport, status, &answered, answers);
    }
    armilla_notes_clear(&asked);
    armilla_notes_clear(&answered);
    return status;
}
