/* POSIX threads that are kept from one piece of work to the next. They are made when they are first
 * needed, wait awake for a moment and then asleep, and never end. Where one cannot be made, or all
 * processors are taken by other calls, fewer take part. A forked child begins without any. */
#ifndef ARMILLA_BASE_POOL_H
#define ARMILLA_BASE_POOL_H

enum { ARMILLA_POOL_MOST = 1024 }; /* threads of one call, and about as many in the process */

/* Calls work(context, 0) in this thread and work(context, i), i = 1 .. at most members - 1, in
 * others, each i at most once: one that has not begun when the first returns never does, so nothing
 * may depend on it. Returns when all that have begun have returned.
 * Given:    members  1 to ARMILLA_POOL_MOST;  processors  how many all calls of the process
 *           together should keep busy: a call that comes while others run takes fewer threads, one
 *           that is alone as many as it asks for. */
void armilla_pool_run(int members, int (*processors)(void), void (*work)(void *context, int member),
                      void *context);

#endif
