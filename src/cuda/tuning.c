/* Shapes by measurement: how long a transform takes, which shape was the fastest, and what is known
 * from earlier searches of the process. See transform.h. */
#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/runtime/device_memory.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* --- Time ------------------------------------------------------------------------------------- */

enum { RUNS = 4, PATTERN = 1 << 16 }; /* the first run pays for memory and code */

/* Numbers in [-1, 1), in device memory: some thousands of them again and again. Zeros would need
 * less power than real data, and power decides about the clock. */
static armilla_status fill(armilla_array array, int64_t count)
{
    armilla_array pattern = {.is_float = array.is_float};
    const int64_t size = armilla_array_item_size(array);
    armilla_status status = armilla_allocate(&pattern.values, PATTERN, (size_t)size);
    if (status) return status;
    uint64_t state = 1;
    for (int64_t i = 0; i < PATTERN; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        armilla_array_put(pattern, i, (double)(state >> 11) * 0x1p-52 - 1);
    }
    for (int64_t i = 0; i < count && !status; i += PATTERN) {
        const int64_t here = count - i < PATTERN ? count - i : PATTERN;
        status = armilla_cuda_status(cudaMemcpy(armilla_array_from(array, i).values, pattern.values,
                                                (size_t)(here * size), cudaMemcpyHostToDevice),
                                     "data for tuning");
    }
    armilla_release(pattern.values);
    return status;
}

/* The arrays of a call and the events around it; all NULL at first, but for the kind
 * of items. */
typedef struct {
    armilla_array alm, map;
    cudaEvent_t begin, end;
} stopwatch;

static armilla_status open_stopwatch(stopwatch *s, int64_t alm_count, int64_t map_count)
{
    const int64_t size = armilla_array_item_size(s->alm);
    armilla_status status;
    if ((status =
             armilla_cuda_allocate(size * alm_count, "coefficients for tuning", &s->alm.values)) ||
        (status = armilla_cuda_allocate(size * map_count, "maps for tuning", &s->map.values)) ||
        (status = fill(s->alm, alm_count)) || (status = fill(s->map, map_count)) ||
        (status = armilla_cuda_status(cudaEventCreate(&s->begin), "an event")))
        return status;
    return armilla_cuda_status(cudaEventCreate(&s->end), "an event");
}

static void close_stopwatch(stopwatch *s)
{
    if (s->end) armilla_cuda_forget(cudaEventDestroy(s->end));
    if (s->begin) armilla_cuda_forget(cudaEventDestroy(s->begin));
    armilla_cuda_release(s->map.values);
    armilla_cuda_release(s->alm.values);
    s->end = s->begin = NULL, s->map.values = s->alm.values = NULL;
}

/* For *ntrans transforms, or fewer that have room. */
static armilla_status open_stopwatch_for(stopwatch *s, const armilla_cuda_problem *problem,
                                         int64_t *ntrans)
{
    const int64_t alm = 2 * problem->nalm * problem->layout->size;
    const int64_t map = problem->nmap * problem->npix;
    armilla_status status;
    while ((status = open_stopwatch(s, alm * *ntrans, map * *ntrans)) == ARMILLA_ERROR_MEMORY &&
           *ntrans > 1) {
        close_stopwatch(s);
        *ntrans /= 2;
    }
    return status;
}

/* One call on the default stream. */
static armilla_status time_call(const stopwatch *s, const armilla_cuda_transform *transform,
                                const armilla_cuda_call *call, double *milliseconds)
{
    float elapsed;
    armilla_status status;
    if ((status = armilla_cuda_status(cudaEventRecord(s->begin, call->exec.stream), "tuning")) ||
        (status = armilla_cuda_transform_run(transform, call)) ||
        (status = armilla_cuda_status(cudaEventRecord(s->end, call->exec.stream), "tuning")) ||
        (status = armilla_cuda_status(cudaEventSynchronize(s->end), "tuning")) ||
        (status = armilla_cuda_status(cudaEventElapsedTime(&elapsed, s->begin, s->end), "tuning")))
        return status;
    *milliseconds = (double)elapsed;
    return ARMILLA_OK;
}

/* The best of the runs but the first. */
static armilla_status time_calls(const stopwatch *s, const armilla_cuda_transform *transform,
                                 const armilla_cuda_call *call, double *least)
{
    armilla_status status = ARMILLA_OK;
    for (int i = 0; i < RUNS && !status; i++) {
        double milliseconds = 0;
        status = time_call(s, transform, call, &milliseconds);
        if (i == 1 || (i > 1 && milliseconds < *least)) *least = milliseconds;
    }
    return status;
}

