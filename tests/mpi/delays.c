/* Messages that are late and out of sequence: MPI's profiling interface lets this file stand before
 * MPI_Isend, MPI_Irecv, MPI_Testall, MPI_Waitall and MPI_Allreduce. Sends and receives begin at a
 * test that chance has chosen or else at their wait, those of the last peers first, after random
 * delays; MPI keeps the sequence of the messages between two ranks, and so does this. Linked into
 * test_ranks_mpi_delayed. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 100000 };

/* Requests that have not begun yet: persistent ones, and their peers. */
static struct {
    MPI_Request request;
    int peer, begun;
} late[MOST];
static int nlate;

static void sleep_by_chance(void)
{
    static unsigned chance = 1;
    static int rank = -1;
    if (rank < 0) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    chance = chance * 1103515245u + 12345u + (unsigned)rank;
    if (chance / 65536u % 4 == 0) usleep(chance / 65536u % 500);
}

static int remember(MPI_Request request, int peer)
{
    if (nlate == MOST) abort();
    late[nlate].request = request, late[nlate].peer = peer, late[nlate].begun = 0;
    nlate++;
    return MPI_SUCCESS;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    const int code = PMPI_Send_init(data, count, type, to, tag, comm, request);
    return code ? code : remember(*request, to);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    const int code = PMPI_Recv_init(data, count, type, from, tag, comm, request);
    return code ? code : remember(*request, from);
}

static int is_among(MPI_Request request, int count, const MPI_Request *requests)
{
    for (int i = 0; i < count; i++)
        if (requests[i] == request) return 1;
    return 0;
}

/* Begins the requests of one peer, in their sequence. */
static int begin_peer(int peer, int count, const MPI_Request *requests)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < nlate && !code; i++) {
        if (late[i].peer != peer || !is_among(late[i].request, count, requests)) continue;
        sleep_by_chance();
        code = PMPI_Start(&late[i].request);
        late[i].begun = 1;
    }
    return code;
}

/* Forgets what has begun. */
static void forget_begun(void)
{
    int kept = 0;
    for (int i = 0; i < nlate; i++)
        if (!late[i].begun) late[kept++] = late[i];
    nlate = kept;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    int nranks, code = MPI_SUCCESS;
    PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    for (int peer = nranks - 1; peer >= 0 && !code; peer--)
        code = begin_peer(peer, count, requests);
    forget_begun();
    if (!code) code = PMPI_Waitall(count, requests, statuses);
    for (int i = 0; i < count; i++)
        if (requests[i] != MPI_REQUEST_NULL) PMPI_Request_free(&requests[i]);
    return code;
}

/* Begins what one peer is to send and receive, now and then. */
int MPI_Testall(int count, MPI_Request *requests, int *done, MPI_Status *statuses)
{
    static unsigned chance = 7;
    int nranks;
    PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    chance = chance * 1103515245u + 12345u;
    const int peer = (int)(chance / 65536u) % (2 * nranks);
    const int code = peer < nranks ? begin_peer(peer, count, requests) : MPI_SUCCESS;
    forget_begun();
    return code ? code : PMPI_Testall(count, requests, done, statuses);
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    sleep_by_chance();
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}
