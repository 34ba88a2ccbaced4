/* Measures what limits the Legendre kernels on a GPU, before any of them runs: rates of one
 * multiprocessor's units, each alone and mixed as the inner loops mix them; launches and copies.
 * It needs CUDA's runtime alone and takes two seconds.
 *
 *   gpu_probe [RESULTS]     appends rows of JSON to RESULTS, as check.h describes
 *   gpu_probe --device      says what the GPU is, and ends; with 3, and one line, where none can
 *                           be used
 *
 * Alone: nvcc -O3 -arch=sm_90 -o gpu_probe probe.cu. Cycles are those of a warp's instruction
 * and scheduler, or of a loop's body, by clock64 of block 0: the clock does not matter. Tflop/s are
 * by events: it does. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#ifdef ARMILLA_CUDA_EMULATION
#include "cuda/kernels/device.h"

enum { ROUNDS = 2, BEST_OF = 2, LAUNCHES = 10, COPY_MB = 1, SOME_MB = 1 };
#define LAUNCH(kernel, blocks, threads, shared_bytes, ...)                                         \
    ARMILLA_LAUNCH(kernel, blocks, threads, shared_bytes, nullptr, __VA_ARGS__)
#define SHARED(name) ARMILLA_SHARED(double2, name)
#else
enum { ROUNDS = 2000, BEST_OF = 5, LAUNCHES = 1000, COPY_MB = 2048, SOME_MB = 512 };
#define LAUNCH(kernel, blocks, threads, shared_bytes, ...)                                         \
    kernel<<<(blocks), (threads), (shared_bytes)>>>(__VA_ARGS__)
#define SHARED(name) extern __shared__ double2 name[]
#endif

enum { STEPS = 8, THREADS = 128, ROWS = 64, ROW = 4, SHARED_BYTES = 16 * ROWS * ROW };

static FILE *results;

static void check(cudaError_t error, const char *what)
{
    if (!error) return;
    if (results)
        fprintf(results, "{\"step\": \"probe\", \"wrong\": \"%s: %s\"}\n", what,
                cudaGetErrorString(error));
    printf("! %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

/* --- Kernels --------------------------------------------------------------------------------- */

/* The number with another exponent, so that nothing overflows: no operation of the FP64 pipe. */
static __device__ __forceinline__ double near_one(double x)
{
    return __hiloint2double((__double2hiint(x) & 0x800fffff) | 0x3fe00000, __double2loint(x));
}

static __device__ __forceinline__ void finish(double *out, long long *cycles, double sum,
                                              long long took)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = took;
}

/* V vectors of a lane, L uniform loads of 16 bytes for each step, 6 V multiply-adds: the shape of
 * legendre_synthesis (L = 3, one set). L = 0: no loads. */
