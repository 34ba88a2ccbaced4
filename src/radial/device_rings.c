/* Makes the tables by which kernels of a GPU mix the orders of rings
 * (cuda/kernels/radial_mixing_tables.h) from the frame of the processor's plan: tiles of pairs that
 * share tables, the groups of pairs that each of them sees, and the longitudes at which the kernel
 * is sampled between them.
 *
 * Pairs of a stretch, rings with as many pixels each, have two classes, by whether their pixels lie
 * at odd multiples of half a pixel; between two classes the kernel is sampled half a pixel further.
 * All other pairs are of one class, and have the samples of a smooth kernel. A tile is of one
 * class, and so is a group; between them there is one table. */
#include "radial/device_rings.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/radial_mixing.h"
#include "grid/grid.h"
#include "radial/mixing/plan.h"

#include <math.h>
#include <string.h>

enum { GROUP = ARMILLA_CUDA_MIXING_GROUP, MOST_TILE = ARMILLA_CUDA_MIXING_TILE };

/* A group before tables are made: sin^2(phi / 2) of its largest longitude, which says how many
 * samples it needs. */
typedef struct {
    double ratio;
    armilla_cuda_mixing_group made;
} group_plan;

/* A list that grows. */
typedef struct {
    void *items;
    int64_t count, room;
} list;

typedef struct {
    const armilla_radial *radial;
    const armilla_mixing_frame *frame;
    armilla_ring_pairs pairs; /* with limits that rise */
    int64_t in_tile;          /* pairs of a tile */
    list tasks, tiles, groups, tables, numbers;
    list keys; /* of the tables */
} builder;

/* What a table is made for. */
typedef struct {
    int64_t stretch; /* -1: a smooth kernel's */
    int64_t nspans;  /* of that; else 0 */
    int half;        /* between pairs of different halves */
    double angle;    /* the largest longitude */
} table_key;

/* Room for `count` items more. Returned: the first one; NULL: there is no memory. */
static void *extend(list *l, int64_t count, size_t size)
{
    if (l->count + count > l->room) {
        const int64_t room = 2 * l->room + count + 16;
        char *items;
        if (armilla_allocate(&items, room * (int64_t)size, 1)) return NULL;
        if (l->count) memcpy(items, l->items, (size_t)l->count * size);
        armilla_release(l->items);
        l->items = items, l->room = room;
    }
    char *first = (char *)l->items + (size_t)l->count * size;
    l->count += count;
    return first;
}

static armilla_status append(list *l, const void *item, size_t size)
{
    void *place = extend(l, 1, size);
    if (!place) return ARMILLA_ERROR_MEMORY;
    memcpy(place, item, size);
    return ARMILLA_OK;
}

/* --- What two pairs see of each other --------------------------------------------------------- */

/* 0: samples of a smooth kernel; 1, 2: those of the stretch, 2: half a pixel further. */
static int class_of(const armilla_mixing_frame *frame, int64_t p, int64_t q)
{
    if (frame->stretch[p] < 0 || frame->stretch[p] != frame->stretch[q]) return 0;
    return 1 + (frame->half[p] != frame->half[q]);
}

/* sin^2(phi / 2) of the largest longitude within the support; -1: there is none. */
static double find_ratio(const builder *b, int64_t p, int64_t q, int crossed)
{
    const double *theta = b->pairs.theta, *sine = b->frame->sine;
    const double s = crossed ? cos((theta[p] + theta[q]) / 2) : sin((theta[p] - theta[q]) / 2);
    const double rest = b->radial->profile.end - s * s, sines = sine[p] * sine[q];
    if (rest < 0) return -1;
    return rest < sines ? rest / sines : 1;
}

static double tile_ratio(const builder *b, const armilla_cuda_mixing_tile *tile, int64_t q,
                         int crossed)
{
    double largest = -1;
    for (int64_t i = 0; i < b->in_tile && tile->pair[i] >= 0; i++)
        largest = fmax(largest, find_ratio(b, tile->pair[i], q, crossed));
    return largest;
}

/* --- Groups ----------------------------------------------------------------------------------- */

