/* Tells rank 0 how far each rank is, beside the messages of the work and without waiting for any:
 * a rank has at most one message under way, a few times a second, and rank 0 takes what has come
 * whenever it reports its own progress. All calls come from the thread that calls MPI. */
#include "bar.h"

#include "../progress.h"

#include <mpi.h>
#include <stdlib.h>

enum { ROOT = 0, TAG = 1 };
static const double interval_s = 0.2; /* between two messages of a rank */
static const double at_end = 2;       /* the position of a rank that says no more */

static struct {
    MPI_Comm comm; /* MPI_COMM_NULL: nothing is told */
    int rank, nranks;
    double *position; /* of each rank, as far as rank 0 knows */
    int ended;        /* ranks that say no more */
    double sent, sent_s;
    MPI_Request request;
} bar = {.comm = MPI_COMM_NULL, .request = MPI_REQUEST_NULL};

static void take(int waits)
{
    MPI_Status status;
    int is_there = 1;
    double position;
    if (!waits) MPI_Iprobe(MPI_ANY_SOURCE, TAG, bar.comm, &is_there, MPI_STATUS_IGNORE);
    while (is_there) {
        MPI_Recv(&position, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG, bar.comm, &status);
        bar.position[status.MPI_SOURCE] = position;
        bar.ended += position == at_end;
        if (waits) return;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, bar.comm, &is_there, MPI_STATUS_IGNORE);
    }
}

static void tell(double position)
{
    int is_free = 1;
    const double now = MPI_Wtime();
    if (now - bar.sent_s < interval_s) return;
    MPI_Test(&bar.request, &is_free, MPI_STATUS_IGNORE);
    if (!is_free) return;
    bar.sent = position, bar.sent_s = now;
    MPI_Isend(&bar.sent, 1, MPI_DOUBLE, ROOT, TAG, bar.comm, &bar.request);
}

static double slowest(double position)
{
    if (bar.rank != ROOT) {
        tell(position);
        return position;
    }
    take(0);
    for (int rank = 1; rank < bar.nranks; rank++)
        if (bar.position[rank] < position) position = bar.position[rank];
    return position;
}

void bar_begin(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &bar.comm);
    MPI_Comm_rank(bar.comm, &bar.rank);
    MPI_Comm_size(bar.comm, &bar.nranks);
    bar.position = calloc((size_t)bar.nranks, sizeof *bar.position);
    int is_able = bar.position != NULL;
    MPI_Bcast(&is_able, 1, MPI_INT, ROOT, bar.comm);
    if (is_able) progress_share(slowest);
    if (!is_able) MPI_Comm_free(&bar.comm);
}

void bar_end(void)
{
    if (bar.comm == MPI_COMM_NULL) return;
    MPI_Wait(&bar.request, MPI_STATUS_IGNORE);
    if (bar.rank != ROOT) MPI_Send(&at_end, 1, MPI_DOUBLE, ROOT, TAG, bar.comm);
    while (bar.rank == ROOT && bar.ended < bar.nranks - 1) take(1);
    MPI_Comm_free(&bar.comm);
    free(bar.position);
}
