/* cuFFT's complex transforms of rank 1, by src/fft, row by row through a buffer of the host: those
 * of floats in double precision, too, and rounded at the end. As on a GPU: the input of a transform
 * out of place stays, and the work area is written. */
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
    bool made = false, automatic = true, is_float = false;
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

/* Bytes of a complex number. */
static size_t number_bytes(bool is_float)
{
    return is_float ? sizeof(float2) : sizeof(double2);
}

/* cuFFT holds up to 2^35 numbers of double precision a transform. */
static bool fits(long long n, long long batch, const rows &r)
{
    const long long most = 1LL << 35;
    return n > 0 && batch > 0 && n <= most && batch <= most / n && r.stride > 0 && r.distance > 0;
}

static size_t last_byte(const fft_plan &plan, const rows &r)
{
    return (size_t)((plan.n - 1) * r.stride + (plan.batch - 1) * r.distance + 1) *
           number_bytes(plan.is_float);
}

template <typename COMPLEX>
static void run_rows(const fft_plan &plan, const COMPLEX *input, COMPLEX *output, int direction)
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
        const COMPLEX *from = input + row * plan.input.distance;
        COMPLEX *to = output + row * plan.output.distance;
        for (long long i = 0; i < plan.n; i++) {
            const long long k = direction == CUFFT_FORWARD || i == 0 ? i : plan.n - i;
            const COMPLEX &z = from[i * plan.input.stride];
            buffer[k] = {z.x, z.y};
        }
        const double *result = armilla_fft_execute(plan.one, &buffer->x, &buffer[size].x);
        for (long long i = 0; i < plan.n; i++)
            to[i * plan.output.stride] = {(decltype(COMPLEX::x))result[2 * i],
                                          (decltype(COMPLEX::x))result[2 * i + 1]};
    }
    std::free(buffer);
    transformed_bytes += 2 * plan.n * plan.batch * (int64_t)sizeof(COMPLEX);
    count_launch("cuFFT");
}

/* CUDA says nothing of most of this: nobody should rely on it. */
static void check_device(const fft_plan &plan, const char *who, const void *input,
                         const void *output)
{
    const cudaStream_t stream = find_stream(plan.stream);
    check_device_of(input, plan.device, who, "the input");
    check_device_of(output, plan.device, who, "the output");
    check_device_of(plan.area, plan.device, who, "the work area");
    if (stream && stream->device != plan.device)
        fail("%s: a plan of device %d on a stream of device %d", who, plan.device, stream->device);
}

static cufftResult check_execution(const fft_plan &plan, const char *who, const void *input,
                                   const void *output, int direction)
{
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
    if (!is_allocated(input, last_byte(plan, plan.input)))
        fail("%s: the input at %p is not device memory of %zu bytes", who, input,
             last_byte(plan, plan.input));
    if (!is_allocated(output, last_byte(plan, plan.output)))
        fail("%s: the output at %p is not device memory of %zu bytes", who, output,
             last_byte(plan, plan.output));
    if (plan.work_bytes && !is_allocated(plan.area, plan.work_bytes))
        fail("%s: the work area at %p is not device memory of %zu bytes", who, plan.area,
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
                               long long int, cufftType type, long long int batch,
                               size_t *work_size)
{
    const guard lock(everything);
    const fft_plan *plan = find(handle);
    if (call_fails()) return CUFFT_ALLOC_FAILED;
    if (!plan || plan->made) return CUFFT_INVALID_PLAN;
    if (rank != 1) return CUFFT_NOT_IMPLEMENTED;
    *work_size = (size_t)(*n * batch) * number_bytes(type == CUFFT_C2C);
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
    if (type != CUFFT_Z2Z && type != CUFFT_C2C) return CUFFT_INVALID_TYPE;
    plan->is_float = type == CUFFT_C2C;
    const bool plain = !inembed || !onembed;
    plan->input = plain ? rows{1, *n} : rows{istride, idist};
    plan->output = plain ? rows{1, *n} : rows{ostride, odist};
    if (!fits(*n, batch, plan->input) || !fits(*n, batch, plan->output)) return CUFFT_INVALID_SIZE;
    plan->n = *n;
    plan->batch = batch;
    plan->work_bytes = (size_t)(*n * batch) * number_bytes(plan->is_float);
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

template <typename COMPLEX>
static cufftResult execute(const char *who, cufftHandle handle, COMPLEX *input, COMPLEX *output,
                           int direction)
{
    const guard lock(everything);
    const fft_plan *found = find(handle);
    if (!found || !found->made) return CUFFT_INVALID_PLAN;
    const fft_plan plan = *found;
    if (number_bytes(plan.is_float) != sizeof(COMPLEX))
        fail("%s: the plan is for numbers of the other kind", who);
    if (plan.device != current_device()) return CUFFT_INVALID_DEVICE;
    const cufftResult result = check_execution(plan, who, input, output, direction);
    if (result) return result;
    check_device(plan, who, input, output);
    const cudaError_t error = put(plan.stream, [=] { run_rows(plan, input, output, direction); });
    return error ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex *input, cufftComplex *output,
                         int direction)
{
    return execute("cufftExecC2C", handle, input, output, direction);
}

cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex *input, cufftDoubleComplex *output,
                         int direction)
{
    return execute("cufftExecZ2Z", handle, input, output, direction);
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
