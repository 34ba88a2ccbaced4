/* Directions of a grid's pixels on the emulated GPU from any field, and values that turn, for tests
 * of these kernels and tests that watch them. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_LENSING_RUN_H
#define ARMILLA_TESTS_CUDA_LENSING_RUN_H

#include "cuda/missing.h"
#include "cuda/pointing.h"
#include "cuda/runtime.h"
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

/* Between values at points of a transform on the host, [ncomp][count], and where a call has them.
 */
static inline void lensing_copy(const armilla_cuda_pointing *pointing,
                                const armilla_cuda_lensed_call *call, int64_t distance,
                                double *there, double *values)
{
    const int64_t count = pointing->count;
    for (int64_t c = 0; c < call->ncomp; c++, values += count, there += distance)
        assert_int_equal(cudaMemcpy(call->to_map ? there : values, call->to_map ? values : there,
                                    (size_t)count * sizeof *values, cudaMemcpyDefault),
                         cudaSuccess);
}

/* What a call of lensing does beside the transforms: values at points become a map's (to_map), or a
 * map's values at points. */
static inline void lensing_turn(const armilla_cuda_pointing *pointing,
                                const armilla_cuda_lensed_call *call, double *values)
{
    armilla_cuda_lensed *lensed;
    check_ok(armilla_cuda()->lensing->open(pointing, call, &lensed));
    for (int64_t t = 0; t < call->ntrans; t++) {
        double *there = armilla_cuda()->lensing->begin_batch(lensed, t, 1);
        lensing_copy(pointing, call, lensed->distance, there,
                     values + t * call->ncomp * pointing->count);
        armilla_cuda()->lensing->end_batch(lensed, t, 1);
    }
    check_ok(armilla_cuda()->lensing->close(lensed));
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

/* All kernels, on zeros. Takes the grid. */
static inline void lensing_run(armilla_grid *grid, int64_t lmax)
{
    const int64_t npix = grid->npix, size = 2 * armilla_alm_size(lmax, lmax);
    double *numbers = checked_calloc(2 * npix > size ? 2 * npix : size, sizeof *numbers);
    const armilla_cuda_deflection_parts parts = {
        .lmax = lmax, .mmax = lmax, .gradient = numbers, .potential = 1};
    armilla_cuda_pointing *pointing = lensing_pointing(grid);
    armilla_cuda_deflection deflection;
    double *values = checked_calloc(2 * npix, sizeof *values);
    check_ok(armilla_cuda()->lensing->open_deflection(pointing, &parts, &deflection));
    armilla_cuda()->lensing->close_deflection(&deflection);
    lensing_deflect(pointing, npix, numbers); /* not all blocks may run */
    lensing_look(npix);
    for (int64_t ncomp = 1; ncomp <= 2; ncomp++)
        for (int to_map = 0; to_map < 2; to_map++) {
            const armilla_cuda_lensed_call call = {.to_map = to_map,
                                                   .spin = 2 * (ncomp - 1),
                                                   .ncomp = ncomp,
                                                   .ntrans = 1,
                                                   .map_distance = npix,
                                                   .alm = values,
                                                   .map = numbers};
            lensing_turn(pointing, &call, values);
        }
    free(values);
    free(numbers);
    armilla_cuda_free(pointing);
    armilla_grid_free(grid);
}

#endif
