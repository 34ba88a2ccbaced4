/* Messages between ranks by MPI: nonblocking sends and receives, in pieces where a message is
 * longer than a count of MPI allows. See armilla/mpi.h. */
#include "armilla/mpi.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = ARMILLA_TRANSPORT_SLOTS, MOST_REQUESTS = 1 << 20 }; /* MPI counts them by int */
static const int64_t usual_piece = (int64_t)1 << 30;

typedef struct {
    int64_t count, room; /* requests */
    int64_t nreceives;   /* of them, which come first */
    MPI_Request *requests;
} exchange;

typedef struct {
    armilla_transport transport; /* first: what the caller has */
    MPI_Comm comm;
    int64_t piece; /* bytes of a message at most */
    exchange slots[SLOTS];
} mpi_transport;

void armilla_mpi_options_init_sized(armilla_mpi_options *options, size_t size)
{
    const armilla_mpi_options defaults = {.size = size};
    if (options && size >= sizeof options->size)
        memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

/* --- Errors ---------------------------------------------------------------------------------- */

static armilla_status fail_mpi(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, text, &length)) snprintf(text, sizeof text, "error %d of MPI", code);
    return armilla_status_record(ARMILLA_ERROR_TRANSPORT, text);
}

static armilla_status fail_argument(const char *text)
{
    return armilla_status_record(ARMILLA_ERROR_ARGUMENT, text);
}

/* --- Messages -------------------------------------------------------------------------------- */

static int64_t count_pieces(const mpi_transport *t, int64_t count, const armilla_message *messages)
{
    int64_t pieces = 0;
    for (int64_t i = 0; i < count; i++) pieces += (messages[i].bytes + t->piece - 1) / t->piece;
    return pieces;
}

static int make_room(exchange *x, int64_t count)
{
    if (count <= x->room) return 0;
    MPI_Request *requests = realloc(x->requests, (size_t)count * sizeof *requests);
    if (!requests) return 1;
    x->requests = requests, x->room = count;
    return 0;
}

/* After a failure: messages that are under way leave the caller's memory alone. Returned: is there
 * one? */
static int give_up_after(mpi_transport *t, int code)
{
    for (int slot = 0; slot < SLOTS && code; slot++) {
        exchange *x = &t->slots[slot];
        for (int64_t i = 0; i < x->count; i++) {
            if (x->requests[i] == MPI_REQUEST_NULL) continue;
            if (i < x->nreceives) MPI_Cancel(&x->requests[i]);
            MPI_Request_free(&x->requests[i]);
        }
        x->count = 0;
    }
    return code != MPI_SUCCESS;
}

/* Pieces of a message match by their sequence. */
static int start_message(mpi_transport *t, int slot, const armilla_message *message, int sends)
{
    exchange *x = &t->slots[slot];
    int code = MPI_SUCCESS;
    for (int64_t begin = 0; begin < message->bytes && !code; begin += t->piece) {
        const int64_t rest = message->bytes - begin;
        const int count = (int)(rest < t->piece ? rest : t->piece);
        MPI_Request *request = &x->requests[x->count++];
        *request = MPI_REQUEST_NULL;
        char *data = (char *)message->data + begin;
        const int rank = (int)message->rank;
        code = sends ? MPI_Isend(data, count, MPI_BYTE, rank, slot, t->comm, request)
                     : MPI_Irecv(data, count, MPI_BYTE, rank, slot, t->comm, request);
    }
    return code;
}

static int start(void *context, int slot, int64_t nsends, const armilla_message *sends,
                 int64_t nreceives, const armilla_message *receives)
{
    mpi_transport *t = context;
    exchange *x = &t->slots[slot];
    int code = MPI_SUCCESS;
    x->count = 0;
    if (make_room(x, count_pieces(t, nsends, sends) + count_pieces(t, nreceives, receives)))
        return give_up_after(t, MPI_ERR_NO_MEM);
    for (int64_t i = 0; i < nreceives && !code; i++) code = start_message(t, slot, &receives[i], 0);
    x->nreceives = x->count;
    for (int64_t i = 0; i < nsends && !code; i++) code = start_message(t, slot, &sends[i], 1);
    return give_up_after(t, code);
}

/* Requests from number `first` on, at most MOST_REQUESTS. */
static int count_from(const exchange *x, int64_t first)
{
    const int64_t rest = x->count - first;
    return (int)(rest < MOST_REQUESTS ? rest : MOST_REQUESTS);
}

static int wait_all(void *context, int slot)
{
    mpi_transport *t = context;
    exchange *x = &t->slots[slot];
    int code = MPI_SUCCESS;
    for (int64_t first = 0; first < x->count && !code; first += MOST_REQUESTS)
        code = MPI_Waitall(count_from(x, first), x->requests + first, MPI_STATUSES_IGNORE);
    if (!code) x->count = 0;
    return give_up_after(t, code);
}

/* Tests make MPI move messages: most MPIs do so in calls of theirs alone. Requests that are done
 * need no further test, and waiting for them takes no time. */
static int poke(void *context)
{
    mpi_transport *t = context;
    int code = MPI_SUCCESS, done;
    for (int slot = 0; slot < SLOTS && !code; slot++) {
        const exchange *x = &t->slots[slot];
        for (int64_t first = 0; first < x->count && !code; first += MOST_REQUESTS)
            code =
                MPI_Testall(count_from(x, first), x->requests + first, &done, MPI_STATUSES_IGNORE);
    }
    return give_up_after(t, code);
}

