/* One answer on all ranks: an error on one of them becomes that of all. */
#ifndef ARMILLA_RANKS_AGREE_H
#define ARMILLA_RANKS_AGREE_H

#include "armilla/transport.h"
#include "base/status.h"

/* Collective. Given: the status of this rank, after a message was recorded for an error.
 * Returned: ARMILLA_OK if all ranks gave it; else the status and the message of the lowest rank
 * with an error, or TRANSPORT. */
armilla_status armilla_agree(const armilla_transport *transport, armilla_status status);

/* ARMILLA_ERROR_TRANSPORT, with a message. */
armilla_status armilla_fail_transport(void);

#endif
