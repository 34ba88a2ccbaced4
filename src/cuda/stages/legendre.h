/* The Legendre stage on a GPU: alm <-> leg, both in device memory. It has the groups, places and
 * tables of a stage of src/legendre that was made for vectors of 32 lanes: a lane is a thread, a
 * group is what a warp works on; neighbouring groups, up to as many as the shape (shape.h) has
 * warps, are a *tile*, a block of threads. The inner loops are those of src/legendre/kernels. */
#ifndef ARMILLA_CUDA_STAGES_LEGENDRE_H
#define ARMILLA_CUDA_STAGES_LEGENDRE_H

#include "alm/rows.h"
#include "cuda/arithmetic.h"
#include "cuda/stages/shape.h"
#include "cuda/runtime/work.h"
#include "leg/leg.h"
#include "legendre/legendre.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_legendre armilla_cuda_legendre;

/* Lanes of a vector. */
enum { ARMILLA_CUDA_LANES = 32 };

/* Copies to the device what kernels read.
 * Given:    legendre  made with the lanes and vectors of the shape and tables kept; must outlive
 *                     the result;
 *           shape     one that the device can run;
 *           precision of the scalar recurrence in calls of doubles and of floats; top is at most
 *                     what arithmetic.h says of it;
 *           lender    another stage that outlives this one, or NULL: what both have from the same
 *                     arrays of the host is on the device once.
 * Errors:   MEMORY (also of the device: names the bytes), UNSUPPORTED (a CUDA error). */
armilla_status armilla_cuda_legendre_new(const armilla_legendre *legendre,
                                         const armilla_cuda_shape *shape,
                                         armilla_cuda_precision precision,
                                         const armilla_cuda_legendre *lender,
                                         armilla_cuda_legendre **cuda);
void armilla_cuda_legendre_free(armilla_cuda_legendre *cuda);
int64_t armilla_cuda_legendre_bytes(const armilla_cuda_legendre *cuda); /* of the device */

/* Device bytes of scratch for a leg of so many sets; calls go by some of the orders after the other
 * where it would take more than `most`. */
int64_t armilla_cuda_legendre_scratch(const armilla_cuda_legendre *cuda, int64_t nsets, int to_leg,
                                      int64_t most);

/* Kernels of a call on one set, or on the two of a field, with so many bytes of scratch, on a leg
 * of one block of all pairs. Shapes with tensor cores may need more. */
int64_t armilla_cuda_legendre_launches(const armilla_cuda_legendre *cuda, int64_t nsets, int to_leg,
                                       int64_t bytes);

/* Can the stage read and write these rows? A call with others runs nothing, and notes
 * cudaErrorNotSupported. Errors: UNSUPPORTED, names the member: packed, conjugate. */
armilla_status armilla_cuda_legendre_check_rows(const armilla_alm_rows *alm);
/* The member that it would be; NULL: none. */
const char *armilla_cuda_legendre_unknown_member(const armilla_alm_rows *alm);

/* As armilla_legendre_to_leg and armilla_legendre_from_leg. The pairs of leg are some of the
 * stage's pairs, whole blocks of it; its rows are all orders of the stage, rising. In device
 * memory: alm->values, mstart, factor, order_factor, sums, leg->values. Bits do not change from run
 * to run. */
void armilla_cuda_legendre_to_leg(const armilla_cuda_legendre *cuda, const armilla_alm_rows *alm,
                                  const armilla_leg *leg, armilla_cuda_work *work);
void armilla_cuda_legendre_from_leg(const armilla_cuda_legendre *cuda, const armilla_leg *leg,
                                    const armilla_alm_rows *alm, armilla_cuda_work *work);

/* Writes zeros to the orders first .. last of so many sets, as far as alm have them: those above
 * the stage's mmax, which from_leg leaves as they are. Points need fewer orders than alm have. */
void armilla_cuda_legendre_clear_orders(const armilla_alm_rows *alm, int64_t nsets, int64_t first,
                                        int64_t last, armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
