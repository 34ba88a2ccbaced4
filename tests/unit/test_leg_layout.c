/* Checks that every ring is in one pair and that every entry of leg that exists has a place of its
 * own (leg/pairs.h, orders.h, leg.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/polar_limit.h"
#include "leg/passes.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Ring pairs ------------------------------------------------------------------------------- */

typedef struct {
    int64_t nrings, npairs; /* what they become */
    double theta[6];
} rings;

/* 0.3 and its image; both poles; the equator; images in any order; none; two rings alike. */
static const rings cases[] = {{1, 1, {0}},
                              {1, 1, {M_PI_2}},
                              {1, 1, {3}},
                              {2, 1, {M_PI, 0}},
                              {3, 2, {M_PI - 0.3, M_PI_2, 0.3}},
                              {5, 5, {0.1, 1, 2, 2.5, 3.1}},
                              {4, 3, {0.3, 0.3, M_PI - 0.3, M_PI - 0.3}},
                              {6, 4, {1, 0, M_PI - 1, 0.2, M_PI, 3}}};
enum { CASES = sizeof cases / sizeof *cases };

static void check_ring(const rings *c, int64_t ring, double theta, int south, int *seen)
{
    if (ring < 0) return;
    assert_in_range(ring, 0, c->nrings - 1);
    assert_int_equal(seen[ring]++, 0);
    check_at_most(fabs((south ? M_PI - c->theta[ring] : c->theta[ring]) - theta), 5e-16, "theta");
}

/* The largest order that matters, found anew. */
static int64_t expected_limit(double theta, int64_t lmax, int64_t mmax, int64_t spin)
{
    const int64_t limit = armilla_polar_limit(lmax, theta) + llabs(spin);
    return limit < mmax ? limit : mmax;
}

static void check_pairs(const rings *c, int64_t lmax, int64_t mmax, int64_t spin)
{
    armilla_ring_pairs pairs;
    int seen[6] = {0};
    check_ok(armilla_ring_pairs_make(c->nrings, c->theta, lmax, mmax, spin, &pairs));
    for (int64_t i = 0; i < pairs.count; i++) {
        assert_true(pairs.north[i] >= 0 || pairs.south[i] >= 0);
        check_ring(c, pairs.north[i], pairs.theta[i], 0, seen);
        check_ring(c, pairs.south[i], pairs.theta[i], 1, seen);
        assert_true(pairs.theta[i] >= 0 && pairs.theta[i] <= M_PI_2);
        assert_int_equal(pairs.limit[i], expected_limit(pairs.theta[i], lmax, mmax, spin));
        assert_true(i == 0 || pairs.theta[i] >= pairs.theta[i - 1]);
        assert_true(i == 0 || pairs.limit[i] >= pairs.limit[i - 1]);
    }
    for (int64_t r = 0; r < c->nrings; r++) assert_int_equal(seen[r], 1);
    for (int64_t m = 0; m <= mmax + 1; m++) {
        int64_t first = 0;
        while (first < pairs.count && pairs.limit[first] < m) first++;
        assert_int_equal(armilla_ring_pairs_first(&pairs, m), first);
    }
    assert_int_equal(pairs.count, c->npairs);
    armilla_ring_pairs_clear(&pairs);
    assert_null(pairs.theta);
}

static void every_ring_is_in_one_pair(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        check_pairs(&cases[i], 0, 0, 0);
        check_pairs(&cases[i], 200, 200, 0);
        check_pairs(&cases[i], 200, 150, -7);
        check_pairs(&cases[i], 200, 0, 200);
    }
}

/* Rings in [0, pi] that a list has: from the poles to the equator on one side or both. */
static const rings lone_cases[] = {{6, 4, {0.01, 0.02, 0.03, M_PI - 0.9, 1.2, M_PI - 1.2}},
                                   {6, 4, {M_PI - 0.01, M_PI - 0.02, 3, 0.9, M_PI - 1.2, 1.2}},
                                   {5, 4, {0.8, M_PI - 0.1, M_PI - 0.2, M_PI - 0.3, 3}},
                                   {5, 3, {0.1, 1, 2, 2.5, 3.1}}};

/* Pairs of any two rings: all rings once, and each with the orders that matter on it. Limits rise,
 * for who looks for the first pair of an order relies on it. */
