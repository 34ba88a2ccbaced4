/* Which samples are in memory at once. See plan.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "points/device.h"

/* Samples that neighbouring strips have as well, and points that the adjoint looks at twice, are
 * about one band of each strip. */
enum { LEAST_BANDS = 6, MOST_BANDS = 10, WANTED_STRIPS = 24 };

/* Pairs first .. first + count - 1 of the fine rings as rows of a strip, and their part of leg,
 * whose rows are those of all. */
static armilla_status make_view(const armilla_points_core *core, const armilla_points_strip *strip,
                                int64_t first, int64_t count, armilla_ring_pairs *pairs,
                                armilla_leg_layout *layout)
{
    armilla_status status = armilla_ring_pairs_allocate(count, pairs);
    if (status) return status;
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = first + i - strip->first;
        pairs->north[i] = row;
        pairs->south[i] = core->most_rows + strip->rows - 1 - row;
        pairs->theta[i] = core->fine.theta[first + i];
        pairs->south_theta[i] = core->fine.south_theta[first + i];
        pairs->limit[i] = core->mmax;
    }
    const armilla_leg_shape shape = {
        .pairs = pairs, .npairs = count, .block_size = count, .room = 1, .mmax = core->mmax};
    if ((status = armilla_leg_layout_make(&shape, layout))) return status;
    layout->blocks[0].row_length = core->row_length;
    return ARMILLA_OK;
}

static armilla_status make_strip(const armilla_points_core *core, armilla_points_strip *strip)
{
    armilla_status status =
        make_view(core, strip, strip->first_pair, strip->npairs, &strip->seen, &strip->seen_leg);
    return status ? status
                  : make_view(core, strip, strip->first_own, strip->nown, &strip->own,
                              &strip->own_leg);
}

static void place_strip(const armilla_points_core *core, int64_t band, int64_t end,
                        armilla_points_strip *strip)
{
    const int64_t half = core->sampling.nrings / 2, reach = armilla_points_reach(core);
    const int64_t begin = band * ARMILLA_TILE_RINGS;
    const int64_t stop = armilla_smaller(end * ARMILLA_TILE_RINGS, half);
    *strip = (armilla_points_strip){.band = band, .end_band = end};
    strip->first = begin - reach, strip->rows = stop + reach - strip->first;
    strip->first_own = begin, strip->nown = stop - begin;
    strip->first_pair = armilla_larger(strip->first, 0);
    strip->npairs = armilla_smaller(stop + reach, half) - strip->first_pair;
}

/* How many bands a strip has on the processor. */
static int64_t usual_bands(int64_t nbands)
{
    return armilla_larger(LEAST_BANDS, armilla_smaller(MOST_BANDS, nbands / WANTED_STRIPS));
}

static int64_t count_strips(const armilla_points_core *core, int64_t nbands)
{
    return core->on_device ? armilla_points_device_strips(core)
                           : armilla_larger(1, nbands / usual_bands(nbands));
}

/* The band that strip i begins with, of so many. The last strip, which also has what is beyond the
 * equator, must not be shorter than the reach of a point. */
static int64_t first_band(const armilla_points_core *core, int64_t i, int64_t count, int64_t nbands)
{
    if (i == count) return nbands;
    return core->on_device ? i * nbands / count : i * usual_bands(nbands);
}

armilla_status armilla_points_strips_place(armilla_points_core *core)
{
    const int64_t nbands = armilla_points_count_bands(&core->sampling);
    const int64_t count = count_strips(core, nbands);
    armilla_status status = armilla_allocate_zero(&core->strips, count, sizeof *core->strips);
    if (status) return status;
    core->nstrips = core->end_strip = count;
    for (int64_t i = 0; i < count; i++) {
        place_strip(core, first_band(core, i, count, nbands),
                    first_band(core, i + 1, count, nbands), &core->strips[i]);
        core->most_rows = armilla_larger(core->most_rows, core->strips[i].rows);
    }
    return ARMILLA_OK;
}

armilla_status armilla_points_strips_make(armilla_points_core *core)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = core->first_strip; i < core->end_strip && !status; i++)
        status = make_strip(core, &core->strips[i]);
    if (!status)
        status = armilla_allocate(&core->no_rings, core->most_rows, sizeof *core->no_rings);
    for (int64_t i = 0; i < core->most_rows && !status; i++) core->no_rings[i] = -1;
    return status;
}

armilla_points_pairs armilla_points_pairs_of(const armilla_points_core *core, int64_t first,
                                             int64_t end, int seen)
{
    if (first == end) return (armilla_points_pairs){0, 0};
    const armilla_points_strip *north = &core->strips[first], *last = &core->strips[end - 1];
    if (seen)
        return (armilla_points_pairs){north->first_pair,
                                      last->first_pair + last->npairs - north->first_pair};
    return (armilla_points_pairs){north->first_own,
                                  last->first_own + last->nown - north->first_own};
}

void armilla_points_strips_clear(armilla_points_core *core)
{
    for (int64_t i = 0; i < core->nstrips; i++) {
        armilla_points_strip *strip = &core->strips[i];
        armilla_leg_layout_clear(&strip->seen_leg);
        armilla_leg_layout_clear(&strip->own_leg);
        armilla_ring_pairs_clear(&strip->seen);
        armilla_ring_pairs_clear(&strip->own);
    }
    armilla_release(core->strips);
    armilla_release(core->no_rings);
    core->nstrips = 0, core->strips = NULL, core->no_rings = NULL;
}
