/* Agrees on a status: the largest of whole numbers that put errors of low ranks first; the message
 * follows as numbers of eight bytes, which other ranks leave at the least. Values that must be
 * alike go with their negatives: then the largest and the smallest are known. */
#include "ranks/agree.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 512, WORDS = TEXT / 8, STATUSES = 64, MOST_VALUES = ARMILLA_MOST_AGREED };

armilla_status armilla_check_transport(const armilla_transport *transport)
{
    const armilla_status status = armilla_check_given("transport", transport);
    if (status || transport->size == sizeof *transport) return status;
    return armilla_fail_argument("transport->size", (int64_t)transport->size,
                                 "must be sizeof(armilla_transport)");
}

armilla_status armilla_fail_transport(void)
{
    return armilla_fail(ARMILLA_ERROR_TRANSPORT, "messages between ranks failed");
}

/* The text of the one rank that speaks, on all ranks. */
static int hear(const armilla_transport *transport, int speaks, char text[TEXT])
{
    int64_t words[WORDS];
    for (int i = 0; i < WORDS; i++) words[i] = INT64_MIN;
    if (speaks) memcpy(words, text, TEXT);
    const int failed = transport->largest(transport->context, WORDS, words);
    if (!failed) memcpy(text, words, TEXT);
    text[TEXT - 1] = 0;
    return failed;
}

/* The worst status has the largest number; a rank without an error has 0. */
static int64_t number_of(const armilla_transport *transport, armilla_status status)
{
    return status ? (transport->nranks - transport->rank) * STATUSES + (int64_t)status : 0;
}

static armilla_status tell_worst(const armilla_transport *transport, int64_t mine, int64_t worst)
{
    char text[TEXT] = {0};
    if (worst == 0) return ARMILLA_OK;
    if (worst == mine) snprintf(text, sizeof text, "%s", armilla_status_message());
    if (hear(transport, worst == mine, text)) return armilla_fail_transport();
    return armilla_fail((armilla_status)(worst % STATUSES), "%s", text);
}

armilla_status armilla_agree_largest(const armilla_transport *transport, armilla_status status,
                                     int64_t count, int64_t *values)
{
    const int64_t mine = number_of(transport, status);
    int64_t all[1 + ARMILLA_MOST_AGREED] = {mine};
    for (int64_t i = 0; i < count; i++) all[1 + i] = values[i];
    if (transport->largest(transport->context, 1 + count, all)) return armilla_fail_transport();
    if ((status = tell_worst(transport, mine, all[0]))) return status;
    for (int64_t i = 0; i < count; i++) values[i] = all[1 + i];
    return ARMILLA_OK;
}

armilla_status armilla_agree(const armilla_transport *transport, armilla_status status)
{
    return armilla_agree_largest(transport, status, 0, NULL);
}

armilla_status armilla_agree_on(const armilla_transport *transport, armilla_status status,
                                int64_t count, const armilla_common *values, int *flag)
{
    const int64_t mine = number_of(transport, status);
    int64_t numbers[2 + 2 * MOST_VALUES] = {mine, flag && *flag};
    for (int64_t i = 0; i < count; i++)
        numbers[2 + 2 * i] = values[i].value, numbers[3 + 2 * i] = -values[i].value;
    if (transport->largest(transport->context, 2 + 2 * count, numbers))
        return armilla_fail_transport();
    if (flag) *flag = numbers[1] != 0;
    if ((status = tell_worst(transport, mine, numbers[0]))) return status;
    for (int64_t i = 0; i < count; i++) {
        const int64_t most = numbers[2 + 2 * i], least = -numbers[3 + 2 * i];
        if (most != least)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "%s: must be the same on all ranks, but is %lld to %lld",
                                values[i].name, (long long)least, (long long)most);
    }
    return ARMILLA_OK;
}