armilla_status armilla_cuda_transform_time(const armilla_cuda_transform *transform,
                                           const armilla_cuda_problem *problem, int64_t ntrans,
                                           double *milliseconds)
{
    const int is_float = problem->flow.precision.of_floats == ARMILLA_CUDA_IN_SINGLE;
    stopwatch s = {.alm.is_float = is_float, .map.is_float = is_float};
    double there = 0, back = 0;
    armilla_cuda_call call = {.to_map = 1,
                              .exec.alm_distance = problem->layout->size,
                              .exec.map_distance = problem->npix,
                              .exec.memory = ARMILLA_MEMORY_DEVICE};
    armilla_status status = open_stopwatch_for(&s, problem, &ntrans);
    call.alm = s.alm, call.map = s.map, call.exec.ntrans = ntrans;
    if (!status) status = time_calls(&s, transform, &call, &there);
    call.to_map = 0;
    if (!status) status = time_calls(&s, transform, &call, &back);
    close_stopwatch(&s);
    *milliseconds = (there + back) / (double)ntrans;
    return status;
}

/* --- What is known ---------------------------------------------------------------------------- */

typedef enum { SCALAR, SPIN_BY_SUMS, SPIN_BY_RECURRENCE } kind;

/* Compared byte by byte: padding is 0. */
typedef struct {
    char name[256];
    int64_t capability, lmax_octave, pairs_octave, kind, single, many;
} key;

typedef struct choice {
    key of;
    const armilla_cuda_shape *shape;
    struct choice *next;
} choice;

static pthread_mutex_t searching = PTHREAD_MUTEX_INITIALIZER;
static choice *choices; /* for the life of the process */

static int64_t octave(int64_t n)
{
    int64_t bits = 0;
    for (; n > 0; n /= 2) bits++;
    return bits;
}

static kind kind_of(const armilla_cuda_tuning *of)
{
    const int64_t spin = of->spin < 0 ? -of->spin : of->spin;
    if (spin == 0) return SCALAR;
    return spin > 3 || of->recurrence_only ? SPIN_BY_RECURRENCE : SPIN_BY_SUMS;
}

static armilla_status make_key(const armilla_cuda_tuning *of, key *result)
{
    struct cudaDeviceProp p;
    int device;
    armilla_status status = armilla_cuda_status(cudaGetDevice(&device), "asking for the device");
    if (!status)
        status = armilla_cuda_status(cudaGetDeviceProperties(&p, device), "asking what it is");
    if (status) return status;
    memset(result, 0, sizeof *result);
    snprintf(result->name, sizeof result->name, "%.*s", (int)sizeof result->name - 1, p.name);
    result->capability = 10 * p.major + p.minor;
    result->lmax_octave = octave(of->lmax), result->pairs_octave = octave(of->npairs);
    result->kind = kind_of(of), result->single = of->single;
    result->many = of->many;
    return ARMILLA_OK;
}

static const armilla_cuda_shape *recall(const key *of)
{
    for (const choice *c = choices; c; c = c->next)
        if (!memcmp(&c->of, of, sizeof *of)) return c->shape;
    return NULL;
}

static armilla_status keep(const key *of, const armilla_cuda_shape *shape)
{
    choice *c;
    armilla_status status = armilla_allocate(&c, 1, sizeof *c);
    if (status) return status;
    *c = (choice){*of, shape, choices};
    choices = c;
    return ARMILLA_OK;
}

/* --- The search ------------------------------------------------------------------------------- */

/* What noise may look like: no reason for results with other bits. */
static const double LEAST_GAIN = 0.02;

/* Tensor cores, which take two sets of scalar functions in double precision, have nothing to do in
 * other measurements: one transform has two sets only for a field as sums of scalar functions. */
static armilla_status is_candidate(const key *of, const armilla_cuda_shape *shape, int *candidate)
{
    const int fills = of->kind == SPIN_BY_SUMS || (of->kind == SCALAR && of->many);
    *candidate = 0;
    if (shape->tensor && (!fills || of->single)) return ARMILLA_OK;
    return armilla_cuda_shape_suits(shape, candidate);
}

static armilla_status search(const key *of, const armilla_cuda_shape *usual,
                             armilla_cuda_measure_fn measure, void *data,
                             const armilla_cuda_shape **best)
{
    double least = 0, milliseconds = 0;
    armilla_status status = measure(data, usual, &least);
    least *= 1 - LEAST_GAIN;
    *best = usual;
    const armilla_cuda_shape *shape;
    for (int64_t i = 0; !status && (shape = armilla_cuda_shape_at(i)); i++) {
        int candidate;
        if (shape == usual || (status = is_candidate(of, shape, &candidate)) || !candidate)
            continue;
        status = measure(data, shape, &milliseconds);
        if (!status && milliseconds < least) least = milliseconds, *best = shape;
    }
    return status;
}

armilla_status armilla_cuda_tune(const armilla_cuda_tuning *of, armilla_cuda_measure_fn measure,
                                 void *data, const armilla_cuda_shape **shape)
{
    key k;
    armilla_status status = make_key(of, &k);
    if (status) return status;
    pthread_mutex_lock(&searching);
    *shape = recall(&k);
    const armilla_cuda_shape *usual = armilla_cuda_default_shape(of->npairs, of->single);
    if (!*shape && !(status = search(&k, usual, measure, data, shape))) status = keep(&k, *shape);
    pthread_mutex_unlock(&searching);
    return status;
}
