/* Looks up ECMWF's classic reduced Gaussian grids, whose numbers of pixels no formula gives. */
#include "grid/classic.h"

const armilla_classic_grid *armilla_classic_find(int64_t n)
{
    for (int64_t i = 0; i < armilla_classic_count; i++)
        if (armilla_classic_grids[i].n == n) return &armilla_classic_grids[i];
    return NULL;
}

int64_t armilla_classic_nearest(int64_t n)
{
    int64_t i = 0;
    while (i + 1 < armilla_classic_count &&
           armilla_classic_grids[i + 1].n - n <= n - armilla_classic_grids[i].n)
        i++;
    return armilla_classic_grids[i].n;
}

void armilla_classic_fill(const armilla_classic_grid *classic, int64_t *nphi)
{
    const uint16_t *run = armilla_classic_runs + 2 * classic->first;
    int64_t ring = 0;
    for (int32_t i = 0; i < classic->nruns; i++, run += 2)
        for (int32_t k = 0; k < run[1]; k++, ring++)
            nphi[ring] = nphi[2 * classic->n - 1 - ring] = run[0];
}