static void check_joined(const rings *c, int64_t lmax, int64_t mmax, int64_t spin)
{
    armilla_ring_pairs pairs;
    int seen[6] = {0};
    check_ok(armilla_ring_pairs_make_any(c->nrings, c->theta, lmax, mmax, spin, &pairs));
    for (int64_t i = 0; i < pairs.count; i++) {
        check_ring(c, pairs.north[i], pairs.theta[i], 0, seen);
        check_ring(c, pairs.south[i], pairs.south_theta[i], 1, seen);
        for (int side = 0; side < 2; side++) {
            const double theta = side ? pairs.south_theta[i] : pairs.theta[i];
            if ((side ? pairs.south : pairs.north)[i] < 0) continue;
            assert_true(pairs.limit[i] >= expected_limit(theta, lmax, mmax, spin));
        }
        assert_true(pairs.limit[i] <= mmax);
        assert_true(i == 0 || pairs.limit[i] >= pairs.limit[i - 1]);
    }
    for (int64_t r = 0; r < c->nrings; r++) assert_int_equal(seen[r], 1);
    assert_true(pairs.count <= c->npairs);
    armilla_ring_pairs_clear(&pairs);
}

static void any_two_rings_are_a_pair(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) check_joined(&cases[i], 200, 150, 2);
    for (size_t i = 0; i < sizeof lone_cases / sizeof *lone_cases; i++)
        check_joined(&lone_cases[i], 200, 200, 0);
}

static void some_of_the_pairs(void **state)
{
    (void)state;
    const rings *c = &cases[5];
    armilla_ring_pairs all, some;
    check_ok(armilla_ring_pairs_make(c->nrings, c->theta, 60, 50, 0, &all));
    for (int64_t step = 1; step < 4; step++)
        for (int64_t first = 0; first < 8; first++) {
            int64_t count = 0;
            check_ok(armilla_ring_pairs_take(&all, first, step, &some));
            for (int64_t i = first; i < all.count; i += step, count++) {
                assert_int_equal(some.north[count], all.north[i]);
                assert_int_equal(some.south[count], all.south[i]);
                assert_int_equal(some.limit[count], all.limit[i]);
                assert_true(some.theta[count] == all.theta[i]);
            }
            assert_int_equal(some.count, count);
            armilla_ring_pairs_clear(&some);
        }
    armilla_ring_pairs_clear(&all);
}

/* --- Orders ----------------------------------------------------------------------------------- */

static void parts_have_every_order_once(void **state)
{
    (void)state;
    for (int64_t mmax = 0; mmax < 40; mmax++) {
        int seen[48] = {0};
        for (armilla_orders kind = ARMILLA_ORDERS_FIRST; kind <= ARMILLA_ORDERS_SECOND; kind++)
            for (int64_t row = 0; row < armilla_orders_rows(kind, mmax); row++) {
                const int64_t m = armilla_orders_at(kind, row);
                assert_in_range(m, 0, mmax % 8 == 5 ? mmax + 1 : mmax);
                assert_int_equal(armilla_orders_row(kind, m), row);
                assert_int_equal(armilla_orders_row(ARMILLA_ORDERS_FIRST + (kind == 1), m), -1);
                seen[m]++;
            }
        for (int64_t m = 0; m <= mmax; m++) assert_int_equal(seen[m], 1);
        assert_int_equal(armilla_orders_rows(ARMILLA_ORDERS_ALL, mmax), mmax + 1);
    }
}

/* --- Layouts ---------------------------------------------------------------------------------- */

enum { NPAIRS = 11, NSETS = 2 };

/* The places of all sets: each entry that exists has four doubles that are nobody else's. */
static void check_places(const armilla_leg_layout *layout, int64_t room)
{
    const int64_t size = NSETS * layout->size;
    double *taken = checked_calloc(size ? size : 1, sizeof *taken);
    const armilla_leg leg = {layout, NSETS, taken, NULL, 0};
    for (int64_t b = 0; b < layout->nblocks; b++) {
        const armilla_leg_block *block = &layout->blocks[b];
        assert_int_equal(block->row_length % 16, 8); /* whole lines, an odd number of them */
        assert_true(block->row_length >= 4 * ((block->npairs + room - 1) / room * room));
        for (int64_t set = 0; set < NSETS; set++)
            for (int64_t row = 0; row < layout->norders; row++)
                for (int64_t i = 0; i < block->npairs; i++) {
                    if (layout->orders[row] > layout->pairs->limit[block->first + i]) continue;
                    assert_true(row < block->nrows);
                    double *entry = armilla_leg_row(&leg, block, set, row) + 4 * i;
                    assert_true(entry >= taken && entry + 4 <= taken + size);
                    for (int k = 0; k < 4; k++) assert_true(entry[k]++ == 0);
                }
    }
    free(taken);
}

