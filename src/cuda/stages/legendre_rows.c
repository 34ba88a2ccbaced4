/* Rows of alm that the Legendre stage on a GPU reads and writes: which it knows, and zeros in those
 * that it leaves. See legendre.h. */
#include "base/integer.h"
#include "cuda/kernels/legendre_view.h"
#include "cuda/stages/legendre.h"

const char *armilla_cuda_legendre_unknown_member(const armilla_alm_rows *alm)
{
    return alm->packed ? "packed" : alm->conjugate ? "conjugate" : NULL;
}

armilla_status armilla_cuda_legendre_check_rows(const armilla_alm_rows *alm)
{
    const char *name = armilla_cuda_legendre_unknown_member(alm);
    return name ? armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s: is not for rows of alm on a GPU",
                               name)
                : ARMILLA_OK;
}

void armilla_cuda_legendre_clear_orders(const armilla_alm_rows *alm, int64_t nsets, int64_t first,
                                        int64_t last, armilla_cuda_work *work)
{
    enum { MOST_ORDERS = 32768 }; /* of a launch, whose blocks' numbers have 16 bits */
    armilla_alm_rows rows = *alm;
    rows.factor = rows.order_factor = NULL, rows.sums = NULL, rows.later = 0; /* zeros, at once */
    if (armilla_cuda_legendre_unknown_member(alm)) {
        armilla_cuda_note(work, cudaErrorNotSupported);
        return;
    }
    for (int64_t m = first; m <= last && nsets; m += MOST_ORDERS)
        armilla_cuda_clear_orders(&rows, nsets, m, armilla_smaller(MOST_ORDERS, last - m + 1),
                                  work);
}
