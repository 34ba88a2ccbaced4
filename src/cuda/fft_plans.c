/* Makes cuFFT plans of batches of transforms, finds them by length and number, and puts them on a
 * call's stream with the call's own work area. */
#include "cuda/fft_plans.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/device_memory.h"

#include <pthread.h>
#include <string.h>

/* Sets of the plans: two are the components of a field of spin s. In a launch the number of a set
 * has 16 bits. */
enum { SIZES = 5, MOST_TOGETHER = 65535 };
static const int64_t size_of[SIZES] = {1, 2, 4, 16, 64};

typedef struct {
    int64_t length, count; /* of all sets */
    int64_t nsets;         /* the least number of sets that it was planned for */
    int of_set;
    int64_t work; /* bytes */
    cufftHandle handle;
} fft_plan;

struct armilla_cuda_fft_plans {
    int64_t count, room;
    fft_plan *plans;
    int largest; /* of the sizes, which all plans of sets are made for */
    int device;
    pthread_mutex_t lock;
};

armilla_status armilla_cuda_fft_plans_new(armilla_cuda_fft_plans **plans)
{
    int device;
    armilla_status status = armilla_cuda_status(cudaGetDevice(&device), "the current device");
    if (status || (status = armilla_allocate_zero(plans, 1, sizeof **plans))) return status;
    (*plans)->device = device;
    pthread_mutex_init(&(*plans)->lock, NULL);
    return ARMILLA_OK;
}

/* Is their device the current one? If it could not be had, cuFFT would free what another one has at
 * their addresses. */
static int are_here(const armilla_cuda_fft_plans *plans)
{
    int device;
    const cudaError_t error = cudaGetDevice(&device);
    armilla_cuda_forget(error);
    return !error && device == plans->device;
}

void armilla_cuda_fft_plans_free(armilla_cuda_fft_plans *plans)
{
    if (!plans) return;
    if (are_here(plans))
        for (int64_t i = 0; i < plans->count; i++) cufftDestroy(plans->plans[i].handle);
    pthread_mutex_destroy(&plans->lock);
    armilla_release(plans->plans);
    armilla_release(plans);
}

static fft_plan *find(const armilla_cuda_fft_plans *plans, int64_t length, int64_t count)
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

static armilla_status make_plan(fft_plan *plan)
{
    size_t work = 0;
    armilla_status status = armilla_cuda_fft_status(cufftCreate(&plan->handle), "cufftCreate");
    if (status) return status;
    status = armilla_cuda_fft_status(plan_many(plan->handle, plan->length, plan->count, &work),
                                     "cufftMakePlanMany");
    if (status) cufftDestroy(plan->handle);
    plan->work = (int64_t)work;
    return status;
}

/* As many as there are for so many sets. The sets of a plan that two numbers of sets share are the
 * smaller one. */
static armilla_status add(armilla_cuda_fft_plans *plans, fft_plan plan)
{
    fft_plan *known = find(plans, plan.length, plan.count);
    if (known) {
        known->nsets = armilla_smaller(known->nsets, plan.nsets);
        known->of_set |= plan.of_set;
        return ARMILLA_OK;
    }
    armilla_status status = make_room(plans);
    if (status || (status = make_plan(&plan))) return status;
    plans->plans[plans->count++] = plan;
    return ARMILLA_OK;
}

armilla_status armilla_cuda_fft_plans_add(armilla_cuda_fft_plans *plans, int64_t length,
                                          int64_t count, int of_set)
{
    return add(plans, (fft_plan){.length = length, .count = count, .nsets = 1, .of_set = of_set});
}

/* --- Sets ------------------------------------------------------------------------------------ */

int64_t armilla_cuda_fft_plans_work(const armilla_cuda_fft_plans *plans, int64_t nsets)
{
    int64_t work = 0;
    for (int64_t i = 0; i < plans->count; i++)
        if (plans->plans[i].nsets <= nsets) work = armilla_larger(work, plans->plans[i].work);
    return work;
}