/* The table of a tile and a class, at least up to that longitude. */
static armilla_status find_table(builder *b, const armilla_cuda_mixing_tile *tile, int number,
                                 double angle, int32_t *table)
{
    const int64_t stretch = number ? b->frame->stretch[tile->pair[0]] : -1;
    const table_key key = {.stretch = stretch,
                           .nspans = number ? 0 : (tile->top + 1) / ARMILLA_MIXING_WIDTH,
                           .half = number == 2,
                           .angle = angle};
    table_key *known = b->keys.items;
    for (int64_t i = 0; i < b->keys.count; i++)
        if (known[i].stretch == key.stretch && known[i].nspans == key.nspans &&
            known[i].half == key.half) {
            known[i].angle = fmax(known[i].angle, angle);
            *table = (int32_t)i;
            return ARMILLA_OK;
        }
    *table = (int32_t)b->keys.count;
    return append(&b->keys, &key, sizeof key);
}

/* What a tile sees of a class. */
static armilla_status add_groups(builder *b, const armilla_cuda_mixing_tile *tile, int number,
                                 int crossed, int64_t from, int64_t to)
{
    armilla_status status = ARMILLA_OK;
    int in_group = GROUP;
    for (int64_t q = from; q < to && !status; q++) {
        group_plan *group;
        if (class_of(b->frame, tile->pair[0], q) != number) continue;
        const double ratio = tile_ratio(b, tile, q, crossed);
        if (ratio < 0) continue;
        if (in_group == GROUP) {
            if (!(group = extend(&b->groups, 1, sizeof *group))) return ARMILLA_ERROR_MEMORY;
            *group = (group_plan){.ratio = 0, .made = {.crossed = crossed}};
            for (int i = 0; i < GROUP; i++) group->made.pair[i] = -1;
            in_group = 0;
        }
        group = (group_plan *)b->groups.items + b->groups.count - 1;
        group->made.pair[in_group++] = (int32_t)q;
        group->ratio = fmax(group->ratio, ratio);
        status = find_table(b, tile, number, 2 * asin(sqrt(ratio)), &group->made.table);
    }
    return status;
}

static armilla_status fill_tile(builder *b, armilla_cuda_mixing_tile *tile)
{
    const armilla_mixing_frame *frame = b->frame;
    const int64_t count = b->pairs.count;
    int64_t from = count, to = 0, across = count;
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < b->in_tile && tile->pair[i] >= 0; i++) {
        const int64_t p = tile->pair[i];
        from = armilla_smaller(from, frame->first[p]), to = armilla_larger(to, frame->last[p] + 1);
        across = armilla_smaller(across, frame->across[p]);
    }
    tile->group = b->groups.count;
    for (int number = 0; number < 3 && !status; number++) {
        status = add_groups(b, tile, number, 0, from, to);
        if (!status) status = add_groups(b, tile, number, 1, across, count);
    }
    tile->ngroups = b->groups.count - tile->group;
    return status;
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Orders by twos of spans, and tasks for them. Places of waves have 32 bits. */
static armilla_status add_tile(builder *b, armilla_cuda_mixing_tile *tile, int64_t size)
{
    const int64_t limit = b->pairs.limit[tile->pair[size - 1]];
    armilla_status status;
    tile->top = ARMILLA_MIXING_WIDTH * armilla_mixing_spans(limit) - 1;
    if (tile->top > INT32_MAX / 64)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "kernel: has orders up to %lld; on a GPU the method RINGS takes up to "
                            "2^25",
                            (long long)limit);
    if ((status = fill_tile(b, tile))) return status;
    for (int64_t low = 0; 2 * low < tile->top && !status; low += ARMILLA_CUDA_MIXING_ORDERS) {
        const armilla_cuda_mixing_task task = {(int32_t)b->tiles.count, (int32_t)low};
        status = append(&b->tasks, &task, sizeof task);
    }
    return status ? status : append(&b->tiles, tile, sizeof *tile);
}

/* Tiles of one half of a stretch, or of pairs that are of none: among first .. end - 1.
 */
static armilla_status add_tiles(builder *b, int64_t first, int64_t end, int half)
{
    armilla_cuda_mixing_tile tile;
    armilla_status status = ARMILLA_OK;
    int64_t size = 0;
    for (int64_t p = first; p < end && !status; p++) {
        if (half >= 0 && b->frame->half[p] != half) continue;
        if (size == 0)
            for (int i = 0; i < MOST_TILE; i++) tile.pair[i] = -1;
        tile.pair[size++] = (int32_t)p;
        if (size < b->in_tile) continue;
        status = add_tile(b, &tile, size);
        size = 0;
    }
    return status || !size ? status : add_tile(b, &tile, size);
}

