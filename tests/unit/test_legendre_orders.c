/* Checks that the Legendre stage gives for lists of orders, in any sequence and with gaps, what it
 * gives for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "legendre/stage.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 130, MMAX = 120, NRINGS = 300 };

typedef struct {
    int64_t spin, nsets;
    int64_t cache_bytes; /* large: plans keep matrices, whose orders go together in calls for all */
    armilla_ring_pairs pairs;
    int64_t mstart[MMAX + 1];
    double *alm;
    armilla_progress progress;
} scene;

static void scene_open(scene *s, int64_t spin, int64_t cache_bytes)
{
    double theta[NRINGS];
    s->spin = spin, s->nsets = spin ? 2 : 1, s->cache_bytes = cache_bytes;
    for (int64_t r = 0; r < NRINGS; r++) theta[r] = M_PI * (double)(r + 1) / (NRINGS + 0.5);
    check_ok(armilla_ring_pairs_make(NRINGS, theta, LMAX, MMAX, spin, &s->pairs));
    for (int64_t m = 0; m <= MMAX; m++) s->mstart[m] = m * (2 * LMAX + 1 - m) / 2;
    const int64_t size = 2 * s->nsets * armilla_alm_size(LMAX, MMAX);
    s->alm = checked_malloc(size, sizeof(double));
    random_fill(8, size, s->alm);
    armilla_progress_start(&s->progress, NULL, NULL, 0);
}

static void scene_close(scene *s)
{
    armilla_ring_pairs_clear(&s->pairs);
    free(s->alm);
}

/* One way of a list of orders; leg and alm: in or out. */
static void run_list(scene *s, int64_t norders, const int64_t *orders, int to_leg, double *alm,
                     const armilla_leg *leg)
{
    armilla_legendre *legendre;
    armilla_legendre_problem problem = {
        .lmax = LMAX, .norders = norders, .orders = orders, .spin = s->spin, .pairs = &s->pairs};
    check_ok(armilla_machine_choose(NULL, &problem.machine));
    problem.cache_bytes = s->cache_bytes;
    check_ok(armilla_legendre_new(&problem, &legendre));
    if (s->cache_bytes == ARMILLA_CACHE_NEAR && s->spin < 4 && !orders)
        assert_true(armilla_legendre_together(legendre, MMAX - 7, 8) == 8);
    for (int64_t i = 0; i < norders; i++)
        assert_true(armilla_legendre_is_listed(legendre, orders ? orders[i] : i));
    armilla_work work = {.nthreads = 2, .progress = &s->progress};
    work.scratch_size = armilla_legendre_stage_scratch(legendre, s->nsets);
    check_ok(armilla_allocate(&work.scratch, 2 * work.scratch_size, sizeof(double)));
    for (int64_t i = 0; i < 2 * work.scratch_size; i++) work.scratch[i] = NAN;
    const armilla_alm_rows rows = {.values = {alm, 0},
                                   .distance = armilla_alm_size(LMAX, MMAX),
                                   .ncomp = s->nsets,
                                   .nsets = s->nsets,
                                   .lmax = LMAX,
                                   .stride = 1,
                                   .mstart = s->mstart,
                                   .spin = s->spin,
                                   .last = 1};
    if (to_leg)
        armilla_legendre_to_leg(legendre, &rows, leg, &work);
    else
        armilla_legendre_from_leg(legendre, leg, &rows, &work);
    armilla_release(work.scratch);
    armilla_legendre_free(legendre);
}

static armilla_leg make_leg(const scene *s, const armilla_leg_shape *shape,
                            armilla_leg_layout *layout)
{
    armilla_leg leg = {layout, s->nsets, NULL, NULL, 0};
    check_ok(armilla_leg_layout_make(shape, layout));
    const int64_t size = s->nsets * layout->size;
    check_ok(armilla_allocate(&leg.values, size, sizeof(double)));
    for (int64_t i = 0; i < size; i++) leg.values[i] = NAN; /* never read where nobody wrote */
    return leg;
}

/* Entries of a list's leg against those of the leg of all orders, bit by bit. */
static void compare_legs(const armilla_leg *some, const armilla_leg *all)
{
    const armilla_leg_layout *layout = some->layout;
    for (int64_t set = 0; set < some->nsets; set++)
        for (int64_t row = 0; row < layout->norders; row++)
            for (int64_t i = 0; i < layout->pairs->count; i++) {
                const int64_t m = layout->orders[row];
                if (m > layout->pairs->limit[i]) continue;
                const double *a = armilla_leg_row(some, layout->blocks, set, row) + 4 * i;
                const double *b = armilla_leg_row(all, all->layout->blocks, set, m) + 4 * i;
                assert_memory_equal(a, b, 4 * sizeof *a);
            }
}

