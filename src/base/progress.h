/* Progress of a long call: rate limit and cancellation, safe to use from every thread of a team.
 * What else the calling thread must do now and then is done where it tells of its progress. */
#ifndef ARMILLA_BASE_PROGRESS_H
#define ARMILLA_BASE_PROGRESS_H

#include "armilla/status.h"
#include <stdatomic.h>

typedef struct armilla_progress {
    armilla_progress_fn callback; /* NULL: nothing happens */
    void *data;
    double total;         /* units of work of the whole call */
    double scale, offset; /* fraction reported = offset + scale * done / total */
    _Atomic int64_t done;
    double last_report_s; /* only the reporting thread (0) touches it */
    _Atomic int cancelled;
    void (*poke)(void *data); /* NULL: nothing else is to be done */
    void *poke_data;
    double last_poke_s; /* as last_report_s */
} armilla_progress;

void armilla_progress_start(armilla_progress *progress, armilla_progress_fn callback, void *data,
                            double total);

/* Lets thread 0, which makes the call, call a function every 100 us or, where a task takes longer,
 * once a task. After armilla_progress_start. */
void armilla_progress_set_poke(armilla_progress *progress, void (*poke)(void *data), void *data);

/* For tests: the least time between two reports of a call, 0 for a report after every unit. Not
 * while a call runs. */
void armilla_progress_set_interval(double seconds);
void armilla_progress_set_poke_interval(double seconds); /* the same for pokes */

/* Adds finished units; thread 0 reports, at most twenty times a second. Returns nonzero when
 * cancelled: the task may then return at once. */
int armilla_progress_advance(armilla_progress *progress, int64_t units, int thread);

/* ARMILLA_OK or ARMILLA_ERROR_CANCELLED. */
armilla_status armilla_progress_status(armilla_progress *progress);

/* --- A call made of others ---------------------------------------------------------------------
 */

/* Hands the progress of one step, a call of its own, on to the caller's function as the part
 * base .. base + width of the whole, at most forty times a second. */
typedef struct armilla_relay {
    armilla_progress_fn callback; /* NULL: nothing happens */
    void *data;
    double base, width, last_report_s;
} armilla_relay;

void armilla_relay_start(armilla_relay *relay, armilla_progress_fn callback, void *data);

/* The armilla_progress_fn of a step; its data is the relay. */
int armilla_relay_report(void *relay, double fraction);

/* The step before is done; the next one is worth `width`. ARMILLA_OK or ARMILLA_ERROR_CANCELLED. */
armilla_status armilla_relay_next(armilla_relay *relay, double width);

/* Monotonic clock, seconds. */
double armilla_clock_s(void);

#endif
