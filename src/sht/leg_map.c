/* The caller's leg <-> map, on any list of rings. See leg.h and armilla/leg.h. The ring stage takes
 * two rings at a time; neighbours in the list make a pair, which costs one FFT where they are
 * alike. */
#include "sht/leg.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "grid/grid.h"
#include "leg/passes.h"
#include "ringfft/stage.h"
#include "sht/leg_copy.h"

enum {
    PASS_SIZE = 1 << 20, /* doubles of leg in a pass, at most; but */
    LEAST_PAIRS = 64,    /* pairs of a pass, at least */
    ROOM = 4             /* pairs that the ring stage takes together */
};

struct armilla_leg_map {
    armilla_leg_rings rings; /* without its array */
    armilla_grid *grid;
    armilla_ringfft *ringfft;
    armilla_ring_pairs pairs;
    armilla_leg_passes passes;
};

void armilla_leg_rings_init_sized(armilla_leg_rings *rings, size_t size)
{
    const armilla_leg_rings defaults = {.ncomp = 1};
    armilla_options_give(&defaults, sizeof defaults, rings, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_leg_rings, isa), sizeof(armilla_leg_rings),
                                  0};

static armilla_status check(const armilla_leg_rings *rings, armilla_leg_map *plan)
{
    armilla_leg_rings *given = &plan->rings;
    armilla_leg_rings_init(given);
    if (!rings) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "rings = NULL: must be a struct");
    armilla_status status =
        armilla_options_copy("rings", "armilla_leg_rings", rings, VERSIONS, given);
    if (status) return status;
    if (given->ncomp < 1 || given->ncomp > ARMILLA_GRID_COUNT_LIMIT)
        return armilla_fail_argument("rings->ncomp", given->ncomp, "must be 1 to 2^30");
    if (given->nthreads < 0)
        return armilla_fail_argument("rings->nthreads", given->nthreads, "must be 0 (all) or more");
    if (given->mmax < 0 || given->mmax > ARMILLA_GRID_COUNT_LIMIT)
        return armilla_fail_argument("rings->mmax", given->mmax, "must be 0 to 2^30");
    status = armilla_grid_new_custom(given->nrings, given->rings, &plan->grid);
    if (status) return status;
    if (!given->map_distance) given->map_distance = plan->grid->npix;
    if (given->map_distance < plan->grid->npix ||
        given->map_distance > INT64_MAX / 8 / given->ncomp)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "map_distance = %lld: must be 0 or at least %lld",
                            (long long)given->map_distance, (long long)plan->grid->npix);
    return ARMILLA_OK;
}

/* Neighbours of the list; all orders matter on all of them. */
static armilla_status make_pairs(armilla_leg_map *plan)
{
    const int64_t nrings = plan->rings.nrings;
    armilla_status status = armilla_ring_pairs_allocate((nrings + 1) / 2, &plan->pairs);
    for (int64_t i = 0; i < plan->pairs.count && !status; i++) {
        plan->pairs.north[i] = 2 * i, plan->pairs.south[i] = 2 * i + 1 < nrings ? 2 * i + 1 : -1;
        plan->pairs.theta[i] = plan->pairs.south_theta[i] = 0;
        plan->pairs.limit[i] = plan->rings.mmax;
    }
    return status;
}

static armilla_status make_passes(armilla_leg_map *plan)
{
    const int64_t npairs = plan->pairs.count, fit = PASS_SIZE / (4 * (plan->rings.mmax + 1));
    const int64_t size = fit > LEAST_PAIRS ? fit : LEAST_PAIRS;
    const armilla_leg_shape shape = {
        .pairs = &plan->pairs, .npairs = npairs, .room = ROOM, .mmax = plan->rings.mmax};
    return armilla_leg_passes_by_pairs(&shape, size < npairs ? size : npairs, &plan->passes);
}