/* No row behind the last one that has an entry. */
static void check_rows(const armilla_leg_layout *layout)
{
    for (int64_t b = 0; b < layout->nblocks; b++) {
        const armilla_leg_block *block = &layout->blocks[b];
        const int64_t last = block->nrows - 1;
        if (last < 0) continue;
        assert_true(layout->orders[last] <= layout->pairs->limit[block->first + block->npairs - 1]);
    }
}

static void check_layout(const armilla_leg_shape *shape)
{
    armilla_leg_layout layout;
    int64_t next = shape->first_pair;
    check_ok(armilla_leg_layout_make(shape, &layout));
    assert_int_equal(layout.nblocks, (shape->npairs + shape->block_size - 1) / shape->block_size);
    for (int64_t b = 0; b < layout.nblocks; b++) {
        assert_int_equal(layout.blocks[b].first, next);
        assert_in_range(layout.blocks[b].npairs, 1, shape->block_size);
        next += layout.blocks[b].npairs;
    }
    assert_int_equal(next, shape->first_pair + shape->npairs);
    check_places(&layout, shape->room > 0 ? shape->room : 1);
    check_rows(&layout);
    armilla_leg_layout_clear(&layout);
    assert_null(layout.orders);
}

/* Limits 0, 0, 3, 6, ...: near the pole few orders matter. */
static void make_limits(armilla_ring_pairs *pairs)
{
    check_ok(armilla_ring_pairs_allocate(NPAIRS, pairs));
    for (int64_t i = 0; i < NPAIRS; i++) {
        pairs->limit[i] = i ? 3 * (i - 1) : 0;
        pairs->theta[i] = 0.1 * (double)i;
        pairs->north[i] = i, pairs->south[i] = -1;
    }
}

static void entries_have_places_of_their_own(void **state)
{
    (void)state;
    static const int64_t list[] = {26, 3, 50, 0, 7, 40}; /* some above every limit */
    armilla_ring_pairs pairs;
    make_limits(&pairs);
    for (int64_t size = 1; size <= NPAIRS + 1; size += 3)
        for (int64_t room = 0; room < 5; room += 4)
            for (armilla_orders kind = ARMILLA_ORDERS_ALL; kind <= ARMILLA_ORDERS_LISTED; kind++)
                for (int64_t first = 0; first < NPAIRS; first += 5) {
                    armilla_leg_shape shape = {.pairs = &pairs,
                                               .first_pair = first,
                                               .npairs = NPAIRS - first,
                                               .block_size = size,
                                               .room = room,
                                               .kind = kind,
                                               .mmax = 29,
                                               .norders = 6,
                                               .orders = list};
                    check_layout(&shape);
                    shape.mmax = shape.norders = 0;
                    check_layout(&shape);
                }
    armilla_ring_pairs_clear(&pairs);
}

/* --- Passes ----------------------------------------------------------------------------------- */

/* The entries of all passes together are those of the shape, and none has more than the memory. */
static void check_passes(const armilla_leg_passes *passes, const armilla_leg_shape *shape,
                         int64_t count)
{
    int seen[NPAIRS][31] = {{0}};
    int64_t largest = 0;
    assert_int_equal(passes->count, count);
    for (int64_t p = 0; p < passes->count; p++) {
        const armilla_leg_layout *layout = &passes->layouts[p];
        if (layout->size > largest) largest = layout->size;
        for (int64_t b = 0; b < layout->nblocks; b++)
            for (int64_t i = 0; i < layout->blocks[b].npairs; i++)
                for (int64_t row = 0; row < layout->norders; row++)
                    seen[layout->blocks[b].first + i][layout->orders[row]]++;
    }
    assert_int_equal(passes->size, largest);
    for (int64_t i = 0; i < NPAIRS; i++)
        for (int64_t m = 0; m <= shape->mmax; m++) assert_int_equal(seen[i][m], 1);
}

