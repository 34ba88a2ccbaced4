/* The way of rows by FFTW, a build option (ARMILLA_FFT=fftw). FFTW_ESTIMATE plans: for lengths
 * without large prime factors they cost some 0.1 ms each and mostly take at most a third more time
 * than the measured ones (docs/mathematics.md 4). Plans in place take two to eight times as long as
 * others. The planner is one for the whole process and not thread-safe, hence the lock. */
#include "fft/ways.h"

#include "base/memory.h"

#include <fftw3.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* Short ones go together, since a call costs as much as 32 points. */
static int64_t together(armilla_isa isa, int64_t n)
{
    (void)isa;
    return n <= 16 ? 16 : n <= 32 ? 8 : n <= 128 ? 4 : 1;
}

static void shape(armilla_isa isa, armilla_rows *rows)
{
    (void)isa, (void)rows; /* FFTW looks at the processor itself */
}

static fftw_plan plan(const armilla_rows *rows, fftw_complex *data)
{
    int n = (int)rows->n, count = (int)rows->rows;
    return fftw_plan_many_dft(1, &n, count, data, NULL, 1, n, data + n * count, NULL, 1, n,
                              FFTW_FORWARD, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
}

static armilla_status make(armilla_rows *rows)
{
    const int64_t n = rows->n;
    if (n > INT_MAX || rows->rows > INT_MAX) /* FFTW's planner takes int */
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%lld FFTs of length %lld: FFTW takes up to %d of each",
                            (long long)rows->rows, (long long)n, INT_MAX);
    fftw_complex *data; /* ESTIMATE never touches it, but looks at its alignment */
    armilla_status status = armilla_allocate(&data, 2 * n * rows->rows, sizeof *data);
    if (status) return status;
    pthread_mutex_lock(&planner);
    rows->plan = plan(rows, data);
    pthread_mutex_unlock(&planner);
    armilla_release(data);
    if (rows->plan) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_MEMORY, "FFTW could not plan length %lld", (long long)n);
}

static void clear(armilla_rows *rows)
{
    if (!rows->plan) return;
    pthread_mutex_lock(&planner);
    fftw_destroy_plan(rows->plan);
    pthread_mutex_unlock(&planner);
    rows->plan = NULL;
}

/* What FFTW keeps for itself is not known. */
static int64_t bytes(const armilla_rows *rows)
{
    (void)rows;
    return 0;
}

static void execute(const armilla_rows *rows, int64_t count, double *input, double *output)
{
    const int64_t step = 2 * rows->n * rows->rows;
    for (int64_t row = 0; row < count; row += rows->rows, input += step, output += step)
        fftw_execute_dft(rows->plan, (fftw_complex *)(void *)input, (fftw_complex *)(void *)output);
}

const armilla_rows_way armilla_rows_by_fftw = {.name = "FFTW",
                                               .plans_slowly = 1,
                                               .together = together,
                                               .shape = shape,
                                               .make = make,
                                               .clear = clear,
                                               .bytes = bytes,
                                               .execute = execute};
