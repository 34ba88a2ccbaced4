/* Orders in lots: what bisection in a plan's sums finds is what a walk over the orders finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/stages/legendre_lots.h"
#include "cuda/runtime/work.h"
#include "oracle/checks.h"

#include <stdlib.h>

enum { ORDERS = 300, TRIALS = 2000, MOST_ORDERS = 65535 };

static uint64_t random_state = 20261126;

static int64_t random_below(int64_t end)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(random_state >> 33) % end;
}

typedef struct {
    int64_t norders, steps[ORDERS], function_steps[ORDERS];
    armilla_cuda_order_sums sums;
} list;

static int64_t bytes_of(const armilla_cuda_lot_shape *shape, int64_t steps, int64_t function_steps,
                        int64_t norders)
{
    int64_t scalar = shape->scalar_tiles, spin = shape->spin_tiles, halves = shape->halves_tiles;
    if (shape->to_leg) scalar = scalar > 0, spin = spin > 0, halves = halves > 0;
    const int64_t first = shape->to_leg ? 0 : 8 * (scalar + spin) * norders;
    const int64_t halves_first = shape->to_leg ? 0 : 8 * halves * norders;
    return armilla_cuda_round_part(32 * steps * shape->nsets * scalar) +
           armilla_cuda_round_part(32 * function_steps * (shape->nsets / 2) * spin) +
           armilla_cuda_round_part(first) +
           armilla_cuda_round_part(16 * steps * shape->nsets * halves) +
           armilla_cuda_round_part(halves_first);
}

/* The walk: one order after the other, as long as it fits. */
static armilla_cuda_lot walk(const list *l, const armilla_cuda_lot_shape *shape, int64_t first,
                             int64_t bytes)
{
    armilla_cuda_lot lot = {0};
    for (int64_t i = first; i < l->norders && lot.norders < MOST_ORDERS; i++) {
        const int64_t steps = lot.steps + l->steps[i];
        const int64_t function_steps = lot.function_steps + l->function_steps[i];
        const int64_t total = bytes_of(shape, steps, function_steps, lot.norders + 1);
        if (lot.norders && total > bytes) break;
        lot.norders++, lot.steps = steps, lot.function_steps = function_steps, lot.total = total;
    }
    return lot;
}

static void fill(list *l)
{
    l->norders = 1 + random_below(ORDERS);
    const int64_t with_functions = random_below(2) ? random_below(l->norders) : 0;
    check_ok(armilla_cuda_order_sums_make(ORDERS, &l->sums));
    for (int64_t i = 0; i < l->norders; i++) {
        l->steps[i] = random_below(4) ? 8 * random_below(60) : 0;
        l->function_steps[i] = i < with_functions ? random_below(500) : 0;
        armilla_cuda_order_sums_add(&l->sums, l->steps[i], l->function_steps[i]);
    }
    assert_int_equal(l->sums.norders, l->norders);
}

static void lots_are_those_of_a_walk(void **state)
{
    (void)state;
    static list l;
    int64_t several = 0, largest_lots = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        fill(&l);
        const armilla_cuda_lot_shape shape = {random_below(3), random_below(5), random_below(3),
                                              1 + random_below(4), (int)random_below(2)};
        const int64_t all =
            bytes_of(&shape, l.sums.steps[l.norders], l.sums.function_steps[l.norders], l.norders);
        const int64_t bytes = random_below(all + 600);
        int64_t largest = 0, count = 0;
        for (int64_t i = 0; i < l.norders; count++) {
            const armilla_cuda_lot want = walk(&l, &shape, i, bytes);
            const armilla_cuda_lot made = armilla_cuda_lot_take(&l.sums, &shape, i, bytes);
            assert_int_equal(made.norders, want.norders);
            assert_int_equal(made.steps, want.steps);
            assert_int_equal(made.function_steps, want.function_steps);
            assert_int_equal(made.total, want.total);
            assert_true(made.functions <= made.first && made.first <= made.degrees);
            assert_true(made.degrees <= made.halves_first && made.halves_first <= made.total);
            if (want.total > largest) largest = want.total;
            i += want.norders;
        }
        assert_int_equal(armilla_cuda_lots_scratch(&l.sums, &shape, bytes), largest);
        several += count > 1, largest_lots += count == 1;
        armilla_cuda_order_sums_clear(&l.sums);
    }
    assert_true(several > TRIALS / 10 && largest_lots > 0);
}

/* A launch has 65535 orders, and 2^30 blocks of threads. */
static void launches_have_limits(void **state)
{
    (void)state;
    armilla_cuda_order_sums sums;
    armilla_cuda_lot_shape shape = {0, 1, 0, 1, 1};
    check_ok(armilla_cuda_order_sums_make(200000, &sums));
    for (int64_t i = 0; i < 200000; i++) armilla_cuda_order_sums_add(&sums, 8, 0);
    assert_int_equal(armilla_cuda_lot_take(&sums, &shape, 0, INT64_MAX).norders, 65535);
    assert_int_equal(armilla_cuda_lot_take(&sums, &shape, 199990, INT64_MAX).norders, 10);
    shape.scalar_tiles = 1 << 20;
    assert_int_equal(armilla_cuda_lot_take(&sums, &shape, 5, INT64_MAX).norders, 1024);
    shape.halves_tiles = 1 << 22;
    assert_int_equal(armilla_cuda_lot_take(&sums, &shape, 5, INT64_MAX).norders, 256);
    shape.spin_tiles = (int64_t)1 << 31;
    assert_int_equal(armilla_cuda_lot_take(&sums, &shape, 5, INT64_MAX).norders, 1);
    assert_int_equal(armilla_cuda_lot_take(&sums, &shape, 5, 0).norders, 1);
    armilla_cuda_order_sums_clear(&sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lots_are_those_of_a_walk),
        cmocka_unit_test(launches_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
