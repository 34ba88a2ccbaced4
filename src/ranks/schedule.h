/* What goes where, and when: the exchange of the entries between the two sides of a rank's legs, in
 * chunks. The side that comes first in a transform (orders in synthesis, pairs in analysis) is made
 * chunk by chunk; the other side is whole.
 *
 * Link: what one chunk of one member has for one piece of another member: some orders, some pairs.
 * Its message has, order by order and set by set, the entries (m, pair) that exist, pair fastest.
 * A member's messages to all others lie one behind the other, with that to itself, which goes
 * nowhere. Every member has as many chunks as all others, some of them perhaps empty. */
#ifndef ARMILLA_RANKS_SCHEDULE_H
#define ARMILLA_RANKS_SCHEDULE_H

#include "ranks/legs.h"

typedef struct armilla_link {
    int64_t target;        /* number of the piece on the whole side */
    const int64_t *orders; /* those of the first rows of the leg by order */
    int64_t norders;
    const int64_t *pairs;       /* of all ranks */
    int64_t npairs, first_pair; /* first_pair: the number of the first one among the owner's */
    int64_t begin;              /* in the messages of the chunk, doubles for one set */
} armilla_link;

/* Some rows of a link: a task of the team. */
typedef struct armilla_link_rows {
    int64_t link, first, count;
    int64_t begin; /* as in the link */
} armilla_link_rows;

/* All messages of a chunk in one direction. */
typedef struct armilla_messages {
    int64_t nlinks, nrows;
    armilla_link *links;     /* by member, rising */
    armilla_link_rows *rows; /* of all links */
    int64_t *begin; /* of each member's message, doubles for one set; nmembers + 1 values */
} armilla_messages;

typedef struct armilla_chunk {
    int64_t piece;             /* of the side that comes first */
    int64_t first;             /* what of it, from this number of the own range on */
    armilla_leg_layout layout; /* of the chunk's leg; on a GPU of the piece's */
    int borrows_orders;        /* the layout's list is that of the piece's first chunk */
    armilla_messages out, in;  /* in: from members in the same chunk */
} armilla_chunk;

typedef struct armilla_schedule {
    armilla_rank_legs legs;
    armilla_leg_side first; /* the side that comes first */
    int64_t nmembers;
    int64_t nchunks;
    armilla_chunk *chunks;
    armilla_leg_layout *layouts; /* of the pieces of the other side */
    int64_t *places; /* where their legs begin, doubles for one set; the last: the end */
    int64_t chunk_size, out_size, in_size; /* the largest of any chunk, doubles for one set */
} armilla_schedule;

/* Given: bytes  of the messages of a chunk, about, for one set.
 * Errors: as armilla_rank_legs_make; *schedule must be cleared all the same. */
armilla_status armilla_schedule_make(const armilla_distribution *distribution, int64_t member,
                                     const armilla_flow *flow, armilla_flow_place place,
                                     armilla_leg_side first, int64_t bytes,
                                     armilla_schedule *schedule);
void armilla_schedule_clear(armilla_schedule *schedule);

int64_t armilla_schedule_bytes(const armilla_schedule *schedule);

/* The message to or from a member: the own one is not sent. */
static inline int64_t armilla_message_size(const armilla_messages *messages, int64_t member)
{
    return messages->begin[member + 1] - messages->begin[member];
}

/* The first of a link's pairs on which order m matters. */
static inline int64_t armilla_link_first(const armilla_link *link, const int64_t *limit, int64_t m)
{
    int64_t low = 0, high = link->npairs;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (limit[link->pairs[middle]] < m)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
