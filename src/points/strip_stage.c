/* The stage between leg and points, a strip at a time: a strip is a task of the team.
 *
 * Synthesis makes the samples that the points of the strip see, some of which other strips make as
 * well. The adjoint adds up to the samples of the strip's own rings what all points have for them,
 * those of neighbouring bands included: so no two threads write to the same place, and sums do not
 * depend on the number of threads. */
#include "points/strip_stage.h"

#include "base/integer.h"
#include "base/team.h"
#include "points/samples.h"
#include "ringfft/stage.h"
#include "theta/stage.h"

#include <string.h>

int64_t armilla_points_scratch_size(const armilla_points_core *core)
{
    const int64_t strip =
        armilla_points_strip_size(core) + armilla_ringfft_scratch_size(core->ringfft);
    return armilla_larger(armilla_theta_stage_scratch(core->theta, core->legendre, core->nmap),
                          strip);
}

/* Are there points in the bands first .. end - 1 of a hemisphere? */
static int has_points(const armilla_points_pass *r, int south, int64_t first, int64_t end)
{
    const armilla_points_order *order = r->order;
    const int64_t *start = order->start + south * order->nbands * order->ntiles;
    return start[first * order->ntiles] < start[end * order->ntiles];
}

/* The points that see the strip's samples, or, in the adjoint, those that it owns. */
static armilla_points_sides used_sides(const armilla_points_pass *r,
                                       const armilla_points_strip *strip, int64_t first,
                                       int64_t end)
{
    armilla_points_sides sides = {{has_points(r, 0, first, end), has_points(r, 1, first, end)}};
    if (strip->end_band == r->order->nbands && (sides.used[0] || sides.used[1]))
        sides.used[0] = sides.used[1] = 1;
    return sides;
}

/* The ring stage of one strip, by the calling thread alone. Rings of a hemisphere that is not used
 * are missing: they are not made, or their part of leg becomes 0. */
static void run_rings(const armilla_points_pass *r, const armilla_leg_layout *all,
                      int64_t first_pair, armilla_points_sides sides, double *samples,
                      double *scratch)
{
    const armilla_points_core *core = r->core;
    armilla_progress silent;
    armilla_progress_start(&silent, NULL, NULL, 1);
    const armilla_work work = {.nthreads = 1,
                               .scratch_size = armilla_ringfft_scratch_size(core->ringfft),
                               .scratch = scratch,
                               .progress = &silent};
    armilla_ring_pairs pairs = *all->pairs;
    armilla_leg_layout layout = *all;
    layout.pairs = &pairs;
    if (!sides.used[0]) pairs.north = core->no_rings;
    if (!sides.used[1]) pairs.south = core->no_rings;
    const armilla_leg leg = {&layout, r->leg.nsets,
                             r->leg.values + 4 * (first_pair - r->leg.layout->blocks->first), NULL,
                             0};
    const armilla_ring_maps maps = {.values = {samples, 0},
                                    .distance = 2 * core->most_rows * core->pitch};
    if (r->to_points)
        armilla_ringfft_to_maps(core->ringfft, &leg, &maps, &work);
    else
        armilla_ringfft_from_maps(core->ringfft, &leg, &maps, &work);
}

static armilla_points_list list_of_tile(const armilla_points_pass *r, int64_t tile)
{
    const armilla_points_order *order = r->order;
    const int64_t first = order->start[tile];
    armilla_points_list list = {.count = order->start[tile + 1] - first,
                                .u = order->u + first,
                                .v = order->v + first,
                                .place = order->place ? order->place + first : NULL,
                                .is_float = r->values.is_float};
    const int64_t turn = order->place ? 0 : r->core->nmap * first;
    for (int64_t c = 0; c < r->core->nmap; c++)
        list.values[c] = armilla_array_from(r->values, c * r->component + turn).values;
    return list;
}

/* What a strip without points gives to leg. */
static void clear_leg(const armilla_points_pass *r, const armilla_points_strip *strip)
{
    const armilla_leg_block *block = r->leg.layout->blocks;
    for (int64_t set = 0; set < r->leg.nsets; set++)
        for (int64_t row = 0; row < block->nrows; row++)
            memset(armilla_leg_row(&r->leg, block, set, row) +
                       4 * (strip->first_own - block->first),
                   0, (size_t)(4 * strip->nown) * sizeof(double));
}

/* The points of one band of one hemisphere. */
static void run_band(const armilla_points_pass *r, const armilla_points_strip *strip, int south,
                     int64_t band, double *samples)
{
    const armilla_points_core *core = r->core;
    const armilla_points_order *order = r->order;
    const armilla_points_side side = armilla_points_side_of(core, strip, south, samples);
    const int64_t row = armilla_points_band_row(order, south, band);
    for (int64_t i = 0; i < order->ntiles; i++) {
        const armilla_points_list list =
            list_of_tile(r, (south * order->nbands + band) * order->ntiles + i);
        if (list.count == 0) continue;
        const armilla_points_patch patch = {.samples = side.samples +
                                                       (row - side.first) * core->pitch +
                                                       core->left + i * ARMILLA_TILE_SAMPLES,
                                            .pitch = core->pitch,
                                            .component = 2 * core->most_rows * core->pitch,
                                            .ncomp = core->nmap};
        if (r->to_points)
            core->kernels->interpolate(&core->table, &patch, &list);
        else
            core->kernels->spread(&core->table, &patch, &list, side.begin - row, side.end - row);
    }
}

static void run_bands(const armilla_points_pass *r, const armilla_points_strip *strip,
                      int64_t first, int64_t end, double *samples)
{
    for (int south = 0; south < 2; south++)
        for (int64_t band = first; band < end; band++) run_band(r, strip, south, band, samples);
}

static void run_strip(void *context, int64_t task, int thread)
{
    const armilla_points_pass *r = context;
    const armilla_points_core *core = r->core;
    const int64_t index = core->first_strip + task;
    const armilla_points_strip *strip = &core->strips[index];
    double *samples = armilla_work_scratch(r->work, thread);
    double *scratch = samples + armilla_points_strip_size(core);
    const int beside = r->to_points ? 0 : 1; /* bands whose points see the strip's own rings */
    const int64_t first = strip->band > 0 ? strip->band - beside : 0;
    const int64_t end = strip->end_band + (index + 1 < core->nstrips ? beside : 0);
    const armilla_points_sides sides = used_sides(r, strip, first, end);
    const int any = sides.used[0] || sides.used[1];
    if (armilla_progress_advance(r->work->progress, 0, thread)) return;
    if (r->to_points && any) {
        run_rings(r, &strip->seen_leg, strip->first_pair, sides, samples, scratch);
        armilla_points_fill_halo(core, strip, sides, samples);
        run_bands(r, strip, first, end, samples);
    } else if (any) {
        armilla_points_clear_samples(core, strip, sides, samples);
        run_bands(r, strip, first, end, samples);
        armilla_points_fold_halo(core, strip, sides, samples);
        run_rings(r, &strip->own_leg, strip->first_own, sides, samples, scratch);
    } else if (!r->to_points) {
        clear_leg(r, strip);
    }
}

void armilla_points_run_strips(const armilla_points_pass *pass)
{
    armilla_team_run(pass->work->nthreads, pass->core->end_strip - pass->core->first_strip,
                     run_strip, (void *)pass);
}
