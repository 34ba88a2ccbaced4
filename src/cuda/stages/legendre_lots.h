/* The orders of a Legendre stage on a GPU, cut into lots whose scratch fits: sums over orders are
 * made once for a plan, so that a call finds where a lot ends without a walk over its orders. Host
 * only, nothing of the device. */
#ifndef ARMILLA_CUDA_STAGES_LEGENDRE_LOTS_H
#define ARMILLA_CUDA_STAGES_LEGENDRE_LOTS_H

#include "base/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sums over the first 0, 1, ... norders orders of a list: norders + 1 each. */
typedef struct armilla_cuda_order_sums {
    int64_t norders;
    int64_t *steps, *function_steps; /* scalar ones, those of functions of spin s */
} armilla_cuda_order_sums;

/* Errors: MEMORY; *sums can be cleared then. Steps are 0: fill them with _add, in sequence. */
armilla_status armilla_cuda_order_sums_make(int64_t most_orders, armilla_cuda_order_sums *sums);
void armilla_cuda_order_sums_add(armilla_cuda_order_sums *sums, int64_t steps,
                                 int64_t function_steps);
void armilla_cuda_order_sums_clear(armilla_cuda_order_sums *sums);

/* What a call's scratch has copies of: tiles with functions of spin s, scalar tiles, those of
 * halves, sets. */
typedef struct armilla_cuda_lot_shape {
    int64_t spin_tiles, scalar_tiles, halves_tiles, nsets;
    int to_leg;
} armilla_cuda_lot_shape;

/* Some orders, and the parts of their scratch in bytes: values from 0 on, functions, first steps,
 * degrees and first steps of halves. */
typedef struct armilla_cuda_lot {
    int64_t norders, steps, function_steps;
    int64_t functions, first, degrees, halves_first, total;
} armilla_cuda_lot;

/* The orders from number `first` on, as many as take no more than `bytes` and as a launch can have,
 * but one at least. Given: first < norders. */
armilla_cuda_lot armilla_cuda_lot_take(const armilla_cuda_order_sums *sums,
                                       const armilla_cuda_lot_shape *shape, int64_t first,
                                       int64_t bytes);

/* The largest scratch of all lots. */
int64_t armilla_cuda_lots_scratch(const armilla_cuda_order_sums *sums,
                                  const armilla_cuda_lot_shape *shape, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
