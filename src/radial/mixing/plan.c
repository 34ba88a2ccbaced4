/* Makes the plan for the mixing of rings (plan.h): the tiles of pairs, the tables of cosines, the
 * list of the rings that are read or written, and the plan of their Fourier transforms. */
#include "radial/mixing/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"

#include <math.h>
#include <string.h>

enum { TILE = ARMILLA_MIXING_TILE, WIDTH = ARMILLA_MIXING_WIDTH };

/* --- Tiles ----------------------------------------------------------------------------------- */

int64_t armilla_mixing_spans(int64_t limit)
{
    const int64_t k = (limit + 2 + 2 * WIDTH - 1) / (2 * WIDTH);
    int64_t step = 1;
    while (k / step > 16) step *= 2;
    return 2 * ((k + step - 1) / step * step);
}

static int is_wanted(const armilla_mixing *mixing, const uint8_t *wanted, int64_t pair, int south)
{
    const armilla_ring_pairs *pairs = &mixing->frame.pairs;
    const int64_t ring = south ? pairs->south[pair] : pairs->north[pair];
    return ring >= 0 && (!wanted || wanted[ring]);
}

/* The largest longitude at which a pair sees its own ring. */
static double own_angle(const armilla_mixing *mixing, int64_t pair)
{
    const double sine = mixing->frame.sine[pair], ratio = mixing->profile->end / (sine * sine);
    return ratio < 1 ? 2 * asin(sqrt(ratio)) : M_PI;
}

/* The table of a smooth kernel, shared by tiles with as many spans. The first of them is the one
 * closest to a pole, which needs the most samples. */
static armilla_status make_smooth_table(armilla_mixing *mixing, int64_t tile)
{
    armilla_mixing_tile *t = &mixing->tiles[tile];
    for (int64_t i = 0; i < mixing->ntables; i++)
        if (mixing->tables[i].folded && mixing->tables[i].nspans == t->nspans / 2) {
            t->smooth = (int)i;
            return ARMILLA_OK;
        }
    const armilla_status status =
        armilla_mixing_table_make_smooth(t->nspans, own_angle(mixing, tile * TILE),
                                         mixing->profile->turns, &mixing->tables[mixing->ntables]);
    if (!status) t->smooth = (int)mixing->ntables++;
    return status;
}

/* A tile has the most samples with itself. */
static int64_t choose_most_pairs(const armilla_mixing *mixing, int64_t tile)
{
    const double samples = (double)(mixing->tiles[tile].nspans * WIDTH) *
                           own_angle(mixing, tile * TILE) / M_PI * (1 + mixing->profile->turns);
    int64_t most = TILE;
    while (most > ARMILLA_MIXING_FOUR &&
           samples * TILE * (double)most > (double)armilla_mixing_room(mixing))
        most /= 2;
    return most;
}

static armilla_status make_tiles(armilla_mixing *mixing, const uint8_t *wanted)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t tile = 0; tile < mixing->ntiles && !status; tile++) {
        armilla_mixing_tile *t = &mixing->tiles[tile];
        int64_t limit = 0;
        int discrete = 1;
        for (int64_t p = tile * TILE; p < armilla_mixing_tile_end(mixing, tile); p++) {
            limit = armilla_larger(limit, mixing->frame.pairs.limit[p]);
            t->wanted |= is_wanted(mixing, wanted, p, 0) || is_wanted(mixing, wanted, p, 1);
            discrete &= armilla_mixing_is_discrete(&mixing->frame, p);
        }
        t->nspans = armilla_mixing_spans(limit);
        mixing->nspans = armilla_larger(mixing->nspans, t->nspans);
        t->most_pairs = choose_most_pairs(mixing, tile);
        t->smooth = -1;
        if (mixing->frame.smooth && !discrete) status = make_smooth_table(mixing, tile);
    }
    return status;
}

/* --- Tables of rings with equal numbers of pixels -------------------------------------------- */

static armilla_status make_stretch_tables(armilla_mixing *mixing, int64_t first, int64_t end)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    const int64_t n = armilla_mixing_pixels(frame, first);
    int32_t table[2] = {-1, -1};
    int odd = 0;
    for (int64_t p = first; p < end; p++) odd |= frame->half[p] != frame->half[first];
    for (int half = 0; half <= odd; half++) {
        const armilla_status status = armilla_mixing_table_make_discrete(
            n, half, own_angle(mixing, first), mixing->profile->turns,
            &mixing->tables[mixing->ntables]);
        if (status) return status;
        mixing->waves_size =
            armilla_larger(mixing->waves_size, (1 + mixing->profile->turns) * WIDTH *
                                                   mixing->tables[mixing->ntables].count);
        table[half] = (int32_t)mixing->ntables++;
    }
    for (int64_t p = first; p < end; p++) memcpy(mixing->discrete[p], table, sizeof table);
    return ARMILLA_OK;
}

