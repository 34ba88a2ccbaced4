/* The list of ways to transform rows, the first of which a build uses, and what is common to them.
 */
#include "fft/rows.h"

#include "fft/ways.h"

/* ARMILLA_FFT=fftw puts FFTW in front. */
static const armilla_rows_way *const ways[] = {
#ifdef ARMILLA_WITH_FFTW
    &armilla_rows_by_fftw,
#endif
    &armilla_rows_by_own,
};

const armilla_rows_way *armilla_rows_way_find(void)
{
    return ways[0];
}

void armilla_rows_shape(armilla_isa isa, int64_t n, int64_t rows, armilla_rows *made)
{
    *made = (armilla_rows){.n = n, .rows = rows, .way = armilla_rows_way_find()};
    made->way->shape(isa, made);
}

armilla_status armilla_rows_make(armilla_isa isa, int64_t n, int64_t rows, armilla_rows *made)
{
    armilla_rows_shape(isa, n, rows, made);
    const armilla_status status = made->way->make(made);
    if (status) armilla_rows_clear(made);
    return status;
}

void armilla_rows_clear(armilla_rows *rows)
{
    if (rows->way) rows->way->clear(rows);
    *rows = (armilla_rows){0};
}

int64_t armilla_rows_bytes(const armilla_rows *rows)
{
    return rows->way->bytes(rows);
}