static armilla_status make_tiles(builder *b)
{
    const int64_t *stretch = b->frame->stretch;
    armilla_status status = ARMILLA_OK;
    for (int64_t p = 0, end; p < b->pairs.count && !status; p = end) {
        for (end = p + 1; end < b->pairs.count && stretch[end] == stretch[p];) end++;
        if (stretch[p] < 0)
            status = add_tiles(b, p, end, -1);
        else
            for (int half = 0; half < 2 && !status; half++) status = add_tiles(b, p, end, half);
    }
    return status;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static armilla_status add_numbers(builder *b, const double *from, int64_t count, int64_t *place)
{
    double *to = extend(&b->numbers, count, sizeof *to);
    if (!to) return ARMILLA_ERROR_MEMORY;
    memcpy(to, from, (size_t)count * sizeof *to);
    *place = b->numbers.count - count;
    return ARMILLA_OK;
}

/* Tables of a smooth kernel have n / 2 = top of their tiles. */
static armilla_status make_table(builder *b, const table_key *key, armilla_mixing_table *table)
{
    const int turns = b->radial->profile.turns, folded = key->stretch < 0;
    const int64_t n = folded ? 2 * (key->nspans * ARMILLA_MIXING_WIDTH - 1)
                             : armilla_mixing_pixels(b->frame, key->stretch);
    armilla_status status =
        armilla_mixing_table_make_discrete(n, key->half, key->angle, turns, table);
    if (status) return status;
    const int64_t length = key->half ? 2 * n : n, count = table->count;
    const int64_t waves = count * ARMILLA_MIXING_WIDTH;
    armilla_cuda_mixing_table made = {.n = n, .length = length, .folded = folded, .count = count};
    int64_t odd;
    if ((status = add_numbers(b, table->sine, count, &made.sine)) ||
        (status = add_numbers(b, table->weight, count, &made.weight)) ||
        (status = add_numbers(b, table->cosine, waves, &made.waves)) ||
        (status = add_numbers(b, table->odd, waves, &odd)) ||
        (status = add_numbers(b, table->circle, 2 * length, &made.circle)) ||
        (turns && (status = add_numbers(b, table->half_angle, 2 * count, &made.half_angle))))
        return status;
    return append(&b->tables, &made, sizeof made);
}

static void count_samples(builder *b, int64_t number, const armilla_mixing_table *table)
{
    group_plan *group = b->groups.items;
    for (int64_t i = 0; i < b->groups.count; i++)
        if (group[i].made.table == number)
            group[i].made.count = armilla_mixing_table_samples(table, group[i].ratio);
}

static armilla_status make_tables(builder *b)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < b->keys.count && !status; i++) {
        armilla_mixing_table table = {0};
        status = make_table(b, (const table_key *)b->keys.items + i, &table);
        if (!status) count_samples(b, i, &table);
        armilla_mixing_table_clear(&table);
    }
    return status;
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* A leg has rows for the orders of its last pairs: limits must rise. */
static armilla_status take_pairs(builder *b)
{
    const armilla_status status = armilla_ring_pairs_take(&b->frame->pairs, 0, 1, &b->pairs);
    if (status) return status;
    int64_t *limit = b->pairs.limit;
    for (int64_t p = 1; p < b->pairs.count; p++) limit[p] = armilla_larger(limit[p], limit[p - 1]);
    return ARMILLA_OK;
}

static armilla_status pack_groups(const builder *b, armilla_cuda_mixing_group **groups)
{
    const group_plan *group = b->groups.items;
    const armilla_status status = armilla_allocate(groups, b->groups.count, sizeof **groups);
    for (int64_t i = 0; i < b->groups.count && !status; i++) (*groups)[i] = group[i].made;
    return status;
}

/* Room for a call's ring stage, as transforms have it by default. */
static int64_t ring_bytes(int64_t npix)
{
    return armilla_larger(INT64_C(512) << 20, 16 * npix);
}

