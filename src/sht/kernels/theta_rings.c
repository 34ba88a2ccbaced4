/* Between rows of leg and circles (docs/mathematics.md 6).
 *
 * A stage holds the four vectors of ARMILLA_THETA_BLOCK ring pairs: even north, even south, odd
 * north, odd south. For an even column E and an odd column O the circle has E + O at theta and
 * E - O at -theta; a reversed circle has them the other way round.
 *
 * The rings theta, -theta, pi - theta, pi + theta see the same samples' distances: one weight
 * serves four. Two neighbouring pairs share the loads of the circle. */
#include "legendre/simd/simd.h"
#include "sht/kernels/theta_kernels.h"

#include <stddef.h>
#include <string.h>

ARMILLA_THETA_DECLARE(ARMILLA_ISA_NAME)

enum {
    CHUNK = VLEN > 1 ? 2 : 1, /* neighbouring doubles of a row that share a vector */
    CHUNKS = VLEN / CHUNK,
    PAIR = 4 * VLEN /* doubles of a pair in the stage */
};

/* Where the copy between rows and stage begins, and how far it goes. */
typedef struct {
    int64_t first, end;
    int64_t offset; /* of the first pair in the stage */
} copied_pairs;

static copied_pairs choose_pairs(const armilla_theta_rows *rows, int64_t begin, int64_t end)
{
    int64_t first = begin < rows->first ? rows->first : begin;
    return (copied_pairs){first, end, (first - begin) * PAIR};
}

ARMILLA_ALWAYS_INLINE void copy_pairs(const armilla_theta_rows *rows, copied_pairs pairs,
                                      double *row, double *lanes, const int to_row)
{
    const int64_t *places = rows->places;
    for (int64_t i = pairs.first; i < pairs.end; i++, lanes += PAIR) {
        double *pair = row + 4 * (places ? places[i] : i);
        memcpy(to_row ? pair : lanes, to_row ? lanes : pair, CHUNK * sizeof *row);
        memcpy(to_row ? pair + 2 : lanes + VLEN, to_row ? lanes + VLEN : pair + 2,
               CHUNK * sizeof *row);
    }
}

/* Pairs begin .. end - 1 of the rows to the stage; zeros before rows->first. */
static void gather(const armilla_theta_rows *rows, int64_t begin, int64_t end, double *stage)
{
    copied_pairs pairs = choose_pairs(rows, begin, end);
    int complete = pairs.first == begin;
    for (int i = 0; i < 2 * CHUNKS; i++) complete &= rows->row[i / CHUNKS][i % CHUNKS] != NULL;
    if (!complete) memset(stage, 0, (size_t)((end - begin) * PAIR) * sizeof *stage);
    for (int parity = 0; parity < 2; parity++)
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            double *lanes = stage + pairs.offset + 2 * parity * VLEN + chunk * CHUNK;
            double *row = rows->row[parity][chunk];
            if (row) copy_pairs(rows, pairs, row, lanes, 0);
        }
}

static void scatter(const armilla_theta_rows *rows, int64_t begin, int64_t end, double *stage)
{
    copied_pairs pairs = choose_pairs(rows, begin, end);
    for (int parity = 0; parity < 2; parity++)
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            double *lanes = stage + pairs.offset + 2 * parity * VLEN + chunk * CHUNK;
            double *row = rows->row[parity][chunk];
            if (row) copy_pairs(rows, pairs, row, lanes, 1);
        }
}

static int64_t block_end(int64_t begin, int64_t end)
{
    return end - begin < ARMILLA_THETA_BLOCK ? end : begin + ARMILLA_THETA_BLOCK;
}

/* Even + odd to one place, even - odd to its mirror image; at a pole both are one, and odd is 0. */
ARMILLA_ALWAYS_INLINE void put(double *place, double *image, const double *pair)
{
    vec even = v_load(pair), odd = v_load(pair + 2 * VLEN);
    v_store(place, place == image ? even : v_add(even, odd));
    if (place != image) v_store(image, v_sub(even, odd));
}

