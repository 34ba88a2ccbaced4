/* leg <-> map on any list of rings. See armilla/leg.h.
 *
 * The ring FFT takes two rings at a time, with four doubles per order; neighbours in the list make
 * a pair, which costs one FFT where they are alike. */
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "grid/grid.h"
#include "ringfft/ringfft.h"
#include "sht/complex_array.h"
#include "sht/leg.h"

typedef struct {
    armilla_leg_rings given;
    armilla_grid *grid;
    armilla_ringfft *ringfft;
    armilla_array leg;
    armilla_array map;
    int64_t column_size, scratch_size; /* doubles per thread: entries of a pair, all */
    double *scratch;
} run;

void armilla_leg_rings_init(armilla_leg_rings *rings)
{
    if (rings) *rings = (armilla_leg_rings){.size = sizeof *rings, .ncomp = 1};
}

static int64_t pairs(const run *r)
{
    return (r->given.nrings + 1) / 2;
}

/* One map and pair of rings: task i is pair i % pairs of map i / pairs. */
static armilla_ring_pair pair_of(const run *r, int64_t index)
{
    const int64_t first = index % pairs(r) * 2;
    return (armilla_ring_pair){.north = first,
                               .south = first + 1 < r->given.nrings ? first + 1 : -1,
                               .first = 0,
                               .last = r->given.mmax};
}

static armilla_array map_of(const run *r, int64_t index)
{
    const size_t item = r->map.is_float ? sizeof(float) : sizeof(double);
    const int64_t shift = index / pairs(r) * r->given.map_distance * (int64_t)item;
    return (armilla_array){(char *)r->map.values + shift, r->map.is_float};
}

static int64_t leg_row(const run *r, int64_t index, int64_t ring)
{
    return (index / pairs(r) * r->given.nrings + ring) * (r->given.mmax + 1);
}

static void to_map_pair(void *context, int64_t index, int thread)
{
    const run *r = context;
    const armilla_ring_pair pair = pair_of(r, index);
    double *column = r->scratch + (int64_t)thread * r->scratch_size;
    for (int64_t m = 0; m <= r->given.mmax; m++) {
        double *entry = column + 4 * m;
        entry[2] = entry[3] = 0;
        armilla_complex_get(r->leg, leg_row(r, index, pair.north) + m, entry);
        if (pair.south >= 0)
            armilla_complex_get(r->leg, leg_row(r, index, pair.south) + m, entry + 2);
    }
    column[1] = column[3] = 0;
    armilla_ringfft_synthesis(r->ringfft, &pair, (armilla_ringfft_mode){.weighted = 1}, column, 4,
                              map_of(r, index), column + r->column_size);
}

static void from_map_pair(void *context, int64_t index, int thread)
{
    const run *r = context;
    const armilla_ring_pair pair = pair_of(r, index);
    double *column = r->scratch + (int64_t)thread * r->scratch_size;
    armilla_ringfft_analysis(r->ringfft, &pair, (armilla_ringfft_mode){.weighted = 1},
                             map_of(r, index), column, 4, column + r->column_size);
    for (int64_t m = 0; m <= r->given.mmax; m++) {
        armilla_complex_put(r->leg, leg_row(r, index, pair.north) + m, column + 4 * m);
        if (pair.south >= 0)
            armilla_complex_put(r->leg, leg_row(r, index, pair.south) + m, column + 4 * m + 2);
    }
}

/* --- One call --------------------------------------------------------------------------------- */

static armilla_status check(const armilla_leg_rings *rings, run *r)
{
    armilla_leg_rings *given = &r->given;
    armilla_leg_rings_init(given);
    if (!rings) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "rings = NULL: must be a struct");
    armilla_status status =
        armilla_options_copy("rings", "armilla_leg_rings", rings,
                             ARMILLA_END_OF(armilla_leg_rings, isa), sizeof *given, given);
    if (status) return status;
    if (given->ncomp < 1 || given->ncomp > ARMILLA_GRID_COUNT_LIMIT)
        return armilla_fail_argument("rings->ncomp", given->ncomp, "must be 1 to 2^30");
    if (given->nthreads < 0)
        return armilla_fail_argument("rings->nthreads", given->nthreads, "must be 0 (all) or more");
    if (given->mmax < 0 || given->mmax > ARMILLA_GRID_COUNT_LIMIT)
        return armilla_fail_argument("rings->mmax", given->mmax, "must be 0 to 2^30");
    status = armilla_grid_new_custom(given->nrings, given->rings, &r->grid);
    if (status) return status;
    if (!given->map_distance) given->map_distance = r->grid->npix;
    if (given->map_distance < r->grid->npix || given->map_distance > INT64_MAX / 8 / given->ncomp)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "map_distance = %lld: must be 0 or at least %lld",
                            (long long)given->map_distance, (long long)r->grid->npix);
    return ARMILLA_OK;
}

static armilla_status prepare(run *r)
{
    armilla_isa isa;
    armilla_status status = armilla_isa_choose(r->given.isa, &isa);
    if (!status)
        status = armilla_ringfft_new(isa, r->grid->nrings, r->grid->rings, r->given.mmax, 0,
                                     &r->ringfft);
    return status;
}

static armilla_status execute(const armilla_leg_rings *rings, armilla_array leg, armilla_array map,
                              armilla_team_task task)
{
    run r = {.leg = leg, .map = map};
    armilla_status status;
    if (!leg.values) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "leg = NULL: must be an array");
    if (!map.values) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map = NULL: must be an array");
    if ((status = check(rings, &r)) || (status = prepare(&r))) goto done;
    const int64_t tasks = r.given.ncomp * pairs(&r);
    int nthreads = armilla_team_size(r.given.nthreads);
    if (nthreads > tasks) nthreads = (int)tasks;
    r.column_size = armilla_round_line(4 * (r.given.mmax + 1));
    r.scratch_size = r.column_size + (armilla_ringfft_scratch_size(r.ringfft) + 15) / 8 * 8;
    status = armilla_allocate(&r.scratch, nthreads * r.scratch_size, sizeof *r.scratch);
    if (!status) armilla_team_run(nthreads, tasks, task, &r);

done:
    armilla_release(r.scratch);
    armilla_ringfft_free(r.ringfft);
    armilla_grid_free(r.grid);
    return status;
}

armilla_status armilla_leg_to_map(const armilla_leg_rings *rings, const double *leg, double *map)
{
    return execute(rings, (armilla_array){(void *)leg, 0}, (armilla_array){map, 0}, to_map_pair);
}

armilla_status armilla_leg_to_map_float(const armilla_leg_rings *rings, const float *leg,
                                        float *map)
{
    return execute(rings, (armilla_array){(void *)leg, 1}, (armilla_array){map, 1}, to_map_pair);
}

armilla_status armilla_leg_from_map(const armilla_leg_rings *rings, const double *map, double *leg)
{
    return execute(rings, (armilla_array){leg, 0}, (armilla_array){(void *)map, 0}, from_map_pair);
}

armilla_status armilla_leg_from_map_float(const armilla_leg_rings *rings, const float *map,
                                          float *leg)
{
    return execute(rings, (armilla_array){leg, 1}, (armilla_array){(void *)map, 1}, from_map_pair);
}