/* With falling orders the first pass has no entries: it is not the largest. */
static void passes_have_every_entry_once(void **state)
{
    (void)state;
    int64_t falling[30];
    armilla_ring_pairs pairs;
    armilla_leg_passes passes;
    make_limits(&pairs);
    for (int64_t i = 0; i < 30; i++) falling[i] = 29 - i;
    for (int64_t i = 0; i < NPAIRS; i++) pairs.limit[i] = i < 6 ? i : 6;
    armilla_leg_shape shape = {.pairs = &pairs, .npairs = NPAIRS, .block_size = 4, .mmax = 29};
    for (int64_t size = 1; size <= NPAIRS + 1; size++) {
        check_ok(armilla_leg_passes_by_pairs(&shape, size, &passes));
        check_passes(&passes, &shape, (NPAIRS + size - 1) / size);
        armilla_leg_passes_clear(&passes);
        assert_null(passes.layouts);
    }
    for (int64_t cut = 1; cut < NPAIRS; cut++) {
        const int64_t ends[] = {cut, (cut + NPAIRS + 1) / 2, NPAIRS};
        const int64_t count = ends[1] < NPAIRS ? 3 : 2;
        check_ok(armilla_leg_passes_by_ends(&shape, count, ends, &passes));
        check_passes(&passes, &shape, count);
        armilla_leg_passes_clear(&passes);
    }
    check_ok(armilla_leg_passes_by_parts(&shape, &passes));
    check_passes(&passes, &shape, 2);
    armilla_leg_passes_clear(&passes);
    shape.kind = ARMILLA_ORDERS_LISTED, shape.norders = 30, shape.orders = falling;
    for (int64_t size = 1; size < 40; size += 4) {
        check_ok(armilla_leg_passes_by_orders(&shape, size, &passes));
        check_passes(&passes, &shape, (30 + size - 1) / size);
        if (size < 20) assert_true(passes.layouts[0].size == 0 && passes.size > 0);
        armilla_leg_passes_clear(&passes);
    }
    armilla_ring_pairs_clear(&pairs);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void failing_allocations_leave_nothing(void **state)
{
    (void)state;
    const rings *c = &cases[7];
    armilla_ring_pairs pairs, taken;
    armilla_leg_layout layout;
    armilla_leg_passes passes;
    check_ok(armilla_ring_pairs_make(c->nrings, c->theta, 60, 50, 0, &pairs));
    const armilla_leg_shape shape = {
        .pairs = &pairs, .npairs = pairs.count, .block_size = 2, .mmax = 50};
    for (int step = 0; step < 4; step++) {
        armilla_status status = ARMILLA_ERROR_MEMORY;
        int n = 0;
        for (; status && n < 20; n++) {
            armilla_memory_fail_after(n);
            status = step == 0   ? armilla_ring_pairs_make(c->nrings, c->theta, 60, 50, 0, &taken)
                     : step == 1 ? armilla_ring_pairs_take(&pairs, 0, 2, &taken)
                     : step == 2 ? armilla_leg_layout_make(&shape, &layout)
                                 : armilla_leg_passes_by_parts(&shape, &passes);
            armilla_memory_fail_after(-1);
            if (status && step < 2) assert_null(taken.north);
            if (status && step == 2) assert_null(layout.orders);
            if (status && step == 3) assert_true(!passes.layouts && passes.count == 0);
        }
        assert_int_equal(status, ARMILLA_OK);
        assert_int_equal(n, step == 0 ? 7 : step == 1 ? 6 : step == 2 ? 3 : 6);
        if (step < 2) armilla_ring_pairs_clear(&taken);
    }
    armilla_leg_layout_clear(&layout);
    armilla_leg_passes_clear(&passes);
    armilla_ring_pairs_clear(&pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ring_is_in_one_pair),
        cmocka_unit_test(any_two_rings_are_a_pair),
        cmocka_unit_test(some_of_the_pairs),
        cmocka_unit_test(parts_have_every_order_once),
        cmocka_unit_test(entries_have_places_of_their_own),
        cmocka_unit_test(passes_have_every_entry_once),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