template <int V, int L>
static __global__ void __launch_bounds__(THREADS)
    fma_loads(double *out, long long *cycles, double seed)
{
    SHARED(c);
    for (int i = (int)threadIdx.x; i < ROWS * ROW; i += (int)blockDim.x)
        c[i] = make_double2(seed + 1e-3 * i, 0.7 - 1e-3 * i);
    __syncthreads();
    double p[V], q[V], y[V], s[V][4];
    for (int i = 0; i < V; i++) {
        p[i] = 0.3 + 1e-3 * threadIdx.x, q[i] = 0.1, y[i] = seed * (i + 1);
        for (int k = 0; k < 4; k++) s[i][k] = 0;
    }
    double2 f[3] = {c[0], c[1], c[2]};
    const long long begin = clock64();
    for (int r = 0; r < ROUNDS; r++) {
        const int base = (r * STEPS) & (ROWS - STEPS);
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
#pragma unroll
            for (int l = 0; l < L; l++) f[l] = c[(base + k) * ROW + l];
#pragma unroll
            for (int i = 0; i < V; i++) {
                double *now = k % 2 ? q : p, *next = k % 2 ? p : q;
                s[i][0] = fma(f[1].x, now[i], s[i][0]), s[i][1] = fma(f[1].y, now[i], s[i][1]);
                s[i][2] = fma(f[2].x, now[i], s[i][2]), s[i][3] = fma(f[2].y, now[i], s[i][3]);
                next[i] = fma(fma(f[0].x, y[i], f[0].y), now[i], next[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < V; i++) p[i] = near_one(p[i]), q[i] = near_one(q[i]);
    }
    const long long end = clock64();
    double sum = 0;
    for (int i = 0; i < V; i++) sum += p[i] + q[i] + s[i][0] + s[i][1] + s[i][2] + s[i][3];
    finish(out, cycles, sum, end - begin);
}

/* n[0 .. half - 1]: sums over two lanes of numbers of which each lane keeps one half. */
static __device__ __forceinline__ void halve(double *n, int half)
{
    const int upper = (int)threadIdx.x & (2 * half);
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (i < half) {
            const double mine = upper ? n[half + i] : n[i], other = upper ? n[i] : n[half + i];
            n[i] = mine + __shfl_xor_sync(~0u, other, 2 * half);
        }
}

/* The lane sums of legendre_sums.h: 16 numbers, by halves. PERMUTED: lanes hold the numbers of the
 * first two halvings in another sequence (slot q of a lane is number q ^ its two highest bits), and
 * three quarters of the selections go. */
template <bool PERMUTED>
static __global__ void __launch_bounds__(THREADS)
    lane_sums(double *out, long long *cycles, double seed)
{
    double x[16], total = 0;
    for (int i = 0; i < 16; i++) x[i] = seed + i + threadIdx.x;
    const long long begin = clock64();
    for (int r = 0; r < ROUNDS; r++) {
        double n[16];
#pragma unroll
        for (int i = 0; i < 16; i++) n[i] = x[i] + total;
        if (PERMUTED) {
#pragma unroll
            for (int i = 0; i < 8; i++) n[i] += __shfl_xor_sync(~0u, n[8 + i], 16);
#pragma unroll
            for (int i = 0; i < 4; i++) n[i] += __shfl_xor_sync(~0u, n[4 + i], 8);
        } else {
            halve(n, 8);
            halve(n, 4);
        }
        halve(n, 2);
        halve(n, 1);
        total = n[0] + __shfl_xor_sync(~0u, n[0], 1);
    }
    const long long end = clock64();
    finish(out, cycles, total, end - begin);
}

static __global__ void nothing(int)
{
}

/* Products of matrices by tensor cores, where the compiler is CUDA's: a compute capability of 8.0
 * has m8n8k4, one of 9.0 m16n8k4, m16n8k8 and m16n8k16, too. */
#ifndef ARMILLA_CUDA_EMULATION

/* d += a b, for M x K and K x 8 numbers; a lane has M K / 32, K / 4 and M / 4 of them. */
template <int M, int K>
static __device__ __forceinline__ void multiply(double *d, const double *a, const double *b)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if (M == 8)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                     : "+d"(d[0]), "+d"(d[1])
                     : "d"(a[0]), "d"(b[0]));
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    if (M == 16 && K == 4)
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},"
                     "{%0,%1,%2,%3};"
                     : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                     : "d"(a[0]), "d"(a[1]), "d"(b[0]));
    if (M == 16 && K == 8)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},"
                     "{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                     : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
    if (M == 16 && K == 16)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},"
                     "{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};"
                     : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                     : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                       "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
}

/* F: so many multiply-adds beside each product. */
template <int M, int K, int F>
static __global__ void __launch_bounds__(THREADS)
    tensor(double *out, long long *cycles, double seed)
{
    double a[8], b[4], d[8][4], x[8];
    for (int i = 0; i < 8; i++) a[i] = seed + i, x[i] = seed * i;
    for (int i = 0; i < 4; i++) b[i] = seed - i;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++) d[i][j] = 0;
    const long long begin = clock64();
    for (int r = 0; r < ROUNDS; r++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            multiply<M, K>(d[i], a, b);
#pragma unroll
            for (int f = 0; f < F; f++) x[f % 8] = fma(x[f % 8], seed, 0.5);
        }
    const long long end = clock64();
    double sum = 0;
    for (int i = 0; i < 8; i++) sum += d[i][0] + d[i][1] + d[i][2] + d[i][3] + x[i];
    finish(out, cycles, sum, end - begin);
}

