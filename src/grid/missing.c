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

typedef armilla_missing_values finding;

typedef struct {
    const armilla_grid *grid;
    const armilla_missing_maps *maps;
    const armilla_missing_part *part; /* NULL: all */
    int dense;                        /* components are npix values without gaps */
    int64_t tasks;                    /* of a component: stretches, or rings */
    finding *of_thread;
} scan;

/* A task looks at a stretch, a span or a ring of a component. */
static int64_t count_tasks(const armilla_grid *grid, const armilla_missing_part *part, int dense)
{
    if (part && !part->places) return part->nspans;
    return dense ? (grid->npix + STRETCH - 1) / STRETCH : grid->nrings;
}

/* Values of one component: where they are, and which pixels they are. */
typedef struct {
    int64_t component;
    armilla_ring places, pixels;
} stretch;

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

/* The index of a pixel in the maps of all ranks. */
static int64_t index_of(const scan *s, int64_t component, int64_t pixel)
{
    return s->part ? (s->part->first + component) * s->part->npix + pixel
                   : component * s->maps->distance + pixel;
}

static void add(const finding *one, finding *all)
{
    if (one->count && (!all->count || one->first < all->first))
        all->first = one->first, all->value = one->value;
    all->count += one->count;
}

static void look_closely(const scan *s, const stretch *of, finding *found)
{
    const armilla_missing_maps *maps = s->maps;
    for (int64_t j = 0; j < of->places.nphi; j++) {
        const int64_t place = of->places.offset + j * of->places.stride;
        const int64_t pixel = s->part && !s->part->places
                                  ? of->pixels.offset + j
                                  : armilla_ring_item(&of->pixels, s->grid->nside, j);
        const double value = armilla_array_get(maps->map, of->component * maps->distance + place);
        if (maps->weights && maps->weights[place] == 0) continue;
        if (is_missing(value)) add(&(finding){1, index_of(s, of->component, pixel), value}, found);
    }
}

static int has_suspects(const scan *s, const stretch *of)
{
    const armilla_ring *places = &of->places;
    if (places->stride != 1) return 1;
    const armilla_array from =
        armilla_array_from(s->maps->map, of->component * s->maps->distance + places->offset);
    double suspects = 0;
    if (from.is_float)
        COUNT_SUSPECTS(float, (const float *)from.values, places->nphi, fabsf, suspects);
    else
        COUNT_SUSPECTS(double, (const double *)from.values, places->nphi, fabs, suspects);
    return suspects > 0;
}

static armilla_ring neighbours(int64_t first, int64_t count)
{
    return (armilla_ring){.nphi = count, .offset = first, .stride = 1};
}

static void run_task(void *context, int64_t index, int thread)
{
    const scan *s = context;
    const armilla_missing_part *part = s->part;
    const int64_t number = index % s->tasks, left = s->grid->npix - number * STRETCH;
    stretch of = {.component = index / s->tasks};
    if (part && !part->places) {
        const armilla_span *span = &part->spans[number];
        of.pixels = neighbours(span->begin, span->count);
        of.places = neighbours(span->place, span->count);
    } else {
        of.pixels = s->dense ? neighbours(number * STRETCH, left < STRETCH ? left : STRETCH)
                             : s->grid->rings[number];
        of.places = part ? neighbours(part->places[number], of.pixels.nphi) : of.pixels;
    }
    if (of.places.offset >= 0 && has_suspects(s, &of)) look_closely(s, &of, &s->of_thread[thread]);
}

armilla_status armilla_missing_fail(const armilla_missing_values *found, int64_t ncomponents,
                                    int64_t distance)
{
    const int64_t component = ncomponents > 1 ? found->first / distance : 0;
    return armilla_fail(
        ARMILLA_ERROR_ARGUMENT,
        "map[%lld] = %g: is missing, one of %lld values that are NaN, infinite or UNSEEN (pixel "
        "%lld "
        "of component %lld); give pseudo_analysis or a convolution weights of 0 there, or set "
        "missing = PROPAGATE",
        (long long)found->first, found->value, (long long)found->count,
        (long long)(found->first - component * distance), (long long)component);
}

armilla_status armilla_missing_find(const armilla_grid *grid, int64_t ncomponents,
                                    const armilla_missing_maps *maps,
                                    const armilla_missing_part *part, int nthreads,
                                    armilla_missing_values *found)
{
    const int threads = armilla_team_size(nthreads);
    const int dense = !part && armilla_grid_samples(grid) == grid->npix;
    const int64_t tasks = count_tasks(grid, part, dense);
    finding *of_thread;
    *found = (finding){.count = 0};
    armilla_status status = armilla_allocate_zero(&of_thread, threads, sizeof *of_thread);
    if (status) return status;
    scan s = {grid, maps, part, dense, tasks, of_thread};
    armilla_team_run(threads, tasks * ncomponents, run_task, &s);
    for (int i = 0; i < threads; i++) add(&of_thread[i], found);
    armilla_release(of_thread);
    return ARMILLA_OK;
}

armilla_status armilla_missing_check(const armilla_grid *grid, int64_t ncomponents,
                                     const armilla_missing_maps *maps, const armilla_exec *exec)
{
    if (exec->missing != ARMILLA_MISSING_ERROR || ncomponents == 0) return ARMILLA_OK;
    finding found;
    armilla_status status =
        armilla_missing_find(grid, ncomponents, maps, NULL, exec->nthreads, &found);
    if (status || !found.count) return status;
    return armilla_missing_fail(&found, ncomponents, maps->distance);
}
