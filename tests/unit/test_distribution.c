/* Every order and every ring has one owner, where the getters say; orders are those of any grid,
 * and evenly dealt; wrong lists are named; random fields and windows do not depend on the ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"

#include <stdlib.h>
#include <string.h>

enum { LMAX = 30, RANKS = 4 };

static armilla_distribution *deal(armilla_grid *grid, int64_t nranks, int64_t groups)
{
    armilla_distribution *d;
    armilla_distribution_options options;
    armilla_distribution_options_init(&options);
    options.groups = groups;
    assert_int_equal(armilla_distribution_new(grid, LMAX, LMAX - 3, nranks, &options, &d), 0);
    return d;
}

/* Marks what each member has: everything once. */
static void check_orders(const armilla_distribution *d, int64_t members)
{
    int64_t owners[LMAX + 1] = {0}, orders[LMAX + 1], total = 0;
    for (int64_t rank = 0; rank < members; rank++) {
        const int64_t count = armilla_distribution_orders(d, rank, orders);
        int64_t end = 0;
        for (int64_t i = 0; i < count; i++) {
            owners[orders[i]]++;
            assert_true(i == 0 || orders[i] > orders[i - 1]);
            assert_int_equal(armilla_distribution_alm_index(d, rank, orders[i], orders[i]), end);
            end += LMAX + 1 - orders[i];
            assert_int_equal(armilla_distribution_alm_index(d, rank, LMAX, orders[i]), end - 1);
            assert_int_equal(
                armilla_distribution_alm_index(d, (rank + 1) % members, LMAX, orders[i]),
                members > 1 ? -1 : end - 1);
        }
        assert_int_equal(armilla_distribution_alm_size(d, rank), end);
        total += end;
    }
    for (int64_t m = 0; m <= LMAX - 3; m++) assert_int_equal(owners[m], 1);
    assert_int_equal(total, armilla_alm_size(LMAX, LMAX - 3));
}

static void check_rings(armilla_grid *grid, const armilla_distribution *d, int64_t members)
{
    const int64_t nrings = armilla_grid_nrings(grid);
    int64_t *rings = calloc((size_t)nrings, sizeof *rings), seen = 0, total = 0;
    for (int64_t rank = 0; rank < members; rank++) {
        const int64_t count = armilla_distribution_rings(d, rank, rings);
        int64_t end = 0;
        for (int64_t i = 0; i < count; i++, seen++) {
            armilla_ring ring;
            assert_int_equal(armilla_grid_ring(grid, rings[i], &ring), 0);
            assert_int_equal(armilla_distribution_ring_offset(d, rank, rings[i]), end);
            assert_true(armilla_distribution_ring_offset(d, rank, nrings - 1 - rings[i]) >= 0);
            end += ring.nphi;
        }
        assert_int_equal(armilla_distribution_npix(d, rank), end);
        total += end;
    }
    assert_int_equal(seen, nrings);
    assert_int_equal(total, armilla_grid_npix(grid));
    free(rings);
}

static void everything_has_one_owner(void **state)
{
    static const int64_t nranks[] = {1, 2, 5, 7, 64, 200};
    armilla_grid *grids[2];
    (void)state;
    assert_int_equal(armilla_grid_new_healpix(16, &grids[0]), 0);
    assert_int_equal(armilla_grid_new_gauss_legendre(LMAX + 1, 2 * LMAX + 1, &grids[1]), 0);
    for (int g = 0; g < 2; g++) {
        for (size_t i = 0; i < sizeof nranks / sizeof *nranks; i++) {
            armilla_distribution *d = deal(grids[g], nranks[i], 1);
            check_orders(d, nranks[i]);
            check_rings(grids[g], d, nranks[i]);
            armilla_distribution_free(d);
        }
        armilla_grid_free(grids[g]);
    }
}

/* --- Orders ---------------------------------------------------------------------------------- */

/* With (lmax, mmax) up to (600, 600), of which the first grid takes no part in any choice. */
static const char *const grids[] = {"gl:2x4",      "gl:601x1202", "healpix:16",
                                    "healpix:640", "cc:602x1204", "O160"};
static const int64_t limits[][2] = {{0, 0}, {7, 5}, {31, 31}, {127, 63}, {600, 600}};
enum { GRIDS = sizeof grids / sizeof *grids, LIMITS = sizeof limits / sizeof *limits };

