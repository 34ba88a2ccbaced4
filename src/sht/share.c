/* Where a rank's rows of alm and its rings are. See share.h. */
#include "sht/share.h"

#include "alm/layout.h"

int64_t armilla_share_alm_size(const armilla_share *share, int64_t lmax)
{
    int64_t size = 0;
    for (int64_t i = 0; i < share->norders; i++) size += lmax + 1 - share->orders[i];
    return size;
}

/* Orders of other ranks begin nowhere: nobody asks for them. */
armilla_status armilla_share_make_layout(const armilla_share *share, int64_t lmax, int64_t mmax,
                                         armilla_alm_layout **layout)
{
    armilla_status status = armilla_alm_layout_new(lmax, mmax, layout);
    if (status) return status;
    int64_t end = 0;
    for (int64_t m = 0; m <= mmax; m++) (*layout)->mstart[m] = ARMILLA_ALM_ELSEWHERE;
    for (int64_t i = 0; i < share->norders; i++) {
        const int64_t m = share->orders[i];
        (*layout)->mstart[m] = end - m;
        end += lmax + 1 - m;
    }
    (*layout)->size = end;
    return ARMILLA_OK;
}
