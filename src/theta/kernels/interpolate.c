/* Between a circle and rings that see it through a window (docs/mathematics.md 6).
 *
 * The rings theta, -theta, pi - theta, pi + theta see the samples of the circle at the same
 * distances: one weight serves four. Two neighbouring rings share the loads of the circle. */
#include "theta/kernels/tile.h"

/* Samples around the northern ring, its image, the southern ring and its image: number `tap` of a
 * group is tap further on, further back, further back and further on. */
typedef struct {
    int64_t north, north_image, south, south_image;
} four_places;

ARMILLA_ALWAYS_INLINE four_places places_of(const armilla_theta_rings *rings,
                                            const armilla_theta_group *group)
{
    const int64_t length = rings->length, north = group->place[0], south = group->place[1];
    return (four_places){north * VLEN, (length - north) * VLEN, (length / 2 - south) * VLEN,
                         (length / 2 + south) * VLEN};
}

/* up, down: sums at theta and at -theta, or reversed */
ARMILLA_ALWAYS_INLINE void put_ring(int pair, int south, vec sign, vec up, vec down, double *tile)
{
    if (pair < 0) return;
    double *ring = tile + pair * PAIR + south * VLEN;
    v_store(ring, v_add(up, down));
    v_store(ring + 2 * VLEN, v_mul(sign, v_sub(up, down)));
}

