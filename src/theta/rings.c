/* Rings in twos. Neighbours share the loads and stores of the circle: that saves time as long as
 * the samples they add to each other's are few, and spreading, which stores, is what it saves most.
 * Northern and southern rings are put together one by one: where they mirror each other, with one
 * set of weights. */
#include "theta/rings.h"

#include "base/memory.h"

#include <math.h>

/* Most samples between the first samples of two rings that go together. */
enum { SHARE = 4 };

/* One side of a group. */
typedef struct {
    int count;
    int8_t pair[2]; /* of the tile */
    int64_t place;
    int32_t taps;
} half_group;

/* First sample within reach. */
static int64_t first_sample(const armilla_theta_window *window, long double position)
{
    return (int64_t)ceill(position - 0.5L * (long double)window->taps);
}

/* The rings of one side of the pairs begin .. end - 1. Returned: number of halves. */
static int make_halves(const armilla_theta_window *window, const int64_t *rings,
                       const long double *position, int64_t begin, int64_t end, half_group *halves)
{
    int count = 0;
    for (int64_t i = begin; i < end; i++) {
        if (rings[i] < 0) continue;
        const int64_t place = first_sample(window, position[i]);
        half_group *last = count > 0 ? &halves[count - 1] : NULL;
        const int64_t gap = last && last->count == 1 ? place - last->place : SHARE + 1;
        if (gap >= 0 && gap <= SHARE) {
            last->pair[1] = (int8_t)(i - begin);
            last->count = 2;
            last->taps += (int32_t)gap;
            continue;
        }
        halves[count++] = (half_group){1, {(int8_t)(i - begin), -1}, place, (int32_t)window->taps};
    }
    return count;
}

/* Number `total` is where the next weights begin. */
static armilla_theta_group make_group(const half_group *north, const half_group *south,
                                      int mirrored, int64_t *total)
{
    const half_group *any = north ? north : south, *sides[2] = {north, south};
    armilla_theta_group group = {.pair = {{-1, -1}, {-1, -1}}, .taps = any->taps};
    if (south && south->taps > group.taps) group.taps = south->taps;
    group.same = mirrored && north && south && north->pair[0] == south->pair[0] &&
                 north->pair[1] == south->pair[1];
    for (int side = 0; side < 2; side++) {
        const half_group *half = sides[side];
        group.place[side] = half ? half->place : any->place;
        if (!half) continue; /* the weights at 0 are zeros */
        group.pair[side][0] = half->pair[0], group.pair[side][1] = half->pair[1];
        group.two |= half->count > 1;
        group.weights[side] = *total;
        if (side || !group.same) *total += 2 * group.taps;
    }
    return group;
}

/* Do the rings of all whole pairs mirror each other? */
static int all_mirrored(const armilla_ring_pairs *pairs)
{
    for (int64_t i = 0; i < pairs->count; i++)
        if (pairs->south_theta[i] != pairs->theta[i]) return 0;
    return 1;
}

/* All groups; returned: numbers of the weights. */
static int64_t make_groups(const armilla_theta_window *window, const armilla_ring_pairs *pairs,
                           const armilla_theta_positions *positions, armilla_theta_rings *rings)
{
    const int mirrored = all_mirrored(pairs);
    int64_t total = 2 * (window->taps + SHARE), ngroups = 0, tile = 0;
    for (int64_t begin = 0; begin < pairs->count; begin += ARMILLA_THETA_TILE) {
        const int64_t rest = pairs->count - begin;
        const int64_t end = rest < ARMILLA_THETA_TILE ? pairs->count : begin + ARMILLA_THETA_TILE;
        half_group halves[2][ARMILLA_THETA_TILE];
        const int north =
            make_halves(window, pairs->north, positions->position[0], begin, end, halves[0]);
        const int south =
            make_halves(window, pairs->south, positions->position[1], begin, end, halves[1]);
        for (int i = 0; i < north || i < south; i++)
            rings->groups[ngroups++] =
                make_group(i < north ? &halves[0][i] : NULL, i < south ? &halves[1][i] : NULL,
                           mirrored, &total);
        rings->tile_first[++tile] = ngroups;
    }
    return total;
}

static void fill_ring(const armilla_theta_window *window, long double position, double factor,
                      const armilla_theta_group *group, int side, double *weights)
{
    enum { STEP = ARMILLA_THETA_WINDOW_VALUES };
    long double values[STEP];
    for (int64_t tap = 0; tap < group->taps; tap += STEP) {
        const long double distance = position - (long double)(group->place[side] + tap);
        armilla_theta_window_values(window, distance, values);
        for (int64_t i = 0; i < STEP && tap + i < group->taps; i++)
            weights[2 * (tap + i)] = (double)(factor * values[i]);
    }
}

static void fill_weights(const armilla_theta_window *window,
                         const armilla_theta_positions *positions, armilla_theta_rings *rings)
{
    const int64_t ntiles = (rings->npairs + ARMILLA_THETA_TILE - 1) / ARMILLA_THETA_TILE;
    for (int64_t tile = 0; tile < ntiles; tile++)
        for (int64_t g = rings->tile_first[tile]; g < rings->tile_first[tile + 1]; g++) {
            const armilla_theta_group *group = rings->groups + g;
            for (int i = 0; i < (group->same ? 2 : 4); i++) {
                const int64_t pair = tile * ARMILLA_THETA_TILE + group->pair[i / 2][i % 2];
                if (group->pair[i / 2][i % 2] < 0) continue;
                fill_ring(window, positions->position[i / 2][pair], positions->factor[i / 2][pair],
                          group, i / 2, rings->weights + group->weights[i / 2] + i % 2);
            }
        }
}

armilla_status armilla_theta_rings_make(const armilla_theta_window *window,
                                        const armilla_ring_pairs *pairs,
                                        const armilla_theta_positions *positions,
                                        armilla_theta_rings *rings)
{
    const int64_t ntiles = (pairs->count + ARMILLA_THETA_TILE - 1) / ARMILLA_THETA_TILE;
    armilla_status status;
    *rings = (armilla_theta_rings){.npairs = pairs->count, .length = window->length, .sign = 1};
    rings->margin = (window->taps / 2 + 2 + 7) / 8 * 8;
    for (int64_t i = 0; i < pairs->count; i++)
        rings->missing |= pairs->north[i] < 0 || pairs->south[i] < 0;
    if ((status = armilla_allocate_zero(&rings->tile_first, ntiles + 1, sizeof(int64_t))) ||
        (status = armilla_allocate(&rings->groups, pairs->count, sizeof *rings->groups)))
        return status;
    rings->nweights = make_groups(window, pairs, positions, rings);
    status = armilla_allocate_zero(&rings->weights, rings->nweights, sizeof(double));
    if (!status) fill_weights(window, positions, rings);
    return status;
}

void armilla_theta_rings_clear(armilla_theta_rings *rings)
{
    armilla_release(rings->tile_first);
    armilla_release(rings->groups);
    armilla_release(rings->weights);
    *rings = (armilla_theta_rings){.npairs = 0};
}

int64_t armilla_theta_rings_bytes(const armilla_theta_rings *rings)
{
    return rings->npairs / ARMILLA_THETA_TILE * (int64_t)sizeof(int64_t) +
           rings->npairs * (int64_t)sizeof *rings->groups +
           rings->nweights * (int64_t)sizeof(double);
}
