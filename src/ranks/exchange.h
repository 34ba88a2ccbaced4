/* One exchange under way: entries leave the leg of a chunk for messages, and come from messages
 * into the legs of the whole side. */
#ifndef ARMILLA_RANKS_EXCHANGE_H
#define ARMILLA_RANKS_EXCHANGE_H

#include "armilla/transport.h"
#include "base/work.h"
#include "cuda/share.h"
#include "ranks/device/rows.h"
#include "ranks/schedule.h"

/* Where legs are on a GPU. */
typedef struct armilla_exchange_device {
    armilla_cuda_share *share; /* NULL: they are in host memory */
    const armilla_device_rows *rows;
    int staged; /* messages go by copies of the host */
} armilla_exchange_device;

typedef struct armilla_exchange {
    const armilla_transport *transport;
    int64_t first_rank; /* of the own group: member i is rank first_rank + i */
    const armilla_schedule *schedule;
    int64_t nsets;
    int nthreads;
    double *whole; /* the legs of the whole side, nsets places[...] each */
    /* messages, where the transport takes them from and puts them */
    double *out[ARMILLA_TRANSPORT_SLOTS], *in[ARMILLA_TRANSPORT_SLOTS];
    armilla_exchange_device device;
    armilla_message *list; /* room for 2 nmembers */
    int under_way;         /* chunks that have been started and not finished */
    int failed;            /* a function of the transport has failed: no other is called */
} armilla_exchange;

/* The leg of a piece of the whole side. */
armilla_leg armilla_exchange_leg(const armilla_exchange *exchange, int64_t piece);

/* Packs the leg of chunk k, on a GPU that of its piece, and begins to send it. */
void armilla_exchange_start(armilla_exchange *exchange, int64_t k, const armilla_leg *leg);

/* Pokes the transport while chunks are under way. Given: the armilla_exchange. */
void armilla_exchange_poke(void *exchange);

/* Waits for chunk k and puts what came into the legs of the whole side. */
void armilla_exchange_finish(armilla_exchange *exchange, int64_t k);

#endif