ARMILLA_ALWAYS_INLINE void interpolate_group(const armilla_theta_rings *rings,
                                             const armilla_theta_group *group, const int two,
                                             const int same, const double *circle, double *tile)
{
    const double *wn = rings->weights + group->weights[0], *ws = rings->weights + group->weights[1];
    const four_places places = places_of(rings, group);
    const double *up0 = circle + places.north, *down0 = circle + places.north_image;
    const double *down1 = circle + places.south, *up1 = circle + places.south_image;
    const vec sign = v_all(rings->sign);
    vec a0 = v_all(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    for (int64_t tap = 0; tap < group->taps; tap++) {
        const vec s0 = v_load(up0 + tap * VLEN), s1 = v_load(down0 - tap * VLEN);
        const vec s2 = v_load(down1 - tap * VLEN), s3 = v_load(up1 + tap * VLEN);
        const vec a = v_all(wn[2 * tap]), c = same ? a : v_all(ws[2 * tap]);
        a0 = v_fma(a, s0, a0), a1 = v_fma(a, s1, a1);
        a2 = v_fma(c, s2, a2), a3 = v_fma(c, s3, a3);
        if (!two) continue;
        const vec b = v_all(wn[2 * tap + 1]), d = same ? b : v_all(ws[2 * tap + 1]);
        b0 = v_fma(b, s0, b0), b1 = v_fma(b, s1, b1);
        b2 = v_fma(d, s2, b2), b3 = v_fma(d, s3, b3);
    }
    put_ring(group->pair[0][0], 0, sign, a0, a1, tile);
    put_ring(group->pair[1][0], 1, sign, a2, a3, tile);
    if (!two) return;
    put_ring(group->pair[0][1], 0, sign, b0, b1, tile);
    put_ring(group->pair[1][1], 1, sign, b2, b3, tile);
}

/* Rings that are missing stay 0. */
void ARMILLA_KERNEL(armilla_theta_kernel_interpolate)(const armilla_theta_rings *rings,
                                                      const armilla_theta_rows *rows,
                                                      const double *circle, double *tile)
{
    int64_t t = rows->least / ARMILLA_THETA_TILE;
    for (int64_t begin = t * ARMILLA_THETA_TILE, end; begin < rings->npairs; begin = end, t++) {
        end = tile_end(begin, rings->npairs);
        if (rings->missing) memset(tile, 0, ARMILLA_THETA_TILE * PAIR * sizeof *tile);
        for (int64_t g = rings->tile_first[t]; g < rings->tile_first[t + 1]; g++) {
            const armilla_theta_group *group = rings->groups + g;
            if (group->two && group->same)
                interpolate_group(rings, group, 1, 1, circle, tile);
            else if (group->two)
                interpolate_group(rings, group, 1, 0, circle, tile);
            else
                interpolate_group(rings, group, 0, 0, circle, tile);
        }
        scatter(rows, begin, end, tile);
    }
}

/* What a ring adds to the samples around theta and -theta. */
typedef struct {
    vec up, down;
} ring_values;

ARMILLA_ALWAYS_INLINE ring_values take_ring(int pair, int south, vec sign, const double *tile)
{
    if (pair < 0) return (ring_values){v_all(0), v_all(0)};
    const double *ring = tile + pair * PAIR + south * VLEN;
    const vec even = v_load(ring), odd = v_load(ring + 2 * VLEN);
    return (ring_values){v_fma(sign, odd, even), v_fnma(sign, odd, even)};
}

ARMILLA_ALWAYS_INLINE void add(double *place, vec a, vec x)
{
    v_store(place, v_fma(a, x, v_load(place)));
}

ARMILLA_ALWAYS_INLINE void add_two(double *place, vec a, vec x, vec b, vec y)
{
    v_store(place, v_fma(b, y, v_fma(a, x, v_load(place))));
}

/* The places may coincide next to poles and equator: one is finished before the next is read. */
ARMILLA_ALWAYS_INLINE void spread_group(const armilla_theta_rings *rings,
                                        const armilla_theta_group *group, const int two,
                                        const int same, const double *tile, double *circle)
{
    const double *wn = rings->weights + group->weights[0], *ws = rings->weights + group->weights[1];
    const four_places places = places_of(rings, group);
    const vec sign = v_all(rings->sign);
    const ring_values north = take_ring(group->pair[0][0], 0, sign, tile);
    const ring_values south = take_ring(group->pair[1][0], 1, sign, tile);
    ring_values north2 = north, south2 = south;
    if (two) north2 = take_ring(group->pair[0][1], 0, sign, tile);
    if (two) south2 = take_ring(group->pair[1][1], 1, sign, tile);
    for (int64_t tap = 0; tap < group->taps; tap++) {
        double *up0 = circle + places.north + tap * VLEN;
        double *down0 = circle + places.north_image - tap * VLEN;
        double *down1 = circle + places.south - tap * VLEN;
        double *up1 = circle + places.south_image + tap * VLEN;
        const vec a = v_all(wn[2 * tap]), c = same ? a : v_all(ws[2 * tap]);
        if (two) {
            const vec b = v_all(wn[2 * tap + 1]), d = same ? b : v_all(ws[2 * tap + 1]);
            add_two(up0, a, north.up, b, north2.up), add_two(down0, a, north.down, b, north2.down);
            add_two(down1, c, south.up, d, south2.up), add_two(up1, c, south.down, d, south2.down);
        } else {
            add(up0, a, north.up), add(down0, a, north.down);
            add(down1, c, south.up), add(up1, c, south.down);
        }
    }
}

void ARMILLA_KERNEL(armilla_theta_kernel_spread)(const armilla_theta_rings *rings,
                                                 const armilla_theta_rows *rows, double *circle,
                                                 double *tile)
{
    int64_t t = rows->least / ARMILLA_THETA_TILE;
    for (int64_t begin = t * ARMILLA_THETA_TILE, end; begin < rings->npairs; begin = end, t++) {
        end = tile_end(begin, rings->npairs);
        gather(rows, begin, end, tile);
        for (int64_t g = rings->tile_first[t]; g < rings->tile_first[t + 1]; g++) {
            const armilla_theta_group *group = rings->groups + g;
            if (group->two && group->same)
                spread_group(rings, group, 1, 1, tile, circle);
            else if (group->two)
                spread_group(rings, group, 1, 0, tile, circle);
            else
                spread_group(rings, group, 0, 0, tile, circle);
        }
    }
}
