/* Parts of a call that run side by side, one on each GPU: a thread of the host drives each of them,
 * since copies from and to pageable memory keep a thread busy. */
#ifndef ARMILLA_BASE_PARTS_H
#define ARMILLA_BASE_PARTS_H

#include "armilla/status.h"

#include <stdint.h>

/* The caller's function, or what stands for it in a part; NULL: nobody wants to know. */
typedef struct armilla_listener {
    armilla_progress_fn progress;
    void *data;
} armilla_listener;

/* Part number `part` of a call; hands `listener` to what it calls. */
typedef armilla_status (*armilla_part_fn)(void *context, int64_t part,
                                          const armilla_listener *listener);

/* Runs all parts at once: number 0 in the calling thread, like those for which no thread can be
 * made. It returns when all have ended, whatever becomes of one of them. The caller's function is
 * called by the calling thread alone, with the mean of what the parts have done; if it stops the
 * call, all parts stop.
 * Errors:   that of the first part that failed, with its message; CANCELLED where nothing else went
 *           wrong; MEMORY. */
armilla_status armilla_parts_run(int64_t nparts, armilla_part_fn run, void *context,
                                 const armilla_listener *listener);

/* Item number `part` of a deal of `count` among nparts: where its share begins. The shares are in
 * sequence and differ by one at most; that of part nparts begins at count. */
static inline int64_t armilla_parts_first(int64_t count, int64_t nparts, int64_t part)
{
    const int64_t each = count / nparts, more = count % nparts;
    return part * each + (part < more ? part : more);
}

/* For tests: no more threads than so many can be made from now on; negative: as many as the system
 * allows. Not while a call runs. */
void armilla_parts_limit_threads(int64_t most);

#endif
