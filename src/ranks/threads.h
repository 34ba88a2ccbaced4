/* How many threads a rank may use while others wait for it. */
#ifndef ARMILLA_RANKS_THREADS_H
#define ARMILLA_RANKS_THREADS_H

#include "armilla/transport.h"
#include "base/team.h"

/* Given: nthreads as in armilla_exec. */
static inline int armilla_rank_threads(const armilla_transport *transport, int nthreads)
{
    const int count = armilla_team_size(nthreads);
    return transport->most_threads > 0 && transport->most_threads < count
               ? (int)transport->most_threads
               : count;
}

#endif
