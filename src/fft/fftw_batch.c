/* FFTW_ESTIMATE plans: for lengths without large prime factors they cost some 0.1 ms each and
 * mostly take at most a third more time than the measured ones (docs/mathematics.md 4). The planner
 * is one for the whole process and not thread-safe, hence the lock. */
#include "fft/fftw_batch.h"
#include "base/memory.h"

#include <limits.h>
#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static fftw_plan plan(const armilla_fftw_batch *batch, fftw_complex *data)
{
    int n = (int)batch->n, rows = (int)batch->rows;
    return fftw_plan_many_dft(1, &n, rows, data, NULL, 1, n, data + n * rows, NULL, 1, n,
                              FFTW_FORWARD, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
}

armilla_status armilla_fftw_batch_make(int64_t n, int64_t rows, armilla_fftw_batch *batch)
{
    if (n > INT_MAX || rows > INT_MAX) /* FFTW's planner takes int */
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%lld FFTs of length %lld: FFTW takes up to %d of each",
                            (long long)rows, (long long)n, INT_MAX);
    fftw_complex *data; /* ESTIMATE never touches it, but looks at its alignment */
    armilla_status status = armilla_allocate(&data, 2 * n * rows, sizeof *data);
    if (status) return status;
    *batch = (armilla_fftw_batch){.n = n, .rows = rows};
    pthread_mutex_lock(&planner);
    batch->plan = plan(batch, data);
    pthread_mutex_unlock(&planner);
    armilla_release(data);
    if (batch->plan) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_MEMORY, "FFTW could not plan length %lld", (long long)n);
}

void armilla_fftw_batch_clear(armilla_fftw_batch *batch)
{
    if (!batch->plan) return;
    pthread_mutex_lock(&planner);
    fftw_destroy_plan(batch->plan);
    pthread_mutex_unlock(&planner);
    batch->plan = NULL;
}
