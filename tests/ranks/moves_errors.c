/* What redistributions refuse, whichever rank is wrong: the same error with the same message on all
 * ranks, and targets untouched. */
#include "ranks/moves.h"

#include <stdio.h>
#include <string.h>

static int expect(const armilla_transport *t, const char *what, armilla_status status,
                  const char *message)
{
    char why[600];
    if (status == ARMILLA_ERROR_ARGUMENT && !strcmp(armilla_status_message(), message)) return 0;
    snprintf(why, sizeof why, "\"%s\", and should be \"%s\"",
             status ? armilla_status_message() : "no error", message);
    return ranks_complain(t, what, why);
}

/* --- Spans ----------------------------------------------------------------------------------- */

/* Each rank has and wants ten numbers, but for the last rank. */
static int refuse(const armilla_transport *t, const char *what, armilla_span from, armilla_span to,
                  const char *message)
{
    const int is_last = t->rank == t->nranks - 1;
    const armilla_span own = {10 * t->rank, 10, 0};
    const armilla_span sources[] = {is_last ? from : own, own};
    const armilla_span targets[] = {own, is_last ? to : (armilla_span){0, 0, 0}};
    armilla_redistribution *r = NULL;
    const armilla_status status = armilla_redistribution_new(t, 1, sources, 2, targets, NULL, &r);
    if (!r) return expect(t, what, status, message);
    armilla_redistribution_free(r);
    return ranks_complain(t, what, "there is a redistribution");
}

/* The last rank gives numbers that the rank before has, too: `count` of its ten from `first` on. */
static int refuse_overlap(const armilla_transport *t, int64_t first, int64_t count)
{
    const int64_t other = t->nranks > 1 ? t->nranks - 2 : 0, last = t->nranks - 1;
    const armilla_span own = {10 * t->rank, 10, 0};
    const armilla_span sources[] = {own, {10 * other + first, count, 20}};
    armilla_redistribution *r = NULL;
    char message[160];
    snprintf(message, sizeof message, "from: number %lld has two sources, on ranks %lld and %lld",
             (long long)(10 * other + first), (long long)other, (long long)last);
    return expect(
        t, "numbers with two sources",
        armilla_redistribution_new(t, t->rank == last ? 2 : 1, sources, 0, NULL, NULL, &r),
        message);
}

static void say_missing(const armilla_transport *t, int64_t number, char message[160])
{
    snprintf(message, 160, "to: number %lld, which rank %lld wants, has no source",
             (long long)number, (long long)t->nranks - 1);
}

/* Numbers at the end of all, at the end of a source, before one that is there. */
static int refuse_missing(const armilla_transport *t)
{
    const int64_t first = 10 * (t->nranks - 1);
    const armilla_span own = {first, 10, 0}, none = {0, 0, 0};
    char message[160];
    say_missing(t, first + 10, message);
    int failed = refuse(t, "a number beyond all", own, (armilla_span){first + 5, 10, 10}, message);
    say_missing(t, first + 7, message);
    failed |= refuse(t, "numbers at the end", (armilla_span){first, 7, 0}, none, message);
    say_missing(t, first, message);
    failed |= refuse(t, "a number before", (armilla_span){first + 1, 9, 0}, none, message);
    return failed;
}

int ranks_refuse_spans(const armilla_transport *transport)
{
    const armilla_transport *t = transport;
    const int64_t most = INT64_MAX;
    const armilla_span own = {10 * (t->nranks - 1), 10, 0}, none = {0, 0, 0};
    int failed = refuse_overlap(t, 4, 3) | refuse_overlap(t, 0, 1) | refuse_overlap(t, 9, 1);
    failed |= refuse_missing(t);
    failed |= refuse(t, "a place that is twice", own, (armilla_span){0, 3, 8},
                     "to: place 8 is in two spans");
    failed |= refuse(t, "begin", (armilla_span){-1, 1, 0}, none,
                     "from[0] = {begin -1, count 1, place 0}: begin, count and place must be 0 or "
                     "more");
    failed |= refuse(t, "count", own, (armilla_span){0, -2, 0},
                     "to[1] = {begin 0, count -2, place 0}: begin, count and place must be 0 or "
                     "more");
    failed |= refuse(t, "place", own, (armilla_span){0, 2, -3},
                     "to[1] = {begin 0, count 2, place -3}: begin, count and place must be 0 or "
                     "more");
    failed |= refuse(t, "far numbers", own, (armilla_span){most, 1, 10},
                     "to[1] = {begin 9223372036854775807, count 1, place 10}: numbers go beyond "
                     "2^63 - 1");
    failed |= refuse(t, "far places", own, (armilla_span){0, 2, most - 1},
                     "to[1] = {begin 0, count 2, place 9223372036854775806}: numbers go beyond "
                     "2^63 - 1");
    return failed;
}

