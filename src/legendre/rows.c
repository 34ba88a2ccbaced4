/* Takes one order of alm to its rows of leg, or back: copies the rows of alm to scratch before the
 * Legendre functions come, and back after analysis, where these cannot work on the caller's array
 * itself. */
#include "legendre/rows.h"

armilla_legendre_rows armilla_legendre_rows_of(const armilla_legendre *legendre,
                                               const armilla_alm_rows *alm, int to_leg)
{
    return (armilla_legendre_rows){.legendre = legendre,
                                   .alm = alm,
                                   .to_leg = to_leg,
                                   .in_place = armilla_alm_rows_in_place(alm),
                                   .length = armilla_legendre_alm_row(legendre, legendre->mfirst)};
}

void armilla_legendre_rows_copy(const armilla_legendre_rows *rows, int64_t m, double *copies,
                                armilla_legendre_sets *sets)
{
    sets->alm = copies, sets->alm_stride = rows->length;
    for (int64_t set = 0; set < sets->count && rows->to_leg; set++)
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

void armilla_legendre_rows_run(const armilla_legendre_rows *rows, const armilla_leg_rows *leg,
                               int64_t i, double *copies, double *scratch)
{
    const int64_t m = armilla_leg_rows_order(leg, i);
    armilla_legendre_sets sets = {.count = leg->nsets};
    armilla_legendre_rows_bring(rows, m, copies, &sets);
    armilla_legendre_run_row(rows->legendre, leg, i, rows->to_leg, &sets, scratch);
    if (!rows->to_leg) armilla_legendre_rows_return(rows, m, &sets);
}
