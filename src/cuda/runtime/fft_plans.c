/* Makes cuFFT plans of batches of transforms, finds them by length and number, and puts them on a
 * call's stream with the call's own work area. Those of several sets are optional: they are made
 * when a call first wants them, in the work area that was counted for them, and calls go on without
 * those that cannot be made. */
#include "cuda/runtime/fft_plans.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"

#include <pthread.h>
#include <string.h>

/* Sets of the plans: two are the components of a field of spin s. In a launch the number of a set
 * has 16 bits. */
enum { SIZES = 5, MOST_TOGETHER = 65535 };
static const int64_t size_of[SIZES] = {1, 2, 4, 16, 64};

/* Is there a handle? An optional plan has none at first, and none for ever if it cannot be made. */
typedef enum { MADE, LATER, MISSING } fft_state;

typedef struct {
    int64_t length, count; /* of all sets */
    int64_t nsets;         /* the least number of sets that it was planned for */
    int of_set;
    cufftType type;
    int64_t work; /* bytes; an optional plan takes no more */
    fft_state state;
    cufftHandle handle;
} fft_plan;

struct armilla_cuda_fft_plans {
    int64_t count, room;
    fft_plan *plans;
    int largest; /* of the sizes, which all plans of sets are made for */
    int device;
    cufftType type; /* of all plans */
    pthread_mutex_t lock;
};

armilla_status armilla_cuda_fft_plans_new(int is_float, armilla_cuda_fft_plans **plans)
{
    int device;
    armilla_status status = armilla_cuda_status(cudaGetDevice(&device), "the current device");
    if (status || (status = armilla_allocate_zero(plans, 1, sizeof **plans))) return status;
    (*plans)->device = device, (*plans)->type = is_float ? CUFFT_C2C : CUFFT_Z2Z;
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
        for (int64_t i = 0; i < plans->count; i++)
            if (plans->plans[i].state == MADE) cufftDestroy(plans->plans[i].handle);
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

/* cufftMakePlanMany64, or cufftGetSizeMany64, which says what the other one would need. */
typedef cufftResult (*plan_fn)(cufftHandle, int, long long *, long long *, long long, long long,
                               long long *, long long, long long, cufftType, long long, size_t *);

/* Work areas are ours. Whatever cuFFT leaves behind of an error of CUDA's is cleared. */
static cufftResult plan_many(fft_plan *plan, plan_fn ask, int64_t *work)
{
    const cudaError_t before = cudaPeekAtLastError();
    long long n[1] = {plan->length};
    size_t bytes = 0;
    cufftResult result = cufftCreate(&plan->handle);
    if (result == CUFFT_SUCCESS) {
        result = cufftSetAutoAllocation(plan->handle, 0);
        if (result == CUFFT_SUCCESS)
            result = ask(plan->handle, 1, n, NULL, 1, plan->length, NULL, 1, plan->length,
                         plan->type, plan->count, &bytes);
        if (result != CUFFT_SUCCESS) cufftDestroy(plan->handle);
    }
    if (result != CUFFT_SUCCESS && !before) armilla_cuda_forget(cudaPeekAtLastError());
    *work = (int64_t)bytes;
    return result;
}

static armilla_status make_plan(fft_plan *plan)
{
    return armilla_cuda_fft_status(plan_many(plan, cufftMakePlanMany64, &plan->work), plan->length,
                                   "planning");
}

/* How much room it will need. Returned: can it be known? */
static int size_plan(fft_plan *plan)
{
    const cufftResult result = plan_many(plan, cufftGetSizeMany64, &plan->work);
    if (result == CUFFT_SUCCESS) cufftDestroy(plan->handle);
    return result == CUFFT_SUCCESS;
}

/* cuFFT allocates, which would break what another thread captures, unless this one says that it has
 * nothing to do with that. */
static cufftResult make_late(fft_plan *plan, int64_t *work)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    armilla_cuda_forget(cudaThreadExchangeStreamCaptureMode(&mode));
    const cufftResult result = plan_many(plan, cufftMakePlanMany64, work);
    armilla_cuda_forget(cudaThreadExchangeStreamCaptureMode(&mode));
    return result;
}