/* Does any pair of a stretch have use for its tables? */
static int is_used(const armilla_mixing_frame *frame, int64_t first, int64_t end)
{
    int used = frame->smooth;
    for (int64_t p = first; p < end; p++) used |= armilla_mixing_is_discrete(frame, p);
    return used;
}

/* The waves of a task, made by spans, stay in the second-level cache. */
static void choose_task(armilla_mixing *mixing)
{
    enum { MOST = 1 << 14 }; /* doubles */
    const int64_t fit = mixing->waves_size ? MOST / (2 * mixing->waves_size) : INT64_MAX;
    mixing->most_in_task = armilla_larger(1, armilla_smaller(fit, ARMILLA_MIXING_TASK));
}

static armilla_status make_discrete_tables(armilla_mixing *mixing)
{
    armilla_mixing_frame *frame = &mixing->frame;
    armilla_status status = ARMILLA_OK;
    for (int64_t p = 0, end; p < frame->pairs.count && !status; p = end) {
        end = p + 1;
        if (frame->stretch[p] < 0) continue;
        while (end < frame->pairs.count && frame->stretch[end] == frame->stretch[p]) end++;
        if (is_used(frame, p, end)) {
            status = make_stretch_tables(mixing, p, end);
            continue;
        }
        for (int64_t i = p; i < end; i++) frame->stretch[i] = -1, frame->pairs.limit[i] = 0;
    }
    choose_task(mixing);
    return status;
}

/* --- Input and output ------------------------------------------------------------------------ */

/* Marks the pairs that wanted rings see. */
static void mark_seen(const armilla_mixing *mixing, const uint8_t *wanted, uint8_t *seen)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    for (int64_t p = 0; p < frame->pairs.count; p++) {
        if (!is_wanted(mixing, wanted, p, 0) && !is_wanted(mixing, wanted, p, 1)) continue;
        for (int64_t q = frame->first[p]; q <= frame->last[p]; q++) seen[q] = 1;
        for (int64_t q = frame->across[p]; q < frame->pairs.count; q++) seen[q] = 1;
    }
}

/* Which rings are read and written. */
typedef struct {
    const uint8_t *wanted, *seen; /* rings; pairs */
    const int64_t *places;        /* of rings, -1: on another rank; NULL: all are here */
} ring_lists;

static int is_listed(const armilla_mixing *mixing, const ring_lists *lists, int output,
                     int64_t pair, int south)
{
    const armilla_ring_pairs *pairs = &mixing->frame.pairs;
    const int64_t ring = south ? pairs->south[pair] : pairs->north[pair];
    if (ring < 0 || (lists->places && lists->places[ring] < 0)) return 0;
    return output ? is_wanted(mixing, lists->wanted, pair, south) : lists->seen[pair];
}

/* The pairs of a side, their limits rising within each slab, whichever pairs are listed. */
static void list_pairs(const armilla_mixing *mixing, const ring_lists *lists, int output,
                       armilla_mixing_side *side)
{
    const armilla_ring_pairs *all = &mixing->frame.pairs;
    armilla_ring_pairs *pairs = &side->pairs;
    int64_t limit = 0;
    pairs->count = 0;
    for (int64_t p = 0; p < all->count; p++) {
        const int north = is_listed(mixing, lists, output, p, 0);
        const int south = is_listed(mixing, lists, output, p, 1);
        limit = p % mixing->slab ? armilla_larger(limit, all->limit[p]) : all->limit[p];
        side->place[p] = -1;
        if (!north && !south) continue;
        const int64_t i = side->place[p] = pairs->count++;
        pairs->north[i] = north ? all->north[p] : -1;
        pairs->south[i] = south ? all->south[p] : -1;
        pairs->theta[i] = all->theta[p], pairs->south_theta[i] = all->south_theta[p];
        pairs->limit[i] = limit;
    }
}

