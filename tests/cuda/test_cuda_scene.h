/* What the tests of transforms on a GPU share: a plan on the processor and one on the GPU for the
 * same problem, and arrays there. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_SCENE_H
#define ARMILLA_TESTS_CUDA_SCENE_H

#include "armilla/armilla.h"
#include "cuda/runtime/runtime.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATORS = 4 };

typedef struct {
    armilla_grid *grid;
    armilla_sht *cpu, *gpu;
    int64_t ntrans;
    int64_t nalm, nmap; /* doubles of all transforms */
    double *alm, *map;
    double *wanted, *made; /* as large as the larger one */
} pair_of_plans;

static inline armilla_sht_options on_gpu(void)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.device = ARMILLA_CUDA;
    return options;
}

static inline int gives_map(int operation)
{
    return operation == 0 || operation == 3;
}

static inline armilla_status operate(int operation, const armilla_sht *sht, const double *in,
                                     double *out, const armilla_exec *exec)
{
    switch (operation) {
    case 0:
        return armilla_sht_synthesis(sht, in, out, exec);
    case 1:
        return armilla_sht_adjoint_synthesis(sht, in, out, exec);
    case 2:
        return armilla_sht_analysis(sht, in, out, exec);
    default:
        return armilla_sht_adjoint_analysis(sht, in, out, exec);
    }
}

static inline armilla_status operate_float(int operation, const armilla_sht *sht, const float *in,
                                           float *out, const armilla_exec *exec)
{
    switch (operation) {
    case 0:
        return armilla_sht_synthesis_float(sht, in, out, exec);
    case 1:
        return armilla_sht_adjoint_synthesis_float(sht, in, out, exec);
    case 2:
        return armilla_sht_analysis_float(sht, in, out, exec);
    default:
        return armilla_sht_adjoint_analysis_float(sht, in, out, exec);
    }
}

/* Takes the grid. */
static inline void plans_open(pair_of_plans *p, armilla_grid *grid, int64_t lmax, int64_t mmax,
                              int64_t ntrans, const armilla_sht_options *options)
{
    armilla_sht_options o = *options;
    const int64_t maps = o.spin ? 2 : 1, alms = o.spin && !o.mode ? 2 : 1;
    p->grid = grid, p->ntrans = ntrans;
    o.device = ARMILLA_CPU, o.devices = NULL, o.ndevices = 0;
    check_ok(armilla_sht_new(grid, lmax, mmax, &o, &p->cpu));
    o.device = ARMILLA_CUDA, o.devices = options->devices, o.ndevices = options->ndevices;
    check_ok(armilla_sht_new(grid, lmax, mmax, &o, &p->gpu));
    p->nalm = 2 * armilla_alm_size(lmax, mmax) * alms * ntrans;
    p->nmap = armilla_grid_npix(grid) * maps * ntrans;
    const int64_t most = p->nalm > p->nmap ? p->nalm : p->nmap;
    p->alm = checked_malloc(p->nalm, sizeof(double));
    p->map = checked_malloc(p->nmap, sizeof(double));
    p->wanted = checked_malloc(most, sizeof(double));
    p->made = checked_malloc(most, sizeof(double));
    for (int64_t i = 0; i < alms * ntrans; i++)
        random_alm_triangle((uint64_t)(11 + i), lmax, mmax,
                            p->alm + i * 2 * armilla_alm_size(lmax, mmax));
    random_fill(12, p->nmap, p->map);
}

static inline void plans_close(pair_of_plans *p)
{
    free(p->made);
    free(p->wanted);
    free(p->map);
    free(p->alm);
    armilla_sht_free(p->gpu);
    armilla_sht_free(p->cpu);
    armilla_grid_free(p->grid);
}

/* Every operator of one pair of plans. */
static inline void check_operators(void (*check)(const pair_of_plans *, int operation,
                                                 const char *what),
                                   armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t ntrans,
                                   const armilla_sht_options *options, const char *what)
{
    pair_of_plans p;
    plans_open(&p, grid, lmax, mmax, ntrans, options);
    for (int operation = 0; operation < OPERATORS; operation++) check(&p, operation, what);
    plans_close(&p);
}

static inline armilla_exec exec_of(const pair_of_plans *p)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = p->ntrans;
    return exec;
}

static inline int64_t count_in(const pair_of_plans *p, int operation)
{
    return gives_map(operation) ? p->nalm : p->nmap;
}

static inline int64_t count_out(const pair_of_plans *p, int operation)
{
    return gives_map(operation) ? p->nmap : p->nalm;
}

static inline const double *input(const pair_of_plans *p, int operation)
{
    return gives_map(operation) ? p->alm : p->map;
}

/* Largest difference over largest value. */
static inline double relative_error(int64_t count, const double *wanted, const double *made)
{
    double error = 0, largest = 0;
    for (int64_t i = 0; i < count; i++) {
        error = larger_or_nan(error, fabs(wanted[i] - made[i]));
        largest = larger_or_nan(largest, fabs(wanted[i]));
    }
    return error / largest;
}

/* The operator on floats, both plans: half of the result's bits are those of the rounding. */
static inline void check_floats(const pair_of_plans *p, int operation)
{
    const armilla_exec exec = exec_of(p);
    const int64_t nin = count_in(p, operation), nout = count_out(p, operation);
    float *in = checked_malloc(nin, sizeof *in), *out = checked_malloc(nout, sizeof *out);
    to_float(nin, input(p, operation), in);
    check_ok(operate_float(operation, p->cpu, in, out, &exec));
    to_double(nout, out, p->wanted);
    check_ok(operate_float(operation, p->gpu, in, out, &exec));
    to_double(nout, out, p->made);
    check_at_most(relative_error(nout, p->wanted, p->made), 1.2e-7, "float operator %d", operation);
    free(out);
    free(in);
}

/* A copy in device memory; free with cudaFree. */
static inline void *to_device(const void *host, int64_t bytes)
{
    void *device = NULL;
    assert_int_equal(cudaMalloc(&device, (size_t)bytes), cudaSuccess);
    assert_int_equal(cudaMemcpy(device, host, (size_t)bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return device;
}

static inline void from_device(void *host, const void *device, int64_t bytes)
{
    assert_int_equal(cudaMemcpy(host, device, (size_t)bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}

#endif
