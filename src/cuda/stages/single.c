/* Fills the tables by which a GPU makes Legendre functions by operations in single precision: each
 * coefficient of the recurrence as a sum of two floats, and for each block of steps the bound below
 * which p stays in range. What the tables are for is told in kernels/legendre_single.h. */
#include "cuda/stages/single.h"

#include "base/memory.h"
#include "cuda/kernels/legendre_view.h"
#include "legendre/kernels/steps.h"

#include <math.h>

static void put_two_floats(double value, float *to)
{
    to[0] = (float)value;
    to[1] = (float)(value - (double)to[0]);
}

static void fill_order(const armilla_legendre *l, int64_t m, armilla_cuda_single *single)
{
    const int64_t start = l->tables.table_start[m - l->mfirst],
                  count = armilla_legendre_steps(l, m);
    double growth = 1;
    for (int64_t k = 0; k < count; k++) {
        double a, b;
        equator_plain(find_step(m, k, l->tables.square_scale), l->tables.steps.a[start + k], &a,
                      &b);
        put_two_floats(a, single->steps + 4 * (start + k));
        put_two_floats(b, single->steps + 4 * (start + k) + 2);
        growth *= 1 + fmax(fabs(b), fabs(a + b)); /* |a y + b| for 0 <= y <= 1 */
        if ((k + 1) % ARMILLA_CUDA_SINGLE_STEPS) continue;
        single->ceilings[(start + k) / ARMILLA_CUDA_SINGLE_STEPS] = (float)(0x1p36 / growth);
        growth = 1;
    }
}

armilla_status armilla_cuda_single_make(const armilla_legendre *l, armilla_cuda_single *single)
{
    const int64_t blocks = l->tables.table_steps / ARMILLA_CUDA_SINGLE_STEPS;
    armilla_status status;
    *single = (armilla_cuda_single){NULL, NULL};
    if ((status = armilla_allocate(&single->steps, 4 * l->tables.table_steps, sizeof(float))) ||
        (status = armilla_allocate(&single->ceilings, blocks, sizeof(float))))
        return status;
    for (int64_t m = l->mfirst; m <= l->mmax; m++)
        if (armilla_legendre_is_listed(l, m)) fill_order(l, m, single);
    return ARMILLA_OK;
}

void armilla_cuda_single_clear(armilla_cuda_single *single)
{
    armilla_release(single->steps);
    armilla_release(single->ceilings);
}
