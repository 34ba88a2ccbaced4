/* Agrees on a status: the largest of whole numbers that put errors of low ranks first; the message
 * follows as numbers of eight bytes, which other ranks leave at the least. */
#include "ranks/agree.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 512, WORDS = TEXT / 8, STATUSES = 64 };

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

armilla_status armilla_agree_on(const armilla_transport *transport, armilla_status status,
                                int64_t count, int64_t *values)
{
    const int64_t nranks = transport->nranks;
    const int64_t mine = status ? (nranks - transport->rank) * STATUSES + (int64_t)status : 0;
    int64_t all[1 + ARMILLA_MOST_AGREED] = {mine};
    char text[TEXT] = {0};
    for (int64_t i = 0; i < count; i++) all[1 + i] = values[i];
    if (transport->largest(transport->context, 1 + count, all)) return armilla_fail_transport();
    for (int64_t i = 0; i < count && all[0] == 0; i++) values[i] = all[1 + i];
    if (all[0] == 0) return ARMILLA_OK;
    const int speaks = all[0] == mine;
    if (speaks) snprintf(text, sizeof text, "%s", armilla_status_message());
    if (hear(transport, speaks, text)) return armilla_fail_transport();
    return armilla_fail((armilla_status)(all[0] % STATUSES), "%s", text);
}

armilla_status armilla_agree(const armilla_transport *transport, armilla_status status)
{
    return armilla_agree_on(transport, status, 0, NULL);
}
