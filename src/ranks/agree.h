/* One answer on all ranks: an error on one of them becomes that of all, and what all must have
 * alike is compared. */
#ifndef ARMILLA_RANKS_AGREE_H
#define ARMILLA_RANKS_AGREE_H

#include "armilla/transport.h"
#include "base/status.h"

/* Collective. Given: the status of this rank, after a message was recorded for an error.
 * Returned: ARMILLA_OK if all ranks gave it; else the status and the message of the lowest rank
 * with an error, or TRANSPORT. */
armilla_status armilla_agree(const armilla_transport *transport, armilla_status status);

/* What all ranks must have alike. */
typedef struct armilla_common {
    const char *name; /* of the argument */
    int64_t value;
} armilla_common;

/* The name of an armilla_isa among them: what a plan uses, not what was asked for, so that ranks on
 * other processors are found as well. */
#define ARMILLA_COMMON_ISA "options->isa (instruction sets by number, the slowest is 0)"

/* The same, and ARGUMENT, which names the first of `count` values that is not the same on all
 * ranks. flag: 1 on a rank with it; becomes 1 on all if any has it. NULL: there is none. */
armilla_status armilla_agree_on(const armilla_transport *transport, armilla_status status,
                                int64_t count, const armilla_common *values, int *flag);

/* The same as armilla_agree, and replaces values by the largest of all ranks, unless there is an
 * error. Given: count <= ARMILLA_MOST_AGREED. */
enum { ARMILLA_MOST_AGREED = 24 };
armilla_status armilla_agree_largest(const armilla_transport *transport, armilla_status status,
                                     int64_t count, int64_t *values);

/* Not collective. ARMILLA_ERROR_ARGUMENT for NULL, and for a struct of another size. */
armilla_status armilla_check_transport(const armilla_transport *transport);

/* ARMILLA_ERROR_TRANSPORT, with a message. */
armilla_status armilla_fail_transport(void);

#endif
