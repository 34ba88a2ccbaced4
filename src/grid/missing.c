/* Scans maps for missing values with the thread team, one pass over memory: a comparison that
 * compilers make vectors of finds stretches with suspects, and these alone are looked at closely.
 */
#include "grid/missing.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/unseen.h"
#include "grid/grid.h"

#include <math.h>

enum {
    STRETCH = 1 << 14, /* values of a task where maps have no gaps */
    LANES = 8
};

/* All that is smaller is there; above lie UNSEEN, infinities and, rarely, large values. */
static const double CERTAIN = 1.6e30;

typedef struct {
    int64_t count, first; /* first: index in the caller's array */
} finding;

typedef struct {
    const armilla_grid *grid;
    const armilla_missing_maps *maps;
    int dense;     /* components are npix values without gaps */
    int64_t tasks; /* of a component: stretches, or rings */
    finding *of_thread;
} scan;

static int is_missing(double value)
{
    return !isfinite(value) || armilla_is_unseen(value);
}

/* LANES sums side by side, which compilers put into vectors; NaN is a suspect, too. */
#define COUNT_SUSPECTS(type, values, count, absolute, suspects)                                    \
    do {                                                                                           \
        type lanes[LANES] = {0};                                                                   \
        int64_t i = 0;                                                                             \
        for (; i + LANES <= (count); i += LANES)                                                   \
            for (int k = 0; k < LANES; k++)                                                        \
                lanes[k] += absolute((values)[i + k]) < (type)CERTAIN ? 0 : 1;                     \
        for (; i < (count); i++) lanes[0] += absolute((values)[i]) < (type)CERTAIN ? 0 : 1;        \
        for (int k = 0; k < LANES; k++) (suspects) += lanes[k];                                    \
    } while (0)

static void look_closely(const scan *s, int64_t component, const armilla_ring *part, finding *found)
{
    const armilla_missing_maps *maps = s->maps;
    for (int64_t j = 0; j < part->nphi; j++) {
        const int64_t pixel = part->offset + j * part->stride;
        const int64_t index = component * maps->distance + pixel;
        if (maps->weights && maps->weights[pixel] == 0) continue;
        if (!is_missing(armilla_array_get(maps->map, index))) continue;
        if (!found->count++ || index < found->first) found->first = index;
    }
}

static int has_suspects(const scan *s, int64_t component, const armilla_ring *part)
{
    const int64_t begin = component * s->maps->distance + part->offset;
    if (part->stride != 1) return 1;
    const armilla_array from = armilla_array_from(s->maps->map, begin);
    double suspects = 0;
    if (from.is_float)
        COUNT_SUSPECTS(float, (const float *)from.values, part->nphi, fabsf, suspects);
    else
        COUNT_SUSPECTS(double, (const double *)from.values, part->nphi, fabs, suspects);
    return suspects > 0;
}

static void run_task(void *context, int64_t index, int thread)
{
    const scan *s = context;
    const int64_t component = index / s->tasks, number = index % s->tasks;
    armilla_ring part = {.offset = number * STRETCH, .stride = 1};
    if (s->dense) {
        const int64_t left = s->grid->npix - part.offset;
        part.nphi = left < STRETCH ? left : STRETCH;
    } else
        part = s->grid->rings[number];
    if (has_suspects(s, component, &part)) look_closely(s, component, &part, &s->of_thread[thread]);
}

static armilla_status fail_missing(const armilla_missing_maps *maps, int64_t ncomponents,
                                   finding all)
{
    const int64_t component = ncomponents > 1 ? all.first / maps->distance : 0;
    return armilla_fail(
        ARMILLA_ERROR_ARGUMENT,
        "map[%lld] = %g: is missing, one of %lld values that are NaN, infinite or UNSEEN (pixel "
        "%lld "
        "of component %lld); give pseudo_analysis or a convolution weights of 0 there, or set "
        "missing = PROPAGATE",
        (long long)all.first, armilla_array_get(maps->map, all.first), (long long)all.count,
        (long long)(all.first - component * maps->distance), (long long)component);
}

armilla_status armilla_missing_check(const armilla_grid *grid, int64_t ncomponents,
                                     const armilla_missing_maps *maps, const armilla_exec *exec)
{
    if (exec->missing != ARMILLA_MISSING_ERROR || ncomponents == 0) return ARMILLA_OK;
    const int nthreads = armilla_team_size(exec->nthreads);
    const int dense = armilla_grid_samples(grid) == grid->npix;
    const int64_t tasks = dense ? (grid->npix + STRETCH - 1) / STRETCH : grid->nrings;
    finding *of_thread, all = {0, 0};
    armilla_status status = armilla_allocate_zero(&of_thread, nthreads, sizeof *of_thread);
    if (status) return status;
    scan s = {grid, maps, dense, tasks, of_thread};
    armilla_team_run(nthreads, tasks * ncomponents, run_task, &s);
    for (int i = 0; i < nthreads; i++) {
        const finding *one = &of_thread[i];
        if (one->count && (!all.count || one->first < all.first)) all.first = one->first;
        all.count += one->count;
    }
    armilla_release(of_thread);
    return all.count ? fail_missing(maps, ncomponents, all) : ARMILLA_OK;
}