static armilla_status make_layouts(armilla_mixing *mixing, armilla_mixing_side *side)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t s = 0, first = 0, end; s < mixing->nslabs && !status; s++, first = end) {
        end = first;
        for (int64_t p = s * mixing->slab; p < (s + 1) * mixing->slab; p++)
            end += p < mixing->frame.pairs.count && side->place[p] >= 0;
        if (end == first) continue;
        const armilla_leg_shape shape = {.pairs = &side->pairs,
                                         .first_pair = first,
                                         .npairs = end - first,
                                         .block_size = end - first,
                                         .mmax = side->pairs.limit[end - 1]};
        status = armilla_leg_layout_make(&shape, &side->layouts[s]);
        mixing->leg_size = armilla_larger(mixing->leg_size, side->layouts[s].size);
    }
    return status;
}

static armilla_status make_side(armilla_mixing *mixing, const ring_lists *lists, int output)
{
    const int64_t count = mixing->frame.pairs.count;
    armilla_mixing_side *side = &mixing->side[output];
    armilla_status status;
    if ((status = armilla_ring_pairs_allocate(count, &side->pairs)) ||
        (status = armilla_allocate(&side->place, count, sizeof *side->place)) ||
        (status = armilla_allocate_zero(&side->layouts, mixing->nslabs, sizeof *side->layouts)))
        return status;
    list_pairs(mixing, lists, output, side);
    return make_layouts(mixing, side);
}

static void clear_side(const armilla_mixing *mixing, armilla_mixing_side *side)
{
    for (int64_t s = 0; side->layouts && s < mixing->nslabs; s++)
        armilla_leg_layout_clear(&side->layouts[s]);
    armilla_release(side->layouts), armilla_release(side->place);
    armilla_ring_pairs_clear(&side->pairs);
    *side = (armilla_mixing_side){.place = NULL};
}

static armilla_status make_sides(armilla_mixing *mixing, const ring_lists *lists)
{
    armilla_status status = ARMILLA_OK;
    mixing->leg_size = 0;
    for (int i = 0; i < 2 && !status; i++) {
        clear_side(mixing, &mixing->side[i]);
        status = make_side(mixing, lists, i == ARMILLA_MIXING_OUTPUT);
    }
    return status;
}

/* Rings that are neither read nor written need no transform. Given: sides of all ranks. */
static armilla_status plan_ringfft(armilla_mixing *mixing, armilla_isa isa, const int64_t *places)
{
    armilla_ring *rings;
    uint8_t *used;
    int64_t limit = 0;
    armilla_status status = armilla_allocate(&rings, mixing->frame.nrings, sizeof *rings);
    if (status) return status;
    if ((status = armilla_allocate_zero(&used, mixing->frame.nrings, sizeof *used))) {
        armilla_release(rings);
        return status;
    }
    for (int i = 0; i < 2; i++) {
        const armilla_ring_pairs *pairs = &mixing->side[i].pairs;
        for (int64_t p = 0; p < pairs->count; p++) {
            if (pairs->north[p] >= 0) used[pairs->north[p]] = 1;
            if (pairs->south[p] >= 0) used[pairs->south[p]] = 1;
            limit = armilla_larger(limit, pairs->limit[p]);
        }
    }
    for (int64_t r = 0; r < mixing->frame.nrings; r++) {
        rings[r] = mixing->frame.rings[r];
        if (!used[r]) rings[r].nphi = 1;
        if (places) rings[r].stride = 1;
    }
    const armilla_ringfft_problem problem = {.machine = armilla_machine_with(isa),
                                             .nrings = mixing->frame.nrings,
                                             .rings = rings,
                                             .mmax = limit,
                                             .places = places,
                                             .nside = places ? 0 : mixing->frame.nested};
    status = armilla_ringfft_new(&problem, &mixing->ringfft);
    armilla_release(rings), armilla_release(used);
    return status;
}

/* Maps of a rank have its rings one behind the other. */
static void move_rings(armilla_mixing *mixing, const int64_t *places)
{
    for (int64_t r = 0; r < mixing->frame.nrings; r++)
        if (places[r] >= 0)
            mixing->frame.rings[r].offset = places[r], mixing->frame.rings[r].stride = 1;
}

armilla_status armilla_mixing_take_rings(armilla_mixing *mixing, armilla_isa isa,
                                         const uint8_t *wanted, const int64_t *places)
{
    uint8_t *seen;
    armilla_status status = armilla_allocate_zero(&seen, mixing->frame.pairs.count, sizeof *seen);
    if (status) return status;
    mark_seen(mixing, wanted, seen);
    ring_lists lists = {wanted, seen, NULL};
    if (!(status = make_sides(mixing, &lists))) status = plan_ringfft(mixing, isa, places);
    if (places && !status) {
        lists.places = places;
        move_rings(mixing, places);
        status = make_sides(mixing, &lists);
    }
    armilla_release(seen);
    return status;
}

