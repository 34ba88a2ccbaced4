/* Directions of a grid's pixels on the emulated GPU from any field, and values that turn, for tests
 * of these kernels and tests that watch them. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_LENSING_RUN_H
#define ARMILLA_TESTS_CUDA_LENSING_RUN_H

#include "cuda/missing.h"
#include "cuda/pointing_plan.h"
#include "cuda/runtime/runtime.h"
#include "grid/grid.h"
#include "oracle/checks.h"
#include <stdlib.h>
#include <string.h>

static inline armilla_cuda_pointing *lensing_pointing(const armilla_grid *grid)
{
    const armilla_cuda_pointing_problem problem = {grid->rings, grid->nrings, grid->npix,
                                                   grid->nside};
    armilla_cuda_pointing *pointing;
    check_ok(armilla_cuda()->lensing->make(&problem, &pointing));
    return pointing;
}

/* field: [2][npix], in RING order. Returned: the first bad pixel, or -1. */
static inline int64_t lensing_deflect(armilla_cuda_pointing *pointing, int64_t npix,
                                      const double *field)
{
    const double zeros[6] = {0};
    const armilla_cuda_deflection_parts parts = {.lmax = 1, .mmax = 1, .gradient = zeros};
    armilla_cuda_deflection deflection;
    int64_t bad;
    check_ok(armilla_cuda()->lensing->open_deflection(pointing, &parts, &deflection));
    assert_int_equal(cudaMemcpy(deflection.field, field, 2 * (size_t)npix * sizeof *field,
                                cudaMemcpyHostToDevice),
                     cudaSuccess);
    check_ok(armilla_cuda()->lensing->deflect(pointing, &deflection, &bad));
    armilla_cuda()->lensing->close_deflection(&deflection);
    return bad;
}

/* Values at points that become a map's (to_map), or a map's that become values at points: arrays of
 * the host. */
typedef struct lensing_turned {
    int to_map;
    int64_t spin, ncomp, ntrans, distance; /* distance: of the map's components */
    double *map, *values;
} lensing_turned;

static inline double *lensing_send(const double *host, int64_t count)
{
    void *there;
    assert_int_equal(cudaMalloc(&there, (size_t)count * sizeof *host), cudaSuccess);
    assert_int_equal(cudaMemcpy(there, host, (size_t)count * sizeof *host, cudaMemcpyHostToDevice),
                     cudaSuccess);
    return there;
}

/* in_place: values are in the map already, where entries are places of it. */
static inline void lensing_turn(const armilla_cuda_pointing *pointing, const lensing_turned *call,
                                int in_place)
{
    const int64_t ncomp = call->ncomp * call->ntrans;
    const int64_t nmap = ncomp * call->distance, nvalues = ncomp * pointing->count;
    double *map = lensing_send(call->map, nmap), *values = lensing_send(call->values, nvalues);
    double *from = call->to_map ? values : map, *to = call->to_map ? map : values;
    for (int64_t c = 0; c < ncomp && in_place; c++)
        assert_int_equal(cudaMemcpy(map + c * call->distance, values + c * pointing->count,
                                    (size_t)pointing->count * sizeof *map,
                                    cudaMemcpyDeviceToDevice),
                         cudaSuccess);
    const armilla_cuda_turned turned = {
        .from = in_place ? map : from,
        .to = in_place ? map : to,
        .from_distance = call->to_map && !in_place ? pointing->count : call->distance,
        .to_distance = call->to_map || in_place ? call->distance : pointing->count,
        .ncomp = call->ncomp,
        .ntrans = call->ntrans,
        .spin = call->spin,
        .to_map = call->to_map,
        .gamma = pointing->gamma};
    assert_int_equal(armilla_cuda_lensing_turn(armilla_cuda_pointing_view(pointing), &turned, NULL),
                     cudaSuccess);
    assert_int_equal(cudaMemcpy(call->map, map, (size_t)nmap * sizeof *map, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    assert_int_equal(
        cudaMemcpy(call->values, values, (size_t)nvalues * sizeof *map, cudaMemcpyDeviceToHost),
        cudaSuccess);
    cudaFree(map), cudaFree(values);
}

/* Looks for missing values of a map on the device. */
static inline void lensing_look(int64_t npix)
{
    armilla_cuda_looked maps = {.ncomp = 2, .distance = npix / 2, .size = npix / 2};
    void *there;
    int found;
    assert_int_equal(cudaMalloc(&there, (size_t)npix * sizeof(double)), cudaSuccess);
    assert_int_equal(cudaMemset(there, 0, (size_t)npix * sizeof(double)), cudaSuccess);
    maps.values.values = there;
    for (int is_float = 0; is_float < 2; is_float++) {
        maps.values.is_float = is_float;
        check_ok(armilla_cuda_find_suspects(&maps, &found)); /* not all blocks may run */
    }
    assert_int_equal(cudaFree(there), cudaSuccess);
}

/* All kernels, on random numbers. Takes the grid. */
static inline void lensing_run(armilla_grid *grid, int64_t lmax)
{
    const int64_t npix = grid->npix, size = 2 * armilla_alm_size(lmax, lmax);
    double *numbers = checked_calloc(2 * npix > size ? 2 * npix : size, sizeof *numbers);
    const armilla_cuda_deflection_parts parts = {
        .lmax = lmax, .mmax = lmax, .gradient = numbers, .potential = 1};
    armilla_cuda_pointing *pointing = lensing_pointing(grid);
    armilla_cuda_deflection deflection;
    double *values = checked_calloc(2 * npix, sizeof *values);
    random_fill(1, 2 * npix > size ? 2 * npix : size, numbers);
    random_fill(2, 2 * npix, values);
    check_ok(armilla_cuda()->lensing->open_deflection(pointing, &parts, &deflection));
    armilla_cuda()->lensing->close_deflection(&deflection);
    lensing_deflect(pointing, npix, numbers); /* not all blocks may run */
    lensing_look(npix);
    for (int64_t ncomp = 1; ncomp <= 2; ncomp++)
        for (int to_map = 0; to_map < 2; to_map++) {
            const lensing_turned call = {to_map, 2 * (ncomp - 1), ncomp, 1, npix, numbers, values};
            lensing_turn(pointing, &call, 0);
        }
    free(values);
    free(numbers);
    armilla_cuda_free(pointing);
    armilla_grid_free(grid);
}

#endif
