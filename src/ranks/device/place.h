/* Which GPU a rank has, and the operations that ranks with GPUs leave to their hosts. */
#ifndef ARMILLA_RANKS_DEVICE_PLACE_H
#define ARMILLA_RANKS_DEVICE_PLACE_H

#include "armilla/transport.h"
#include "call/call.h"

/* wish: a GPU's number, ARMILLA_DEVICE_OF_RANK or ARMILLA_DEVICE_CURRENT. Errors: ARGUMENT (the
 * process does not see that many), UNSUPPORTED. */
armilla_status armilla_rank_choose_device(const armilla_transport *transport, int64_t wish,
                                          int *device);

/* ARGUMENT for a wish that is none of these, UNSUPPORTED for a list of GPUs. */
armilla_status armilla_rank_check_device(int64_t wish);
armilla_status armilla_rank_refuse_list(const int *devices, int64_t ndevices);

/* What the options of a plan, whose operation ranks with GPUs do not offer, say about it. */
typedef struct armilla_rank_delegates {
    armilla_operation operation;
    armilla_device device;
    const int *devices;
    int64_t ndevices;
    int delegate;
    int64_t device_number; /* the wish for this rank */
} armilla_rank_delegates;

/* Not collective. Errors: ARGUMENT, UNSUPPORTED (delegate is 0; no GPU can be used). */
armilla_status armilla_rank_delegate(const armilla_transport *transport,
                                     const armilla_rank_delegates *options,
                                     armilla_delegation *delegation);

/* Collective if there is a delegation and status, which is that of all ranks, is OK: ends a call,
 * and an error of one rank while it takes the result to its GPU becomes that of all. */
armilla_status armilla_rank_close(const armilla_transport *transport,
                                  const armilla_delegation *delegation, armilla_call *call,
                                  armilla_status status);

#endif