/* Rings in RING order, which the frame's are but for their stride where maps are NESTED. */
static armilla_status take_rings(const builder *b, armilla_ring **rings)
{
    const int64_t nrings = b->frame->nrings;
    const armilla_status status = armilla_allocate(rings, nrings, sizeof **rings);
    for (int64_t r = 0; r < nrings && !status; r++) {
        (*rings)[r] = b->frame->rings[r];
        if (armilla_grid_nested(b->radial->grid)) (*rings)[r].stride = 1;
    }
    return status;
}

/* The divisors of maps in NESTED order, in RING order. Returned: *divisor  new, or NULL: none. */
static armilla_status take_divisors(const armilla_radial *radial, double **divisor)
{
    const armilla_grid *grid = radial->grid;
    *divisor = NULL;
    if (!radial->divisor_map || !armilla_grid_nested(grid)) return ARMILLA_OK;
    const armilla_status status = armilla_allocate_zero(divisor, grid->npix, sizeof **divisor);
    for (int64_t r = 0; r < grid->nrings && !status; r++)
        for (int64_t j = 0; j < grid->rings[r].nphi; j++)
            (*divisor)[grid->rings[r].offset + j] =
                radial->divisor_map[armilla_grid_place(grid, r, j)];
    return status;
}

static armilla_status make_plan(const builder *b, armilla_cuda_radial_plan **plan)
{
    const armilla_radial *radial = b->radial;
    const armilla_profile *profile = &radial->profile;
    const int64_t curves = profile->ncells ? 2 * profile->ncells : 1;
    armilla_cuda_mixing_group *groups = NULL;
    armilla_ring *rings = NULL;
    double *divisor = NULL;
    armilla_cuda_mixing_problem problem = {.view = {.ntasks = b->tasks.count,
                                                    .turns = profile->turns,
                                                    .tasks = b->tasks.items,
                                                    .tiles = b->tiles.items,
                                                    .tables = b->tables.items,
                                                    .numbers = b->numbers.items,
                                                    .sine = b->frame->sine,
                                                    .degree = profile->degree,
                                                    .ncells = profile->ncells,
                                                    .end = profile->end,
                                                    .coef = profile->coef,
                                                    .border = profile->border},
                                           .ntiles = b->tiles.count,
                                           .ngroups = b->groups.count,
                                           .ntables = b->tables.count,
                                           .nnumbers = b->numbers.count,
                                           .ncoef = curves * (profile->degree + 1),
                                           .pairs = &b->pairs,
                                           .npix = radial->grid->npix,
                                           .nside = armilla_grid_nested(radial->grid),
                                           .ring_bytes = ring_bytes(radial->grid->npix),
                                           .device_bytes = radial->options.device_bytes,
                                           .scalar = radial->scalar ? radial->scalar->cuda : NULL};
    for (int64_t r = 0; r < b->frame->nrings; r++) problem.samples += b->frame->rings[r].nphi;
    armilla_status status = pack_groups(b, &groups);
    if (!status) status = take_rings(b, &rings);
    if (!status) status = take_divisors(radial, &divisor);
    problem.view.groups = groups, problem.rings = rings;
    problem.divisor = divisor ? divisor : radial->divisor_map;
    if (!status) status = armilla_cuda()->radial->by_rings(&problem, plan);
    armilla_release(groups), armilla_release(rings), armilla_release(divisor);
    return status;
}

static void clear(builder *b)
{
    armilla_release(b->tasks.items), armilla_release(b->tiles.items);
    armilla_release(b->groups.items), armilla_release(b->tables.items);
    armilla_release(b->numbers.items), armilla_release(b->keys.items);
    armilla_ring_pairs_clear(&b->pairs);
}

armilla_status armilla_radial_make_device_rings(armilla_radial *radial)
{
    builder b = {.radial = radial, .in_tile = radial->profile.turns ? MOST_TILE / 2 : MOST_TILE};
    if (!radial->mixing || !radial->all_mixed)
        return armilla_fail(
            ARMILLA_ERROR_UNSUPPORTED,
            "options->method = RINGS: some rings cannot go by it (the kernel jumps at its "
            "support %g, and they lie beside rings of another length); on a GPU "
            "all rings go by one method",
            radial->options.support);
    b.frame = armilla_mixing_frame_of(radial->mixing);
    armilla_status status = take_pairs(&b);
    if (!status) status = make_tiles(&b);
    if (!status) status = make_tables(&b);
    if (!status) status = make_plan(&b, &radial->cuda);
    clear(&b);
    return status;
}