static armilla_distribution *deal_on(const char *name, const int64_t *limit, int64_t nranks)
{
    armilla_grid *grid;
    armilla_distribution *d;
    assert_int_equal(armilla_grid_new_named(name, &grid), 0);
    assert_int_equal(armilla_distribution_new(grid, limit[0], limit[1], nranks, NULL, &d), 0);
    armilla_grid_free(grid);
    return d;
}

/* Coefficients of a transform on one grid are those of plans on another, or without one. */
static void orders_depend_on_degrees_alone(void **state)
{
    static const int64_t nranks[] = {1, 2, 3, 5, 70};
    (void)state;
    for (size_t i = 0; i < LIMITS * sizeof nranks / sizeof *nranks; i++) {
        const int64_t *limit = limits[i % LIMITS], n = nranks[i / LIMITS];
        armilla_distribution *first = deal_on(grids[0], limit, n);
        for (size_t g = 1; g < GRIDS; g++) {
            armilla_distribution *other = deal_on(grids[g], limit, n);
            for (int64_t m = 0; m <= limit[1]; m++)
                for (int64_t rank = 0; rank < n; rank++)
                    if (armilla_distribution_alm_index(first, rank, m, m) !=
                        armilla_distribution_alm_index(other, rank, m, m))
                        fail_msg("%s, lmax %d, %d ranks: order %d", grids[g], (int)limit[0], (int)n,
                                 (int)m);
            armilla_distribution_free(other);
        }
        armilla_distribution_free(first);
    }
}

/* Where ranks have eight orders each, or more. */
static void check_work(const char *name, const int64_t *limit, int64_t nranks)
{
    armilla_distribution *d = deal_on(name, limit, nranks);
    double sum = 0, most = 0;
    for (int64_t rank = 0; rank < nranks; rank++) {
        const double work = (double)armilla_distribution_order_cost(d, rank);
        sum += work;
        if (work > most) most = work;
    }
    if (most > 1.06 * sum / (double)nranks)
        fail_msg("%s, lmax %d, mmax %d, %d ranks: %.3g of the mean", name, (int)limit[0],
                 (int)limit[1], (int)nranks, most / sum * (double)nranks);
    armilla_distribution_free(d);
}

static void no_rank_has_much_more_work(void **state)
{
    (void)state;
    for (size_t g = 1; g < GRIDS; g++)
        for (size_t i = 2; i < LIMITS; i++)
            for (int64_t n = 2; 8 * n <= limits[i][1] + 1; n = n < 5 ? n + 1 : 2 * n)
                check_work(grids[g], limits[i], n);
}

/* On HEALPix nside 64 with lmax 128 resampling saves too little to be chosen, but something. */
static void resampling_is_counted_on_request(void **state)
{
    armilla_grid *grid;
    armilla_distribution *d[2];
    armilla_distribution_options options;
    (void)state;
    armilla_distribution_options_init(&options);
    assert_int_equal(armilla_grid_new_healpix(64, &grid), ARMILLA_OK);
    for (int i = 0; i < 2; i++) {
        options.count_resampling = i;
        assert_int_equal(armilla_distribution_new(grid, 128, 128, 3, &options, &d[i]), ARMILLA_OK);
    }
    for (int64_t rank = 0; rank < 3; rank++)
        assert_true(armilla_distribution_order_cost(d[1], rank) !=
                    armilla_distribution_order_cost(d[0], rank));
    for (int64_t m = 0; m <= 128; m++)
        for (int64_t rank = 0; rank < 3; rank++)
            assert_int_equal(armilla_distribution_alm_index(d[1], rank, m, m),
                             armilla_distribution_alm_index(d[0], rank, m, m));
    armilla_distribution_free(d[1]);
    armilla_distribution_free(d[0]);
    armilla_grid_free(grid);
}

static void fields_go_to_groups(void **state)
{
    armilla_grid *grid;
    int64_t first, end = 0;
    (void)state;
    assert_int_equal(armilla_grid_new_healpix(4, &grid), 0);
    armilla_distribution *d = deal(grid, 6, 3);
    check_orders(d, 2);
    for (int64_t rank = 0; rank < 6; rank += 2) {
        const int64_t count = armilla_distribution_fields(d, rank, 7, &first);
        assert_int_equal(count, rank ? 2 : 3);
        assert_int_equal(first, end);
        assert_int_equal(armilla_distribution_fields(d, rank + 1, 7, NULL), count);
        end += count;
    }
    assert_int_equal(end, 7);
    assert_int_equal(armilla_distribution_npix(d, 6), -1);
    assert_int_equal(armilla_distribution_npix(d, -1), -1);
    assert_int_equal(armilla_distribution_nranks(NULL), -1);
    armilla_distribution_free(d);
    armilla_grid_free(grid);
}

