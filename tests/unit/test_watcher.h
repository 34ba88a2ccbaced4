/* A progress function that counts its calls, and may ask to stop from one of them on. */
#ifndef ARMILLA_TESTS_WATCHER_H
#define ARMILLA_TESTS_WATCHER_H

#include "base/progress.h"

typedef struct {
    int calls, stop; /* stop: the first call that asks to stop, 0 for none */
    int bad;         /* a fraction fell, or was above 1 */
    double last;
    int ends; /* reports that all is done */
} watcher;

/* Set-up of a group of tests: a report after every unit of work, however fast the machine is. */
static inline int report_every_unit(void **state)
{
    (void)state;
    armilla_progress_set_interval(0);
    return 0;
}

static inline int watch(void *data, double fraction)
{
    watcher *w = data;
    w->calls++;
    w->bad |= !(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    w->ends += fraction == 1;
    return w->stop && w->calls >= w->stop;
}

#endif