/* One product of 16 x 4 and two of 8 x 4 numbers with the same registers: in how many of its four
 * results does a lane differ? */
static __global__ void compare_products(double *out)
{
    const double lane = threadIdx.x, a[2] = {1.0 / (3 + lane), 1.0 / (36 + lane)};
    const double b[1] = {1.0 / (69 + lane)};
    double whole[4], halves[4];
    int different = 0;
    for (int i = 0; i < 4; i++) whole[i] = halves[i] = 1.0 / (7 + 4 * lane + i);
    multiply<16, 4>(whole, a, b);
    multiply<8, 4>(halves, a, b);
    multiply<8, 4>(halves + 2, a + 1, b);
    for (int i = 0; i < 4; i++)
        different += __double_as_longlong(whole[i]) != __double_as_longlong(halves[i]);
    out[threadIdx.x] = different;
}
#endif

/* --- Times ----------------------------------------------------------------------------------- */

static double *out;
static long long *cycles;
static int multiprocessors;

static void report(const char *key, double value, const char *unit, double tflops)
{
    printf("= %s: %.4g %s", key, value, unit);
    if (tflops > 0) printf(", %.2f Tflop/s", tflops);
    printf("\n");
    fflush(stdout);
    if (!results) return;
    fprintf(results,
            "{\"step\": \"probe\", \"key\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"tflops\": "
            "%.4f}\n",
            key, value, unit, tflops);
    fflush(results);
}

