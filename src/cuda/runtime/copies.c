/* Copies components between the host and the device, directly or through two pinned buffers in
 * turn: while the device copies one, the host fills or empties the other. */
#include "cuda/runtime/copies.h"

#include "base/integer.h"
#include "cuda/runtime/device_memory.h"

#include <pthread.h>
#include <string.h>

enum { BUFFERS = 2 };

static const int64_t usual_buffer = INT64_C(32) << 20, usual_least = INT64_C(1) << 20;
static int64_t set_buffer, set_least; /* 0: the usual ones */

struct armilla_cuda_copier {
    int64_t bytes; /* of a buffer; 0: there are none yet */
    char *buffer[BUFFERS];
    int next; /* the buffer to be used next */
    cudaStream_t stream;
    cudaEvent_t idle[BUFFERS];     /* the device is done with a buffer */
    cudaEvent_t computed[BUFFERS]; /* kernels are done with a slot */
    cudaEvent_t arrived;
};

typedef struct {
    armilla_cuda_copier copier;
    int taken; /* by a call, which has it to itself */
} device_copier;

static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;
static device_copier copiers[ARMILLA_CUDA_MOST_DEVICES];

void armilla_cuda_copier_set_sizes(int64_t buffer, int64_t least)
{
    set_buffer = buffer, set_least = least;
}

int64_t armilla_cuda_copier_buffer(void)
{
    return set_buffer ? set_buffer : usual_buffer;
}

/* --- Buffers, stream, events ----------------------------------------------------------------- */

static void free_buffers(armilla_cuda_copier *c)
{
    for (int i = 0; i < BUFFERS; i++) {
        if (c->buffer[i]) armilla_cuda_forget(cudaFreeHost(c->buffer[i]));
        c->buffer[i] = NULL;
    }
    c->bytes = 0;
}

static void destroy_event(cudaEvent_t *event)
{
    if (*event) armilla_cuda_forget(cudaEventDestroy(*event));
    *event = NULL;
}

static void close_copier(armilla_cuda_copier *c)
{
    free_buffers(c);
    for (int i = 0; i < BUFFERS; i++) destroy_event(&c->idle[i]), destroy_event(&c->computed[i]);
    destroy_event(&c->arrived);
    if (c->stream) armilla_cuda_forget(cudaStreamDestroy(c->stream));
    c->stream = NULL;
}

void armilla_cuda_copier_close(int device)
{
    if (device < ARMILLA_CUDA_MOST_DEVICES) close_copier(&copiers[device].copier);
}

static cudaError_t make_event(cudaEvent_t *event)
{
    return *event ? cudaSuccess : cudaEventCreateWithFlags(event, cudaEventDisableTiming);
}

static cudaError_t make_stream(armilla_cuda_copier *c)
{
    cudaError_t error =
        c->stream ? cudaSuccess : cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking);
    for (int i = 0; i < BUFFERS && !error; i++)
        if (!(error = make_event(&c->idle[i]))) error = make_event(&c->computed[i]);
    return error ? error : make_event(&c->arrived);
}

static cudaError_t make_buffers(armilla_cuda_copier *c, int64_t bytes)
{
    cudaError_t error = cudaSuccess;
    if (bytes <= c->bytes) return cudaSuccess;
    free_buffers(c);
    for (int i = 0; i < BUFFERS && !error; i++) {
        void *memory = NULL;
        error = cudaMallocHost(&memory, (size_t)bytes);
        c->buffer[i] = error ? NULL : memory;
    }
    c->bytes = error ? 0 : bytes;
    return error;
}

/* --- A call ---------------------------------------------------------------------------------- */

/* Returned: did it change? */
static int set_taken(device_copier *d, int taken)
{
    pthread_mutex_lock(&taking);
    const int changes = d->taken != taken;
    d->taken = taken;
    pthread_mutex_unlock(&taking);
    return changes;
}

armilla_cuda_copier *armilla_cuda_copier_take(int device, int64_t bytes)
{
    const int64_t buffer = armilla_cuda_copier_buffer();
    const int64_t least = set_least ? set_least : usual_least;
    if (bytes < least || device >= ARMILLA_CUDA_MOST_DEVICES || !set_taken(&copiers[device], 1))
        return NULL;
    armilla_cuda_copier *c = &copiers[device].copier;
    cudaError_t error = make_stream(c);
    if (!error) error = make_buffers(c, armilla_smaller(buffer, bytes));
    if (!error) return c;
    armilla_cuda_forget(error);
    close_copier(c);
    set_taken(&copiers[device], 0);
    return NULL;
}

void armilla_cuda_copier_begin(armilla_cuda_copier *c, armilla_cuda_work *work)
{
    for (int slot = 0; slot < BUFFERS; slot++) armilla_cuda_copier_computed(c, slot, work);
    armilla_cuda_copier_wait(c, 0, work);
}

void armilla_cuda_copier_end(armilla_cuda_copier *c, armilla_cuda_work *work)
{
    armilla_cuda_copier_arrive(c, work);
    set_taken((device_copier *)c, 0); /* it comes first there */
}

/* An event of one stream for another. */
static void pass(cudaEvent_t event, cudaStream_t from, cudaStream_t to, armilla_cuda_work *work)
{
    armilla_cuda_note(work, cudaEventRecord(event, from));
    armilla_cuda_note(work, cudaStreamWaitEvent(to, event, 0));
}

void armilla_cuda_copier_arrive(armilla_cuda_copier *c, armilla_cuda_work *work)
{
    if (c) pass(c->arrived, c->stream, work->stream, work);
}

void armilla_cuda_copier_computed(armilla_cuda_copier *c, int slot, armilla_cuda_work *work)
{
    if (c) armilla_cuda_note(work, cudaEventRecord(c->computed[slot], work->stream));
}

