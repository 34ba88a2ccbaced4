/* The plan's part: coarse rings, pairs of the grid's rings and their blocks. See fewer_rings.h. */
#include "sht/fewer_rings_plan.h"

#include "base/memory.h"
#include "base/polar_limit.h"
#include "grid/grid.h"
#include "leg/mirror.h"

enum {
    BLOCKS = 128,     /* of pairs, about: a hundredth of leg is kept in vain */
    LEAST_GAIN = 600, /* lmax times the part of the rings saved: measured break-even */
};

int armilla_fewer_rings_pay(const armilla_grid *grid, int64_t lmax)
{
    int64_t rings = armilla_theta_resample_rings(lmax);
    return rings < grid->nrings &&
           (double)lmax * (1 - (double)rings / (double)grid->nrings) > LEAST_GAIN;
}

static armilla_status make_coarse(armilla_fewer_rings *fewer)
{
    int64_t n = armilla_theta_resample_coarse_rings(fewer->resample);
    armilla_status status = armilla_allocate(&fewer->coarse_theta, n, sizeof(double));
    for (int64_t i = 0; i < n && !status; i++)
        fewer->coarse_theta[i] = armilla_grid_pi_fraction(i, n - 1);
    fewer->ncoarse = n;
    return status;
}

static void take_pairs(armilla_fewer_rings *fewer, const armilla_ring_place *places, int64_t nrings,
                       int64_t lmax, int64_t spin)
{
    int64_t count = 0;
    for (int64_t i = 0; i < nrings; count++) {
        i += armilla_mirror_take(places, nrings, i, &fewer->north[count], &fewer->south[count],
                                 &fewer->theta[count]);
        int64_t limit = armilla_polar_limit(lmax, fewer->theta[count]) + (spin < 0 ? -spin : spin);
        fewer->limit[count] = limit < fewer->mmax ? limit : fewer->mmax;
    }
    fewer->npairs = count;
}

static armilla_status make_pairs(armilla_fewer_rings *fewer, const armilla_grid *grid, int64_t lmax,
                                 int64_t spin)
{
    const int64_t n = grid->nrings;
    double *theta = NULL;
    armilla_ring_place *places = NULL;
    armilla_status status;
    if ((status = armilla_allocate(&fewer->north, n, sizeof(int64_t))) ||
        (status = armilla_allocate(&fewer->south, n, sizeof(int64_t))) ||
        (status = armilla_allocate(&fewer->limit, n, sizeof(int64_t))) ||
        (status = armilla_allocate(&fewer->theta, n, sizeof(double))) ||
        (status = armilla_grid_copy_theta(grid, &theta)))
        return status;
    status = armilla_mirror_sort(n, theta, &places);
    if (!status) take_pairs(fewer, places, n, lmax, spin);
    armilla_release(theta);
    armilla_release(places);
    return status;
}

/* Where the leg of a block begins, for one set: behind the rows of the blocks before it. */
static void place_blocks(armilla_fewer_rings *fewer)
{
    for (int part = ARMILLA_ORDERS_FIRST; part <= ARMILLA_ORDERS_SECOND; part++) {
        int64_t size = 0;
        for (int64_t b = 0; b < fewer->nblocks; b++) {
            armilla_fewer_block *block = &fewer->blocks[b];
            block->rows[part] = armilla_orders_rows((armilla_orders)part, block->limit);
            block->begin[part] = size;
            size += block->rows[part] * block->row_length;
        }
        if (size > fewer->leg_size) fewer->leg_size = size;
    }
}

static armilla_status make_blocks(armilla_fewer_rings *fewer)
{
    int64_t size = (fewer->npairs / BLOCKS + 4) / 4 * 4 + 2; /* an odd number of cache lines */
    fewer->block_size = size;
    fewer->nblocks = (fewer->npairs + size - 1) / size;
    armilla_status status = armilla_allocate(&fewer->blocks, fewer->nblocks, sizeof *fewer->blocks);
    if (status) return status;
    for (int64_t b = 0; b < fewer->nblocks; b++) {
        int64_t first = b * size, rest = fewer->npairs - first;
        int64_t npairs = rest < size ? rest : size;
        /* limits grow towards the equator */
        fewer->blocks[b] = (armilla_fewer_block){.first = first,
                                                 .npairs = npairs,
                                                 .limit = fewer->limit[first + npairs - 1],
                                                 .row_length = armilla_leg_row_length(npairs)};
    }
    place_blocks(fewer);
    fewer->fine_row = armilla_leg_row_length(fewer->npairs);
    return ARMILLA_OK;
}

armilla_status armilla_fewer_rings_new(armilla_isa isa, const armilla_grid *grid, int64_t lmax,
                                       int64_t mmax, int64_t spin, armilla_fewer_rings **fewer)
{
    armilla_fewer_rings *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    made->mmax = mmax;
    if ((status = make_pairs(made, grid, lmax, spin)) || (status = make_blocks(made)) ||
        (status = armilla_theta_resample_new(isa, made->npairs, made->theta, lmax, spin,
                                             &made->resample)) ||
        (status = make_coarse(made)))
        armilla_fewer_rings_free(made);
    else
        *fewer = made;
    return status;
}

void armilla_fewer_rings_free(armilla_fewer_rings *fewer)
{
    if (!fewer) return;
    armilla_theta_resample_free(fewer->resample);
    armilla_release(fewer->north);
    armilla_release(fewer->south);
    armilla_release(fewer->limit);
    armilla_release(fewer->theta);
    armilla_release(fewer->coarse_theta);
    armilla_release(fewer->places);
    armilla_release(fewer->coarse_limit);
    armilla_release(fewer->blocks);
    armilla_release(fewer);
}

int64_t armilla_fewer_rings_count(const armilla_fewer_rings *fewer)
{
    return fewer->ncoarse;
}

const double *armilla_fewer_rings_theta(const armilla_fewer_rings *fewer)
{
    return fewer->coarse_theta;
}

armilla_status armilla_fewer_rings_place(armilla_fewer_rings *fewer,
                                         const armilla_legendre *legendre)
{
    armilla_status status;
    fewer->ncoarse_pairs = (fewer->ncoarse + 1) / 2;
    if ((status = armilla_allocate(&fewer->places, fewer->ncoarse_pairs, sizeof(int64_t))) ||
        (status = armilla_allocate(&fewer->coarse_limit, fewer->ncoarse_pairs, sizeof(int64_t))))
        return status;
    armilla_legendre_get_block(legendre, legendre->npairs, 0, &fewer->coarse);
    fewer->coarse_row = armilla_legendre_row_length(&fewer->coarse);
    for (int64_t i = 0; i < legendre->npairs; i++) {
        int64_t ring = legendre->north[i];
        if (ring < 0) continue; /* a filler: every pair has a northern ring */
        fewer->places[ring] = i;
        fewer->coarse_limit[ring] = legendre->limit[i];
    }
    return ARMILLA_OK;
}

int64_t armilla_fewer_rings_leg_size(const armilla_fewer_rings *fewer, int64_t sets)
{
    return sets * fewer->leg_size;
}

int64_t armilla_fewer_rings_scratch_size(const armilla_fewer_rings *fewer, int64_t sets)
{
    return sets * ARMILLA_FEWER_BATCH * (fewer->coarse_row + fewer->fine_row) +
           armilla_theta_resample_scratch_size(fewer->resample);
}

int64_t armilla_fewer_rings_bytes(const armilla_fewer_rings *fewer)
{
    return (int64_t)sizeof *fewer + armilla_theta_resample_bytes(fewer->resample) +
           8 * (4 * fewer->npairs + 2 * fewer->ncoarse);
}
