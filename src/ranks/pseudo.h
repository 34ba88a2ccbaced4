/* What the iterative analyses of one field, of I, Q and U and of values at points over ranks have
 * in common: their checks, and the link to other ranks that a job (sht/pseudo_job.h) asks. */
#ifndef ARMILLA_RANKS_PSEUDO_H
#define ARMILLA_RANKS_PSEUDO_H

#include "armilla/distributed.h"
#include "call/call.h"
#include "sht/pseudo_job.h"

/* What a call shares with other ranks. It must stay where it is until the call ends. */
typedef struct armilla_pseudo_link {
    const armilla_transport *transport;
    int failed; /* a message was lost: nothing more is sent */
    armilla_pseudo_ranks ranks;
} armilla_pseudo_link;

/* Not collective. _open is for the rings of a plan; _start leaves it to the caller what the rank
 * has of the maps. */
void armilla_pseudo_link_start(armilla_pseudo_link *link, const armilla_transport *transport);
void armilla_pseudo_link_open(armilla_pseudo_link *link, const armilla_distributed_sht *plan);

/* The status of a job that has run: TRANSPORT where a message was lost that it did not notice. */
armilla_status armilla_pseudo_link_end(const armilla_pseudo_link *link, armilla_status status);

/* The field of a plan, whose job works with other ranks over the link. */
armilla_pseudo_field armilla_pseudo_link_field(const armilla_pseudo_link *link,
                                               const armilla_distributed_sht *plan);

/* What every call checks. Not collective. arrays: what a transform has.
 * Returned: *resolved  exec or the defaults, distances not 0. Errors: ARGUMENT, UNSUPPORTED. */
armilla_status armilla_distributed_pseudo_check(const armilla_distributed_sht *plan,
                                                const armilla_call_arrays *arrays, const void *map,
                                                const void *alm, const armilla_exec *exec,
                                                armilla_exec *resolved);

/* Collective: the status of all ranks; ARGUMENT where they do not give alike what decides how often
 * they ask each other. job: initialised, unless status is an error. */
armilla_status armilla_distributed_pseudo_agree(const armilla_transport *transport,
                                                armilla_status status,
                                                const armilla_pseudo_job *job,
                                                const armilla_exec *exec, int has_reports);

#endif