/* Milliseconds of the fastest of a few runs. */
template <typename F> static float best_time(F start)
{
    cudaEvent_t begin, end;
    float best = 1e9f, now;
    check(cudaEventCreate(&begin), "an event");
    check(cudaEventCreate(&end), "an event");
    for (int i = 0; i < BEST_OF; i++) {
        check(cudaEventRecord(begin, nullptr), "timing");
        start();
        check(cudaPeekAtLastError(), "a launch");
        check(cudaEventRecord(end, nullptr), "timing");
        check(cudaEventSynchronize(end), "timing");
        check(cudaEventElapsedTime(&now, begin, end), "timing");
        if (now < best) best = now;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}

typedef void (*probe_kernel)(double *out, long long *cycles, double seed);

/* `blocks` of a multiprocessor: so many warps of each scheduler (4 warps a block, 4 schedulers).
 * flops: of a thread; bodies: of loops. Returns Tflop/s. */
static double time_kernel(const char *name, probe_kernel kernel, int blocks, double flops,
                          double bodies)
{
    char key[120];
    long long took;
    const unsigned grid = (unsigned)(blocks * multiprocessors);
    const float best =
        best_time([=] { LAUNCH(kernel, grid, THREADS, SHARED_BYTES, out, cycles, 0.37); });
    check(cudaMemcpy(&took, cycles, sizeof took, cudaMemcpyDeviceToHost), name);
    snprintf(key, sizeof key, "%s, %d warps", name, blocks);
    const double tflops = best > 0 ? flops * THREADS * grid / best * 1e-9 : 0;
    report(key, (double)took / (bodies * blocks), "cycles a body and warp", tflops);
    return tflops;
}

/* A body is a step: 6 V multiply-adds (5 V without loads: a y + b is made once, before the loop),
 * each 2 cycles of the FP64 pipe. */
template <int V, int L> static void time_fma(const char *name, int blocks)
{
    time_kernel(name, fma_loads<V, L>, blocks, (L ? 12.0 : 10.0) * V * STEPS * ROUNDS,
                (double)STEPS * ROUNDS);
}

static void time_pipes()
{
    time_fma<4, 0>("v4: 20 DFMA a step", 4);
    time_fma<4, 1>("v4: 24 DFMA, 1 uniform LDS.128", 4);
    time_fma<4, 3>("v4: 24 DFMA, 3 uniform LDS.128 (synthesis)", 4);
    time_fma<2, 3>("v2: 12 DFMA, 3 uniform LDS.128", 4);
    time_fma<1, 3>("v1: 6 DFMA, 3 uniform LDS.128", 7);
    time_fma<1, 0>("v1: 5 DFMA", 7);
    time_fma<4, 0>("v4: latency", 1);
    time_fma<1, 0>("v1: latency", 1);
    time_kernel("lane sums of 16 numbers", lane_sums<false>, 3, 0, ROUNDS);
    time_kernel("lane sums, permuted", lane_sums<true>, 3, 0, ROUNDS);
}

#ifndef ARMILLA_CUDA_EMULATION

template <int M, int K, int F = 0> static double time_tensor(const char *name, int blocks = 4)
{
    const double bodies = 8.0 * ROUNDS;
    return time_kernel(name, tensor<M, K, F>, blocks, (M * K / 2.0 + 2 * F) * bodies, bodies);
}

static void check_products()
{
    double lanes[32], different = 0;
    compare_products<<<1, 32>>>(out);
    check(cudaMemcpy(lanes, out, sizeof lanes, cudaMemcpyDeviceToHost), "a product of 16 x 4");
    for (int i = 0; i < 32; i++) different += lanes[i];
    report("m16n8k4 against two m8n8k4", different, "of 128 numbers differ", 0);
}

/* Do products of doubles share a pipe with other multiply-adds, and does a larger one go faster
 * than two of half its size? The fastest one is a ceiling. */
static void time_products(int capability)
{
    double most = 0, now;
    if (capability < 80) return;
    most = time_tensor<8, 4>("DMMA m8n8k4");
    time_tensor<8, 4>("DMMA m8n8k4: latency", 1);
    time_tensor<8, 4, 2>("DMMA m8n8k4 + 2 DFMA");
    time_tensor<8, 4, 4>("DMMA m8n8k4 + 4 DFMA");
    time_tensor<8, 4, 8>("DMMA m8n8k4 + 8 DFMA");
    if (capability >= 90) {
        if ((now = time_tensor<16, 4>("DMMA m16n8k4")) > most) most = now;
        time_tensor<16, 4>("DMMA m16n8k4: latency", 1);
        time_tensor<16, 4, 4>("DMMA m16n8k4 + 4 DFMA");
        time_tensor<16, 4, 8>("DMMA m16n8k4 + 8 DFMA");
        if ((now = time_tensor<16, 8>("DMMA m16n8k8")) > most) most = now;
        if ((now = time_tensor<16, 16>("DMMA m16n8k16")) > most) most = now;
        time_tensor<16, 16, 16>("DMMA m16n8k16 + 16 DFMA");
        check_products();
    }
    report("FP64 tensor cores alone", most, "Tflop/s", 0);
}

#else

static void time_products(int)
{
}

#endif

static void time_launches()
{
    const float milliseconds = best_time([] {
        for (int i = 0; i < LAUNCHES; i++) LAUNCH(nothing, 1, 32, 0, 0);
    });
    report("empty launches", milliseconds / LAUNCHES * 1e3, "us each", 0);
}

static void time_copy(const char *key, void *to, const void *from, size_t bytes,
                      enum cudaMemcpyKind kind)
{
    const float milliseconds =
        best_time([=] { check(cudaMemcpyAsync(to, from, bytes, kind, nullptr), "a copy"); });
    const double moved = (double)bytes * (kind == cudaMemcpyDeviceToDevice ? 2 : 1);
    report(key, milliseconds > 0 ? moved / milliseconds * 1e-6 : 0, "GB/s", 0);
}

static void time_copies()
{
    const size_t big = (size_t)COPY_MB << 20, some = (size_t)SOME_MB << 20;
    void *x, *y, *pinned;
    char *pageable = static_cast<char *>(malloc(some));
    check(cudaMalloc(&x, big), "device memory");
    check(cudaMalloc(&y, big), "device memory");
    check(cudaMallocHost(&pinned, some), "pinned memory");
    for (size_t i = 0; pageable && i < some; i += 512) pageable[i] = static_cast<char>(i);
    time_copy("copies on the device, read and written", x, y, big, cudaMemcpyDeviceToDevice);
    time_copy("copies from pinned memory", x, pinned, some, cudaMemcpyHostToDevice);
    time_copy("copies to pinned memory", pinned, x, some, cudaMemcpyDeviceToHost);
    if (pageable) {
        time_copy("copies from pageable memory", x, pageable, some, cudaMemcpyHostToDevice);
        time_copy("copies to pageable memory", pageable, x, some, cudaMemcpyDeviceToHost);
    }
    cudaFree(x), cudaFree(y), cudaFreeHost(pinned), free(pageable);
}

/* --- The whole ------------------------------------------------------------------------------- */

enum { ABSENT = 3 }; /* what a process ends with that finds no GPU for it: check.h */

/* Says in one line why no GPU can be used, and ends. */
static void refuse(cudaError_t error)
{
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    printf("! no GPU can be used: ");
    if (!driver)
        printf("no driver of NVIDIA is installed\n");
    else if (error == cudaErrorInsufficientDriver)
        printf("the driver is too old: it knows CUDA %d.%d, this program needs %d.0\n",
               driver / 1000, driver % 1000 / 10, runtime / 1000);
    else
        printf("%s\n", cudaGetErrorString(error));
    exit(ABSENT);
}

/* A program that has no code for the GPU finds out at its first launch. */
static void look_for_code(const cudaDeviceProp &p)
{
    LAUNCH(nothing, 1, 32, 0, 0);
    cudaError_t error = cudaGetLastError();
    if (!error) error = cudaDeviceSynchronize();
    if (!error) return;
    printf("! no GPU can be used: %s has compute capability %d.%d: %s\n", p.name, p.major, p.minor,
           cudaGetErrorString(error));
    exit(ABSENT);
}

static void describe(const cudaDeviceProp &p, char mark)
{
    int driver = 0, runtime = 0;
    check(cudaDriverGetVersion(&driver), "the driver's version");
    check(cudaRuntimeGetVersion(&runtime), "the runtime's version");
    printf("%c %s, compute capability %d.%d, %d multiprocessors, L2 %d MB, %.1f GB; CUDA of the "
           "driver %d, of this program %d\n",
           mark, p.name, p.major, p.minor, p.multiProcessorCount, p.l2CacheSize >> 20,
           (double)p.totalGlobalMem * 1e-9, driver, runtime);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    cudaDeviceProp p;
    const bool device_only = argc == 2 && argv[1][0] == '-';
    if (argc == 2 && !device_only && !(results = fopen(argv[1], "a"))) {
        perror(argv[1]);
        return 2;
    }
    const cudaError_t error = cudaGetDeviceProperties(&p, 0);
    if (error) refuse(error);
    look_for_code(p);
    describe(p, device_only ? '=' : ' ');
    if (device_only) return 0;
    multiprocessors = p.multiProcessorCount;
#ifdef ARMILLA_CUDA_EMULATION
    multiprocessors = 1;
#endif
    void *memory;
    check(cudaMalloc(&memory, sizeof(double) * THREADS * 16 * (size_t)multiprocessors), "memory");
    out = static_cast<double *>(memory);
    check(cudaMalloc(&memory, sizeof *cycles), "memory");
    cycles = static_cast<long long *>(memory);
    time_products(10 * p.major + p.minor);
    time_launches();
    time_copies();
    time_pipes();
    cudaFree(out), cudaFree(cycles);
    return 0;
}