static int64_t bytes_of(const armilla_cuda_fft_plans *plans, const armilla_cuda_fft_room *room,
                        int64_t nsets)
{
    return room->fixed + nsets * room->of_set + armilla_cuda_fft_plans_work(plans, nsets);
}

/* Plans of so many sets for all that have plans for one. */
static armilla_status add_sets(armilla_cuda_fft_plans *plans, int64_t nsets)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0, count = plans->count; i < count && !status; i++) {
        const fft_plan *one = &plans->plans[i];
        if (one->of_set && one->nsets == 1)
            status =
                add(plans,
                    (fft_plan){.length = one->length, .count = nsets * one->count, .nsets = nsets});
    }
    return status;
}

/* Takes away the plans of so many sets, which came last. */
static void drop_sets(armilla_cuda_fft_plans *plans, int64_t nsets)
{
    for (; plans->count && plans->plans[plans->count - 1].nsets == nsets; plans->count--)
        cufftDestroy(plans->plans[plans->count - 1].handle);
}

armilla_status armilla_cuda_fft_plans_widen(armilla_cuda_fft_plans *plans,
                                            const armilla_cuda_fft_room *room)
{
    for (int i = 1; i < SIZES; i++) {
        const int64_t nsets = size_of[i];
        if (bytes_of(plans, room, nsets) > room->most) break;
        const armilla_status status = add_sets(plans, nsets);
        if (status) return status;
        if (bytes_of(plans, room, nsets) > room->most) {
            drop_sets(plans, nsets);
            break;
        }
        plans->largest = i;
    }
    return ARMILLA_OK;
}

int64_t armilla_cuda_fft_plans_fit(const armilla_cuda_fft_plans *plans,
                                   const armilla_cuda_fft_room *room, int64_t nsets)
{
    int64_t fits = 1, most = armilla_smaller(nsets, MOST_TOGETHER);
    while (fits < most) {
        const int64_t middle = fits + (most - fits + 1) / 2;
        if (bytes_of(plans, room, middle) <= room->most)
            fits = middle;
        else
            most = middle - 1;
    }
    return fits;
}

int64_t armilla_cuda_fft_plans_calls(const armilla_cuda_fft_plans *plans, int64_t nsets)
{
    int64_t calls = 0;
    for (int i = plans->largest; i >= 0; i--) calls += nsets / size_of[i], nsets %= size_of[i];
    return calls;
}

/* --- Calls ----------------------------------------------------------------------------------- */

static cufftResult run(cufftHandle handle, double *data, int sign, void *area, cudaStream_t stream)
{
    cufftDoubleComplex *z = (cufftDoubleComplex *)data;
    cufftResult result = cufftSetStream(handle, stream);
    if (result == CUFFT_SUCCESS) result = cufftSetWorkArea(handle, area);
    return result == CUFFT_SUCCESS ? cufftExecZ2Z(handle, z, z, sign) : result;
}

void armilla_cuda_fft_plans_run(armilla_cuda_fft_plans *plans, const armilla_cuda_fft_rows *rows,
                                int sign, void *area, armilla_cuda_work *work)
{
    cufftResult result = CUFFT_SUCCESS;
    double *data = rows->data;
    int64_t rest = rows->nsets;
    pthread_mutex_lock(&plans->lock);
    for (int i = plans->largest; rest > 0 && result == CUFFT_SUCCESS; i--) {
        const int64_t nsets = size_of[i], count = nsets * rows->count;
        for (; rest >= nsets && result == CUFFT_SUCCESS; rest -= nsets) {
            result = run(find(plans, rows->length, count)->handle, data, sign, area, work->stream);
            data += 2 * rows->length * count;
        }
    }
    pthread_mutex_unlock(&plans->lock);
    if (result != CUFFT_SUCCESS) armilla_cuda_note(work, cudaErrorUnknown);
}