static armilla_status make_parts(const armilla_leg_rings *rings, armilla_leg_map *plan)
{
    armilla_ringfft_problem problem = {.rings = NULL};
    armilla_status status = check(rings, plan);
    if (status || (status = armilla_machine_choose(plan->rings.isa, &problem.machine)))
        return status;
    problem.nrings = plan->grid->nrings, problem.rings = plan->grid->rings;
    problem.mmax = plan->rings.mmax;
    if ((status = armilla_ringfft_new(&problem, &plan->ringfft)) || (status = make_pairs(plan)))
        return status;
    return make_passes(plan);
}

armilla_status armilla_leg_map_new(const armilla_leg_rings *rings, armilla_leg_map **plan)
{
    armilla_leg_map *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    status = make_parts(rings, made);
    made->rings.rings = NULL, made->rings.isa = NULL;
    if (status)
        armilla_leg_map_free(made);
    else
        *plan = made;
    return status;
}

void armilla_leg_map_free(armilla_leg_map *plan)
{
    if (!plan) return;
    armilla_leg_passes_clear(&plan->passes);
    armilla_ring_pairs_clear(&plan->pairs);
    armilla_ringfft_free(plan->ringfft);
    armilla_grid_free(plan->grid);
    armilla_release(plan);
}

static void run_pass(const armilla_leg_map *plan, const armilla_leg *leg, int to_map,
                     armilla_leg_copy *copy, const armilla_ring_maps *maps,
                     const armilla_work *work)
{
    if (to_map) {
        armilla_leg_copy_in(copy, leg, work);
        armilla_ringfft_to_maps(plan->ringfft, leg, maps, work);
    } else {
        armilla_ringfft_from_maps(plan->ringfft, leg, maps, work);
        armilla_leg_copy_out(copy, leg, work);
    }
}

/* All passes of the components first .. first + nsets - 1; each is a unit of progress. */
static armilla_status run_components(const armilla_leg_map *plan, int to_map, int64_t first,
                                     int64_t nsets, armilla_array leg_array, armilla_array map,
                                     double *values, const armilla_work *work)
{
    const armilla_leg_rings *rings = &plan->rings;
    const armilla_ring_maps maps = {.values = armilla_array_from(map, first * rings->map_distance),
                                    .distance = rings->map_distance,
                                    .weighted = 1};
    armilla_leg_copy copy = {.values = leg_array,
                             .nrings = rings->nrings,
                             .norders = rings->mmax + 1,
                             .first_set = first,
                             .real = 1};
    for (int64_t pass = 0; pass < plan->passes.count; pass++) {
        const armilla_leg leg = {&plan->passes.layouts[pass], nsets, values, NULL, 0};
        run_pass(plan, &leg, to_map, &copy, &maps, work);
        if (armilla_progress_advance(work->progress, 1, 0)) break;
    }
    return armilla_progress_status(work->progress);
}

armilla_status armilla_leg_map_run(const armilla_leg_map *plan, int64_t ntrans, int to_map,
                                   armilla_array leg, armilla_array map)
{
    const int64_t ncomp = ntrans * plan->rings.ncomp, npairs = plan->pairs.count;
    const int64_t fit = PASS_SIZE / plan->passes.size, most = fit > 1 ? fit : 1;
    const int64_t together = plan->rings.ncomp < most ? plan->rings.ncomp : most;
    const int64_t size = together * plan->passes.size;
    armilla_progress progress;
    armilla_work work = {.nthreads = armilla_team_size(plan->rings.nthreads),
                         .scratch_size =
                             armilla_round_line(armilla_ringfft_scratch_size(plan->ringfft)),
                         .progress = &progress};
    double *memory;
    armilla_progress_start(&progress, plan->rings.progress, plan->rings.progress_data,
                           (double)(plan->passes.count * ((ncomp + together - 1) / together)));
    if (work.nthreads > npairs) work.nthreads = (int)npairs;
    armilla_status status =
        armilla_allocate(&memory, size + work.nthreads * work.scratch_size, sizeof *memory);
    if (status) return status;
    work.scratch = memory + size;
    for (int64_t i = 0; i < ncomp && !status; i += together)
        status = run_components(plan, to_map, i, ncomp - i < together ? ncomp - i : together, leg,
                                map, memory, &work);
    armilla_release(memory);
    return status;
}