/* --- Arguments of _new ----------------------------------------------------------------------- */

static int refuse_arguments(const armilla_transport *t)
{
    const int is_last = t->rank == t->nranks - 1;
    armilla_redistribution_options options;
    armilla_redistribution *r = NULL;
    armilla_redistribution_options_init(&options);
    int failed =
        expect(t, "from = NULL", armilla_redistribution_new(t, is_last, NULL, 0, NULL, NULL, &r),
               "from = NULL: must be given");
    failed |= expect(t, "nto", armilla_redistribution_new(t, 0, NULL, -is_last, NULL, NULL, &r),
                     "nto = -1: must be 0 or more");
    options.chunk_bytes = -is_last;
    failed |=
        expect(t, "chunk_bytes", armilla_redistribution_new(t, 0, NULL, 0, NULL, &options, &r),
               "options->chunk_bytes = -1: must be 0 (chosen) or more");
    failed |= expect(t, "no place for the result",
                     armilla_redistribution_new(t, 0, NULL, 0, NULL, NULL, is_last ? NULL : &r),
                     "redistribution = NULL: must be given");
    return failed;
}

/* --- Runs ------------------------------------------------------------------------------------ */

enum { NUMBERS = 4 };

typedef struct {
    int64_t bytes, narrays, source_stride, target_stride;
    int has_source, has_target;
} arguments;

static const arguments right = {8, 2, 0, 0, 1, 1};

/* The last rank's arguments are others. */
static int refuse_run(const armilla_transport *t, const armilla_redistribution *r, arguments last,
                      const char *message)
{
    const arguments a = t->rank == t->nranks - 1 ? last : right;
    double source[4 * NUMBERS] = {1, 2, 3, 4, 5, 6, 7, 8}, target[4 * NUMBERS];
    for (int i = 0; i < 4 * NUMBERS; i++) target[i] = -1;
    int failed = expect(t, message,
                        armilla_redistribution_run(r, a.bytes, a.narrays,
                                                   a.has_source ? source : NULL, a.source_stride,
                                                   a.has_target ? target : NULL, a.target_stride),
                        message);
    for (int i = 0; i < 4 * NUMBERS; i++)
        if (target[i] != -1) failed |= ranks_complain(t, message, "the target is touched");
    return failed;
}

int ranks_refuse_runs(const armilla_transport *transport)
{
    const armilla_transport *t = transport;
    const armilla_span from = {NUMBERS * t->rank, NUMBERS, 0};
    const armilla_span to = {NUMBERS * ((t->rank + 1) % t->nranks), NUMBERS, 0};
    armilla_redistribution *r;
    int failed = refuse_arguments(t);
    if (armilla_redistribution_new(t, 1, &from, 1, &to, NULL, &r))
        return ranks_complain(t, "runs", armilla_status_message());
    failed |=
        refuse_run(t, r, (arguments){0, 2, 0, 0, 1, 1}, "element_bytes = 0: must be 1 or more");
    failed |= refuse_run(t, r, (arguments){8, -1, 0, 0, 1, 1}, "narrays = -1: must be 0 or more");
    failed |=
        refuse_run(t, r, (arguments){8, 2, -1, 0, 1, 1}, "source_stride = -1: must be 0 or more");
    failed |=
        refuse_run(t, r, (arguments){8, 2, 0, -1, 1, 1}, "target_stride = -1: must be 0 or more");
    failed |= refuse_run(t, r, (arguments){8, 2, 0, 0, 0, 1}, "source = NULL: must be given");
    failed |= refuse_run(t, r, (arguments){8, 2, 0, 0, 1, 0}, "target = NULL: must be given");
    if (t->nranks > 1) {
        failed |= refuse_run(t, r, (arguments){4, 2, 0, 0, 1, 1},
                             "element_bytes: must be the same on all ranks, but is 4 to 8");
        failed |= refuse_run(t, r, (arguments){8, 3, 0, 0, 1, 1},
                             "narrays: must be the same on all ranks, but is 2 to 3");
        failed |= refuse_run(t, r, (arguments){INT64_MAX, 2, 0, 0, 1, 1},
                             "narrays = 2: goes beyond 2^63 - 1 bytes");
    }
    armilla_redistribution_free(r);
    return failed;
}