/* Has it a handle, now at the latest? A call on a stream that is captured goes without. */
static int is_made(fft_plan *plan, cudaStream_t stream)
{
    int64_t work;
    if (plan->state != LATER || armilla_cuda_is_captured(stream)) return plan->state == MADE;
    plan->state = MISSING;
    if (make_late(plan, &work) != CUFFT_SUCCESS) return 0;
    if (work <= plan->work)
        plan->state = MADE;
    else
        cufftDestroy(plan->handle);
    return plan->state == MADE;
}

/* As many as there are for so many sets. The sets of a plan that two numbers of sets share are the
 * smaller one. */
static int is_known(const armilla_cuda_fft_plans *plans, const fft_plan *plan)
{
    fft_plan *known = find(plans, plan->length, plan->count);
    if (!known) return 0;
    known->nsets = armilla_smaller(known->nsets, plan->nsets);
    known->of_set |= plan->of_set;
    return 1;
}

armilla_status armilla_cuda_fft_plans_add(armilla_cuda_fft_plans *plans, int64_t length,
                                          int64_t count, int of_set)
{
    fft_plan plan = {
        .length = length, .count = count, .nsets = 1, .of_set = of_set, .type = plans->type};
    if (is_known(plans, &plan)) return ARMILLA_OK;
    armilla_status status = make_room(plans);
    if (status || (status = make_plan(&plan))) return status;
    plans->plans[plans->count++] = plan;
    return ARMILLA_OK;
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

/* Plans of so many sets for all that have plans for one, to be made later. *sized: is it known what
 * they need? */
static armilla_status add_sets(armilla_cuda_fft_plans *plans, int64_t nsets, int *sized)
{
    armilla_status status = ARMILLA_OK;
    *sized = 1;
    for (int64_t i = 0, count = plans->count; i < count && *sized; i++) {
        const fft_plan one = plans->plans[i];
        fft_plan plan = one;
        plan.count = nsets * one.count, plan.nsets = nsets, plan.of_set = 0, plan.state = LATER;
        if (!one.of_set || one.nsets != 1 || is_known(plans, &plan)) continue;
        if ((status = make_room(plans))) return status;
        if ((*sized = size_plan(&plan))) plans->plans[plans->count++] = plan;
    }
    return status;
}

/* Takes away the plans of so many sets, which came last. */
static void drop_sets(armilla_cuda_fft_plans *plans, int64_t nsets)
{
    while (plans->count && plans->plans[plans->count - 1].nsets == nsets) plans->count--;
}

armilla_status armilla_cuda_fft_plans_widen(armilla_cuda_fft_plans *plans,
                                            const armilla_cuda_fft_room *room)
{
    for (int i = 1; i < SIZES; i++) {
        const int64_t nsets = size_of[i];
        if (bytes_of(plans, room, nsets) > room->most) break;
        int sized;
        const armilla_status status = add_sets(plans, nsets, &sized);
        if (status) return status;
        if (!sized || bytes_of(plans, room, nsets) > room->most) {
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

static cufftResult run(const fft_plan *plan, void *data, int sign, void *area, cudaStream_t stream)
{
    cufftResult result = cufftSetStream(plan->handle, stream);
    if (result == CUFFT_SUCCESS) result = cufftSetWorkArea(plan->handle, area);
    if (result != CUFFT_SUCCESS) return result;
    return plan->type == CUFFT_C2C ? cufftExecC2C(plan->handle, data, data, sign)
                                   : cufftExecZ2Z(plan->handle, data, data, sign);
}

void armilla_cuda_fft_plans_run(armilla_cuda_fft_plans *plans, const armilla_cuda_fft_rows *rows,
                                int sign, void *area, armilla_cuda_work *work)
{
    cufftResult result = CUFFT_SUCCESS;
    const int64_t size =
        plans->type == CUFFT_C2C ? sizeof(cufftComplex) : sizeof(cufftDoubleComplex);
    char *data = rows->data;
    int64_t rest = rows->nsets;
    pthread_mutex_lock(&plans->lock);
    for (int i = plans->largest; rest > 0 && result == CUFFT_SUCCESS; i--) {
        const int64_t nsets = size_of[i], count = nsets * rows->count;
        if (rest < nsets) continue;
        fft_plan *plan = find(plans, rows->length, count);
        if (!is_made(plan, work->stream)) continue;
        for (; rest >= nsets && result == CUFFT_SUCCESS; rest -= nsets) {
            result = run(plan, data, sign, area, work->stream);
            data += size * rows->length * count;
        }
    }
    pthread_mutex_unlock(&plans->lock);
    armilla_cuda_note_fft(work, result, rows->length);
}
