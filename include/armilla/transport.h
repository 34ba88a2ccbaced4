/* How bytes go from rank to rank: what a distributed plan (armilla/distributed.h) needs of MPI, or
 * of anything like it. armilla/mpi.h makes a transport from an MPI communicator; a program may make
 * its own.
 *
 * The functions are called in one thread, the one that makes a plan or calls an operator, on all
 * ranks in the same sequence. They return 0, or anything else for a failure: the call then ends
 * with ARMILLA_ERROR_TRANSPORT on that rank, and the other ranks are left to the transport. After a
 * failure the transport leaves the data of all messages alone, since their memory is used for other
 * data. */
#ifndef ARMILLA_TRANSPORT_H
#define ARMILLA_TRANSPORT_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What goes to a rank, or comes from it. */
typedef struct armilla_message {
    int64_t rank;  /* another rank, never the rank itself */
    int64_t bytes; /* > 0, and any number: also above 2^31 */
    void *data;
} armilla_message;

enum { ARMILLA_TRANSPORT_SLOTS = 2 }; /* exchanges that may be under way at once */

typedef struct armilla_transport {
    size_t size; /* sizeof(armilla_transport), which must be the library's */
    int64_t rank, nranks;
    int64_t most_threads; /* that a call may use while others wait for it; 0: any number */
    void *context;        /* handed to each function */

    /* Begins an exchange in slot 0 or 1, which is free, and returns at once. Messages between two
     * ranks match by slot, and in a slot by their sequence: there is at most one to each rank and
     * one from each rank. Their data must stay until the exchange ends. */
    int (*start)(void *context, int slot, int64_t nsends, const armilla_message *sends,
                 int64_t nreceives, const armilla_message *receives);

    /* Waits until all messages of the slot have arrived and left; the slot is free then. */
    int (*wait)(void *context, int slot);

    /* Replaces each of the values by the largest that any rank has. Waits for all ranks. */
    int (*largest)(void *context, int64_t count, int64_t *values);

    /* Lets the messages of exchanges that are under way move on, and returns at once. Called while
     * a rank computes, every 100 us or, where a task takes longer, once a task. NULL: messages need
     * no help. */
    int (*poke)(void *context);

    int64_t local_rank; /* the rank's number among the ranks of its machine, from 0 on, which says
                           which GPU it takes; 0 where it is not known */
    int takes_device_memory; /* nonzero: data of messages may be in the memory of the rank's GPU,
                                which is the calling thread's current one in each function. What is
                                sent is there when an exchange starts, the GPU leaves both alone
                                until it ends, and what came must be there then. 0: data are in
                                host memory always */
} armilla_transport;

#ifdef __cplusplus
}
#endif
#endif
