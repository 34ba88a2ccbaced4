/* Checks that ring pairs in lanes give what the same pairs give one by one: every instruction set,
 * lengths of all radices, orders that differ from pair to pair, missing rings, weights, maps that
 * begin anywhere in a cache line, along rings, along theta (groups side by side), with gaps; and
 * that they are each other's transposes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "forced_lanes.h"
#include "base/memory.h"
#include "ringfft/way.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 16, ROW = 4 * MOST_PAIRS + 8 };

typedef struct {
    int64_t n, last;
    int64_t shrink;  /* pair i has orders up to last - shrink (pairs - 1 - i) */
    int64_t missing; /* south rings missing from the last pairs on; the last pair has none at all */
    int64_t start;   /* samples in front of the first ring */
    int64_t shift;   /* of every second ring, half pixels */
} problem;

static const problem problems[] = {
    {128, 63, 0, 0, 0, 0},
    {128, 63, 5, 0, 2, 0},
    {128, 63, 0, 1, 3, 0},
    {144, 71, 3, 3, 0, 0},
    {256, 127, 11, 0, 2, 0},
    {256, 40, 0, 1, 8, 0},
    {256, 0, 0, 0, 0, 0},
    {200, 99, 7, 2, 1, 0},
    {490, 244, 30, 0, 6, 0},
    {486, 242, 3, 1, 4, 0},
    {512, 255, 25, 0, 2, 0},
    {720, 359, 50, 2, 7, 0},
    {1000, 499, 50, 0, 8, 0},
    {1024, 511, 60, 1, 2, 0},
    {1024, 7, 1, 0, 2, 0},
    {2048, 1023, 99, 0, 2, 0},
    /* direct sums of prime radices; convolutions */
    {722, 360, 30, 1, 2, 0},
    {338, 168, 9, 2, 1, 0},
    {578, 288, 20, 0, 3, 0},
    {2002, 1000, 90, 3, 5, 0},
    {1558, 700, 0, 0, 0, 0},
    {442, 220, 10, 1, 2, 0},
    {34, 16, 1, 0, 1, 0},
    {74, 36, 2, 1, 2, 0},
    {202, 100, 9, 2, 3, 0},
    {262, 130, 11, 0, 0, 0},
    {1042, 520, 50, 1, 8, 0},
    {1084, 541, 3, 2, 1, 0},
    {3602, 1800, 99, 0, 2, 0},
    /* near transforms with short halves, or one */
    {8, 3, 0, 0, 2, 0},
    {10, 4, 1, 1, 3, 0},
    {16, 7, 0, 2, 0, 0},
    {24, 11, 1, 0, 1, 0},
    {30, 5, 0, 1, 2, 0},
    {48, 23, 2, 0, 2, 0},
    {36, 17, 0, 1, 3, 0},
    {42, 12, 3, 2, 0, 0},
    {54, 26, 1, 0, 1, 0},
    {52, 17, 0, 0, 2, 0},
    {58, 28, 4, 1, 2, 0},
    {62, 30, 2, 3, 1, 0},
    {82, 40, 9, 0, 8, 0},
    {64, 21, 1, 0, 2, 0},
    {192, 63, 9, 1, 2, 0},
    /* odd lengths: a pair per lane */
    {225, 112, 5, 0, 1, 0},
    {225, 112, 0, 3, 0, 0},
    {127, 63, 4, 1, 2, 0},
    {511, 255, 20, 2, 3, 0},
    {361, 180, 9, 1, 0, 0},
    {735, 300, 30, 0, 7, 0},
    {1023, 511, 40, 1, 1, 0},
    {31, 15, 1, 0, 0, 0},
    {1101, 550, 0, 2, 1, 0},
    {2047, 1023, 99, 0, 5, 0},
    {243, 0, 0, 0, 0, 0},
    {9, 4, 1, 0, 2, 0},
    {15, 7, 0, 1, 0, 0},
    {29, 10, 2, 2, 1, 0},
    {63, 31, 5, 0, 2, 0},
    {95, 40, 0, 3, 1, 0},
    {129, 64, 9, 1, 3, 0},
    {175, 87, 10, 0, 0, 0},
    /* shifted rings, orders beyond half of the samples */
    {128, 63, 5, 0, 2, 1},
    {256, 128, 9, 2, 1, 1},
    {144, 100, 12, 1, 3, 1},
    {128, 64, 0, 0, 0, 0},
    {128, 127, 20, 0, 1, 0},
    {722, 721, 100, 1, 2, 1},
    {1042, 700, 40, 0, 5, 3},
    {512, 383, 30, 2, 2, 1},
    {200, 199, 3, 0, 0, 1},
    {1024, 767, 90, 0, 2, 1},
    {34, 33, 2, 1, 1, 1},
    {512, 511, 600, 0, 0, 5},
    {34, 16, 1, 2, 0, -5},
    {8, 7, 0, 1, 2, 1},
    {22, 15, 1, 2, 0, 1},
    {48, 47, 3, 1, 2, 1},
    {36, 20, 2, 0, 1, 3},
    {62, 61, 0, 2, 3, 1},
    {256, 200, 30, 3, 1, 512},
    {128, 70, 3, 2, 0, -256},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* Samples of a ring side by side, or those of one longitude, or a double between two, backwards. */
typedef enum { ALONG_RINGS, ALONG_THETA, GAPS, LAYOUTS } layout;

typedef struct {
    const problem *p;
    armilla_isa isa;
    layout samples;
    armilla_ringfft *ringfft;
    int64_t lanes; /* pairs: of one group, along theta of up to five, some of them side by side */
    armilla_ring rings[2 * MOST_PAIRS];
    armilla_ring_pair pairs[MOST_PAIRS];
    int64_t map_size, leg_size;
    double *scratch;
    int stream; /* past the caches */
} bench;

static double *allocated(int64_t count)
{
    double *result;
    assert_int_equal(armilla_allocate_zero(&result, count, sizeof *result), ARMILLA_OK);
    return result;
}

static double *random_values(int64_t count)
{
    static uint64_t seed = 3;
    double *values = allocated(count);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
    return values;
}

/* Norths in front, souths in opposite sequence, as in a grid. */
static void make_pairs(bench *b)
{
    const problem *p = b->p;
    const int64_t rings = 2 * b->lanes, stride[LAYOUTS] = {1, rings, -2};
    for (int64_t i = 0; i < rings; i++) {
        const int64_t offset[LAYOUTS] = {i * p->n, i, 2 * (i * p->n + p->n - 1)};
        b->rings[i] = (armilla_ring){1,
                                     p->n,
                                     i % 2 ? M_PI * (double)p->shift / (double)p->n : 0,
                                     p->start + offset[b->samples],
                                     stride[b->samples],
                                     0.5 + 0.1 * (double)i};
    }
    for (int64_t i = 0; i < b->lanes; i++) {
        const int64_t last = p->last - p->shrink * (b->lanes - 1 - i);
        b->pairs[i] = (armilla_ring_pair){i, rings - 1 - i, last < 0 ? 0 : last};
        if (b->lanes - i <= p->missing) b->pairs[i].south = -1;
    }
    if (p->missing > 1 && b->lanes > 2) /* none at all */
        b->pairs[b->lanes - 1] = (armilla_ring_pair){-1, -1, -1};
}

static bench set_up(int number, armilla_isa isa, layout samples)
{
    const problem *p = &problems[number];
    bench b = {.p = p, .isa = isa, .samples = samples};
    armilla_ringfft *probe;
    armilla_ring ring = {1, p->n, 0, 0, 1, 1};
    assert_int_equal(
        armilla_ringfft_new(
            &(armilla_ringfft_problem){armilla_machine_with(isa), 1, &ring, p->last, 0,
                                       forced_lanes(&(armilla_forced){.count = 0}), NULL, 0},
            &probe),
        ARMILLA_OK);
    const int64_t group = armilla_ringfft_lanes(probe), groups = 1 + number % 5;
    b.lanes = samples == ALONG_THETA && groups * group <= MOST_PAIRS ? groups * group : group;
    armilla_ringfft_free(probe);
    make_pairs(&b);
    const int parts = number % 2; /* room for them, too */
    assert_int_equal(
        armilla_ringfft_new(
            &(armilla_ringfft_problem){armilla_machine_with(isa), b.lanes ? 2 * b.lanes : 1,
                                       b.lanes ? b.rings : &ring, p->last, parts,
                                       forced_lanes(&(armilla_forced){.count = 0}), NULL, 0},
            &b.ringfft),
        ARMILLA_OK);
    b.scratch = allocated(armilla_ringfft_scratch_size(b.ringfft));
    b.map_size = p->start + (samples == GAPS ? 4 : 2) * b.lanes * p->n + 8;
    b.leg_size = (p->last + 1) * ROW;
    return b;
}

static void tear_down(bench *b)
{
    armilla_release(b->scratch);
    armilla_ringfft_free(b->ringfft);
}

static armilla_ringfft_mode weighted(const bench *b, int yes)
{
    return (armilla_ringfft_mode){.weighted = yes, .stream = b->stream};
}

/* Random entries; not numbers where a pair has no such order. Order 0 is real. */
static double *random_leg(const bench *b)
{
    double *leg = random_values(b->leg_size);
    for (int64_t m = 0; m <= b->p->last; m++)
        for (int64_t i = 0; i < b->lanes; i++) {
            double *entry = leg + m * ROW + 4 * i;
            if (m == 0) entry[1] = entry[3] = 0;
            if (m > b->pairs[i].last || (b->pairs[i].north < 0 && b->pairs[i].south < 0))
                entry[0] = entry[1] = entry[2] = entry[3] = NAN;
        }
    return leg;
}

static int exists(const bench *b, int64_t i)
{
    return b->pairs[i].north >= 0 || b->pairs[i].south >= 0;
}

/* All pairs, of one set; the last one may be none. */
static armilla_ring_batch make_batch(const bench *b, int with_weights, const double *leg,
                                     armilla_array map)
{
    return (armilla_ring_batch){.ringfft = b->ringfft,
                                .mode = weighted(b, with_weights),
                                .sets = {.count = 1, .row_length = ROW},
                                .count =
                                    b->lanes && !exists(b, b->lanes - 1) ? b->lanes - 1 : b->lanes,
                                .pairs = b->pairs,
                                .leg = (double *)leg,
                                .map = map,
                                .scratch = b->scratch};
}

/* Pair number i of the batch. */
static armilla_ring_batch one_pair(const armilla_ring_batch *batch, int64_t i)
{
    armilla_ring_batch one = *batch;
    one.count = 1, one.pairs += i, one.leg += 4 * i;
    return one;
}

/* What a call finds in its scratch must not matter. */
static void spoil_scratch(const bench *b)
{
    const int64_t size = armilla_ringfft_scratch_size(b->ringfft);
    for (int64_t i = 0; i < size; i++) b->scratch[i] = NAN;
}

static double *synthesize(const bench *b, int together, int with_weights, const double *leg)
{
    double *map = allocated(b->map_size);
    const armilla_ring_batch batch = make_batch(b, with_weights, leg, (armilla_array){map, 0});
    spoil_scratch(b);
    if (together) armilla_ring_way_lanes.run(&batch, 1);
    for (int64_t i = 0; i < b->lanes && !together; i++) {
        const armilla_ring_batch one = one_pair(&batch, i);
        if (exists(b, i)) armilla_ring_way_alone.run(&one, 1);
    }
    return map;
}

/* Entries behind a pair's last order may hold anything: here 0. */
static double *analyse(const bench *b, int together, int with_weights, double *map)
{
    double *leg = allocated(b->leg_size);
    const armilla_ring_batch batch = make_batch(b, with_weights, leg, (armilla_array){map, 0});
    spoil_scratch(b);
    if (together) armilla_ring_way_lanes.run(&batch, 0);
    for (int64_t i = 0; i < b->lanes; i++) {
        const armilla_ring_batch one = one_pair(&batch, i);
        if (!together && exists(b, i)) armilla_ring_way_alone.run(&one, 0);
        for (int64_t m = b->pairs[i].last + 1; m <= b->p->last; m++)
            memset(leg + m * ROW + 4 * i, 0, 4 * sizeof *leg);
    }
    return leg;
}

static void check(const bench *b, const char *what, int64_t count, const double *value,
                  const double *expected)
{
    double error = 0, norm = 0;
    for (int64_t i = 0; i < count; i++) {
        error += (value[i] - expected[i]) * (value[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    if (sqrt(error) <= 1.5e-15 * sqrt(norm)) return;
    print_error("%s: %s, n %lld, last %lld: error %g\n", armilla_isa_label(b->isa), what,
                (long long)b->p->n, (long long)b->p->last, sqrt(error / norm));
    fail();
}

static void check_equal(bench *b)
{
    for (int with_weights = 0; with_weights < 2; with_weights++) {
        double *leg = random_leg(b), *map = random_values(b->map_size);
        double *one = synthesize(b, 0, with_weights, leg);
        double *all = synthesize(b, 1, with_weights, leg);
        check(b, "synthesis", b->map_size, all, one);
        armilla_release(one), armilla_release(all);
        one = analyse(b, 0, with_weights, map), all = analyse(b, 1, with_weights, map);
        check(b, "analysis", b->leg_size, all, one);
        armilla_release(one), armilla_release(all);
        armilla_release(leg), armilla_release(map);
    }
}

/* Maps of floats: the same bits as maps of doubles, rounded. */
static void check_floats(bench *b)
{
    double *leg = random_leg(b), *map = random_values(b->map_size);
    float *values = calloc((size_t)b->map_size, sizeof *values);
    assert_non_null(values);
    double *of_doubles = synthesize(b, 1, 1, leg);
    spoil_scratch(b);
    armilla_ring_batch batch = make_batch(b, 1, leg, (armilla_array){values, 1});
    armilla_ring_way_lanes.run(&batch, 1);
    for (int64_t i = 0; i < b->map_size; i++)
        assert_true(memcmp(&values[i], &(float){(float)of_doubles[i]}, sizeof *values) == 0);
    for (int64_t i = 0; i < b->map_size; i++) values[i] = (float)map[i], map[i] = (double)values[i];
    double *expected = analyse(b, 1, 1, map), *found = allocated(b->leg_size);
    spoil_scratch(b);
    batch.leg = found;
    armilla_ring_way_lanes.run(&batch, 0);
    for (int64_t i = 0; i < b->lanes; i++)
        for (int64_t m = 0; m <= b->pairs[i].last; m++)
            assert_memory_equal(found + m * ROW + 4 * i, expected + m * ROW + 4 * i,
                                4 * sizeof *found);
    armilla_release(leg), armilla_release(map), armilla_release(of_doubles);
    armilla_release(expected), armilla_release(found), free(values);
}

/* A pair in the company of others and by itself: the same bits. */
static void check_alone(bench *b)
{
    double *leg = random_leg(b), *map = random_values(b->map_size);
    double *maps = synthesize(b, 1, 1, leg), *legs = analyse(b, 1, 1, map);
    const armilla_ring_pair none = {-1, -1, -1};
    for (int64_t i = 0; i < b->lanes; i++) {
        bench one = *b;
        for (int64_t k = 0; k < b->lanes; k++) one.pairs[k] = k == i ? b->pairs[k] : none;
        double *own = synthesize(&one, 1, 1, leg), *back = analyse(&one, 1, 1, map);
        const int64_t rings[2] = {b->pairs[i].north, b->pairs[i].south};
        for (int side = 0; side < 2; side++) {
            if (rings[side] < 0) continue;
            const armilla_ring *ring = &b->rings[rings[side]];
            for (int64_t j = 0; j < ring->nphi; j++)
                assert_memory_equal(own + ring->offset + j * ring->stride,
                                    maps + ring->offset + j * ring->stride, sizeof *own);
        }
        for (int64_t m = 0; m <= b->pairs[i].last; m++)
            assert_memory_equal(back + m * ROW + 4 * i, legs + m * ROW + 4 * i, 4 * sizeof *back);
        armilla_release(own), armilla_release(back);
    }
    armilla_release(leg), armilla_release(map), armilla_release(maps), armilla_release(legs);
}

/* <Y leg, map> = <leg, Y^T map>, orders above 0 counted twice */
static void check_adjoint(bench *b)
{
    double *leg = random_leg(b), *map = random_values(b->map_size), left = 0, right = 0, size = 0;
    double *forward = synthesize(b, 1, 1, leg), *back = analyse(b, 1, 1, map);
    for (int64_t i = 0; i < b->map_size; i++) {
        left += forward[i] * map[i];
        size += fabs(forward[i] * map[i]);
    }
    for (int64_t i = 0; i < 4 * b->lanes; i++) {
        const armilla_ring_pair *pair = &b->pairs[i / 4];
        const int64_t last = (i % 4 < 2 ? pair->north : pair->south) < 0 ? -1 : pair->last;
        for (int64_t m = 0; m <= last; m++)
            right += (m ? 2 : 1) * leg[m * ROW + i] * back[m * ROW + i];
    }
    assert_true(fabs(left - right) <= 1e-15 * size);
    armilla_release(leg), armilla_release(map);
    armilla_release(forward), armilla_release(back);
}

/* Written past the caches: the same bits. */
static void check_streams(bench *b)
{
    double *leg = random_leg(b), *map = random_values(b->map_size);
    double *near_map = synthesize(b, 1, 1, leg), *near_leg = analyse(b, 1, 1, map);
    b->stream = 1;
    double *far_map = synthesize(b, 1, 1, leg), *far_leg = analyse(b, 1, 1, map);
    assert_memory_equal(far_map, near_map, (size_t)b->map_size * sizeof *map);
    assert_memory_equal(far_leg, near_leg, (size_t)b->leg_size * sizeof *leg);
    armilla_release(near_map), armilla_release(near_leg);
    armilla_release(far_map), armilla_release(far_leg);
    armilla_release(leg), armilla_release(map);
}

static void each(void (*test)(bench *b))
{
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int i = 0; i < LAYOUTS * PROBLEMS; i++) {
            if (!armilla_isa_usable((armilla_isa)isa)) continue;
            bench b = set_up(i / LAYOUTS, (armilla_isa)isa, (layout)(i % LAYOUTS));
            if (b.lanes) test(&b);
            assert_true(b.lanes || isa == ARMILLA_ISA_SCALAR);
            tear_down(&b);
        }
}

static void together_equals_one_by_one(void **state)
{
    (void)state;
    each(check_equal);
}

static void floats_are_rounded_doubles(void **state)
{
    (void)state;
    each(check_floats);
}

static void neighbours_do_not_matter(void **state)
{
    (void)state;
    each(check_alone);
}

static void caches_do_not_matter(void **state)
{
    (void)state;
    each(check_streams);
}

static void directions_are_adjoint(void **state)
{
    (void)state;
    each(check_adjoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_equals_one_by_one), cmocka_unit_test(floats_are_rounded_doubles),
        cmocka_unit_test(neighbours_do_not_matter),   cmocka_unit_test(caches_do_not_matter),
        cmocka_unit_test(directions_are_adjoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
