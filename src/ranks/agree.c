/* Agrees on a status: the largest of whole numbers that put errors of low ranks first; the message
 * follows as numbers of eight bytes, which other ranks leave at the least. */
#include "ranks/agree.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 512, WORDS = TEXT / 8, STATUSES = 64 };

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

armilla_status armilla_agree(const armilla_transport *transport, armilla_status status)
{
    const int64_t nranks = transport->nranks;
    int64_t worst = status ? (nranks - transport->rank) * STATUSES + (int64_t)status : 0;
    const int64_t mine = worst;
    char text[TEXT] = {0};
    if (transport->largest(transport->context, 1, &worst)) return armilla_fail_transport();
    if (worst == 0) return ARMILLA_OK;
    const int speaks = worst == mine;
    if (speaks) snprintf(text, sizeof text, "%s", armilla_status_message());
    if (hear(transport, speaks, text)) return armilla_fail_transport();
    return armilla_fail((armilla_status)(worst % STATUSES), "%s", text);
}
