/* Inside of a redistribution (armilla/redistribution.h): the streams of a rank. */
#ifndef ARMILLA_RANKS_MOVES_REDISTRIBUTION_H
#define ARMILLA_RANKS_MOVES_REDISTRIBUTION_H

#include "armilla/redistribution.h"
#include "ranks/moves/streams.h"

struct armilla_redistribution {
    armilla_transport transport;
    armilla_streams out, in;
    int64_t source_reach, target_reach; /* largest place + count of the rank's spans */

    /* the same on all ranks */
    int64_t chunk_bytes;
    int64_t most_streams; /* of any rank in one direction, without its own one */
    int64_t longest;      /* stream of any rank, without its own one: numbers */
};

#endif