static void check_refused(armilla_grid *grid, const armilla_distribution_options *options,
                          const char *words)
{
    armilla_distribution *d;
    assert_int_equal(armilla_distribution_new(grid, LMAX, LMAX, RANKS, options, &d),
                     ARMILLA_ERROR_ARGUMENT);
    if (!strstr(armilla_status_message(), words))
        fail_msg("\"%s\" lacks \"%s\"", armilla_status_message(), words);
}

static void wrong_lists_are_named(void **state)
{
    int64_t orders[LMAX + 1] = {0}, rings[LMAX + 1] = {0};
    armilla_distribution_options options;
    armilla_grid *grid;
    (void)state;
    assert_int_equal(armilla_grid_new_gauss_legendre(LMAX + 1, 2 * LMAX + 1, &grid), 0);
    armilla_distribution_options_init(&options);
    options.order_member = orders;
    orders[7] = RANKS;
    check_refused(grid, &options, "options->order_member[7] = 4: must be a member, 0 .. 3");
    orders[7] = -1;
    check_refused(grid, &options, "options->order_member[7] = -1");
    options.order_member = NULL, options.ring_member = rings;
    rings[2] = RANKS;
    check_refused(grid, &options, "options->ring_member[2] = 4: must be a member, 0 .. 3");
    options.ring_member = NULL, options.groups = 3;
    check_refused(grid, &options, "options->groups = 3: must divide the number of ranks, 4");
    armilla_grid_free(grid);
}

static void random_fields_do_not_depend_on_ranks(void **state)
{
    enum { SIZE = (LMAX + 1) * (LMAX + 2) / 2, NCL = 25 };
    static double whole[2 * 2 * SIZE], own[2 * 2 * SIZE];
    double cl[2][2][NCL], window[NCL];
    armilla_grid *grid;
    (void)state;
    for (int l = 0; l < NCL; l++) {
        cl[0][0][l] = 1.0 / (l + 1), cl[1][1][l] = 2.0 / (l + 3), window[l] = 1 - 0.01 * l;
        cl[0][1][l] = cl[1][0][l] = 0.1 / (l + 2);
    }
    const int64_t size = armilla_alm_size(LMAX, LMAX - 3);
    assert_int_equal(armilla_grid_new_healpix(4, &grid), 0);
    armilla_distribution *d = deal(grid, RANKS, 1);
    assert_int_equal(armilla_alm_random_correlated(LMAX, LMAX - 3, 2, NCL, &cl[0][0][0], 5, whole),
                     0);
    for (int f = 0; f < 2; f++)
        assert_int_equal(
            armilla_alm_multiply_window(LMAX, LMAX - 3, NCL, window, whole + 2 * f * size), 0);
    for (int64_t rank = 0; rank < RANKS; rank++) {
        const int64_t count = armilla_distribution_alm_size(d, rank);
        assert_int_equal(
            armilla_distribution_random_correlated(d, rank, 2, NCL, &cl[0][0][0], 5, own), 0);
        for (int64_t f = 0; f < 2; f++) {
            assert_int_equal(
                armilla_distribution_multiply_window(d, rank, NCL, window, own + 2 * f * count), 0);
            for (int64_t m = 0; m <= LMAX - 3; m++) {
                const int64_t i = armilla_distribution_alm_index(d, rank, m, m);
                const double *expected = whole + 2 * (f * size + armilla_alm_index(LMAX, m, m));
                if (i >= 0)
                    assert_memory_equal(own + 2 * (f * count + i), expected,
                                        16 * (size_t)(LMAX + 1 - m));
            }
        }
    }
    assert_int_equal(armilla_distribution_random(d, RANKS, NCL, window, 5, 0, own),
                     ARMILLA_ERROR_ARGUMENT);
    armilla_distribution_free(d);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_one_owner),
        cmocka_unit_test(orders_depend_on_degrees_alone),
        cmocka_unit_test(no_rank_has_much_more_work),
        cmocka_unit_test(resampling_is_counted_on_request),
        cmocka_unit_test(fields_go_to_groups),
        cmocka_unit_test(wrong_lists_are_named),
        cmocka_unit_test(random_fields_do_not_depend_on_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
