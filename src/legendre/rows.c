/* Copies the rows of alm of one order to scratch before the Legendre kernels work on them, and back
 * after analysis, where the kernels cannot work on the caller's array itself. */
#include "legendre/rows.h"

armilla_legendre_rows armilla_legendre_rows_of(const armilla_legendre *legendre,
                                               const armilla_alm_rows *alm)
{
    return (armilla_legendre_rows){.alm = alm,
                                   .in_place = armilla_alm_rows_in_place(alm),
                                   .length = armilla_legendre_alm_row(legendre, legendre->mfirst)};
}

void armilla_legendre_rows_copy(const armilla_legendre_rows *rows, int64_t m, double *copies,
                                int filled, armilla_legendre_sets *sets)
{
    sets->alm = copies, sets->alm_stride = rows->length;
    for (int64_t set = 0; set < sets->count && filled; set++)
        armilla_alm_rows_read(rows->alm, set, m, copies + set * rows->length,
                              2 * (rows->alm->lmax - m + 1));
}

void armilla_legendre_rows_return(const armilla_legendre_rows *rows, int64_t m,
                                  const armilla_legendre_sets *sets)
{
    if (m >= rows->in_place) return;
    for (int64_t set = 0; set < sets->count; set++)
        armilla_alm_rows_write(rows->alm, set, m, sets->alm + set * sets->alm_stride);
}
