/* Events between a call's stream and the second one of its plan. A wait means the last record
 * before it, so that an event can be recorded again at once. */
#include "cuda/runtime/second_stream.h"

#include "cuda/runtime/device_memory.h"

/* --- The stream ------------------------------------------------------------------------------- */

static cudaEvent_t *event_of(armilla_cuda_second_stream *s, int i)
{
    cudaEvent_t *const events[] = {&s->filled, &s->emptied[0], &s->emptied[1], &s->met};
    return i < (int)(sizeof events / sizeof *events) ? events[i] : NULL;
}

void armilla_cuda_second_clear(armilla_cuda_second_stream *s)
{
    for (int i = 0; event_of(s, i); i++)
        if (*event_of(s, i)) armilla_cuda_forget(cudaEventDestroy(*event_of(s, i)));
    if (s->stream) armilla_cuda_forget(cudaStreamDestroy(s->stream));
    *s = (armilla_cuda_second_stream){0};
}

/* Blocks of the stream with the higher priority start where one of the other has ended, so that the
 * shorter stage, which is put there, runs beside the longer one and not behind it. */
static cudaError_t make_stream(armilla_cuda_second_stream *s)
{
    int least, greatest;
    cudaError_t error = cudaSuccess;
    for (int i = 0; event_of(s, i) && !error; i++)
        if (!*event_of(s, i))
            error = cudaEventCreateWithFlags(event_of(s, i), cudaEventDisableTiming);
    if (!error) error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    return error ? error
                 : cudaStreamCreateWithPriority(&s->stream, cudaStreamNonBlocking, greatest);
}

/* --- A call ----------------------------------------------------------------------------------- */

/* What `to` gets from now on comes after what `from` has been given. */
static cudaError_t follow(cudaEvent_t event, cudaStream_t from, cudaStream_t to)
{
    const cudaError_t error = cudaEventRecord(event, from);
    return error ? error : cudaStreamWaitEvent(to, event, 0);
}

int armilla_cuda_second_is_there(armilla_cuda_second_stream *s)
{
    const cudaError_t error = s->stream ? cudaSuccess : make_stream(s);
    armilla_cuda_forget(error);
    return !error;
}

armilla_status armilla_cuda_second_begin(armilla_cuda_second_stream *s,
                                         const armilla_cuda_work *own, armilla_cuda_work *other)
{
    const cudaError_t error = follow(s->met, own->stream, s->stream);
    *other = (armilla_cuda_work){.stream = s->stream};
    return armilla_cuda_status(error, "the second stream of a plan");
}

void armilla_cuda_second_may_fill(armilla_cuda_second_stream *s, int64_t leg,
                                  armilla_cuda_work *filling)
{
    if (leg < ARMILLA_CUDA_LEGS) return;
    armilla_cuda_note(filling,
                      cudaStreamWaitEvent(filling->stream, s->emptied[leg % ARMILLA_CUDA_LEGS], 0));
}

void armilla_cuda_second_filled(armilla_cuda_second_stream *s, armilla_cuda_work *filling,
                                armilla_cuda_work *emptying)
{
    armilla_cuda_note(filling, follow(s->filled, filling->stream, emptying->stream));
}

void armilla_cuda_second_emptied(armilla_cuda_second_stream *s, int64_t leg,
                                 armilla_cuda_work *emptying)
{
    armilla_cuda_note(emptying,
                      cudaEventRecord(s->emptied[leg % ARMILLA_CUDA_LEGS], emptying->stream));
}

void armilla_cuda_second_end(armilla_cuda_second_stream *s, armilla_cuda_work *own)
{
    const cudaError_t error = follow(s->met, s->stream, own->stream);
    armilla_cuda_note(own, error);
    if (error) armilla_cuda_note(own, cudaStreamSynchronize(s->stream));
}