ARMILLA_ALWAYS_INLINE void take(const double *place, const double *image, double *pair)
{
    vec a = v_load(place), b = v_load(image);
    v_store(pair, place == image ? a : v_add(a, b));
    v_store(pair + 2 * VLEN, v_sub(a, b));
}

void ARMILLA_KERNEL(armilla_theta_extend)(int64_t n, const armilla_theta_rows *rows, double *circle,
                                          double *stage)
{
    const int64_t npairs = n / 2 + 1;
    for (int64_t begin = 0, end; begin < npairs; begin = end) {
        end = block_end(begin, npairs);
        gather(rows, begin, end, stage);
        for (int64_t i = begin; i < end; i++) {
            const double *pair = stage + (i - begin) * PAIR;
            int64_t north_image = i == 0 ? 0 : 2 * n - i;
            put(circle + i * VLEN, circle + north_image * VLEN, pair);
            if (2 * i < n) put(circle + (n - i) * VLEN, circle + (n + i) * VLEN, pair + VLEN);
        }
    }
}

void ARMILLA_KERNEL(armilla_theta_fold)(int64_t n, const armilla_theta_rows *rows,
                                        const double *circle, double *stage)
{
    const int64_t npairs = n / 2 + 1;
    for (int64_t begin = 0, end; begin < npairs; begin = end) {
        end = block_end(begin, npairs);
        memset(stage, 0, ARMILLA_THETA_BLOCK * PAIR * sizeof *stage);
        for (int64_t i = begin; i < end; i++) {
            double *pair = stage + (i - begin) * PAIR;
            int64_t north_image = i == 0 ? 0 : 2 * n - i;
            take(circle + i * VLEN, circle + north_image * VLEN, pair);
            if (2 * i < n) take(circle + (n - i) * VLEN, circle + (n + i) * VLEN, pair + VLEN);
        }
        scatter(rows, begin, end, stage);
    }
}

/* Groups from `group` on whose pairs fit one block. */
static int64_t group_end(const armilla_theta_rings *rings, int64_t group)
{
    int64_t limit = rings->first[group] + ARMILLA_THETA_BLOCK, end = group;
    while (end < rings->ngroups && rings->first[end + 1] <= limit) end++;
    return end;
}

