/* FFTW_ESTIMATE plans: for lengths without large prime factors they cost some 0.1 ms each and run
 * within a quarter of the measured ones (docs/mathematics.md 4). The planner is one for the whole
 * process and not thread-safe, hence the lock. */
#include "fft/fftw_pair.h"
#include "base/memory.h"

#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

armilla_status armilla_fftw_pair_make(int64_t n, armilla_fftw_pair *pair)
{
    fftw_complex *data; /* ESTIMATE never touches it, but looks at its alignment */
    armilla_status status = armilla_allocate(&data, n, sizeof *data);
    if (status) return status;
    pthread_mutex_lock(&planner);
    pair->n = n;
    pair->forward = fftw_plan_dft_1d((int)n, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
    pair->backward = fftw_plan_dft_1d((int)n, data, data, FFTW_BACKWARD, FFTW_ESTIMATE);
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