static int largest(void *context, int64_t count, int64_t *values)
{
    mpi_transport *t = context;
    enum { MOST = 1 << 26 };
    int code = MPI_SUCCESS;
    for (int64_t first = 0; first < count && !code; first += MOST) {
        const int64_t rest = count - first;
        code = MPI_Allreduce(MPI_IN_PLACE, values + first, (int)(rest < MOST ? rest : MOST),
                             MPI_INT64_T, MPI_MAX, t->comm);
    }
    return code != MPI_SUCCESS;
}

/* --- Transports ------------------------------------------------------------------------------ */

/* Programs that were compiled before the last fields came have smaller options. */
static armilla_status take_options(const armilla_mpi_options *given, armilla_mpi_options *taken)
{
    const size_t first = offsetof(armilla_mpi_options, device_memory);
    armilla_mpi_options_init(taken);
    if (!given) return ARMILLA_OK;
    if (given->size < first || given->size > sizeof *taken ||
        given->size % _Alignof(armilla_mpi_options)) /* it would cut a field */
        return fail_argument("options->size: must be set by armilla_mpi_options_init");
    memcpy(taken, given, given->size);
    if (taken->message_bytes < 0 || taken->message_bytes > INT32_MAX)
        return fail_argument("options->message_bytes: must be 0 (chosen) .. 2^31 - 1");
    if (taken->device_memory < ARMILLA_MPI_DEVICE_MEMORY_ASK ||
        taken->device_memory > ARMILLA_MPI_DEVICE_MEMORY_YES)
        return fail_argument("options->device_memory: must be an armilla_mpi_device_memory");
    return ARMILLA_OK;
}

static armilla_status check(MPI_Comm comm)
{
    int is_there = 0, inter = 0;
    if (MPI_Initialized(&is_there) || !is_there)
        return fail_argument("MPI is not initialized: MPI_Init_thread comes first");
    if (MPI_Finalized(&is_there) || is_there) return fail_argument("MPI is finalized");
    if (comm == MPI_COMM_NULL) return fail_argument("comm = MPI_COMM_NULL: must be a communicator");
    if (MPI_Comm_test_inter(comm, &inter) || inter)
        return fail_argument("comm: is an intercommunicator, and must have one group");
    return ARMILLA_OK;
}

/* MPI's extension says it in the one way that a program can ask. */
static int takes_device_memory(armilla_mpi_device_memory wish)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT) || (defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 40000300)
    const int asked = MPIX_Query_cuda_support() != 0;
#else
    const int asked = 0;
#endif
    return wish == ARMILLA_MPI_DEVICE_MEMORY_ASK ? asked : wish == ARMILLA_MPI_DEVICE_MEMORY_YES;
}

/* The rank among those that share its memory. Collective. */
static int find_local_rank(MPI_Comm comm, int rank, int *local_rank)
{
    MPI_Comm machine;
    int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    if (code) return code;
    code = MPI_Comm_rank(machine, local_rank);
    const int freed = MPI_Comm_free(&machine);
    return code ? code : freed;
}

static int fill(mpi_transport *t, MPI_Comm comm)
{
    int code, rank, nranks, level, local_rank;
    if ((code = MPI_Comm_dup(comm, &t->comm))) return code;
    if ((code = MPI_Comm_set_errhandler(t->comm, MPI_ERRORS_RETURN)) ||
        (code = MPI_Comm_rank(t->comm, &rank)) || (code = MPI_Comm_size(t->comm, &nranks)) ||
        (code = MPI_Query_thread(&level)) || (code = find_local_rank(t->comm, rank, &local_rank)))
        return code;
    t->transport = (armilla_transport){.size = sizeof t->transport,
                                       .rank = rank,
                                       .nranks = nranks,
                                       .most_threads = level == MPI_THREAD_SINGLE,
                                       .context = t,
                                       .local_rank = local_rank,
                                       .start = start,
                                       .wait = wait_all,
                                       .largest = largest,
                                       .poke = poke};
    return MPI_SUCCESS;
}

armilla_status armilla_mpi_transport_new(MPI_Comm comm, const armilla_mpi_options *options,
                                         armilla_transport **transport)
{
    armilla_mpi_options taken;
    armilla_status status = check(comm);
    if (!status) status = take_options(options, &taken);
    if (!status && !transport) status = fail_argument("transport = NULL: must be given");
    if (status) return status;
    mpi_transport *t = calloc(1, sizeof *t);
    if (!t) return armilla_status_record(ARMILLA_ERROR_MEMORY, "no memory for a transport");
    t->comm = MPI_COMM_NULL;
    t->piece = taken.message_bytes ? taken.message_bytes : usual_piece;
    const int code = fill(t, comm);
    if (code) {
        armilla_mpi_transport_free(&t->transport);
        return fail_mpi(code);
    }
    t->transport.takes_device_memory = takes_device_memory(taken.device_memory);
    *transport = &t->transport;
    return ARMILLA_OK;
}

armilla_status armilla_mpi_transport_new_fortran(MPI_Fint comm, const armilla_mpi_options *options,
                                                 armilla_transport **transport)
{
    return armilla_mpi_transport_new(MPI_Comm_f2c(comm), options, transport);
}

void armilla_mpi_transport_free(armilla_transport *transport)
{
    int over = 0;
    if (!transport) return;
    mpi_transport *t = (mpi_transport *)transport;
    MPI_Finalized(&over);
    if (t->comm != MPI_COMM_NULL && !over) MPI_Comm_free(&t->comm);
    for (int slot = 0; slot < SLOTS; slot++) free(t->slots[slot].requests);
    free(t);
}

const char *armilla_mpi_library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (MPI_Get_library_version(text, &length)) return "MPI";
    return text;
}
