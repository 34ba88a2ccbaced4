/* A progress function that counts its calls, and may ask to stop at the first one. */
#ifndef ARMILLA_TESTS_WATCHER_H
#define ARMILLA_TESTS_WATCHER_H

typedef struct {
    int calls, stop, bad; /* bad: a fraction fell, or was above 1 */
    double last;
} watcher;

static inline int watch(void *data, double fraction)
{
    watcher *w = data;
    w->calls++;
    w->bad |= !(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    return w->stop;
}

#endif