/* --- Plans ----------------------------------------------------------------------------------- */

static armilla_status allocate(armilla_mixing *mixing)
{
    armilla_status status;
    const int64_t count = mixing->frame.pairs.count;
    mixing->ntiles = (count + TILE - 1) / TILE;
    for (int64_t r = 0; r < mixing->frame.nrings; r++)
        mixing->npixels += mixing->frame.rings[r].nphi;
    if ((status = armilla_allocate_zero(&mixing->tables, mixing->ntiles + 2 * count,
                                        sizeof *mixing->tables)) ||
        (status = armilla_allocate(&mixing->discrete, count, sizeof *mixing->discrete)) ||
        (status = armilla_allocate_zero(&mixing->tiles, mixing->ntiles, sizeof *mixing->tiles)))
        return status;
    return ARMILLA_OK;
}

static armilla_status check_wanted(const armilla_mixing *mixing, const uint8_t *wanted)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    for (int64_t p = 0; p < frame->pairs.count; p++)
        if ((is_wanted(mixing, wanted, p, 0) || is_wanted(mixing, wanted, p, 1)) &&
            !frame->smooth && !armilla_mixing_is_discrete(frame, p))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "method rings: the kernel jumps and rings around ring %lld "
                                "have different numbers of pixels",
                                (long long)(frame->pairs.north[p] < 0 ? frame->pairs.south[p]
                                                                      : frame->pairs.north[p]));
    return ARMILLA_OK;
}

armilla_status armilla_mixing_new(armilla_mixing_frame *frame, const armilla_profile *profile,
                                  armilla_isa isa, const uint8_t *wanted, armilla_mixing **mixing)
{
    armilla_mixing *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) {
        armilla_mixing_frame_clear(frame);
        return status;
    }
    made->kernels = armilla_mixing_kernels_find(isa);
    made->profile = profile;
    made->frame = *frame;
    *frame = (armilla_mixing_frame){0};
    if ((status = check_wanted(made, wanted)) || (status = allocate(made)) ||
        (status = make_discrete_tables(made)) || (status = make_tiles(made, wanted)) ||
        (status = armilla_mixing_make_slabs(made))) {
        armilla_mixing_free(made);
        return status;
    }
    *mixing = made;
    return ARMILLA_OK;
}

void armilla_mixing_free(armilla_mixing *mixing)
{
    if (!mixing) return;
    for (int i = 0; i < 2; i++) clear_side(mixing, &mixing->side[i]);
    for (int64_t i = 0; i < mixing->ntables; i++) armilla_mixing_table_clear(&mixing->tables[i]);
    armilla_release(mixing->tables), armilla_release(mixing->discrete);
    armilla_release(mixing->tiles), armilla_release(mixing->rounds);
    armilla_release(mixing->starts);
    armilla_release(mixing->slab_spans), armilla_release(mixing->slab_last);
    armilla_ringfft_free(mixing->ringfft);
    armilla_mixing_frame_clear(&mixing->frame);
    armilla_release(mixing);
}

const armilla_mixing_frame *armilla_mixing_frame_of(const armilla_mixing *mixing)
{
    return &mixing->frame;
}

int64_t armilla_mixing_bytes(const armilla_mixing *mixing)
{
    int64_t bytes = armilla_mixing_frame_bytes(&mixing->frame) +
                    mixing->ntiles * (int64_t)sizeof(armilla_mixing_tile) +
                    mixing->nsegments * (int64_t)sizeof(armilla_mixing_start) +
                    mixing->nrounds * (int64_t)sizeof(armilla_mixing_round) +
                    armilla_ringfft_bytes(mixing->ringfft);
    for (int64_t i = 0; i < mixing->ntables; i++)
        bytes += armilla_mixing_table_bytes(&mixing->tables[i]);
    for (int i = 0; i < 2; i++) {
        bytes += 6 * mixing->frame.pairs.count * (int64_t)sizeof(int64_t);
        for (int64_t s = 0; s < mixing->nslabs; s++)
            bytes += armilla_leg_layout_bytes(&mixing->side[i].layouts[s]);
    }
    return bytes;
}
