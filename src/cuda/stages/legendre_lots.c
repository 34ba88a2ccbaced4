/* Cuts the orders of a Legendre stage on a GPU into lots, each as many orders as its share of
 * memory and one launch can take. Scratch grows with the number of orders, so bisection finds the
 * last that fits. */
#include "cuda/stages/legendre_lots.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/work.h"

enum {
    MOST_ORDERS = 65535,   /* of a launch */
    MOST_BLOCKS = 1 << 30, /* of threads */
    STEP_BYTES = 4 * (int)sizeof(double),
    HALVES_STEP_BYTES = 4 * (int)sizeof(float)
};

armilla_status armilla_cuda_order_sums_make(int64_t most_orders, armilla_cuda_order_sums *sums)
{
    armilla_status status;
    *sums = (armilla_cuda_order_sums){0};
    if ((status = armilla_allocate_zero(&sums->steps, most_orders + 1, sizeof *sums->steps)))
        return status;
    return armilla_allocate_zero(&sums->function_steps, most_orders + 1,
                                 sizeof *sums->function_steps);
}

void armilla_cuda_order_sums_add(armilla_cuda_order_sums *sums, int64_t steps,
                                 int64_t function_steps)
{
    const int64_t n = sums->norders++;
    sums->steps[n + 1] = sums->steps[n] + steps;
    sums->function_steps[n + 1] = sums->function_steps[n] + function_steps;
}

void armilla_cuda_order_sums_clear(armilla_cuda_order_sums *sums)
{
    armilla_release(sums->steps);
    armilla_release(sums->function_steps);
    *sums = (armilla_cuda_order_sums){0};
}

static armilla_cuda_lot lot_of(const armilla_cuda_order_sums *sums,
                               const armilla_cuda_lot_shape *shape, int64_t first, int64_t norders)
{
    const int64_t end = first + norders;
    const int64_t scalar = shape->scalar_tiles, spin = shape->spin_tiles;
    const int64_t scalar_copies = shape->to_leg ? scalar > 0 : scalar;
    const int64_t spin_copies = shape->to_leg ? spin > 0 : spin;
    const int64_t halves = shape->halves_tiles, halves_copies = shape->to_leg ? halves > 0 : halves;
    armilla_cuda_lot lot = {.norders = norders,
                            .steps = sums->steps[end] - sums->steps[first],
                            .function_steps =
                                sums->function_steps[end] - sums->function_steps[first]};
    lot.functions = armilla_cuda_round_part(STEP_BYTES * lot.steps * shape->nsets * scalar_copies);
    lot.first = lot.functions + armilla_cuda_round_part(STEP_BYTES * lot.function_steps *
                                                        (shape->nsets / 2) * spin_copies);
    lot.degrees =
        lot.first + (shape->to_leg ? 0 : armilla_cuda_round_part(8 * (scalar + spin) * norders));
    lot.halves_first = lot.degrees + armilla_cuda_round_part(HALVES_STEP_BYTES * lot.steps *
                                                             shape->nsets * halves_copies);
    lot.total =
        lot.halves_first + (shape->to_leg ? 0 : armilla_cuda_round_part(8 * halves * norders));
    return lot;
}

armilla_cuda_lot armilla_cuda_lot_take(const armilla_cuda_order_sums *sums,
                                       const armilla_cuda_lot_shape *shape, int64_t first,
                                       int64_t bytes)
{
    const int64_t tiles = armilla_larger(
        1, armilla_larger(shape->spin_tiles + shape->scalar_tiles, shape->halves_tiles));
    const int64_t in_launch = armilla_smaller(MOST_ORDERS, MOST_BLOCKS / tiles);
    int64_t fits = 1, most = armilla_smaller(sums->norders - first, in_launch);
    while (fits < most) {
        const int64_t middle = fits + (most - fits + 1) / 2;
        if (lot_of(sums, shape, first, middle).total <= bytes)
            fits = middle;
        else
            most = middle - 1;
    }
    return lot_of(sums, shape, first, fits);
}

int64_t armilla_cuda_lots_scratch(const armilla_cuda_order_sums *sums,
                                  const armilla_cuda_lot_shape *shape, int64_t bytes)
{
    int64_t largest = 0;
    for (int64_t i = 0; i < sums->norders;) {
        const armilla_cuda_lot lot = armilla_cuda_lot_take(sums, shape, i, bytes);
        largest = armilla_larger(largest, lot.total);
        i += lot.norders;
    }
    return largest;
}
