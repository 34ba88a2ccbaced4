/*
 * A library to preload into the ranks of a program under MPICH 4.0 or 4.1 on UCX: without it
 * MPI_Finalize often hangs over TCP, and ranks that wait take their processor from those that work.
 *
 * MPI_Finalize closes the connections to all ranks, each of which has to answer, and goes to a
 * barrier of the process manager as soon as it has its own answers. There it answers nobody, so
 * that slower ranks wait for ever. (MPICH 4.2 has no such barrier any more.) Here a rank that has
 * its answers goes on answering for half a second.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

static const double LINGER_SECONDS = 0.5;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool closing;

/* Takes the place of UCX' function, which MPICH calls in MPI_Finalize alone. */
void *ucp_disconnect_nb(void *endpoint)
{
    void *(*real)(void *);
    *(void **)&real = dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    closing = true;
    return real(endpoint);
}

/* MPI_Finalize asks this, and lets UCX answer others in between, until it is true for all. */
int ucp_request_is_completed(void *request)
{
    static double end = 0;
    int (*real)(void *);
    *(void **)&real = dlsym(RTLD_NEXT, "ucp_request_is_completed");
    int done = real(request);
    if (!closing) return done;
    if (!done || end == 0) end = seconds() + LINGER_SECONDS;
    return done && seconds() > end;
}

/* A rank for which nothing has arrived leaves the processor to others. */
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned events = real(worker);
    if (events == 0) sched_yield();
    return events;
}