static int64_t first_group(const armilla_theta_rings *rings, int64_t first_pair)
{
    int64_t low = 0, high = rings->ngroups;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (rings->first[middle + 1] <= first_pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Samples around theta, -theta, pi - theta and pi + theta: number `tap` of a group. */
typedef struct {
    int64_t north, north_image, south, south_image;
} four_places;

ARMILLA_ALWAYS_INLINE four_places places_of(const armilla_theta_rings *rings, int64_t group)
{
    int64_t place = rings->place[group], length = rings->length;
    return (four_places){place * VLEN, (length - place) * VLEN, (length / 2 - place) * VLEN,
                         (length / 2 + place) * VLEN};
}

static void interpolate_group(const armilla_theta_rings *rings, int64_t group, const double *circle,
                              double *stage)
{
    const int64_t taps = rings->taps;
    const double *weights = rings->weights + group * taps * ARMILLA_THETA_GROUP;
    four_places places = places_of(rings, group);
    const double *up0 = circle + places.north, *down0 = circle + places.north_image;
    const double *down1 = circle + places.south, *up1 = circle + places.south_image;
    vec a0 = v_all(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    for (int64_t tap = 0; tap < taps; tap++) {
        vec a = v_all(weights[2 * tap]), b = v_all(weights[2 * tap + 1]);
        vec s0 = v_load(up0 + tap * VLEN), s1 = v_load(down0 - tap * VLEN);
        vec s2 = v_load(down1 - tap * VLEN), s3 = v_load(up1 + tap * VLEN);
        a0 = v_fma(a, s0, a0), b0 = v_fma(b, s0, b0);
        a1 = v_fma(a, s1, a1), b1 = v_fma(b, s1, b1);
        a2 = v_fma(a, s2, a2), b2 = v_fma(b, s2, b2);
        a3 = v_fma(a, s3, a3), b3 = v_fma(b, s3, b3);
    }
    v_store(stage, v_add(a1, a0)), v_store(stage + VLEN, v_add(a3, a2));
    v_store(stage + 2 * VLEN, v_sub(a1, a0)), v_store(stage + 3 * VLEN, v_sub(a3, a2));
    stage += PAIR;
    if (rings->first[group + 1] - rings->first[group] < 2) return;
    v_store(stage, v_add(b1, b0)), v_store(stage + VLEN, v_add(b3, b2));
    v_store(stage + 2 * VLEN, v_sub(b1, b0)), v_store(stage + 3 * VLEN, v_sub(b3, b2));
}

void ARMILLA_KERNEL(armilla_theta_interpolate)(const armilla_theta_rings *rings,
                                               const armilla_theta_rows *rows, const double *circle,
                                               double *stage)
{
    int64_t group = first_group(rings, rows->first);
    while (group < rings->ngroups) {
        int64_t begin = rings->first[group], end = group_end(rings, group);
        for (; group < end; group++)
            interpolate_group(rings, group, circle, stage + (rings->first[group] - begin) * PAIR);
        scatter(rows, begin, rings->first[end], stage);
    }
}

ARMILLA_ALWAYS_INLINE void add_two(double *place, vec a, vec x, vec b, vec y)
{
    v_store(place, v_fma(b, y, v_fma(a, x, v_load(place))));
}

/* The places may coincide next to poles and equator: one is finished before the next is read. */
static void spread_group(const armilla_theta_rings *rings, int64_t group, const double *stage,
                         double *circle)
{
    const int64_t taps = rings->taps;
    const double *weights = rings->weights + group * taps * ARMILLA_THETA_GROUP;
    four_places places = places_of(rings, group);
    const int single = rings->first[group + 1] - rings->first[group] < 2;
    const double *other = single ? stage : stage + PAIR; /* its weights are 0 */
    vec ea = v_load(stage), fa = v_load(stage + VLEN), eb = v_load(other),
        fb = v_load(other + VLEN);
    vec oa = v_load(stage + 2 * VLEN), pa = v_load(stage + 3 * VLEN);
    vec ob = v_load(other + 2 * VLEN), pb = v_load(other + 3 * VLEN);
    vec a0 = v_sub(ea, oa), a1 = v_add(ea, oa), a2 = v_sub(fa, pa), a3 = v_add(fa, pa);
    vec b0 = v_sub(eb, ob), b1 = v_add(eb, ob), b2 = v_sub(fb, pb), b3 = v_add(fb, pb);
    for (int64_t tap = 0; tap < taps; tap++) {
        vec a = v_all(weights[2 * tap]), b = v_all(weights[2 * tap + 1]);
        add_two(circle + places.north + tap * VLEN, a, a0, b, b0);
        add_two(circle + places.north_image - tap * VLEN, a, a1, b, b1);
        add_two(circle + places.south - tap * VLEN, a, a2, b, b2);
        add_two(circle + places.south_image + tap * VLEN, a, a3, b, b3);
    }
}

void ARMILLA_KERNEL(armilla_theta_spread)(const armilla_theta_rings *rings,
                                          const armilla_theta_rows *rows, double *circle,
                                          double *stage)
{
    int64_t group = first_group(rings, rows->first);
    while (group < rings->ngroups) {
        int64_t begin = rings->first[group], end = group_end(rings, group);
        gather(rows, begin, rings->first[end], stage);
        for (; group < end; group++)
            spread_group(rings, group, stage + (rings->first[group] - begin) * PAIR, circle);
    }
}