static void compare_orders(const scene *s, int64_t norders, const int64_t *orders,
                           const double *some, const double *all)
{
    for (int64_t set = 0; set < s->nsets; set++)
        for (int64_t i = 0; i < norders; i++) {
            const int64_t m = orders[i], place = set * armilla_alm_size(LMAX, MMAX) + s->mstart[m];
            assert_memory_equal(some + 2 * (place + m), all + 2 * (place + m),
                                (size_t)(2 * (LMAX - m + 1)) * sizeof *some);
        }
}

static int is_in_list(int64_t m, int64_t norders, const int64_t *orders)
{
    for (int64_t i = 0; i < norders; i++)
        if (orders[i] == m) return 1;
    return 0;
}

/* Rows of other orders, which may be next to those of the list: nobody else's. */
static void fill_others(const scene *s, int64_t norders, const int64_t *orders, double value,
                        double *alm)
{
    for (int64_t set = 0; set < s->nsets; set++)
        for (int64_t m = 0; m <= MMAX; m++) {
            double *row = alm + 2 * (set * armilla_alm_size(LMAX, MMAX) + s->mstart[m] + m);
            for (int64_t i = 0; i < 2 * (LMAX - m + 1); i++)
                if (!is_in_list(m, norders, orders)) row[i] = value;
        }
}

static void check_others(const scene *s, int64_t norders, const int64_t *orders, double value,
                         const double *alm)
{
    for (int64_t set = 0; set < s->nsets; set++)
        for (int64_t m = 0; m <= MMAX; m++) {
            const double *row = alm + 2 * (set * armilla_alm_size(LMAX, MMAX) + s->mstart[m] + m);
            for (int64_t i = 0; i < 2 * (LMAX - m + 1); i++)
                if (!is_in_list(m, norders, orders)) assert_true(row[i] == value);
        }
}

static void check_list(scene *s, int64_t norders, const int64_t *orders)
{
    const int64_t size = 2 * s->nsets * armilla_alm_size(LMAX, MMAX);
    double *some = checked_calloc(size, sizeof *some), *all = checked_calloc(size, sizeof *all);
    armilla_leg_layout layouts[2];
    armilla_leg_shape shape = {
        .pairs = &s->pairs, .npairs = s->pairs.count, .block_size = s->pairs.count, .mmax = MMAX};
    const armilla_leg whole = make_leg(s, &shape, &layouts[0]);
    shape.kind = ARMILLA_ORDERS_LISTED, shape.norders = norders, shape.orders = orders;
    const armilla_leg part = make_leg(s, &shape, &layouts[1]);
    run_list(s, MMAX + 1, NULL, 1, s->alm, &whole);
    memcpy(some, s->alm, (size_t)size * sizeof *some);
    fill_others(s, norders, orders, NAN, some); /* whoever reads them brings it into leg */
    run_list(s, norders, orders, 1, some, &part);
    compare_legs(&part, &whole);
    run_list(s, MMAX + 1, NULL, 0, all, &whole);
    fill_others(s, norders, orders, 7, some);
    run_list(s, norders, orders, 0, some, &part);
    compare_orders(s, norders, orders, some, all);
    check_others(s, norders, orders, 7, some);
    for (int i = 0; i < 2; i++) armilla_leg_layout_clear(&layouts[i]);
    armilla_release(whole.values);
    armilla_release(part.values);
    free(some);
    free(all);
}

static void check_lists(int64_t cache_bytes)
{
    static const int64_t gaps[] = {3, 40, 41, 79}, falling[] = {80, 64, 63, 2, 1, 0};
    static const int64_t high[] = {112, 119, 113, 114, 115, 116};
    static const int64_t mixed[] = {7, 0, 80, 33, 12}, last[] = {80}, first[] = {0};
    static const int64_t spins[] = {0, 1, 2, 7};
    for (int i = 0; i < 4; i++) {
        scene s;
        scene_open(&s, spins[i], cache_bytes);
        check_list(&s, 4, gaps);
        check_list(&s, 6, falling);
        check_list(&s, 5, mixed);
        check_list(&s, 6, high);
        check_list(&s, 1, last);
        check_list(&s, 1, first);
        scene_close(&s);
    }
}

static void lists_of_orders_have_the_bits_of_all(void **state)
{
    (void)state;
    check_lists(0);
    check_lists(ARMILLA_CACHE_NEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_orders_have_the_bits_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
