/* cuFFT's complex transforms of rank 1 in double precision, by src/fft, row by row through a buffer
 * of the host. As on a GPU: the input of a transform out of place stays, and the work area is
 * written.
 */
#include "cufft.h"
#include "machine.h"

extern "C" {
#include "base/memory.h"
#include "fft/fft.h"
}

#include <cstdlib>
#include <cstring>
#include <map>

namespace emulation
{
struct rows {
    long long stride, distance;
};

struct fft_plan {
    bool made = false, automatic = true;
    armilla_fft *one = nullptr; /* row */
    rows input, output;
    long long n, batch;
    size_t work_bytes = 0;
    void *area = nullptr; /* the caller's, or where automatic ours */
    cudaStream_t stream = nullptr;
    int device = 0;
};

static std::map<cufftHandle, fft_plan> plans;

/* At the end, what nobody destroyed since its device was lost. */
static struct leftovers {
    ~leftovers()
    {
        for (auto &plan : plans) armilla_fft_free(plan.second.one);
    }
} left;
static cufftHandle next_handle = 1;
static int64_t transformed_bytes, most_rows;

static fft_plan *find(cufftHandle handle)
{
    const auto found = plans.find(handle);
    return found == plans.end() ? nullptr : &found->second;
}

/* cuFFT holds up to 2^35 numbers of double precision a transform. */
static bool fits(long long n, long long batch, const rows &r)
{
    const long long most = 1LL << 35;
    return n > 0 && batch > 0 && n <= most && batch <= most / n && r.stride > 0 && r.distance > 0;
}

static size_t last_byte(const fft_plan &plan, const rows &r)
{
    return (size_t)((plan.n - 1) * r.stride + (plan.batch - 1) * r.distance + 1) * sizeof(double2);
}

static void run_rows(const fft_plan &plan, const double2 *input, double2 *output, int direction)
{
    const open_memory open(plan.device);
    const int64_t size = armilla_round_line(2 * plan.n) / 2;
    const size_t bytes = (size_t)(size + armilla_fft_scratch_size(plan.one)) * sizeof(double2);
    double2 *buffer = static_cast<double2 *>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    if (!buffer) /* not one of the library's allocations, which tests count and let fail */
        fail("no memory for a transform of %lld numbers", plan.n);
    const long long distance = distance_of_blocks(plan.batch);
    if (plan.area && distance == 1) std::memset(plan.area, 0xff, plan.work_bytes);
    for (long long row = 0; row < plan.batch; row += distance) {
        const double2 *from = input + row * plan.input.distance;
        double2 *to = output + row * plan.output.distance;
        for (long long i = 0; i < plan.n; i++) {
            const long long k = direction == CUFFT_FORWARD || i == 0 ? i : plan.n - i;
            buffer[k] = from[i * plan.input.stride];
        }
        const double *result = armilla_fft_execute(plan.one, &buffer->x, &buffer[size].x);
        for (long long i = 0; i < plan.n; i++)
            to[i * plan.output.stride] = {result[2 * i], result[2 * i + 1]};
    }
    std::free(buffer);
    transformed_bytes += 2 * plan.n * plan.batch * (int64_t)sizeof(double2);
    count_launch("cuFFT");
}

/* CUDA says nothing of most of this: nobody should rely on it. */
static void check_device(const fft_plan &plan, const void *input, const void *output)
{
    const char *who = "cufftExecZ2Z";
    const cudaStream_t stream = find_stream(plan.stream);
    check_device_of(input, plan.device, who, "the input");
    check_device_of(output, plan.device, who, "the output");
    check_device_of(plan.area, plan.device, who, "the work area");
    if (stream && stream->device != plan.device)
        fail("%s: a plan of device %d on a stream of device %d", who, plan.device, stream->device);
}

static cufftResult check_execution(const fft_plan &plan, const double2 *input,
                                   const double2 *output, int direction)
{
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
    if (!is_allocated(input, last_byte(plan, plan.input)))
        fail("cufftExecZ2Z: the input at %p is not device memory of %zu bytes",
             static_cast<const void *>(input), last_byte(plan, plan.input));
    if (!is_allocated(output, last_byte(plan, plan.output)))
        fail("cufftExecZ2Z: the output at %p is not device memory of %zu bytes",
             static_cast<const void *>(output), last_byte(plan, plan.output));
    if (plan.work_bytes && !is_allocated(plan.area, plan.work_bytes))
        fail("cufftExecZ2Z: the work area at %p is not device memory of %zu bytes", plan.area,
             plan.work_bytes);
    return CUFFT_SUCCESS;
}
} // namespace emulation

using namespace emulation;

