/* Units of work are dealt evenly, the same way each time, whatever their number and cost: no member
 * has much more than the mean, or than the largest unit where that is more. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "armilla/distribution.h"
#include "base/integer.h"
#include "ranks/costs.h"
#include "ranks/deal.h"

enum { MOST = 4096 };

static int64_t costs[MOST], members[MOST], loads[MOST];

/* Deals costs[count] and adds up. Returned: the largest load. */
static int64_t deal(int64_t count, int64_t nmembers)
{
    int64_t largest = 0;
    memset(members, 0xff, sizeof members);
    memset(loads, 0, sizeof loads);
    assert_int_equal(armilla_deal(count, costs, nmembers, members), ARMILLA_OK);
    for (int64_t i = 0; i < count; i++) {
        assert_true(members[i] >= 0 && members[i] < nmembers);
        loads[members[i]] += costs[i];
    }
    for (int64_t i = 0; i < nmembers; i++) largest = armilla_larger(largest, loads[i]);
    return largest;
}

/* No deal is better: the mean, rounded up, or the largest unit. */
static int64_t least(int64_t count, int64_t nmembers)
{
    int64_t total = 0, largest = 0;
    for (int64_t i = 0; i < count; i++)
        total += costs[i], largest = armilla_larger(largest, costs[i]);
    return armilla_larger(largest, (total + nmembers - 1) / nmembers);
}

/* Costs as those of orders: they fall to nothing, ever more slowly. */
static void fill_falling(int64_t count)
{
    for (int64_t i = 0; i < count; i++) costs[i] = (count - i) * (count - i);
}

static void nothing_and_one(void **state)
{
    (void)state;
    assert_int_equal(deal(0, 1), 0);
    assert_int_equal(deal(0, 7), 0);
    costs[0] = 5;
    assert_int_equal(deal(1, 1), 5);
    assert_int_equal(deal(1, 3), 5);
}

static void one_member_has_all(void **state)
{
    (void)state;
    fill_falling(50);
    assert_int_equal(deal(50, 1), least(50, 1));
}

static void each_has_at_most_one_where_members_are_many(void **state)
{
    (void)state;
    fill_falling(20);
    for (int64_t nmembers = 20; nmembers < 200; nmembers += 33)
        assert_int_equal(deal(20, nmembers), costs[0]);
}

static void equal_costs_are_counted_out(void **state)
{
    (void)state;
    for (int64_t nmembers = 1; nmembers < 40; nmembers++)
        for (int64_t count = 0; count < 130; count += 11) {
            for (int64_t i = 0; i < count; i++) costs[i] = 3;
            assert_int_equal(deal(count, nmembers), 3 * ((count + nmembers - 1) / nmembers));
        }
}

static void units_may_cost_nothing(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 100; i++) costs[i] = 0;
    assert_int_equal(deal(100, 9), 0);
    for (int64_t i = 0; i < 40; i++) costs[i] = i % 4 == 0;
    assert_int_equal(deal(40, 10), 1);
}

static void few_units_have_the_best_deal(void **state)
{
    static const int64_t some[] = {8, 7, 6, 5, 4}; /* largest first: 8 5 4, 7 6 */
    (void)state;
    memcpy(costs, some, sizeof some);
    assert_int_equal(deal(5, 2), 15);
}

/* Where each has four units, the largest load was 2.6 % above the mean before units were split
 * anew. */
static void few_units_of_each_are_even(void **state)
{
    (void)state;
    for (int64_t each = 4; each <= 16; each += each < 8 ? 1 : 4)
        for (int64_t nmembers = 2; nmembers * each <= MOST; nmembers *= 2) {
            const int64_t count = nmembers * each, percent = nmembers < 32 ? 3 : 1;
            fill_falling(count);
            assert_true(deal(count, nmembers) <= least(count, nmembers) * (100 + percent) / 100);
        }
}

static void deals_are_the_same_each_time(void **state)
{
    static int64_t before[MOST];
    (void)state;
    for (int64_t i = 0; i < 1000; i++) costs[i] = i * i % 97 * 31 % 53;
    deal(1000, 170);
    memcpy(before, members, sizeof members);
    deal(1000, 170);
    assert_memory_equal(before, members, sizeof members);
}

/* --- Orders ---------------------------------------------------------------------------------- */

static void orders_cost_what_is_said(void **state)
{
    enum { LMAX = 300, NRINGS = 257 };
    double theta[NRINGS];
    int64_t cost[LMAX + 1];
    armilla_ring_pairs pairs;
    (void)state;
    for (int i = 0; i < NRINGS; i++) theta[i] = M_PI * (i + 0.5) / NRINGS;
    assert_int_equal(armilla_ring_pairs_make(NRINGS, theta, LMAX, LMAX, 0, &pairs), ARMILLA_OK);
    assert_int_equal(armilla_order_costs(&pairs, 0, LMAX, LMAX, cost), ARMILLA_OK);
    for (int64_t m = 0; m <= LMAX; m++) {
        double expected = 0;
        for (int64_t i = 0; i < pairs.count; i++) {
            const double begin = (double)(m * (LMAX + 1)) / (double)(pairs.limit[i] + 1);
            if (pairs.limit[i] >= m) expected += (double)(2 * (LMAX + 1) - m) - begin + 75;
        }
        if (expected > 0) expected += 75 * (LMAX + 1 - m);
        assert_true(fabs((double)cost[m] - expected) <= 0.003 * expected);
    }
    armilla_ring_pairs_clear(&pairs);
}

/* The largest load of orders over the mean. */
static double imbalance(armilla_grid *grid, int64_t lmax, int64_t nranks)
{
    armilla_distribution *d;
    int64_t total = 0, largest = 0;
    assert_int_equal(armilla_distribution_new(grid, lmax, lmax, nranks, NULL, &d), ARMILLA_OK);
    for (int64_t rank = 0; rank < nranks; rank++) {
        const int64_t cost = armilla_distribution_order_cost(d, rank);
        total += cost, largest = armilla_larger(largest, cost);
    }
    armilla_distribution_free(d);
    armilla_grid_free(grid);
    return (double)largest * (double)nranks / (double)total - 1;
}

/* Orders are dealt in twos, four of them to each, by costs that are about those of HEALPix: 4 %
 * there before they were split anew. */
static void eight_orders_a_rank_are_even(void **state)
{
    armilla_grid *grid;
    (void)state;
    assert_int_equal(armilla_grid_new_gauss_legendre(4096, 8192, &grid), ARMILLA_OK);
    assert_true(imbalance(grid, 4095, 512) < 0.03);
    assert_int_equal(armilla_grid_new_healpix(2048, &grid), ARMILLA_OK);
    assert_true(imbalance(grid, 4095, 512) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_and_one),
        cmocka_unit_test(one_member_has_all),
        cmocka_unit_test(each_has_at_most_one_where_members_are_many),
        cmocka_unit_test(equal_costs_are_counted_out),
        cmocka_unit_test(units_may_cost_nothing),
        cmocka_unit_test(few_units_have_the_best_deal),
        cmocka_unit_test(few_units_of_each_are_even),
        cmocka_unit_test(deals_are_the_same_each_time),
        cmocka_unit_test(orders_cost_what_is_said),
        cmocka_unit_test(eight_orders_a_rank_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
