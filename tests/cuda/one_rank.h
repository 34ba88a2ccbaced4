/* A transform over one rank, whose GPU packs and unpacks what stays on it: for tests that want
 * every kernel to run. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_ONE_RANK_H
#define ARMILLA_TESTS_CUDA_ONE_RANK_H

#include "armilla/distributed.h"
#include "cuda/test_cuda_scene.h"

static inline int one_rank_start(void *context, int slot, int64_t nsends,
                                 const armilla_message *sends, int64_t nreceives,
                                 const armilla_message *receives)
{
    (void)context, (void)slot, (void)sends, (void)receives;
    return nsends || nreceives;
}

static inline int one_rank_wait(void *context, int slot)
{
    (void)context, (void)slot;
    return 0;
}

static inline int one_rank_largest(void *context, int64_t count, int64_t *values)
{
    (void)context, (void)count, (void)values;
    return 0;
}

/* Takes the grid. Synthesis of random coefficients and analysis. */
static inline void one_rank_run(armilla_grid *grid, int64_t lmax,
                                const armilla_sht_options *options)
{
    const armilla_transport transport = {.size = sizeof transport,
                                         .nranks = 1,
                                         .start = one_rank_start,
                                         .wait = one_rank_wait,
                                         .largest = one_rank_largest};
    const int64_t nalm = 4 * armilla_alm_size(lmax, lmax), nmap = 2 * armilla_grid_npix(grid);
    double *alm = checked_malloc(nalm, sizeof *alm), *map = checked_malloc(nmap, sizeof *map);
    armilla_distribution *distribution;
    armilla_distributed_sht *sht;
    random_fill(1, nalm, alm);
    check_ok(armilla_distribution_new(grid, lmax, lmax, 1, NULL, &distribution));
    check_ok(armilla_distributed_sht_new(&transport, distribution, options, NULL, &sht));
    check_ok(armilla_distributed_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_distributed_sht_analysis(sht, map, alm, NULL));
    armilla_distributed_sht_free(sht);
    armilla_distribution_free(distribution);
    armilla_grid_free(grid);
    free(map);
    free(alm);
}

#endif
