/* The part of an exchange that depends on where legs are, for legs on a GPU. */
#ifndef ARMILLA_RANKS_DEVICE_EXCHANGE_H
#define ARMILLA_RANKS_DEVICE_EXCHANGE_H

#include "ranks/exchange.h"

/* Packs chunk k; its messages to others are then where the transport takes them from. */
void armilla_exchange_pack_on_device(const armilla_exchange *exchange, int64_t k);

/* Puts what came, and what stayed on the rank, into the legs of the whole side. */
void armilla_exchange_unpack_on_device(const armilla_exchange *exchange, int64_t k);

#endif