void armilla_cuda_copier_wait(armilla_cuda_copier *c, int slot, armilla_cuda_work *work)
{
    if (c) armilla_cuda_note(work, cudaStreamWaitEvent(c->stream, c->computed[slot], 0));
}

/* --- Directly -------------------------------------------------------------------------------- */

/* Where component number i of the transforms begins on the host. */
static int64_t place_of(const armilla_cuda_copied *copied, int64_t i)
{
    return (i / copied->ncomp * copied->step + i % copied->ncomp) * copied->distance;
}

/* All components as one, where they follow each other on the host as well. */
static armilla_cuda_copied join(const armilla_cuda_copied *copied, int64_t *count)
{
    armilla_cuda_copied joined = *copied;
    const int64_t components = *count * copied->ncomp;
    const int one = components == 1 || (copied->distance == copied->size &&
                                        (*count == 1 || copied->step == copied->ncomp));
    if (one) joined.size = components * copied->size, joined.ncomp = joined.step = *count = 1;
    return joined;
}

static cudaStream_t stream_of(const armilla_cuda_copier *c, const armilla_cuda_work *work)
{
    return c ? c->stream : work->stream;
}

static void copy_directly(cudaStream_t stream, const armilla_cuda_copied *copied, int64_t count,
                          char *host, char *device, enum cudaMemcpyKind kind,
                          armilla_cuda_work *work)
{
    for (int64_t i = 0; i < count * copied->ncomp; i++) {
        char *here = device + i * copied->size, *there = host + place_of(copied, i);
        const int to_host = kind == cudaMemcpyDeviceToHost;
        armilla_cuda_note(work, cudaMemcpyAsync(to_host ? there : here, to_host ? here : there,
                                                (size_t)copied->size, kind, stream));
    }
}

/* --- Through buffers ------------------------------------------------------------------------- */

/* Bytes first .. first + bytes - 1 of the components, between the host's array and a buffer. */
static void move_on_host(const armilla_cuda_copied *copied, char *host, int64_t first,
                         int64_t bytes, char *buffer, int to_buffer)
{
    while (bytes > 0) {
        const int64_t begin = first % copied->size;
        const int64_t part = armilla_smaller(copied->size - begin, bytes);
        char *there = host + place_of(copied, first / copied->size) + begin;
        memcpy(to_buffer ? buffer : there, to_buffer ? there : buffer, (size_t)part);
        first += part, buffer += part, bytes -= part;
    }
}

/* Waits until the device is done with a buffer. Returned: is it? */
static int wait_for(const armilla_cuda_copier *c, int buffer, armilla_cuda_work *work)
{
    armilla_cuda_note(work, cudaEventSynchronize(c->idle[buffer]));
    return !work->error;
}

static void put_copy(const armilla_cuda_copier *c, int buffer, char *device, int64_t bytes,
                     enum cudaMemcpyKind kind, armilla_cuda_work *work)
{
    char *pinned = c->buffer[buffer];
    const int to_host = kind == cudaMemcpyDeviceToHost;
    armilla_cuda_note(work, cudaMemcpyAsync(to_host ? pinned : device, to_host ? device : pinned,
                                            (size_t)bytes, kind, c->stream));
    armilla_cuda_note(work, cudaEventRecord(c->idle[buffer], c->stream));
}

static void send(armilla_cuda_copier *c, const armilla_cuda_copied *copied, int64_t total,
                 char *device, char *host, armilla_cuda_work *work)
{
    for (int64_t first = 0; first < total; first += c->bytes, c->next = 1 - c->next) {
        const int64_t bytes = armilla_smaller(c->bytes, total - first);
        if (!wait_for(c, c->next, work)) return;
        move_on_host(copied, host, first, bytes, c->buffer[c->next], 1);
        put_copy(c, c->next, device + first, bytes, cudaMemcpyHostToDevice, work);
    }
}

/* The device copies a piece while the host takes the one before. */
static void fetch(armilla_cuda_copier *c, const armilla_cuda_copied *copied, int64_t total,
                  char *host, char *device, armilla_cuda_work *work)
{
    for (int64_t first = 0; first < total + c->bytes; first += c->bytes, c->next = 1 - c->next) {
        const int64_t before = first - c->bytes;
        if (first < total)
            put_copy(c, c->next, device + first, armilla_smaller(c->bytes, total - first),
                     cudaMemcpyDeviceToHost, work);
        if (before < 0) continue;
        if (!wait_for(c, 1 - c->next, work)) return;
        move_on_host(copied, host, before, armilla_smaller(c->bytes, total - before),
                     c->buffer[1 - c->next], 0);
    }
}

/* --- Copies ---------------------------------------------------------------------------------- */

void armilla_cuda_copy_to_device(armilla_cuda_copier *copier, const armilla_cuda_copied *copied,
                                 int64_t count, char *device, const char *host,
                                 armilla_cuda_work *work)
{
    const armilla_cuda_copied of = join(copied, &count);
    char *from = (char *)(uintptr_t)host; /* only read */
    if (copier && !copied->pinned)
        send(copier, &of, count * of.ncomp * of.size, device, from, work);
    else
        copy_directly(stream_of(copier, work), &of, count, from, device, cudaMemcpyHostToDevice,
                      work);
}

void armilla_cuda_copy_to_host(armilla_cuda_copier *copier, const armilla_cuda_copied *copied,
                               int64_t count, char *host, char *device, armilla_cuda_work *work)
{
    const armilla_cuda_copied of = join(copied, &count);
    if (copier && !copied->pinned)
        fetch(copier, &of, count * of.ncomp * of.size, host, device, work);
    else
        copy_directly(stream_of(copier, work), &of, count, host, device, cudaMemcpyDeviceToHost,
                      work);
}
