/* The exchange of leg on fine rings between ranks by order and ranks by strips, in chunks of
 * orders.
 *
 *     by order   chunk k of the rank's own orders, of all pairs of fine rings
 *     by strips  all orders of the pairs that the rank's strips see (synthesis), or own (adjoint)
 *
 * On fine rings every order exists, so that a message is a table: set by set, order by order, the
 * entries of neighbouring pairs. Pairs that the strips of several ranks see go to all of these. */
#ifndef ARMILLA_RANKS_POINTS_EXCHANGE_H
#define ARMILLA_RANKS_POINTS_EXCHANGE_H

#include "armilla/transport.h"
#include "points/plan.h"
#include "ranks/legs.h"
#include "ranks/points/owners.h"

/* What does not change from call to call. */
typedef struct armilla_strip_exchange {
    armilla_transport transport;
    armilla_member_lists orders; /* of all ranks, none above mmax, in the theta stage's twos */
    armilla_points_pairs *seen, *owned; /* of each rank */
    int64_t rows;                       /* orders of a chunk, at most; a multiple of eight */
    int64_t nchunks;                    /* the same on all ranks */
    armilla_leg_layout *chunks;         /* of the own orders of each chunk */
    int64_t chunk_size;                 /* the largest: doubles for one set */
} armilla_strip_exchange;

/* Given: core  with strips; orders  of all ranks; bytes  of a chunk's messages, about.
 * Errors: MEMORY; *exchange must be cleared all the same. Not collective. */
armilla_status armilla_strip_exchange_lists(const armilla_transport *transport,
                                            const armilla_points_core *core,
                                            const armilla_owned *orders,
                                            const armilla_strip_owners *owners,
                                            armilla_strip_exchange *exchange);

/* The rest, after the core's rings were made. */
armilla_status armilla_strip_exchange_chunks(const armilla_points_core *core, int64_t bytes,
                                             armilla_strip_exchange *exchange);
void armilla_strip_exchange_clear(armilla_strip_exchange *exchange);
int64_t armilla_strip_exchange_bytes(const armilla_strip_exchange *exchange);

/* Doubles of the messages of a chunk that a rank sends, and that it receives, one set. */
int64_t armilla_strip_exchange_out(const armilla_strip_exchange *exchange, int to_points);
int64_t armilla_strip_exchange_in(const armilla_strip_exchange *exchange, int to_points);

/* One call. */
typedef struct armilla_strip_traffic {
    const armilla_strip_exchange *exchange;
    int to_points;
    int64_t nsets;
    int nthreads;
    double *out[ARMILLA_TRANSPORT_SLOTS], *in[ARMILLA_TRANSPORT_SLOTS];
    armilla_message *list; /* room for 2 nranks */
    const armilla_leg *by_strips;
    int under_way; /* chunks that have been started and not finished */
    int failed;    /* a function of the transport has failed: no other is called */
} armilla_strip_traffic;

/* Begins to send chunk k, and to receive it. by_order: the leg of the chunk; not read by the
 * adjoint. */
void armilla_strip_traffic_start(armilla_strip_traffic *traffic, int64_t k,
                                 const armilla_leg *by_order);

/* Pokes the transport while chunks are under way. Given: the armilla_strip_traffic. */
void armilla_strip_traffic_poke(void *traffic);

/* Waits for chunk k and puts it where it belongs. by_order: not written by synthesis. */
void armilla_strip_traffic_finish(armilla_strip_traffic *traffic, int64_t k,
                                  const armilla_leg *by_order);

#endif
