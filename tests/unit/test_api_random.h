/* Random arguments for public functions. A trial draws valid arguments and spoils some of them:
 * without a spoilt one the call must work; with one, it must fail with a message that names one of
 * the spoilt, and leave its outputs as they were. */
#ifndef TEST_API_RANDOM_H
#define TEST_API_RANDOM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SPOILT = 8, NAME_SIZE = 24 };

typedef struct trial {
    uint64_t state; /* of the generator */
    int64_t number; /* repeats it, for a given test */
    int spoilt;
    char names[MOST_SPOILT][NAME_SIZE];
} trial;

static int64_t last_trial; /* for the message after a crash */

/* --- Drawing ---------------------------------------------------------------------------------- */

static inline int64_t below(trial *t, int64_t limit)
{
    uint64_t x = t->state += UINT64_C(0x9E3779B97F4A7C15); /* SplitMix64 */
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)((x ^ (x >> 31)) % (uint64_t)limit);
}

static inline int64_t between(trial *t, int64_t low, int64_t high)
{
    return low + below(t, high - low + 1);
}

static const int64_t extreme_integers[] = {INT64_MIN,
                                           INT64_MIN + 1,
                                           -(INT64_C(1) << 62),
                                           -(INT64_C(1) << 32),
                                           INT32_MIN,
                                           -2,
                                           -1,
                                           0,
                                           1,
                                           2,
                                           INT32_MAX,
                                           INT64_C(1) << 31,
                                           (INT64_C(1) << 32) + 1,
                                           INT64_C(1) << 53,
                                           INT64_C(1) << 58,
                                           INT64_C(1) << 60,
                                           INT64_C(1) << 62,
                                           INT64_MAX - 1,
                                           INT64_MAX};
enum { EXTREMES = sizeof extreme_integers / sizeof *extreme_integers };

static inline int64_t any_integer(trial *t)
{
    return extreme_integers[below(t, EXTREMES)];
}

/* An integer that is not in low .. high: a neighbour, or an extreme one. */
static inline int64_t outside(trial *t, int64_t low, int64_t high)
{
    for (;;) {
        int64_t value = any_integer(t);
        if (below(t, 4) == 0) value = below(t, 2) && high < INT64_MAX ? high + 1 : low - 1;
        if (value < low || value > high) return value;
    }
}

/* The same for int. */
static inline int outside_int(trial *t, int low, int high)
{
    static const int values[] = {INT32_MIN, -1, 0, 1, 2, 1000, INT32_MAX};
    for (;;) {
        int value = values[below(t, 7)];
        if (value < low || value > high) return value;
    }
}

static inline double not_finite(trial *t)
{
    return (double[]){(double)NAN, (double)INFINITY, -(double)INFINITY}[below(t, 3)];
}

/* Finite, but neither small nor tame. */
static inline double any_finite(trial *t)
{
    static const double values[] = {
        0,    -0.0,  5e-324, -1e-300, 0.5, 3,     -3.2,
        1e16, -1e20, 1e200,  -1e308,  1e9, 12345, 1.7976931348623157e308};
    return values[below(t, sizeof values / sizeof *values)];
}

/* No size that an option struct of `least` to `most` bytes may have: the last one cuts a field. */
static inline size_t wrong_size(trial *t, size_t least, size_t most)
{
    const size_t values[] = {0, 1, least - 1, most + 1, 2 * most, SIZE_MAX, most - 4};
    return values[below(t, 7)];
}

/* --- Spoiling and judging --------------------------------------------------------------------- */

/* Shall this argument be spoilt? */
static inline int spoil(trial *t, const char *name)
{
    if (t->spoilt == MOST_SPOILT || below(t, 10)) return 0;
    snprintf(t->names[t->spoilt++], NAME_SIZE, "%s", name);
    return 1;
}

static inline int names_a_spoilt_argument(const trial *t)
{
    for (int i = 0; i < t->spoilt; i++)
        if (strstr(armilla_status_message(), t->names[i])) return 1;
    return 0;
}

/* Returned: did the call work, as it had to? */
static inline int judge(const trial *t, armilla_status status)
{
    if (t->spoilt == 0) {
        if (status) fail_msg("trial %lld: %s", (long long)t->number, armilla_status_message());
        return 1;
    }
    if (status != ARMILLA_ERROR_ARGUMENT && status != ARMILLA_ERROR_UNSUPPORTED &&
        status != ARMILLA_ERROR_IO)
        fail_msg("trial %lld: status \"%s\", but %s was spoilt", (long long)t->number,
                 armilla_status_name(status), t->names[0]);
    if (!names_a_spoilt_argument(t))
        fail_msg("trial %lld: \"%s\" does not name %s", (long long)t->number,
                 armilla_status_message(), t->names[0]);
    return 0;
}

/* A place for a result: must still hold this mark after an error. */
#define MARK ((void *)(uintptr_t)0x5a5a5a50)

#define assert_marked(t, pointer)                                                                  \
    do {                                                                                           \
        if ((void *)(pointer) != MARK)                                                             \
            fail_msg("trial %lld: a result in spite of an error", (long long)(t)->number);         \
    } while (0)

static inline void assert_unchanged(const trial *t, uint64_t before, const void *data, size_t bytes)
{
    if (checksum(data, bytes) != before)
        fail_msg("trial %lld: an array was written that must not be", (long long)t->number);
}

/* --- Descriptions ----------------------------------------------------------------------------- */

/* A plan, its name in messages, and the function that describes it. */
typedef struct described_plan {
    const char *name;
    const void *plan;
    size_t bytes;       /* of the description, which begins with its own size */
    int takes_any_team; /* is every number of threads one that the function takes? */
    armilla_status (*run)(const void *plan, int nthreads, void *about);
} described_plan;

/* One trial of a description, as long as some program's header may say. */
static inline void try_describe_of(trial *t, const described_plan *d)
{
    unsigned char *about = checked_malloc((int64_t)d->bytes, 1);
    size_t size = sizeof(size_t) * (size_t)between(t, 2, (int64_t)(d->bytes / sizeof(size_t)));
    memset(about, 0x5a, d->bytes);
    if (spoil(t, "size")) size = wrong_size(t, sizeof(size_t) + 1, d->bytes);
    memcpy(about, &size, sizeof size);
    const uint64_t before = checksum(about, d->bytes);
    const void *plan = spoil(t, d->name) ? NULL : d->plan;
    void *target = spoil(t, "description") ? NULL : about;
    int nthreads = (int)(d->takes_any_team ? any_integer(t) : below(t, 5000));
    if (!d->takes_any_team && spoil(t, "nthreads")) nthreads = outside_int(t, 0, INT32_MAX);
    if (!judge(t, d->run(plan, nthreads, target)))
        assert_unchanged(t, before, about, d->bytes);
    else
        for (size_t i = size; i < d->bytes; i++)
            if (about[i] != 0x5a)
                fail_msg("trial %lld: byte %zu, beyond the size, was written", (long long)t->number,
                         i);
    free(about);
}

/* --- Running ---------------------------------------------------------------------------------- */

/* The trials of one function. Sanitizers take a part of them. */
static inline void try_often(void (*attempt)(trial *), int64_t count)
{
    if (checks_quick()) count = count / 5 + 1;
    for (last_trial = 0; last_trial < count; last_trial++) {
        trial t = {.state = 0x10c0ffee + (uint64_t)last_trial * 7919, .number = last_trial};
        attempt(&t);
    }
}

#endif
