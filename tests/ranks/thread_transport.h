/* Ranks that are threads of one process: a transport for tests, with messages that come late and in
 * other sequences than they were sent. */
#ifndef ARMILLA_TESTS_RANKS_THREAD_TRANSPORT_H
#define ARMILLA_TESTS_RANKS_THREAD_TRANSPORT_H

#include "armilla/transport.h"

/* What each rank does. Returned: 0, or anything else. */
typedef int (*ranks_work)(const armilla_transport *transport, void *context);

typedef struct ranks_threads_options {
    int64_t nranks;
    unsigned delays;  /* up to so many microseconds before a message is taken, by chance; 0: none */
    int64_t fails_at; /* the transport of the last rank fails at this call, from 1 on; 0: never */
    int64_t *calls;   /* NULL, or: how many calls the last rank's transport has had */
    int64_t *taken_early; /* NULL, or: messages taken while ranks computed are added to it */
    /* copies a message, of device memory, too, from the receiver's thread; NULL: messages are in
     * host memory */
    void (*copy)(void *to, const void *from, int64_t bytes);
} ranks_threads_options;

/* Runs nranks threads. Returned: how many of them returned something else than 0, or -1 where a
 * message was left over at the end, a function of the transport was called by another thread, or
 * poke while no exchange was under way. */
int ranks_run_threads(const ranks_threads_options *options, ranks_work work, void *context);

#endif