cufftResult cufftCreate(cufftHandle *handle)
{
    const guard lock(everything);
    if (call_fails()) return CUFFT_ALLOC_FAILED;
    if (device_error()) return CUFFT_SETUP_FAILED;
    *handle = next_handle++;
    plans[*handle] = fft_plan();
    plans[*handle].device = current_device();
    return CUFFT_SUCCESS;
}

cufftResult cufftGetSizeMany64(cufftHandle handle, int rank, long long int *n, long long int *,
                               long long int, long long int, long long int *, long long int,
                               long long int, cufftType, long long int batch, size_t *work_size)
{
    const guard lock(everything);
    const fft_plan *plan = find(handle);
    if (call_fails()) return CUFFT_ALLOC_FAILED;
    if (!plan || plan->made) return CUFFT_INVALID_PLAN;
    if (rank != 1) return CUFFT_NOT_IMPLEMENTED;
    *work_size = (size_t)(*n * batch) * sizeof(double2);
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                long long int *onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t *work_size)
{
    const guard lock(everything);
    fft_plan *plan = find(handle);
    if (call_fails() || (most_rows && batch > most_rows)) return CUFFT_ALLOC_FAILED;
    if (check_unsafe()) return CUFFT_EXEC_FAILED; /* it allocates */
    if (!plan || plan->made) return CUFFT_INVALID_PLAN;
    if (plan->device != current_device())
        fail("cufftMakePlanMany64: a plan of device %d on device %d", plan->device,
             current_device());
    if (rank != 1) return CUFFT_NOT_IMPLEMENTED;
    if (type != CUFFT_Z2Z) return CUFFT_INVALID_TYPE;
    const bool plain = !inembed || !onembed;
    plan->input = plain ? rows{1, *n} : rows{istride, idist};
    plan->output = plain ? rows{1, *n} : rows{ostride, odist};
    if (!fits(*n, batch, plan->input) || !fits(*n, batch, plan->output)) return CUFFT_INVALID_SIZE;
    plan->n = *n;
    plan->batch = batch;
    plan->work_bytes = (size_t)(*n * batch) * sizeof(double2);
    if (armilla_fft_new(*n, &plan->one)) return CUFFT_ALLOC_FAILED;
    plan->made = true;
    *work_size = plan->work_bytes;
    if (plan->automatic && cudaMalloc(&plan->area, plan->work_bytes)) return CUFFT_ALLOC_FAILED;
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    const guard lock(everything);
    fft_plan *plan = find(handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    if (plan->device != current_device()) /* CUDA says nothing of this: nobody should rely on it */
        fail("cufftDestroy: a plan of device %d on device %d", plan->device, current_device());
    drain_device(plan->device);
    armilla_fft_free(plan->one);
    if (plan->automatic) cudaFree(plan->area);
    plans.erase(handle);
    return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int on)
{
    const guard lock(everything);
    fft_plan *plan = find(handle);
    if (!plan || plan->made) return CUFFT_INVALID_PLAN;
    plan->automatic = on != 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    const guard lock(everything);
    fft_plan *plan = find(handle);
    if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
    if (plan->automatic) {
        cudaFree(plan->area);
        plan->automatic = false;
    }
    plan->area = area;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetSize(cufftHandle handle, size_t *work_size)
{
    const guard lock(everything);
    const fft_plan *plan = find(handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    *work_size = plan->work_bytes;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    const guard lock(everything);
    fft_plan *plan = find(handle);
    if (!plan) return CUFFT_INVALID_PLAN;
    plan->stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version)
{
    *version = 12000;
    return CUFFT_SUCCESS;
}

cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex *input, cufftDoubleComplex *output,
                         int direction)
{
    const guard lock(everything);
    const fft_plan *found = find(handle);
    if (!found || !found->made) return CUFFT_INVALID_PLAN;
    const fft_plan plan = *found;
    if (plan.device != current_device()) return CUFFT_INVALID_DEVICE;
    const cufftResult result = check_execution(plan, input, output, direction);
    if (result) return result;
    check_device(plan, input, output);
    const cudaError_t error = put(plan.stream, [=] { run_rows(plan, input, output, direction); });
    return error ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

int64_t cuda_emulation_fft_plans(void)
{
    const guard lock(everything);
    int64_t made = 0;
    for (const auto &plan : plans) made += plan.second.made;
    return made;
}

void cuda_emulation_set_fft_rows(int64_t most)
{
    const guard lock(everything);
    most_rows = most;
}

int64_t cuda_emulation_fft_bytes(void)
{
    const guard lock(everything);
    const int64_t bytes = transformed_bytes;
    transformed_bytes = 0;
    return bytes;
}
