/* Makes cuFFT plans of batches of transforms, finds them by length and number, and puts them on a
 * call's stream with the call's own work area. */
#include "cuda/fft_plans.h"

#include "base/memory.h"
#include "cuda/device_memory.h"

#include <pthread.h>
#include <string.h>

typedef struct {
    int64_t length, count;
    cufftHandle handle;
} fft_plan;

struct armilla_cuda_fft_plans {
    int64_t count, room;
    fft_plan *plans;
    int64_t work; /* bytes, the most of any plan */
    pthread_mutex_t lock;
};

armilla_status armilla_cuda_fft_plans_new(armilla_cuda_fft_plans **plans)
{
    const armilla_status status = armilla_allocate_zero(plans, 1, sizeof **plans);
    if (!status) pthread_mutex_init(&(*plans)->lock, NULL);
    return status;
}

void armilla_cuda_fft_plans_free(armilla_cuda_fft_plans *plans)
{
    if (!plans) return;
    for (int64_t i = 0; i < plans->count; i++) cufftDestroy(plans->plans[i].handle);
    pthread_mutex_destroy(&plans->lock);
    armilla_release(plans->plans);
    armilla_release(plans);
}

static const fft_plan *find(const armilla_cuda_fft_plans *plans, int64_t length, int64_t count)
{
    for (int64_t i = 0; i < plans->count; i++)
        if (plans->plans[i].length == length && plans->plans[i].count == count)
            return &plans->plans[i];
    return NULL;
}

static armilla_status make_room(armilla_cuda_fft_plans *plans)
{
    const int64_t room = 2 * plans->room + 8;
    fft_plan *list;
    if (plans->count < plans->room) return ARMILLA_OK;
    const armilla_status status = armilla_allocate(&list, room, sizeof *list);
    if (status) return status;
    if (plans->count) memcpy(list, plans->plans, (size_t)plans->count * sizeof *list);
    armilla_release(plans->plans);
    plans->plans = list, plans->room = room;
    return ARMILLA_OK;
}

/* Work areas are ours. */
static cufftResult plan_many(cufftHandle handle, int64_t length, int64_t count, size_t *work)
{
    long long n[1] = {length};
    const cufftResult result = cufftSetAutoAllocation(handle, 0);
    if (result != CUFFT_SUCCESS) return result;
    return cufftMakePlanMany64(handle, 1, n, NULL, 1, length, NULL, 1, length, CUFFT_Z2Z, count,
                               work);
}

armilla_status armilla_cuda_fft_plans_add(armilla_cuda_fft_plans *plans, int64_t length,
                                          int64_t count)
{
    fft_plan plan = {.length = length, .count = count};
    size_t work = 0;
    if (find(plans, length, count)) return ARMILLA_OK;
    armilla_status status = make_room(plans);
    if (status) return status;
    status = armilla_cuda_fft_status(cufftCreate(&plan.handle), "cufftCreate");
    if (status) return status;
    status =
        armilla_cuda_fft_status(plan_many(plan.handle, length, count, &work), "cufftMakePlanMany");
    if (status) {
        cufftDestroy(plan.handle);
        return status;
    }
    if ((int64_t)work > plans->work) plans->work = (int64_t)work;
    plans->plans[plans->count++] = plan;
    return ARMILLA_OK;
}

int64_t armilla_cuda_fft_plans_work(const armilla_cuda_fft_plans *plans)
{
    return plans->work;
}

static cufftResult run(cufftHandle handle, double *data, int sign, void *area, cudaStream_t stream)
{
    cufftDoubleComplex *z = (cufftDoubleComplex *)data;
    cufftResult result = cufftSetStream(handle, stream);
    if (result == CUFFT_SUCCESS) result = cufftSetWorkArea(handle, area);
    return result == CUFFT_SUCCESS ? cufftExecZ2Z(handle, z, z, sign) : result;
}

void armilla_cuda_fft_plans_run(armilla_cuda_fft_plans *plans, int64_t length, int64_t count,
                                double *data, int sign, void *area, armilla_cuda_work *work)
{
    const fft_plan *plan = find(plans, length, count);
    pthread_mutex_lock(&plans->lock);
    const cufftResult result = run(plan->handle, data, sign, area, work->stream);
    pthread_mutex_unlock(&plans->lock);
    if (result != CUFFT_SUCCESS) armilla_cuda_note(work, cudaErrorUnknown);
}
