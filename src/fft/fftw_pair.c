/* FFTW_ESTIMATE plans: for lengths without large prime factors they cost some 0.1 ms each and
 * mostly take at most a third more time than the measured ones (docs/mathematics.md 4). The planner
 * is one for the whole process and not thread-safe, hence the lock. */
#include "fft/fftw_pair.h"
#include "base/memory.h"

#include <limits.h>
#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static fftw_plan plan(const armilla_fftw_pair *pair, int direction, fftw_complex *data)
{
    int n = (int)pair->n, rows = (int)pair->rows;
    fftw_complex *output = pair->in_place ? data : data + pair->n * pair->rows;
    return fftw_plan_many_dft(1, &n, rows, data, NULL, 1, n, output, NULL, 1, n, direction,
                              FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
}

armilla_status armilla_fftw_pair_make(int64_t n, int64_t rows, int in_place,
                                      armilla_fftw_pair *pair)
{
    if (n > INT_MAX || rows > INT_MAX) /* FFTW's planner takes int */
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%lld FFTs of length %lld: FFTW takes up to %d of each",
                            (long long)rows, (long long)n, INT_MAX);
    fftw_complex *data; /* ESTIMATE never touches it, but looks at its alignment */
    armilla_status status = armilla_allocate(&data, 2 * n * rows, sizeof *data);
    if (status) return status;
    *pair = (armilla_fftw_pair){.n = n, .rows = rows, .in_place = in_place};
    pthread_mutex_lock(&planner);
    pair->forward = plan(pair, FFTW_FORWARD, data);
    pair->backward = plan(pair, FFTW_BACKWARD, data);
    pthread_mutex_unlock(&planner);
    armilla_release(data);
    if (pair->forward && pair->backward) return ARMILLA_OK;
    armilla_fftw_pair_clear(pair);
    return armilla_fail(ARMILLA_ERROR_MEMORY, "FFTW could not plan length %lld", (long long)n);
}

void armilla_fftw_pair_clear(armilla_fftw_pair *pair)
{
    pthread_mutex_lock(&planner);
    if (pair->forward) fftw_destroy_plan(pair->forward);
    if (pair->backward) fftw_destroy_plan(pair->backward);
    pthread_mutex_unlock(&planner);
    pair->forward = pair->backward = NULL;
}
