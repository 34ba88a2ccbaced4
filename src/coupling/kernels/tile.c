/* A tile of a product of matrices, its sums in registers. See kernels.h. */
#include "coupling/kernels/tile.h"

void ARMILLA_KERNEL(armilla_coupling_kernel_tile)(int64_t count, const double *a, const double *b,
                                                  double *c, int64_t stride)
{
    vec sum[ROWS][2];
    for (int i = 0; i < ROWS; i++) sum[i][0] = sum[i][1] = v_all(0);
    for (int64_t k = 0; k < count; k++, a += ROWS, b += COLUMNS) {
        const vec b0 = v_load(b), b1 = v_load(b + VLEN);
        ARMILLA_UNROLL
        for (int i = 0; i < ROWS; i++) {
            const vec row = v_all(a[i]);
            sum[i][0] = v_fma_sum(row, b0, sum[i][0]);
            sum[i][1] = v_fma_sum(row, b1, sum[i][1]);
        }
    }
    for (int i = 0; i < ROWS; i++, c += stride) {
        v_store_any(c, v_add(v_load_any(c), sum[i][0]));
        v_store_any(c + VLEN, v_add(v_load_any(c + VLEN), sum[i][1]));
    }
}
